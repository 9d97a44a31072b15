package league

import "time"

// Opens is when the next season begins, or is to begin while one runs: zero
// where that depends on players alone. ok is false if no season comes any more.
func (s *State) Opens() (at time.Time, ok bool) { return s.opens() }

// NextRound is from when the next round of the season that runs begins: zero once
// all games of this round are over. ok is false if there is none to come.
func (s *State) NextRound() (at time.Time, ok bool) {
	x := s.running()
	if x == nil {
		return time.Time{}, false
	}
	more, at := s.moreRounds(x, s.over(x))
	return at, more
}

// Ending reports whether the running season ends now: no games or rounds are left.
func (s *State) Ending(now time.Time) bool {
	x := s.running()
	if x == nil || !s.over(x) {
		return false
	}
	more, at := s.moreRounds(x, true)
	return !more && !now.Before(at)
}

// over reports whether all games of a season so far are.
func (s *State) over(x *Season) bool {
	for _, d := range x.Divisions {
		for _, f := range d.Fixtures {
			if !f.Over() {
				return false
			}
		}
	}
	return true
}
