package lettertest

import (
	"bytes"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// A gateway passes letters on, those to some without some fields of their
// headers, and counts them: "from > to kind" by the local parts and
// X-Angelpost-Kind.
type gateway struct {
	to      string   // the server behind it, host:port
	between []string // whom it passes letters so, by local parts
	strip   func(name string) bool
	mu      sync.Mutex
	seen    map[string]int
}

// passOn starts a gateway before a server that takes letters in without TLS.
func passOn(t *testing.T, to string, strip func(name string) bool, between ...string) (*gateway, string) {
	t.Helper()
	g := &gateway{to: to, between: between, strip: strip, seen: map[string]int{}}
	return g, mailclient.Relay(t, g.pass)
}

func (g *gateway) pass(from, to string, raw []byte) error {
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	local := func(a string) string { s, _, _ := strings.Cut(a, "@"); return s }
	g.mu.Lock()
	g.seen[fmt.Sprintf("%s > %s %s", local(from), local(to), m.Header.Get("X-Angelpost-Kind"))]++
	g.mu.Unlock()
	head, body, _ := strings.Cut(string(raw), "\r\n\r\n")
	var kept []string
	drop := false
	for line := range strings.SplitSeq(head, "\r\n") {
		if name, _, ok := strings.Cut(line, ":"); ok && line[0] != ' ' && line[0] != '\t' {
			drop = slices.Contains(g.between, local(to)) && g.strip(strings.ToLower(name))
		}
		if !drop {
			kept = append(kept, line)
		}
	}
	return mailclient.Deliver(g.to, from, to, []byte(strings.Join(kept, "\r\n")+"\r\n\r\n"+body))
}

// count adds up what was seen of letters from one to another.
func (g *gateway) count(from, to, kind string) (n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for what, k := range g.seen {
		if strings.HasPrefix(what, from+" > "+to+" "+kind) {
			n += k
		}
	}
	return n
}

// A gateway's letters are quiet when two good answers later there are no more.
func (g *gateway) quiet(t *testing.T, of func() int, people ...*mailclient.Person) int {
	t.Helper()
	for was := -1; ; {
		n := of()
		if n == was {
			return n
		}
		if n > 100 {
			t.Fatalf("they write on and on: %v", g.seen)
		}
		was = n
		for _, p := range people {
			p.Settled()
			p.Settled()
		}
	}
}

// must are the fields that a letter cannot do without.
var must = []string{"from", "to", "subject", "date", "message-id", "reply-to", "mime-version", "content-type"}

// twoServers lets two servers whose players invited the other one write: first
// what their games cause, then five causes more for each. open starts the
// server of an account, in a game of player with other. It checks that of the
// letters between them no more than so many are answers.
func twoServers(t *testing.T, g *gateway, answers int, open func(account, player, other string) (*program.Process, *mailclient.Person)) {
	t.Helper()
	a, alpha := open(program.Account, "alpha", "beacon")
	b, beta := open("beacon", "beta", program.Account)
	for _, x := range []*mailclient.Person{alpha, beta} {
		x.Until("a letter", func(mailclient.Received) bool { return true })
	}
	between := func() int { return g.count(program.Account, "beacon", "") + g.count("beacon", program.Account, "") }
	first := g.quiet(t, between, alpha, beta)
	for i := range 5 {
		alpha.Ask(fmt.Sprintf("say: are you there? %d", i))
		beta.Ask(fmt.Sprintf("say: who is there? %d", i))
	}
	all := g.quiet(t, between, alpha, beta)
	n := g.count(program.Account, "beacon", "answer") + g.count("beacon", program.Account, "answer")
	t.Logf("%d letters after the first notices, %d after ten more causes, answers among them %d", first, all, n)
	if first < 2 || all < first+10 {
		t.Errorf("they have hardly written: %v", g.seen)
	}
	if n > answers {
		t.Errorf("%d answers of one to the other, want %d at most: %v", n, answers, g.seen)
	}
	a.Stop()
	b.Stop()
}

// TestTwoServers lets two copies of this server invite each other: they fall
// silent within two rounds, even where a gateway takes out every field by which
// one could know the other.
func TestTwoServers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		strip   func(string) bool
		answers int // of both, in all
	}{
		"as they are":         {func(string) bool { return false }, 0},
		"no Auto-Submitted":   {func(n string) bool { return n == "auto-submitted" }, 0},
		"nothing but List-Id": {func(n string) bool { return n != "list-id" && !slices.Contains(must, n) }, 0},
		"nothing at all":      {func(n string) bool { return !slices.Contains(must, n) }, 2},
	} {
		t.Run(name, func(t *testing.T) {
			host := program.MailFor(t, append([]string{program.Account, "beacon"}, program.Accounts...)...)
			g, addr := passOn(t, host.SMTPAddr(), c.strip, program.Account, "beacon")
			twoServers(t, g, c.answers, func(account, player, other string) (*program.Process, *mailclient.Person) {
				p := program.ServeAt(t, host, account, addr, "", func(config string) {
					if out, code := program.Output(t, "new", "-config", config, "-started", "-organiser", player+"@"+program.Domain, "-seed", strings.Repeat("5a", 32),
						"-name", "First flight", "-player", player+"@"+program.Domain, "-player", other+"@"+program.Domain); code != program.ExitYes {
						t.Fatalf("new: %d %s", code, out)
					}
				})
				return p, mailclient.Stranger(t, p, player)
			})
		})
	}
}

