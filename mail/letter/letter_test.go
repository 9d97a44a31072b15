package letter

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"angelpost/engine/incoming"
)

var update = flag.Bool("update", false, "write testdata/clients anew")

func testOptions(t testing.TB) Options {
	return Options{
		Address: "angelpost+{token}@play.example",
		Marker:  "Please write above this line.",
		Notice:  NewNotice(readFile(t, "testdata/notice.txt"), HTMLText(readFile(t, "testdata/notice.html")), ShownText(readFile(t, "testdata/notice.html"))),
	}
}

// golden is the form of the readings next to the letters, as in web/API.md.
type golden struct {
	Kind      incoming.Class `json:"kind"`
	Answer    bool           `json:"answer"`
	From      string         `json:"from"`
	MessageID string         `json:"message_id"`
	Token     string         `json:"token"`
	Orders    []string       `json:"orders"`
	Press     []jsonLine     `json:"press,omitempty"`
	Dropped   []jsonLine     `json:"dropped,omitempty"`
}

type jsonLine struct {
	To   string `json:"to,omitempty"`
	Text string `json:"text,omitempty"`
	Line string `json:"line,omitempty"`
	Why  Why    `json:"why,omitempty"`
}

func goldenOf(l *Letter) golden {
	g := golden{Kind: l.Kind, Answer: l.Answer, From: l.From, MessageID: l.MessageID, Token: l.Token, Orders: l.Orders}
	for _, p := range l.Press {
		g.Press = append(g.Press, jsonLine{To: p.To, Text: p.Text})
	}
	for _, d := range l.Dropped {
		g.Dropped = append(g.Dropped, jsonLine{Line: d.Line, Why: d.Why})
	}
	return g
}

// The replies of the usual clients are read as their writers meant them; clients() writes the
// files, and the expected readings are next to them.
func TestClients(t *testing.T) {
	o := testOptions(t)
	names := map[string]bool{}
	for _, e := range clients(t) {
		t.Run(e.name, func(t *testing.T) {
			names[e.name+".eml"] = true
			file := filepath.Join("testdata/clients", e.name+".eml")
			l := Read([]byte(e.raw), o)
			g := encode(t, goldenOf(l))
			if *update {
				write(t, file, e.raw)
				write(t, strings.TrimSuffix(file, ".eml")+".json", g)
			}
			want := e.kind
			if want == "" {
				want = incoming.Orders
			}
			if l.Kind != want || !reflect.DeepEqual(l.Orders, e.orders) || !reflect.DeepEqual(l.Press, e.press) || l.BarredOnly != e.barred {
				t.Errorf("read %s %q %q barred only %v\nwant %s %q %q %v\n%s", l.Kind, l.Orders, l.Press, l.BarredOnly, want, e.orders, e.press, e.barred, g)
			}
			if l.From != "anna@example.org" || l.Token != token || l.MessageID != e.name+"@example.org" || !l.Answer {
				t.Errorf("From %q, token %q, Message-ID %q, answer %v", l.From, l.Token, l.MessageID, l.Answer)
			}
			if got := readFile(t, file); got != e.raw {
				t.Errorf("%s differs from what clients() writes; -update writes it anew", file)
			}
			if got := readFile(t, strings.TrimSuffix(file, ".eml")+".json"); got != g {
				t.Errorf("the reading differs from the one beside %s:\n%s", file, g)
			}
		})
	}
	files, err := filepath.Glob("testdata/clients/*.eml")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !names[filepath.Base(f)] {
			t.Errorf("%s is written by no client", f)
		}
	}
}

