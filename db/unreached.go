package db

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"angelpost/engine/store"
)

func (t *tx) Unreached(player int64) (store.Unreached, error) {
	x := store.Unreached{Player: player}
	var since, until int64
	err := t.one("SELECT since, until, held, why FROM unreached WHERE player = ?", []any{player}, &since, &until, &x.Held, &x.Why)
	x.Since, x.Until = at(since), at(until)
	return x, err
}

func (t *tx) SaveUnreached(x store.Unreached) error {
	_, err := t.exec("INSERT OR REPLACE INTO unreached (player, since, until, held, why) VALUES (?, ?, ?, ?, ?)", x.Player, ms(x.Since), ms(x.Until), x.Held, x.Why)
	return err
}

func (t *tx) DropUnreached(player int64) error {
	_, err := t.exec("DELETE FROM unreached WHERE player = ?", player)
	return err
}

func (t *tx) HeldTime(player int64, year int) (d time.Duration, err error) {
	var n int64
	err = t.one("SELECT time FROM held_time WHERE player = ? AND year = ?", []any{player, year}, &n)
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return time.Duration(n) * time.Millisecond, err
}

func (t *tx) AddHeldTime(player int64, year int, by time.Duration) error {
	_, err := t.exec("INSERT INTO held_time (player, year, time) VALUES (?1, ?2, ?3) ON CONFLICT (year, player) DO UPDATE SET time = time + ?3", player, year, by.Milliseconds())
	return err
}

func (t *tx) ShiftSeat(game string, place int, by time.Duration) error {
	_, err := t.exec("UPDATE due SET at = at + ? WHERE game = ? AND place = ? AND kind IN (?, ?, ?)", by.Milliseconds(), game, place, store.DueRemind, store.DueLate, store.DueMissed)
	return err
}

func (t *tx) Entered(id int64) (time.Time, error) {
	var when int64
	err := t.one("SELECT entered FROM out WHERE id = ?", []any{id}, &when)
	return at(when), err
}

func (t *tx) Reenter(player, id int64, now time.Time) error {
	_, err := t.exec("UPDATE out SET entered = max(entered, ?) WHERE (player = ? OR id = ?) AND state = "+queued, ms(now), player, id)
	return err
}

// A HeldClock is how a player's clocks have stood still because their mail server refused our
// letters.
type HeldClock struct {
	Player int64
	Name   string
	Since  time.Time // zero: they can be reached
	Until  time.Time
	Held   bool
	Why    string
	Year   time.Duration // in all this year, without what is under way
}

// HeldClocks lists players who cannot be reached, or could not in a year, up to a limit.
func (d *DB) HeldClocks(ctx context.Context, year, limit int) (out []HeldClock, err error) {
	err = d.read(ctx, func(t *tx) error {
		return t.each(`SELECT players.id, players.name, coalesce(since, 0), coalesce(until, 0), coalesce(held, 0), coalesce(why, ''), coalesce(time, 0) FROM players
			LEFT JOIN unreached ON unreached.player = players.id LEFT JOIN held_time ON held_time.player = players.id AND held_time.year = ?
			WHERE players.id IN (SELECT player FROM unreached WHERE player > 0 UNION SELECT player FROM held_time WHERE year = ?) ORDER BY players.id LIMIT ?`, []any{year, year, limit}, func(r *sql.Rows) error {
			var x HeldClock
			var since, until, n int64
			err := r.Scan(&x.Player, &x.Name, &since, &until, &x.Held, &x.Why, &n)
			x.Since, x.Until, x.Year = at(since), at(until), time.Duration(n)*time.Millisecond
			out = append(out, x)
			return err
		})
	})
	return out, err
}

func (t *tx) StoodIn(game string, place int) (store.StoodIn, error) {
	x := store.StoodIn{Game: game, Place: place}
	var until int64
	err := t.one("SELECT turn, until, step FROM stood_in WHERE game = ? AND place = ?", []any{game, place}, &x.Turn, &until, &x.Step)
	x.Until = at(until)
	return x, err
}

func (t *tx) SaveStoodIn(x store.StoodIn) error {
	_, err := t.exec("INSERT OR REPLACE INTO stood_in (game, place, turn, until, step) VALUES (?, ?, ?, ?, ?)", x.Game, x.Place, x.Turn, ms(x.Until), x.Step)
	return err
}

func (t *tx) DropStoodIn(game string, place int) error {
	_, err := t.exec("DELETE FROM stood_in WHERE game = ? AND place = ?", game, place)
	return err
}
