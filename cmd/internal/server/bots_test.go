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

	"angelpost/engine/game"
)

// TestPlannerPlays plays a whole game by letters against bots of two kinds that
// the server plays itself, and asks for another.
func TestPlannerPlays(t *testing.T) {
	data := t.TempDir()
	p := start(t, demoArgs(data, "-seats", "human,bot:planner:300,bot:greedy", "-seed", strings.Repeat("5a", 32))...)
	checkAnnounced(t, p.lines, []string{"human", "bot:planner:300", "bot:greedy"})
	x := seated(t, p)[0]
	x.pick = rand.New(rand.NewPCG(1, 1)).IntN
	for _, name := range []string{"Bot (planner 300)", "Bot 2"} {
		says(t, x.box[0], name)
		if body, _ := get(t, x.page); !strings.Contains(body, name) {
			t.Errorf("the page does not name %s", name)
		}
	}
	says(t, x.ask("hint"), "would write") // it thinks, too
	for deadline := time.Now().Add(5 * time.Minute); !x.over; {
		orders := x.last.example
		if x.last.result == "refused" || len(orders) == 0 {
			orders = x.last.legal[:1]
		}
		n := x.ask(orders...)
		switch {
		case n.kind == "end":
			x.over = true
		case len(n.legal) == 0: // one letter tells the player's turn and the bots'
			t.Fatalf("an answer without the next decision:\n%s", head(n.text, 30))
		case n.result == "refused" && len(orders) == 1 || time.Now().After(deadline):
			t.Fatalf("the game goes not on:\n%s", head(n.text, 30))
		}
		x.last = n
	}
	if letters := len(x.box); letters != x.n+1 {
		t.Errorf("%d letters for %d written and the first", letters, x.n)
	}

	config := filepath.Join(data, "angelpost.toml")
	bots := map[string]bool{}
	for _, l := range exported(t, config, p.values["game"]).Log {
		bots[strconv.Itoa(l.Seat)+" "+string(l.By)+" "+l.Bot] = true
	}
	if want := map[string]bool{"1 player ": true, "2 bot planner:300": true, "3 bot greedy": true}; len(bots) != 3 || !bots["1 player "] || !bots["2 bot planner:300"] || !bots["3 bot greedy"] {
		t.Errorf("the log is by %v, want %v", bots, want)
	}
	if out, code := output(t, "verify", "-all", "-config", config); code != exitYes {
		t.Errorf("verify -all: %d %s", code, out)
	}

	n := x.ask("rematch")
	answers(t, n, "applied", "A new game with the same players is set up")
	says(t, n, "Bot (planner 300)", "Bot 2")
	p.stop()
}

// exported is the record of a stored game.
func exported(t *testing.T, config, game string) (rec game.Record) {
	t.Helper()
	text, code := output(t, "export", "-config", config, game)
	if err := json.Unmarshal([]byte(text), &rec); err != nil || code != exitYes {
		t.Fatalf("export: %d %v", code, err)
	}
	return rec
}

// TestBotsThatCannotSit asks for bots that there are not, everywhere: each time
// those are named that there are.
func TestBotsThatCannotSit(t *testing.T) {
	var config string
	p := serveOn(t, "", func(path string) {
		config = path
		if out, code := output(t, "new", "-config", config, "-started", "-organiser", "alpha@"+demoDomain,
			"-player", "alpha@"+demoDomain, "-player", "bot:planner:200", "-player", "bot"); code != exitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	choices := regexp.MustCompile(`bot.*bot:greedy.*bot:planner.*bot:planner:N.*48000`)
	for _, bad := range []string{"bot:planner:999999999", "bot:random", "bot:planner:", "bot:deepblue", "bot:greedy:5"} {
		cmd := angelpost("new", "-config", config, "-player", "alpha@"+demoDomain, "-player", bad)
		if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != exitUsage || !choices.Match(out) {
			t.Errorf("new -player %s: %v %s", bad, err, out)
		}
		cmd = angelpost(demoArgs(t.TempDir(), "-seats", "human,"+bad)...)
		if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != exitUsage || !choices.Match(out) {
			t.Errorf("demo -seats human,%s: %v %s", bad, err, out)
		}
	}
	x := stranger(t, p, "alpha")
	x.until("the start", func(n received) bool { return len(n.legal) > 0 })
	for _, lines := range [][]string{{"new game", "players: bot:planner:999999999"}, {"new game", "players: bot:random"}, {"replace Bot 2 by bot:deepblue"}} {
		n := x.ask(lines...)
		if answers(t, n, "refused", "there is no bot called"); !choices.MatchString(flatten(before(n))) {
			t.Errorf("%q: the choices are not named:\n%s", lines, before(n))
		}
	}
	n := x.ask("replace Bot 2 by bot:planner:100")
	answers(t, n, "applied", "Bot 2 is replaced by a bot (planner 100)")
	says(t, n, "Bot 2 (planner 100)")
	n = x.ask("history 0")
	says(t, n, "is replaced by a bot (planner 100)")
	p.stop()
}

// TestKilledWhileAPlannerThinks kills the server again and again where a planner
// begins to think: each order is done once and answered once, and the game goes
// on as it would have without.
func TestKilledWhileAPlannerThinks(t *testing.T) {
	const orders, kills = 25, 8
	var logs [2][]game.Line
	for run, left := range []int{0, kills} {
		data := t.TempDir()
		args := demoArgs(data, "-seats", "human,bot:planner:100", "-seed", strings.Repeat("c3", 32))
		rise := func() *program {
			if t.Setenv(faultVariable, ""); left > 0 {
				t.Setenv(faultVariable, thinkPoint+":"+strconv.Itoa(1+left%2))
			}
			return start(t, args...)
		}
		p := rise()
		c := &survivor{client: demoClients(t, p, 5)[0], seat: 1, known: map[string]bool{}, sent: map[string]string{}}
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
				case <-p.done:
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
		logs[run] = exported(t, config, p.values["game"]).Log
		p.stop()
	}
	if len(logs[0]) < orders || len(logs[0]) != len(logs[1]) || game.LogHash(logs[0]) != game.LogHash(logs[1]) {
		t.Errorf("%d lines without kills, %d with; not the same game", len(logs[0]), len(logs[1]))
	}
}
