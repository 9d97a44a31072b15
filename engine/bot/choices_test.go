package bot_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/sim"
)

var updateChoices = flag.Bool("update-choices", false, "write testdata/choices anew: the bots are meant to play otherwise")

// TestChoices holds what the bots choose to what they chose when the component
// sets were tuned with the planner: whole games, line by line. What makes a bot
// faster must not make it play otherwise; the first choice that differs is named.
func TestChoices(t *testing.T) {
	for _, c := range []struct {
		players        int
		rules, edition string
		hal            string
		bots           []string // by seat
	}{
		{1, "base", "revised", "hard", []string{"planner:4000"}},
		{1, "advanced", "revised", "hard", []string{"planner:500"}},
		{1, "base", "first", "easy", []string{"planner:500"}},
		{1, "advanced", "revised", "extreme", []string{"planner"}},
		{1, "advanced", "first", "standard", []string{"greedy"}},
		{2, "base", "revised", "", []string{"planner:4000", "planner:4000"}},
		{2, "advanced", "revised", "", []string{"planner:500", "planner:500"}},
		{2, "base", "first", "", []string{"planner:500", "greedy"}},
		{3, "base", "first", "", []string{"planner:500", "planner:500", "planner:500"}},
		{3, "advanced", "revised", "", []string{"planner:500", "planner:500", "planner:500"}},
		{3, "base", "revised", "", []string{"greedy", "random", "greedy"}},
		{4, "advanced", "first", "", []string{"planner:500", "planner:500", "planner:500", "planner:500"}},
		{4, "base", "revised", "", []string{"planner:4000", "planner:4000", "planner:4000", "planner:4000"}},
		{4, "advanced", "revised", "", []string{"greedy", "planner:4000", "greedy", "random"}},
		{4, "base", "first", "", []string{"greedy", "greedy", "greedy", "greedy"}},
	} {
		su := sim.Setup{
			Set:     component.Default(),
			Options: game.Options{Players: c.players, Rules: c.rules, Edition: c.edition, Hal: c.hal},
			Bots:    c.bots,
		}
		words := []string{fmt.Sprint(c.players), c.rules, c.edition}
		if c.hal != "" {
			words = append(words, c.hal)
		}
		words = append(words, slices.Compact(slices.Clone(c.bots))...)
		file := filepath.Join("testdata", "choices", strings.ReplaceAll(strings.Join(words, "-"), ":", "-"))
		t.Run(strings.Join(words, " "), func(t *testing.T) {
			t.Parallel()
			_, lines, err := su.Play(1, sim.Seed("choices", c.players))
			if err != nil {
				t.Fatal(err)
			}
			var played strings.Builder
			for _, l := range lines {
				fmt.Fprintf(&played, "%d %s\n", l.Seat, l.Order)
			}
			if *updateChoices {
				if err := os.WriteFile(file, []byte(played.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			known, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, want := strings.Split(played.String(), "\n"), strings.Split(string(known), "\n")
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || got[i] != want[i] {
					t.Fatalf("%s, line %d: got %q, want %q", file, i+1, got[min(i, len(got)):min(i+1, len(got))], want[min(i, len(want)):min(i+1, len(want))])
				}
			}
		})
	}
}
