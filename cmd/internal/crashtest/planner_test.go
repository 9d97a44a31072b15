package crashtest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/engine/game"
)

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
		logs[run] = program.Record(t, config, p.Values["game"]).Log
		p.Stop()
	}
	if len(logs[0]) < orders || len(logs[0]) != len(logs[1]) || game.LogHash(logs[0]) != game.LogHash(logs[1]) {
		t.Errorf("%d lines without kills, %d with; not the same game", len(logs[0]), len(logs[1]))
	}
}
