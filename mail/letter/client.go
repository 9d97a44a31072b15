package letter

import (
	"slices"
	"strings"
)

// What clients write around a reply: words by language, generated (words.go) where
// a program's translations are public, and what any program's text looks like.

var (
	attributionStart = compile(`^On\b.*\d`)
	attributionRun   = compile(`^On\b.{0,200}\d.{0,200}[>@].{0,100}\bwrote:\s+\S`) // Yahoo's app goes on behind it
	// \b knows ASCII letters only, and times have colons, too.
	attributionEnd = compile(`(?i)(?:^|[^\pL\pM])(?:` + alternatives(wroteWords, moreWrote) + `)(?:[^\pL\pM].*)?[:：]$`)
	dated          = compile(`\b(19|20)\d\d\b|\d[:h.]\d\d\b|@`)

	ruledText   = compile(`^[-_]{2,}\s*[\p{L}\p{N}].*[-_]{2,}$`)
	original    = compile(`(?i)original|message|nachricht|messaggio|mensaje|mensagem|bericht|meddelande|besked|melding|viesti|zpráva|správa|wiadomo|üzenet|mesaj|ileti|μήνυμα|сообщение|повідомлення|письмо|الرسالة|הודעה|メッセージ|邮件|郵件|消息|메시지|메일|reply|antwort`)
	forwarded   = compile(`(?i)^(?:[-_=]{3,}[^-].{0,80}[-_=]{2,}(?:\s.*)?|[\pL\pM ]{6,60} ?[:：]|---+ ?forwarded (?:message )?from .*)$`)
	ruledFields = compile(`^[-_=]{3,}[^-]{3,80}[-_=]{3,}\s+[^:]{2,40}:.*@`) // Yahoo: rule and fields in one line
	// "Forwarded" in Gmail's, Outlook's, Yahoo's and Apple's words; Thunderbird's are generated.
	forwardWord = compile(`(?i)forward|weiterleit|weitergeleitet|transf[ée]r|réexpédié|inoltrat|reenvia|reencaminha|encaminha|doorgest|doorgez|vidarebef|videresend|videreform|välitet|edelleen|przekaz|przesłan|přepos|předan|prepos|továbbít|redirec[tț]ion|προωθ|перенаправ|пересл|пересыл|пересил|iletilen|yönlendir|転送|转发|轉寄|轉發|전달|المُ?عاد توجيه|محول|מועבר|הועבר`)
	forwardNoun = compile(`(?i)^(?:begin|anfang|début|inizio|inicio|início|start|początek|začátek|začiatok|forwarded message|weitergeleitete nachricht|message transféré|messaggio inoltrato|mensaje reenviado|mensagem encaminhada|doorgestuurd bericht)|(?:message|nachricht|meddelande|meddelelse|melding|viesti|wiadomo\S*|zpráv\S*|správ\S*|üzenet\S*|mesaj\S*|ileti\S*|μηνύματος|сообщени\S*|повідомлення|メッセージ|邮件|메시지|الرسالة|הודעה) ?[:：]$`)

	footers = compile(`(?i)^[-–—*_(<\[]*\s*(` +
		`sent (from|via|with|using|by) .*|from my (i?phone|ipad|ipod|mobile|android|blackberry|galaxy|samsung|cell).{0,40}` +
		`|get outlook for .*|holen sie sich outlook .*|obtenez outlook .*|obtener outlook .*|outlook für .* beziehen.*` +
		`|(diese nachricht wurde )?(von|mit) (meine[mr]?|mein) .*(gesendet|verschickt).*|gesendet (mit|von|aus|über) .*` +
		`|envoyé (de|depuis|à partir|avec) .*|enviado (desde|de|do|con) .*|inviato da(l)? .*|verzonden (vanaf|met|via) .*|skickat från .*` +
		`|virus-free\..*|this e-?mail has been checked for viruses.*|diese e-mail wurde .* auf viren .*` +
		`|yahoo mail: search, organi[sz]e, conquer.*|(please )?(excuse|pardon) (my brevity|any typos|typos).*` +
		`|non-text part: [a-z]+/[-+.a-z0-9]+` + // notmuch, for each part that it does not quote
		`|\[(external|extern|ext)\]|(caution|warning|attention) ?: ?this (e-?mail|message) .*` +
		`)$`)
	// In any language: "Get Outlook for iOS", "Sent from my iPhone".
	appFooter = compile(`(?i)\boutlook\b.*\b(ios|android)\b|\b(ios|android)\b.*\boutlook\b|\byahoo mail\b.*\b(ios|iphone|ipad|android)\b`)
	device    = compile(`(?i)\b(iphon|ipad|android|galaxy|blackberry|huawei|xiaomi|windows|mobil|smartphone|handy\b)|мобильн|мобільн|телефон|手机|手機|携帯|スマートフォン|휴대폰|모바일|הנייד|الهاتف|الجوال`)
	sentWord  = compile(`(?i)\bsent\b|gesendet|envoyé|enviad[oa]|inviat[oa]|wysłan|verzonden|verstuurd|skickat|sendt|lähetetty|odesláno|odoslané|küldve|trimis|στάλθηκε|отправлено|надіслано|gönderildi|أرسل|أُرسل|الإرسال|נשלח|送信|发自|發自|傳送|发送|보냄`)

	disclaimerStart = compile(`(?i)^[*_-]*\s*(this (e-?mail|message|communication|transmission)\b|the (information|contents?) (contained |transmitted )?(in|of|with) (this|it)\b|confidential(ity)?\b|disclaimer\b|legal notice\b|diese (e-?mail|nachricht)\b|ce (message|courriel)\b)`)
	disclaimerWord  = compile(`(?i)confidential|intended|recipient|privileged|disclaimer|virus|vertraulich|empfänger|destinataire|legal notice`)

	closing  = compile(`(?i)^(many |best |kind |warm |with kind |with best )?(thanks|thank you|thx|cheers|regards|wishes|greetings|sincerely|yours|best|mfg|viele grüße|liebe grüße|gruß|grüße|cordialement)( again| in advance| a lot| so much)?[,.!]*$`)
	greeting = compile(`(?i)^((hi|hello|hallo|hey|dear|bonjour|good (morning|evening|day))( (all|there|everyone|everybody|angelpost|team|server|folks))?[,!]|(hello|hallo|bonjour)( (all|there|everyone|everybody|angelpost|team|server|folks))?[.]?)$`)

	sayLine = compile(`(?i)^say(?:\s+to\s+([^:]{1,200}?))?\s*[:：]\s*(.*)$`)
)

