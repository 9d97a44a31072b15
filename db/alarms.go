package db

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"angelpost/engine/store"
)

func (t *tx) Alarms() (out []store.Alarm, err error) {
	err = t.each("SELECT kind, since, told, why FROM alarms WHERE kind > '' ORDER BY kind", nil, func(r *sql.Rows) error {
		var a store.Alarm
		var since, told int64
		err := r.Scan(&a.Kind, &since, &told, &a.Why)
		a.Since, a.Told = at(since), at(told)
		out = append(out, a)
		return err
	})
	return out, err
}

func (t *tx) SaveAlarm(a store.Alarm) error {
	_, err := t.exec("INSERT OR REPLACE INTO alarms (kind, since, told, why) VALUES (?, ?, ?, ?)", a.Kind, ms(a.Since), ms(a.Told), a.Why)
	return err
}

// Alarms lists the trouble there is now.
func (d *DB) Alarms(ctx context.Context) (out []store.Alarm, err error) {
	err = d.read(ctx, func(t *tx) (err error) {
		out, err = t.alarmsNow()
		return err
	})
	return out, err
}

func (t *tx) alarmsNow() ([]store.Alarm, error) {
	all, err := t.Alarms()
	return slices.DeleteFunc(all, func(a store.Alarm) bool { return a.Since.IsZero() || a.Why == "" }), err
}

func (t *tx) RaiseAlarm(kind, why string, now time.Time) error {
	_, err := t.exec(`INSERT INTO alarms (kind, since, told, why) VALUES (?1, ?2, 0, ?3)
		ON CONFLICT (kind) DO UPDATE SET since = CASE WHEN since = 0 OR told >= since THEN ?2 ELSE since END, why = ?3`, kind, ms(now), why)
	return err
}

// Raise is RaiseAlarm in a transaction of its own.
func (d *DB) Raise(ctx context.Context, kind, why string, now time.Time) error {
	return d.write(ctx, synced, func(t *tx) error { return t.RaiseAlarm(kind, why, now) })
}
