package letter

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine/incoming"

	"angelpost/engine/cost"
)

// The shapes are what the reader knows a letter to be made of: everything that it searches for
// is in one of these tables. "#" is another number each time.
var (
	// Lines of plain text.
	lineShapes = []string{
		"", " ", "x", "status", "die gray 2", "card #", "a b c d e f g h i j k l m n o p q r s t u v w x y z", strings.Repeat("x", 150), strings.Repeat("2026 ", 30),
		">", "> x", ">>> x", "> | card", "| card", "| die gray 2", "\u200b> x", "¦", "> Bob", "Bob",
		"On 2026 @", "On 2026 x", "On 21 Nov 2026, Bob <b@x> wrote:", "On 2026 @ wrote: x", "Am 21.11.2026 um 10:00 schrieb Bob:", "Bob wrote:", "2026", "10:00 @:", "x:", ":",
		"21.11.2026 08:12 Angelpost <a@b>:", "21.11.2026 anna@example.org", "---- 2026 08:12 a@b ----", "Datum: 2026", "件名：x", "From: x", "To: x", "Subject: x", "Sent: x", "*Von:* x", "From:", "To:", "Cc: a@b, c@d",
		"-----Original Message-----", "----- Nachricht -----", "-----x-----", "---------- Forwarded message ---------", "Begin forwarded message:", "_____", "--x",
		"--", "-- ", "—", "Thanks,", "Hi all,", "Anna Berg", "Anna", "Thanks, Anna Berg",
		"This e-mail is", "This e-mail is confidential and intended for its recipient only.", "confidential", "Sent from my phone", "von mein ", "Get Outlook for iOS", "[External]", "legal notice",
		"say: x", "say to Bob: x", "say", "end", "example", "*x*", "**", "[Anna Berg] x", "_x_",
		"<https://play.example/g>", "[image: x]", "<http", "[", "<", "<>", "[]", "<[", "[mailto:x]", "a\u0300\u0316\u0300", "\u0316\u0300", "é", "ǀ", "\xff", "\u00a0", "x \t ",
		"-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----", "-----BEGIN PGP MESSAGE-----", "Hash: SHA256", "iQEzBAEBCAAd", "=ab12", "- -x", "```", "```text", "`x`", "__x__",
		"C> x", "21 listopada, Angelpost a@b", "status On Wed, Apr 4, 2012, Bob wrote:", "status 4. Apr. 2012 Bob:", "2012-04-04 Bob <a@b>", "From: x <a@b>", "-----", "On 4 Apr 2012", "mailto:Bob <a@b>", "> wrote:", "Sent by: Angelpost", "Please respond to", "ᐧ", "1. status", "| x | y |",
		"~~x~~ y", "x\u0336\u0336", "[ ] status", "? status", "> status", "| status", "> card #", "> Your goods: 9 Resources, 2 Debris, 1 Ship",
	}
	// Those that soft line breaks (RFC 3676) can join.
	flowedShapes = []string{"\n", " \n", "x\n", "x \n", "> x \n", ">> x \n", "> x\n", "-- \n", "> \n", "On 2026 @ \n", "wrote:\n", "say: x \n", strings.Repeat("x ", 60) + "\n"}
	// What HTML is made of.
	htmlShapes = []string{
		"x", " ", "\n", "x\n", "&amp;", "&NotEqualTilde;", "&", "<br>", "<br/>", "</br>", "<hr>", `<hr id=stopspelling>`, "<img alt=x>",
		"<p>", "</p>", "<p>x</p>", "<p class=MsoNormal>", `<p style="margin:0">`, "<div>", "</div>", "<div>x</div>", "<div a# b#=c>", "<h1>", "</h1>",
		"<b>", "</b>", "<b id=#>", "<b><p>", "<a href=#>", "</a>", "<a><div>", "<font color=#>", "<i> </i>", "<span>", "</span>", "<o:p>", "</o:p>", "<nobr>",
		"<table>", "</table>", "<tr>", "<td>", "</td>", "<th>", "<tbody>", "<caption>", "<ul>", "</ul>", "<li>", "</li>", "<dl>", "<dt>", "<dd>",
		"<html a#>", "<head a#>", "<body a#>", "</body>", "<frameset>", "<form>", "<select>", "<option>", "<svg>", "<math>", "<template>", "<object>", "<title>", "</title>", "<style>", "</style>", "<script>", "<textarea>", "</textarea>", "<noscript>", "<plaintext>",
		"<!-- x -->", "<!--", "-->", "<![endif]>", "<?x", "</", "<", ">", "<p ", "</x>", "<x/>",
		"<blockquote>", "</blockquote>", "<blockquote type=cite>", `<blockquote style="margin:0 0 0 40px;border:none">`, "<pre>", "</pre>", "<pre>\n\nx</pre>",
		"<div class=gmail_quote>", "<div class=gmail_attr>", "<div class=gmail_attr>2026:</div>", "<div class=gmail_signature>", "<div class=moz-forward-container>", "<div id=divRplyFwdMsg>", "<div id=appendonsend>", `<div style="border:none;border-top:solid">`, "<div style='display:none'>", "<pre class=moz-signature>",
		"<s>", "</s>", "<del>x</del>", "<style>.x,p.y{text-decoration:line-through;color:red}</style>", "<style>@media x{a{", "<style>/*", "<div class='x y x y'>", "<span style='text-decoration:line-through'>", "<span style='color:#fff;background:#fff'>", "<div style='font-size:0'>", "<input type=checkbox>", "<body bgcolor=#>", "~~x~~", "~~", "x\u0336", "<font color=# size=1>",
	}
	// Parts between the lines of a multipart whose boundary is b.
	partShapes = []string{
		"--b\n", "--b--\n", "--\n", "--x\n", "--bb\n", "x\n", "\n", "x", "X: y\n", "X:\n", " y\n",
		"--b\n\nx\n", "--b\n\n \n", "--b\n\n> x\n", "--b\nContent-Type: text/html\n\n<p>x\n", "--b\nContent-Type: text/html\n\n<br>\n", "--b\nContent-Type: text/plain; format=flowed\n\nx \ny\n",
		"--b\nContent-Type: multipart/mixed; boundary=b#\n\n--b#\n", "--b\nContent-Type: multipart/alternative; boundary=b\n\n", "--b\nContent-Type: multipart/mixed\n\n", "--b\nContent-Type: multipart/signed; boundary=c\n\n--c\n\nx\n", "--c\n\nx\n",
		"--b\nContent-Type: message/rfc822\n\nFrom: x\nMessage-ID: <#>\n\n", "--b\nContent-Type: message/delivery-status\n\nAction: failed\n\n", "Action: failed\nFinal-Recipient: rfc822; a#@b\n\n", "--b\nContent-Type: text/calendar\n\nMETHOD:\n", "--b\nContent-Type: application/pgp-encrypted\n\n",
		"--b\nContent-Transfer-Encoding: base64\n\n", "QUFB\n", "QUFB", "--b\nContent-Transfer-Encoding: quoted-printable\n\n", "=C3=A9", "=\n", "=", "--b\nContent-Type: text/plain; charset=utf-16\n\n", "--b\nContent-Type: text/plain; charset=utf-7\n\n+AGE-", "--b\nContent-Type: text/plain; charset=hz-gb-2312\n\n~{VP~}", "--b\nContent-Type: text/plain; charset=iso-2022-kr\n\n\x0eGQ\x0f", "+AGE-", "~{VP~}", "c3Q=", "--b\nContent-Type: application/ms-tnef\n\n", "--b\nContent-Type: text/x-amp-html\n\n", "--b\nContent-Disposition: attachment\n\n",
	}
	// What the fields that the reader reads are made of.
	fieldShapes = []string{
		"x", " ", "\n ", "\n\t", "x ", "x\n ", ",", ";", ":", "=", "(", ")", "()", "(x;y)", `"`, `"x"`, `\`, "<", ">", "<a@b>", "a#@b,", "@", "[", "]", "[#]", "1", "1 ", ".", "/", "\x80", "é", "\x00", "\r",
		"=?utf-8?q?a?= ", "=?x?q?", "=?x?b?", "?=", "=?utf-8?q?=", ";a#=b", ";boundary*#=b", ";boundary*#*=b", `;a="b"`, "; charset=#", "dkim=fail", "dmarc = pass ", "; dkim=fail (x) header.d=a#.b", "; x", "header.from=a@b ", "Anna <a@b>",
		"angelpost+aaaaaaaaaaaaaaaaaaaaaaaaaa@x, ", "Sat, 21 Nov 2026 07:12:00 +0000 ", "on vacation ", "automatic reply: ", "[Ticket #1] ", "rfc822; ", "failed ",
	}
	fields = []string{
		"From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "Return-Path", "Precedence", "Auto-Submitted", "Received", "List-Id", "X-Failed-Recipients",
		"Authentication-Results", "Content-Type", "Content-Transfer-Encoding", "Content-Disposition", "X-Other",
	}
)

// grown makes about n octets of shapes: the first and the second in turn, or
// half of it the first and then the second.
func grown(a, b string, n int, inTurn bool) string {
	var out strings.Builder
	for i := 0; out.Len() < n; i++ {
		s := a
		if inTurn && i%2 == 1 || !inTurn && out.Len() >= n/2 {
			s = b
		}
		out.WriteString(strings.ReplaceAll(s, "#", strconv.Itoa(i)))
	}
	return out.String()
}

// A medium puts what was grown into a letter. max is how many octets it may be.
type medium struct {
	name   string
	shapes []string
	max    int
	letter func(grown string) []byte
}

func mediums() []medium {
	body := func(fields ...string) func(string) []byte {
		return func(s string) []byte {
			return mailOf(s, append([]string{"From: Anna Berg <anna@example.org>"}, fields...)...)
		}
	}
	var lines []string
	for _, s := range lineShapes {
		lines = append(lines, s+"\n")
	}
	all := []medium{
		{"text", lines, MaxText - 2000, body()},
		{"flowed text", flowedShapes, MaxText - 2000, body("Content-Type: text/plain; format=flowed; delsp=yes")},
		{"HTML", htmlShapes, MaxText - 2000, body("Content-Type: text/html")},
		{"parts", partShapes, MaxText - 2000, body("Content-Type: multipart/mixed; boundary=b")},
		{"alternatives", partShapes, MaxText - 2000, body("Content-Type: multipart/alternative; boundary=b")},
		{"text in base64", []string{"c3RhdHVzCg==\n", "c3RhdHVzCg==", "QUFB\n", "QUFB", "=\n", "=", "x\n", "_\n", "\n"}, MaxText - 2000, body("Content-Transfer-Encoding: base64")},
		{"UTF-7", []string{"+AGE-", "+", "-", "+AGE", "x", "\n", "&", "+2D3cAA-"}, MaxText - 2000, body("Content-Type: text/plain; charset=utf-7")},
		{"HZ", []string{"~{VP~}", "~{", "~}", "~~", "~\n", "VP", "x", "\n"}, MaxText - 2000, body("Content-Type: text/plain; charset=hz-gb-2312")},
		{"ISO-2022-KR", []string{"\x0eGQ\x0f", "\x0e", "\x0f", "\x1b$)C", "x", "\n"}, MaxText - 2000, body("Content-Type: text/plain; charset=iso-2022-kr")},
		{"TNEF", []string{string(record(tnefBody, []byte("status\n"))), string(record(tnefProps, property(0x1F, propBody, []byte("a\x00")))), "x", "\x00", "\x01"}, MaxText - 2000, func(s string) []byte {
			return mailOf("\x78\x9f\x3e\x22\x01\x00"+s, "From: Anna Berg <anna@example.org>", "Content-Type: application/ms-tnef")
		}},
		{"a report", partShapes, MaxText - 2000, body("Content-Type: multipart/report; report-type=delivery-status; boundary=b")},
	}
	for _, f := range fields {
		all = append(all, medium{f, fieldShapes, MaxHeader - 2000, func(s string) []byte {
			return []byte("From: anna@example.org\n" + f + ": " + s + "\n\nstatus\n")
		}})
	}
	return all
}

// through reads a letter in every way in which the server does.
func through(raw []byte, o Options) {
	l := Open(raw, o)
	l.NeedsNotice(func(string) bool { return true })
	l.Answering(o.Notice)
	OpenHeader(raw, o)
}

// octets is how many octets of a letter the reader went through.
func octets(raw []byte, o Options) (n int) {
	looked = func(octets int) { n += octets }
	defer func() { looked = nil }()
	through(raw, o)
	return n
}

// looksLikeOrders takes lines for orders, at no cost.
func looksLikeOrders(lines []string) bool {
	for _, s := range lines {
		if strings.HasPrefix(s, "x") || strings.HasPrefix(s, "card") || strings.HasPrefix(s, "status") {
			return true
		}
	}
	return false
}

// everyPair has TestWorkGrowsAsLettersDo mix each shape with each other, and
// TestLargestLetters try them all: minutes. By default the first mixes a thirteenth of the
// pairs, each shape with itself among them, and the second takes a sixth of the shapes.
var everyPair = flag.Bool("work.pairs", false, "mix every shape with every other, and make the largest letters of each")

// Whatever a letter is made of, in whatever mixture: one twice as long costs at
// most two and a half times as much.
func TestWorkGrowsAsLettersDo(t *testing.T) {
	const size = 1200
	o := testOptions(t)
	o.AuthservID, o.Says = "x", looksLikeOrders
	for _, m := range mediums() {
		t.Run(m.name, func(t *testing.T) {
			for i, a := range m.shapes {
				for j, b := range m.shapes {
					for _, inTurn := range []bool{true, false} {
						if inTurn && j < i || !inTurn && j == i {
							continue // the same as another
						}
						if !*everyPair && i != j && (i+j)%13 != 0 {
							continue
						}
						one, two := octets(m.letter(grown(a, b, size, inTurn)), o), octets(m.letter(grown(a, b, 2*size, inTurn)), o)
						if float64(two) > 2.5*float64(one) {
							t.Errorf("%.60q and %.60q (in turn %v): %d octets looked at for %d of letter, %d for twice as many", a, b, inTurn, one, size, two)
						}
					}
				}
			}
		})
	}
}

// pools is what the patterns keep in pools (package regexp), which a garbage collection
// empties: the letter after it pays for filling them, whatever its size.
const pools = 4 << 20

// The largest letters of each shape alone stay within the bounds of time and
// memory, and memory grows as they do.
func TestLargestLetters(t *testing.T) {
	o := testOptions(t)
	o.AuthservID, o.Says = "x", looksLikeOrders
	for _, m := range mediums() {
		t.Run(m.name, func(t *testing.T) {
			for i, s := range m.shapes {
				if !*everyPair && i%6 != 0 {
					continue
				}
				// As many octets as may be, and as many as MaxLines lets through.
				for _, n := range []int{m.max, min(m.max, (MaxLines-100)/3*len(s))} {
					half, whole := m.letter(grown(s, s, n/2, true)), m.letter(grown(s, s, n, true))
					var one, two uint64
					_, one = cost.Of(func() { through(half, o) })
					cost.Within(t, func() { _, two = cost.Of(func() { through(whole, o) }) })
					if float64(two) > 2.5*float64(one)+pools {
						t.Errorf("%.60q: %d octets of memory for %d of letter, %d for %d", s, one, len(half), two, len(whole))
					}
				}
			}
		})
	}
}

// A notice has other players' words in it. If they and a letter repeat themselves, all of both
// could be compared again for each line: that ends at MaxCompared.
func TestRepetitionIsBounded(t *testing.T) {
	run := strings.Repeat("a ", 100)
	known := NewNotice(strings.Repeat(run+"b\n", 300))
	for name, tt := range map[string]struct {
		body string
		kind incoming.Class
	}{
		"a few lines of it":   {strings.Repeat(run+"b\n", 300) + "status\n", incoming.Orders},
		"nothing but a few":   {strings.Repeat("a a a a\n", 200), incoming.Orders},
		"as much as there is": {strings.Repeat("a a a a\n", MaxLines-10), incoming.TooLarge},
		"line after line":     {strings.Repeat("a\n", MaxLines-10), incoming.TooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			raw, o := mailOf(tt.body, fromAnna), Options{Notice: known}
			if l := Read(raw, o); l.Kind != tt.kind || !l.Answer {
				t.Errorf("%s (%s)", l.Kind, l.Reason)
			}
			if n := octets(raw, o); n > MaxCompared+100*len(raw) {
				t.Errorf("%d octets looked at for %d", n, len(raw))
			}
			cost.Within(t, func() { through(raw, o) })
		})
	}
}

// All regular expressions are matchers, so that none is left out of the count.
func TestEverythingIsCounted(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if f != "work.go" && !strings.HasSuffix(f, "_test.go") && strings.Contains(string(b), `"regexp"`) {
			t.Errorf("%s has regular expressions that are not counted", f)
		}
	}
}
