//go:build real

package server

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"

	"angelpost/mail/peers"
)

// guest is a person with a mailbox at a place with real peers.
func (p *place) guest(t *testing.T, name string) *person {
	t.Helper()
	return &person{client: &client{t: t, imap: p.dovecot.IMAPAddr, smtp: p.postfix.SMTPAddr, user: name, pass: peers.Password, address: name + "@" + peers.Domain}}
}

// begin starts a game of these people, organised by the first.
func (p *place) begin(t *testing.T, names ...string) (game string) {
	t.Helper()
	args := []string{"new", "-config", p.config, "-started", "-organiser", names[0] + "@" + peers.Domain, "-name", "First flight", "-seed", strings.Repeat("5a", 32)}
	for _, n := range names {
		args = append(args, "-player", n+"@"+peers.Domain)
	}
	out, code := output(t, args...)
	if code != exitYes {
		t.Fatalf("new: %d %s", code, out)
	}
	return strings.TrimSpace(strings.TrimPrefix(out, "game="))
}

// rewrite changes what stands in a file: each old text becomes the new one
// behind it.
func rewrite(t *testing.T, file string, oldnew ...string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, []byte(strings.NewReplacer(oldnew...).Replace(string(b))), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestTwoServersReal is TestTwoServers between Dovecot and Postfix.
func TestTwoServersReal(t *testing.T) {
	d := peers.StartDovecot(t, "/", serverUser, "beacon", "alpha", "beta")
	x := peers.StartPostfix(t, d)
	g, addr := passOn(t, x.SMTPAddr, func(name string) bool { return !slices.Contains(must, name) }, serverUser, "beacon")
	twoServers(t, g, 2, func(account, player, other string) (*program, *person) {
		config := writePlace(t, d, x)
		rewrite(t, config, x.SMTPAddr, addr, `tls = "starttls"`, `tls = "none"`, `"`+serverUser, `"`+account)
		p := &place{program: start(t, "serve", "-config", config), dovecot: d, postfix: x, config: config}
		p.begin(t, player, other)
		return p.program, p.guest(t, player)
	})
}

// TestVacation plays against Dovecot's Sieve vacation. It writes nothing to
// letters that say a machine wrote them; where a gateway takes that out it
// answers each, and what it writes is known by its header and not answered.
func TestVacation(t *testing.T) {
	d := peers.StartDovecot(t, "/", serverUser, "ann", "bob")
	x := peers.StartPostfix(t, d)
	d.Sieve(t, x, "bob", `require ["vacation", "vacation-seconds"]; vacation :seconds 0 "I am away until December.";`)
	var strips atomic.Bool
	_, addr := passOn(t, x.SMTPAddr, func(name string) bool {
		return strips.Load() && (name == "auto-submitted" || strings.HasPrefix(name, "list-") || strings.HasPrefix(name, "x-"))
	}, "bob")
	config := writePlace(t, d, x)
	rewrite(t, config, x.SMTPAddr, addr, `tls = "starttls"`, `tls = "none"`)
	p := &place{program: start(t, "serve", "-config", config), dovecot: d, postfix: x, config: config}
	p.begin(t, "ann", "bob")
	ann, bob := p.guest(t, "ann"), p.guest(t, "bob")
	ann.until("her first letter", func(received) bool { return true })
	say := func() (machine int) {
		t.Helper()
		for i := range 3 {
			ann.ask(fmt.Sprintf("say: letter %d", i))
		}
		ann.settled()
		return strings.Count(p.said(), "kind=auto")
	}
	if n := say(); n != 0 {
		t.Errorf("the responder wrote %d letters to letters that say a machine wrote them", n)
	}
	strips.Store(true)
	say()
	for deadline := time.Now().Add(30 * time.Second); strings.Count(p.said(), "kind=auto") < 3; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the responder wrote %d letters, want one to each of three", strings.Count(p.said(), "kind=auto"))
		}
	}
	ann.settled()
	msgs := raws(t, bob)
	if len(msgs) != 7 {
		t.Errorf("%d letters to the absent, want the first and six messages: his responder was answered", len(msgs))
	}
	if n := strings.Count(p.said(), "kind=auto"); n != 3 {
		t.Errorf("the responder wrote %d letters, want 3", n)
	}
	p.stop()
}

// raws are the letters in a mailbox, as they are.
func raws(t *testing.T, p *person) (out []string) {
	t.Helper()
	p.connect()
	body := &imap.FetchItemBodySection{Peek: true}
	msgs, err := p.conn.Fetch(imap.SeqSet{imap.SeqRange{Start: 1}}, &imap.FetchOptions{BodySection: []*imap.FetchItemBodySection{body}}).Collect()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range msgs {
		out = append(out, string(m.FindBodySection(body)))
	}
	return out
}

// TestDeadMailboxes: one player's address is refused by the mail server at once,
// another's letters come back later. The addresses are marked, the organiser
// told once about each and how to mend it; the game goes on, and one comes back
// at another address.
func TestDeadMailboxes(t *testing.T) {
	d := peers.StartDovecot(t, "/", serverUser, "ann", "robert")
	x := peers.StartPostfix(t, d, "bob") // accepted, then returned; cat is refused
	config := writePlace(t, d, x)
	p := &place{program: start(t, "serve", "-config", config), dovecot: d, postfix: x, config: config}
	p.begin(t, "ann", "bob", "cat")
	ann := p.guest(t, "ann")
	bounced := regexp.MustCompile("Letters to (Player [23]) come back undelivered.* `replace Player ([23]) by bot`")
	told := func() map[string]int {
		n := map[string]int{}
		for _, l := range ann.box {
			for _, m := range bounced.FindAllStringSubmatch(flatten(l.text), -1) {
				n[m[1]]++
			}
		}
		return n
	}
	ann.until("news of both", func(received) bool { return len(told()) == 2 })
	for range 2 { // more letters that come back: nothing more is told
		ann.ask("say: are you all there?")
	}
	for deadline := time.Now().Add(30 * time.Second); strings.Count(p.said(), "kind=bounce") < 3; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d letters came back by mail, want 3", strings.Count(p.said(), "kind=bounce"))
		}
	}
	ann.settled()
	if n := told(); n["Player 2"] != 1 || n["Player 3"] != 1 {
		t.Errorf("she was told %v", n)
	}

	answers(t, ann.ask("replace Player 3 by bot"), "applied", "Player 3 is replaced by a bot")
	answers(t, ann.ask("replace Player 2 by robert@"+peers.Domain), "applied", "robert@"+peers.Domain+" was asked to take over the seat of Player 2")
	robert := p.guest(t, "robert")
	robert.wait(0, "invitation")
	n := robert.ask("join Bob")
	answers(t, n, "applied", "You have joined as Bob")
	says(t, ann.until("who is back", func(n received) bool { return strings.Contains(n.text, "takes the seat of") }), "Bob takes the seat of Player 2")
	// The game goes on, to the one and to the other.
	for range 30 {
		ann.read()
		robert.read()
		for _, x := range []*person{ann, robert} {
			if len(x.last.legal) > 0 {
				orders := x.last.example
				if len(orders) == 0 {
					orders = x.last.legal[:1]
				}
				x.ask(orders...)
			}
		}
		if v := ann.ask("status"); strings.Contains(v.text, "round 2") {
			p.stop()
			return
		}
	}
	t.Error("the game does not go on")
}
