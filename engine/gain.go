package engine

// Gain is the VP the viewer wins (or loses) at once by a legal step, as far as
// no chance decides it. The final scoring (R8.5) that the game's last step sets
// off does not count: it comes whatever that step is.
func (v *View) Gain(st Step) int {
	if v.Viewer == 0 || v.Viewer > Seat(v.masked.players) {
		return 0
	}
	return v.masked.Gain(v.Viewer, &st)
}

// Gain is View.Gain for seat, who takes the step. It tells nothing that seat
// does not see.
func (s *State) Gain(seat Seat, st *Step) int {
	switch st.Kind {
	case PlayCard, FlipDie, TakeDie, TakeTiles:
		return 0 // never any
	}
	if s.pledges > 0 { // a B1's VP come with the action's end
		return s.tried(seat, *st)
	}
	switch st.Kind {
	case Activate, Cube:
		if st.Cell != 0 && st.Use == NoUse && s.paysVP(seat, *st) {
			return 1
		}
	case Act:
		return s.failure(seat, st.Loc)
	case Place:
		return int(s.set.Missions[st.Card].Reward.VP)
	case Collect, Reroll, Reserve:
		return s.tried(seat, *st)
	case Done:
		if s.Asked(seat) == AskReserve {
			return s.tried(seat, *st)
		}
	}
	return 0
}

// failure is what a Ravager that cannot be resolved costs with the action at
// loc (R4.7).
func (s *State) failure(seat Seat, loc uint8) int {
	p := &s.p[seat-1]
	if p.vp > 0 && !p.resolves(s.set.Ravagers[s.topmost(loc)].Effect) {
		return -1
	}
	return 0
}

// tried is Gain, found by taking the step.
func (s *State) tried(seat Seat, st Step) int {
	try := *s
	try.masked = true
	try.Do(seat, st, nil, nil)
	p := &try.p[seat-1]
	return int(p.vp - s.p[seat-1].vp - p.by[ByAdvanced] - p.by[ByGoods])
}
