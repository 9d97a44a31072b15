package letter

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/order"
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

// What little programs leave of an introduction, right below the orders: it is one because
// quotation follows.
func TestShortIntroductions(t *testing.T) {
	notice := NewNotice(readFile(t, "testdata/notice.txt"))
	text := readFile(t, "testdata/notice.txt")
	for _, intro := range []string{
		"2011/4/7 Angelpost <" + server + ">",
		"On Wed, 14 Nov 2018 08:14:43 -0200 Bob Stone <" + server + "> wrote",
		"Am 21.04.2016 17:48 schrieb \"Bob Stone\" <" + server,
		"------On 12/29/1987 17:32 PM, Bob Stone wrote-----",
		"*-------- Original Message --------*",
		"Date: Wed, 16 May 2012 00:15:02 -0600\nTo: anna@example.org",
		"From: Angelpost <" + server + ">\nSubject: The email",
		"On Thu, 31 Mar 2016 at 11:16 Bob Stone\n\n<\nmailto:Bob Stone <" + server + ">\n> wrote:\n",
	} {
		for _, quoted := range []string{text, prefix("> ", text)} {
			for _, between := range []string{"\n", "\n\n"} {
				raw := mailOf(lines(turn...)+intro+between+quoted, "From: Anna Berg <anna@example.org>", "Subject: "+subject)
				if o, said := understood(string(raw), turn, notice); o != exact {
					t.Errorf("%q: outcome %d, %s", intro, o, said)
				}
			}
		}
	}
	for _, above := range []string{"players: bob@example.org, 2026-11-21", "say: write to <bob@example.org> by 2026-11-21", "A: card 013 at row 2"} {
		l := Read(mailOf(above+"\n\n"+prefix("> ", text), "From: Anna Berg <anna@example.org>"), Options{Notice: notice})
		if len(l.Orders)+len(l.Press) != 1 {
			t.Errorf("%q: dropped %v", above, l.Dropped)
		}
	}
}

// We ask about an earlier letter of the author's if only a rule or an app's footer is above it;
// below an attribution without a colon it is quotation.
func TestOwnOrdersBelowLittle(t *testing.T) {
	notice := NewNotice(readFile(t, "testdata/notice.txt"))
	for intro, want := range map[string]string{
		"-----":                            Perhaps + "resign",
		"________________________________": Perhaps + "resign",
		"* * *":                            Perhaps + "resign",
		"Sent from my Wiko RIDGE FAB 4G":   Perhaps + "resign",
		"On Wed, 14 Nov 2018 08:14:43 -0200 Anna Berg <anna@example.org> wrote": Gap,
		"----On 12/29/1987 17:32 PM, Anna Berg wrote----":                       Gap,
	} {
		raw := mailOf("card 013 at row 2\n\n"+intro+"\n\nresign\n", "From: Anna Berg <anna@example.org>", "Subject: "+subject)
		l := Read(raw, Options{Notice: notice})
		if !slices.Equal(l.Orders, []string{"card 013 at row 2"}) || l.Text[len(l.Text)-1] != want {
			t.Errorf("%q: orders %q, text %q", intro, l.Orders, l.Text)
		}
	}
	for _, text := range []string{"-----\ncard 013 at row 2\n", "card 013 at row 2\n> quoted\n-----\nresign\n", "say: a\n---\nb\n", "Sent from my iPhone\n\ncard 013 at row 2\n"} {
		l := Read(mailOf(text, fromAnna), Options{Notice: notice})
		if slices.ContainsFunc(l.Text, func(s string) bool { return strings.HasPrefix(s, Perhaps) }) {
			t.Errorf("%q: text %q", text, l.Text)
		}
	}
}

// An answer whose program put the attribution behind it, on the same line.
func TestSplicedAttributions(t *testing.T) {
	quoted := prefix("> ", readFile(t, "testdata/notice.txt"))
	notice := NewNotice(readFile(t, "testdata/notice.txt"))
	for rest, want := range map[string]outcome{
		" On Wed, Apr 4, 2012 at 3:59 PM, " + server + " wrote:":            exact,
		" On 2 May 2012 at 3:59 PM, " + server + " wrote:":                  exact,
		"--- On Wed, Apr 4, 2012 at 3:59 PM, " + server + " wrote:":         exact,
		" On 11-Apr-2011, at 6:54 PM, Angelpost <\n" + server + ">\nwrote:": exact,
		" Am Mi., 4. Apr. 2012 um 15:59 schrieb <" + server + ">:":          asked,
		" Le 4 avr. 2012 à 15:59, <" + server + "> a écrit :":               asked,
		" 2012-04-04 15:59 Angelpost <" + server + ">:":                     asked,
		" Angelpost <" + server + "> schrieb am 4. Apr. 2012 um 15:59:":     asked,
	} {
		raw := string(mailOf(strings.TrimSuffix(lines(half...), "\n")+rest+"\n\n"+quoted, "From: Anna Berg <anna@example.org>", "Subject: "+subject))
		if o, said := understood(raw, half, notice); o != want {
			t.Errorf("%q: outcome %d, %s", rest, o, said)
		}
	}
	for _, s := range []string{"done Am Mi., 4. Apr. 2012 um 15:59 schrieb <" + server + ">:", "undo Le mar. 4 avr. 2012 à 15:59, <" + server + "> a écrit :",
		"done Angelpost <" + server + "> schrieb am Mi., 4. Apr. 2012 um 15:59:"} {
		word, _, _ := strings.Cut(s, " ")
		l := Read(mailOf(s+"\n\n"+quoted, "From: Anna Berg <anna@example.org>", "Subject: "+subject), Options{Notice: notice, Says: order.Says})
		if !slices.Contains(l.Text, Perhaps+word) {
			t.Errorf("%q: text %q", s, l.Text)
		}
		if l = Read(mailOf(strings.TrimPrefix(s, word+" ")+"\n\n"+quoted, "From: Anna Berg <anna@example.org>"), Options{Notice: notice, Says: order.Says}); slices.ContainsFunc(l.Text, func(s string) bool { return strings.HasPrefix(s, Perhaps) }) {
			t.Errorf("%q alone: text %q", s, l.Text)
		}
	}
	if l := Read(mailOf("say: I read it On Wed, Apr 4, 2012 at 3:59 PM Bob wrote:\n", fromAnna), Options{}); len(l.Press) != 1 || !strings.HasSuffix(l.Press[0].Text, "wrote:") {
		t.Errorf("press %v", l.Press)
	}
}
