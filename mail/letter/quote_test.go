package letter

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/incoming"
)

const smallNotice = `Your turn, Anna: this sentence is long enough that a client may break it.
Short
| example
| card 013 at row 2
| end
| legal
| card 013 at row 1
| die gray 0 flip and a remark that is so long that it is broken by some clients
| end
done
You have 9 Resources.
+---+---+
`

func readText1(t *testing.T, notice, body string) *Letter {
	t.Helper()
	o := Options{}
	if notice != "" {
		o.Notice = NewNotice(notice)
	}
	return Read(mailOf(body, fromAnna, "Content-Type: text/plain; charset=utf-8"), o)
}

func TestNoticeIsQuotation(t *testing.T) {
	tests := []struct {
		name, body string
		orders     []string
		dropped    string // reasons, in order
	}{
		{"a listed line without its bar is an order", "card 013 at row 2\n", []string{"card 013 at row 2"}, ""},
		{"with it, it is not", "| card 013 at row 2\n", nil, "bar"},
		{"a bar of another kind is one", "│ card 013 at row 2\n¦ card 013 at row 1\n", nil, "bar bar"},
		{"a bar in the middle is one", "card 013 | at row 2\n", nil, "bar"},
		{"a barred line that the notice does not have", "| command at 4\nB\n", []string{"B"}, "bar"},
		{"a sentence of the notice", "You have 9 Resources.\nB\n", []string{"B"}, "notice"},
		{"in other spelling", "  YOU have   9\u00a0resources\nB\n", []string{"B"}, "notice"},
		{"broken anew", "Your turn, Anna: this sentence is\nlong enough that a client may\nbreak it.\nB\n", []string{"B"}, "notice notice notice"},
		{"joined", "You have 9 Resources. +---+---+\nB\n", []string{"B"}, "notice"},
		{"a part of a sentence is not", "this sentence is long\n", []string{"this sentence is long"}, ""},
		{"its beginning alone is not", "Your turn, Anna\n", []string{"Your turn, Anna"}, ""},
		{"the rest of a broken barred line", "B\n\n> | die gray 0 flip and a remark that is so\nlong that it is broken by some clients\n", []string{"B"}, "quote notice"},
		{"the rest of it, unmarked", "B\n| die gray 0 flip and a remark that is so\nlong that it is broken by some clients\n", []string{"B"}, "notice notice"},
		{"the rest of a line cut in quotation", "> a client\nmay break it.\nB\n", []string{"may break it.", "B"}, "quote"},
		{"the same with enough before it", "> enough that a client\nmay break it.\nB\n", []string{"B"}, "quote notice"},
		{"a short order that reads like a line of the notice", "done\n", []string{"done"}, ""},
		{"the short line beside its neighbour", "done\nYou have 9 Resources.\nB\n", []string{"B"}, "notice notice"},
		{"fences are never orders", "| example\n| card 013 at row 2\n| end\n", nil, "bar bar bar"},
		{"fences without bars", "example\nB\nEnd\nlegal\n", []string{"B", "legal"}, "notice notice"},
		{"rules and boards", "B\n+---+---+\n-----\n", []string{"B"}, "notice footer"},
		{"between quoted lines", "> | legal\n> | card 013 at row 1\ncard 013 at row 1\n> | end\ndone\n", []string{"card 013 at row 1", "done"}, "quote quote quote"},
		{"orders above, what a client made of the notice below", "B\n\nFrom: x\nSent: y\nTo: z\n\nYou have 9 Resources.\nDu hast neun\nYour turn Anna\nWas du tun kannst\n", []string{"B"}, "quote quote quote quote quote quote quote"},
		{"a signature with a listed line", "B\n-- \nAnna\n| card 013 at row 2\nresign\n", []string{"B"}, "signature signature bar signature"},
		{"a mark behind an invisible character", "\x01> resign\nB\n", []string{"B"}, "quote"},
		{"nested marks", ">> | legal\n> > old\n>>> x\nB\n", []string{"B"}, "quote quote quote"},
		{"marks behind spaces", "  > | legal\nB\n", []string{"B"}, "quote"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := readText1(t, smallNotice, tt.body)
			var whys []string
			for _, d := range l.Dropped {
				whys = append(whys, string(d.Why))
			}
			if !reflect.DeepEqual(l.Orders, tt.orders) || strings.Join(whys, " ") != tt.dropped {
				t.Errorf("orders %q, dropped %v\nwant   %q, %s", l.Orders, l.Dropped, tt.orders, tt.dropped)
			}
		})
	}
}

