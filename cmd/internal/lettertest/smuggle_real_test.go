//go:build real

package lettertest

import (
	"fmt"
	"regexp"
	"testing"

	"angelpost/cmd/internal/mailclient"
)

// TestSmuggledLetterReal does the same by Postfix and Dovecot.
func TestSmuggledLetterReal(t *testing.T) {
	p, mover, other := twoAtAPlace(t)
	step := mover.Last.Header.Get("X-Angelpost-Step")
	for n, end := range smugglers {
		smuggle(t, p.Postfix.SMTPAddr, other.Address, mover.Address, mailclient.AddressIn(t, mover.Last), mover.Last.Legal[0], end)
		// Delivered in their order, or nearly: when the server has taken the sender's
		// letter, and then the mover has their answer, nothing of it is on its way. The
		// sender gets few answers to letters that bear another player's token.
		p.Says(regexp.MustCompile(fmt.Sprintf(`(?s)(message_id=\d+\.%s .*?){%d}`, regexp.QuoteMeta(other.Address), n+1)))
		if a := mover.Ask("status"); a.Header.Get("X-Angelpost-Step") != step {
			t.Fatalf("%q: a smuggled letter moved the game from %s to %s", end, step, a.Header.Get("X-Angelpost-Step"))
		}
	}
	p.Stop()
}
