package letter

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"angelpost/engine/incoming"

	"angelpost/engine/cost"
)

// Broken MIME is read as far as it goes.
func TestBrokenMIME(t *testing.T) {
	tests := []struct {
		name   string
		header []string
		body   string
		want   string
	}{
		{"illegal quoted-printable", []string{"Content-Transfer-Encoding: quoted-printable"}, "status =ZZ= =\nlegal=3\nnote: =C3=A4=e9", "status =ZZ= legal=3/note: Ã¤é"},
		{"base64 with rubbish in it", []string{"Content-Transfer-Encoding: base64"}, "c3Rh!dHVz\n*Cg==\nfooter of a list\n", "status"},
		{"base64 cut off", []string{"Content-Transfer-Encoding: base64"}, "c3RhdHVzC", "status"},
		{"unknown encoding", []string{"Content-Transfer-Encoding: x-uu"}, "status", "status"},
		{"unknown charset", []string{"Content-Type: text/plain; charset=martian"}, "note: Gr\xfc\xdfe", "note: Grüße"},
		{"charset that lies", []string{"Content-Type: text/plain; charset=us-ascii"}, "note: Grüße", "note: Grüße"},
		{"utf-8 that is not", []string{"Content-Type: text/plain; charset=utf-8"}, "note: Gr\xfc", "note: Gr\uFFFD"},
		{"utf-16", []string{"Content-Type: text/plain; charset=utf-16", "Content-Transfer-Encoding: base64"}, "//5zAHQAYQB0AHUAcwA=", "status"},
		{"koi8-r", []string{"Content-Type: text/plain; charset=koi8-r"}, "note: \xd0\xd2\xc9\xd7\xc5\xd4", "note: привет"},
		{"parameters illegible", []string{"Content-Type: text/plain; charset=\"utf-8; format=flowed;;"}, "status", "status"},
		{"type illegible", []string{"Content-Type: ;;;"}, "status", "status"},
		{"no final boundary", []string{"Content-Type: multipart/mixed; boundary=b"}, "--b\n\nstatus\n", "status"},
		{"no boundary parameter", []string{"Content-Type: multipart/mixed"}, "--bbbb\n\nstatus\n--bbbb--\n", "status"},
		{"boundary never comes", []string{"Content-Type: multipart/mixed; boundary=b"}, "status\n", "status"},
		{"part without a header", []string{"Content-Type: multipart/mixed; boundary=b"}, "--b\nstatus\n--b--\n", "status"},
		{"empty plain part", []string{"Content-Type: multipart/alternative; boundary=b"}, "--b\n\n \n--b\nContent-Type: text/html\n\n<p>status\n--b--\n", "status"},
		{"HTML first", []string{"Content-Type: multipart/alternative; boundary=b"}, "--b\nContent-Type: text/html\n\n<p>legal\n--b\n\nstatus\n--b--\n", "status"},
		{"the same twice", []string{"Content-Type: multipart/mixed; boundary=b"}, "--b\n\nstatus\n--b\nContent-Type: text/html\n\n<p>status\n--b--\n", "status"},
		{"text in two parts", []string{"Content-Type: multipart/mixed; boundary=b"}, "--b\n\nstatus\n--b\nContent-Type: image/png\n\nx\n--b\n\nlegal\n--b--\n", "status/legal"},
		{"a letter attached", []string{"Content-Type: multipart/mixed; boundary=b"}, "--b\n\nstatus\n--b\nContent-Type: message/rfc822\n\nFrom: x@y\n\nresign\n--b--\n", "status"},
		{"old line ends", nil, "status\rlegal\r", "status legal"},
		{"no body", nil, "", ""},
		{"HTML too deep", []string{"Content-Type: text/html"}, strings.Repeat("<div>", 600) + "status", "status"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := Read(mailOf(tt.body, append([]string{fromAnna}, tt.header...)...), Options{})
			if got := strings.Join(l.Orders, "/"); got != tt.want || l.From != "anna@example.org" {
				t.Errorf("%s %q from %q, want %q", l.Kind, got, l.From, tt.want)
			}
		})
	}
	for _, raw := range []string{"", "\n", "x", "From: a@example.org", "From: a@example.org\n", ":\n:\n", "\x00\xff"} {
		if l := Read([]byte(raw), Options{}); l.Kind != incoming.Broken && l.Kind != incoming.Empty {
			t.Errorf("%q: %s", raw, l.Kind)
		}
	}
}