// Whatever line of the notice comes back as it is, in whatever order, it is
// never an order.
func TestNoticeLinesNeverOrders(t *testing.T) {
	notice := readFile(t, "testdata/notice.txt")
	for _, l := range strings.Split(strings.TrimSpace(notice), "\n") {
		if len(words(l)) < 3 && !barred(l) {
			continue // a word or two alone may be an order
		}
		got := readText1(t, notice, "status\n\n"+l+"\n\nlegal\n")
		if want := []string{"status", "legal"}; !reflect.DeepEqual(got.Orders, want) {
			t.Errorf("%q: orders %q", l, got.Orders)
		}
	}
}

// No order that the notice lists is lost when the player writes it bare.
func TestListedOrdersAreNotLost(t *testing.T) {
	notice := readFile(t, "testdata/notice.txt")
	n := 0
	for _, l := range strings.Split(notice, "\n") {
		if bare, ok := strings.CutPrefix(l, "| "); ok && bare != "example" && bare != "end" {
			n++
			for _, body := range []string{bare + "\n", bare + "\n\n" + notice, "> " + l + "\n" + bare + "\n> | end\n", notice + "\n" + bare + "\n"} {
				if got := readText1(t, notice, body); !reflect.DeepEqual(got.Orders, []string{bare}) {
					t.Errorf("%q: orders %q of\n%s", bare, got.Orders, body)
				}
			}
		}
	}
	if n < 10 {
		t.Fatalf("only %d lines tried", n)
	}
}

func TestBarredOnly(t *testing.T) {
	tests := []struct {
		name, body string
		want       bool
	}{
		{"barred", "| card 013 at row 2\n", true},
		{"barred, and thanks", "| card 013 at row 2\nThanks,\nAnna\n", true},
		{"barred, and an order", "| card 013 at row 2\nB\n", false},
		{"barred, and press", "| card 013 at row 2\nsay: hello\n", false},
		{"barred in quotation", "> | card 013 at row 2\n", false},
		{"the notice, unmarked", smallNotice, false},
		{"nothing", "\n", false},
	}
	for _, tt := range tests {
		if l := readText1(t, smallNotice, tt.body); l.BarredOnly != tt.want {
			t.Errorf("%s: %v, %s %q %v", tt.name, l.BarredOnly, l.Kind, l.Orders, l.Dropped)
		}
	}
}

func TestQuotedChoices(t *testing.T) {
	l := readText1(t, smallNotice, "> | legal\n> card 013 at row 1\n> | end\n> You have 9 Resources.\n")
	if l.Kind != incoming.Empty || !reflect.DeepEqual(l.QuotedChoices, []string{"card 013 at row 1"}) {
		t.Errorf("%s %q", l.Kind, l.QuotedChoices)
	}
	if l := readText1(t, smallNotice, "> card 013 at row 1\nB\n"); l.QuotedChoices != nil || l.Kind != incoming.Orders {
		t.Errorf("%s %q", l.Kind, l.QuotedChoices)
	}
}

