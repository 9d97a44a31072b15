package lettertest

import (
	"mime"
	"net/mail"
	"slices"
	"strings"
	"testing"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// canonical undoes how people read orders, in a game of the demo's.
var canonical = strings.NewReplacer(" star", " 0", "from Alpha", "from seat 1", "from Beta", "from seat 2")

// TestBadMail sends the running server everything that people, their clients
// and others get wrong (mail/MAIL.md). Whatever comes, the answer
// helps or there is none, the game is as it was, and no letter is lost.
func TestBadMail(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := mailclient.SitDown(t, p)
	delta := mailclient.Stranger(t, p, "delta")
	server := p.Values["server"]
	with := func(token string) string { return strings.Replace(server, "@", "+"+token+"@", 1) }
	delta.Read() // connects for the whole test
	first := mover.Last
	good := first.Legal[0]
	moverToken, err := mail.ParseAddress(first.Header.Get("Reply-To"))
	if err != nil {
		t.Fatal(err)
	}
	step := mailclient.Latest(t, mover.Page)

	crlf := func(lines ...string) string { return strings.Join(lines, "\r\n") + "\r\n" }
	quoted := func(n mailclient.Received) (out string) {
		for line := range strings.SplitSeq(strings.TrimRight(n.Text, "\n"), "\n") {
			out += "> " + line + "\r\n"
		}
		return "On Friday Angelpost wrote:\r\n" + out
	}
	cases := []struct {
		name   string
		from   *mailclient.Person
		reader *mailclient.Person // who is answered, if not from
		post   mailclient.Post
		silent bool
		result string
		says   []string
		lists  bool // the answer lists the legal orders again
		works  bool // beside the line it proposes orders that would work
	}{
		{name: "wrong token", from: mover, post: mailclient.Post{To: with("aaaaaaaaaaaaaaaaaaaaaaaaaa"), Body: crlf(good)},
			result: "refused", says: []string{"We can't tell which of our letters you are replying to", good, "reply to its last letter"}, lists: true},
		{name: "missing token", from: mover, post: mailclient.Post{To: server, Body: crlf(good)},
			result: "refused", says: []string{"We can't tell which of our letters you are replying to", good}, lists: true},
		{name: "no token, a word", from: mover, post: mailclient.Post{To: server, Body: crlf("status")},
			result: "none", says: []string{"First flight: round", "your move"}},
		{name: "no token, legal", from: mover, post: mailclient.Post{To: server, Body: crlf("legal")}, result: "none", says: []string{good}},
		{name: "foreign token", from: other, post: mailclient.Post{To: moverToken.Address, Body: crlf(good)},
			result: "refused", says: []string{"a letter for another player", "reply to the last letter we sent you"}},
		{name: "another player's address", from: other, reader: mover, post: mailclient.Post{From: mover.Address, Body: crlf(good)},
			result: "refused", says: []string{"a letter for another player"}, lists: true},
		{name: "out of turn", from: other, post: mailclient.Post{Body: crlf(good)},
			result: "refused", says: []string{good, "it is not your move", "waits for"}},
		{name: "a line nobody can read", from: mover, post: mailclient.Post{Body: crlf("frobnicate the quux")},
			result: "refused", says: []string{"frobnicate the quux", "Possible now"}, lists: true, works: true},
		{name: "a good line and one nobody can read", from: mover, post: mailclient.Post{Body: crlf(good, "frobnicate the ship")},
			result: "refused", says: []string{good, "frobnicate the ship", "We played none of your lines"}, lists: true},
		{name: "ambiguous", from: mover, post: mailclient.Post{Body: crlf("die")},
			result: "refused", says: []string{"die", "Did you mean"}, lists: true, works: true},
		{name: "no such card", from: mover, post: mailclient.Post{Body: crlf("mission 999")},
			result: "refused", says: []string{"mission 999"}, lists: true, works: true},
		{name: "illegal", from: mover, post: mailclient.Post{Body: crlf("Die  ORANGE 3.")},
			result: "refused", says: []string{"Die ORANGE 3", "We read it as: take the orange 3", "(R"}, lists: true, works: true},
		{name: "not yet", from: mover, post: mailclient.Post{Body: crlf("discover at 1")},
			result: "refused", says: []string{"discover at 1", "(R"}, lists: true, works: true},
		{name: "empty", from: mover, post: mailclient.Post{Body: "\r\n\r\n"}, result: "refused", says: []string{"no order in your letter"}, lists: true},
		{name: "nothing but the quotation", from: mover, post: mailclient.Post{Body: crlf("", quoted(first))}, result: "refused", says: []string{"no order in your letter"}, lists: true},
		{name: "barred lines only", from: mover, post: mailclient.Post{Body: crlf("| " + good)}, result: "refused", says: []string{"comes after a", "Did you mean “" + good + "”?"}, lists: true},
		{name: "20 MB", from: mover, post: mailclient.Post{Body: crlf(good) + strings.Repeat(strings.Repeat("x", 70)+"\r\n", 20<<20/72)},
			result: "refused", says: []string{"is too large"}, lists: true},
		{name: "multipart without a boundary", from: mover, post: mailclient.Post{Kind: "multipart/mixed", Body: crlf("--x", "Content-Type: text/plain", "", "frobnicate", "--x--")}, result: "refused", lists: true},
		{name: "multipart that never ends", from: mover, post: mailclient.Post{Kind: `multipart/mixed; boundary="x"`, Body: crlf("--x", "Content-Type: multipart/alternative; boundary=y", "", "--y", "Content-Type: image/png", "Content-Transfer-Encoding: base64", "", "!!!!")}, result: "refused", lists: true},
		{name: "broken base64", from: mover, post: mailclient.Post{Head: []string{"Content-Transfer-Encoding: base64"}, Body: crlf("ZnJvYm5p=Y2F0!!!!")}, result: "refused", lists: true},
		{name: "unknown transfer encoding", from: mover, post: mailclient.Post{Head: []string{"Content-Transfer-Encoding: x-rot13"}, Body: crlf("qvr benatr")}, result: "refused", lists: true},
		{name: "unknown charset", from: mover, post: mailclient.Post{Kind: "text/plain; charset=x-klingon", Body: crlf("frobnicate \xff\xfe\x80")}, result: "refused", says: []string{"frobnicate"}, lists: true},
		{name: "unknown charset, plain letters", from: mover, post: mailclient.Post{Kind: "text/plain; charset=x-klingon", Body: crlf("status")}, result: "none", says: []string{"First flight: round"}},
		{name: "HTML only", from: mover, post: mailclient.Post{Kind: "text/html; charset=utf-8", Body: crlf("<html><body><p>status</p><p>frobnicate &lt;b&gt;</p><script>" + good + "</script></body></html>")},
			result: "refused", says: []string{"First flight: round", "frobnicate"}, lists: true},
		{name: "nothing but a picture", from: mover, post: mailclient.Post{Kind: "image/png", Head: []string{"Content-Transfer-Encoding: base64"}, Body: crlf("iVBORw0KGgo=")}, result: "refused", lists: true},
		{name: "too many lines", from: mover, post: mailclient.Post{Body: strings.Repeat(good+"\r\n", 1000)}, result: "refused", lists: true},
		{name: "a very long line", from: mover, post: mailclient.Post{Body: crlf(strings.Repeat("x", 900))}, result: "refused", lists: true},
		{name: "control and direction marks", from: mover, post: mailclient.Post{Body: crlf("die\u202e\x00\x1b[31m orange 99\u2028B")}, result: "refused", lists: true},
		{name: "subject that breaks the header", from: mover, post: mailclient.Post{Subject: "=?utf-8?q?a=0D=0AX-Angelpost-Kind:_end?=", Body: crlf("frobnicate")}, result: "refused", lists: true},
		{name: "auto-reply", from: mover, post: mailclient.Post{Head: []string{"Auto-Submitted: auto-replied"}, Body: crlf(good)}, silent: true},
		{name: "vacation of Outlook", from: mover, post: mailclient.Post{Head: []string{"X-Auto-Response-Suppress: All"}, Subject: "Automatic reply: away", Body: crlf(good)}, silent: true},
		{name: "precedence bulk", from: mover, post: mailclient.Post{Head: []string{"Precedence: bulk"}, Body: crlf(good)}, silent: true},
		{name: "a list", from: mover, post: mailclient.Post{Head: []string{"List-Id: <x.example.org>", "List-Unsubscribe: <mailto:x@example.org>"}, Body: crlf(good)}, silent: true},
		{name: "our own letter again", from: mover, post: mailclient.Post{From: server, Head: []string{"Auto-Submitted: auto-generated", "X-Angelpost-Kind: turn"}, Body: crlf(good)}, silent: true},
		{name: "two authors", from: mover, post: mailclient.Post{From: mover.Address + ", " + other.Address, Body: crlf(good)}, silent: true},
		{name: "stranger without a token", from: delta, post: mailclient.Post{To: server, Body: crlf(good)}, silent: true},
		{name: "stranger with an unknown token", from: delta, post: mailclient.Post{To: with("aaaaaaaaaaaaaaaaaaaaaaaaaa"), Body: crlf("status")}, silent: true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			mover.T, other.T, delta.T = t, t, t
			before := map[*mailclient.Person]int{mover: len(mover.Box), other: len(other.Box), delta: len(delta.Box)}
			id := c.from.Write(c.post)
			asked := 2
			if !c.silent {
				reader := c.from
				if c.reader != nil {
					reader = c.reader
				}
				n := reader.AnswerTo(id)
				before[reader]++
				if n.Result != c.result || n.Kind != "answer" {
					t.Errorf("kind %s, result %s, want answer, %s:\n%s", n.Kind, n.Result, c.result, mailclient.Head(n.Text, 40))
				}
				mailclient.Says(t, n, c.says...)
				for line := range strings.SplitSeq(mailclient.Understood(n), "\n") {
					if order, ok := strings.CutPrefix(strings.TrimSpace(line), "| "); ok && c.works && !slices.Contains(first.Legal, canonical.Replace(order)) {
						t.Errorf("it proposes %q, which would not work", order)
					}
				}
				if c.works && !strings.Contains(mailclient.Understood(n), "| ") {
					t.Errorf("nothing is proposed that would work:\n%s", mailclient.Head(n.Text, 30))
				}
				if c.lists && !slices.Contains(n.Legal, good) {
					t.Errorf("%d legal orders listed, %q not among them:\n%s", len(n.Legal), good, mailclient.Head(n.Text, 40))
				}
			}
			mover.Settled()
			other.Read()
			delta.Read()
			for x, n := range before {
				if x == mover {
					n += asked
				}
				if len(x.Box) != n {
					t.Errorf("%s has %d letters more than expected; the last:\n%s", x.Address, len(x.Box)-n, mailclient.Head(x.Box[len(x.Box)-1].Text, 30))
				}
			}
			if now := mailclient.Latest(t, mover.Page); now != step {
				t.Errorf("the game moved from step %d to %d", step, now)
				step = now
			}
		})
	}
	mover.T, other.T, delta.T = t, t, t
	mailclient.CheckThreads(t, mover)
	mailclient.CheckThreads(t, other)
	mailclient.Filed(t, p, mover.N+other.N+delta.N)
	p.Stop()
}

