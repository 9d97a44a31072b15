package match

// What a player is told of a league is a thread, as what he is told of a game is:
// every letter refers to the one that heads it. A season begins another, for a
// league may last for years; what comes before the first season is in its thread.

// about notes that a letter is about a league. One about several, which somebody
// who asked for all of them gets, stays with the first.
func (d *draft) about(c *contest) {
	if d.league == nil {
		d.league, d.answer.League = c, c.rules().Name
	}
}

// leagueLetter puts a letter to a player about a league into its thread, or lets
// it head one.
func (s *sitting) leagueLetter(c *contest, player int64, r *Recipe) error {
	season := 0
	if x := c.state.Season(); x != nil {
		season = x.N
	}
	t, err := s.tx.LeagueThread(c.row.ID, player)
	none, err := missing(err)
	switch {
	case err != nil:
		return err
	case none || t.Season != 0 && t.Season < season:
		t.Head = r.MessageID
	default:
		r.Thread = t.Head
		if t.Season == season {
			return nil
		}
	}
	t.Season = season
	return s.tx.SetLeagueThread(c.row.ID, player, t)
}
