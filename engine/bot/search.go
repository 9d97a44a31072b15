package bot

import (
	"math"
	"slices"

	"angelpost/engine"
)

// A way is steps from a position on, and how what they lead to seems.
type way struct {
	steps []engine.Step
	value float32
}

// A search looks for turns of seat. What it does in the order it looks at
// things, and how far it gets with its budget, depends on nothing but the
// position, its luck and the budget.
type search struct {
	judge
	seat   engine.Seat
	turn   int // the turn that is planned
	luck   luck
	budget int  // positions it may still look at
	narrow bool // as searchNarrowly has it

	path    []engine.Step   // steps done so far
	found   []way           // the best turns it has come to, the best first
	reroll  way             // the best of those that begin with B
	kept    []engine.Step   // memory for their steps
	lists   [][]engine.Step // a legal list for each depth
	choices [][]choice      // what follow goes on with, for each depth
	states  []*engine.State // a position for each depth
	steps   []engine.Step
}

// Widths of the search.
const (
	openings = 8 // cards, with their activations, that all dice are tried with, besides no card
	detail   = 3 // choices followed at each point within an action
)

// best finds at most finalists turns from s on, the best first, and besides them
// the best that begins with B, which chance decides about.
func (q *search) best(s *engine.State) []way {
	ask := s.Asked(q.seat)
	switch {
	case ask != engine.AskTurn && ask != engine.AskA1:
		q.follow(s)
	case q.narrow:
		q.openNarrow(s)
	default:
		q.open(s)
	}
	rerolls := func(w way) bool { return w.steps[0].Kind == engine.Reroll }
	if q.reroll.steps != nil && !slices.ContainsFunc(q.found, rerolls) {
		return append(q.found, q.reroll)
	}
	return q.found
}

// finds notes the path, which leads to the end of a turn.
func (q *search) finds(value float32) {
	q.found = q.among(q.found, finalists, value)
	if q.path[0].Kind == engine.Reroll && (q.reroll.steps == nil || value > q.reroll.value) {
		q.reroll = way{q.keep(), value}
	}
}

// among adds the path to the n best ways if it is one of them, behind those that
// are as good.
func (q *search) among(list []way, n int, value float32) []way {
	i := len(list)
	for i > 0 && list[i-1].value < value {
		i--
	}
	if i == n {
		return list
	}
	return slices.Insert(list[:min(len(list), n-1)], i, way{q.keep(), value})
}

// open tries what may be done before the die, and goes on from the best of it
// with every die. With no card played it always goes on.
func (q *search) open(s *engine.State) {
	list := []way{{nil, float32(math.Inf(1))}}
	q.grow(s, 0, &list)
	for _, o := range list {
		q.after(*s, o.steps, func(engine.Step) bool { return true })
	}
}

// after goes on from what some opening steps lead to, with all steps that end
// A1 and that are wanted.
func (q *search) after(s engine.State, steps []engine.Step, wanted func(engine.Step) bool) {
	for _, st := range steps {
		s.Do(q.seat, st, &q.luck, nil)
	}
	for _, st := range slices.Clone(q.legal(&s, 0)) {
		if before(st) || !wanted(st) {
			continue
		}
		next := q.state(len(steps))
		*next = s
		q.do(next, st)
		q.path = append(append(q.path[:0], steps...), st)
		q.follow(next)
	}
}

// before tells the steps that come before the die.
func before(st engine.Step) bool { return st.Kind == engine.PlayCard || st.Kind == engine.Activate }

// grow adds the best of what cards and activations lead to from s.
func (q *search) grow(s *engine.State, depth int, list *[]way) {
	for _, st := range q.legal(s, depth) {
		if !before(st) || q.budget <= 0 {
			continue
		}
		next := q.state(depth)
		*next = *s
		q.do(next, st)
		q.path = append(q.path[:depth], st)
		*list = q.among(*list, 1+openings, q.outlook(next, q.seat))
		q.grow(next, depth+1, list)
	}
}

// A choice is a step, and how what it leads to seems.
type choice struct {
	step  engine.Step
	value float32
}

