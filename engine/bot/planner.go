package bot

import (
	"math"
	"slices"

	"angelpost/engine"
)

// DefaultNodes is the planner's usual budget for one choice, in positions searched.
// MaxNodes is the largest budget it can have.
const (
	DefaultNodes = 12_000
	MaxNodes     = 10_000_000
)

// planner thinks a whole turn ahead. It deals the hidden cards at random
// (View.Sample), searches one such position for the turns that leave it best
// placed, then tries the best of them in further deals, letting everyone play
// on greedily for a while, and takes the first step of the one that does best
// on average.
//
// At the default budget a turn, all its choices together, takes 12 to 18 ms of
// one core (Xeon, 2026, in other use besides), and one turn in a hundred more than
// 28 to 48, alone as with two to four players: BenchmarkTurn measures it.
// It won 293 of 300 games of two against greedy (97.7 %, 95 % interval 95 to 99)
// and 98.5 % of 300 alone against three (96 to 99); greedy won all of 300 against
// random. TestPlannerWins -contest measures it.
// Alone against easy Hal it ends 5 VP ahead, greedy 5 behind.
type planner struct {
	seed  uint64
	nodes int
}

const (
	finalists = 10 // turns tried in several deals
	enough    = 64 // deals that no budget goes beyond
	ahead     = 2  // turns of each player played on in a trial
)

func (b planner) Choose(v *engine.View, legal []engine.Step, step int) engine.Step {
	if len(legal) == 1 {
		return legal[0]
	}
	st, _ := b.choose(v, legal, step)
	return st
}

// choose returns the step and how many positions it searched for it.
func (b planner) choose(v *engine.View, legal []engine.Step, step int) (engine.Step, int) {
	w := b.weigh(v, step)
	if len(w.turns) == 0 { // cannot be: some turn is always found
		return legal[0], 0
	}
	return w.turns[w.best()].steps[0], w.nodes
}

// weighed are turns and how each of them did in several deals.
type weighed struct {
	deal  engine.State // in which they were found, and its luck
	luck  luck
	turns []way
	sums  []float32 // by turn, over all deals
	deals int
	nodes int // positions searched
}

// best is the turn that did best.
func (w *weighed) best() int {
	best := 0
	for i := range w.sums {
		if w.sums[i] > w.sums[best] {
			best = i
		}
	}
	return best
}

// weigh finds turns in one deal and tries the best of them in as many as the
// budget allows, one at least.
func (b planner) weigh(v *engine.View, step int) *weighed {
	if b.nodes < trialNodes {
		return b.searchNarrowly(v, step)
	}
	r := splitmix{dice(b.seed, step)}
	q := search{
		judge: judge{set: v.Set, players: v.Options.Players},
		seat:  v.Viewer, budget: b.nodes / 2,
	}
	s := v.Sample(r.next)
	q.luck, q.turn = luck(r.next()), s.Turns()
	w := &weighed{deal: s, luck: q.luck}
	w.turns = q.best(&s)
	w.sums = make([]float32, len(w.turns))
	q.budget += b.nodes / 2
	for ; len(w.turns) > 0 && (w.deals == 0 || q.budget > 0 && w.deals < enough); w.deals++ {
		s := v.Sample(r.next)
		q.luck = luck(r.next())
		for i := range w.turns {
			w.sums[i] += q.trial(s, w.turns[i].steps)
		}
	}
	w.nodes = b.nodes/2*2 - q.budget
	return w
}

// trial estimates a position after a turn and what follows. If a step of the turn is not
// legal in this deal, it goes on with what seems best.
func (q *search) trial(s engine.State, steps []engine.Step) float32 {
	for !q.over(&s) {
		legal := q.legal(&s, 0)
		if len(steps) > 0 && slices.Contains(legal, steps[0]) {
			q.do(&s, steps[0])
			steps = steps[1:]
			continue
		}
		steps = nil
		var best engine.State
		top := float32(math.Inf(-1))
		for _, st := range legal {
			next := s
			q.do(&next, st)
			if o := q.outlook(&next, q.seat); o > top {
				best, top = next, o
			}
		}
		s = best
	}
	g := greedy{uint64(q.luck)}
	for n, end := 0, s.Turns()+ahead*max(q.players, 2); !s.Finished() && s.Turns() < end; n++ {
		seat := engine.Seat(1)
		for !s.ToAct(seat) {
			seat++
		}
		q.steps = s.Legal(seat, q.steps[:0])
		q.budget -= len(q.steps)
		s.Do(seat, q.steps[g.choose(&s, q.set, seat, q.steps, n)], &q.luck, nil)
	}
	return q.outlook(&s, q.seat)
}

// splitmix is SplitMix64.
type splitmix struct{ state uint64 }

func (r *splitmix) next() uint64 {
	r.state++
	return dice(r.state, 0)
}

// luck is the chance of one deal; it implements engine.Random.
type luck uint64

// Draw is draw k of a stream.
func (l *luck) Draw(s engine.Stream, k uint32) uint64 { return dice(uint64(*l)^uint64(s)<<56, int(k)) }
