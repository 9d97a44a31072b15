package letter

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Introductions in languages and forms for which no words are known.
func TestIntroductions(t *testing.T) {
	for name, intro := range map[string]string{
		"Icelandic":            "Þann lau., 21. nóv. 2026 kl. 08:12 skrifaði Angelpost <a@play.example>:",
		"Vietnamese":           "Vào Th 7, 21 thg 11, 2026 vào lúc 08:12 Angelpost <a@play.example> đã viết:",
		"broken over lines":    "Vào Th 7, 21 thg 11, 2026 vào lúc 08:12 Angelpost\n<a@play.example>\nđã viết:",
		"ruled":                "---- Vào 2026-11-21 08:12 Angelpost <a@play.example> đã viết ---",
		"a block":              "Từ: Angelpost <a@play.example>\nNgày: 21/11/2026 08:12\nĐến: anna@example.org\nChủ đề: The Long Way Home, round 4: your turn",
		"a block, wide colons": "寄件者：Angelpost\n日期：2026/11/21 08:12\n收件者：anna@example.org\n主旨：The Long Way Home, round 4: your turn",
	} {
		raw := mailOf("status\n\n"+intro+"\n\n| card 013 at row 2\nresign\n", "From: Anna Berg <anna@example.org>", "Subject: "+subject)
		l := Read(raw, Options{})
		if want := []string{"status", "", Gap, "", Gap, Perhaps + "resign"}; !reflect.DeepEqual(l.Orders, []string{"status"}) {
			t.Errorf("%s: orders %q, text %q, want %q", name, l.Orders, l.Text, want)
		}
	}
	for _, order := range []string{"players: bob@example.org, bot", "deadline: 2026-11-21 20:00", "say to Bob: on 2026-11-21 anna@example.org wrote:", "name: 10:30 to Angelpost:"} {
		l := Read(mailOf(order+"\n", "From: Anna Berg <anna@example.org>"), Options{})
		if len(l.Orders)+len(l.Press) != 1 {
			t.Errorf("%q: dropped %v", order, l.Dropped)
		}
	}
}

// What a letter quotes of its author's own is never new.
func TestOwnLettersAreQuotation(t *testing.T) {
	block := "Von: Anna Berg <anna@example.org>\nGesendet: Samstag, 21. November 2026 08:12\nAn: Angelpost\nBetreff: " + subject + "\n\n"
	for name, n := range map[string]*Notice{"known": NewNotice(smallNotice), "unknown": nil} {
		l := Read(mailOf("card 013 at row 2\n\n"+block+"card 013 at row 1\nresign\n", "From: Anna Berg <anna@example.org>", "Subject: "+subject), Options{Notice: n})
		if want := []string{"card 013 at row 2", "", Gap}; !reflect.DeepEqual(l.Text, want) {
			t.Errorf("%s: text %q, want %q", name, l.Text, want)
		}
	}
}

// What apps add below letters, in languages that the reader has no words for.
func TestAppFooters(t *testing.T) {
	for _, s := range []string{"Tải Outlook cho iOS <https://aka.ms/o0ukef>", "iOS용 Outlook 다운로드", "Verzonden vanuit Mail voor Windows", "Odesláno z iPhonu", "iPhoneから送信", "أُرسلت من الـ iPhone", "Inviato da Yahoo Mail su Android"} {
		if l := Read(mailOf("status\n"+s+"\n", fromAnna), Options{}); !reflect.DeepEqual(l.Orders, []string{"status"}) {
			t.Errorf("%q: orders %q", s, l.Orders)
		}
	}
	for _, s := range []string{"say: sent from my iPhone", "note: Outlook for iOS loses my letters"} {
		if l := Read(mailOf(s+"\n", fromAnna), Options{}); len(l.Orders)+len(l.Press) != 1 {
			t.Errorf("%q: dropped %v", s, l.Dropped)
		}
	}
}

