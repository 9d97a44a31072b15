package desk

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"angelpost/engine"
	"angelpost/engine/match/clock"
	"angelpost/engine/match/compete"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/obey"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// Timers (a reminder, the end of an invitation or a question, the collected letter, a postponed
// letter out) count only time in which the server works and its clock goes on. After an outage
// or a jump of the clock we move all of them by the gap: nothing happens because of the gap,
// and each keeps the rest of its waiting time. We move all timers, not only those that fell due
// in the gap, so that two players who wait for the same thing stay equal, and so that setting
// the clock wrong and right again leaves everything as it was. Daily counters start again on
// another day, which only lets more through.
const (
	maxSilence = 15 * time.Minute // without a heartbeat: the server was away
	maxSetBack = time.Minute      // a clock that goes back by less is only set right
)

// Beat records that the server is at work. Call it first at the start, and then every minute.
// If the last beat was more than maxSilence ago, or is in the future, it moves all timers by
// the gap, and returns the gap.
func (d *Desk) Beat(ctx context.Context) (gap time.Duration, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return gap, d.update(ctx, func(u *unit.Unit) error {
		last, err := u.Tx.LastHeartbeat()
		if err != nil {
			return err
		}
		now := d.Now()
		if gap = now.Sub(last); last.IsZero() || gap > -maxSetBack && gap < maxSilence {
			gap = 0
		}
		if err := putOff(u, gap); err != nil {
			return err
		}
		u.Check(u.Tx.Heartbeat(now))
		return u.RenewTokenKey()
	})
}

// Skip moves all timers because the system's clock was set forward (by > 0) or back; Now must
// not follow the change yet. When the move is committed, and before anything else happens at
// the desk, Skip calls accept, and from then on Now must follow.
func (d *Desk) Skip(ctx context.Context, by time.Duration, accept func()) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.update(ctx, func(u *unit.Unit) error {
		u.At = u.At.Add(by)
		if err := putOff(u, by); err != nil {
			return err
		}
		u.Check(u.Tx.Heartbeat(d.Now().Add(by)))
		return nil
	})
	if err == nil {
		accept()
	}
	return err
}

// putOff moves all timers, and notifies everyone who knows an old time from us: players with a
// deadline, and the organiser of a game whose invitations named a day that has changed.
func putOff(u *unit.Unit, by time.Duration) error {
	if by == 0 {
		return nil
	}
	rows, err := u.Tx.DueBefore(time.UnixMilli(math.MaxInt64), math.MaxInt32)
	if err != nil {
		return err
	}
	u.Check(u.Tx.ShiftTimers(by))
	type lapse struct{ game, day string }
	said := map[lapse]bool{}
	for _, row := range rows {
		if row.Kind == store.DueMissed {
			if err := clock.DeadlineMoved(u, row); err != nil {
				return err
			}
			continue
		}
		if row.Kind == store.DueLeague {
			if err := compete.PutOff(u, row, by); err != nil && !u.Replays.Without(row.Game, err) {
				return err
			}
			continue
		}
		day := row.At.Add(by).Format(time.DateOnly)
		if row.Kind != store.DueExpire || day == row.At.Format(time.DateOnly) || said[lapse{row.Game, day}] {
			continue
		}
		said[lapse{row.Game, day}] = true
		t, err := u.Game(row.Game)
		if errors.Is(err, replays.ErrUnreadable) {
			continue
		}
		if err != nil {
			return err
		}
		u.TellOrganiser(t, 0, notice.TellPutOff, "date", day)
	}
	return obey.Close(u)
}

// PutBack handles a restored database. Call it once at the start, before Beat. If the database
// is a copy (Tx.Copied), or the caller knows that it is older than the one that it replaced,
// all newer tokens and orders are lost. In one transaction, PutBack then notifies each player
// to move in a running game again, and tells each organiser and director. It returns the time
// that the database dates from, or zero if it is current.
func (d *Desk) PutBack(ctx context.Context, older bool) (from time.Time, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	err = d.update(ctx, func(u *unit.Unit) error {
		var err error
		if from, err = u.Tx.RestoredFrom(); err == nil && from.IsZero() && older {
			from, err = u.Tx.LastHeartbeat()
		}
		if err != nil || from.IsZero() {
			return err
		}
		u.Check(u.Tx.AcknowledgeRestore())
		if err := putBack(u, from); err != nil {
			return err
		}
		return obey.Close(u)
	})
	return from, err
}

// putBack writes to all players that a restore concerns. from is the time that the database
// dates from. If it is zero, that is unknown, and each game dates from its last change.
func putBack(u *unit.Unit, from time.Time) error {
	if err := u.NewTokenKey(); err != nil {
		return err
	}
	for _, state := range []string{store.GameInvited, store.GameRunning} {
		for last := ""; ; {
			rows, err := u.Tx.AllGames(state, last, 100)
			if err != nil {
				return err
			}
			for _, row := range rows {
				t, err := u.Game(row.ID)
				if errors.Is(err, replays.ErrUnreadable) {
					continue
				}
				if err != nil {
					return err
				}
				when := from
				if when.IsZero() {
					when = row.Changed
				}
				tableBack(u, t, when.Format("2006-01-02 15:04 MST"))
			}
			if len(rows) == 0 {
				break
			}
			last = rows[len(rows)-1].ID
		}
	}
	return leaguesBack(u, from)
}

// leaguesBack tells the directors of all running leagues what a restore has lost.
func leaguesBack(u *unit.Unit, from time.Time) error {
	rows, err := u.Tx.Leagues("", compete.MaxLeagues)
	if err != nil {
		return err
	}
	all, err := compete.Readable(u, rows)
	for _, c := range all {
		if c.Row.Over {
			continue
		}
		when := from
		if when.IsZero() {
			when = c.State.Last
		}
		for _, p := range leagues.DirectorsOf(u, c) {
			d := u.DraftOf(p, nil, c, notice.KindInfo)
			d.About(c)
			d.Asked = true
			d.Say(notice.TellBackLeague, "league", c.Rules().Name, "time", when.UTC().Format("2006-01-02 15:04 MST"))
			d.Offer(notice.CommandStandings, "league", c.Rules().Name)
		}
	}
	return err
}

func tableBack(u *unit.Unit, t *unit.Game, from string) {
	var asked []int64
	for i := range t.Seats {
		x := &t.Seats[i]
		if !t.Running() || x.Unplayed() || !t.Replay.State.ToAct(engine.Seat(x.Seat)) {
			continue
		}
		d := u.DraftFor(x.Player, t, notice.KindTurn)
		d.Since, d.Again = x.Seen, true
		d.Say(notice.TellPutBack, "time", from)
		asked = append(asked, x.Player)
	}
	if slices.Contains(asked, t.Row.Organiser) {
		return
	}
	u.TellOrganiser(t, 0, notice.TellBackGame, "time", from)
}
