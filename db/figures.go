package db

import (
	"context"
	"time"

	"angelpost/engine/store"
)

// Figures say how much of what a host watches there is.
type Figures struct {
	Queued       int       // letters out that wait to be sent
	OldestQueued time.Time // from when the age of the oldest of them counts; zero: none waits
	New          int       // letters in that are stored and not applied yet
	Held         int       // letters in that wait for a confirmation
	Aside        int       // letters in that were set aside
	LastIn       time.Time // when the last letter was received; zero: none was
	Running      int       // games
	Players      int
	Size         int64    // bytes of the database, without its WAL
	Unread       int      // games that cannot be read
	Erasing      bool     // letters in the mailbox or bytes of the file are still an erased player's
	Alarms       []string // kinds of alarms there are now
}

// Figures reads them all in one snapshot.
func (d *DB) Figures(ctx context.Context) (f Figures, err error) {
	err = d.read(ctx, func(t *tx) error {
		var oldest, last, pages, page int64
		for _, q := range []struct {
			query string
			args  []any
			into  []any
		}{
			{"SELECT count(*), coalesce(min(entered), 0) FROM out WHERE state = " + queued, nil, []any{&f.Queued, &oldest}},
			{"SELECT coalesce(sum(state = 1), 0), coalesce(sum(state = 2), 0), coalesce(sum(state = 3), 0) FROM letters WHERE state IN (1, 2, 3)", nil, []any{&f.New, &f.Held, &f.Aside}},
			{"SELECT coalesce((SELECT received FROM letters ORDER BY id DESC LIMIT 1), 0)", nil, []any{&last}},
			{"SELECT count(*) FROM games WHERE state = ?", []any{store.GameRunning}, []any{&f.Running}},
			{"SELECT coalesce(max(id), 0) FROM players", nil, []any{&f.Players}}, // none is ever deleted
			{"SELECT count(DISTINCT game) FROM due WHERE kind = 'unread'", nil, []any{&f.Unread}},
			{"SELECT value <> 0 OR EXISTS (SELECT 1 FROM erased WHERE address > '') FROM meta WHERE key = 'wipe'", nil, []any{&f.Erasing}},
			{"PRAGMA page_count", nil, []any{&pages}},
			{"PRAGMA page_size", nil, []any{&page}},
		} {
			if err := t.one(q.query, q.args, q.into...); err != nil {
				return err
			}
		}
		alarms, err := t.alarmsNow()
		for _, a := range alarms {
			f.Alarms = append(f.Alarms, a.Kind)
		}
		if err != nil {
			return err
		}
		f.OldestQueued, f.LastIn, f.Size = at(oldest), at(last), pages*page
		return nil
	})
	return f, err
}
