package server

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/engine/game"
)

// TestPlannerPlays plays a whole game by letters against bots of two kinds that
// the server plays itself, and asks for another.
func TestPlannerPlays(t *testing.T) {
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
	mailclient.Says(t, x.Ask("hint"), "would write") // it thinks, too
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
	for _, l := range exported(t, config, p.Values["game"]).Log {
		bots[strconv.Itoa(l.Seat)+" "+string(l.By)+" "+l.Bot] = true
	}
	if want := map[string]bool{"1 player ": true, "2 bot planner:300": true, "3 bot greedy": true}; len(bots) != 3 || !bots["1 player "] || !bots["2 bot planner:300"] || !bots["3 bot greedy"] {
		t.Errorf("the log is by %v, want %v", bots, want)
	}
	if out, code := program.Output(t, "verify", "-all", "-config", config); code != exitYes {
		t.Errorf("verify -all: %d %s", code, out)
	}

	n := x.Ask("rematch")
	mailclient.Answers(t, n, "applied", "A new game with the same players is set up")
	mailclient.Says(t, n, "Bot (planner 300)", "Bot 2")
	p.Stop()
}

// exported is the record of a stored game.
func exported(t *testing.T, config, game string) (rec game.Record) {
	t.Helper()
	text, code := program.Output(t, "export", "-config", config, game)
	if err := json.Unmarshal([]byte(text), &rec); err != nil || code != exitYes {
		t.Fatalf("export: %d %v", code, err)
	}
	return rec
}

// TestBotsThatCannotSit asks for bots that there are not, everywhere: each time
// those are named that there are.
func TestBotsThatCannotSit(t *testing.T) {
	var config string
	p := program.ServeOn(t, "", func(path string) {
		config = path
		if out, code := program.Output(t, "new", "-config", config, "-started", "-organiser", "alpha@"+demoDomain,
			"-player", "alpha@"+demoDomain, "-player", "bot:planner:200", "-player", "bot"); code != exitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	choices := regexp.MustCompile(`bot.*bot:greedy.*bot:planner.*bot:planner:N.*48000`)
	for _, bad := range []string{"bot:planner:999999999", "bot:random", "bot:planner:", "bot:deepblue", "bot:greedy:5"} {
		cmd := program.Command("new", "-config", config, "-player", "alpha@"+demoDomain, "-player", bad)
		if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != exitUsage || !choices.Match(out) {
			t.Errorf("new -player %s: %v %s", bad, err, out)
		}
		cmd = program.Command(program.DemoArgs(t.TempDir(), "-seats", "human,"+bad)...)
		if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != exitUsage || !choices.Match(out) {
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
	mailclient.Answers(t, n, "applied", "Bot 2 is replaced by a bot (planner 100)")
	mailclient.Says(t, n, "Bot 2 (planner 100)")
	n = x.Ask("history 0")
	mailclient.Says(t, n, "is replaced by a bot (planner 100)")
	p.Stop()
}

// TestKilledWhileAPlannerThinks kills the server again and again where a planner
// begins to think: each order is done once and answered once, and the game goes
// on as it would have without.
func TestKilledWhileAPlannerThinks(t *testing.T) {
	const orders, kills = 25, 8
	var logs [2][]game.Line
	for run, left := range []int{0, kills} {
		data := t.TempDir()
		args := program.DemoArgs(data, "-seats", "human,bot:planner:100", "-seed", strings.Repeat("c3", 32))
		rise := func() *program.Process {
			if t.Setenv(program.FaultVariable, ""); left > 0 {
				t.Setenv(program.FaultVariable, program.ThinkPoint+":"+strconv.Itoa(1+left%2))
			}
			return program.Start(t, args...)
		}
		p := rise()
		c := &survivor{Client: mailclient.DemoClients(t, p, 5)[0], seat: 1, known: map[string]bool{}, sent: map[string]string{}}
		answered := func() int {
			b, err := os.ReadFile(filepath.Join(data, "log"))
			if err != nil {
				t.Fatal(err)
			}
			return strings.Count(string(b), "outcome=answered")
		}
		for deadline := time.Now().Add(3 * time.Minute); len(c.done) < orders; {
			c.silent = len(c.queue) == orders
			if !c.turn() {
				time.Sleep(10 * time.Millisecond)
			}
			for answered() < len(c.queue) { // or killed; it must not be spoken to meanwhile
				select {
				case <-p.Done:
					if left == 0 {
						t.Fatal("it ended by itself")
					}
					left--
					p = rise()
					c.meet(p)
				case <-time.After(5 * time.Millisecond):
				}
				if time.Now().After(deadline) {
					t.Fatalf("%d orders are sent, %d answered; %d kills are left", len(c.queue), answered(), left)
				}
			}
		}
		if left > 0 {
			t.Errorf("%d kills are left", left)
		}
		config := filepath.Join(data, "angelpost.toml")
		logs[run] = exported(t, config, p.Values["game"]).Log
		p.Stop()
	}
	if len(logs[0]) < orders || len(logs[0]) != len(logs[1]) || game.LogHash(logs[0]) != game.LogHash(logs[1]) {
		t.Errorf("%d lines without kills, %d with; not the same game", len(logs[0]), len(logs[1]))
	}
}
