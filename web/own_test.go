package web

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/templates/draw"
)

// TestOwnPages: a die that may be flipped shows the face that it comes to (R1.2, R4.5), a
// player with one order reads that it is the only one, and no sentence ends twice.
func TestOwnPages(t *testing.T) {
	face := map[string]uint8{"star": 0, "0": 0, "1": 1, "2": 2, "3": 3}
	label := regexp.MustCompile(`(orange|gray|green) (star|\d) to (star|\d)`)
	twoStops := regexp.MustCompile(`.{0,40}\w\.\.[^.].{0,20}`)
	color := map[string]engine.Color{"orange": engine.Orange, "gray": engine.Gray, "green": engine.Green}
	seen, onlyB := map[uint8]int{}, 0
	rnd := rand.New(rand.NewPCG(4, 5))
	for n := range byte(6) {
		g, err := game.New(component.Default(), game.Header{Game: "test", Options: game.Options{Players: 2, Rules: "base", Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName}, Names: names[:2], Seed: [32]byte{n}})
		if err != nil {
			t.Fatal(err)
		}
		s := newShelf(t, 2, 0)
		for !g.Finished() && g.Steps() < 120 {
			seat := g.View(0).ToAct[0]
			s.games["unlisted"].game = g
			_, body := get(t, handler(s), "GET", "/g/unlisted/"+keyOf(seat))
			doc, err := goquery.NewDocumentFromReader(strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			if two := twoStops.FindString(doc.Text()); two != "" {
				t.Errorf("two full stops: %q", two)
			}
			if v := g.View(seat); v.Decision == engine.AskTurn && len(v.Legal(nil)) == 1 {
				onlyB++
				if said := doc.Find(".desk").Text(); !strings.Contains(said, "All you can do is B:") || strings.Contains(said, "Play a card") {
					t.Errorf("with one order: %q", said)
				}
			}
			doc.Find("a.dg.flip").Each(func(_ int, a *goquery.Selection) {
				m := label.FindStringSubmatch(a.AttrOr("aria-label", ""))
				if m == nil {
					t.Fatalf("label %q", a.AttrOr("aria-label", ""))
				}
				want := "#" + draw.SymbolOfDie(engine.DieView{Color: color[m[1]], Value: face[m[3]]}).ID()
				if got := a.Find("use").Last().AttrOr("href", ""); got != want {
					t.Errorf("%q shows %s, not %s", m[0], got, want)
				}
				seen[face[m[2]]]++
			})
			legal := g.View(seat).Legal(nil)
			if _, err := g.Do(seat, game.ByPlayer, legal[rnd.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(seen) != 4 || onlyB == 0 {
		t.Errorf("flipped were %v; %d positions had one order", seen, onlyB)
	}
}
