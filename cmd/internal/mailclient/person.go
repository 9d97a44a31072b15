package mailclient

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"

	"angelpost/cmd/internal/program"
)

// A Person is a player at a mail client: what they wrote, what came, and the
// letter they would answer now.
type Person struct {
	*Client
	Page string // their page's address
	Box  []Received
	Last Received // the latest letter about the game
	N    int      // letters written
}

// Seated lets the people of a demo read their first letters; they come by seat.
func Seated(t *testing.T, p *program.Process) (all []*Person) {
	t.Helper()
	for i, c := range DemoClients(t, p, 1) {
		x := &Person{Client: c, Page: p.Values[fmt.Sprintf("page%d", i+1)]}
		x.Read()
		if len(x.Box) == 0 {
			t.Fatalf("%s: no letter before ready", c.Address)
		}
		all = append(all, x)
	}
	return all
}

// SitDown is seated for two; the first returned has to move.
func SitDown(t *testing.T, p *program.Process) (mover, other *Person) {
	t.Helper()
	all := Seated(t, p)
	mover, other = all[0], all[1]
	if len(mover.Last.Legal) == 0 {
		mover, other = other, mover
	}
	if len(mover.Last.Legal) == 0 || len(other.Last.Legal) > 0 {
		t.Fatalf("legal orders in the first letters: %d and %d", len(mover.Last.Legal), len(other.Last.Legal))
	}
	return mover, other
}

// Stranger is a person with a mailbox of the demo's and no seat.
func Stranger(t *testing.T, p *program.Process, name string) *Person {
	return &Person{Client: &Client{T: t, IMAP: p.Values["imap"], SMTP: p.Values["smtp"], User: name, Pass: program.Password, Address: name + "@" + program.Domain}}
}

// Read fetches what has come to the mailbox.
func (p *Person) Read() {
	p.T.Helper()
	for _, n := range p.Fetch() {
		p.Box = append(p.Box, n)
		if n.Header.Get("X-Angelpost-Game") != "" && n.Header.Get("Reply-To") != "" {
			if receipt(n, p.Last) {
				n.Legal, n.Example = p.Last.Legal, p.Last.Example
			}
			p.Last = n
		}
	}
}

// receipt reports whether a letter leaves the board, and what its
// reader may do, as they were in an earlier one (web/API.md, Letters).
func receipt(n, last Received) bool {
	return len(n.Legal) == 0 && len(last.Legal) > 0 &&
		n.Header.Get("X-Angelpost-Game") == last.Header.Get("X-Angelpost-Game") && n.Header.Get("X-Angelpost-Step") == last.Header.Get("X-Angelpost-Step")
}

// A Post is a letter as it goes into the wire; what is empty is filled in as a
// usual client would.
type Post struct {
	From, To, Id, Subject, Date, Kind string
	Head                              []string // more header lines
	Body                              string
}

// Write sends a letter and returns its Message-ID. Without an address it
// answers the last letter.
func (p *Person) Write(l Post) string {
	p.T.Helper()
	p.N++
	fill := func(s *string, v string) {
		if *s == "" {
			*s = v
		}
	}
	if l.To == "" {
		to, err := mail.ParseAddress(p.Last.Header.Get("Reply-To"))
		if err != nil {
			p.T.Fatalf("Reply-To: %v", err)
		}
		l.To = to.Address
		l.Head = append(l.Head, "In-Reply-To: "+p.Last.Header.Get("Message-Id"))
	}
	fill(&l.From, p.Address)
	fill(&l.Id, fmt.Sprintf("%d.%d.%s", time.Now().UnixNano(), p.N, p.Address))
	fill(&l.Subject, "Re: "+p.Last.Header.Get("Subject"))
	// Equal letters of one second would be one letter (mail/MAIL.md, Once).
	fill(&l.Date, time.Now().Add(time.Duration(p.N)*time.Second).Format(time.RFC1123Z))
	fill(&l.Kind, "text/plain; charset=utf-8")
	var b bytes.Buffer
	fmt.Fprintf(&b, "From: %s\r\nTo: %s\r\nMessage-ID: <%s>\r\nSubject: %s\r\nDate: %s\r\nMIME-Version: 1.0\r\nContent-Type: %s\r\n",
		l.From, l.To, l.Id, l.Subject, l.Date, l.Kind)
	for _, h := range l.Head {
		b.WriteString(h + "\r\n")
	}
	b.WriteString("\r\n" + l.Body)
	if err := Deliver(p.SMTP, p.Address, l.To, b.Bytes()); err != nil {
		p.T.Fatalf("%s: %v", p.Address, err)
	}
	return l.Id
}

// patience is how long a letter may take on a machine whose disk others use as well.
const patience = 90 * time.Second

// Until reads the mailbox until a letter fits.
func (p *Person) Until(what string, fits func(Received) bool) Received {
	p.T.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		p.Read()
		for _, n := range slices.Backward(p.Box) {
			if fits(n) {
				return n
			}
		}
	}
	p.T.Fatalf("%s: %s did not come; %d letters have", p.Address, what, len(p.Box))
	return Received{}
}

