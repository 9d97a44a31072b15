package bot

import (
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"angelpost/engine"
	"angelpost/engine/component"
)

// BenchmarkPlanner is the planner's choice at the start of each turn of a
// two-player game between greedy bots, at the default budget.
func BenchmarkPlanner(b *testing.B) {
	var views []*engine.View
	src := engine.NewChance([32]byte{1}, "")
	s, err := engine.New(component.Default(), engine.Options{Players: 2}, src, nil)
	if err != nil {
		b.Fatal(err)
	}
	for n := 0; !s.Finished(); n++ {
		seat := engine.Seat(1)
		for !s.ToAct(seat) {
			seat++
		}
		v := s.Project(seat)
		if v.Decision == engine.AskTurn {
			views = append(views, v)
		}
		s.Do(seat, greedy{}.Choose(v, v.Legal(nil), n), src, nil)
	}
	var looked int
	for i := 0; b.Loop(); i++ {
		v := views[i%len(views)]
		_, n := planner{1, DefaultNodes}.choose(v, v.Legal(nil), i)
		looked += n
	}
	b.ReportMetric(float64(looked)/b.Elapsed().Seconds(), "nodes/s")
}

// BenchmarkTurn is a planner's whole turn at the default budget, all its
// choices together, in games that planners play: the processor time that the
// process takes for it, its median and the one that 1 turn in 100 exceeds. With
// -benchtime 400x every run and every build takes the same 400 turns.
func BenchmarkTurn(b *testing.B) {
	for _, o := range []engine.Options{
		{Players: 1, Hal: engine.Hard}, {Players: 1, Hal: engine.Hard, Advanced: true},
		{Players: 2}, {Players: 2, Advanced: true},
		{Players: 3}, {Players: 3, Advanced: true},
		{Players: 4}, {Players: 4, Advanced: true},
	} {
		rules := "base"
		if o.Advanced {
			rules = "advanced"
		}
		b.Run(fmt.Sprintf("%d-%s", o.Players, rules), func(b *testing.B) { turns(b, o) })
	}
}

func turns(b *testing.B, o engine.Options) {
	var (
		s      engine.State
		src    engine.Random
		game   byte
		step   int
		times  []float64 // ms
		looked int
		used   time.Duration
		took   [engine.MaxPlayers]float64 // of each seat's turn in progress, ms
		bot    = planner{1, DefaultNodes}
	)
	deal := func() {
		var err error
		if s, err = engine.New(component.Default(), o, engine.NewChance([32]byte{2, game}, ""), nil); err != nil {
			b.Fatal(err)
		}
		src, step, took = engine.NewChance([32]byte{2, game}, ""), 0, [engine.MaxPlayers]float64{}
		game++
	}
	deal()
	// play goes on until some seat's turn is over, what it owes afterwards
	// included: until that seat's next begins.
	play := func() {
		for ; ; step++ {
			if s.Finished() {
				deal()
			}
			seat := engine.Seat(1)
			for !s.ToAct(seat) {
				seat++
			}
			v := s.Project(seat)
			if v.Decision == engine.AskTurn && took[seat-1] > 0 {
				times, took[seat-1] = append(times, took[seat-1]), 0
				return
			}
			legal := v.Legal(nil)
			st := legal[0]
			if len(legal) > 1 {
				from := processor()
				var n int
				st, n = bot.choose(v, legal, step)
				d := processor() - from
				looked, used, took[seat-1] = looked+n, used+d, took[seat-1]+d.Seconds()*1000
			}
			s.Do(seat, st, src, nil)
		}
	}
	for b.Loop() {
		play()
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2], "ms/turn-p50")
	b.ReportMetric(times[len(times)*99/100], "ms/turn-p99")
	b.ReportMetric(times[len(times)-1], "ms/turn-max")
	b.ReportMetric(float64(looked)/used.Seconds(), "nodes/s")
}

// processor is the processor time that the process has taken.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
