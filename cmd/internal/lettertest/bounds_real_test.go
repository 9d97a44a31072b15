//go:build real

package lettertest

import (
	"strings"
	"testing"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/mail/peers"
)

// twoAtAPlace is a game of two at real peers, who have read their first
// letters; the first returned has to move.
func twoAtAPlace(t *testing.T) (p *mailclient.Place, mover, other *mailclient.Person) {
	t.Helper()
	p = mailclient.StartPlace(t, "alpha", "beta")
	var all []*mailclient.Person
	args := []string{"new", "-config", p.ConfigFile, "-started", "-seed", strings.Repeat("5a", 32)}
	for _, name := range []string{"alpha", "beta"} {
		x := &mailclient.Person{Client: &mailclient.Client{T: t, IMAP: p.Dovecot.IMAPAddr, SMTP: p.Postfix.SMTPAddr, User: name, Pass: peers.Password, Address: name + "@" + peers.Domain}}
		args = append(args, "-player", x.Address)
		all = append(all, x)
	}
	if out, code := program.Output(t, append(args, "-organiser", all[0].Address)...); code != program.ExitYes {
		t.Fatalf("new: %d %s", code, out)
	}
	for _, x := range all {
		x.Until("the first letter", func(mailclient.Received) bool { return true })
	}
	mover, other = all[0], all[1]
	if len(mover.Last.Legal) == 0 {
		mover, other = other, mover
	}
	return p, mover, other
}

// TestBoundsReal sends the monsters through Postfix and Dovecot to a daemon of
// its own.
func TestBoundsReal(t *testing.T) {
	p, mover, other := twoAtAPlace(t)
	bounds(t, p.Process, mover, other, func() string { return mover.Ask("status").Header.Get("X-Angelpost-Step") })
	p.Stop()
}
