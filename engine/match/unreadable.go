package match

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// A stored game may be damaged. Such a game is paused, the host's log names it once
// a day, and all else goes on: loops over games pass it over, its letters are set
// aside until it can be read again, and all that falls due in it is put off.

// ErrUnreadable is wrapped by the errors of a game whose rows cannot be read or
// whose log does not replay.
var ErrUnreadable = errors.New("the stored game cannot be read")

// unreadableGame is that error. What it says of the cause is not in its chain: a row
// that a damaged game lacks makes it no game that isn't there.
type unreadableGame struct {
	game string
	why  string
	set  *game.WrongSet // where that is all that is wrong
}

func (u *unreadableGame) Error() string {
	return fmt.Sprintf("game %s: %v: %s", u.game, ErrUnreadable, u.why)
}
func (u *unreadableGame) Is(target error) bool { return target == ErrUnreadable }

func (u *unreadableGame) Unwrap() error {
	if u.set == nil {
		return nil
	}
	return u.set
}

// unreadEvery is how often the desk looks whether a game can be read again.
const unreadEvery = time.Hour

// unreadWhy begins LetterRow.Why of a letter that waits for its game to be readable.
const unreadWhy = "cannot be read: game "

// reading is f, which reads a stored game, but that whatever it fails of is an
// unreadableGame, a panic too. What the machine is to blame for, and a game or step
// that is not there, stays as it is.
func (h *cache) reading(game string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			h.Log.Error("a stored game breaks its reader", "game", game, "panic", r, "stack", string(debug.Stack()))
			err = h.unreadable(game, fmt.Errorf("panic: %v", r))
		}
	}()
	err = f()
	if err == nil || h.StorageDown(err) || errors.Is(err, ErrUnreadable) || errors.Is(err, store.ErrNotFound) || errors.Is(err, context.Canceled) {
		return err
	}
	return h.unreadable(game, err)
}

// unreadable makes an error of a game's and tells the host, once a day for each.
func (h *cache) unreadable(game string, why error) error {
	u := &unreadableGame{game: game, why: fmt.Sprintf("%.300v", why)}
	errors.As(why, &u.set)
	h.mu.Lock()
	day := h.Now().Format(time.DateOnly)
	if h.spoiltDay != day {
		h.spoiltDay, h.spoilt = day, map[string]bool{}
	}
	first := !h.spoilt[game]
	h.spoilt[game] = true
	h.mu.Unlock()
	if first {
		h.Log.Error("a stored game cannot be read; it is paused, all others go on; `angelpost doctor` says what to do", "game", game, "err", u.why)
	}
	return u
}

// stored reads a game's own row and its seats.
func (h *cache) stored(tx store.Tx, id string) (row store.Game, seats []store.Seat, err error) {
	err = h.reading(id, func() error {
		if row, err = tx.Game(id); err != nil {
			return err
		}
		if seats, err = tx.Seats(id); err != nil {
			return err
		}
		return seated(row, seats)
	})
	return row, seats, err
}

// seated holds that seats are those of a game: places in order, and once it has
// begun each seat taken once.
func seated(row store.Game, seats []store.Seat) error {
	if len(seats) == 0 || len(seats) > engine.MaxPlayers || !row.Started.IsZero() && len(seats) != row.Options.Players {
		return fmt.Errorf("it has %d seats", len(seats))
	}
	var taken [engine.MaxPlayers + 1]bool
	for i, x := range seats {
		if x.Place != i+1 || x.Seat < 0 || x.Seat > len(seats) || taken[x.Seat] || x.Seat == 0 && !row.Started.IsZero() {
			return fmt.Errorf("place %d has seat %d", x.Place, x.Seat)
		}
		taken[x.Seat] = x.Seat > 0
	}
	return nil
}

// pauseUnread keeps an unreadable game from moving while it cannot be read:
// all that falls due in it, deadlines too, comes later by as much. The row that
// looks again stands at the time up to which that is done.
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

// putOffUnread puts off what fell due and could not be done, for a game of it is
// unreadable.
func (d *Desk) putOffUnread(ctx context.Context, row store.Due, u *unreadableGame) error {
	return d.Store.Update(ctx, func(tx store.Tx) error {
		if err := tx.DropDue(row.ID); err != nil {
			return err
		}
		if row.Kind == store.DueUnread { // it stands at the time up to which the game was paused
			if err := tx.AddDue(&row); err != nil {
				return err
			}
		}
		until, err := pauseUnread(tx, u.game, d.Now())
		if err != nil || row.Kind == store.DueUnread {
			return err
		}
		row.At = until
		return tx.AddDue(&row)
	})
}

// unreadDue looks whether a game can be read again: then it just goes on.
func (s *unit) unreadDue(row store.Due) error {
	if _, err := s.table(row.Game); err != nil {
		return err
	}
	s.Log.Info("a stored game can be read again and goes on", "game", row.Game)
	return s.takeUp(row.Game)
}

// takeUp takes up the letters that wait for a game to be readable; "": for any.
func (s *unit) takeUp(game string) error {
	rows, err := s.tx.Letters(store.LetterAside, 1000)
	if err != nil {
		return err
	}
	for _, l := range rows {
		if game != "" && l.Why != unreadWhy+game || len(l.Why) <= len(unreadWhy) || l.Why[:len(unreadWhy)] != unreadWhy {
			continue
		}
		l.State, l.Why, l.Attempts = store.LetterNew, "", 0
		s.check(s.tx.SaveLetter(l))
		s.regained = append(s.regained, l.ID)
	}
	return nil
}

// Regained are the letters that are to be handled now, with their raw bytes, for Due
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
func (d *Desk) setUnread(ctx context.Context, c Command, l store.Letter, u *unreadableGame) error {
	l.State, l.Why = store.LetterAside, unreadWhy+u.game
	told := l.Answer != 0
	err := d.update(ctx, func(s *unit) error {
		s.cmd, s.letter = c, &l
		if !told {
			if err := s.tellWriter(notice.SayUnreadable, "game", u.game); err != nil {
				return err
			}
		}
		if err := s.close(); err != nil {
			return err
		}
		if _, err := pauseUnread(s.tx, u.game, s.now); err != nil {
			return err
		}
		s.check(s.tx.SaveLetter(l))
		return nil
	})
	if err == nil || d.StorageDown(err) {
		return err
	}
	d.Log.Error("letter about an unreadable game set aside without an answer", "letter", l.ID, "err", err)
	return d.Store.Update(ctx, func(tx store.Tx) error { l.Answer = 0; return tx.SaveLetter(l) })
}

// unreadableIn is the unreadableGame in err's chain, nil if there is none.
func unreadableIn(err error) *unreadableGame {
	var u *unreadableGame
	errors.As(err, &u)
	return u
}
