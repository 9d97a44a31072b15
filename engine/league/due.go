package league

import (
	"slices"
	"time"
)

// An Act is what is to be done now. Whoever does it adds its Line, which is
// whole but for N, and for Game where a game has to be made (Kind Begun).
type Act struct {
	Line    Line
	Fixture *Fixture // Begun: to be played
}

// Due is what is to be done now, and when to look again though no line has come
// (zero: not before one does). Acts are to be done in their order; each may
// make others due.
func (s *State) Due(now time.Time) (acts []Act, next time.Time) {
	x := s.running()
	if x == nil {
		at, ok := s.opens()
		switch {
		case !ok:
			return nil, time.Time{}
		case now.Before(at):
			return nil, at
		}
		plans := s.place(at)
		if plans == nil {
			return nil, time.Time{}
		}
		return []Act{{Line: Line{At: now, Kind: Begin, Divisions: plans}}}, time.Time{}
	}
	over := true
	busy := s.busy()
	for _, d := range x.Divisions {
		for _, f := range d.Fixtures {
			over = over && f.Over()
			if f.Over() || f.Game != "" || slices.ContainsFunc(f.Players, func(p int64) bool { return busy[p] >= s.Rules.AtOnce }) {
				continue
			}
			for _, p := range f.Players {
				busy[p]++
			}
			acts = append(acts, Act{Line: Line{At: now, Kind: Begun, Fixture: f.ID}, Fixture: f})
		}
	}
	if over {
		return []Act{{Line: Line{At: now, Kind: End}}}, time.Time{}
	}
	return acts, time.Time{}
}

// busy is how many games of the league each player plays.
func (s *State) busy() map[int64]int {
	n := map[int64]int{}
	for _, d := range s.Season().Divisions {
		for _, f := range d.Fixtures {
			if f.Game != "" && !f.Over() {
				for _, p := range f.Players {
					n[p]++
				}
			}
		}
	}
	return n
}

// opens is when the next season begins, if one does.
func (s *State) opens() (time.Time, bool) {
	r := s.Rules
	if r.Seasons > 0 && len(s.Seasons) >= r.Seasons {
		return time.Time{}, false
	}
	x := s.Season()
	if x == nil {
		return r.Start, true
	}
	at, after := x.Began.Add(r.Season+r.Break), x.Ended.Add(day)
	if at.Before(after) {
		at = after
	}
	return at, true
}

// place are the divisions of the season that begins at that time, nil if there
// are too few players.
func (s *State) place(at time.Time) []Plan {
	var order []int64
	for _, p := range s.byJoined() {
		if s.Rules.Start.IsZero() && len(s.Seasons) == 0 || !p.Joined.After(at.Add(-s.Rules.Close)) {
			order = append(order, p.ID)
		}
	}
	if len(order) < s.Rules.Least {
		return nil
	}
	if s.Rules.Kind != Divisions {
		return []Plan{{Players: order}}
	}
	var plans []Plan
	for _, n := range s.Rules.sizes(len(order)) {
		players := order[:n]
		order = order[n:]
		plans = append(plans, Plan{Players: players, Tables: s.Rules.tables(players)})
	}
	return plans
}

// sizes are the sizes of the divisions of n players: as the file has them, but
// for the lowest, which has between half of it and half more.
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
