package bot_test

import (
	"flag"
	"runtime"
	"sync"
	"testing"

	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/sim"
)

var contest = flag.Int("contest", 4, "games of TestPlannerWins at each table")

// TestPlannerWins holds that greedy beats random, and the planner greedy: at
// tables of two with the seats swapped, and alone against three, there with a
// small budget, too. A victory that two share is half a victory. -contest 1000
// measures, with -v to read it; the default, on fixed seeds, only shows that
// none has become weak.
func TestPlannerWins(t *testing.T) {
	for _, c := range []struct {
		games int
		names []string
	}{
		{*contest, []string{bot.Greedy, bot.Random}},
		{*contest, []string{bot.Planner, bot.Greedy}},
		{*contest, []string{bot.Planner, bot.Greedy, bot.Greedy, bot.Greedy}},
		{5 * *contest, []string{bot.Planner + ":500", bot.Greedy, bot.Greedy, bot.Greedy}},
	} {
		won, shared := wins(t, c.games, c.names)
		r := sim.RateOf(won, c.games)
		t.Logf("%s against %d %s: %.1f of %d games won, %d of them shared: %.1f %%, 95 %% interval %.1f to %.1f",
			c.names[0], len(c.names)-1, c.names[1], won, c.games, shared, 100*r.Share, 100*r.Low, 100*r.High)
		if won < 0.5*float64(c.games) {
			t.Errorf("that is less than half")
		}
	}
}

// wins returns how many games the first of these bots wins, at each seat in turn,
// and how many of those victories are shared.
func wins(t *testing.T, games int, names []string) (won float64, shared int) {
	var mu sync.Mutex
	var wait sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				at := i % len(names)
				seats := make([]string, len(names))
				for k, n := range names {
					seats[(k+at)%len(names)] = n
				}
				su := sim.Setup{Set: component.Default(), Options: game.Options{Players: len(names), Rules: "base", Edition: "revised"}, Bots: seats}
				r, _, err := su.Play(i, sim.Seed("contest", i))
				if err != nil {
					t.Error(err)
					continue
				}
				for _, w := range r.Winners {
					if w != at+1 {
						continue
					}
					mu.Lock()
					won += 1 / float64(len(r.Winners))
					if len(r.Winners) > 1 {
						shared++
					}
					mu.Unlock()
				}
			}
		})
	}
	for i := 1; i <= games; i++ {
		next <- i
	}
	close(next)
	wait.Wait()
	return won, shared
}