func TestPress(t *testing.T) {
	tests := []struct {
		name, body string
		orders     []string
		press      []incoming.Press
	}{
		{"to all", "say: hello\n", nil, []incoming.Press{{Text: "hello"}}},
		{"to one", "Say to Bob: hello\n", nil, []incoming.Press{{To: "Bob", Text: "hello"}}},
		{"up to an empty line", "say to Bob the Bold: hello,\nmy friend\n\nB\n", []string{"B"}, []incoming.Press{{To: "Bob the Bold", Text: "hello,\nmy friend"}}},
		{"text below", "say:\nhello\n\nB\n", []string{"B"}, []incoming.Press{{Text: "hello"}}},
		{"two", "say: a\nsay to Bob: b\n", nil, []incoming.Press{{Text: "a"}, {To: "Bob", Text: "b"}}},
		{"its punctuation is kept", "say: a | b\n:-)\nThanks!\n\nB\n", []string{"B"}, []incoming.Press{{Text: "a | b\n:-)\nThanks!"}}},
		{"ends with quotation", "say: hello\n> | legal\nB\n", []string{"B"}, []incoming.Press{{Text: "hello"}}},
		{"ends with the signature", "B\nsay: hello\n-- \nAnna\n", []string{"B"}, []incoming.Press{{Text: "hello"}}},
		{"ends with a footer", "say: hello\nSent from my iPhone\n", nil, []incoming.Press{{Text: "hello"}}},
		{"ends before a listed line", "say: hello\n| card 013 at row 2\nB\n", []string{"B"}, []incoming.Press{{Text: "hello"}}},
		{"may sound like small print", "say to Bob:\nThis message is confidential, and intended for you alone.\n\nB\n", []string{"B"}, []incoming.Press{{To: "Bob", Text: "This message is confidential, and intended for you alone."}}},
		{"ends before a barred line", "say: hello\n| not listed\nB\n", []string{"B"}, []incoming.Press{{Text: "hello"}}},
		{"is no order", "sayonara\n", []string{"sayonara"}, nil},
		{"needs its colon", "say hello\n", []string{"say hello"}, nil},
		{"notes are orders", "note: he bluffs\n", []string{"note: he bluffs"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := readText1(t, smallNotice, tt.body)
			if !reflect.DeepEqual(l.Orders, tt.orders) || !reflect.DeepEqual(l.Press, tt.press) || l.Kind != incoming.Orders {
				t.Errorf("%s %q %q, want %q %q", l.Kind, l.Orders, l.Press, tt.orders, tt.press)
			}
		})
	}
}

// Greetings, closings and names are not orders.
func TestClosings(t *testing.T) {
	for _, s := range []string{
		"Hi Angelpost,", "Hello", "Dear all,", "Thanks", "Thanks, Anna", "Thank you!", "Best regards,", "Cheers", "Anna", "anna berg", "Viele Grüße", "Kind regards, Anna Berg",
		"Angelpost writes:\n> | legal", "Angelpost <a@play.example> wrote:\n> | legal", "2026-11-21 07:12 GMT+00:00 Angelpost:\n> | legal",
		"On Nov 21, 2026, 8:12 AM +0100, Angelpost <a@play.example>, wrote:\n> | legal",
		"Angelpost wrote on 21.11.2026\n07:12:\n> | legal",
		"----- Original Message -----\nFrom: x\nB", "-----Ursprüngliche Nachricht-----\nB", "---------- Forwarded message ---------\nB",
		"From: Angelpost\nSent: Saturday\nTo: Anna\nSubject: x\n\nB", "[EXTERNAL]", "Sent from Mail for Windows", "Von meinem iPhone gesendet", "Envoyé de mon iPhone",
	} {
		l := Read(mailOf("status\n\n"+s+"\n", "From: Anna Berg <anna@example.org>"), Options{})
		if !reflect.DeepEqual(l.Orders, []string{"status"}) {
			t.Errorf("%q: orders %q, dropped %v", s, l.Orders, l.Dropped)
		}
	}
}

