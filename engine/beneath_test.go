package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	. "angelpost/engine"
	"angelpost/engine/order"
)

// TestPropertyBeneath holds that nothing depends on what a hidden pile holds beyond what was
// drawn (R1.5, Q5.5f): with other cards there, all may do the same and a step tells the same.
func TestPropertyBeneath(t *testing.T) {
	eachGame(t, func(t *testing.T, g *randomGame, told *Tale) {
		for g.goesOn(t) {
			st := g.choose()
			if st.Kind == Place || g.s.Asked(g.seat) != AskTurn && g.rng.IntN(4) == 0 || g.rng.IntN(16) == 0 || g.players == 1 {
				if err := g.beneath(st); err != nil {
					g.fatal(t, err)
				}
			}
			g.do(st, nil)
		}
	})
}

// beneath takes a step with other cards in the hidden piles.
func (g *randomGame) beneath(st Step) error {
	after := g.s
	var told, heard Tale
	after.Do(g.seat, st, g.src, &told)
	for range 4 {
		other := g.s.Beneath(&after, told.Events, g.rng)
		for seat := Seat(1); int(seat) <= g.players; seat++ {
			if a, b := g.s.Legal(seat, nil), other.Legal(seat, nil); !slices.Equal(a, b) {
				return fmt.Errorf("what seat %d may do depends on hidden piles: %v", seat, diffSteps(a, b))
			}
		}
		heard.Events = heard.Events[:0]
		other.Do(g.seat, st, g.src, &heard)
		if !slices.Equal(told.Events, heard.Events) {
			return fmt.Errorf("%s depends on what hidden piles hold:\n%v\n%v", order.Print(st), printEvents(told.Events), printEvents(heard.Events))
		}
	}
	return nil
}

// Version 1 looks into the deck before a Ravager is drawn, which the property finds.
func TestPropertyBeneathBites(t *testing.T) {
	set := swarmSet()
	found := 0
	for n := 1; n <= 400 && found == 0; n++ {
		g := randomGame{players: 2, n: n, set: set, opt: Options{Players: 2, Version: 1}, src: NewChance([32]byte{byte(n), byte(n >> 8)}, ""), rng: rand.New(rand.NewPCG(1, uint64(n)))}
		for seat := 1; seat <= g.players; seat++ {
			g.habit[seat] = eager
		}
		var err error
		if g.s, err = New(g.set, g.opt, g.src, nil); err != nil {
			t.Fatal(err)
		}
		for g.goesOn(t) {
			st := g.choose()
			if st.Kind == Place && g.beneath(st) != nil {
				found++
			}
			g.do(st, nil)
		}
	}
	if found == 0 {
		t.Error("the rules of version 1 pass")
	}
}
