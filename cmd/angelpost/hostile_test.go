package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// A person is a player at a mail client: what he wrote, what came, and the
// letter he would answer now.
type person struct {
	*client
	page string // his page's address
	box  []notice
	last notice // the youngest letter about the game
	n    int    // letters written
}

// seated lets the people of a demo read their first letters; they come by seat.
func seated(t *testing.T, p *program) (all []*person) {
	t.Helper()
	for i, c := range demoClients(t, p, 1) {
		x := &person{client: c, page: p.values[fmt.Sprintf("page%d", i+1)]}
		x.read()
		if len(x.box) == 0 {
			t.Fatalf("%s: no letter before ready", c.address)
		}
		all = append(all, x)
	}
	return all
}

// sitDown is seated for two; the first returned has to move.
func sitDown(t *testing.T, p *program) (mover, other *person) {
	t.Helper()
	all := seated(t, p)
	mover, other = all[0], all[1]
	if len(mover.last.legal) == 0 {
		mover, other = other, mover
	}
	if len(mover.last.legal) == 0 || len(other.last.legal) > 0 {
		t.Fatalf("legal orders in the first letters: %d and %d", len(mover.last.legal), len(other.last.legal))
	}
	return mover, other
}

// stranger is somebody with a mailbox of the demo's and no seat.
func stranger(t *testing.T, p *program, name string) *person {
	return &person{client: &client{t: t, imap: p.values["imap"], smtp: p.values["smtp"], user: name, pass: demoPassword, address: name + "@" + demoDomain}}
}

func (p *person) read() {
	p.t.Helper()
	for _, n := range p.fetch() {
		p.box = append(p.box, n)
		if n.header.Get("X-Angelpost-Game") != "" && n.header.Get("Reply-To") != "" {
			p.last = n
		}
	}
}

// A post is a letter as it goes into the wire; what is empty is filled in as a
// usual client would.
type post struct {
	from, to, id, subject, date, kind string
	head                              []string // more header lines
	body                              string
}

// write sends a letter and returns its Message-ID. Without an address it
// answers the last letter.
func (p *person) write(l post) string {
	p.t.Helper()
	p.n++
	fill := func(s *string, v string) {
		if *s == "" {
			*s = v
		}
	}
	if l.to == "" {
		to, err := mail.ParseAddress(p.last.header.Get("Reply-To"))
		if err != nil {
			p.t.Fatalf("Reply-To: %v", err)
		}
		l.to = to.Address
		l.head = append(l.head, "In-Reply-To: "+p.last.header.Get("Message-Id"))
	}
	fill(&l.from, p.address)
	fill(&l.id, fmt.Sprintf("%d.%d.%s", time.Now().UnixNano(), p.n, p.address))
	fill(&l.subject, "Re: "+p.last.header.Get("Subject"))
	// Equal letters of one second would be one letter (MAIL.md, Once).
	fill(&l.date, time.Now().Add(time.Duration(p.n)*time.Second).Format(time.RFC1123Z))
	fill(&l.kind, "text/plain; charset=utf-8")
	var b bytes.Buffer
	fmt.Fprintf(&b, "From: %s\r\nTo: %s\r\nMessage-ID: <%s>\r\nSubject: %s\r\nDate: %s\r\nMIME-Version: 1.0\r\nContent-Type: %s\r\n",
		l.from, l.to, l.id, l.subject, l.date, l.kind)
	for _, h := range l.head {
		b.WriteString(h + "\r\n")
	}
	b.WriteString("\r\n" + l.body)
	if err := deliver(p.smtp, p.address, l.to, b.Bytes()); err != nil {
		p.t.Fatalf("%s: %v", p.address, err)
	}
	return l.id
}

// until reads the mailbox until a letter fits.
func (p *person) until(what string, fits func(notice) bool) notice {
	p.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		p.read()
		for _, n := range slices.Backward(p.box) {
			if fits(n) {
				return n
			}
		}
	}
	p.t.Fatalf("%s: %s did not come", p.address, what)
	return notice{}
}

func (p *person) answerTo(id string) notice {
	p.t.Helper()
	return p.until("an answer to <"+id+">", func(n notice) bool { return n.header.Get("In-Reply-To") == "<"+id+">" })
}

