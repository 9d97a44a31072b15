package order_test

import (
	"slices"
	"testing"

	"angelpost/engine/order"
)

// Lines that may be quotation are asked about if they are surely orders, and change
// nothing about the lines beside them.
func TestPerhaps(t *testing.T) {
	lines := []string{"card 013 at row 2", "?> You have 9 Resources.", "?> die gray 0 flip", "?> B", "B", "", "?> resign", "?> Ravager. Dice: orange 1, gray star, green 2."}
	got := fates(order.ReadLetter(lines), lines)
	if want := []string{"+", "", "?quoted", "", "+", "", "", ""}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	many := slices.Repeat([]string{"?> die gray 2"}, 1000)
	if n := len(order.ReadLetter(many).Items); n == 0 || n > 100 {
		t.Errorf("%d questions", n)
	}
}
