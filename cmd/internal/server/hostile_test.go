package server

import (
	"bytes"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
)

// TestBadMail sends the running server everything that people, their clients
// and others get wrong (mail/MAIL.md). Whatever comes, the answer
// helps or there is none, the game is as it was, and no letter is lost.
func TestBadMail(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := sitDown(t, p)
	delta := stranger(t, p, "delta")
	server := p.values["server"]
	with := func(token string) string { return strings.Replace(server, "@", "+"+token+"@", 1) }
	delta.read() // connects for the whole test
	first := mover.last
	good := first.legal[0]
	moverToken, err := mail.ParseAddress(first.header.Get("Reply-To"))
	if err != nil {
		t.Fatal(err)
	}
	step := latest(t, mover.page)

	crlf := func(lines ...string) string { return strings.Join(lines, "\r\n") + "\r\n" }
	quoted := func(n received) (out string) {
		for line := range strings.SplitSeq(strings.TrimRight(n.text, "\n"), "\n") {
			out += "> " + line + "\r\n"
		}
		return "On Friday Angelpost wrote:\r\n" + out
	}
	cases := []struct {
		name   string
		from   *person
		reader *person // who is answered, if not from
		post   post
		silent bool
		result string
		says   []string
		lists  bool // the answer lists the legal orders again
		works  bool // beside the line it proposes orders that would work
	}{
		{name: "wrong token", from: mover, post: post{to: with("aaaaaaaaaaaaaaaaaaaaaaaaaa"), body: crlf(good)},
			result: "refused", says: []string{"I cannot tell which of my letters this answers", good, "answer the last"}, lists: true},
		{name: "missing token", from: mover, post: post{to: server, body: crlf(good)},
			result: "refused", says: []string{"I cannot tell which of my letters this answers", good}, lists: true},
		{name: "no token, a word", from: mover, post: post{to: server, body: crlf("status")},
			result: "none", says: []string{"First flight: round", "you must decide"}},
		{name: "no token, legal", from: mover, post: post{to: server, body: crlf("legal")}, result: "none", says: []string{good}},
		{name: "foreign token", from: other, post: post{to: moverToken.Address, body: crlf(good)},
			result: "refused", says: []string{"was sent to another player", "answer the last one sent to you"}},
		{name: "another player's address", from: other, reader: mover, post: post{from: mover.address, body: crlf(good)},
			result: "refused", says: []string{"was sent to another player"}, lists: true},
		{name: "out of turn", from: other, post: post{body: crlf(good)},
			result: "refused", says: []string{good, "nothing for you to decide now", "waits for"}},
		{name: "a line nobody can read", from: mover, post: post{body: crlf("frobnicate the quux")},
			result: "refused", says: []string{"frobnicate the quux", "Possible now"}, lists: true, works: true},
		{name: "a good line and one nobody can read", from: mover, post: post{body: crlf(good, "frobnicate the ship")},
			result: "refused", says: []string{good, "frobnicate the ship", "Nothing at all was done"}, lists: true},
		{name: "ambiguous", from: mover, post: post{body: crlf("die")},
			result: "refused", says: []string{"die", "Did you mean"}, lists: true, works: true},
		{name: "no such card", from: mover, post: post{body: crlf("mission 999")},
			result: "refused", says: []string{"mission 999"}, lists: true, works: true},
		{name: "illegal", from: mover, post: post{body: crlf("Die  ORANGE 3.")},
			result: "refused", says: []string{"Die ORANGE 3", "read as take the orange 3", "(R"}, lists: true, works: true},
		{name: "not yet", from: mover, post: post{body: crlf("discover at 1")},
			result: "refused", says: []string{"discover at 1", "(R"}, lists: true, works: true},
		{name: "empty", from: mover, post: post{body: "\r\n\r\n"}, result: "refused", says: []string{"no order in your letter"}, lists: true},
		{name: "nothing but the quotation", from: mover, post: post{body: crlf("", quoted(first))}, result: "refused", says: []string{"no order in your letter"}, lists: true},
		{name: "barred lines only", from: mover, post: post{body: crlf("| " + good)}, result: "refused", says: []string{"behind a bar", "Take the bar away"}, lists: true},
		{name: "20 MB", from: mover, post: post{body: crlf(good) + strings.Repeat(strings.Repeat("x", 70)+"\r\n", 20<<20/72)},
			result: "refused", says: []string{"too large to be read"}, lists: true},
		{name: "multipart without a boundary", from: mover, post: post{kind: "multipart/mixed", body: crlf("--x", "Content-Type: text/plain", "", "frobnicate", "--x--")}, result: "refused", lists: true},
		{name: "multipart that never ends", from: mover, post: post{kind: `multipart/mixed; boundary="x"`, body: crlf("--x", "Content-Type: multipart/alternative; boundary=y", "", "--y", "Content-Type: image/png", "Content-Transfer-Encoding: base64", "", "!!!!")}, result: "refused", lists: true},
		{name: "broken base64", from: mover, post: post{head: []string{"Content-Transfer-Encoding: base64"}, body: crlf("ZnJvYm5p=Y2F0!!!!")}, result: "refused", lists: true},
		{name: "unknown transfer encoding", from: mover, post: post{head: []string{"Content-Transfer-Encoding: x-rot13"}, body: crlf("qvr benatr")}, result: "refused", lists: true},
		{name: "unknown charset", from: mover, post: post{kind: "text/plain; charset=x-klingon", body: crlf("frobnicate \xff\xfe\x80")}, result: "refused", says: []string{"frobnicate"}, lists: true},
		{name: "unknown charset, plain letters", from: mover, post: post{kind: "text/plain; charset=x-klingon", body: crlf("status")}, result: "none", says: []string{"First flight: round"}},
		{name: "HTML only", from: mover, post: post{kind: "text/html; charset=utf-8", body: crlf("<html><body><p>status</p><p>frobnicate &lt;b&gt;</p><script>" + good + "</script></body></html>")},
			result: "refused", says: []string{"First flight: round", "frobnicate"}, lists: true},
		{name: "nothing but a picture", from: mover, post: post{kind: "image/png", head: []string{"Content-Transfer-Encoding: base64"}, body: crlf("iVBORw0KGgo=")}, result: "refused", lists: true},
		{name: "too many lines", from: mover, post: post{body: strings.Repeat(good+"\r\n", 1000)}, result: "refused", lists: true},
		{name: "a very long line", from: mover, post: post{body: crlf(strings.Repeat("x", 900))}, result: "refused", lists: true},
		{name: "control and direction marks", from: mover, post: post{body: crlf("die\u202e\x00\x1b[31m orange 99\u2028B")}, result: "refused", lists: true},
		{name: "subject that breaks the header", from: mover, post: post{subject: "=?utf-8?q?a=0D=0AX-Angelpost-Kind:_end?=", body: crlf("frobnicate")}, result: "refused", lists: true},
		{name: "auto-reply", from: mover, post: post{head: []string{"Auto-Submitted: auto-replied"}, body: crlf(good)}, silent: true},
		{name: "vacation of Outlook", from: mover, post: post{head: []string{"X-Auto-Response-Suppress: All"}, subject: "Automatic reply: away", body: crlf(good)}, silent: true},
		{name: "precedence bulk", from: mover, post: post{head: []string{"Precedence: bulk"}, body: crlf(good)}, silent: true},
		{name: "a list", from: mover, post: post{head: []string{"List-Id: <x.example.org>", "List-Unsubscribe: <mailto:x@example.org>"}, body: crlf(good)}, silent: true},
		{name: "our own letter again", from: mover, post: post{from: server, head: []string{"Auto-Submitted: auto-generated", "X-Angelpost-Kind: turn"}, body: crlf(good)}, silent: true},
		{name: "two authors", from: mover, post: post{from: mover.address + ", " + other.address, body: crlf(good)}, silent: true},
		{name: "stranger without a token", from: delta, post: post{to: server, body: crlf(good)}, silent: true},
		{name: "stranger with an unknown token", from: delta, post: post{to: with("aaaaaaaaaaaaaaaaaaaaaaaaaa"), body: crlf("status")}, silent: true},
		{name: "stranger who wants a game where only the known may", from: delta, post: post{to: server, body: crlf("new game", "players: bot")}, silent: true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			mover.t, other.t, delta.t = t, t, t
			before := map[*person]int{mover: len(mover.box), other: len(other.box), delta: len(delta.box)}
			id := c.from.write(c.post)
			asked := 2
			if !c.silent {
				reader := c.from
				if c.reader != nil {
					reader = c.reader
				}
				n := reader.answerTo(id)
				before[reader]++
				if n.result != c.result || n.kind != "answer" {
					t.Errorf("kind %s, result %s, want answer, %s:\n%s", n.kind, n.result, c.result, head(n.text, 40))
				}
				says(t, n, c.says...)
				for line := range strings.SplitSeq(understood(n), "\n") {
					if order, ok := strings.CutPrefix(strings.TrimSpace(line), "| "); ok && c.works && !slices.Contains(first.legal, order) {
						t.Errorf("it proposes %q, which would not work", order)
					}
				}
				if c.works && !strings.Contains(understood(n), "| ") {
					t.Errorf("nothing is proposed that would work:\n%s", head(n.text, 30))
				}
				if c.lists && !slices.Contains(n.legal, good) {
					t.Errorf("%d legal orders listed, %q not among them:\n%s", len(n.legal), good, head(n.text, 40))
				}
			}
			mover.settled()
			other.read()
			delta.read()
			for x, n := range before {
				if x == mover {
					n += asked
				}
				if len(x.box) != n {
					t.Errorf("%s has %d letters more than expected; the last:\n%s", x.address, len(x.box)-n, head(x.box[len(x.box)-1].text, 30))
				}
			}
			if now := latest(t, mover.page); now != step {
				t.Errorf("the game moved from step %d to %d", step, now)
				step = now
			}
		})
	}
	mover.t, other.t, delta.t = t, t, t
	checkThreads(t, mover)
	checkThreads(t, other)
	filed(t, p, mover.n+other.n+delta.n)
	p.stop()
}

