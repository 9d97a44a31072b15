package words

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
)

// Hal's turns appear as his own: what he reveals, with which die he does what, and every VP he
// gains with its reason, so that a reader who adds them up has his score.
func TestHalsTurnsCanBeChecked(t *testing.T) {
	gains := regexp.MustCompile(`gains (\d+) VP (for|because|printed)`)
	why := regexp.MustCompile(`after (an A, looks at the upper half|a B or a pass, looks at the lower half) first`)
	for _, o := range []game.Options{{Rules: "base", Edition: "revised", Hal: "easy"}, {Rules: "advanced", Edition: "first", Hal: "extreme"}} {
		o.Players, o.RulesVersion, o.Set = 1, game.RulesVersion, component.DefaultName
		g, err := game.New(component.Default(), game.Header{Game: "solo", Options: o, Names: names[:1], Seed: [32]byte{7}})
		if err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(rand.NewPCG(3, 3))
		for !g.Finished() {
			legal := g.View(1).Legal(nil)
			if _, err := g.Do(1, game.ByPlayer, legal[rnd.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
		}
		v := English().For(component.Default(), 1, names[:1])
		vp, turns := g.Record(0).Result.Scores[1].By["start"], 0
		for _, turn := range v.Story(g.Story(1, -1)) {
			var text []string
			for _, l := range turn.Lines {
				whole(t, turn.Head, l.Text)
				text = append(text, l.Text)
				for _, m := range gains.FindAllStringSubmatch(l.Text, -1) {
					n, _ := strconv.Atoi(m[1])
					vp += n
				}
			}
			all := strings.Join(text, " ")
			if turn.Seat != engine.Hal {
				if strings.Contains(all, "Hal reveals") {
					t.Errorf("%s: %s", turn.Head, all)
				}
				continue
			}
			turns++
			if want := fmt.Sprintf("Hal, round %d", turn.Round); turn.Head != want || turn.Round != turns {
				t.Errorf("head %q, want round %d", turn.Head, turns)
			}
			switch {
			case strings.HasPrefix(all, "Hal has no dice and rolls new ones"):
			case !strings.Contains(all, "reveals card") || !why.MatchString(all):
				t.Errorf("%s: which card, which half first? %s", turn.Head, all)
			case strings.Contains(all, "because no die fits either half"):
			case !strings.Contains(all, "the highest ") || !strings.Contains(all, "uses it at location"):
				t.Errorf("%s: which die, for what? %s", turn.Head, all)
			case !strings.Contains(all, "gains "):
				t.Errorf("%s: what was it worth? %s", turn.Head, all)
			}
		}
		if want := *g.Record(0).Result.Scores[1].Final; vp != want || turns < 10 {
			t.Errorf("what is told makes %d VP in %d turns, he has %d", vp, turns, want)
		}
	}
}

// Every option has its word.
func TestOptionsAreWorded(t *testing.T) {
	for _, rules := range []string{"base", "advanced"} {
		for _, edition := range []string{"revised", "first"} {
			for level := engine.NoHal; level <= engine.Extreme; level++ {
				o := game.Options{Players: 1, Rules: rules, Edition: edition, Hal: level.String(), Set: "mine"}
				if level == engine.NoHal {
					o.Players = 3
				}
				s := English().Options(o)
				whole(t, s, s)
				for _, code := range []string{edition, level.Name(), "component set mine"} {
					if !strings.Contains(s, code) {
						t.Errorf("%q does not say %s", s, code)
					}
				}
			}
		}
	}
	if s := English().Options(game.Options{}); s != "" {
		t.Errorf("of no game: %q", s)
	}
}
