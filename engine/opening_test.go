package engine

import (
	"testing"
	"time"
)

// TestHopelessOpening holds the cost of looking for an opening (Q3.1a) where
// ships could be moved in a great many ways and none of them helps: a star, no
// goods, and tiles that move ships. Trying them all takes seconds.
func TestHopelessOpening(t *testing.T) {
	s, err := ParsePosition(`players 3
mover 1
seat 1 ships 2
seat 1 debris 0
seat 1 resources 0
seat 1 break 2
seat 1 dice orange 0
seat 1 hand 021 061
seat 1 grid
s1 t3 t7
t11 s2 -
t15 - s3
hex b3 ships 1
hex d5 ships 1
hex c4 ships 1
hex d3 ships 1
hex b5 ships 1
`)
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now() // a watchdog, generous: it takes a millisecond in all
	for range 20 {
		if len(s.Legal(1, nil)) == 0 {
			t.Fatal("nothing is legal")
		}
		if took := time.Since(begun); took > 10*time.Second {
			t.Fatalf("it took %v", took)
		}
	}
}
