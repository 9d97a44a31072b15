package bot

import "angelpost/engine"

// A Plan is what a bot would do with a turn.
type Plan struct {
	// Steps go on from the position, at least one, up to and with the first
	// with which something new becomes known, or that ends the turn.
	Steps []engine.Step
	// Whole tells that nothing is left to decide after them. Otherwise the rest
	// depends on what becomes known.
	Whole bool
	// Lead is by how many VP the player is expected to end ahead of the others'
	// average, or Hal.
	Lead float64
	// Other is the first step of the best turn found that begins differently. Less is how
	// many VP of lead it is expected to cost, at least 0. There may be none: NoStep.
	Other engine.Step
	Less  float64
}

// An Adviser is a Bot that can tell what it would do with the turn as a whole.
// The planner is one.
type Adviser interface {
	Bot
	// Advise plans for the seat v.Viewer, which must have something to decide.
	// What it says depends on what Choose's choice depends on.
	Advise(v *engine.View, step int) Plan
}

func (b planner) Advise(v *engine.View, step int) Plan {
	w := b.weigh(v, step)
	if len(w.turns) == 0 { // cannot be: some turn is always found
		return Plan{Steps: v.Legal(nil)[:1]}
	}
	best := w.best()
	mean := func(i int) float64 { return float64(w.sums[i]) / float64(w.deals) }
	p := Plan{Lead: mean(best)}
	if v.Options.Players == 1 { // of Hal's VP only a share was counted
		j, sky := judge{set: v.Set, players: 1}, w.deal.Sky()
		p.Lead -= (1 - halShare) * float64(j.expect(&w.deal, &sky, engine.Hal))
	}
	p.Steps, p.Whole = w.known(v.Viewer, w.turns[best].steps)
	other := -1
	for i, t := range w.turns {
		if t.steps[0] != p.Steps[0] && (other < 0 || w.sums[i] > w.sums[other]) {
			other = i
		}
	}
	if other >= 0 {
		p.Other, p.Less = w.turns[other].steps[0], mean(best)-mean(other)
	}
	return p
}

// known are the steps of a turn up to what chance decides or the turn's end,
// and whether seat has nothing to decide after them: what comes later was made
// for cards and dice that are only guessed.
func (w *weighed) known(seat engine.Seat, steps []engine.Step) ([]engine.Step, bool) {
	s := w.deal
	for i, st := range steps {
		var tale engine.Tale
		s.Do(seat, st, &w.luck, &tale)
		for _, e := range tale.Events {
			if e.New() || e.Kind == engine.EvTurnEnded {
				return steps[:i+1], !s.ToAct(seat)
			}
		}
	}
	return steps, true
}
