package obey

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"angelpost/engine/match/unit"
	"angelpost/engine/order"
)

// rememberSigned is for how long we recognise a signature: counters are kept for as long.
const rememberSigned = 40 * 24 * time.Hour

// familiar clears the doubt from orders next to a signature that no list has but that earlier
// letters from the same writer had, too. Counters keep its hash, not its words.
func familiar(u *unit.Unit, l *order.Letter) error {
	if len(l.Strange) == 0 {
		return nil
	}
	known := true
	for _, key := range l.Strange {
		sum := sha256.Sum256([]byte(key))
		counter := "signed/" + u.Command.From + "/" + hex.EncodeToString(sum[:8])
		n, err := u.Tx.Sum(counter, u.At.Add(-rememberSigned).Format(time.DateOnly), u.Day())
		if err != nil {
			return err
		}
		known = known && n > 0
		u.Bump(counter, u.Day())
	}
	if known {
		l.Familiar()
	}
	return nil
}