// says splits "say to NAME: text" into itself, name and text; nil if s is none.
func says(s string) []string {
	if !strings.EqualFold(first(s, 3), "say") {
		return nil
	}
	return sayLine.find(s)
}

// What programs not translated in public say, or said in older versions: Gmail,
// Outlook, Apple Mail, Yahoo, Lotus Notes. Words of Thunderbird and Roundcube are
// generated (words.go).
var (
	moreWrote = []string{"wrote", "writes", "said", "schrieb", "écrit", "escribió", "escribe", "scritto", "schreef", "geschreven", "escreveu", "skrev", "skriver", "napisał", "pisze", "kirjoitti", "napsal", "napsala", "napísal", "írta", "scris", "έγραψε", "пишет", "написал", "написала", "писал", "писала", "пише", "написав", "yazdı", "كتب", "כתב", "写道", "寫道", "書きました", "작성", "쓴"}
	moreFrom  = []string{"von", "expéditeur", "remitente", "mittente", "da", "de la", "lähettäjä", "feladó", "kimden", "من", "מאת", "差出人", "送信元", "发件人", "寄件者", "寄件人", "보낸 사람"}
	moreOther = []string{"sent", "sent by", "sent on", "date", "to", "cc", "bcc", "subject", "reply-to", "importance", "gesendet", "gesendet am", "datum", "an", "betreff", "antwort an", "wichtigkeit", "envoyé", "envoyé le", "date d'envoi", "à", "objet", "enviado", "enviado el", "enviada em", "fecha", "para", "asunto", "inviato", "data", "a", "oggetto", "verzonden", "aan", "onderwerp", "assunto", "skickat", "till", "ämne", "sendt", "dato", "til", "emne", "kopi", "wysłano", "do", "temat", "dw", "lähetetty", "päivämäärä", "vastaanottaja", "kopio", "aihe", "odesláno", "odoslané", "komu", "kopie", "kópia", "předmět", "predmet", "elküldve", "dátum", "címzett", "tárgy", "trimis", "către", "subiect", "στάλθηκε", "ημερομηνία", "προς", "κοιν", "κοιν.", "θέμα", "отправлено", "дата", "кому", "копия", "тема", "надіслано", "копія", "gönderildi", "tarih", "kime", "bilgi", "konu", "تم الإرسال", "التاريخ", "إلى", "الموضوع", "נשלח", "תאריך", "אל", "נושא", "送信日時", "宛先", "件名", "发送时间", "傳送時間", "收件人", "主题", "主旨", "보낸 날짜", "받는 사람", "제목"}
)