// TestResponder plays against a mailbox that answers every letter and sets no
// header that says so: each cause gets one letter from it and one of ours, then
// there is silence.
func TestResponder(t *testing.T) {
	t.Parallel()
	for name, manner := range map[string]func(n mailclient.Received) mailclient.Post{
		"to Reply-To": func(n mailclient.Received) mailclient.Post { return mailclient.Post{} },
		"to From": func(n mailclient.Received) mailclient.Post {
			return mailclient.Post{To: n.Header.Get("From"), Head: []string{"In-Reply-To: " + n.Header.Get("Message-Id")}}
		},
		"without a thread": func(n mailclient.Received) mailclient.Post { return mailclient.Post{To: n.Header.Get("From")} },
	} {
		t.Run(name, func(t *testing.T) {
			p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
			all := mailclient.Seated(t, p)
			alpha, machine := all[0], all[1]
			answered := 0
			work := func() { // until nothing comes any more
				for calm := 0; calm < 3; {
					machine.Read()
					if answered == len(machine.Box) {
						alpha.Settled()
						calm++
						continue
					}
					for calm = 0; answered < len(machine.Box); answered++ {
						n := machine.Box[answered]
						l := manner(n)
						l.Subject = "Re: " + n.Header.Get("Subject")
						if l.To != "" {
							a, err := mail.ParseAddress(l.To)
							if err != nil {
								t.Fatal(err)
							}
							l.To = a.Address
						}
						l.Body = "Dear sender,\r\n\r\nyour letter \"" + n.Header.Get("Subject") + "\" has reached me on " + time.Now().Format(time.TimeOnly) + ".\r\nI am away and shall answer in December.\r\n"
						machine.Last = n
						machine.Write(l)
					}
					if answered > 40 {
						t.Fatal("they write on and on")
					}
				}
			}
			causes := func() (causes, answers int) {
				for _, n := range machine.Box {
					if n.Kind == "answer" {
						answers++
					} else {
						causes++
					}
				}
				return causes, answers
			}
			work()
			for i := range 3 {
				alpha.Ask(fmt.Sprintf("say: letter %d", i))
				work()
			}
			c, a := causes()
			t.Logf("%d causes, %d answers", c, a)
			if c != 4 || a < 1 || a > c {
				t.Errorf("%d letters of ours were causes, want 4; %d answers, want one at most to each", c, a)
			}
			if now := mailclient.Latest(t, alpha.Page); now != 0 {
				t.Errorf("the machine moved the game to %d", now)
			}
			p.Stop()
		})
	}
}
