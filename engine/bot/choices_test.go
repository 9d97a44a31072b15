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
		{2, "advanced", "revised", 500, "87cb704d94836e672d936f99b49b28a3e07fb693eefd5ed5e505c2a4bc3e1090"},
		{3, "base", "first", 500, "2fb1e8b309874d2ffdff157b8f1fbabe54e85b6d1f57a92f0adb828eefbf238a"},
		{3, "advanced", "revised", 500, "b356edd7bae6d2e99b4c0a779218107643c1ca3fb0f3e4d97823294316b0adcc"},
		{4, "advanced", "first", 500, "f6f38b4c39e85d67687af8985d1e185e5354000c637a571ecda16c3dfb5690f7"},
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
