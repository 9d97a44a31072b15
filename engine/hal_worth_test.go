package engine

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"

	"angelpost/engine/component"
)

// TestHalIsPaid plays random solo games with the built-in set and holds that
// each thing Hal gains is worth at least 1 VP to him (R15.2, C6), a Damage cube
// that he removes (R15.8) and a good of a reward (R15.10) as much as a tile.
func TestHalIsPaid(t *testing.T) {
	var gains [HalReasons]int
	for game := range 40 {
		rng := rand.New(rand.NewPCG(16, uint64(game)))
		src := NewChance(sha256.Sum256(fmt.Appendf(nil, "paid/%d", game)), "")
		s, err := New(component.Default(), Options{Players: 1, Hal: Easy + Level(game%4), Advanced: game%2 == 1}, src, nil)
		if err != nil {
			t.Fatal(err)
		}
		var told Tale
		for !s.finished {
			legal := s.Legal(1, nil)
			told.Events = told.Events[:0]
			s.Do(1, legal[rng.IntN(len(legal))], src, &told)
			cubes := 0
			for _, e := range told.Events {
				switch {
				case e.Seat != Hal:
				case e.Kind == EvCubeRemoved:
					cubes++
				case e.Kind == EvVP:
					gains[e.Cause]++
					if e.N < 1 || e.N < int16(e.Value) {
						t.Errorf("game %d: Hal gains %d VP for %d things, reason %d", game, e.N, e.Value, e.Cause)
					}
					if e.Cause == HalDebris {
						cubes -= int(e.Value)
					}
				}
			}
			if cubes != 0 {
				t.Errorf("game %d: %d cubes that Hal removed are not paid", game, cubes)
			}
		}
	}
	for reason := HalShip; reason <= HalPrinted; reason++ {
		if gains[reason] == 0 {
			t.Errorf("Hal never gains anything for reason %d", reason)
		}
	}
}
