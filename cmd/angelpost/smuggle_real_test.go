//go:build real

package main

import (
	"strings"
	"testing"

	"angelpost/mail/peers"
)

// TestSmuggledLetterReal does the same by Postfix and Dovecot.
func TestSmuggledLetterReal(t *testing.T) {
	p := startPlace(t, "alpha", "beta")
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
		x.until("the first letter", func(notice) bool { return true })
	}
	mover, other := all[0], all[1]
	if len(mover.last.legal) == 0 {
		mover, other = other, mover
	}
	step := mover.last.header.Get("X-Angelpost-Step")
	for n, end := range smugglers {
		smuggle(t, p.postfix.SMTPAddr, other.address, mover.address, address(t, mover.last), mover.last.legal[0], end)
		// Delivered in their order, or nearly: when the sender has his answer, and
		// then the mover his, nothing of it is on its way.
		other.until("an answer", func(notice) bool { return len(other.box) > n+1 })
		if a := mover.ask("status"); a.header.Get("X-Angelpost-Step") != step {
			t.Fatalf("%q: a smuggled letter moved the game from %s to %s", end, step, a.header.Get("X-Angelpost-Step"))
		}
	}
	p.stop()
}
