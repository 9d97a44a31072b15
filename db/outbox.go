package db

import (
	"bytes"
	"compress/flate"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"angelpost/engine/match"
)

// An Outgoing is a queued letter: its recipe, and how often sending it failed.
type Outgoing struct {
	match.Recipe
	Tries int
}

const outColumns = `out.id, kind, version, address, player, coalesce((SELECT id FROM games WHERE number = game), ''), seat, since, step,
	result, token, coalesce((SELECT key FROM keys WHERE keys.id = out.key), ''), format, answer, date, message_id,
	coalesce((SELECT l.message_id FROM letters AS l WHERE l.id = out.reply), ''),
	coalesce((SELECT h.message_id FROM out AS h WHERE h.id = out.thread), '')`

// dictionary is what answers usually begin with; changing it would make stored
// ones unreadable.
var dictionary = []byte(`{"game_name":"","names":["","",""],"lines":[{"n":1,"text":"activate die orange gray green take inject row column cube launch to ship place at mission locations collect with done reserve discard command discover repair destroy","as":["card "],"status":"applied"},{"n":2,"text":"","as":[""],"status":"forced"}],"remarks":[{"code":"","args":{"name":""}}],"press":[{"from":"","text":""}],"status":"refused","problem":{"code":"","rule":"R","suggestions":["`)

func deflate(a match.Answer) ([]byte, error) {
	text, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w, err := flate.NewWriterDict(&b, flate.DefaultCompression, dictionary)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func inflate(b []byte, a *match.Answer) error {
	text, err := io.ReadAll(flate.NewReaderDict(bytes.NewReader(b), dictionary))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, a)
}

func (t *tx) AddRecipe(r *match.Recipe, k match.TokenRow, state string) error {
	answer, err := deflate(r.Answer)
	if err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	res, err := t.exec(`INSERT INTO out (kind, version, address, player, game, place, seat, turn, since, step, confirm, result, token,
		key, format, answer, date, message_id, thread, reply, state, due)
		VALUES (?, ?, ?, ?, coalesce((SELECT number FROM games WHERE id = ?), 0), ?, ?, ?, ?, ?, ?, ?, ?,
		coalesce((SELECT max(keys.id) FROM keys JOIN games ON games.number = keys.game WHERE games.id = ? AND place = ? AND key = ?), 0),
		?, ?, ?, ?, coalesce((SELECT id FROM out WHERE message_id = ?), 0),
		coalesce((SELECT max(id) FROM letters WHERE message_id = ? AND message_id <> ''), 0), ?, ?)`,
		r.Kind, r.Version, r.To, r.Player, r.Game, k.Place, r.Seat, k.Turn, r.Since, r.Step, k.Confirm, r.Result, r.Token,
		r.Game, k.Place, r.PageKey,
		r.Format, answer, ms(r.Date), r.MessageID, r.Thread, r.InReplyTo, state, ms(r.Date))
	if err != nil {
		return err
	}
	r.ID, err = res.LastInsertId()
	return err
}

func scanRecipe(scan func(...any) error, more ...any) (r match.Recipe, err error) {
	var answer []byte
	var date int64
	err = scan(append([]any{&r.ID, &r.Kind, &r.Version, &r.To, &r.Player, &r.Game, &r.Seat, &r.Since, &r.Step, &r.Result, &r.Token,
		&r.PageKey, &r.Format, &answer, &date, &r.MessageID, &r.InReplyTo, &r.Thread}, more...)...)
	if err != nil {
		return r, err
	}
	r.Date = at(date)
	for _, id := range []string{r.Thread, r.InReplyTo} {
		if id != "" {
			r.References = append(r.References, id)
		}
	}
	if err := inflate(answer, &r.Answer); err != nil {
		return r, fmt.Errorf("answer of letter out %d: %w", r.ID, err)
	}
	return r, nil
}

func (t *tx) Recipe(id int64) (match.Recipe, error) {
	return scanRecipe(func(into ...any) error {
		return t.one("SELECT "+outColumns+" FROM out WHERE out.id = ?", []any{id}, into...)
	})
}

