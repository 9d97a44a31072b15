package scorer

import (
	"cmp"
	"math/big"
	"slices"
	"testing"

	"angelpost/engine/league"
)

// A duel is a match of a knock-out.
type duel struct {
	n       int
	players []int64 // the higher in the draw first
	legs    []*league.Fixture
}

// holder is who has a player's place now.
func holder(d *league.Division, p int64) int64 {
	for range d.Left {
		for _, g := range d.Left {
			if g.Player == p && g.To != 0 {
				p = g.To
				break
			}
		}
	}
	return p
}

// bracket are the points of a knock-out, and who goes on from its last round.
func bracket(s *league.State, d *league.Division) (points map[int64]*big.Rat, on []int64) {
	x := &s.Seasons[d.Season-1]
	r := x.Rules
	points = map[int64]*big.Rat{}
	last := 0
	for _, f := range d.Fixtures {
		last = max(last, f.Round)
	}
	draw := d.Players
	for round := 1; round <= last; round++ {
		in := seated(d, round)
		after := seated(d, round+1)
		duels := matches(d, round, placed(d, draw, in))
		on = nil
		dealt := make([]int64, len(in)+len(d.Players)) // the draw of the next round
		for _, m := range duels {
			order, fit, over := decided(d, r, m, round < last || !x.Running())
			if !over {
				continue
			}
			advance := len(order)
			switch {
			case len(duels) == 1:
				advance = 1
			case len(order) > 1:
				advance = min(r.Advance, len(order)-1)
			}
			advance = min(advance, fit)
			for i, p := range order {
				worth := new(big.Rat)
				if i < fit {
					worth = ratio(int64(len(order)-1-i), int64(len(order)))
				}
				if i < advance && round == last || slices.Contains(after, p) || i < advance && gone(d, p) {
					worth = ratio(1, 1)
				}
				if points[p] == nil {
					points[p] = new(big.Rat)
				}
				points[p] = plus(points[p], worth)
				if i < advance {
					on = append(on, p)
					at := slices.Index(placed(d, draw, in), m.players[i])
					if r.Table == 2 {
						at = m.n - 1
					}
					dealt[at] = p
				}
			}
		}
		draw = slices.DeleteFunc(dealt, func(p int64) bool { return p == 0 })
	}
	return points, slices.DeleteFunc(on, func(p int64) bool { return gone(d, p) })
}

// needed holds that no round follows a final, and that no game of a match is left out before
// the match is decided, but where a ruling has changed it since.
func needed(t testing.TB, s *league.State, d *league.Division) {
	t.Helper()
	ruled := func(f *league.Fixture) bool {
		return slices.ContainsFunc(s.Rulings, func(r league.Ruling) bool { return s.Of(r.Game) == f || r.Fixture == f.ID })
	}
	for round, more := 1, true; more; round++ {
		all := matches(d, round, d.Players)
		if more = len(seated(d, round+1)) > 0; more && len(all) == 1 {
			t.Fatalf("a round follows the final, round %d", round)
		}
		for _, m := range all {
			_, _, over := decided(d, s.Seasons[d.Season-1].Rules, m, false)
			if !over && slices.ContainsFunc(m.legs, func(f *league.Fixture) bool { return f.Unneeded }) && !slices.ContainsFunc(m.legs, ruled) {
				t.Fatalf("match %d of round %d is not decided, and a game is left out", m.n, round)
			}
		}
	}
}

func gone(d *league.Division, p int64) bool {
	return slices.ContainsFunc(d.Left, func(g league.Gone) bool { return g.Player == p })
}

// seated returns the players of a round, and those with a bye.
func seated(d *league.Division, round int) (in []int64) {
	for _, f := range d.Fixtures {
		if f.Round != round || f.Leg > 1 {
			continue
		}
		for _, p := range slices.Concat(f.Players, f.Absent) {
			in = append(in, holder(d, p))
		}
	}
	return in
}

// placed returns the players of a round in the order of its draw. Players who took part but
// would not be in the draw now come last.
func placed(d *league.Division, draw, in []int64) (out []int64) {
	for _, p := range slices.Concat(draw, in) {
		if p = holder(d, p); slices.Contains(in, p) && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// matches are those of a round.
func matches(d *league.Division, round int, draw []int64) (all []duel) {
	for _, f := range d.Fixtures {
		if f.Round != round {
			continue
		}
		i := slices.IndexFunc(all, func(m duel) bool { return m.n == f.Match })
		if i < 0 {
			i = len(all)
			all = append(all, duel{n: f.Match})
			for _, p := range slices.Concat(f.Players, f.Absent) {
				all[i].players = append(all[i].players, holder(d, p))
			}
			slices.SortFunc(all[i].players, func(a, b int64) int { return slices.Index(draw, a) - slices.Index(draw, b) })
		}
		all[i].legs = append(all[i].legs, f)
	}
	return all
}

// decided is a match's players, who did best first, how many of them can go on, and whether
// it is decided.
func decided(d *league.Division, r *league.Rules, m duel, past bool) (order []int64, fit int, over bool) {
	points, vp := map[int64]*big.Rat{}, map[int64]int64{}
	tried, fits := map[int64]bool{}, map[int64]bool{}
	for _, p := range m.players {
		points[p] = new(big.Rat)
	}
	open := 0
	for _, f := range m.legs {
		switch {
		case f.Bye:
			return m.players, len(m.players), true
		case f.Void:
			continue
		case f.Result == nil:
			open++
			continue
		}
		all := chairs(f)
		t := table{all, r.Points[len(all)]}
		t.ranked(false)
		for i, c := range t.chairs {
			p := holder(d, c.who)
			tried[p] = true
			if c.idle || c.left && finisher(f.Result.Seats[i]) != p {
				continue
			}
			c.share, c.left = ratio(1, 1), false
			points[p], vp[p], fits[p] = plus(points[p], t.pointsOf(c)), vp[p]+c.vp, true
		}
	}
	out := func(p int64) int64 {
		if tried[p] && !fits[p] {
			return 1
		}
		return 0
	}
	order = slices.Clone(m.players)
	slices.SortStableFunc(order, func(a, b int64) int {
		return cmp.Or(cmp.Compare(out(a), out(b)), points[b].Cmp(points[a]), cmp.Compare(vp[b], vp[a]))
	})
	for _, p := range order {
		fit += 1 - int(out(p))
	}
	if len(order) == 2 && points[order[0]].Cmp(plus(points[order[1]], ratio(int64(open*r.Points[2][0]), 1))) > 0 {
		open = 0
	}
	return order, fit, open == 0 || past
}

// finisher is who had a seat at the end; 0: a bot.
func finisher(x league.Seat) (who int64) {
	for _, p := range x.Parts {
		if p.Player != 0 && !p.Left {
			who = p.Player
		}
	}
	return who
}
