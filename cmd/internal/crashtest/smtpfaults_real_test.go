//go:build real

package crashtest

import (
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestMailServerFails runs the server against a mail server that stalls, cuts or
// refuses for now at each verb, for half a minute: the others' letters flow
// meanwhile, it is not hammered, and once it is well again everything is
// delivered, once; again, the same bytes, only if the acknowledgment was lost.
// It takes as long as a letter's first pause, a minute; all cases at once.
func TestMailServerFails(t *testing.T) {
	const lasts = 30 * time.Second
	for _, c := range []struct {
		verb, how string
		all       bool // the fault is the server's, not one recipient's
	}{
		{"greet", "cut", true}, {"greet", "stall", true}, {"greet", "421 not now", true}, {"ehlo", "421 not now", true}, {"mail", "451 not now", true}, {"mail", "cut", true},
		{"rcpt", "450 not now", false}, {"rcpt", "421 not now", false}, {"rcpt", "cut", false}, {"rcpt", "stall", false},
		{"data", "451 not now", false}, {"data", "421 not now", false}, {"data", "cut", false}, {"body", "cut", false}, {"body", "stall", false},
		{"dot", "451 not now", false}, {"dot", "421 not now", false}, {"dot", "cut", false}, {"dot", "stall", false}, {"dot", "taken, cut", false},
	} {
		t.Run(c.verb+"/"+c.how, func(t *testing.T) {
			t.Parallel()
			host := program.MailFor(t, append([]string{program.Account}, program.Accounts...)...)
			r := &rough{to: host.SMTPAddr(), verb: c.verb, how: c.how}
			if !c.all {
				r.victim = "beta@" + program.Domain
			}
			began := time.Now()
			p := program.ServeAt(t, host, program.Account, startRough(t, r), "", func(config string) {
				if out, code := program.Output(t, "new", "-config", config, "-started", "-organiser", "alpha@"+program.Domain, "-seed", strings.Repeat("5a", 32), "-name", "First flight",
					"-player", "alpha@"+program.Domain, "-player", "beta@"+program.Domain, "-player", "gamma@"+program.Domain); code != program.ExitYes {
					t.Fatalf("new: %d %s", code, out)
				}
			})
			alpha, beta, gamma := mailclient.Stranger(t, p, "alpha"), mailclient.Stranger(t, p, "beta"), mailclient.Stranger(t, p, "gamma")
			letters := 3
			if !c.all { // the others' letters flow
				any := func(mailclient.Received) bool { return true }
				alpha.Until("his first letter", any)
				gamma.Until("his first letter", any)
				for time.Since(began) < lasts {
					alpha.Ask("status")
					letters++
					time.Sleep(5 * time.Second)
				}
			}
			time.Sleep(time.Until(began.Add(lasts)))
			if beta.Read(); len(beta.Box) > 0 && c.how != "taken, cut" {
				t.Errorf("the letter came through a server that fails")
			}
			r.mu.Lock()
			r.broken = false
			// Every letter has a pause of a minute after a try; a server that is
			// down is asked after 5, 10, 20 seconds by each of two workers.
			if most := 2; c.all && r.failed > 8 || !c.all && r.failed > most || r.failed == 0 {
				t.Errorf("it failed %d times in half a minute", r.failed)
			}
			if r.connections > 8+letters {
				t.Errorf("%d connections for %d letters", r.connections, letters)
			}
			t.Logf("%d failures, %d connections, %d letters", r.failed, r.connections, letters)
			r.mu.Unlock()
			for _, x := range []*mailclient.Person{alpha, beta, gamma} {
				want := 1
				if x == beta && c.how == "taken, cut" {
					want = 2
				}
				for deadline := time.Now().Add(4 * time.Minute); len(x.Box) < want; time.Sleep(100 * time.Millisecond) {
					if x.Read(); time.Now().After(deadline) {
						t.Fatalf("nothing came to %s when all was well again", x.Address)
					}
				}
			}
			for _, x := range []*mailclient.Person{alpha, beta, gamma} {
				x.Settled()
			}
			p.Stop()
			r.mu.Lock()
			defer r.mu.Unlock()
			twice := 0
			for id, n := range r.copies {
				switch {
				case n == 2 && c.how == "taken, cut":
					twice++
				case n != 1 || strings.Contains(id, " "):
					t.Errorf("%s was taken %d times", id, n)
				}
			}
			if (twice == 1) != (c.how == "taken, cut") {
				t.Errorf("%d letters came twice", twice)
			}
			if n := len(r.taken); n != letters+6 {
				t.Errorf("%d letters, want %d", n, letters+6)
			}
		})
	}
}
