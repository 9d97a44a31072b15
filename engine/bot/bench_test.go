package bot

import (
	"testing"

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
