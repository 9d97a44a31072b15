package engine_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
)

// Any player with a turn to come can plan it at any moment, from what they alone
// see.
func TestAsIf(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 9))
	tried, none, owed := 0, 0, 0
	for n := range 8 {
		src := engine.NewChance([32]byte{byte(n)}, "")
		o := engine.Options{Players: 1 + n%4, Advanced: n >= 4}
		if o.Players == 1 {
			o.Hal = 1
		}
		s, err := engine.New(component.Default(), o, src, nil)
		if err != nil {
			t.Fatal(err)
		}
		for step := 0; !s.Finished(); step++ {
			for seat := engine.Seat(1); int(seat) <= 1+n%4; seat++ {
				v := s.Project(seat)
				as, ok := s.AsIf(seat)
				if ok != v.TurnToCome() {
					t.Fatalf("seat %d has a turn to come: %v, as it sees it %v", seat, ok, !ok)
				}
				if !ok {
					none++
					continue
				}
				if step%7 != 0 {
					continue
				}
				tried++
				seen := as.Project(seat)
				if seen.Seat != seat || seen.Decision == engine.NoDecision || seen.Round < v.Round || seen.Round > v.Round+1 {
					t.Fatalf("seat %d would play round %d of %d, asked %s", seat, seen.Round, v.Round, seen.Decision)
				}
				if seen.Decision != engine.AskTurn {
					owed++
				}
				legal := as.Legal(seat, nil)
				if len(legal) == 0 || !reflect.DeepEqual(seen.Legal(nil), legal) {
					t.Fatalf("seat %d: %d legal, seen otherwise", seat, len(legal))
				}
				if !reflect.DeepEqual(v.Players, seen.Players) || !reflect.DeepEqual(v.Strips, seen.Strips) || !reflect.DeepEqual(v.Locs, seen.Locs) || !reflect.DeepEqual(v.Display, seen.Display) {
					t.Fatalf("seat %d sees another board", seat)
				}
				for range 60 {
					legal := as.Legal(seat, nil)
					if len(legal) == 0 {
						break
					}
					if err := as.Apply(seat, legal[rnd.IntN(len(legal))], src, nil); err != nil {
						t.Fatal(err)
					}
				}
			}
			acting := s.Project(0).ToAct
			seat := acting[rnd.IntN(len(acting))]
			legal := s.Legal(seat, nil)
			if err := s.Apply(seat, legal[rnd.IntN(len(legal))], src, nil); err != nil {
				t.Fatal(err)
			}
		}
		if _, ok := s.AsIf(1); ok {
			t.Error("a turn after the end")
		}
	}
	if tried < 400 || none == 0 || owed == 0 {
		t.Errorf("%d tried, %d without a turn, %d owed something: too few", tried, none, owed)
	}
}
