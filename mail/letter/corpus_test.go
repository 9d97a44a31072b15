package letter

import (
	"fmt"
	"html"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// The corpus: letters made by recipes from what mail programs are documented or
// known to write around a reply. Each program is combined with each language and
// each place where people write, and each letter says what must be read out of it.

// A tongue is what programs write in a language. In attributions {n} is the quoted
// writer's name and {a} their address; the date is written out.
type tongue struct {
	code                    string
	gmail, apple, bird      string    // attributions of Gmail, Apple Mail and Thunderbird
	cube                    string    // of Roundcube
	labels                  [4]string // of header blocks in Outlook: from, sent, to, subject
	long, short             string    // a date in Outlook, and in numbers
	original                string    // "Original Message"
	iphone, outlook, window string    // footers
	closing, title          string
}

// tongues are the languages of the issue. Dates are those of CLDR 48.
var tongues = []tongue{
	{"en", "On Sat, Nov 21, 2026 at 8:12 AM {n} <{a}> wrote:", "On 21 Nov 2026, at 8:12 AM, {n} <{a}> wrote:", "On 11/21/26 8:12 AM, {n} wrote:", "On 2026-11-21 08:12, {n} wrote:", [4]string{"From", "Sent", "To", "Subject"}, "Saturday, November 21, 2026 8:12 AM", "11/21/26 8:12 AM", "Original Message", "Sent from my iPhone", "Get Outlook for iOS", "Sent from Mail for Windows", "Kind regards,", "Head of Sales"},
	{"fr", "Le sam. 21 nov. 2026 à 08:12, {n} <{a}> a écrit :", "Le 21 nov. 2026 à 08:12, {n} <{a}> a écrit :", "Le 21/11/2026 à 08:12, {n} a écrit :", "Le 2026-11-21 08:12, {n} a écrit :", [4]string{"De", "Envoyé", "À", "Objet"}, "samedi 21 novembre 2026 08:12", "21/11/2026 08:12", "Message d'origine", "Envoyé de mon iPhone", "Télécharger Outlook pour iOS", "Provenance : Courrier pour Windows", "Cordialement,", "Directrice commerciale"},
	{"de", "Am Sa., 21. Nov. 2026 um 08:12 Uhr schrieb {n} <{a}>:", "Am 21.11.2026 um 08:12 schrieb {n} <{a}>:", "Am 21.11.26 um 08:12 schrieb {n}:", "Am 2026-11-21 08:12, schrieb {n}:", [4]string{"Von", "Gesendet", "An", "Betreff"}, "Samstag, 21. November 2026 08:12", "21.11.26 08:12", "Ursprüngliche Nachricht", "Von meinem iPhone gesendet", "Outlook für iOS beziehen", "Gesendet von Mail für Windows", "Mit freundlichen Grüßen", "Leiterin Vertrieb"},
	{"es", "El sáb, 21 nov 2026 a las 8:12, {n} (<{a}>) escribió:", "El 21 nov 2026, a las 8:12, {n} <{a}> escribió:", "El 21/11/26 a las 8:12, {n} escribió:", "El 2026-11-21 08:12, {n} escribió:", [4]string{"De", "Enviado", "Para", "Asunto"}, "sábado, 21 de noviembre de 2026 8:12", "21/11/26 8:12", "Mensaje original", "Enviado desde mi iPhone", "Obtener Outlook para iOS", "Enviado desde Correo para Windows", "Un saludo,", "Directora de ventas"},
	{"pt", "Em sáb., 21 de nov. de 2026 às 08:12, {n} <{a}> escreveu:", "No dia 21/11/2026, às 08:12, {n} <{a}> escreveu:", "Em 21/11/2026 08:12, {n} escreveu:", "Em 2026-11-21 08:12, {n} escreveu:", [4]string{"De", "Enviado", "Para", "Assunto"}, "sábado, 21 de novembro de 2026 08:12", "21/11/2026 08:12", "Mensagem original", "Enviado do meu iPhone", "Obter o Outlook para iOS", "Enviado do Email para Windows", "Atenciosamente,", "Diretora de vendas"},
	{"it", "Il giorno sab 21 nov 2026 alle ore 08:12 {n} <{a}> ha scritto:", "Il giorno 21 nov 2026, alle ore 08:12, {n} <{a}> ha scritto:", "Il 21/11/26 08:12, {n} ha scritto:", "Il 2026-11-21 08:12 {n} ha scritto:", [4]string{"Da", "Inviato", "A", "Oggetto"}, "sabato 21 novembre 2026 08:12", "21/11/26 08:12", "Messaggio originale", "Inviato da iPhone", "Scarica Outlook per iOS", "Inviato da Posta per Windows", "Cordiali saluti,", "Responsabile vendite"},
	{"pl", "sob., 21 lis 2026 o 08:12 {n} <{a}> napisał(a):", "Wiadomość napisana przez {n} <{a}> w dniu 21.11.2026, o godz. 08:12:", "W dniu 21.11.2026 o 08:12, {n} pisze:", "W dniu 2026-11-21 08:12, {n} napisał(a):", [4]string{"Od", "Wysłano", "Do", "Temat"}, "sobota, 21 listopada 2026 08:12", "21.11.2026 08:12", "Wiadomość oryginalna", "Wysłane z iPhone'a", "Pobierz program Outlook dla systemu iOS", "Wysłano z aplikacji Poczta systemu Windows", "Pozdrawiam,", "Dyrektor sprzedaży"},
	{"nl", "Op za 21 nov 2026 om 08:12 schreef {n} <{a}>:", "Op 21 nov 2026, om 08:12 heeft {n} <{a}> het volgende geschreven:", "Op 21-11-2026 om 08:12 schreef {n}:", "{n} schreef op 2026-11-21 08:12:", [4]string{"Van", "Verzonden", "Aan", "Onderwerp"}, "zaterdag 21 november 2026 08:12", "21-11-2026 08:12", "Oorspronkelijk bericht", "Verstuurd vanaf mijn iPhone", "Outlook voor iOS downloaden", "Verzonden vanuit Mail voor Windows", "Met vriendelijke groet,", "Hoofd verkoop"},
	{"sv", "Den lör 21 nov. 2026 kl 08:12 skrev {n} <{a}>:", "21 nov. 2026 kl. 08:12 skrev {n} <{a}>:", "Den 2026-11-21 kl. 08:12, skrev {n}:", "2026-11-21 08:12 skrev {n}:", [4]string{"Från", "Skickat", "Till", "Ämne"}, "den 21 november 2026 08:12", "2026-11-21 08:12", "Ursprungligt meddelande", "Skickat från min iPhone", "Skaffa Outlook för iOS", "Skickat från E-post för Windows", "Med vänlig hälsning", "Försäljningschef"},
	{"no", "lør. 21. nov. 2026 kl. 08:12 skrev {n} <{a}>:", "21. nov. 2026 kl. 08:12 skrev {n} <{a}>:", "Den 21.11.2026 08:12, skrev {n}:", "Den 2026-11-21 08:12, skrev {n}:", [4]string{"Fra", "Sendt", "Til", "Emne"}, "lørdag 21. november 2026 08:12", "21.11.2026 08:12", "Opprinnelig melding", "Sendt fra min iPhone", "Skaff deg Outlook for iOS", "Sendt fra E-post for Windows", "Vennlig hilsen", "Salgssjef"},
	{"da", "Den lør. 21. nov. 2026 kl. 08.12 skrev {n} <{a}>:", "Den 21. nov. 2026 kl. 08.12 skrev {n} <{a}>:", "Den 21.11.2026 kl. 08.12 skrev {n}:", "{n} skrev den 2026-11-21 08:12:", [4]string{"Fra", "Sendt", "Til", "Emne"}, "21. november 2026 08:12", "21.11.2026 08.12", "Oprindelig besked", "Sendt fra min iPhone", "Hent Outlook til iOS", "Sendt fra Mail til Windows", "Venlig hilsen", "Salgschef"},
	{"fi", "la 21. marrask. 2026 klo 8.12 {n} ({a}) kirjoitti:", "{n} <{a}> kirjoitti 21.11.2026 kello 8.12:", "{n} kirjoitti 21.11.2026 klo 8.12:", "{n} kirjoitti 2026-11-21 08:12:", [4]string{"Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"}, "lauantai 21. marraskuuta 2026 8.12", "21.11.2026 8.12", "Alkuperäinen viesti", "Lähetetty iPhonesta", "Hanki Outlook for iOS", "Lähetetty Windowsin Sähköpostista", "Ystävällisin terveisin", "Myyntijohtaja"},
	{"cs", "so 21. 11. 2026 v 8:12 odesílatel {n} <{a}> napsal:", "21. 11. 2026 v 8:12, {n} <{a}>:", "Dne 21. 11. 2026 v 8:12 {n} napsal(a):", "Dne 2026-11-21 08:12, {n} napsal:", [4]string{"Od", "Odesláno", "Komu", "Předmět"}, "sobota 21. listopadu 2026 8:12", "21.11.26 8:12", "Původní zpráva", "Odesláno z iPhonu", "Získat Outlook pro iOS", "Odesláno z Pošty pro Windows", "S pozdravem", "Obchodní ředitelka"},
	{"sk", "so 21. 11. 2026 o 8:12 {n} <{a}> napísal(a):", "Dňa 21. 11. 2026 o 8:12 používateľ {n} <{a}> napísal:", "Dňa 21. 11. 2026 o 8:12 {n} napísal(a):", "Dňa 2026-11-21 08:12 {n} napísal(a):", [4]string{"Od", "Odoslané", "Komu", "Predmet"}, "sobota 21. novembra 2026 8:12", "21. 11. 2026 8:12", "Pôvodná správa", "Odoslané z iPhonu", "Získať Outlook pre iOS", "Odoslané z Pošty pre Windows", "S pozdravom", "Obchodná riaditeľka"},
	{"hu", "{n} <{a}> ezt írta (időpont: 2026. nov. 21., Szo, 8:12):", "{n} <{a}> írta (2026. nov. 21. dátummal, 8:12-kor):", "2026. 11. 21. 8:12 keltezéssel, {n} írta:", "2026-11-21 08:12 időpontban {n} ezt írta:", [4]string{"Feladó", "Elküldve", "Címzett", "Tárgy"}, "2026. november 21., szombat 8:12", "2026. 11. 21. 8:12", "Eredeti üzenet", "Az iPhone-omról küldve", "Az Outlook iOS-alkalmazás letöltése", "A Windows Posta alkalmazásból küldve", "Üdvözlettel,", "Értékesítési vezető"},
	{"ro", "sâm., 21 nov. 2026 la 08:12, {n} <{a}> a scris:", "Pe 21 nov. 2026, la 08:12, {n} <{a}> a scris:", "La 21.11.2026 08:12, {n} a scris:", "În 2026-11-21 08:12, {n} a scris:", [4]string{"De la", "Trimis", "Către", "Subiect"}, "sâmbătă, 21 noiembrie 2026 08:12", "21.11.2026 08:12", "Mesaj original", "Trimis de pe iPhone-ul meu", "Obțineți Outlook pentru iOS", "Trimis din E-mail pentru Windows", "Cu stimă,", "Director de vânzări"},
	{"el", "Στις Σάβ 21 Νοε 2026 στις 8:12 π.μ., ο/η {n} <{a}> έγραψε:", "Στις 21 Νοε 2026, 8:12 π.μ., ο χρήστης {n} <{a}> έγραψε:", "Στις 21/11/26 8:12 π.μ., ο/η {n} έγραψε:", "Στις 2026-11-21 08:12, {n} έγραψε:", [4]string{"Από", "Στάλθηκε", "Προς", "Θέμα"}, "Σάββατο, 21 Νοεμβρίου 2026 8:12 πμ", "21/11/26 8:12 π.μ.", "Αρχικό μήνυμα", "Στάλθηκε από το iPhone μου", "Αποκτήστε το Outlook για iOS", "Στάλθηκε από την Αλληλογραφία για Windows", "Με εκτίμηση,", "Διευθύντρια πωλήσεων"},
	{"ru", "сб, 21 нояб. 2026 г. в 08:12, {n} <{a}>:", "21 нояб. 2026 г., в 08:12, {n} <{a}> написал(а):", "21.11.2026 08:12, {n} пишет:", "{n} писал(а) 2026-11-21 08:12:", [4]string{"От", "Отправлено", "Кому", "Тема"}, "21 ноября 2026 г. 8:12", "21.11.2026 08:12", "Исходное сообщение", "Отправлено с iPhone", "Получить Outlook для iOS", "Отправлено из Почты для Windows", "С уважением,", "Директор по продажам"},
	{"uk", "сб, 21 лист. 2026 р. о 08:12 {n} <{a}> пише:", "21 лист. 2026 р. о 08:12 {n} <{a}> написав(-ла):", "21.11.26 08:12, {n}:", "2026-11-21 08:12, {n} написав:", [4]string{"Від", "Надіслано", "Кому", "Тема"}, "21 листопада 2026 р. 8:12", "21.11.26 08:12", "Початкове повідомлення", "Надіслано з iPhone", "Отримати Outlook для iOS", "Надіслано з Пошти для Windows", "З повагою,", "Директорка з продажу"},
	{"tr", "{n} <{a}>, 21 Kas 2026 Cmt, 08:12 tarihinde şunu yazdı:", "{n} <{a}> şunları yazdı (21 Kas 2026 08:12):", "21.11.2026 08:12 tarihinde {n} yazdı:", "2026-11-21 08:12, {n} yazmış:", [4]string{"Kimden", "Gönderildi", "Kime", "Konu"}, "21 Kasım 2026 Cumartesi 08:12", "21.11.2026 08:12", "Özgün İleti", "iPhone'umdan gönderildi", "iOS için Outlook'u edinin", "Windows için Posta ile gönderildi", "Saygılarımla,", "Satış müdürü"},
	{"ar", "في السبت، 21 نوفمبر 2026 في 8:12 ص تمت كتابة ما يلي بواسطة \u202a{n}\u202c\u200f <\u202a{a}\u202c\u200f>:", "في ٢١ نوفمبر ٢٠٢٦، الساعة ٨:١٢ ص، كتب/كتبت {n} <{a}>:", "على 21\u200f/11\u200f/2026 \u202b8:12 ص، كتب {n}:", "كتب {n} في 2026-11-21 08:12:", [4]string{"من", "تم الإرسال", "إلى", "الموضوع"}, "السبت، 21 نوفمبر 2026 8:12 ص", "21/11/2026 8:12 ص", "الرسالة الأصلية", "أُرسلت من الـ iPhone", "الحصول على Outlook لـ iOS", "تم الإرسال من البريد لـ Windows", "مع أطيب التحيات،", "مديرة المبيعات"},
	{"he", "\u202bבתאריך שבת, 21 בנוב׳ 2026 ב-8:12 מאת \u202a{n}\u202c\u200f <\u202a{a}\u202c\u200f>:\u202c", "ב-21 בנוב׳ 2026, בשעה 8:12, {n} <{a}> כתב/ה:", "נכתב על ידי {n}, ב־21.11.2026 בשעה 8:12:", ":כתב {n}, 2026-11-21 08:12 בתאריך", [4]string{"מאת", "נשלח", "אל", "נושא"}, "יום שבת 21 נובמבר 2026 8:12", "21.11.2026 8:12", "הודעה מקורית", "נשלח מה-iPhone שלי", "קבל את Outlook עבור iOS", "נשלח מדואר עבור Windows", "בברכה,", "מנהלת מכירות"},
	{"ja", "2026年11月21日(土) 8:12 {n} <{a}>:", "2026/11/21 8:12、{n} <{a}>のメール:", "On 2026/11/21 8:12, {n} wrote:", "2026-11-21 08:12 に {n} さんは書きました:", [4]string{"差出人", "送信日時", "宛先", "件名"}, "2026年11月21日土曜日 8:12", "2026/11/21 8:12", "元のメッセージ", "iPhoneから送信", "iOS 版 Outlook を入手", "Windows 版のメールから送信", "よろしくお願いします", "営業部長"},
	{"zh", "{n} <{a}> 于2026年11月21日周六 08:12写道：", "{n} <{a}> 在 2026年11月21日 08:12 写道：", "在 2026/11/21 08:12, {n} 写道:", "在 2026-11-21 08:12，{n} 写道：", [4]string{"发件人", "发送时间", "收件人", "主题"}, "2026年11月21日星期六 08:12", "2026/11/21 08:12", "原始邮件", "发自我的iPhone", "获取适用于 iOS 的 Outlook", "从 Windows 版邮件发送", "此致", "销售总监"},
	{"ko", "2026년 11월 21일 (토) 오전 8:12, {n} <{a}>님이 작성:", "2026. 11. 21. 오전 8:12, {n} <{a}> 작성:", "2026. 11. 21. 오전 8:12에 {n} 이(가) 쓴 글:", "2026-11-21 08:12에 {n}이(가) 쓴 내용:", [4]string{"보낸 사람", "보낸 날짜", "받는 사람", "제목"}, "2026년 11월 21일 토요일 오전 8:12", "2026. 11. 21. 오전 8:12", "원본 메시지", "나의 iPhone에서 보냄", "iOS용 Outlook 다운로드", "Windows용 메일에서 보냄", "감사합니다", "영업 이사"},
}

// A program is how a mail program quotes. mark comes before each quoted line; wrap is the
// column at which it breaks an attribution, 0: nowhere.
type program struct {
	name   string
	mark   string
	wrap   int
	inside bool // the attribution has the mark, too
	intro  func(t tongue, q quoted) string
	foot   func(t tongue) string
	fields string
}

// quoted is the sender and the recipient of a quoted letter.
type quoted struct{ name, addr, to, subject string }

func (q quoted) fill(s string) string {
	return strings.NewReplacer("{n}", q.name, "{a}", q.addr).Replace(s)
}

func none(tongue) string { return "" }

// block4 is a header block of a label and a value a line.
func block4(t tongue, q quoted, date, sep string) string {
	return fmt.Sprintf("%s%s%s <%s>\n%s%s%s\n%s%s%s\n%s%s%s\n", t.labels[0], sep, q.name, q.addr, t.labels[1], sep, date, t.labels[2], sep, q.to, t.labels[3], sep, q.subject)
}

var programs = []program{
	{"Gmail", "> ", 78, false, func(t tongue, q quoted) string { return q.fill(t.gmail) + "\n\n" }, none, ""},
	{"Outlook", "", 0, false, func(t tongue, q quoted) string {
		return "-----" + t.original + "-----\n" + block4(t, q, t.long, ": ") + "\n"
	}, none, "X-Mailer: Microsoft Outlook 16.0\n"},
	{"Outlook on the web", "", 0, false, func(t tongue, q quoted) string {
		return "________________________________\n" + block4(t, q, t.long, ": ") + "\n"
	}, func(t tongue) string { return t.outlook + "<https://aka.ms/o0ukef>" }, ""},
	{"Apple Mail", "> ", 0, true, func(t tongue, q quoted) string { return q.fill(t.apple) + "\n\n" }, none, "X-Mailer: Apple Mail (2.3826.200.121)\n"},
	{"iOS Mail", "> ", 0, true, func(t tongue, q quoted) string { return q.fill(t.apple) + "\n\n" }, func(t tongue) string { return t.iphone }, "X-Mailer: iPhone Mail (22F76)\n"},
	{"Thunderbird", "> ", 0, false, func(t tongue, q quoted) string { return q.fill(t.bird) + "\n" }, none, "User-Agent: Mozilla Thunderbird\n"},
	{"Yahoo", "", 0, false, func(t tongue, q quoted) string { return "    " + q.fill(t.gmail) + "  \n \n" }, none, "X-Mailer: WebService/1.1.22876 YMailNorrin\n"},
	{"K-9", ">", 0, false, func(t tongue, q quoted) string { return q.fill(t.gmail) + "\n" }, none, "User-Agent: K-9 Mail for Android\n"},
	{"Mutt", "> ", 0, false, func(t tongue, q quoted) string { return q.fill(t.bird) + "\n" }, none, "User-Agent: Mutt/2.2.13 (2024-03-09)\n"},
	{"Roundcube", "> ", 72, false, func(t tongue, q quoted) string { return q.fill(t.cube) + "\n" }, none, "User-Agent: Roundcube Webmail/1.6.5\n"},
	{"Zoho", "", 0, false, func(t tongue, q quoted) string {
		return "---- " + strings.TrimRight(q.fill(t.gmail), " :：") + " ----\n\n"
	}, none, "X-Mailer: Zoho Mail\n"},
	{"Notes", "", 0, false, func(t tongue, q quoted) string {
		return fmt.Sprintf("%s:        %s <%s>\n%s:        %s\n%s:        %s\n%s:        %s\n\n\n\n", t.labels[0], q.name, q.addr, t.labels[2], q.to, t.labels[1], t.short, t.labels[3], q.subject)
	}, none, "X-Mailer: HCL Notes\n"},
	{"Windows Mail", "", 0, false, func(t tongue, q quoted) string { return block4(t, q, t.long, ": ") + "\n" }, func(t tongue) string { return t.window }, ""},
	{"Samsung", "", 0, false, func(t tongue, q quoted) string {
		return "-------- " + t.original + " --------\n" + fmt.Sprintf("%s: %s <%s>\n%s: %s  (GMT+01:00)\n%s: %s\n%s: %s\n\n", t.labels[0], q.name, q.addr, t.labels[1], t.short, t.labels[2], q.to, t.labels[3], q.subject)
	}, none, ""},
	{"FairEmail", "> ", 0, false, func(t tongue, q quoted) string { return t.short + " " + q.name + " <" + q.addr + ">:\n\n" }, none, ""},
	{"Outlook for Mac", "", 0, false, func(t tongue, q quoted) string { return block4(t, q, t.long, " : ") + "\n" }, none, "User-Agent: Microsoft-MacOutlook/16.89\n"},
}

// A recipe is a letter of the corpus, with the reading that we expect.
type recipe struct {
	program, tongue, place, structure string
	raw                               string
	orders                            []string
}

func (r recipe) String() string {
	return r.program + ", " + r.tongue + ", " + r.place + ", " + r.structure
}

// structures are how a letter's text is packed; letters in HTML are of the last.
var structures = []string{"8bit", "quoted-printable", "base64", "flowed", "alternative", "older charset", "HTML"}

// older are the charsets of languages before UTF-8.
var older = map[string]string{
	"en": "windows-1252", "fr": "iso-8859-1", "de": "iso-8859-15", "es": "iso-8859-1", "pt": "iso-8859-1", "it": "iso-8859-1", "nl": "iso-8859-15",
	"sv": "iso-8859-1", "no": "iso-8859-1", "da": "iso-8859-1", "fi": "iso-8859-15", "pl": "iso-8859-2", "cs": "windows-1250", "sk": "iso-8859-2",
	"hu": "iso-8859-2", "ro": "iso-8859-16", "el": "iso-8859-7", "ru": "koi8-r", "uk": "koi8-u", "tr": "iso-8859-9", "ar": "windows-1256",
	"he": "windows-1255", "ja": "iso-2022-jp", "zh": "gb18030", "ko": "euc-kr",
}

// pack makes a letter's MIME fields and body of its text.
func pack(structure, tongue, mark, text string) string {
	switch structure {
	case "8bit":
		return part1(utf8Plain, "", text)
	case "flowed": // every line is one; what would be read as quotation or as stuffed is stuffed
		ls := strings.Split(text, "\n")
		for i, l := range ls {
			if ls[i] = strings.TrimRight(l, " "); strings.HasPrefix(l, " ") {
				ls[i] = " " + ls[i]
			}
		}
		return part1(flowed, "", strings.Join(ls, "\n"))
	case "alternative":
		return alternative(part1(utf8Plain, "quoted-printable", text), part1(utf8HTML, "quoted-printable", htmlOf(mark, text)))
	case "older charset":
		set, err := htmlindex.Get(older[tongue])
		if err != nil {
			panic(err)
		}
		s, err := encoding.ReplaceUnsupported(set.NewEncoder()).String(strings.ReplaceAll(text, "\r", ""))
		if err != nil {
			panic(err)
		}
		return part1("text/plain; charset="+older[tongue], "base64", s)
	}
	return part1(utf8Plain, structure, text)
}

// htmlOf is a plain text as HTML, with what the mark quotes as quotation.
func htmlOf(mark, text string) string {
	var b strings.Builder
	quoted := false
	for _, l := range strings.Split(text, "\n") {
		rest, is := strings.CutPrefix(l, strings.TrimSpace(mark))
		if is = is && mark != ""; is != quoted {
			b.WriteString(map[bool]string{true: `<blockquote type="cite">`, false: "</blockquote>"}[is])
		}
		if quoted = is; is {
			l = rest
		}
		b.WriteString("<div>" + html.EscapeString(strings.TrimSpace(l)) + "<br></div>")
	}
	if quoted {
		b.WriteString("</blockquote>")
	}
	return "<html><body>" + b.String() + "</body></html>"
}

// places are where people write, and what they quote.
var places = []string{"above", "below", "within", "above and below", "signed", "wrapped", "own orders quoted", "nothing but own orders quoted", "the same orders again", "HTML", "HTML within", "HTML typed inside", "struck out"}

// old are the orders of the player's letter before.
var old = []string{"card 027 at row 1", "die orange 1 secure", "command at 4"}

// file is a program's name in those of files.
func (p program) file() string { return strings.ReplaceAll(strings.ToLower(p.name), " ", "-") }

// inFiles reports whether the letter of a program, a language and a place is one of those
// that are kept as files: two of each program and language, in each place and structure, and
// some of the places that came later.
func inFiles(program, tongue, place int) bool {
	const before = 11
	n := (program + 3*tongue) % before
	return place == n || place == (n+5)%before || place >= before && place == before+n
}

// corpus makes every letter there is.
func corpus(plain, html [3]string) []recipe {
	var all []recipe
	for i, p := range programs {
		for j, t := range tongues {
			for k, place := range places {
				orders, body := p.write(t, place, plain, html)
				structure := structures[(i+j+k)%(len(structures)-1)]
				mime := ""
				switch {
				case strings.HasPrefix(place, "HTML"):
					structure, mime = "HTML", part1(utf8HTML, "quoted-printable", body)
				case place == "struck out": // only the HTML has the strokes
					unstruck := strings.NewReplacer("<s>", "", "</s>", "").Replace(body)
					structure, mime = "alternative", alternative(part1(utf8Plain, "quoted-printable", plainOf(unstruck)), part1(utf8HTML, "quoted-printable", body))
				default:
					mime = pack(structure, t.code, p.mark, body)
				}
				raw := head(p.file()+"."+t.code, p.fields) + mime
				all = append(all, recipe{p.name, t.code, place, structure, strings.ReplaceAll(raw, "\n", "\r\n"), orders})
			}
		}
	}
	return all
}

// write is the text of a letter, and the orders in it.
func (p program) write(t tongue, place string, plain, html [3]string) (orders []string, body string) {
	topic := strings.TrimPrefix(subject, "Re: ")
	notice := quoted{"Angelpost", server, "Anna Berg <anna@example.org>", topic}
	own := quoted{"Anna Berg", "anna@example.org", "Angelpost <" + server + ">", subject}
	whole := strings.Join(plain[:], "")
	foot := p.foot(t)
	if foot != "" {
		foot = "\n" + foot + "\n"
	}
	// quote is a letter as the program quotes it.
	quote := func(q quoted, text string) string {
		intro := p.intro(t, q)
		if p.wrap > 0 {
			intro = wrap(intro, p.wrap) + strings.Repeat("\n", strings.Count(intro, "\n\n"))
		}
		switch {
		case p.mark == "":
			return intro + text
		case p.inside:
			return prefix(p.mark, intro+text)
		}
		return intro + prefix(p.mark, text)
	}
	mark := func(text string) string {
		if p.mark == "" {
			return text
		}
		return prefix(p.mark, text)
	}
	switch place {
	case "above":
		return turn, lines(turn...) + foot + "\n" + quote(notice, whole)
	case "below":
		return turn, quote(notice, whole) + "\n" + lines(turn...) + foot
	case "within":
		return half, quote(notice, plain[0]) + half[0] + "\n" + mark(plain[1]) + "\n" + half[1] + "\n\n" + mark(plain[2]) + foot
	case "above and below":
		return half, half[0] + "\n\n" + quote(notice, whole) + "\n" + half[1] + "\n" + foot
	case "signed":
		return turn, lines(turn...) + "\n" + lines(t.closing, "", "Anna Berg", t.title, "Tel. +49 170 123 45 67", "www.example.org") + foot + "\n" + quote(notice, whole)
	case "wrapped": // hard, with the mark before the first piece only
		return turn, lines(turn...) + "\n" + wrap(quote(notice, whole), 58)
	case "own orders quoted":
		return half, lines(half...) + foot + "\n" + quote(own, lines(old...)+foot+"\n"+quote(notice, whole))
	case "nothing but own orders quoted":
		return nil, "\n" + foot + quote(own, lines(old...)+foot+"\n"+quote(notice, whole))
	case "the same orders again":
		return old, lines(old...) + foot + "\n" + quote(own, lines(old...)+foot+"\n"+quote(notice, whole))
	}
	// As HTML: attributions in an element of their own, quotation in a blockquote
	// where the program marks it.
	esc := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	intro := divs(strings.Split(strings.TrimRight(esc.Replace(p.intro(t, notice)), "\n"), "\n")...)
	open, shut := "", ""
	if p.mark != "" {
		open, shut = `<blockquote type="cite">`, `</blockquote>`
	}
	switch place {
	case "HTML typed inside": // into one quotation that the program does not split
		return half, "<html><body>" + intro + open + html[0] + divs("", half[0], "") + html[1] + divs("", half[1], "") + html[2] + shut + "</body></html>"
	case "struck out":
		changed := strings.Replace(divs(turn...), "row 2", "row <s>1</s> 2", 1)
		return turn, "<html><body><div><s>resign</s></div>" + changed + divs("", esc.Replace(strings.TrimSpace(foot)), "") + intro + open + strings.Join(html[:], "") + shut + "</body></html>"
	case "HTML":
		return turn, "<html><body>" + divs(turn...) + divs("", esc.Replace(strings.TrimSpace(foot)), "") + intro + open + strings.Join(html[:], "") + shut + "</body></html>"
	}
	return half, "<html><body>" + intro + open + html[0] + shut + divs(half[0]) + open + html[1] + shut + divs("", half[1], "") + open + html[2] + shut + "</body></html>"
}