// What looks a little like a client's words but is the player's stays theirs.
func TestNotDropped(t *testing.T) {
	for _, s := range []string{
		"players: bob@example.org, carla@example.org, bot", "name: On the way", "rules: base", "visibility: private",
		"launch to b4", "card 013 at row 2: 2.1, 2.3 resource", "B", "keep 031 # sent along", "address add anna@work.example",
		"help greeting", "hi", "history 12", "note: from: to: subject:", "--- my turn ---", "note: he wrote:", "- card 013 at row 2", "• die gray 0", "1. card 013",
		"on hold", "rules 5.4", "new game", "die gray 0 flip: command", "replace Bob by bob@example.org", "name Anna B.", "from 3",
	} {
		if l := readText1(t, smallNotice, s+"\n"); !reflect.DeepEqual(l.Orders, []string{s}) {
			t.Errorf("%q: orders %q, dropped %v", s, l.Orders, l.Dropped)
		}
	}
	for _, ls := range [][]string{{"from: c4", "to: b5"}, {"to: b4", "subject: x", "date: y"}} { // no header blocks
		if l := readText1(t, "", strings.Join(ls, "\n")); !reflect.DeepEqual(l.Orders, ls) {
			t.Errorf("%q: orders %q, dropped %v", ls, l.Orders, l.Dropped)
		}
	}
	// A letter that starts a game looks like a header block, nearly.
	game := []string{"new game", "name: The Long Way Home", "players: bob@example.org, bot", "rules: base", "visibility: listed", "edition: revised"}
	if l := readText1(t, "", strings.Join(game, "\n")); !reflect.DeepEqual(l.Orders, game) {
		t.Errorf("orders %q, dropped %v", l.Orders, l.Dropped)
	}
}

func TestCleaning(t *testing.T) {
	for in, want := range map[string]string{
		"  card\u00a0013\tat   row 2  ": "card 013 at row 2",
		"\ufeffdie \u200bgray 0":        "die gray 0",
		"*card 013 at row 2*":           "card 013 at row 2",
		"**B**":                         "B",
		"lau\u00adnch to b4":            "launch to b4",
		"note: Gru\u0308ße \u202eevil":  "note: Grüße evil",
		"card 013 – “at” row 2…":        "card 013 – “at” row 2…",
		"activate 2.1 \x07resource\x1b": "activate 2.1 resource",
	} {
		if l := readText1(t, "", in+"\n"); len(l.Orders) != 1 || l.Orders[0] != want {
			t.Errorf("%q: %q, want %q", in, l.Orders, want)
		}
	}
}

func TestFlowed(t *testing.T) {
	read := func(params, body string) *Letter {
		return Read(mailOf(body, fromAnna, "Content-Type: text/plain; charset=utf-8; "+params), Options{})
	}
	l := read("format=flowed", "> quoted \n> and more \nstatus\n>not\nnote: one \ntwo\n -- stuffed\n-- \nAnna \nBerg\n")
	if want := []string{"status", "note: one two", "-- stuffed"}; !reflect.DeepEqual(l.Orders, want) {
		t.Errorf("orders %q, want %q", l.Orders, want)
	}
	l = read("format=flowed", "note: one \n-- \nAnna\n")
	if want := []string{"note: one"}; !reflect.DeepEqual(l.Orders, want) {
		t.Errorf("a soft break before the signature: orders %q, want %q", l.Orders, want)
	}
	l = read("format=flowed; delsp=yes", "note: one  \ntwo wo \nrd\n")
	if want := []string{"note: one two word"}; !reflect.DeepEqual(l.Orders, want) {
		t.Errorf("DelSp: orders %q, want %q", l.Orders, want)
	}
	l = read("x=y", "note: one \ntwo\n")
	if want := []string{"note: one", "two"}; !reflect.DeepEqual(l.Orders, want) {
		t.Errorf("not flowed: orders %q, want %q", l.Orders, want)
	}
}

