package templates

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"angelpost/engine/component"
	"angelpost/engine/game"
)

// What a phone folds is open wherever it holds a piece that may be touched, on a player's
// page and in a plan, and closed everywhere else.
func TestNothingLegalIsFolded(t *testing.T) {
	open, closed := map[string]int{}, map[string]int{}
	rnd := rand.New(rand.NewPCG(16, 16))
	for n, o := range []game.Options{
		{Players: 3, Rules: "base", Edition: "revised"},
		{Players: 2, Rules: "advanced", Edition: "first"},
		{Players: 1, Rules: "advanced", Edition: "revised", Hal: "standard"},
	} {
		o.RulesVersion, o.Set = game.RulesVersion, component.DefaultName
		g, err := game.New(component.Default(), game.Header{Game: "test", Options: o, Names: []string{"Ada", "Bo", "Cy"}[:o.Players], Seed: [32]byte{byte(n)}})
		if err != nil {
			t.Fatal(err)
		}
		for !g.Finished() {
			acting := g.Play.ToAct()
			seat := acting[rnd.IntN(len(acting))]
			if rnd.IntN(8) == 0 {
				x, plan := plannedAt(t, g, seat, "")
				own := *x.Page
				own.Plan, own.Legal = "./key/plan/", game.LegalOrders(plan.View)
				var page, planned strings.Builder
				if err := ShowPlan(x).Render(context.Background(), &planned); err != nil {
					t.Fatal(err)
				}
				if err := GamePage(&own).Render(context.Background(), &page); err != nil {
					t.Fatal(err)
				}
				for at, text := range map[string]string{"the page": page.String(), "the plan": planned.String()} {
					folds := document(t, text).Find("details.fold")
					if folds.Length() < o.Players+1 {
						t.Fatalf("%s folds %d parts", at, folds.Length())
					}
					for _, f := range folds.EachIter() {
						id, _ := f.Attr("id")
						legal := f.Find("a[data-touch]").Length()
						if _, is := f.Attr("open"); is != (legal > 0) {
							t.Fatalf("%s: %s has %d pieces to touch; it is open: %v", at, id, legal, is)
						} else if is {
							open[id]++
						} else {
							closed[id]++
						}
					}
				}
			}
			legal := g.View(seat).Legal(nil)
			if _, err := g.Do(seat, game.ByPlayer, legal[rnd.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("open: %v; closed: %v", open, closed)
	for _, id := range []string{"fold-technology", "fold-s1", "fold-s2"} {
		if open[id] == 0 || closed[id] == 0 {
			t.Errorf("%s was open %d times, closed %d times", id, open[id], closed[id])
		}
	}
	if closed["fold-scores"] == 0 {
		t.Error("no points were folded")
	}
}
