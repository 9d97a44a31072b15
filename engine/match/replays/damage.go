package replays

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/store"
)

// A stored game may be damaged. Such a game is paused, the host's log names it once a day, and
// all else goes on: loops over games skip it, its letters are set aside until it can be read
// again, and its timers are put off.

// ErrUnreadable is wrapped by the errors of a game whose rows cannot be read or
// whose log does not replay.
var ErrUnreadable = errors.New("the stored game cannot be read")

// UnreadableGame is that error. Its chain leaves out the cause, except a game.WrongSet: a
// missing row of a damaged game must not make it look like a game that does not exist.
type UnreadableGame struct {
	Game string
	why  string
	set  *game.WrongSet // where that is all that is wrong
}

func (u *UnreadableGame) Error() string {
	return fmt.Sprintf("game %s: %v: %s", u.Game, ErrUnreadable, u.why)
}

func (u *UnreadableGame) Is(target error) bool { return target == ErrUnreadable }

func (u *UnreadableGame) Unwrap() error {
	if u.set == nil {
		return nil
	}
	return u.set
}

// Reading runs f, which reads a stored game, and turns its errors and panics into an
// UnreadableGame. Errors of the machine, and of a missing game or step, stay as they are.
func (h *Cache) Reading(game string, f func() error) (err error) {
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

// unreadable makes an error of a game and tells the host, once a day for each game.
func (h *Cache) unreadable(game string, why error) error {
	u := &UnreadableGame{Game: game, why: fmt.Sprintf("%.300v", why)}
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

// Stored reads a game's own row and its seats.
func (h *Cache) Stored(tx store.Tx, id string) (row store.Game, seats []store.Seat, err error) {
	err = h.Reading(id, func() error {
		if row, err = tx.Game(id); err != nil {
			return err
		}
		if seats, err = tx.Seats(id); err != nil {
			return err
		}
		return Seated(row, seats)
	})
	return row, seats, err
}

// Seated checks that seats are those of a game: places in order, and once it has begun each
// seat taken once.
func Seated(row store.Game, seats []store.Seat) error {
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

// UnreadableIn is the UnreadableGame in err's chain, nil if there is none.
func UnreadableIn(err error) *UnreadableGame {
	var u *UnreadableGame
	errors.As(err, &u)
	return u
}