// Beyond a bound nothing is half read: the letter is TooLarge, or what is
// beyond cannot hold orders.
func TestBounds(t *testing.T) {
	deep := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
		}
		return b.String() + "\nstatus\n"
	}
	parts := func(n int) string {
		return strings.Repeat("--b\nContent-Type: image/png\n\nx\n", n) + "--b\n\nstatus\n--b--\n"
	}
	mixed := []string{fromAnna, "Content-Type: multipart/mixed; boundary=b"}
	tests := []struct {
		name   string
		raw    []byte
		kind   incoming.Class
		orders int
	}{
		{"letter", mailOf(strings.Repeat("x\n", MaxBytes/2), fromAnna), incoming.TooLarge, 0},
		{"attachment within it", mailOf("--b\n\nstatus\n--b\nContent-Type: image/png\n\n"+strings.Repeat("x", MaxBytes-MaxHeader)+"\n--b--\n", mixed...), incoming.Orders, 1},
		{"header", mailOf("status\n", fromAnna, "X: "+strings.Repeat("x", MaxHeader)), incoming.TooLarge, 0},
		{"header without an end", []byte("From: a@example.org\nX: " + strings.Repeat("x", MaxHeader)), incoming.TooLarge, 0},
		{"fields", mailOf("status\n", fromAnna, strings.Repeat("X: y\r\n", MaxFields)+"Auto-Submitted: no"), incoming.Orders, 1},
		{"text", mailOf(strings.Repeat(strings.Repeat("x", 998)+"\n", MaxText/999+2), fromAnna), incoming.TooLarge, 0},
		{"decoded text", mailOf(strings.Repeat("QUFB", MaxText/3+1), fromAnna, "Content-Transfer-Encoding: base64"), incoming.TooLarge, 0},
		{"lines", mailOf(strings.Repeat("\n", MaxLines+2)+"status\n", fromAnna), incoming.TooLarge, 0},
		{"lines of HTML", mailOf(strings.Repeat("<br>", MaxLines+2)+"status\n", fromAnna, "Content-Type: text/html"), incoming.TooLarge, 0},
		{"quoted lines within it", mailOf(strings.Repeat("> x\n", MaxLines-10)+"status\n", fromAnna), incoming.Orders, 1},
		{"orders", mailOf(strings.Repeat("status\n", MaxOrders+1), fromAnna), incoming.TooLarge, 0},
		{"orders within it", mailOf(strings.Repeat("status\n", MaxOrders), fromAnna), incoming.Orders, MaxOrders},
		{"a long line", mailOf("status\n\n"+strings.Repeat("word ", 986)+"\n", fromAnna), incoming.Orders, 2},
		{"a line as long as may be", mailOf("note: "+strings.Repeat("x", MaxText-8), fromAnna), incoming.Orders, 1},
		{"a long disclaimer", mailOf("status\n\nThis e-mail is confidential. "+strings.Repeat("word ", 986)+"\n", fromAnna), incoming.Orders, 1},
		{"nesting within it", []byte("From: a@example.org\n" + deep(MaxDepth)), incoming.Orders, 1},
		{"nesting", []byte("From: a@example.org\n" + deep(MaxDepth+1)), incoming.Broken, 0},
		{"much nesting", []byte("From: a@example.org\n" + deep(5000)), incoming.Broken, 0},
		{"parts within it", mailOf(parts(MaxParts-3), mixed...), incoming.Orders, 1},
		{"parts", mailOf(parts(MaxParts), mixed...), incoming.Broken, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := Read(tt.raw, Options{})
			if l.Kind != tt.kind || len(l.Orders) != tt.orders {
				t.Errorf("%s (%s) with %d orders, want %s with %d", l.Kind, l.Reason, len(l.Orders), tt.kind, tt.orders)
			}
			if l.From == "" || !l.Answer {
				t.Errorf("from %q, answer %v", l.From, l.Answer)
			}
		})
	}
	auto := mailOf(strings.Repeat("x\n", MaxBytes/2), fromAnna, "Auto-Submitted: auto-replied")
	if l := Read(auto, Options{}); l.Kind != incoming.Auto || l.Answer {
		t.Errorf("large automatic letter: %s", l.Kind)
	}
	if l := OpenHeader(auto[:MaxHeader], Options{}); l.Kind != incoming.Auto {
		t.Errorf("its header alone: %s", l.Kind)
	}
	person := mailOf("status\n", fromAnna, "To: angelpost+"+token+"@play.example", "Message-ID: <a@b>")
	if l := OpenHeader(person, Options{}); l.Kind != incoming.TooLarge || !l.Answer || l.Token != token || l.MessageID != "a@b" {
		t.Errorf("header of a large letter: %+v", l)
	}
}