func encode(t *testing.T, v any) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func write(t *testing.T, name, s string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(s), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Without the notice, the clients' own marks suffice if no one writes into quotation whose end
// is not marked.
func TestClientsWithoutNotice(t *testing.T) {
	o := testOptions(t)
	o.Notice = nil
	// These need the notice: they quote without any mark, or the player wrote
	// between or below lines that nothing but the notice tells from theirs.
	needs := map[string]bool{
		"bare-unmarked-above":    true,
		"outlook-desktop-inline": true, "outlook-desktop-inline-html-only": true, "outlook-web-inline-html-only": true,
		"outlook-desktop-bottom": true, "outlook-web-bottom": true, "outlook-web-inline": true, "yahoo-bottom": true, "yahoo-inline": true,
		"yahoo-inline-html-only": true, "samsung-cut-bottom": true, "gmail-plain-mode-top": true, "gmail-plain-mode-inline": true,
	}
	for _, e := range clients(t) {
		l := Read([]byte(e.raw), o)
		if right := reflect.DeepEqual(l.Orders, e.orders); right == needs[e.name] {
			t.Errorf("%s: read %q without the notice, right: %v", e.name, l.Orders, right)
		}
	}
}

// A style is how someone answers.
type style struct {
	name    string
	forward bool   // instead of a reply
	top     bool   // above the quotation, wherever the cursor stands
	at      string // what is written below the first quoted line that has this; "": all at once
	orders  []string
}

var answerStyles = []style{
	{name: "quick", orders: turn},
	{name: "top", top: true, orders: turn},
	{name: "inline", at: "Your goods", orders: half[1:]},
	{name: "forward", forward: true, top: true, orders: turn},
}

// programTongues are the languages of the programs, as locales.
var programTongues = []struct{ name, locale string }{{"en", "en_US"}, {"de", "de_DE"}}

// Replies that Claws Mail, Thunderbird and Roundcube wrote; testdata/real/STEPS.md says how,
// and make test-clients writes some of them again.
func TestRealReplies(t *testing.T) {
	o := testOptions(t)
	thanks := incoming.Press{To: "Bob", Text: "thank you for the die, it will be of great use to me, and to the whole of the expedition\ngood luck"}
	type reply struct {
		file   string
		orders []string
		press  []incoming.Press
		quoted []string
	}
	tests := []reply{
		{"claws-bottom", turn, nil, nil},
		{"claws-top", turn, nil, nil},
		{"claws-inline", half, nil, nil},
		{"claws-bar-taken-away", []string{"card 013 at row 1"}, nil, nil},
		{"claws-press", []string{"B"}, []incoming.Press{{To: "Bob", Text: "good\nluck"}}, nil},
		{"claws-nothing-added", nil, nil, nil},
		{"thunderbird-bottom", turn, nil, nil},
		{"thunderbird-top", turn, nil, nil},
		{"thunderbird-inline", half, nil, nil},
		{"thunderbird-plain-bottom", turn, []incoming.Press{thanks}, nil},
		{"thunderbird-bar-taken-away", nil, nil, []string{"die gray 0"}},
	}
	for _, program := range []string{"claws", "roundcube", "thunderbird"} {
		for _, tongue := range programTongues {
			for _, s := range answerStyles {
				tests = append(tests, reply{program + "-" + tongue.name + "-" + s.name, s.orders, nil, nil})
			}
		}
	}
	files, err := filepath.Glob("testdata/real/*.eml")
	if err != nil || len(files) != len(tests) {
		t.Fatalf("%d files, %d tests, %v", len(files), len(tests), err)
	}
	for _, tt := range tests {
		raw := readFile(t, "testdata/real/"+tt.file+".eml")
		letters := map[string]string{"": raw}
		if head, html, ok := strings.Cut(raw, "Content-Type: text/html"); ok && strings.Contains(head, "multipart/alternative") {
			head, _, _ = strings.Cut(head, "\r\n\r\n")
			html, _, _ = strings.Cut(html, "\r\n------")
			letters[", HTML alone"] = strings.Replace(head, "Content-Type: multipart", "X-Was: multipart", 1) + "\r\nContent-Type: text/html" + html
		}
		for form, raw := range letters {
			for name, n := range map[string]*Notice{"": o.Notice, " without the notice": nil} {
				l := Read([]byte(raw), Options{Address: o.Address, Notice: n})
				if !reflect.DeepEqual(l.Orders, tt.orders) || !reflect.DeepEqual(l.Press, tt.press) || (l.Kind == incoming.Empty) != (len(tt.orders)+len(tt.press) == 0) {
					t.Errorf("%s%s%s: %s %q %q, want %q %q", tt.file, form, name, l.Kind, l.Orders, l.Press, tt.orders, tt.press)
				}
				if n != nil && !reflect.DeepEqual(l.QuotedChoices, tt.quoted) {
					t.Errorf("%s%s: quoted choices %q, want %q", tt.file, form, l.QuotedChoices, tt.quoted)
				}
				if l.Token != token || l.From != "anna@example.org" || l.InReplyTo != "n4@play.example" && !strings.Contains(tt.file, "forward") {
					t.Errorf("%s%s: token %q, From %q, In-Reply-To %q", tt.file, form, l.Token, l.From, l.InReplyTo)
				}
			}
		}
	}
}
