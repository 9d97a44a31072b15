package db

import (
	"context"
	"database/sql"
	"time"
)

const minutesKept = 24*60 + 1

// noteSendings counts letters that the mail server took.
func (t *tx) noteSendings(now time.Time, letters int) error {
	minute := now.Unix() / 60
	if _, err := t.exec("DELETE FROM sendings WHERE minute < ? OR minute > ?", minute-minutesKept, minute); err != nil {
		return err
	}
	_, err := t.exec("INSERT INTO sendings VALUES (?, ?) ON CONFLICT (minute) DO UPDATE SET letters = letters + excluded.letters", minute, letters)
	return err
}

// A Sending is how many letters went out up to a time, and after the one before.
type Sending struct {
	At      time.Time
	Letters int
}

// Sendings are the letters of the day before now, the oldest first. A time is the end of
// a minute, or now.
func (d *DB) Sendings(ctx context.Context, now time.Time) (out []Sending, err error) {
	err = d.read(ctx, func(t *tx) error {
		return t.each("SELECT minute, letters FROM sendings WHERE minute >= ? ORDER BY minute", []any{now.Add(-24*time.Hour).Unix() / 60}, func(r *sql.Rows) error {
			var minute int64
			var s Sending
			err := r.Scan(&minute, &s.Letters)
			s.At = time.Unix(60*(minute+1), 0)
			if s.At.After(now) {
				s.At = now
			}
			out = append(out, s)
			return err
		})
	})
	return out, err
}
