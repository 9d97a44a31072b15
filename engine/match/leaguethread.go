package match

import (
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// A player's letters about a league are a thread, as those about a game are: each
// refers to the one that heads it. A season begins another, for a league may last for
// years; what comes before the first season is in its thread. The thread's row also
// says whether they want such letters at all (mute.go).

// about notes that a letter is about a league. One about several, for a player who
// asked for all of them, stays with the first.
func (d *draft) about(c *leagueUnit) {
	if d.league == nil {
		d.league, d.answer.League = c, c.rules().Name
	}
}

// leagueThread is a player's thread in a league, empty if they have none.
func (s *unit) leagueThread(c *leagueUnit, player int64) (store.LeagueThread, error) {
	t, err := s.tx.LeagueThread(c.row.ID, player)
	if none, err := missing(err); none || err != nil {
		return store.LeagueThread{Player: player}, err
	}
	return t, nil
}

// leagueLetter puts a letter to a player about a league into its thread, or lets
// it head one.
func (s *unit) leagueLetter(c *leagueUnit, player int64, r *notice.Message) error {
	season := 0
	if x := c.state.Season(); x != nil {
		season = x.N
	}
	t, err := s.leagueThread(c, player)
	if err != nil {
		return err
	}
	before := t
	if t.Head == "" || t.Season != 0 && t.Season < season {
		t.Head = r.MessageID
	} else {
		r.Thread = t.Head
	}
	t.Season = season
	if t.Mute == "" {
		t.Mute = s.random(16)
	}
	r.League, r.MuteKey = c.row.ID, t.Mute
	if t == before {
		return nil
	}
	s.check(s.tx.SetLeagueThread(c.row.ID, t))
	return nil
}
