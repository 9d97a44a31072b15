package league

import "time"

// Opens returns when the next season begins, or will begin if one is running. at is zero if
// that depends only on players. ok is false if no further season follows.
func (s *State) Opens() (at time.Time, ok bool) { return s.opens() }

// NextRound returns the earliest time at which the next round of the running season begins,
// zero once all games of this round are over. ok is false if no round follows.
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

// over reports whether all games that a season has so far are over.
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
