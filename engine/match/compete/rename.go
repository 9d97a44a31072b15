package compete

import (
	"slices"

	"angelpost/engine/league"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/naming"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// rename changes what the league is called. Its id stays, and with it the addresses of its
// pages; it can be called by either.
func (x *directing) rename() error {
	u, c := x.u, x.c
	old := c.Rules().Name
	name := naming.Unlinked(naming.Clean(u.NFC(x.word.Direct.To), false))
	rows, err := u.Tx.Leagues("", MaxLeagues)
	if err != nil {
		return err
	}
	id := LeagueID(name)
	if name == old || id == "" || slices.ContainsFunc(rows, func(l store.League) bool { return l.ID != c.Row.ID && leagues.Called(l, id) }) {
		return notice.Refuse(notice.ProblemLeagueName, "word", name)
	}
	r := *c.Rules()
	r.Name = name
	if _, err := leagueRules(u, r.String(), c.Rules()); err != nil {
		return err
	}
	line := x.line(league.Amend)
	line.Text = r.String()
	if x.word.Text != "" {
		line.Args = []string{"because", x.word.Text}
	}
	if err := u.Enter(c, line); err != nil {
		return err
	}
	c.Row.Name = name
	readers, err := readersOf(u, c)
	if err != nil {
		return err
	}
	x.concern(readers)
	x.tell(notice.TellRenamed, "old", old)
	return nil
}

// mayDelete returns why the league can't be deleted, nil if it can.
func (x *directing) mayDelete() error {
	if s := x.c.State.Season(); s != nil && s.Running() {
		return Problem(x.c, notice.ProblemSeasonRuns)
	}
	if x.c.State.Archived() {
		return Problem(x.c, notice.ProblemArchived)
	}
	return nil
}

// delete removes a league that has never begun. One that has been played is archived: its
// pages stay, and no list shows it.
func (x *directing) delete() error {
	u, c := x.u, x.c
	readers, err := readersOf(u, c)
	if err != nil {
		return err
	}
	x.concern(readers)
	if len(c.State.Seasons) > 0 {
		if err := u.Enter(c, x.line(league.Archive)); err != nil {
			return err
		}
		c.Row.Over, c.Row.Visibility = true, visibility(c)
		x.tell(notice.TellArchived)
		return nil
	}
	x.gone = true // the letters belong to no league
	x.tell(notice.TellDeleted)
	u.DeleteLeague(c)
	return nil
}