// Attributions that name neither us nor the author nor an address, whose words begin
// or end with letters that ASCII lacks, or whose times have colons after the word.
func TestWordsForWrote(t *testing.T) {
	for _, intro := range []string{
		"El 21/11/26 a las 8:12, Juan escribió:", "Jan Kowalski napisał(a) 21.11.2026 o 08:12:", "Max Muster schrieb am 21.11.2026 um 14:49:",
		"Le 21/11/2026 à 08:12, Jean a écrit :", "21.11.2026 klo 8:12, Matti kirjoitti:", "Dne 21. 11. 2026 v 8:12 Jan napsal(a):", "2026. 11. 21. 8:12 keltezéssel, Nagy írta:",
		"Στις 21/11/26 8:12, ο Νίκος έγραψε:", "21.11.2026 08:12, Иван пишет:", "21.11.2026 08:12 tarihinde Ali yazdı:",
	} {
		l := Read(mailOf("status\n\n"+intro+"\n\nresign\n", fromAnna), Options{})
		if want := []string{"status", "", Gap, "", Perhaps + "resign"}; !reflect.DeepEqual(l.Orders, []string{"status"}) {
			t.Errorf("%s: orders %q, text %q, want %q", intro, l.Orders, l.Text, want)
		}
	}
}

// A block of header fields is known by its labels where the letter it quotes has
// another subject and comes from another address.
func TestLabelsOfOthersLetters(t *testing.T) {
	for _, block := range []string{
		"Lähettäjä: Matti <m@example.net>\nPäivämäärä: torstai 28. lokakuuta\nVastaanottaja: Liisa\nAihe: Muuta",
		"Od: Jan\nWysłano: sobota\nDo: Ewa\nTemat: Inne", "Από: Νίκος\nΣτάλθηκε: Σάββατο\nΠρος: Ελένη\nΘέμα: Άλλο", "发件人：李\n发送时间：星期六\n收件人：王\n主题：别的",
	} {
		if l := Read(mailOf("status\n\n"+block+"\n\nresign\n", fromAnna), Options{}); !reflect.DeepEqual(l.Orders, []string{"status"}) {
			t.Errorf("%s: orders %q", block, l.Orders)
		}
	}
}

// An attribution in words that are not known is one if it has a day in one of the languages,
// without a year or a time.
func TestDaysInAttributions(t *testing.T) {
	notice := NewNotice(readFile(t, "testdata/notice.txt"))
	plain, _ := noticeParts(t)
	for _, day := range []string{
		"Sat, Nov 21", "sam. 21 nov.", "Sa., 21. November", "sáb, 21 de nov", "21 de novembro", "sabato 21 novembre", "21 listopada", "21 november", "lör 21 nov.", "lørdag 21. november",
		"21. nov.", "la 21. marraskuuta", "21. listopadu", "21. novembra", "nov. 21., szombat", "sâm., 21 nov.", "Σάβ 21 Νοεμβρίου", "21 нояб.", "21 листопада", "21 Kasım", "السبت، 21 نوفمبر", "21 בנובמבר",
	} {
		for _, intro := range []string{day + ", Angelpost <" + server + "> zapsalxx:", "Zxx " + day + " {" + "Angelpost" + "} qq:"} {
			raw := head("z", "") + part1(utf8Plain, "", lines(turn...)+"\n"+intro+"\n\n"+strings.Join(plain[:], ""))
			for _, n := range []*Notice{notice, nil} {
				l := Read([]byte(raw), Options{Notice: n})
				if got := l.Orders; n != nil && !slices.Equal(got, turn) || slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "zapsalxx") || strings.Contains(s, "qq:") }) {
					t.Errorf("%s, known %v: %q", intro, n != nil, got)
				}
			}
		}
	}
	for _, no := range []string{"Angelpost, keep 31:", "die orange 2", "Anna Berg 12:"} {
		if l := []line{{text: no}}; true {
			lookAhead(l, &hints{ours: []string{"angelpost"}, own: []string{"anna berg"}})
			if l[0].dated {
				t.Errorf("%q is dated", no)
			}
		}
	}
}