func TestHTML(t *testing.T) {
	tests := []struct{ name, html, want string }{
		{"div", "<div>a</div><div>b</div>", "a/b"},
		{"br", "a<br>b<br/><br>c", "a/b//c"},
		{"paragraphs", "<p>a</p><p>b</p>", "a//b/"},
		{"Outlook's paragraphs", `<p class="MsoNormal">a</p><p class="MsoNormal">&nbsp;</p><p style="margin:0">b</p>`, "a//b"},
		{"list", "<ul><li>a</li><li><p>b</p></li></ul>", "a/b"},
		{"table", "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b/c"},
		{"white space", "  a\n  b <b>c</b> d  ", "a b c d"},
		{"pre", "<pre>a\n\nb</pre>", "a//b"},
		{"entities", "&#124;&nbsp;a &lt;b&gt;", "| a <b>"},
		{"not shown", "<style>x</style><script>y</script><div style='display:none'>z</div>a<!-- b -->", "a"},
		{"not closed", "<div><b>a<div>b", "a/b"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		if got := strings.ReplaceAll(strings.TrimSuffix(joined(htmlLines(tt.html)), "\n"), "\n", "/"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if got, want := HTMLText(`<html><head><title>a</title></head><body><div style="display:none">b</div>c<img alt="D e">`), "a\nb\nc d e\n"; got != want {
		t.Errorf("everything: %q, want %q", got, want)
	}
	indented := Read(mailOf(`<div>status</div><blockquote style="margin:0 0 0 40px;border:none;padding:0px"><div>legal</div></blockquote>`, fromAnna, "Content-Type: text/html"), Options{})
	if !reflect.DeepEqual(indented.Orders, []string{"status", "legal"}) {
		t.Errorf("indented text: %q", indented.Orders)
	}
}

func TestParseNotice(t *testing.T) {
	sent := "From: angelpost@play.example\r\nDate: Sat, 21 Nov 2026 07:12:00 +0000\r\n" + strings.ReplaceAll(alternative(
		part1(utf8Plain, "quoted-printable", readFile(t, "testdata/notice.txt")), part1(utf8HTML, "base64", readFile(t, "testdata/notice.html"))), "\n", "\r\n")
	for name, n := range map[string]*Notice{
		"letter": ParseNotice([]byte(sent)),
		"text":   ParseNotice([]byte(readFile(t, "testdata/notice.txt"))),
	} {
		l := Read(mailOf("Remove the bar from a line to use it.\nB\n", fromAnna), Options{Notice: n})
		if !reflect.DeepEqual(l.Orders, []string{"B"}) {
			t.Errorf("%s: orders %q", name, l.Orders)
		}
	}
}

func TestNeedsNotice(t *testing.T) {
	isOrder := func(line string) bool { return slices.Contains(turn, line) }
	orders, quoted := lines(turn...), prefix("> ", smallNotice)
	tests := []struct {
		name, body string
		want       bool
	}{
		{"orders", orders, false},
		{"orders above quotation", orders + "\nOn Saturday Angelpost wrote:\n" + quoted, false},
		{"orders below quotation", quoted + "\n" + orders, false},
		{"orders between quotation", quoted + "\n" + orders + "\n" + quoted, false},
		{"orders just below quotation: the end of a broken line?", quoted + orders, true},
		{"orders above quotation without marks", orders + "\nOn Saturday Angelpost wrote:\n\n" + smallNotice, true},
		{"the notice, unmarked", smallNotice, true},
		{"orders, and thanks", orders + "\nThanks,\nAnna\n", true},
		{"orders, and a bar", orders + "| done\n", true},
		{"nothing but quotation", quoted, true},
	}
	for _, tt := range tests {
		l := Open(mailOf(tt.body, fromAnna), Options{})
		if got := l.NeedsNotice(isOrder); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	if Open(mailOf(smallNotice, fromAnna, "Auto-Submitted: auto-replied"), Options{}).NeedsNotice(isOrder) {
		t.Error("a machine's letter")
	}
}

// The board names the die in use as an order would; players who repeat their turn
// begin with it.
func TestOrderThatNoticeNames(t *testing.T) {
	orders := []string{"die orange 3", "done"}
	known := NewNotice("You have 9 Resources.\ndie orange 3\n\nSpace\n")
	if l := withOrWithout(mailOf(lines(orders...), fromAnna), known, orders); !slices.Equal(l.Orders, orders) {
		t.Errorf("orders %q, dropped %v", l.Orders, l.Dropped)
	}
}

func TestWordless(t *testing.T) {
	pieces := []string{"", " ", "a", "É", "7", "|", "¦", "ǀ", "—", "<https://a.example/b>", "[image: a]", "<b>", "[", ">", "\u0301", "\u200b", "___", "日"}
	for _, a := range pieces {
		for _, b := range pieces {
			for _, c := range pieces {
				if s := a + b + c; wordless(s) != (len(words(s)) == 0) {
					t.Errorf("%q has the words %q", s, words(s))
				}
			}
		}
	}
}

// The end of a quoted line that a program broke in two without a mark is not a new order: if it
// may be an answer, we ask the writer.
func TestTornQuotation(t *testing.T) {
	const long = "> In efficitur augue ac tristique ullamcorper. Aenean tincidunt ornare diam,\n"
	for text, want := range map[string][]string{
		"card 013 at row 2\n\nBob wrote on 21 Nov 2026 08:12:\n" + long + "card 027 at row 1\n> and so on\n": {"card 013 at row 2"},
		"Bob wrote on 21 Nov 2026 08:12:\n" + long + "\ncard 027 at row 1\n\n> and so on\n":                  {"card 027 at row 1"},
		"Bob wrote on 21 Nov 2026 08:12:\n> What now?\ncard 027 at row 1\n> and so on\n":                     {"card 027 at row 1"},
	} {
		l := Read([]byte(head("torn", "")+part1(utf8Plain, "", text)), Options{})
		if !slices.Equal(l.Orders, want) {
			t.Errorf("%q: orders %q, text %q", text, l.Orders, l.Text)
		}
		if torn := slices.Contains(l.Text, Perhaps+"card 027 at row 1"); torn != (len(want) == 1 && want[0] == "card 013 at row 2") {
			t.Errorf("%q: text %q", text, l.Text)
		}
	}
}

// We ask about orders below or within a notice that was forwarded back; those above it are
// played.
func TestForwardedBack(t *testing.T) {
	notice := NewNotice(readFile(t, "testdata/notice.txt"), HTMLText(readFile(t, "testdata/notice.html")))
	plain, _ := noticeParts(t)
	whole := strings.Join(plain[:], "")
	const intro = "---------- Forwarded message ---------\nFrom: Angelpost <" + server + ">\nDate: Sat, 21 Nov 2026 at 08:12\nSubject: The Long Way Home\nTo: Anna Berg <anna@example.org>\n\n"
	for name, c := range map[string]struct {
		text         string
		orders, asks []string
	}{
		"above":      {lines(half...) + "\n" + intro + whole, half, nil},
		"below":      {intro + whole + "\n" + lines(half...), nil, half},
		"within":     {intro + plain[0] + half[0] + "\n" + plain[1] + plain[2] + half[1] + "\n", nil, half},
		"older ones": {intro + whole + "\nOn 20 Nov 2026 at 10:00, Anna Berg <anna@example.org> wrote:\n" + lines(half...), nil, nil},
	} {
		l := Read([]byte(head("back", "")+part1(utf8Plain, "", c.text)), Options{Notice: notice})
		var asks []string
		for _, s := range l.Text {
			if s, ok := strings.CutPrefix(s, Perhaps); ok {
				asks = append(asks, s)
			}
		}
		if !slices.Equal(l.Orders, c.orders) || !slices.Equal(asks, c.asks) {
			t.Errorf("%s: orders %q, asked about %q", name, l.Orders, asks)
		}
	}
}
