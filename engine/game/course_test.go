package game

import (
	"math/rand/v2"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
)

// What the story tells of VP is what the boards show, at every line of games of
// all sizes, by source.
func TestCourseIsWhatTheBoardsShow(t *testing.T) {
	games := []*Game{soloGame(t), randomGame(t, 2, 3), randomGame(t, 3, 3), randomGame(t, 4, 3)}
	for _, g := range games {
		turns := 0
		for n := range g.Steps() + 1 {
			p, err := g.Play.Past(n)
			if err != nil {
				t.Fatal(err)
			}
			v := p.View(0)
			course := Course(p.Story(0, -1), len(v.Players))
			m := course[len(course)-1]
			if course[0].N != 0 || m.N > n {
				t.Fatalf("line %d: milestones from %d to %d", n, course[0].N, m.N)
			}
			for i := range v.Players {
				if m.By[i] != v.Players[i].By || m.VP(engine.Seat(i+1)) != v.Players[i].VP {
					t.Fatalf("%d players, line %d, seat %d: %v told, %v on the board", len(v.Players), n, i+1, m.By[i], v.Players[i].By)
				}
			}
			turns = v.Turn
		}
		course := Course(g.Story(0, -1), len(g.View(0).Players))
		if len(g.Head.Names) == 1 {
			turns /= 2 // the other half is Hal's, told with the player's
		}
		if n := len(course) - 1; n < turns {
			t.Errorf("%d milestones in %d turns", n, turns)
		}
	}
}

// soloGame plays a whole game against Hal by uniform choice.
func soloGame(t testing.TB) *Game {
	t.Helper()
	rnd := rand.New(rand.NewPCG(7, 7))
	h := Header{
		Game:    "solo",
		Options: Options{Players: 1, Rules: "base", Edition: "revised", RulesVersion: RulesVersion, Set: component.DefaultName, Hal: "standard"},
		Names:   []string{"Ada"}, Seed: [32]byte{9},
	}
	g, err := New(component.Default(), h)
	if err != nil {
		t.Fatal(err)
	}
	for !g.Finished() {
		legal := g.Play.State.Legal(1, nil)
		if _, err := g.Do(1, ByPlayer, legal[rnd.IntN(len(legal))]); err != nil {
			t.Fatal(err)
		}
	}
	return g
}
