package league

import (
	"errors"
	"slices"
	"time"
)

// Directions for a whole league, or a part of it. The games themselves handle more time and
// stopped clocks; this file changes the calendar and the players.

// whole reports whether a line is about all games of the league.
func (l Line) whole() bool { return l.Division == 0 && l.Round == 0 && l.Player == 0 }

// extend moves the day of the next round if the current one gets more time, or if the
// director takes that back.
func (s *State) extend(l Line) error {
	x := s.running()
	switch {
	case l.Later == 0:
		return nil
	case x == nil || !x.Timed() || l.Round != x.Round:
		return ErrSeason
	}
	x.postpone(time.Duration(l.Later) * time.Second)
	return nil
}

// Timed reports whether the season's next round has a day on which it begins.
func (x *Season) Timed() bool { return x.Round > 0 && slices.Contains(timed, x.Rules.Kind) }

// postpone moves the dates that a season has still to come.
func (x *Season) postpone(by time.Duration) {
	if x.Ends = x.Ends.Add(by); !x.RoundBegan.IsZero() {
		x.RoundBegan = x.RoundBegan.Add(by)
	}
}

// close stops further seasons. An archived league has no running season either.
func (s *State) close(l Line) error {
	if _, ok := s.opens(); l.Kind == Close && !ok || l.Kind == Archive && (s.running() != nil || s.Archived()) {
		return ErrSeason
	}
	s.Closed = true
	s.Stops = append(slices.DeleteFunc(s.Stops, Line.closes), l)
	return nil
}

func (l Line) closes() bool { return l.Kind == Close || l.Kind == Archive }

// Archived reports whether no list shows the league any more.
func (s *State) Archived() bool {
	return slices.ContainsFunc(s.Stops, func(l Line) bool { return l.Kind == Archive })
}

// pause records that clocks stop. Nothing new begins in the whole league, or in the
// division.
func (s *State) pause(l Line) error {
	if l.whole() {
		if _, more := s.opens(); !s.Paused.IsZero() || !more && s.running() == nil {
			return ErrSeason
		}
		s.Paused = l.At
	}
	s.Pauses = append(s.Pauses, l.At)
	if l.whole() || l.Division > 0 {
		s.Stops = append(slices.DeleteFunc(s.Stops, l.same), l)
	}
	return nil
}

// same reports whether a pause is of the same part of the league.
func (l Line) same(m Line) bool { return m.Kind == Pause && m.Division == l.Division }

// Stop returns the pause of a division, or of the whole league (0), nil if there is none.
func (s *State) Stop(division int) *Line {
	i := slices.IndexFunc(s.Stops, Line{Division: division}.same)
	if i < 0 {
		return nil
	}
	return &s.Stops[i]
}

// resume lets the league go on, even if it was closed. Its calendar moves by the time that
// it was paused, or closed between seasons.
func (s *State) resume(l Line) error {
	if !l.whole() {
		if l.Division > 0 {
			s.Stops = slices.DeleteFunc(s.Stops, l.same)
		}
		return nil
	}
	x, last := s.running(), s.Season()
	since := l.At
	for _, stop := range s.Stops {
		at := stop.At
		if last != nil && x == nil && last.Ended.After(at) { // what was closed in a season
			at = last.Ended
		}
		if stop.Division == 0 && (x == nil || stop.Kind == Pause) && at.Before(since) {
			since = at
		}
	}
	by := l.At.Sub(since)
	for i := range s.Players {
		s.Players[i].paused += by
	}
	if x != nil {
		for i := range x.Divisions {
			for j := range x.Divisions[i].Left {
				g := &x.Divisions[i].Left[j]
				g.paused += min(by, l.At.Sub(g.At))
			}
		}
		x.postpone(by)
	} else {
		s.later += by
	}
	s.Stops, s.Paused, s.Closed = nil, time.Time{}, false
	return nil
}

// start sets when the next season or round begins: Later seconds from now. The season may
// have fewer players than the file requires. With No it takes that back.
func (s *State) start(l Line) error {
	switch {
	case l.No && s.starts.IsZero():
		return ErrSeason
	case l.No:
		s.starts = time.Time{}
		return nil
	case l.Later < 0 || s.Starts() != nil:
		return ErrSeason
	}
	s.starts = l.At.Add(time.Duration(l.Later) * time.Second)
	return nil
}

// Starting returns the line by which a director starts the next season or round, and when
// it begins, as long as it has not begun; nil if there is none.
func (s *State) Starting() (line *Line, at time.Time) {
	if s.starts.IsZero() {
		return nil, at
	}
	for _, l := range slices.Backward(s.Directs) {
		if l.Kind == Start {
			return &l, s.starts
		}
	}
	return nil, at
}

// Errors of Starts, besides ErrSeason.
var (
	ErrFew    = errors.New("too few players for a table")
	ErrRounds = errors.New("no round is to follow")
	ErrOpen   = errors.New("games are running whose results decide who meets")
)

// Starts returns why the next season or round cannot begin now, nil if it can.
func (s *State) Starts() error {
	x := s.running()
	if !s.Paused.IsZero() {
		return ErrSeason
	}
	if x == nil {
		switch _, ok := s.opens(); {
		case !ok:
			return ErrSeason
		case s.Present() < s.Rules.Table:
			return ErrFew
		}
		return nil
	}
	over := !slices.ContainsFunc(x.Divisions[0].Fixtures, func(f *Fixture) bool { return !f.Over() })
	switch more, at := s.moreRounds(x, over); {
	case !more:
		return ErrRounds
	case at.IsZero():
		return ErrOpen
	}
	return nil
}

// expel takes a player out of the league and its substitutes.
func (s *State) expel(l Line) error {
	p := s.Player(l.Player)
	if p == nil || p.Expelled || !p.In() && !p.Substitute {
		return ErrPlayer
	}
	if p.In() {
		if err := s.leave(l); err != nil {
			return err
		}
	}
	s.stands(p, false)
	p.Expelled = true
	return nil
}

// transfer records the division in which a player will play in the next season.
func (s *State) transfer(l Line) error {
	p := s.Player(l.Player)
	if s.Rules.Kind != Divisions || p == nil || !p.In() || l.Division < 1 && !l.No || l.Division > MaxPlayers {
		return ErrPlayer
	}
	if l.No {
		delete(s.placed, l.Player)
		return nil
	}
	if s.placed == nil {
		s.placed = map[int64]int{}
	}
	s.placed[l.Player] = l.Division
	return nil
}

// MovesTo returns the division that a director has chosen for a player in the next season,
// 0 if the table decides.
func (s *State) MovesTo(player int64) int { return s.placed[player] }

// DivisionsNext returns how many divisions the next season would have with the current
// players.
func (s *State) DivisionsNext() int { return len(s.Rules.sizes(s.Present())) }

// moved puts the players who are to play in a division of these sizes there; the others
// stay in their order and fill the rest.
func (s *State) moved(order []int64, sizes []int) []int64 {
	if len(s.placed) == 0 {
		return order
	}
	rest := slices.DeleteFunc(slices.Clone(order), func(p int64) bool { return s.placed[p] != 0 })
	out, full := make([]int64, 0, len(order)), 0
	for i, size := range sizes {
		var here []int64
		for _, p := range order {
			if to := s.placed[p]; to != 0 && min(to, len(sizes)) == i+1 {
				here = append(here, p)
			}
		}
		full += size
		n := min(len(rest), max(0, full-len(out)-len(here)))
		out = slices.Concat(out, rest[:n], here)
		rest = rest[n:]
	}
	return append(out, rest...)
}