// labels are the labels of header fields; true those of the author's.
var labels = func() map[string]bool {
	m := map[string]bool{}
	for _, l := range slices.Concat(otherLabels, moreOther) {
		m[l] = false
	}
	for _, l := range slices.Concat(fromLabels, moreFrom) {
		m[l] = true
	}
	return m
}()

// alternatives is an expression for any of words.
func alternatives(lists ...[]string) string {
	var all []string
	for _, w := range slices.Concat(lists...) {
		if len(w) > 2 {
			all = append(all, literal(w))
		}
	}
	return strings.Join(all, "|")
}

// maxLabel is the octets up to which a label is looked for.
const maxLabel = 80

// labelled reports whether a line is a header field with a known label, and
// whether that names the author.
func labelled(s string) (from, ok bool) {
	head := first(s, maxLabel)
	i := strings.IndexAny(head, ":：")
	if i <= 0 {
		return false, false
	}
	from, ok = labels[strings.ToLower(strings.Trim(head[:i], "* "))]
	if from && strings.Trim(s[i:], "*:： ") == "" {
		return false, false
	}
	return from, ok
}

// forwards reports whether a line introduces forwarded mail.
func forwards(s string) bool {
	s = first(s, maxField)
	if !forwarded.in(s) {
		return false
	}
	if strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") {
		return forwardWord.in(s) && forwardNoun.in(s)
	}
	return forwardWord.in(first(s, 100)) || ruledWords[ruledWord(s)] || ruledFields.in(s)
}

// ruledWord is the text inside a rule.
func ruledWord(s string) string { return strings.ToLower(strings.Trim(s, "-_= ")) }

// ruledWords are the texts in the rule above a forwarded letter (true), or above a quoted one
// (false).
var ruledWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range forwardedWords {
		m[w] = true
	}
	for _, w := range originalWords {
		m[w] = false
	}
	return m
}()

// footer reports whether a line is one that apps and gateways put below.
func footer(s string) bool {
	return len(s) < 300 && (fence.in(s) || footers.in(s) || !notLabel.in(s) && (appFooter.in(s) || len(s) <= 120 && device.in(s) && sentWord.in(s)))
}

// disclaimer reports whether lines begins with a disclaimer, which may be one very
// long line.
func disclaimer(lines []line) bool {
	if !disclaimerStart.in(first(lines[0].text, maxField)) {
		return false
	}
	size, telling := -1, false
	for _, l := range lines[:min(len(lines), 4)] {
		if l.text == "" {
			break
		}
		size += len(l.text) + 1
		telling = telling || disclaimerWord.in(first(l.text, maxProse))
	}
	return size > 50 && telling
}

