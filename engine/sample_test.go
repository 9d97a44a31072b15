package engine_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
)

// TestSample holds samples to what they promise: the rules' own checks pass,
// every viewer sees in a sample of their View just that View again, and a game
// goes on from it.
func TestSample(t *testing.T) {
	set := component.Default()
	for players := 1; players <= 4; players++ {
		r := rand.New(rand.NewPCG(uint64(players), 7))
		for game := range 4 {
			var seed [32]byte
			for i := range seed {
				seed[i] = byte(r.Uint32())
			}
			src := engine.NewChance(seed, "")
			options := engine.Options{Players: players, Advanced: game%2 == 1, First: game > 1}
			if players == 1 {
				options.Hal = engine.Standard
			}
			s, err := engine.New(set, options, src, nil)
			if err != nil {
				t.Fatal(err)
			}
			for n := 0; !s.Finished(); n++ {
				for seat := engine.Seat(1); n%4 == game && int(seat) <= players; seat++ {
					v := s.Project(seat)
					one := v.Sample(r.Uint64)
					if err := engine.Check(&one); err != nil {
						t.Fatalf("a sample of seat %d's view: %v", seat, err)
					}
					if again := one.Project(seat); !reflect.DeepEqual(v, again) {
						t.Fatalf("seat %d sees in a sample something else than it saw", seat)
					}
				}
				for seat := engine.Seat(1); int(seat) <= players; seat++ {
					if legal := s.Legal(seat, nil); len(legal) > 0 {
						s.Do(seat, legal[r.IntN(len(legal))], src, nil)
						break
					}
				}
			}
		}
	}
}
