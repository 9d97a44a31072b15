package league

import "time"

// Opens is when the next season begins, or is to begin while one runs: zero
// where that depends on players alone. ok is false if no season comes any more.
func (s *State) Opens() (at time.Time, ok bool) { return s.opens() }
