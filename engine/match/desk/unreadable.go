package desk

import (
	"context"
	"time"

	"angelpost/engine/match/obey"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// unreadEvery is how often the desk checks whether a game can be read again.
const unreadEvery = time.Hour

// unreadWhy begins store.Letter.Why of a letter that waits until its game can be read.
const unreadWhy = "cannot be read: game "

// pauseUnread pauses a game that cannot be read: it moves all that falls due in it, deadlines
// too, by as much. The row that checks the game again has the time up to which that has
// happened.
func pauseUnread(tx store.Tx, game string, now time.Time) (until time.Time, err error) {
	rows, err := tx.DuesOf(store.DueUnread, game)
	if err != nil {
		return until, err
	}
	from, until := now, now.Add(unreadEvery)
	if len(rows) > 0 {
		if from = rows[0].At; from.After(now) {
			return from, nil
		}
	}
	if err := tx.ClearDue(store.DueUnread, game, 0); err != nil {
		return until, err
	}
	if err := tx.ShiftTimersOf(game, until.Sub(from)); err != nil {
		return until, err
	}
	return until, tx.AddDue(&store.Due{At: until, Kind: store.DueUnread, Game: game})
}

// putOffUnread puts off a row that fell due and could not be carried out because a game is
// unreadable.
func (d *Desk) putOffUnread(ctx context.Context, row store.Due, u *replays.UnreadableGame) error {
	return d.Store.Update(ctx, func(tx store.Tx) error {
		if err := tx.DropDue(row.ID); err != nil {
			return err
		}
		if row.Kind == store.DueUnread { // its time is the one up to which the game was paused
			if err := tx.AddDue(&row); err != nil {
				return err
			}
		}
		until, err := pauseUnread(tx, u.Game, d.Now())
		if err != nil || row.Kind == store.DueUnread {
			return err
		}
		row.At = until
		return tx.AddDue(&row)
	})
}

// unreadDue checks whether a game can be read again: then it simply goes on.
func unreadDue(u *unit.Unit, row store.Due) error {
	if _, err := u.Game(row.Game); err != nil {
		return err
	}
	u.Log.Info("a stored game can be read again and goes on", "game", row.Game)
	return takeUp(u, row.Game)
}

// takeUp makes letters ready again that wait for a game to be readable; "": for any game.
func takeUp(u *unit.Unit, game string) error {
	rows, err := u.Tx.Letters(store.LetterAside, 1000)
	if err != nil {
		return err
	}
	for _, l := range rows {
		if game != "" && l.Why != unreadWhy+game || len(l.Why) <= len(unreadWhy) || l.Why[:len(unreadWhy)] != unreadWhy {
			continue
		}
		l.State, l.Why, l.Attempts = store.LetterNew, "", 0
		u.Check(u.Tx.SaveLetter(l))
		u.Regained = append(u.Regained, l.ID)
	}
	return nil
}

// Regained returns the letters, with their raw bytes, that the desk must handle now because Due
// found that their game can be read again.
func (d *Desk) Regained(ctx context.Context) (out []store.Letter, err error) {
	d.mu.Lock()
	ids := d.regained
	d.regained = nil
	d.mu.Unlock()
	if len(ids) == 0 {
		return nil, nil
	}
	err = d.Store.View(ctx, func(tx store.Tx) (err error) {
		out, err = d.lettersOf(tx, ids)
		return err
	})
	return out, err
}

// setUnread keeps a letter about an unreadable game and tells its writer, once.
func (d *Desk) setUnread(ctx context.Context, c unit.Command, l store.Letter, u *replays.UnreadableGame) error {
	l.State, l.Why = store.LetterAside, unreadWhy+u.Game
	told := l.Answer != 0
	err := d.update(ctx, func(s *unit.Unit) error {
		s.Command, s.Letter = c, &l
		if !told {
			if err := obey.TellWriter(s, notice.SayUnreadable, "game", u.Game); err != nil {
				return err
			}
		}
		if err := obey.Close(s); err != nil {
			return err
		}
		if _, err := pauseUnread(s.Tx, u.Game, s.At); err != nil {
			return err
		}
		s.Check(s.Tx.SaveLetter(l))
		return nil
	})
	if err == nil || d.StorageDown(err) {
		return err
	}
	d.Log.Error("letter about an unreadable game set aside without an answer", "letter", store.InID(l.ID), "err", err)
	return d.Store.Update(ctx, func(tx store.Tx) error { l.Answer = 0; return tx.SaveLetter(l) })
}
