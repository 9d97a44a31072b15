// Package compete runs leagues: it begins their games and seasons when they are due,
// brings results into the league's log, from which engine/league computes, writes to
// players about them, obeys the words about leagues, and finds substitutes.
package compete

import (
	"slices"
	"strconv"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// A league is its file, its secret and its log (engine/league). The desk appends lines to the
// log, in the same transaction as what they record, and then does what is due: it begins games
// while their players have room, and seasons when the calendar says so.
//
// Calendar dates are days, and downtime of the server does not move them: a season that should
// have begun meanwhile begins when the server is back, and all that depends on its beginning is
// later by as much. But after downtime, or after a change of the system clock, it does not
// begin at once: it waits as long again as the gap was, at most a day, so that a wrong clock
// can be corrected (hold).

// Bounds of leagues.
const (
	MaxLeagues   = 500 // on one server
	maxMade      = 3   // by one director a day
	maxAnnounced = 3   // of one league a day
	maxComeAndGo = 6   // words a day with which a player joins or leaves one, or is its substitute
	maxTogetherL = 20  // games of a league that begin in one transaction
	maxActs      = 10_000
)

// Advance does what is due in a league, as far as one transaction goes: the rest
// is a row that falls due at once.
func Advance(u *unit.Unit, c *unit.League) error {
	hold, err := hold(u, c)
	if err != nil {
		return err
	}
	begun, again := 0, time.Time{}
	for range maxActs {
		tellChanges(u, c) // also what an act has changed: a place that is lost
		acts, next := c.State.Due(u.At)
		if (overdue(u, c) || slices.ContainsFunc(acts, seats)) && hold.IsZero() && seesPlayed(u, c) {
			continue
		}
		done := false
		for _, a := range acts {
			switch {
			case calendar(a) && !hold.IsZero():
				again = hold
				continue
			case a.Line.Kind == league.Begun && begun == maxTogetherL:
				again = u.At
				continue
			case a.Line.Kind == league.Begun:
				begun++
			}
			ok, err := act(u, c, a)
			switch {
			case err != nil:
				return err
			case !ok: // a set that is not there, say: later, perhaps
				again = u.At.Add(time.Hour)
				continue
			}
			done = true
		}
		if done && again.IsZero() {
			continue
		}
		if again.IsZero() || !next.IsZero() && next.Before(again) {
			again = next
		}
		break
	}
	c.Moved = false
	if begun > 0 {
		schedules(u, c)
	}
	if again.IsZero() {
		tellStalled(u, c)
	}
	if err := roundsOver(u, c); err != nil {
		return err
	}
	if err := scheduleReport(u, c); err != nil {
		return err
	}
	u.Check(u.Tx.ClearDue(store.DueLeague, c.Row.ID, 0))
	if again.IsZero() {
		return nil
	}
	u.Check(u.Tx.AddDue(&store.Due{At: again, Kind: store.DueLeague, Game: c.Row.ID, Step: held(again.Equal(hold))}))
	return nil
}

// remindStalled is how long a season may stand still before we tell its director again.
// Counters are kept for longer.
const remindStalled = 28 * 24 * time.Hour

// tellStalled tells the director about a season that should have begun and cannot, because
// there are too few players: once, and again every remindStalled if something happens in the
// league.
func tellStalled(u *unit.Unit, c *unit.League) {
	if !overdue(u, c) {
		return
	}
	at, _ := c.State.Opens()
	if u.At.Sub(at) > remindStalled {
		at = u.At.Truncate(remindStalled)
	}
	key, day := "stalled/"+c.Row.ID, at.Format(time.DateOnly)
	if u.Counted(key, day) > 0 {
		return
	}
	season := strconv.Itoa(len(c.State.Seasons) + 1)
	d := urge(u, c, notice.TellStalled, "season", season, "n", strconv.Itoa(c.State.Present()), "of", strconv.Itoa(c.Rules().Least))
	if d != nil { // else no letter reaches the director now: another time
		u.Bump(key, day)
		if c.State.Present() >= c.Rules().Table {
			d.Offer(notice.CommandStart, "league", c.Rules().Name)
		}
		d.Offer(notice.CommandMore, "league", c.Rules().Name, "season", season)
		d.Offer(notice.CommandClose, "league", c.Rules().Name)
	}
}

// calendar reports whether an act depends on the calendar.
func calendar(a league.Act) bool {
	switch a.Line.Kind {
	case league.Begin, league.NextRound, league.Ask, league.Leave:
		return true
	}
	return false
}

// held returns store.Due.Step for a row of a league: 1 if acts of the calendar must wait for it.
func held(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// hold returns until when acts of the calendar must wait; zero: they may happen now.
func hold(u *unit.Unit, c *unit.League) (time.Time, error) {
	rows, err := u.Tx.DuesOf(store.DueLeague, c.Row.ID)
	for _, r := range rows {
		if r.Step == held(true) && r.At.After(u.At) {
			return r.At, err
		}
	}
	return time.Time{}, err
}

// Due carries out what falls due in a league on a day.
func Due(u *unit.Unit, row store.Due) error {
	c, err := u.League(row.Game)
	if err != nil {
		return err
	}
	return Advance(u, c)
}

// PutOff corrects the row of a league after the server moved all timers: its calendar days do
// not move.
func PutOff(u *unit.Unit, row store.Due, by time.Duration) error {
	c, err := u.League(row.Game)
	if err != nil {
		return err
	}
	u.Check(u.Tx.ClearDue(store.DueLeague, row.Game, 0))
	acts, next := c.State.Due(u.At)
	again := store.Due{At: next, Kind: store.DueLeague, Game: row.Game}
	before, _ := c.State.Due(u.At.Add(-by))
	switch {
	case by > 0 && slices.ContainsFunc(acts, calendar) && !slices.ContainsFunc(before, calendar):
		again.At, again.Step = u.At.Add(min(by, 24*time.Hour)), held(true)
	case len(acts) > 0:
		again.At = u.At
	}
	if again.At.IsZero() {
		return nil
	}
	u.Check(u.Tx.AddDue(&again))
	return nil
}

// act carries out one thing that is due in a league; false: it cannot happen now.
func act(u *unit.Unit, c *unit.League, a league.Act) (bool, error) {
	switch a.Line.Kind {
	case league.Begun:
		return beginFixture(u, c, a)
	case league.Ask:
		return askThere(u, c, a.Line), nil
	case league.Leave:
		return takenOff(u, c, a.Line), nil
	case league.Forfeit:
		return placeLost(u, c, a.Line)
	case league.Begin:
		started, _ := c.State.Starting()
		if !u.AppendOrLog(c, a.Line) {
			return false, nil
		}
		if started != nil {
			if err := tellStarts(u, c, started, 0); err != nil {
				return false, err
			}
		}
		if _, rounds := c.State.NextRound(); rounds { // we tell players of the season's end with the next season's first round
			return true, nil
		}
		return true, tellSeason(u, c)
	case league.NextRound:
		started, _ := c.State.Starting()
		if !u.AppendOrLog(c, a.Line) {
			return false, nil
		}
		if started != nil {
			if err := tellStarts(u, c, started, c.State.Season().Round); err != nil {
				return false, err
			}
		}
		if c.State.Season().Round == 1 {
			return true, tellSeason(u, c)
		}
		tellAside(u, c)
		return true, nil
	case league.End:
		if !u.AppendOrLog(c, a.Line) {
			return false, nil
		}
		if err := roundsOver(u, c); err != nil { // before we tell the end of the season
			return false, err
		}
		_, more := c.State.Opens()
		c.Row.Over = !more
		return true, tellSeasonEnd(u, c)
	}
	return u.AppendOrLog(c, a.Line), nil
}