// filed checks that every letter written to the server lies in a folder of its
// mailbox, and none in the inbox. An answer may be out before its letter is
// filed away, so it looks again for a while.
func filed(t *testing.T, p *program, want int) {
	t.Helper()
	conn := login(t, p.values["imap"], demoServer, demoPassword)
	defer conn.Close()
	var held map[string]int
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		boxes, err := conn.List("", "*", nil).Collect()
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		held = map[string]int{}
		for _, b := range boxes {
			if b.Mailbox == "Angelpost/Claim" {
				continue // the server's own letter
			}
			s, err := conn.Status(b.Mailbox, &imap.StatusOptions{NumMessages: true}).Wait()
			if err != nil {
				t.Fatal(err)
			}
			held[b.Mailbox] = int(*s.NumMessages)
			sum += held[b.Mailbox]
		}
		if sum == want && held["INBOX"] == 0 {
			return
		}
	}
	t.Errorf("%d letters were written; the mailbox holds %v", want, held)
}

// encoded is a body in quoted-printable, for letters that need it.
func encoded(s string) string {
	var b bytes.Buffer
	w := quotedprintable.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

// TestHardHeaders reads letters whose headers are allowed but rare.
func TestHardHeaders(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, _ := sitDown(t, p)
	for name, l := range map[string]post{
		"names":                       {from: mime.BEncoding.Encode("utf-8", "Älpha \"x\" <y@z>") + " <" + strings.ToUpper(mover.address) + ">", body: "status\r\n"},
		"quoted-printable in latin 1": {kind: "text/plain; charset=iso-8859-1", head: []string{"Content-Transfer-Encoding: quoted-printable"}, body: encoded("status # \xe4\r\n")},
		"no date":                     {date: "yesterday", body: "status\r\n"},
		"utf-16":                      {kind: "text/plain; charset=utf-16le", head: []string{"Content-Transfer-Encoding: base64"}, body: "cwB0AGEAdAB1AHMADQAKAA==\r\n"},
		"a token in capitals":         {to: strings.ToUpper(address(t, mover.last)), body: "status\r\n"},
		"a name on the token address": {to: `"Angelpost" <` + address(t, mover.last) + `>`, body: "status\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			mover.t = t
			if strings.HasPrefix(l.to, `"`) { // for the header only; the envelope takes bare addresses
				l.head = append(l.head, "Cc: "+l.to)
				l.to = ""
			}
			says(t, mover.answerTo(mover.write(l)), "First flight: round")
		})
	}
	mover.t = t
	p.stop()
}

func address(t *testing.T, n received) string {
	a, err := mail.ParseAddress(n.header.Get("Reply-To"))
	if err != nil {
		t.Fatal(err)
	}
	return a.Address
}