// ask answers the last letter with lines and returns the answer.
func (p *person) ask(lines ...string) notice {
	p.t.Helper()
	return p.answerTo(p.write(post{body: strings.Join(lines, "\r\n") + "\r\n"}))
}

// wait returns the first letter of a kind that came after the first n.
func (p *person) wait(n int, kind string) notice {
	p.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		p.read()
		for _, x := range p.box[n:] {
			if x.kind == kind {
				return x
			}
		}
	}
	p.t.Fatalf("%s: no letter of kind %s among %d new ones", p.address, kind, len(p.box)-n)
	return notice{}
}

// settled reads until all that was written before is worked off: letters are
// read in the order they came, so two answers later nothing can be on its way.
func (p *person) settled() {
	p.t.Helper()
	for range 2 {
		if n := p.ask("status"); !strings.Contains(n.text, "First flight: ") {
			p.t.Errorf("%s: no status in the answer to a good letter:\n%s", p.address, n.text)
		}
	}
}

// says checks that a letter says all of what, in whatever case.
func says(t *testing.T, n notice, what ...string) {
	t.Helper()
	flat := flatten(n.text)
	for _, w := range what {
		if !strings.Contains(strings.ToLower(flat), strings.ToLower(flatten(w))) {
			t.Errorf("the letter does not say %q:\n%s", w, head(n.text, 60))
		}
	}
}

// flatten undoes what wrapping did to a text.
func flatten(s string) string { return strings.Join(strings.Fields(s), " ") }

func head(s string, lines int) string {
	all := strings.Split(s, "\n")
	return strings.Join(all[:min(lines, len(all))], "\n")
}

// understood is the part of a letter that says how the lines were read.
func understood(n notice) string {
	_, s, _ := strings.Cut(n.text, "HOW YOUR LETTER WAS READ")
	s, _, _ = strings.Cut(s, "\nWHAT ")
	return s
}

// latest is the game's log length as a page tells it.
func latest(t *testing.T, page string) int {
	t.Helper()
	body, status := get(t, page+"/view.json")
	var v struct{ Step, Latest int }
	if err := json.Unmarshal([]byte(body), &v); err != nil || status != 200 {
		t.Fatalf("view.json: %d %v", status, err)
	}
	return v.Latest
}

// checkLetter holds every letter the server writes to CONTRACT.md and MAIL.md.
func checkLetter(t *testing.T, to string, raw []byte) {
	t.Helper()
	for i, c := range raw {
		if c == '\n' && (i == 0 || raw[i-1] != '\r') || c == '\r' && (i+1 == len(raw) || raw[i+1] != '\n') {
			t.Errorf("a bare %q at octet %d", c, i)
			break
		}
	}
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	h := m.Header
	for _, name := range []string{"Message-Id", "Date", "From", "To", "Subject", "Auto-Submitted", "X-Angelpost-Kind", "X-Angelpost-Result", "Mime-Version", "Content-Type"} {
		if len(h[name]) != 1 {
			t.Errorf("header %s stands there %d times", name, len(h[name]))
		}
	}
	for name, values := range h {
		for _, v := range values {
			if len(name)+2+len(v) > 998 && name != "References" {
				t.Errorf("header %s has %d octets", name, len(v))
			}
		}
	}
	if v := h.Get("Auto-Submitted"); v != "auto-generated" && v != "auto-replied" {
		t.Errorf("Auto-Submitted: %q", v)
	}
	if !slices.Contains([]string{"invitation", "start", "turn", "answer", "info", "end"}, h.Get("X-Angelpost-Kind")) {
		t.Errorf("X-Angelpost-Kind: %q", h.Get("X-Angelpost-Kind"))
	}
	if !slices.Contains([]string{"applied", "partial", "refused", "none"}, h.Get("X-Angelpost-Result")) {
		t.Errorf("X-Angelpost-Result: %q", h.Get("X-Angelpost-Result"))
	}
	if a, err := mail.ParseAddress(h.Get("To")); err != nil || a.Address != to {
		t.Errorf("To: %q, want %s", h.Get("To"), to)
	}
	reply, err := mail.ParseAddress(h.Get("Reply-To"))
	if err != nil {
		t.Errorf("Reply-To: %q: %v", h.Get("Reply-To"), err)
	} else if local, _, _ := strings.Cut(reply.Address, "@"); len(local) > 64 || !strings.Contains(local, "+") || len(local)-strings.IndexByte(local, '+')-1 < 20 {
		t.Errorf("Reply-To %q: want a token of 100 bits or more in at most 64 octets", reply.Address)
	}
	if (h.Get("X-Angelpost-Game") == "") != (h.Get("X-Angelpost-Step") == "") || (h.Get("X-Angelpost-Game") == "") != (h.Get("List-Id") == "") {
		t.Errorf("X-Angelpost-Game %q, X-Angelpost-Step %q, List-Id %q: want all or none", h.Get("X-Angelpost-Game"), h.Get("X-Angelpost-Step"), h.Get("List-Id"))
	}
	if in := h.Get("In-Reply-To"); in != "" && !strings.Contains(h.Get("References"), in) {
		t.Errorf("In-Reply-To %q does not end References %q", in, h.Get("References"))
	}
	if hole := regexp.MustCompile(`\{[a-z]+\}`).FindString(plainText(t, h.Get("Content-Type"), h.Get("Content-Transfer-Encoding"), m.Body) + h.Get("Subject")); hole != "" {
		t.Errorf("%s stands in a letter where a word was meant", hole)
	}
	for part := range strings.SplitSeq(string(raw), "\r\n") {
		if len(part) > 998 {
			t.Errorf("a line of %d octets", len(part))
			break
		}
	}
}

