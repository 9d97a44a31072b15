package engine

// AsIf is the position as it would be if seat's turn began now, so that it can be
// planned while another's is in progress: that turn is over as it stands, and no
// other is played in between. It tells nothing that s does not. ok is false where
// seat has no turn to come.
func (s *State) AsIf(seat Seat) (as State, ok bool) {
	if s.finished || s.round == 0 || seat < 1 || seat > Seat(s.players) {
		return State{}, false
	}
	as = *s
	if seat <= s.seat {
		if s.ending != NotEnded && s.round == s.endRound {
			return State{}, false
		}
		as.round++
	}
	as.begin(seat)
	return as, true
}

// TurnToCome reports whether the viewer has a turn to come behind the one that is
// in progress.
func (v *View) TurnToCome() bool {
	_, ok := v.masked.AsIf(v.Viewer)
	return ok
}