// nasty are letters that make careless readers slow.
func nasty() map[string][]byte {
	html := func(s string, n int) []byte {
		return mailOf(strings.Repeat(s, n/len(s)), fromAnna, "Content-Type: text/html")
	}
	flowed := []string{fromAnna, "Content-Type: text/plain; format=flowed"}
	parts := func(typ, s string, n, size int) []byte {
		one := "--b\nContent-Type: " + typ + "\n\n" + strings.Repeat(s, size/len(s)) + "\n"
		return mailOf(strings.Repeat(one, n)+"--b--\n", fromAnna, "Content-Type: multipart/mixed; boundary=b")
	}
	return map[string][]byte{
		"text parts":      parts("text/plain", "a b\n", 3, MaxText-10),
		"flowed parts":    parts("text/plain; format=flowed", "a \n", 3, MaxText/2),
		"html parts":      parts("text/html", "<b><p>", 3, MaxText-10),
		"html links":      parts("text/html", "<a href=x>y</a> ", 3, MaxText-10),
		"small parts":     parts("text/html", "<i>x</i>", 98, MaxText/27),
		"high bytes":      parts("text/plain; charset=windows-1252", "\x80\x80 \x80\n", 3, MaxText/2),
		"entities":        html("&NotEqualTilde; ", MaxText-10),
		"combining":       mailOf(strings.Repeat("a\u0300\u0316", MaxText/5-10), fromAnna),
		"backwards marks": mailOf(strings.Repeat("a"+strings.Repeat("\u0316\u0300", 300), MaxText/1300), fromAnna),
		"press":           mailOf(strings.Repeat("say to Bob: "+strings.Repeat("x", 500)+"\n", 490), fromAnna),
		"attachments":     parts("application/octet-stream\nContent-Transfer-Encoding: base64", "QUFB", 3, 600<<10),
		"reports":         parts("message/delivery-status", "Action: failed\n\n", 3, 600<<10),
		"brackets":        mailOf("> "+strings.Repeat("[", MaxText-10), fromAnna),
		"angles":          mailOf("> "+strings.Repeat("<http", MaxText/5-10), fromAnna),
		"flowed":          mailOf(strings.Repeat("x \n", MaxText/4), flowed...),
		"quote marks":     mailOf(strings.Repeat(">", MaxText-10), fromAnna),
		"attributions":    mailOf(strings.Repeat("On 2026 @\n", MaxLines-10), fromAnna),
		"header blocks":   mailOf(strings.Repeat("From: x\n", MaxLines-10), fromAnna),
		"disclaimers":     mailOf(strings.Repeat("This e-mail is\n", MaxLines-10), fromAnna),
		"sent from":       mailOf(strings.Repeat("von mein \n", MaxLines-10), fromAnna),
		"bars":            mailOf(strings.Repeat("> | card\nx\n", MaxLines/2-10), fromAnna),
		"words":           mailOf(strings.Repeat("> Bob\nBob\n", MaxLines/2-10), fromAnna),
		"one line":        mailOf(strings.Repeat("a ", MaxText/2-10), fromAnna),
		"html bold":       html("<b>", MaxText/2),
		"html misnested":  html("<b><p>", MaxText/2),
		"html tables":     html("<table><td>", MaxText/2),
		"html quotes":     html(`<div class="gmail_quote">x</div>`, MaxText/2),
		"html deep":       html(`<div class="gmail_attr">`, 400*24),
		"html attributes": html(`<p class="x" style="y" id="z">`, MaxText/2),
		"html anchors":    html(`<a href=x>`, MaxText/2),
		"html breaks":     html(`<br>`, MaxText/2),
		"html spaces":     html("<i> </i>", MaxText/2),
		"boundaries":      mailOf(strings.Repeat("--b\n", MaxBytes/8), fromAnna, "Content-Type: multipart/mixed; boundary=b"),
		"recipients":      mailOf("x", fromAnna, "To: "+strings.Repeat("a@b,", 15000)),
		"from":            mailOf("x", "From: "+strings.Repeat("(", 60000)),
		"encoded words":   mailOf("x", fromAnna, "Subject: "+strings.Repeat("=?utf-8?q?a?= ", 4000)),
		"authentication":  mailOf("x", fromAnna, "Authentication-Results: x; "+strings.Repeat("dkim=fail (", 5000)),
		"folded":          mailOf("x", fromAnna, "X: "+strings.Repeat("a\r\n ", 15000)),
	}
}