// TestHardHeaders reads letters whose headers are allowed but rare.
func TestHardHeaders(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, _ := mailclient.SitDown(t, p)
	for name, l := range map[string]mailclient.Post{
		"names":                       {From: mime.BEncoding.Encode("utf-8", "Älpha \"x\" <y@z>") + " <" + strings.ToUpper(mover.Address) + ">", Body: "status\r\n"},
		"quoted-printable in latin 1": {Kind: "text/plain; charset=iso-8859-1", Head: []string{"Content-Transfer-Encoding: quoted-printable"}, Body: mailclient.QuotedPrintable("status # \xe4\r\n")},
		"no date":                     {Date: "yesterday", Body: "status\r\n"},
		"utf-16":                      {Kind: "text/plain; charset=utf-16le", Head: []string{"Content-Transfer-Encoding: base64"}, Body: "cwB0AGEAdAB1AHMADQAKAA==\r\n"},
		"a token in capitals":         {To: strings.ToUpper(mailclient.AddressIn(t, mover.Last)), Body: "status\r\n"},
		"a name on the token address": {To: `"Angelpost" <` + mailclient.AddressIn(t, mover.Last) + `>`, Body: "status\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			mover.T = t
			if strings.HasPrefix(l.To, `"`) { // for the header only; the envelope takes bare addresses
				l.Head = append(l.Head, "Cc: "+l.To)
				l.To = ""
			}
			mailclient.Says(t, mover.AnswerTo(mover.Write(l)), "First flight: round")
		})
	}
	mover.T = t
	p.Stop()
}
