package order_test

import (
	"strings"
	"testing"

	"angelpost/engine/cost"
	"angelpost/engine/order"
)

// The dearest letters one can think of: each line is read for what it is, and
// once more for what it may have been meant for.
func TestWorstLetters(t *testing.T) {
	for _, part := range []string{"play ", "card 1 ", "reserve gray 2, ", "play 013 at row ", "d ", "say: x; ", "if ", "discard 1, ", "2.1 x; ", "B; ", "end; ", "buy a from ", "thanks and "} {
		for _, tail := range []string{"", "zzz 5"} {
			line := strings.Repeat(part, (order.MaxLine-len(tail))/len(part)) + tail
			for _, head := range []string{"", "say:", "plan"} {
				lines := []string{head}
				for range 1300 { // mail/letter's MaxText
					lines = append(lines, line)
				}
				cost.Within(t, func() { order.ReadLetter(lines, "Ann") })
			}
		}
	}
}
