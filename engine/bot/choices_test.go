package bot_test

import (
	"fmt"
	"testing"

	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/match"
	"angelpost/engine/sim"
)

// TestPlannerChoices holds the planner's choices to what they were when the
// component sets were tuned with it: the logs of whole games, by their hash. What
// makes it faster must not make it play otherwise.
func TestPlannerChoices(t *testing.T) {
	for _, c := range []struct {
		players        int
		rules, edition string
		nodes          int
		hash           string
	}{
		{1, "base", "revised", 4000, "054dd03129d71ddb911473a82ef9b7c2f4b85358ebb5f76bd53c0ac83357e8d5"},
		{1, "advanced", "revised", 500, "80c1c8d2fe659c986d4802e8dcd1ab5e4120a579fb8e35da47e5f719d90bc9e2"},
		{2, "base", "revised", 4000, "4f1527f400597fbf12fb5879c662d450768505502b27eaf77817c404b570aa29"},
		{2, "advanced", "revised", 500, "b423ea65fe71d1131d7fa6751671c0d2408a064fefdf64210fd8d4b19199d5b4"},
		{3, "base", "first", 500, "6a4d99f3aba65869141b9f7a5781a1f7df78a007503e8ec8a53dc0e8e5929e27"},
		{3, "advanced", "revised", 500, "75a89dae6093cf9f0d320ab510f310bbb5ae2a6bc8ff261dab2fd475b7e89298"},
		{4, "advanced", "first", 500, "7d0542a5e8a88aa96204c5c7312d7c2557258679ce476a62f8f4a2fdffd385bb"},
		{4, "base", "revised", 4000, "2d1207d93a6a30fb118ee05e96434329adb9dda974c4679fd7000c94c0d12ec2"},
	} {
		su := sim.Setup{Set: component.BuiltIn(component.OldestName).Set, Options: match.Options{Players: c.players, Rules: c.rules, Edition: c.edition}}
		if c.players == 1 {
			su.Options.Hal = "hard"
		}
		for range c.players {
			su.Bots = append(su.Bots, fmt.Sprintf("%s:%d", bot.Planner, c.nodes))
		}
		r, _, err := su.Play(1, sim.Seed("choices", c.players))
		if err != nil {
			t.Fatal(err)
		}
		if r.LogHash != c.hash {
			t.Errorf("%d players, %s, %s, %d nodes: log %s, want %s", c.players, c.rules, c.edition, c.nodes, r.LogHash, c.hash)
		}
	}
}
