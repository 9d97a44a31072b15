//go:build real

package server

import (
	"strings"
	"testing"

	"angelpost/mail/peers"
)

// twoAtAPlace is a game of two at real peers, who have read their first
// letters; the first returned has to move.
func twoAtAPlace(t *testing.T) (p *place, mover, other *person) {
	t.Helper()
	p = startPlace(t, "alpha", "beta")
	var all []*person
	args := []string{"new", "-config", p.config, "-started", "-seed", strings.Repeat("5a", 32)}
	for _, name := range []string{"alpha", "beta"} {
		x := &person{client: &client{t: t, imap: p.dovecot.IMAPAddr, smtp: p.postfix.SMTPAddr, user: name, pass: peers.Password, address: name + "@" + peers.Domain}}
		args = append(args, "-player", x.address)
		all = append(all, x)
	}
	if out, code := output(t, append(args, "-organiser", all[0].address)...); code != exitYes {
		t.Fatalf("new: %d %s", code, out)
	}
	for _, x := range all {
		x.until("the first letter", func(received) bool { return true })
	}
	mover, other = all[0], all[1]
	if len(mover.last.legal) == 0 {
		mover, other = other, mover
	}
	return p, mover, other
}

// TestBoundsReal sends the monsters through Postfix and Dovecot to a daemon of
// its own.
func TestBoundsReal(t *testing.T) {
	p, mover, other := twoAtAPlace(t)
	bounds(t, p.program, mover, other, func() string { return mover.ask("status").header.Get("X-Angelpost-Step") })
	p.stop()
}
