package templates

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/turns"
	"angelpost/templates/words"
)

// plannedAt is the page of a plan at an address below "/plan/".
func plannedAt(t *testing.T, g *game.Game, seat engine.Seat, path string) (*PlanPage, *turns.Plan) {
	t.Helper()
	at := ReadPlan(path)
	plan, err := turns.PlanIn(g, seat, at.Lines)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	p := &Page{Frame: Frame{Catalogue: words.English()}, Voice: words.English().For(component.Default(), seat, g.Head.Names), Game: "test", Names: g.Head.Names, View: plan.View}
	return NewPlan(p, plan, at, "/home", "angel@play.example"), plan
}

// A player who touches pieces only, whichever they touch, is never refused, sees what they
// have touched, and comes to the end of the turn.
func TestTurnsByTouch(t *testing.T) {
	touched, begun, other, chosen := 0, 0, 0, 0
	for name, o := range map[string]game.Options{
		"base":     {Players: 3, Rules: "base", Edition: "revised"},
		"advanced": {Players: 2, Rules: "advanced", Edition: "first"},
		"alone":    {Players: 1, Rules: "advanced", Edition: "revised", Hal: "standard"},
	} {
		o.RulesVersion, o.Set = game.RulesVersion, component.DefaultName
		rnd := rand.New(rand.NewPCG(6, uint64(o.Players)))
		for n := byte(0); n < 6; {
			g, err := game.New(component.Default(), game.Header{Game: "test", Options: o, Names: []string{"Ada", "Bo", "Cy"}[:o.Players], Seed: [32]byte{n}})
			if err != nil {
				t.Fatal(err)
			}
			for n++; !g.Finished(); {
				acting := g.Play.ToAct()
				seat := acting[rnd.IntN(len(acting))]
				if rnd.IntN(8) == 0 {
					at := "/plan/"
					for n := 0; ; n++ {
						x, plan := plannedAt(t, g, seat, strings.TrimPrefix(at, "/plan/"))
						if x.refused != nil || n > 100 {
							t.Fatalf("%s: %s is refused, at %d", name, at, n)
						}
						if len(x.touches) == 0 {
							if len(plan.Options) > 0 {
								t.Fatalf("%s: nothing to touch at %s", name, at)
							}
							break
						}
						if n == 0 { // the player's own page leads to the same
							own := *x.Page
							own.Plan, own.Legal = "./key/plan/", game.LegalOrders(plan.View)
							links := own.Touches()
							for key, link := range links {
								if link.Href != own.Plan+x.touches[key].Href {
									t.Fatalf("%s: %q leads from the page to %q, from the plan to %q", name, key, link.Href, x.touches[key].Href)
								}
							}
							if len(links) != len(x.touches) {
								t.Fatalf("%s: the page has %d links, the plan %d", name, len(links), len(x.touches))
							}
						}
						keys := make([]string, 0, len(x.touches))
						labels := map[string]string{}
						for _, key := range slices.Sorted(maps.Keys(x.touches)) {
							link, _ := x.Touch(key)
							if !link.Other {
								keys = append(keys, key)
							} else {
								other++
							}
							if was := labels[link.Label]; link.Label == "" || was != "" && was != link.Href {
								t.Fatalf("%s: %q at %s is called %q, as is %s", name, key, at, link.Label, was)
							}
							labels[link.Label] = link.Href
						}
						key := keys[rnd.IntN(len(keys))]
						base, _ := url.Parse("http://x" + at)
						to, err := base.Parse(x.touches[key].Href)
						if err != nil || !strings.HasPrefix(to.Path, "/plan/") {
							t.Fatalf("%s: %q at %s leads to %v (%v)", name, key, at, to, err)
						}
						at = to.Path
						touched++
						after, plan := plannedAt(t, g, seat, strings.TrimPrefix(at, "/plan/"))
						if strings.HasSuffix(at, "~/") {
							begun++
							if len(plan.Text()) > 0 && strings.Contains(fmt.Sprint(plan.Text()), "~") || after.mail != "" && strings.Contains(after.mail, "~") {
								t.Fatalf("%s: %s sends a beginning: %q", name, at, plan.Text())
							}
						}
						if after.Chosen(key) > 0 {
							chosen++
						} else if !strings.HasPrefix(key, "choice ") {
							t.Fatalf("%s: %q was touched at %s, and is not chosen", name, key, at)
						}
					}
				}
				legal := g.View(seat).Legal(nil)
				if _, err := g.Do(seat, game.ByPlayer, legal[rnd.IntN(len(legal))]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	t.Logf("%d pieces touched, %d began an order, %d could begin another, %d were marked", touched, begun, other, chosen)
	if touched < 200 || begun < 50 || other < 100 || chosen < 150 {
		t.Error("too little is tried")
	}
}

// The line under a game's name names the one it waits for once.
func TestStatusNamesOnce(t *testing.T) {
	g := playGame(t, 3, 500, func(g *game.Game) bool {
		v := g.View(0)
		return v.Round == 3 && v.Asked == engine.AskTurn && len(v.ToAct) == 1
	})
	v := g.View(0)
	p := &Page{Frame: Frame{Catalogue: words.English()}, Voice: words.English().For(component.Default(), 0, g.Head.Names), Names: g.Head.Names, View: v}
	if who, said := p.Name(v.Seat), p.Status(); strings.Count(said, who) != 1 || strings.Contains(said, "  ") {
		t.Errorf("waiting for %s: %q", who, said)
	}
}