// letters is every letter of the tests: the clients', the nasty ones and those
// in testdata/letters.
func letters(t testing.TB) map[string][]byte {
	all := nasty()
	for _, e := range clients(t) {
		all[e.name] = []byte(e.raw)
	}
	files, err := filepath.Glob("testdata/letters/*.eml")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(f)] = b
	}
	return all
}

// check is what holds for every letter, whatever it is.
func check(t *testing.T, raw []byte, o Options) {
	t.Helper()
	var l *Letter
	cost.Within(t, func() { l = Read(raw, o) })
	if !reflect.DeepEqual(l, Read(raw, o)) {
		t.Error("read twice, two readings")
	}
	switch l.Kind {
	case incoming.Orders:
		if len(l.Orders)+len(l.Press) == 0 {
			t.Error("orders without an order")
		}
	case incoming.Empty, incoming.Auto, incoming.Bounced, incoming.List, incoming.Calendar, incoming.Receipt, incoming.TooLarge, incoming.Broken:
		if len(l.Orders)+len(l.Press) > 0 {
			t.Errorf("%s with orders %q or press %q", l.Kind, l.Orders, l.Press)
		}
	default:
		t.Errorf("kind %q", l.Kind)
	}
	if l.Answer && l.From == "" {
		t.Error("an answer to nobody")
	}
	if l.From != NormalAddress(l.From) {
		t.Errorf("From %q is not normal", l.From)
	}
	if l.Token != "" && !tokenForm.in(l.Token) {
		t.Errorf("token %q", l.Token)
	}
	if len(l.Orders)+len(l.Press) > MaxOrders {
		t.Errorf("%d orders", len(l.Orders))
	}
	for _, s := range l.Orders {
		if s != clean(s) || !utf8.ValidString(s) || barred(s) || !hasWord(s) || strings.HasPrefix(s, ">") {
			t.Errorf("order %q", s)
		}
	}
}