// follow goes on from a position after A1, or outside the turn, until seat has
// nothing more to choose: with all dice and actions, and within an action with
// the best few choices at each point. Once the budget is gone it follows one.
func (q *search) follow(s *engine.State) {
	if q.over(s) {
		q.finds(q.outlook(s, q.seat))
		return
	}
	depth := len(q.path)
	width := detail
	if q.narrow {
		width = narrowDetail
	}
	if ask := s.Asked(q.seat); ask == engine.AskAction || ask == engine.AskReserveFree {
		width = math.MaxInt
	}
	if q.budget <= 0 {
		width = 1
		if len(q.found) > 0 {
			return
		}
	}
	for len(q.choices) <= depth {
		q.choices = append(q.choices, nil)
	}
	list, next := q.choices[depth][:0], q.state(depth)
	for _, st := range q.legal(s, 0) {
		*next = *s
		q.do(next, st)
		list = append(list, choice{st, q.promise(next)})
	}
	q.choices[depth] = list
	if s.Asked(q.seat) == engine.AskTiles {
		q.appraise(s, list)
	}
	slices.SortStableFunc(list, func(a, b choice) int { return down(a.value, b.value) })
	for _, c := range list[:min(len(list), width)] {
		*next = *s
		next.Do(q.seat, c.step, &q.luck, nil)
		q.path = append(q.path[:depth], c.step)
		q.follow(next)
	}
	q.path = q.path[:depth]
}

// keep is a copy of the path.
func (q *search) keep() []engine.Step {
	if cap(q.kept)-len(q.kept) < len(q.path) {
		q.kept = make([]engine.Step, 0, 1024+len(q.path))
	}
	n := len(q.kept)
	q.kept = append(q.kept, q.path...)
	return q.kept[n:len(q.kept):len(q.kept)]
}

// promise is how a position within the turn seems. A narrow search looks at the
// player's own prospects alone: the others' hardly change before the turn's end.
func (q *search) promise(s *engine.State) float32 {
	if q.narrow {
		sky := s.Sky()
		return q.expect(s, &sky, q.seat)
	}
	return q.outlook(s, q.seat)
}

// appraise values what Discover may take. Tiles count only once they are
// injected: each is tried alone, where it fits best, and a set is worth what its
// tiles are.
func (q *search) appraise(s *engine.State, list []choice) {
	before := q.promise(s)
	var worth [engine.LastTile + 1]float32
	var taken, next engine.State
	for _, c := range list {
		if c.step.Tiles[0] == 0 || c.step.Tiles[1] != 0 {
			continue
		}
		taken = *s
		taken.Do(q.seat, c.step, &q.luck, nil)
		top := float32(math.Inf(-1))
		for _, st := range q.legal(&taken, 0) {
			next = taken
			q.do(&next, st)
			top = max(top, q.promise(&next))
		}
		worth[c.step.Tiles[0]] = top - before
	}
	for i, c := range list {
		list[i].value = 0
		for _, t := range c.step.Tiles {
			list[i].value += worth[t]
		}
	}
}

// over reports whether seat has nothing more to choose in this turn; in solo the
// next turn is the seat's own again.
func (q *search) over(s *engine.State) bool { return !s.ToAct(q.seat) || s.Turns() != q.turn }

func (q *search) do(s *engine.State, st engine.Step) {
	q.budget--
	s.Do(q.seat, st, &q.luck, nil)
}

// state is room for a position at a depth; the next use of that depth overwrites it.
func (q *search) state(depth int) *engine.State {
	for len(q.states) <= depth {
		q.states = append(q.states, new(engine.State))
	}
	return q.states[depth]
}

// legal is what seat may do; the next call for the same depth overwrites it.
func (q *search) legal(s *engine.State, depth int) []engine.Step {
	for len(q.lists) <= depth {
		q.lists = append(q.lists, make([]engine.Step, 0, 128))
	}
	q.lists[depth] = s.Legal(q.seat, q.lists[depth][:0])
	return q.lists[depth]
}

// down orders by value, the largest first.
func down(a, b float32) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}
