package crashtest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestStalledRecipients serves games in which thirty players' mail server stalls:
// the others' letters come, at first and later, also those to the same domain; and
// the server, told to stop, has charged no letter with a try that it broke off,
// and has logged no error.
func TestStalledRecipients(t *testing.T) {
	for _, verb := range []string{"rcpt", "dot"} {
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			host := program.MailFor(t, append([]string{program.Account}, program.Accounts...)...)
			r := &rough{to: host.SMTPAddr(), verb: verb, how: "stall", victim: "stalls", stall: time.Minute}
			var config string
			began := time.Now()
			p := program.ServeAt(t, host, program.Account, startRough(t, r), "", func(c string) {
				config = c
				for game := range 10 {
					args := []string{"new", "-config", config, "-started", "-organiser", "alpha@" + program.Domain}
					for seat := range 3 {
						domain := program.Domain
						if game%2 == 1 {
							domain = fmt.Sprintf("d%d.example", game)
						}
						args = append(args, "-player", fmt.Sprintf("stalls%d@%s", 3*game+seat, domain))
					}
					if out, code := program.Output(t, append(args, "-player", []string{"alpha", "beta"}[game%2]+"@"+program.Domain)...); code != program.ExitYes {
						t.Fatalf("new: %d %s", code, out)
					}
				}
			})
			alpha, beta := mailclient.Stranger(t, p, "alpha"), mailclient.Stranger(t, p, "beta")
			for _, x := range []*mailclient.Person{alpha, beta} {
				x.Until("all letters at the start", func(mailclient.Received) bool { return len(x.Box) >= 5 })
			}
			for range 5 {
				alpha.Ask("status")
				beta.Ask("status")
			}
			r.mu.Lock()
			failed, most := r.failed, r.most
			r.mu.Unlock()
			// They stall for a minute: as long as there are thirty, none was tried twice.
			if failed != 30 && time.Since(began) < r.stall {
				t.Errorf("the mail server stalled for %d recipients, want 30", failed)
			}
			if most > 40 {
				t.Errorf("%d connections at once", most)
			}
			p.Stop()
			store := program.Ledger(t, filepath.Join(filepath.Dir(config), "games.toml"))
			defer store.Close()
			tried := program.Column(t, store, "SELECT text || ' ' || tries || ' ' || error FROM out JOIN texts ON texts.id = address WHERE state = 1 AND tries > 0")
			if len(tried) > 0 && time.Since(began) < r.stall {
				t.Errorf("letters broken off count as tried: %q", tried)
			}
			if n := len(program.Column(t, store, "SELECT id FROM out WHERE state = 1")); n != 30 {
				t.Errorf("%d letters wait, want 30", n)
			}
			for line := range strings.Lines(p.Said()) {
				if strings.Contains(line, "ERROR") {
					t.Errorf("logged: %s", line)
				}
			}
		})
	}
}
