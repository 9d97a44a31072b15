package game

import "testing"

// A hex keeps its name as long as the same side of its strip is up, so what is
// printed there is known from a time when nothing lay on it. While a card or the
// planet does, view.json tells neither comet nor icons (Q5.5c, Q5.5e).
func TestViewJSONHidesWhatIsCovered(t *testing.T) {
	covered, spes := 0, 0
	for players := 2; players <= 4; players++ {
		for n := range uint64(4) {
			g := randomGame(t, players, n)
			printed := map[string]HexJSON{}
			for at := range g.Steps() + 1 {
				then, err := g.Play.Past(at)
				if err != nil {
					t.Fatal(err)
				}
				j := NewViewJSON(then.View(0), "", g.Head.Options, g.Head.Names, at, g.Steps())
				for _, s := range j.View.Space {
					for _, h := range s.Hexes {
						switch was, known := printed[h.At]; {
						case h.Kind == "spes":
							spes++
							fallthrough
						case h.Card != nil:
							if h.Comet || h.Icons > 0 {
								t.Fatalf("%d players, game %d, line %d: %+v", players, n, at, h)
							}
							if was.Comet || was.Icons > 0 {
								covered++
							}
						case known && (was.Comet != h.Comet || was.Icons != h.Icons || was.Kind != h.Kind):
							t.Fatalf("%d players, game %d, line %d: %+v was %+v", players, n, at, h, was)
						default:
							printed[h.At] = h
						}
					}
				}
			}
		}
	}
	if covered == 0 || spes == 0 {
		t.Errorf("%d hexes with a comet or icons were covered, %d were Spes", covered, spes)
	}
}