func (t *tx) RecipeByMessageID(id string) (match.Recipe, error) {
	return scanRecipe(func(into ...any) error {
		return t.one("SELECT "+outColumns+" FROM out WHERE message_id = ?", []any{id}, into...)
	})
}

func (t *tx) CollectedFor(address string) (out []match.Recipe, err error) {
	err = t.each("SELECT "+outColumns+" FROM out WHERE address = ? AND state = 'collected' ORDER BY out.id LIMIT 500", []any{address}, func(r *sql.Rows) error {
		c, err := scanRecipe(r.Scan)
		out = append(out, c)
		return err
	})
	return out, err
}

func (t *tx) Requeue(id int64, when time.Time) error {
	_, err := t.exec("UPDATE out SET state = 'queued', tries = 0, due = ? WHERE id = ? AND state IN ('sent', 'failed')", ms(when), id)
	return err
}

func (t *tx) SetOutState(ids []int64, state string) error {
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	_, err = t.exec("UPDATE out SET state = ? WHERE id IN (SELECT value FROM json_each(?))", state, string(list))
	return err
}

// RecipeByToken is the letter out that bears a token; match.ErrNotFound,
// wrapped, if there is none.
func (d *DB) RecipeByToken(ctx context.Context, token string) (r match.Recipe, err error) {
	err = d.inTx(ctx, d.readers, &sql.TxOptions{ReadOnly: true}, func(t *tx) error {
		r = match.Recipe{}
		var found bool
		err := t.each("SELECT "+outColumns+" FROM out WHERE token = ?", []any{token}, func(row *sql.Rows) (err error) {
			r, err = scanRecipe(row.Scan)
			found = true
			return err
		})
		if err == nil && !found {
			err = fmt.Errorf("letter with this token: %w", match.ErrNotFound)
		}
		return err
	})
	return r, err
}

// Due lists up to limit queued letters whose time has come, the longest due
// first, and when the next of the others falls due (zero: none waits). It
// changes nothing: a letter stays due until Sent, Retry or Failed.
func (d *DB) Due(ctx context.Context, now time.Time, limit int) (out []Outgoing, next time.Time, err error) {
	err = d.inTx(ctx, d.readers, &sql.TxOptions{ReadOnly: true}, func(t *tx) error {
		err := t.each("SELECT "+outColumns+", tries FROM out WHERE state = 'queued' AND due <= ? ORDER BY due, out.id LIMIT ?",
			[]any{ms(now), limit}, func(r *sql.Rows) error {
				var o Outgoing
				var err error
				o.Recipe, err = scanRecipe(r.Scan, &o.Tries)
				out = append(out, o)
				return err
			})
		if err != nil {
			return err
		}
		var when int64
		if err := t.one("SELECT coalesce(min(due), 0) FROM out WHERE state = 'queued' AND due > ?", []any{ms(now)}, &when); err != nil {
			return err
		}
		next = at(when)
		return nil
	})
	return out, next, err
}

// Sent marks a letter as taken over by the mail server.
func (d *DB) Sent(ctx context.Context, id int64) error {
	return d.inTx(ctx, d.writer, nil, func(t *tx) error {
		_, err := t.exec("UPDATE out SET state = 'sent', error = '' WHERE id = ? AND state = 'queued'", id)
		return err
	})
}

// Retry puts a letter off to a time, because of why.
func (d *DB) Retry(ctx context.Context, id int64, when time.Time, why string) error {
	return d.inTx(ctx, d.writer, nil, func(t *tx) error {
		_, err := t.exec("UPDATE out SET tries = tries + 1, due = ?, error = ? WHERE id = ? AND state = 'queued'", ms(when), why, id)
		return err
	})
}

// Failed gives a letter up. The desk is told by its caller
// (match.Desk.Undeliverable).
func (d *DB) Failed(ctx context.Context, id int64, why string) error {
	return d.inTx(ctx, d.writer, nil, func(t *tx) error {
		_, err := t.exec("UPDATE out SET state = 'failed', tries = tries + 1, error = ? WHERE id = ? AND state = 'queued'", why, id)
		return err
	})
}
