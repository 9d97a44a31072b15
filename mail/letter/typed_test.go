package letter

import (
	"slices"
	"strings"
	"testing"

	"angelpost/engine/order"
)

// intoQuotation puts lines below the first line of a quotation's HTML that has some text, as
// people do who press return there.
func intoQuotation(html, at string, typed ...string) string {
	i := strings.Index(html, at)
	end := i + strings.IndexByte(html[i:], '<')
	return html[:end] + "<div><br></div>" + divs(typed...) + "<div><br></div>" + html[end:]
}

// quotedBy are the quotations of programs that do not end them where one types.
func quotedBy(html string) map[string]string {
	return map[string]string{
		"iOS":    `<html><body dir="auto"><div dir="ltr"></div><div dir="ltr"><br><blockquote type="cite">On 21 Nov 2026, at 08:12, Angelpost &lt;` + server + `&gt; wrote:<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">` + html + `</div></blockquote></body></html>`,
		"Proton": `<div class="protonmail_quote">On Saturday, November 21st, 2026 at 8:12 AM, Angelpost &lt;` + server + `&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">` + html + `</blockquote><br></div>`,
		"HEY":    `<div class="trix-content"><br><br>On November 21, 2026, Angelpost &lt;` + server + `&gt; wrote:<blockquote>` + html + `</blockquote></div>`,
		"Gmail":  `<div dir="ltr"><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Sat, Nov 21, 2026 at 8:12 AM Angelpost &lt;` + server + `&gt; wrote:<br></div><blockquote class="gmail_quote">` + html + `</blockquote></div></div>`,
	}
}

// Orders typed into a quotation that the program did not end there are read where the notice
// is known.
func TestTypedIntoQuotation(t *testing.T) {
	_, parts := noticeParts(t)
	html := strings.Join(parts[:], "")
	notice := NewNotice(readFile(t, "testdata/notice.txt"), HTMLText(readFile(t, "testdata/notice.html")), ShownText(readFile(t, "testdata/notice.html")))
	o := Options{Notice: notice, Says: order.Says, Address: "angelpost+{token}@play.example"}
	texts := []string{}
	for s := range strings.SplitSeq(html, "<") {
		if _, text, ok := strings.Cut(s, ">"); ok && len(words(text)) > 2 && !barred(text) && !strings.Contains(text, "&") && strings.Count(html, text) == 1 {
			texts = append(texts, text)
		}
	}
	if len(texts) < 10 {
		t.Fatalf("%d places", len(texts))
	}
	exact := 0
	for _, at := range texts {
		for name, quoted := range quotedBy(intoQuotation(html, at, half...)) {
			for _, forms := range []string{"HTML", "both"} {
				raw := mailOf(quoted, fromAnna, "Content-Type: text/html; charset=utf-8")
				if forms == "both" {
					raw = []byte(head("typed", "") + alternative(part1(utf8Plain, "quoted-printable", plainOf(quoted)), part1(utf8HTML, "quoted-printable", quoted)))
				}
				l := Open(raw, o)
				if !l.NeedsNotice(func(string) bool { return false }) {
					t.Fatalf("%s: it does not ask for the notice", name)
				}
				l.Answering(notice)
				switch said := order.ReadLetter(l.Text, l.FromName); {
				case slices.Equal(l.Orders, half):
					exact++
				case len(l.Orders) == 0 && slices.ContainsFunc(said.Items, func(it order.Item) bool { return it.Doubt == order.DoubtQuoted }):
				default:
					t.Errorf("%s, %s, below %q: %q", name, forms, at, l.Text)
				}
			}
		}
	}
	if n := len(texts) * 8; exact < n*98/100 {
		t.Errorf("%d of %d exactly", exact, n)
	} else {
		t.Logf("%d of %d exactly", exact, n)
	}
	for name, quoted := range quotedBy(html + divs(turn...)) {
		if l := Read(mailOf(quoted, fromAnna, "Content-Type: text/html; charset=utf-8"), o); !slices.Equal(l.Orders, turn) {
			t.Errorf("%s, at its end: %q", name, l.Text)
		}
	}
	for name, quoted := range quotedBy(intoQuotation(html, texts[3], "Nice one!", half[0], "hold on, not yet", half[1])) {
		if l := Read(mailOf(quoted, fromAnna, "Content-Type: text/html; charset=utf-8"), o); !slices.Contains(l.Text, "hold on, not yet") {
			t.Errorf("%s: what the author says beside orders is lost: %q", name, l.Text)
		}
	}
}

