//go:build real

package server

import (
	"fmt"
	"regexp"
	"testing"
)

// TestSmuggledLetterReal does the same by Postfix and Dovecot.
func TestSmuggledLetterReal(t *testing.T) {
	p, mover, other := twoAtAPlace(t)
	step := mover.last.header.Get("X-Angelpost-Step")
	for n, end := range smugglers {
		smuggle(t, p.postfix.SMTPAddr, other.address, mover.address, address(t, mover.last), mover.last.legal[0], end)
		// Delivered in their order, or nearly: when the server has taken the sender's
		// letter, and then the mover has their answer, nothing of it is on its way. The
		// sender gets few answers to letters that bear another player's token.
		p.says(regexp.MustCompile(fmt.Sprintf(`(?s)(message_id=\d+\.%s .*?){%d}`, regexp.QuoteMeta(other.address), n+1)))
		if a := mover.ask("status"); a.header.Get("X-Angelpost-Step") != step {
			t.Fatalf("%q: a smuggled letter moved the game from %s to %s", end, step, a.header.Get("X-Angelpost-Step"))
		}
	}
	p.stop()
}
