//go:build real

package main

import "testing"

// TestSmuggledLetterReal does the same by Postfix and Dovecot.
func TestSmuggledLetterReal(t *testing.T) {
	p, mover, other := twoAtAPlace(t)
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
