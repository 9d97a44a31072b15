package order_test

import (
	"testing"

	"angelpost/engine/order"
)

// A letter as people write it, with a friendly sentence and a signature.
func BenchmarkReadLetter(b *testing.B) {
	lines := []string{"Hi all,", "", "sorry it took so long, I was away over the weekend. Here is my turn:", "", "card 013 at row 2: 2.1, 2.3 resource", "die gray 0 flip: command", "launch to b4", "",
		"Good luck everyone, and nice move, Beta!", "", "Best regards", "Anna Alpha", "+49 170 123 45 67"}
	b.ReportAllocs()
	for b.Loop() {
		order.ReadLetter(lines, "Anna Alpha")
	}
}
