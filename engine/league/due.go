package league

import (
	"slices"
	"time"
)

// An Act is something that is due now. The caller does it and adds its Line to the log. The
// Line lacks only N, and Game if the caller has to start a game (Kind Begun).
type Act struct {
	Line    Line
	Fixture *Fixture // Begun: the fixture to play
}

// Due returns what is due now, and the time of the next check if no new line comes first
// (zero: none is necessary). The caller must do the acts in their order; each may make
// others due.
func (s *State) Due(now time.Time) (acts []Act, next time.Time) {
	if !s.Paused.IsZero() {
		return nil, time.Time{}
	}
	x := s.running()
	if x == nil {
		return s.dueSeason(now)
	}
	lost, next := s.lost(now)
	for _, p := range lost {
		acts = append(acts, Act{Line: Line{At: now, Kind: Forfeit, Player: p}})
	}
	if len(acts) > 0 {
		return acts, time.Time{}
	}
	over := true
	busy := s.busy()
	for i := range x.Divisions {
		d := &x.Divisions[i]
		for _, f := range d.Fixtures {
			over = over && f.Over()
			if s.Stop(d.N) != nil || f.Over() || f.Game != "" || d.waits(f) || slices.ContainsFunc(f.Players, func(p int64) bool { return busy[p] >= x.Rules.AtOnce || d.gone(p) != nil }) {
				continue
			}
			for _, p := range f.Players {
				busy[p]++
			}
			acts = append(acts, Act{Line: Line{At: now, Kind: Begun, Fixture: f.ID}, Fixture: f})
		}
	}
	if len(acts) > 0 {
		return acts, next
	}
	ask, at := s.askRound(x, now)
	if !s.starts.IsZero() {
		ask, at = nil, time.Time{}
	}
	if ask != nil {
		return []Act{*ask}, time.Time{}
	}
	next = earliest(next, at)
	more, at := s.moreRounds(x, over)
	switch {
	case !more && !over || more && at.IsZero(): // something has to end first
		return nil, next
	case now.Before(at):
		return nil, earliest(next, at)
	case more:
		return []Act{{Line: Line{At: now, Kind: NextRound, Tables: s.pairRound()}}}, time.Time{}
	}
	return []Act{{Line: Line{At: now, Kind: End}}}, time.Time{}
}

// waits reports whether a fixture's turn has not come: an earlier game of its match
// is not over.
func (d *Division) waits(f *Fixture) bool {
	if f.Leg < 2 {
		return false
	}
	return slices.ContainsFunc(d.Fixtures, func(g *Fixture) bool {
		return g.Round == f.Round && g.Match == f.Match && g.Leg < f.Leg && !g.Over()
	})
}

// moreRounds reports whether the season has another round, and when it can begin, zero if
// something has to end first; if there is none, when the season can end.
func (s *State) moreRounds(x *Season, over bool) (bool, time.Time) {
	r := x.Rules
	if r.Kind == Divisions {
		return false, x.Began
	}
	d := &x.Divisions[0]
	in := len(s.here(d))
	at := x.Began
	if x.Round > 0 {
		at = x.RoundBegan.Add(r.Round)
	}
	if !s.starts.IsZero() {
		at = s.starts
	}
	switch r.Kind {
	case Swiss:
		if x.Round >= r.Rounds {
			return false, x.Began
		}
		by := s.answered(d.In(), r.CheckIn)
		switch {
		case in < 2 && by.IsZero():
			return false, x.Began
		case in < 2:
			return false, by
		case by.After(at) && s.starts.IsZero():
			at = by
		}
	case Knockout:
		if over && len(s.remaining(d)) < 2 || x.Round >= MaxRounds {
			return false, x.Began
		}
	default:
		return x.Round < r.Rounds && (in > 1 || in == 1 && r.Kind == Solo), at
	}
	if !over {
		at = time.Time{}
	}
	return true, at
}

// Room reports whether a fixture of the season that runs may begin: the league is not
// paused, and all its players may play one more game.
func (s *State) Room(f *Fixture) bool {
	busy := s.busy()
	return s.Paused.IsZero() && s.Stop(f.Division) == nil && !slices.ContainsFunc(f.Players, func(p int64) bool { return busy[p] >= s.running().Rules.AtOnce })
}

// busy returns how many running games of the league each player has.
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

// dueSeason is Due between seasons.
func (s *State) dueSeason(now time.Time) ([]Act, time.Time) {
	at, ok := s.opens()
	switch {
	case !ok:
		return nil, time.Time{}
	}
	ask, first := s.askSeason(at, now)
	if by := s.answered(s.members(), s.Rules.CheckIn); by.After(at) {
		at = by
	}
	if !s.starts.IsZero() {
		ask, first, at = nil, time.Time{}, s.starts
	}
	switch {
	case ask != nil:
		return ask, time.Time{}
	case now.Before(at):
		return nil, earliest(first, at)
	}
	plans, next := s.place(now)
	if plans == nil {
		return nil, next
	}
	return []Act{{Line: Line{At: now, Kind: Begin, Divisions: plans, Counting: Counting}}}, time.Time{}
}

// opens is when the next season begins, if one does.
func (s *State) opens() (time.Time, bool) {
	r := s.Rules
	if s.Closed || r.Seasons > 0 && len(s.Seasons) >= r.Seasons {
		return time.Time{}, false
	}
	x := s.Season()
	if x == nil && r.Start.IsZero() {
		return r.Start, true
	}
	if x == nil {
		return r.Start.Add(s.later), true
	}
	at, after := x.Ends.Add(r.Break), x.Ended.Add(max(day, r.CheckIn))
	if r.Early && !x.Running() {
		at = x.Ended.Add(r.Break)
	}
	if at.Before(after) {
		at = after
	}
	return at.Add(s.later), true
}
