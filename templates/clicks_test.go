package templates

import (
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
)

// TestClicks counts the clicks of turns with a card and a die, planned from 200 positions
// of random games: from the planner's first page to the link that sends the letter. The
// card, its slot, the die, what it does, where the ship goes and the letter take 6 in the
// median; tiles, cubes, Mission cards and what they activate are details.
func TestClicks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(16, 2))
	var main, all []int
	for n := byte(0); len(all) < 200; n++ {
		o := game.Options{Players: 2 + int(n)%3, Rules: []string{"base", "advanced"}[n%2], Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName}
		g, err := game.New(component.Default(), game.Header{Game: "test", Options: o, Names: []string{"Ada", "Bo", "Cy", "Di"}[:o.Players], Seed: [32]byte{n}})
		if err != nil {
			t.Fatal(err)
		}
		for !g.Finished() {
			acting := g.Play.ToAct()
			seat := acting[rnd.IntN(len(acting))]
			v := g.View(seat)
			legal := v.Legal(nil)
			cards := slices.ContainsFunc(legal, func(s engine.Step) bool { return s.Kind == engine.PlayCard })
			if v.Decision == engine.AskTurn && cards && rnd.IntN(4) == 0 {
				if m, a, ok := clicks(t, g, seat, rnd); ok {
					main, all = append(main, m), append(all, a)
				}
			}
			if _, err := g.Do(seat, game.ByPlayer, legal[rnd.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	slices.Sort(main)
	slices.Sort(all)
	t.Logf("%d turns: %d clicks in the median and %d at most; with details %d and %d", len(all), main[len(main)/2], main[len(main)-1], all[len(all)/2], all[len(all)-1])
	if main[len(main)/2] > 6 {
		t.Errorf("a turn takes %d clicks in the median", main[len(main)/2])
	}
}

// clicks plans a turn that begins with a card, touching pieces at random, and counts the
// clicks without details and with them. ok is false where the plan ends before a die is
// used.
func clicks(t *testing.T, g *game.Game, seat engine.Seat, rnd *rand.Rand) (main, all int, ok bool) {
	at := "/plan/"
	for {
		x, _ := plannedAt(t, g, seat, strings.TrimPrefix(at, "/plan/"))
		var keys []string
		for _, key := range slices.Sorted(maps.Keys(x.touches)) {
			if link := x.touches[key]; !link.Other && !strings.HasSuffix("/"+link.Href, "/B/#told") && (at != "/plan/" || strings.HasPrefix(link.Href, "card_")) {
				keys = append(keys, key)
			}
		}
		if len(keys) == 0 {
			return main + 1, all + 1, ok // the letter
		}
		base, _ := url.Parse("http://x" + at)
		to, err := base.Parse(x.touches[keys[rnd.IntN(len(keys))]].Href)
		if err != nil {
			t.Fatal(err)
		}
		at = to.Path
		all++
		last := at[strings.LastIndex(strings.TrimSuffix(at, "/"), "/")+1:]
		word, _, _ := strings.Cut(strings.Trim(last, "/~"), "_")
		switch word {
		case "card", "die", "flip", "boost", "ship", "launch":
			main++
		case "discover", "command", "repair", "destroy", "mission":
			main++
			ok = true
		}
	}
}
