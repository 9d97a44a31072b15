package db

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"angelpost/engine/store"
)

// A Posted is a letter out as the host looks at it: what is not its recipe.
type Posted struct {
	ID        int64
	Kind      string // notice.Kind
	To        string
	Game      string // id; "" none
	MessageID string
	State     string // store.OutQueued and so on
	Date      time.Time
	Tries     int
	Next      time.Time // of a queued letter: when it is tried next
	Error     string    // of the last try
}

const postedColumns = "SELECT out.id, out.kind, a.text, games.id, out.message_id, h.text, out.state, out.date, out.tries, out.due, out.error" +
	" FROM out JOIN texts AS a ON a.id = out.address JOIN texts AS h ON h.id = out.host LEFT JOIN games ON games.number = out.game"

func scanPosted(scan func(...any) error) (p Posted, err error) {
	var game sql.NullString
	var host string
	var date, due int64
	err = scan(&p.ID, word(kinds, &p.Kind), &p.To, &game, text(&p.MessageID), &host, word(outStates, &p.State), &date, &p.Tries, &due, &p.Error)
	p.Game, p.Date, p.MessageID = game.String, at(date), p.MessageID+host
	if p.State == store.OutQueued {
		p.Next = at(due)
	}
	return p, err
}

// Posted returns a letter out; store.ErrNotFound, wrapped, if there is none.
func (d *DB) Posted(ctx context.Context, id int64) (p Posted, err error) {
	err = d.read(ctx, func(t *tx) (err error) {
		p, err = scanPosted(func(into ...any) error { return t.one(postedColumns+" WHERE out.id = ?", []any{id}, into...) })
		return err
	})
	return p, err
}

// Queue lists up to limit letters that wait to be sent, those first that are due first.
func (d *DB) Queue(ctx context.Context, limit int) ([]Posted, error) {
	return d.posted(ctx, postedColumns+" WHERE out.state = "+queued+" ORDER BY out.due, out.id LIMIT ?", limit)
}

// GivenUp lists up to limit letters that could not be delivered, the last first.
func (d *DB) GivenUp(ctx context.Context, limit int) ([]Posted, error) {
	return d.posted(ctx, postedColumns+" WHERE out.state = "+failed+" ORDER BY out.id DESC LIMIT ?", limit)
}

// Dropped lists up to limit letters that were dropped before they went, the last first.
func (d *DB) Dropped(ctx context.Context, limit int) ([]Posted, error) {
	return d.posted(ctx, postedColumns+" WHERE out.state = "+dropped+" ORDER BY out.id DESC LIMIT ?", limit)
}

func (d *DB) posted(ctx context.Context, query string, args ...any) (out []Posted, err error) {
	err = d.read(ctx, func(t *tx) error {
		return t.each(query, args, func(r *sql.Rows) error {
			p, err := scanPosted(r.Scan)
			out = append(out, p)
			return err
		})
	})
	return out, err
}

// A Guest is a player as the host looks at them.
type Guest struct {
	store.Player
	Running  int       // games
	LastMail time.Time // when their last letter that was done came; zero: none
	Bounced  time.Time // since when letters to their address come back; zero: they do not
}

// Guests lists up to limit players from after one on, in the order in which they came.
func (d *DB) Guests(ctx context.Context, after int64, limit int) ([]Guest, error) {
	return d.guests(ctx, "SELECT id FROM players WHERE id > ? ORDER BY id LIMIT ?", after, limit)
}

// LatestGuests lists the players who came last, the latest first.
func (d *DB) LatestGuests(ctx context.Context, limit int) ([]Guest, error) {
	return d.guests(ctx, "SELECT id FROM players WHERE id > 0 ORDER BY id DESC LIMIT ?", limit)
}

func (d *DB) guests(ctx context.Context, query string, args ...any) (out []Guest, err error) {
	err = d.read(ctx, func(t *tx) error {
		var ids []int64
		err := t.each(query, args, func(r *sql.Rows) error {
			var id int64
			err := r.Scan(&id)
			ids = append(ids, id)
			return err
		})
		if err != nil {
			return err
		}
		people, err := t.Players(ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			g := Guest{Player: people[id]}
			if err := t.one("SELECT count(*) FROM seats JOIN games ON games.number = seats.game WHERE seats.player = ? AND seats.player <> 0 AND games.state = ?",
				[]any{id, store.GameRunning}, &g.Running); err != nil {
				return err
			}
			if g.LastMail, err = t.LastLetter(id); err != nil {
				return err
			}
			known, err := t.Addresses(id)
			if err != nil {
				return err
			}
			for _, a := range known {
				if a.Address == g.Address {
					g.Bounced = a.Bounced
				}
			}
			out = append(out, g)
		}
		return nil
	})
	return out, err
}

// Beaten is when a server last wrote that it is at work.
func (d *DB) Beaten(ctx context.Context) (when time.Time, err error) {
	err = d.read(ctx, func(t *tx) error {
		var beat int64
		if err := t.one("SELECT value FROM meta WHERE key = 'beat'", nil, &beat); err != nil {
			return fmt.Errorf("last heartbeat: %w", err)
		}
		when = at(beat)
		return nil
	})
	return when, err
}

// Resend has a letter out sent at once, one that was sent or given up once more, and
// reports whether it could: one that waits for another letter, or went out in one, cannot.
func (d *DB) Resend(ctx context.Context, id int64, now time.Time) (done bool, err error) {
	return d.change(ctx, "UPDATE out SET state = "+queued+", tries = 0, due = ?1, entered = ?1, error = '' WHERE id = ?2 AND state IN ("+sent+", "+queued+", "+failed+")", ms(now), id)
}

// Drop gives up a letter that is queued, because of why, and reports whether it was.
func (d *DB) Drop(ctx context.Context, id int64, why string) (done bool, err error) {
	return d.change(ctx, "UPDATE out SET state = "+failed+", due = 0, error = ? WHERE id = ? AND state = "+queued, why, id)
}

// change makes a change to one row and reports whether there was one.
func (d *DB) change(ctx context.Context, query string, args ...any) (done bool, err error) {
	err = d.write(ctx, synced, func(t *tx) error {
		res, err := t.exec(query, args...)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		done = n > 0
		return err
	})
	return done, err
}
