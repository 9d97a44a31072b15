package lettertest

import (
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestPlannerPlays plays a whole game by letters against bots of two kinds that
// the server plays itself, and asks for another.
func TestPlannerPlays(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := program.Start(t, program.DemoArgs(data, "-seats", "human,bot:planner:300,bot:greedy", "-seed", strings.Repeat("5a", 32))...)
	program.CheckAnnounced(t, p.Lines, []string{"human", "bot:planner:300", "bot:greedy"})
	x := mailclient.Seated(t, p)[0]
	x.Pick = rand.New(rand.NewPCG(1, 1)).IntN
	for _, name := range []string{"Bot (planner 300)", "Bot 2"} {
		mailclient.Says(t, x.Box[0], name)
		if body, _ := mailclient.Get(t, x.Page); !strings.Contains(body, name) {
			t.Errorf("the page does not name %s", name)
		}
	}
	mailclient.Says(t, x.Ask("hint"), "Our bot suggests") // it thinks, too
	for deadline := time.Now().Add(5 * time.Minute); !x.Over; {
		orders := x.Last.Example
		if x.Last.Result == "refused" || len(orders) == 0 {
			orders = x.Last.Legal[:1]
		}
		n := x.Ask(orders...)
		switch {
		case n.Kind == "end":
			x.Over = true
		case len(n.Legal) == 0: // one letter tells the player's turn and the bots'
			t.Fatalf("an answer without the next decision:\n%s", mailclient.Head(n.Text, 30))
		case n.Result == "refused" && len(orders) == 1 || time.Now().After(deadline):
			t.Fatalf("the game goes not on:\n%s", mailclient.Head(n.Text, 30))
		}
		x.Last = n
	}
	if letters := len(x.Box); letters != x.N+1 {
		t.Errorf("%d letters for %d written and the first", letters, x.N)
	}

	config := filepath.Join(data, "angelpost.toml")
	bots := map[string]bool{}
	for _, l := range program.Record(t, config, p.Values["game"]).Log {
		bots[strconv.Itoa(l.Seat)+" "+string(l.By)+" "+l.Bot] = true
	}
	if want := map[string]bool{"1 player ": true, "2 bot planner:300": true, "3 bot greedy": true}; len(bots) != 3 || !bots["1 player "] || !bots["2 bot planner:300"] || !bots["3 bot greedy"] {
		t.Errorf("the log is by %v, want %v", bots, want)
	}
	if out, code := program.Output(t, "verify", "-all", "-config", config); code != program.ExitYes {
		t.Errorf("verify -all: %d %s", code, out)
	}

	n := x.Ask("rematch")
	mailclient.Answers(t, n, "applied", "A new game with the same players is set up")
	mailclient.Says(t, n, "Bot (planner 300)", "Bot 2")
	p.Stop()
}

// TestBotsThatCannotSit asks for bots that there are not, everywhere: each time
// those are named that there are.
func TestBotsThatCannotSit(t *testing.T) {
	t.Parallel()
	var config string
	p := program.ServeOn(t, "", func(path string) {
		config = path
		if out, code := program.Output(t, "new", "-config", config, "-started", "-organiser", "alpha@"+program.Domain,
			"-player", "alpha@"+program.Domain, "-player", "bot:planner:200", "-player", "bot"); code != program.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	choices := regexp.MustCompile(`bot.*bot:greedy.*bot:planner.*bot:planner:N.*48000`)
	for _, bad := range []string{"bot:planner:999999999", "bot:random", "bot:planner:", "bot:deepblue", "bot:greedy:5"} {
		cmd := program.Command("new", "-config", config, "-player", "alpha@"+program.Domain, "-player", bad)
		if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != program.ExitUsage || !choices.Match(out) {
			t.Errorf("new -player %s: %v %s", bad, err, out)
		}
		cmd = program.Command(program.DemoArgs(t.TempDir(), "-seats", "human,"+bad)...)
		if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != program.ExitUsage || !choices.Match(out) {
			t.Errorf("demo -seats human,%s: %v %s", bad, err, out)
		}
	}
	x := mailclient.Stranger(t, p, "alpha")
	x.Until("the start", func(n mailclient.Received) bool { return len(n.Legal) > 0 })
	for _, lines := range [][]string{{"new game", "players: bot:planner:999999999"}, {"new game", "players: bot:random"}, {"replace Bot 2 by bot:deepblue"}} {
		n := x.Ask(lines...)
		if mailclient.Answers(t, n, "refused", "there is no bot called"); !choices.MatchString(mailclient.Flatten(mailclient.NewsOf(n))) {
			t.Errorf("%q: the choices are not named:\n%s", lines, mailclient.NewsOf(n))
		}
	}
	n := x.Ask("replace Bot 2 by bot:planner:100")
	mailclient.Answers(t, n, "applied", "A bot (planner 100) has replaced Bot 2")
	mailclient.Says(t, n, "Bot 2 (planner 100)")
	n = x.Ask("history 0")
	mailclient.Says(t, n, "a bot (planner 100) replaces")
	p.Stop()
}
