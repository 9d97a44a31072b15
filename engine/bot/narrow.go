package bot

import (
	"math"
	"slices"

	"angelpost/engine"
)

// trialNodes is the least budget with which a planner tries turns in further
// deals. With less a single round of trials would eat the search up: a budget
// of 500 glanced with plays better at four players than one of 4,000 did so
// divided, and thousands of games can be played with it (sim).
const trialNodes = 4000

// narrowDetail is how many choices a narrow search follows at each point within
// an action.
const narrowDetail = 4

// searchNarrowly weighs turns by one narrow search in one deal, with the whole budget.
func (b planner) searchNarrowly(v *engine.View, step int) *weighed {
	r := splitmix{dice(b.seed, step)}
	q := search{
		judge: judge{set: v.Set, players: v.Options.Players},
		seat:  v.Viewer, budget: b.nodes, narrow: true,
	}
	s := v.Sample(r.next)
	q.luck, q.turn = luck(r.next()), s.Turns()
	w := &weighed{deal: s, luck: q.luck, turns: q.best(&s), deals: 1}
	for _, t := range w.turns {
		w.sums = append(w.sums, t.value)
	}
	w.nodes = b.nodes - q.budget
	return w
}

// openNarrow goes on with every die from the way to begin that promises most,
// with a card or without, and tries what no card goes with: B, or to pass.
func (q *search) openNarrow(s *engine.State) {
	q.after(*s, nil, func(st engine.Step) bool { return !takes(st) })
	best := way{nil, float32(math.Inf(-1))}
	rest := q.budget / 2
	first := slices.Clone(q.legal(s, 0))
	if slices.ContainsFunc(first, takes) {
		best.value = q.promise(s)
	}
	for _, st := range first {
		if before(st) && q.budget > rest {
			next := *s
			q.do(&next, st)
			q.path = append(q.path[:0], st)
			q.climb(&next, &best)
		}
	}
	q.after(*s, best.steps, takes)
}

// takes tells the steps that begin A2.
func takes(st engine.Step) bool { return st.Kind == engine.TakeDie || st.Kind == engine.FlipDie }

// climb does the card's activations, at each point the one that promises most,
// and notes in best whether a die can be taken anywhere with more promise.
func (q *search) climb(s *engine.State, best *way) {
	var next, top engine.State
	for more := true; more; *s = top {
		if v := q.promise(s); v > best.value && slices.ContainsFunc(q.legal(s, 0), takes) {
			*best = way{slices.Clone(q.path), v}
		}
		most := float32(math.Inf(-1))
		var by engine.Step
		for _, st := range q.legal(s, 0) {
			if !before(st) {
				continue
			}
			next = *s
			q.do(&next, st)
			if v := q.promise(&next); v > most {
				most, top, by = v, next, st
			}
		}
		more = !math.IsInf(float64(most), -1)
		q.path = append(q.path, by)
	}
}