func TestEveryLetter(t *testing.T) {
	o := testOptions(t)
	o.AuthservID = "x"
	for name, raw := range letters(t) {
		t.Run(name, func(t *testing.T) {
			check(t, raw, o)
			// Cut off anywhere, it is still read.
			for i := 0; i < len(raw) && len(raw) < 20_000; i += 1 + len(raw)/50 {
				check(t, raw[:i], o)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	o := testOptions(f)
	o.AuthservID = "x"
	for _, e := range clients(f) {
		f.Add([]byte(e.raw))
	}
	f.Add(mailOf(dsn("failed", "5.1.1"), fromAnna, report))
	f.Fuzz(func(t *testing.T, raw []byte) {
		check(t, raw, o)
		l := Read(raw, Options{})
		if len(raw) < 4096 && l.Kind == incoming.Orders {
			// What no client's mark distinguishes is judged the same when only
			// the way it travelled differs.
			moved := append([]byte("Received: from a by b\r\n"), raw...)
			if m := Read(moved, Options{}); m.Kind == incoming.Orders && m.BodyHash != l.BodyHash {
				t.Errorf("another Received field, another hash")
			}
		}
	})
}

// FuzzGrown reads letters of the largest permitted size: a header, and a few
// octets again and again, plain or in many parts.
func FuzzGrown(f *testing.F) {
	o := testOptions(f)
	o.AuthservID = "x"
	for _, s := range []string{"<b><p>", "> | card\nx\n", "On 2026 @\n", "From: x\n", "von mein \n", "a\u0300\u0316", "=C3=A9=\n", "say to Bob: x\n\n", "--b\n\n<p>", "die gray 2 "} {
		f.Add([]byte("Content-Type: text/html"), []byte(s), uint8(0))
		f.Add([]byte("Content-Transfer-Encoding: quoted-printable"), []byte(s), uint8(3))
		f.Add([]byte("Content-Type: text/plain; format=flowed; charset=utf-7"), []byte(s), uint8(90))
	}
	f.Fuzz(func(t *testing.T, head, piece []byte, parts uint8) {
		if len(piece) == 0 || len(piece)+len(head) > 1<<10 {
			return
		}
		n := 1 + int(parts%MaxParts)
		body := bytes.Repeat(piece, (MaxText-1)/len(piece)/n)
		raw := append([]byte(fromAnna+"\n"), head...)
		if n == 1 {
			raw = append(append(raw, "\n\n"...), body...)
		} else {
			raw = append([]byte(fromAnna+"\nContent-Type: multipart/mixed; boundary=\"=b\"\n"), '\n')
			for range n {
				raw = append(append(append(append(raw, "--=b\n"...), head...), "\n\n"...), body...)
				raw = append(raw, '\n')
			}
		}
		cost.Within(t, func() { Read(raw, o) })
	})
}

// FuzzHeader reads header fields of any kind: there is one author or none, and
// the author is in the field, once.
func FuzzHeader(f *testing.F) {
	for _, s := range []string{
		"From: Anna <anna@example.org>", "From: \"bob@example.org\" <anna@example.org>", "From: a: anna@example.org;", "From: =?utf-8?q?anna=40example.org?= <x@y.example>",
		"From: anna@example.org\r\nFROM : bob@example.org", "From: <@x:anna@example.org>", "From: anna@b\u00fccher.example", "From: \u212Aate@example.org", "From: anna@example.org\rFrom: x@y",
		"To: angelpost+" + token + "@play.example", "Subject: [" + token + "]", "Message-ID: <a b@[1]>", "Authentication-Results: x; dmarc=fail (;", "Date: x", "Content-Type: multipart/mixed; boundary*0=a; boundary*1=b",
	} {
		f.Add(s)
	}
	o := Options{Address: "angelpost+{token}@play.example", AuthservID: "x"}
	f.Fuzz(func(t *testing.T, head string) {
		raw := []byte(head + "\r\n\r\nstatus\r\n")
		check(t, raw, o)
		l := Read(raw, o)
		local, domain, _ := strings.Cut(l.From, "@")
		if l.From != "" && !strings.Contains(strings.ToLower(head), local) {
			t.Errorf("From %q is nowhere in %q", l.From, head)
		}
		if l.From != "" && (NormalAddress(strings.ToUpper(local)+"@"+domain) != l.From || strings.IndexFunc(l.From, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0) {
			t.Errorf("From %q", l.From)
		}
		for _, s := range []string{l.MessageID, l.InReplyTo, l.Subject, l.FromName} {
			if s != clean(s) {
				t.Errorf("%q is not clean", s)
			}
		}
		two := Read(append([]byte("From: bob@example.com\r\n"), raw...), o)
		if l.From != "" && two.From != "" {
			t.Errorf("two authors, and %q is taken for it", two.From)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	o := testOptions(b)
	all := clients(b)
	for _, name := range []string{"gmail-web-top", "outlook-desktop-top-html-only", "thunderbird-inline"} {
		for _, e := range all {
			if e.name != name {
				continue
			}
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(e.raw)))
				for b.Loop() {
					Read([]byte(e.raw), o)
				}
			})
		}
	}
}

// The worst letters within the bounds: what a hostile sender can cost.
func BenchmarkNasty(b *testing.B) {
	o := testOptions(b)
	for name, raw := range nasty() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Read(raw, o)
			}
		})
	}
}
