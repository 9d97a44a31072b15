//go:build real

package lettertest

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

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/mail/peers"
)

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
	d := peers.StartDovecot(t, "/", mailclient.ServerUser, "beacon", "alpha", "beta")
	x := peers.StartPostfix(t, d)
	g, addr := passOn(t, x.SMTPAddr, func(name string) bool { return !slices.Contains(must, name) }, mailclient.ServerUser, "beacon")
	twoServers(t, g, 2, func(account, player, other string) (*program.Process, *mailclient.Person) {
		config := mailclient.WritePlace(t, d, x)
		rewrite(t, config, x.SMTPAddr, addr, `tls = "starttls"`, `tls = "none"`, `"`+mailclient.ServerUser, `"`+account)
		p := &mailclient.Place{Process: program.Start(t, "serve", "-config", config), Dovecot: d, Postfix: x, ConfigFile: config}
		p.Begin(t, player, other)
		return p.Process, p.Guest(t, player)
	})
}

// TestVacation plays against Dovecot's Sieve vacation. It writes nothing to
// letters that say a machine wrote them; where a gateway takes that out it
// answers each, and what it writes is known by its header and not answered.
func TestVacation(t *testing.T) {
	d := peers.StartDovecot(t, "/", mailclient.ServerUser, "ann", "bob")
	x := peers.StartPostfix(t, d)
	d.Sieve(t, x, "bob", `require ["vacation", "vacation-seconds"]; vacation :seconds 0 "I am away until December.";`)
	var strips atomic.Bool
	_, addr := passOn(t, x.SMTPAddr, func(name string) bool {
		return strips.Load() && (name == "auto-submitted" || strings.HasPrefix(name, "list-") || strings.HasPrefix(name, "x-"))
	}, "bob")
	config := mailclient.WritePlace(t, d, x)
	rewrite(t, config, x.SMTPAddr, addr, `tls = "starttls"`, `tls = "none"`)
	p := &mailclient.Place{Process: program.Start(t, "serve", "-config", config), Dovecot: d, Postfix: x, ConfigFile: config}
	p.Begin(t, "ann", "bob")
	ann, bob := p.Guest(t, "ann"), p.Guest(t, "bob")
	ann.Until("her first letter", func(mailclient.Received) bool { return true })
	say := func() (machine int) {
		t.Helper()
		for i := range 3 {
			ann.Ask(fmt.Sprintf("say: letter %d", i))
		}
		ann.Settled()
		return strings.Count(p.Said(), "kind=auto")
	}
	if n := say(); n != 0 {
		t.Errorf("the responder wrote %d letters to letters that say a machine wrote them", n)
	}
	strips.Store(true)
	say()
	for deadline := time.Now().Add(30 * time.Second); strings.Count(p.Said(), "kind=auto") < 3; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the responder wrote %d letters, want one to each of three", strings.Count(p.Said(), "kind=auto"))
		}
	}
	ann.Settled()
	msgs := raws(t, bob)
	if len(msgs) != 7 {
		t.Errorf("%d letters to the absent, want the first and six messages: his responder was answered", len(msgs))
	}
	if n := strings.Count(p.Said(), "kind=auto"); n != 3 {
		t.Errorf("the responder wrote %d letters, want 3", n)
	}
	p.Stop()
}

// raws are the letters in a mailbox, as they are.
func raws(t *testing.T, p *mailclient.Person) (out []string) {
	t.Helper()
	p.Connect()
	body := &imap.FetchItemBodySection{Peek: true}
	msgs, err := p.Conn.Fetch(imap.SeqSet{imap.SeqRange{Start: 1}}, &imap.FetchOptions{BodySection: []*imap.FetchItemBodySection{body}}).Collect()
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
	d := peers.StartDovecot(t, "/", mailclient.ServerUser, "ann", "robert")
	x := peers.StartPostfix(t, d, "bob") // accepted, then returned; cat is refused
	config := mailclient.WritePlace(t, d, x)
	p := &mailclient.Place{Process: program.Start(t, "serve", "-config", config), Dovecot: d, Postfix: x, ConfigFile: config}
	names := program.Record(t, config, p.Begin(t, "ann", "bob", "cat")).Names
	bob, cat := names[1], names[2]
	ann := p.Guest(t, "ann")
	bounced := regexp.MustCompile("Letters to (" + bob + "|" + cat + ") bounce.* `replace (" + bob + "|" + cat + ") by bot`")
	told := func() map[string]int {
		n := map[string]int{}
		for _, l := range ann.Box {
			for _, m := range bounced.FindAllStringSubmatch(mailclient.Flatten(l.Text), -1) {
				n[m[1]]++
			}
		}
		return n
	}
	ann.Until("a letter to answer", func(n mailclient.Received) bool { return n.Header.Get("Reply-To") != "" })
	ann.Ask("say: hello, both of you") // the organiser hears of bob after the second report
	ann.Until("news of both", func(mailclient.Received) bool { return len(told()) == 2 })
	for range 2 { // more letters bounce: the organiser hears nothing more
		ann.Ask("say: are you all there?")
	}
	for deadline := time.Now().Add(30 * time.Second); strings.Count(p.Said(), "kind=bounce") < 3; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d letters came back by mail, want 3", strings.Count(p.Said(), "kind=bounce"))
		}
	}
	ann.Settled()
	if n := told(); n[bob] != 1 || n[cat] != 1 {
		t.Errorf("she was told %v", n)
	}

	mailclient.Answers(t, ann.Ask("replace "+cat+" by bot"), "applied", "A bot has replaced "+cat)
	mailclient.Answers(t, ann.Ask("replace "+bob+" by robert@"+peers.Domain), "applied", "We have invited robert@"+peers.Domain+" to take over the seat of "+bob)
	robert := p.Guest(t, "robert")
	robert.Wait(0, "invitation")
	n := robert.Ask("join Bob")
	mailclient.Answers(t, n, "applied", "You have joined as Bob")
	mailclient.Says(t, ann.Until("who is back", func(n mailclient.Received) bool { return strings.Contains(n.Text, "takes the seat of") }), "Bob takes the seat of "+bob)
	// The game goes on, to the one and to the other.
	for range 30 {
		ann.Read()
		robert.Read()
		for _, x := range []*mailclient.Person{ann, robert} {
			if len(x.Last.Legal) > 0 {
				orders := x.Last.Example
				if len(orders) == 0 {
					orders = x.Last.Legal[:1]
				}
				x.Ask(orders...)
			}
		}
		if v := ann.Ask("status"); strings.Contains(v.Text, "round 2") {
			p.Stop()
			return
		}
	}
	t.Error("the game does not go on")
}
