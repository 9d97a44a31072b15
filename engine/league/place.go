package league

import (
	"fmt"
	"slices"
	"time"
)

// place returns the divisions of a season that begins now, nil if there are too few
// players; then next is when there will be more, if some have joined too late.
func (s *State) place(now time.Time) (plans []Plan, next time.Time) {
	r := s.Rules
	waits, least := r.Close, r.Least
	if at, _ := s.opens(); at.IsZero() { // it begins when it is full
		waits = 0
	}
	if !s.starts.IsZero() {
		waits, least = 0, r.Table
	}
	order := s.order()
	known := map[int64]bool{}
	for _, p := range order {
		known[p] = true
	}
	var late []int64
	for _, p := range s.byJoined() {
		switch at := p.Joined.Add(waits); {
		case known[p.ID] || p.Silent():
		case at.After(now):
			next = earliest(next, at)
		default:
			late = append(late, p.ID)
		}
	}
	n := len(s.Seasons) + 1
	if r.Placement == "lot" {
		late = shuffled(late, derive(s.secret(n), "place"))
	}
	order = append(order, late...)
	if len(order) < least {
		return nil, next
	}
	if r.Kind != Divisions {
		return []Plan{{Players: order}}, next
	}
	sizes := r.sizes(len(order))
	order = s.moved(order, sizes)
	schedules := r.schedules(sizes)
	for i, size := range sizes {
		plan := Plan{Players: order[:size:size]}
		// Numbers in the schedule are drawn at random, so that the same players do not meet in
		// the same order every season.
		drawn := shuffled(plan.Players, derive(s.secret(n), fmt.Sprintf("division/%d", i+1)))
		plan.Tables = seat(drawn, schedules[size])
		plans, order = append(plans, plan), order[size:]
	}
	return plans, next
}

// order returns the players of the last season who are still there, from the top, in their
// order for the next season.
func (s *State) order() []int64 {
	x := s.Season()
	if x == nil {
		return nil
	}
	// Of a division: players who come down, then those who come up, then those who
	// stay. So where a player who left makes room above, the best of those who would
	// go down stay; where there is too little, the last of those who would stay go.
	levels := make([][3][]int64, len(x.Divisions)+1)
	for i, d := range x.Divisions {
		for _, row := range s.ranked(x.N, d.N) {
			p := s.Player(row.Player)
			switch {
			case row.Left || !p.In() || p.Silent():
			case row.Move == Down:
				levels[i+1][0] = append(levels[i+1][0], p.ID)
			case row.Move == Up:
				levels[i-1][1] = append(levels[i-1][1], p.ID)
			default:
				levels[i][2] = append(levels[i][2], p.ID)
			}
		}
	}
	var order []int64
	for _, level := range levels {
		order = append(order, slices.Concat(level[:]...)...)
	}
	return order
}

// sizes returns the sizes of the divisions of n players: as in the file, except the lowest,
// which has from half to one and a half times its size.
func (r *Rules) sizes(n int) []int {
	var sizes []int
	for n > 0 {
		want := r.Size(len(sizes) + 1)
		switch {
		case n >= want:
			sizes = append(sizes, want)
			n -= want
		case len(sizes) == 0 || 2*n >= want && n >= r.Table:
			return append(sizes, n)
		default:
			sizes[len(sizes)-1] += n
			return sizes
		}
	}
	return sizes
}