// AnswerTo waits for the answer to the letter with that Message-ID.
func (p *Person) AnswerTo(id string) Received {
	p.T.Helper()
	return p.Until("an answer to <"+id+">", func(n Received) bool { return n.Header.Get("In-Reply-To") == "<"+id+">" })
}

// Ask answers the last letter with lines and returns the answer.
func (p *Person) Ask(lines ...string) Received {
	p.T.Helper()
	return p.AnswerTo(p.Write(Post{Body: strings.Join(lines, "\r\n") + "\r\n"}))
}

// Wait returns the first letter of a kind that came after the first n.
func (p *Person) Wait(n int, kind string) Received {
	p.T.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		p.Read()
		for _, x := range p.Box[n:] {
			if x.Kind == kind {
				return x
			}
		}
	}
	p.T.Fatalf("%s: no letter of kind %s among %d new ones", p.Address, kind, len(p.Box)-n)
	return Received{}
}

// Settled reads until all that was written before is worked off: letters are
// read in the order they came, so two answers later nothing can be on its way.
func (p *Person) Settled() {
	p.T.Helper()
	for range 2 {
		if n := p.Ask("status"); !strings.Contains(n.Text, "First flight: ") {
			p.T.Errorf("%s: no status in the answer to a good letter:\n%s", p.Address, n.Text)
		}
	}
}

// Says checks that a letter says all of what, in whatever case.
func Says(t *testing.T, n Received, what ...string) {
	t.Helper()
	flat := Flatten(n.Text)
	for _, w := range what {
		if !strings.Contains(strings.ToLower(flat), strings.ToLower(Flatten(w))) {
			t.Errorf("the letter does not say %q:\n%s", w, Head(n.Text, 60))
		}
	}
}

// Flatten undoes what wrapping did to a text.
func Flatten(s string) string { return strings.Join(strings.Fields(s), " ") }

// Head returns the first lines of a text.
func Head(s string, lines int) string {
	all := strings.Split(s, "\n")
	return strings.Join(all[:min(lines, len(all))], "\n")
}

// Understood is the part of a letter that says how the lines were read.
func Understood(n Received) string {
	_, s, _ := strings.Cut(n.Text, "HOW WE READ YOUR LETTER")
	for _, next := range []string{"\nYOUR MOVE", "\nYOUR ORDERS", "\nWHAT ", "\nSPACE\n"} {
		s, _, _ = strings.Cut(s, next)
	}
	return s
}

// Latest is the game's log length as a page tells it.
func Latest(t *testing.T, page string) int {
	t.Helper()
	body, status := Get(t, page+"/view.json")
	var v struct{ Step, Latest int }
	if err := json.Unmarshal([]byte(body), &v); err != nil || status != 200 {
		t.Fatalf("view.json: %d %v", status, err)
	}
	return v.Latest
}

// NewsOf is the part of a letter above what must be decided and the board: what
// it answers and tells.
func NewsOf(n Received) string {
	for _, title := range []string{"\nYOUR MOVE", "\nWaiting for ", "\nSPACE\n"} {
		n.Text, _, _ = strings.Cut(n.Text, title)
	}
	return n.Text
}

// Answers checks what the upper part of a letter says.
func Answers(t *testing.T, n Received, result string, what ...string) {
	t.Helper()
	if n.Result != result {
		t.Errorf("result %s, want %s", n.Result, result)
	}
	Says(t, Received{Text: NewsOf(n)}, what...)
}

// PageIn is a player's page as a letter gives it.
func PageIn(t *testing.T, n Received) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^\s*(https?://\S+/g/[a-z2-7]+/[a-z2-7]+)\s*$`).FindStringSubmatch(n.Text)
	if m == nil {
		t.Fatalf("no page in the letter:\n%s", n.Text)
	}
	return m[1]
}

// Filed checks that all want letters to the server are in folders of its mailbox, and
// none in the inbox. An answer may be out before its letter is moved, so Filed tries again
// for 10 seconds.
func Filed(t *testing.T, p *program.Process, want int) {
	t.Helper()
	conn := Login(t, p.Values["imap"], program.Account, program.Password)
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

// AddressIn returns the address that answers to a letter go to: that of its Reply-To field.
func AddressIn(t *testing.T, n Received) string {
	a, err := mail.ParseAddress(n.Header.Get("Reply-To"))
	if err != nil {
		t.Fatal(err)
	}
	return a.Address
}

// OneClick is the address in a letter's List-Unsubscribe field that takes a
// POST.
func OneClick(t *testing.T, n Received) string {
	t.Helper()
	m := regexp.MustCompile(`<(http[^>]*/mute)>`).FindStringSubmatch(n.Header.Get("List-Unsubscribe"))
	if m == nil || n.Header.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" {
		t.Fatalf("List-Unsubscribe %q, List-Unsubscribe-Post %q", n.Header.Get("List-Unsubscribe"), n.Header.Get("List-Unsubscribe-Post"))
	}
	return m[1]
}