// lookAhead computes for each line what depends only on the lines below it, from the last line
// to the first, so that it visits each line once.
func lookAhead(lines []line, c *hints) {
	for i := len(lines) - 1; i >= 0; i-- {
		l := &lines[i]
		switch {
		case l.depth > 0 || l.why == Quote || l.soft:
			l.marked = l.depth > 0
		case l.text == "" && i+1 < len(lines):
			l.marked = lines[i+1].marked
		}
		if l.depth == 0 && l.text != "" {
			s := first(l.text, maxField)
			l.named = c.mentions(strings.ToLower(s))
			l.dated = when.in(s) || l.named && onDay(s)
		}
		l.block.read(lines[i:])
		l.any.read(lines[i:], c)
	}
}

// A block is what is below a line of header fields, "From: … Sent: … To: …
// Subject: …" in whatever order, that line included; without a field in it the
// zero value.
type block struct {
	lines  int // up to the last field
	fields int
	from   bool // one of them names the author
}

// read finds the block at the start of lines from the blocks of those below.
// Two lines between fields may be none, for clients break long fields.
func (b *block) read(lines []line) {
	t := lines[0].text
	if lines[0].depth > 0 || len(t) > maxField || !strings.ContainsAny(t, ":：") {
		return
	}
	from, ok := labelled(t)
	if !ok {
		return
	}
	*b = block{1, 1, from}
	for i := 1; i < len(lines) && i <= 3 && lines[i].depth == 0; i++ {
		if next := lines[i].block; next.fields > 0 {
			*b = block{i + next.lines, 1 + next.fields, from || next.from}
			return
		}
	}
}

// A anyBlock is a block of "Label: value" lines in any language.
type anyBlock struct {
	lines, fields int
	label         // what one of its fields tells
}

func (b *anyBlock) read(lines []line, c *hints) {
	if lines[0].depth > 0 {
		return
	}
	f, ok := c.fieldOf(lines[0].text)
	if !ok {
		return
	}
	*b = anyBlock{1, 1, f}
	for i := 1; i < len(lines) && i <= 2 && lines[i].depth == 0 && lines[i].text != ""; i++ {
		if next := lines[i].any; next.fields > 0 {
			*b = anyBlock{i + next.lines, 1 + next.fields, label{f.topic || next.topic, f.dated || next.dated, f.ours || next.ours, f.addr || next.addr}}
			return
		}
	}
}

// headerBlock returns how many lines the block of header fields at the start of
// lines has, or 0 if it is too little to be one.
func headerBlock(lines []line) int {
	if b := lines[0].block; b.fields >= 3 && b.from {
		return b.lines
	}
	if b := lines[0].any; b.fields >= 3 && b.dated && (b.topic || b.ours || b.addr) {
		return b.lines
	}
	return 0
}

// attribution returns how many lines at the start of lines are an attribution
// such as "On … wrote:", or 0, and whether marked quotation follows. In a
// language not known here, a dated line that ends with a colon is one if
// marked quotation follows.
func attribution(lines []line) (n int, marked bool) {
	known, when := false, false
	if text := first(lines[0].text, maxField); strings.HasPrefix(text, "On") {
		if attributionRun.in(text) {
			return 1, quotationFollows(lines[1:])
		}
		known = attributionStart.in(text)
	}
	for n < 4 && n < len(lines) && lines[n].depth == 0 && lines[n].text != "" && len(lines[n].text) < maxField {
		// Each line of an attribution in an unknown form has to show what it is;
		// else an order above it would be swallowed.
		each := dated.in(lines[n].text)
		when = when || each
		n++
		if closed(lines[n-1].text) {
			marked = quotationFollows(lines[n:])
			text := make([]string, n)
			for i := range text {
				text[i] = lines[i].text
			}
			says := attributionEnd.in(strings.Join(text, " "))
			if says && (marked || when) || marked && each {
				return n, marked
			}
			return 0, false
		}
		if !known && !each {
			return 0, false
		}
	}
	return 0, false
}

// Octets of a line up to which it may be a header field, an attribution or the
// beginning of a disclaimer, and those of it in which a disclaimer shows what it is.
const (
	maxField = 1000
	maxProse = 4000
)

func first(s string, n int) string { return s[:min(len(s), n)] }

// quotationFollows reports whether the next line with text is marked.
func quotationFollows(lines []line) bool { return len(lines) > 0 && lines[0].marked }
