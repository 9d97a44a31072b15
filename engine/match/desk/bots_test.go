package desk_test

import (
	"strings"
	"testing"

	"angelpost/engine/match/turns"
)

func TestSeatBot(t *testing.T) {
	for asked, want := range map[string]string{
		"bot": "greedy", "bot:greedy": "greedy", "bot:planner": "planner", "bot:planner:12000": "planner",
		"bot:planner:1": "planner:1", "bot:planner:0500": "planner:500", "bot:planner:48000": "planner:48000",
		"bot:planner:48001": "", "bot:planner:0": "", "bot:planner:-1": "", "bot:planner:99999999999999999999": "", "bot:planner:": "",
		"bot:planner:1e3": "", "bot:random": "", "bot:": "", "": "", "planner": "", "greedy": "", "botplanner": "", "planner:500": "",
		"bot:bot:planner": "", "bot:Planner": "",
	} {
		got, err := turns.ReadBot(asked)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%q: %q, %v; want %q", asked, got, err, want)
		}
		if err != nil && !strings.Contains(err.Error(), "bot:planner:N with N from 1 to 48000") {
			t.Errorf("%q: the choices are not named: %v", asked, err)
		}
	}
}
