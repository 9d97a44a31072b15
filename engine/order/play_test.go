package order_test

import (
	"math/rand/v2"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/order"
)

// In whole games of two to four players every listed step prints as a line of
// its own, is read back as itself, and is what the forgiving reader finds for
// that line among all that is legal there.
func TestEveryListedStepOfRandomGames(t *testing.T) {
	set := component.Default()
	kinds := map[engine.Kind]bool{}
	lists := 0
	for game := range 60 {
		players := 2 + game%3
		rng := rand.New(rand.NewPCG(uint64(game), 7))
		chance := engine.NewChance([32]byte{byte(game)}, "")
		var tale engine.Tale
		s, err := engine.New(set, engine.Options{Players: players}, chance, &tale)
		if err != nil {
			t.Fatal(err)
		}
		names := []string{"Ann", "Bob", "Zoë", "Card 13"}[:players]
		var legal []engine.Step
		for !s.Finished() {
			var seat engine.Seat
			for n := engine.Seat(1); int(n) <= players; n++ {
				if s.ToAct(n) && (seat == 0 || rng.IntN(3) == 0) {
					seat = n
				}
			}
			if seat == 0 {
				t.Fatalf("game %d: nobody can decide", game)
			}
			legal = s.Legal(seat, legal[:0])
			if len(legal) == 0 {
				t.Fatalf("game %d: seat %d has nothing legal", game, seat)
			}
			lists++
			lines := map[string]bool{}
			ctx := order.Context{Names: names}
			if lists%2 == 0 {
				ctx.View = s.Project(seat)
			}
			for _, step := range legal {
				line := order.Print(step)
				if back, err := order.Parse(line); err != nil || back != step {
					t.Fatalf("game %d: %q of %+v is read as %+v, %v", game, line, step, back, err)
				}
				if lines[line] {
					t.Fatalf("game %d: %q is listed twice", game, line)
				}
				lines[line] = true
				if lists%2 != 0 {
					continue
				}
				kinds[step.Kind] = true
				cs := order.Expand(line)
				if len(cs) != 1 {
					t.Fatalf("game %d: %q is %d clauses", game, line, len(cs))
				}
				found, p := order.Match(cs[0], legal, ctx)
				if p != nil || len(found) != 1 || found[0] != step {
					t.Fatalf("game %d: %q is matched to %s, %v", game, line, prints(found), p)
				}
			}
			s.Do(seat, legal[rng.IntN(len(legal))], chance, &tale)
		}
		for _, e := range tale.Events {
			for viewer := engine.Seat(0); int(viewer) <= players; viewer++ {
				cut := e.For(viewer)
				line, ok := order.Told(cut)
				if e.New() && (!ok || line == "") {
					t.Fatalf("game %d: %+v is new and told as %q", game, e, line)
				}
			}
		}
	}
	for k := engine.Discard; k <= engine.Reserve; k++ {
		if !kinds[k] && k != engine.Keep && k != engine.Decline { // advanced rules; rare at random
			t.Errorf("no step of kind %d was listed in %d lists", k, lists)
		}
	}
}