// plainOf is the plain text that programs make of HTML, with marks.
func plainOf(html string) string {
	var b strings.Builder
	for _, l := range htmlLines(html) {
		b.WriteString(strings.Repeat("> ", l.depth) + l.text + "\n")
	}
	return b.String()
}

// The author's earlier letter is not played again, in any place of its orders and any flattened
// form of its quotation; nor are lines next to changes of the notice.
func TestEarlierLettersAreNotTyped(t *testing.T) {
	plain, parts := noticeParts(t)
	html := strings.Join(parts[:], "")
	notice := NewNotice(readFile(t, "testdata/notice.txt"), HTMLText(readFile(t, "testdata/notice.html")), ShownText(readFile(t, "testdata/notice.html")))
	notice.MessageID = "n4@play.example"
	o := Options{Notice: notice, Says: order.Says}
	ours := "On Sat, 21 Nov 2026 at 08:12, Angelpost <" + server + "> wrote:\n"
	mine := "On Sun, 22 Nov 2026 at 09:00, Anna Berg <anna@example.org> wrote:\n"
	typed := plain[0] + "\n" + half[0] + "\n\n" + plain[1] + "\n" + half[1] + "\n\n" + plain[2]
	for name, body := range map[string]string{
		"above the notice":            mine + prefix("> ", lines(half...)+"\n"+ours+prefix("> ", strings.Join(plain[:], ""))),
		"above the notice, flattened": mine + prefix("> ", lines(half...)+"\n"+ours+strings.Join(plain[:], "")),
		"within it":                   mine + prefix("> ", ours+prefix("> ", typed)),
		"within it, flattened":        mine + prefix("> ", ours+typed),
		"flattened, no introductions": prefix("> ", typed),
		"below it, flattened":         mine + prefix("> ", ours+strings.Join(plain[:], "")+lines(half...)),
	} {
		answers := "In-Reply-To: <n4@play.example>"
		if strings.Contains(name, "no intro") {
			answers = "In-Reply-To: <own-letter@example.org>"
		}
		if l := Read(mailOf("status\n\n"+body, fromAnna, answers), o); !slices.Equal(l.Orders, []string{"status"}) {
			t.Errorf("%s: %q", name, l.Orders)
		}
	}
	for name, quoted := range quotedBy(strings.Replace(html, "Your goods", "Ihre Waren</h2>"+divs(half...)+"<h2>", 1)) {
		if l := Read(mailOf(quoted, fromAnna, "Content-Type: text/html; charset=utf-8"), o); len(l.Orders) > 0 {
			t.Errorf("%s: beside a changed line: %q", name, l.Orders)
		}
	}
	for name, quoted := range quotedBy(strings.ReplaceAll(html, "| ", "")) {
		if l := Read(mailOf(quoted, fromAnna, "Content-Type: text/html; charset=utf-8"), o); len(l.Orders) > 0 {
			t.Errorf("%s: bars lost: %q", name, l.Orders)
		}
	}
}

