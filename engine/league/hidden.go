package league

import "slices"

// For returns the league as a player may see it, 0 for the public. In a solo league
// all play the same game in a round, so results of others show what is possible.
// While anyone still plays a round, only players who have finished theirs learn its
// results; for others its finished games are Over and Hidden. Callers must not change
// the State returned.
func (s *State) For(player int64) *State {
	open := s.openRounds(player)
	hides := func(f *Fixture) bool { return f.Result != nil && open[[2]int{f.Season, f.Round}] }
	if !slices.ContainsFunc(s.Fixtures, hides) {
		return s
	}
	c := s.Clone()
	for _, f := range c.Fixtures {
		if hides(f) {
			f.Result, f.Hidden = nil, true
		}
	}
	c.Rulings = slices.Clone(c.Rulings)
	for i := range c.Rulings {
		if x := &c.Rulings[i]; c.tells(x.Line) {
			x.Seats, x.Args = nil, nil
		}
	}
	return c
}

// openRounds returns the rounds of solo leagues, by season, whose results a player may
// not see.
func (s *State) openRounds(player int64) map[[2]int]bool {
	open := map[[2]int]bool{}
	for i := range s.Seasons {
		x := &s.Seasons[i]
		if x.Rules.Kind != Solo || !x.Running() {
			continue
		}
		done := map[int]bool{}
		for _, f := range x.Divisions[0].Fixtures {
			if !f.Over() {
				open[[2]int{x.N, f.Round}] = true
			} else if player != 0 && slices.Contains(f.Players, player) {
				done[f.Round] = true
			}
		}
		for round := range done {
			delete(open, [2]int{x.N, round})
		}
	}
	return open
}

// tells reports whether a line reveals the result of a game whose result is hidden.
func (s *State) tells(l Line) bool {
	f := s.game[l.Game]
	return f != nil && f.Hidden && l.Seats != nil
}

// Open returns the lines of a log up to the first that reveals a hidden result; s is the
// log's State as the reader may see it. With a line missing, no one could follow the rest.
func (s *State) Open(lines []Line) []Line {
	if i := slices.IndexFunc(lines, s.tells); i >= 0 {
		return lines[:i]
	}
	return lines
}