// checkThreads holds a mailbox to one thread a game, and to Message-IDs of
// their own.
func checkThreads(t *testing.T, p *person) {
	t.Helper()
	first := map[string]string{}
	seen := map[string]bool{}
	for _, n := range p.box {
		id, game := n.header.Get("Message-Id"), n.header.Get("X-Angelpost-Game")
		if seen[id] {
			t.Errorf("%s: two letters are %s", p.address, id)
		}
		seen[id] = true
		if game == "" {
			continue
		}
		if first[game] == "" {
			first[game] = id
		} else if !strings.Contains(n.header.Get("References"), first[game]) {
			t.Errorf("%s: %s is not in the thread of %s: References %q", p.address, id, first[game], n.header.Get("References"))
		}
	}
}

// TestBadMail sends the running server everything that people, their clients
// and others get wrong (issue section 7, MAIL.md). Whatever comes, the answer
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
	quoted := func(n notice) (out string) {
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
		{name: "a good line and one nobody can read", from: mover, post: post{body: crlf(good, "frobnicate the quux")},
			result: "refused", says: []string{good, "frobnicate the quux", "Nothing at all was done"}, lists: true},
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
// mailbox, and none in the inbox.
func filed(t *testing.T, p *program, want int) {
	t.Helper()
	conn, err := imapclient.DialInsecure(p.values["imap"], nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.Login(demoServer, demoPassword).Wait(); err != nil {
		t.Fatal(err)
	}
	boxes, err := conn.List("", "*", nil).Collect()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	var all []string
	for _, b := range boxes {
		s, err := conn.Status(b.Mailbox, &imap.StatusOptions{NumMessages: true}).Wait()
		if err != nil {
			t.Fatal(err)
		}
		n := int(*s.NumMessages)
		all = append(all, fmt.Sprintf("%s: %d", b.Mailbox, n))
		if b.Mailbox == "INBOX" && n > 0 {
			t.Errorf("%d letters are left in the inbox", n)
		}
		sum += n
	}
	if sum != want {
		t.Errorf("%d letters were written, %d are filed: %v", want, sum, all)
	}
}

// TestStale answers a notice whose turn is over: what decides nothing is done,
// the rest is not.
func TestStale(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := sitDown(t, p)
	old := mover.last

	// Half a turn first: it is done, and the rest asked.
	half := old.example[:(len(old.example)+1)/2]
	if len(half) == len(old.example) {
		half = old.legal[:1]
	}
	n := mover.ask(half...)
	if n.result != "applied" || len(n.legal) == 0 {
		t.Fatalf("half a turn: %s, %d legal orders\n%s", n.result, len(n.legal), head(n.text, 40))
	}
	says(t, n, half[0], "Your turn goes on")
	for range 30 {
		if len(n.legal) == 0 {
			break
		}
		orders := n.example
		if len(orders) == 0 {
			orders = n.legal[:1]
		}
		n = mover.ask(orders...)
	}
	if len(n.legal) > 0 {
		t.Fatalf("the turn does not end:\n%s", head(n.text, 40))
	}
	step := latest(t, mover.page)
	other.wait(1, "turn")

	says(t, mover.ask("history 1"), "HISTORY", "You, round 1", "at location ")

	mover.last = old
	n = mover.ask(old.legal[0], "status", "say: hello there")
	if n.result == "applied" {
		t.Errorf("result %s", n.result)
	}
	says(t, n, old.legal[0], "belongs to a turn that is over", "First flight: round", "Your message goes to")
	other.until("the message", func(n notice) bool { return strings.Contains(n.text, "hello there") })
	if now := latest(t, mover.page); now != step {
		t.Errorf("the game moved from step %d to %d", step, now)
	}
	checkThreads(t, mover)
	checkThreads(t, other)
	p.stop()
}

// TestAlias writes with a good token from an address nobody knows: the letter
// is held, the registered address asked, and its yes or no decides.
func TestAlias(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, _ := sitDown(t, p)
	delta := stranger(t, p, "delta")
	work := func(order string) notice {
		t.Helper()
		n := len(mover.box)
		delta.last = mover.last
		delta.write(post{body: order + "\r\n"})
		q := mover.until("the question", func(x notice) bool {
			return slices.ContainsFunc(mover.box[n:], func(y notice) bool { return y.header.Get("Message-Id") == x.header.Get("Message-Id") })
		})
		if asked, _, _ := strings.Cut(q.text, "WHAT YOU MUST DECIDE"); !strings.Contains(flatten(asked), order) {
			t.Errorf("the question does not say what the letter wants (%s):\n%s", order, asked)
		}
		says(t, q, delta.address, "yes")
		return q
	}
	order := mover.last.legal[0]
	notice := mover.last
	step := latest(t, mover.page)

	mover.last = work(order)
	if n := mover.ask("no"); latest(t, mover.page) != step {
		t.Errorf("a letter thrown away was done:\n%s", head(n.text, 40))
	}
	mover.last = notice
	mover.last = work(order)
	if now := latest(t, mover.page); now != step {
		t.Fatalf("a letter from an unknown address moved the game from %d to %d", step, now)
	}
	n := mover.ask("yes")
	if n.result != "applied" || latest(t, mover.page) == step {
		t.Fatalf("yes: %s, step %d\n%s", n.result, latest(t, mover.page), head(n.text, 40))
	}
	says(t, n, delta.address, order)

	// From now on the address is his; answers still go to the registered one.
	delta.last = n
	id := delta.write(post{body: "status\r\n"})
	says(t, mover.answerTo(id), "First flight: round")
	if delta.read(); len(delta.box) > 0 {
		t.Errorf("%d letters went to the unknown address", len(delta.box))
	}
	p.stop()
}

// TestBounce brings a letter of ours back: nobody is answered, the organiser is
// told, and the game goes on.
func TestBounce(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	all := seated(t, p)
	organiser, guest := all[0], all[1]
	step := latest(t, organiser.page)
	bounce := func(of notice, action, status string) {
		t.Helper()
		guest.write(post{
			from: "Mail Delivery <MAILER-DAEMON@mx.example.org>", to: p.values["server"],
			kind: `multipart/report; report-type=delivery-status; boundary="b"`, head: []string{"Auto-Submitted: auto-replied"},
			body: strings.Join([]string{"--b", "", "Sorry.", "--b", "Content-Type: message/delivery-status", "",
				"Reporting-MTA: dns; mx.example.org", "", "Final-Recipient: rfc822; " + guest.address, "Action: " + action, "Status: " + status, "",
				"--b", "Content-Type: text/rfc822-headers", "", "Message-ID: " + of.header.Get("Message-Id"), "--b--", ""}, "\r\n"),
		})
	}
	notice := guest.box[0]
	bounce(notice, "delayed", "4.4.1")
	bounce(organiser.box[0], "failed", "5.1.1") // not a letter to the one who is said not to be there
	organiser.settled()
	if n := len(organiser.box); n != 3 {
		t.Errorf("%d letters after a delay and a false bounce, want 3:\n%s", n, head(organiser.last.text, 20))
	}
	bounce(notice, "failed", "5.1.1")
	told := organiser.wait(3, "info")
	says(t, told, "Letters to Beta come back undelivered", "replace")
	if strings.Contains(told.text, guest.address) { // which he has not given himself
		t.Errorf("the organiser reads another's address:\n%s", head(told.text, 20))
	}
	bounce(notice, "failed", "5.1.1")
	organiser.settled()
	if n := len(organiser.box); n != 6 {
		t.Errorf("%d letters after the same bounce twice, want 6", n)
	}
	if guest.read(); len(guest.box) != 1 {
		t.Errorf("the one who is not there got %d letters more", len(guest.box)-1)
	}
	if now := latest(t, organiser.page); now != step {
		t.Errorf("bounces moved the game from %d to %d", step, now)
	}
	filed(t, p, organiser.n+guest.n)
	p.stop()
}

// TestStrangerHelp answers `help` from somebody unknown once a day.
func TestStrangerHelp(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, _ := sitDown(t, p)
	delta := stranger(t, p, "delta")
	to := post{to: p.values["server"], body: "help\r\n"}
	says(t, delta.answerTo(delta.write(to)), "Black Angel by e-mail", "You are in no game here")
	delta.write(to)
	mover.settled()
	if delta.read(); len(delta.box) != 1 {
		t.Errorf("%d answers to two letters of a stranger, want 1", len(delta.box))
	}
	p.stop()
}

// TestNotThere asks the pages for games and keys there are not.
func TestNotThere(t *testing.T) {
	data := t.TempDir()
	p := start(t, demoArgs(data, "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	base, game := p.values["http"], p.values["game"]
	key := p.values["page1"][strings.LastIndexByte(p.values["page1"], '/')+1:]
	for _, path := range []string{
		"/g/aaaaaaaaaaaaaaaa", "/g/" + game + "x", "/g/" + game + "/aaaaaaaaaaaaaaaaaaaaaaaaaa", "/g/aaaaaaaaaaaaaaaa/" + key,
		"/g/" + game + "/" + key + "x", "/g/" + game + "/" + key[:8], "/g/" + strings.Repeat("a", 4000), "/g/%00", "/g/..%2f..%2fetc", "/g/" + game + "/" + key + "%0d%0aX: y",
	} {
		if body, status := get(t, base+path); status != 404 || strings.Contains(body, "<svg") {
			t.Errorf("%.60s: status %d", path, status)
		}
		body, status := get(t, base+path+"/view.json")
		var v struct {
			Schema int
			Error  string
		}
		if err := json.Unmarshal([]byte(body), &v); err != nil || status != 404 || v.Schema != 1 || v.Error == "" {
			t.Errorf("%.60s/view.json: status %d, %v, %.100q", path, status, err, body)
		}
	}
	for _, at := range []string{"-1", "999999", "x", "99999999999999999999999", ""} {
		if _, status := get(t, p.values["page1"]+"/view.json?at="+at); status != 200 && status != 404 && status != 400 {
			t.Errorf("?at=%s: status %d", at, status)
		}
	}
	for _, id := range []string{"aaaaaaaaaaaaaaaa", "", "' OR 1=1 --", strings.Repeat("x", 10_000)} {
		if talk := trouble(t, exitNo, "export", "-config", filepath.Join(data, "angelpost.toml"), id); !strings.Contains(talk, "there is no game") || len(talk) > 200 {
			t.Errorf("export of no game: %.200q", talk)
		}
	}
	p.stop()
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

func address(t *testing.T, n notice) string {
	a, err := mail.ParseAddress(n.header.Get("Reply-To"))
	if err != nil {
		t.Fatal(err)
	}
	return a.Address
}