// After a bar an order is offered, unless the lines are the notice's list.
func TestBehindBars(t *testing.T) {
	for _, tt := range []struct {
		body, text string
		unknown    bool // without the notice, too
	}{
		{"| card 013 at row 2\n", "?| card 013 at row 2", true},
		{"│ B\n", "?| B", true},
		{"| command at 4\n| resign\n", "?| command at 4/?| resign", false},
		{"| card 013 at row 2\n| card 013 at row 1\n", "", false},
		{"| card 013 at row 1\n| card 013 at row 2\n", "?| card 013 at row 1/?| card 013 at row 2", false},
		{"| die gray 0 flip and a remark that is so long that it is broken by some clients\n| card 013 at row 1\n", "?| die gray 0 flip and a remark that is so long that it is broken by some clients/?| card 013 at row 1", false},
		{"| legal\n| card 013 at row 1\n", "", true},
		{"| Goods | 3 |\n", "", true},
		{"> | card 013 at row 1\n", "", true},
		{"You have 9 Resources.\n| card 013 at row 2\n", "", false},
		{"B\n-- \nAnna\n| card 013 at row 2\n", "B//>", false},
		{strings.Repeat("| command at 4\n", 30), "", true},
	} {
		for _, notice := range []string{smallNotice, ""} {
			if notice == "" && !tt.unknown {
				continue
			}
			if l := readText1(t, notice, tt.body); strings.Join(l.Text, "/") != tt.text || slices.ContainsFunc(l.Orders, barred) {
				t.Errorf("%q, known %v: %q", tt.body, notice != "", l.Text)
			}
		}
	}
}

// The same orders above and below the quotation are read once.
func TestTheSameAboveAndBelow(t *testing.T) {
	plain, _ := noticeParts(t)
	quoted := "On Sat, 21 Nov 2026 at 08:12, Angelpost <" + server + "> wrote:\n" + prefix("> ", strings.Join(plain[:], ""))
	for _, tt := range []struct {
		above, below []string
		want         []string
	}{
		{turn, turn, turn},
		{turn, []string{"CARD 013 at row 2.", turn[1], turn[2], turn[3], turn[4]}, turn},
		{[]string{"B", "", "Thanks,", "Anna"}, []string{"B"}, []string{"B"}},
		{[]string{"B"}, []string{"", "B", "", "Best regards,", "Anna Berg"}, []string{"B"}},
		{half[:1], half[1:], half},
		{half, half[:1], []string{half[0], half[1], half[0]}},
	} {
		for _, o := range []Options{{Says: order.Says}, {Says: order.Says, Notice: NewNotice(readFile(t, "testdata/notice.txt"))}} {
			l := Read(mailOf(lines(tt.above...)+"\n"+quoted+"\n"+lines(tt.below...), "From: Anna Berg <anna@example.org>"), o)
			if !slices.Equal(l.Orders, tt.want) {
				t.Errorf("%q above, %q below: %q", tt.above, tt.below, l.Orders)
			}
		}
	}
}

// An order that a program broke is read as one; what only looks like it is left.
func TestBrokenOrders(t *testing.T) {
	long := "card 013 at row 2: 2.1, 2.3 resource; die gray 0 flip: command; launch to b4"
	for _, tt := range []struct{ body, want string }{
		{long[:70] + "\n" + long[70:], long},
		{"always reserve orange 3, gray 2, green 1, orange 2, gray 3, green 2 leaving\n1", "always reserve orange 3, gray 2, green 1, orange 2, gray 3, green 2 leaving 1"},
		{"card 013 at row 2: 2.1, 2.3 resource; die gray 0 flip: command; laun\nch to b4", long},
		{"I would like to play this turn now, if you please: card 013 at row 2\nthank you", ""},
		{"say: good luck to all of you, and let us see who of us gets to the\nB side", ""},
		{strings.Repeat("x", 70) + "\nB", ""},
	} {
		l := Read(mailOf(tt.body+"\n", fromAnna), Options{Says: order.Says})
		want := []string{tt.want}
		if tt.want == "" {
			want = strings.Split(tt.body, "\n")
		}
		if !slices.Equal(l.Text, want) {
			t.Errorf("%q: %q", tt.body, l.Text)
		}
	}
}
