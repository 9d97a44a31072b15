package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"
)

// A person is a player at a mail client: what they wrote, what came, and the
// letter they would answer now.
type person struct {
	*client
	page string // their page's address
	box  []received
	last received // the latest letter about the game
	n    int      // letters written
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

// stranger is a person with a mailbox of the demo's and no seat.
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
	// Equal letters of one second would be one letter (mail/MAIL.md, Once).
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
func (p *person) until(what string, fits func(received) bool) received {
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
	return received{}
}

func (p *person) answerTo(id string) received {
	p.t.Helper()
	return p.until("an answer to <"+id+">", func(n received) bool { return n.header.Get("In-Reply-To") == "<"+id+">" })
}

// ask answers the last letter with lines and returns the answer.
func (p *person) ask(lines ...string) received {
	p.t.Helper()
	return p.answerTo(p.write(post{body: strings.Join(lines, "\r\n") + "\r\n"}))
}

// wait returns the first letter of a kind that came after the first n.
func (p *person) wait(n int, kind string) received {
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
	return received{}
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
func says(t *testing.T, n received, what ...string) {
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
func understood(n received) string {
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
