package db

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// ID is the database's random name: its copies share it, no other has it.
func (d *DB) ID(ctx context.Context) (id string, err error) {
	err = d.row(ctx, &id, "SELECT value FROM meta WHERE key = 'id'")
	if err != nil {
		err = fmt.Errorf("id of the database: %w", err)
	}
	return id, err
}

// ClaimKey is what claims on a mailbox are authenticated with. The database's copies share it, whatever
// has been restored, and it stays when the keys of tokens change.
func (d *DB) ClaimKey(ctx context.Context) ([]byte, error) {
	var secret []byte
	if err := d.row(ctx, &secret, "SELECT value FROM meta WHERE key = 'secret'"); err != nil {
		return nil, fmt.Errorf("key of claims: %w", err)
	}
	return keyed(secret, "claim"), nil
}

// keyed derives a key, or a hash, for one purpose from the database's secret.
func keyed(secret []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

// Unused reports whether the database has never got a letter: no one has played on it.
func (d *DB) Unused(ctx context.Context) (unused bool, err error) {
	err = d.row(ctx, &unused, "SELECT NOT EXISTS (SELECT 1 FROM letters)")
	return unused, err
}

// Note remembers a figure of the server at work, for commands beside it.
func (d *DB) Note(ctx context.Context, key string, value int64) error {
	return d.write(ctx, synced, func(t *tx) error {
		_, err := t.exec("INSERT INTO meta VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2", key, value)
		return err
	})
}

// Noted returns a figure that Note remembered; 0 if it did not.
func (d *DB) Noted(ctx context.Context, key string) (value int64, err error) {
	err = d.row(ctx, &value, "SELECT value FROM meta WHERE key = ?", key)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return value, err
}

func (t *tx) LastHeartbeat() (time.Time, error) { return t.mark("beat") }

func (t *tx) Heartbeat(now time.Time) error {
	if err := t.setMark("beat", now); err != nil {
		return err
	}
	_, err := t.exec("UPDATE meta SET value = value + 1 WHERE key = 'beats'")
	return err
}

func (t *tx) RestoredFrom() (time.Time, error) { return t.mark("copied") }

func (t *tx) AcknowledgeRestore() error { return t.setMark("copied", time.Time{}) }

func (t *tx) MailStopped() (time.Time, error) { return t.mark("mail_stopped") }

func (t *tx) SetMailStopped(since time.Time) error { return t.setMark("mail_stopped", since) }

func (t *tx) mark(key string) (time.Time, error) {
	var when int64
	err := t.one("SELECT value FROM meta WHERE key = ?", []any{key}, &when)
	return at(when), err
}

func (t *tx) setMark(key string, when time.Time) error {
	_, err := t.exec("UPDATE meta SET value = ? WHERE key = ?", ms(when), key)
	return err
}

func (t *tx) ShiftTimers(by time.Duration) error {
	for _, q := range []string{
		"UPDATE due SET at = at + ? WHERE at > 0",
		"UPDATE seats SET deadline = deadline + ?, revised = revised + 1000 WHERE deadline > 0",
		"UPDATE confirms SET expires = expires + ? WHERE open <> 0",
		"UPDATE out SET due = due + ?1, entered = entered + ?1 WHERE state = " + queued + " AND due > 0",
		"UPDATE unreached SET since = since + ?1, until = until + ?1 WHERE player > 0",
		"UPDATE meta SET value = value + ? WHERE key = 'mail_stopped' AND value > 0",
	} {
		if _, err := t.exec(q, by.Milliseconds()); err != nil {
			return err
		}
	}
	return nil
}

// markCopy notes in a copy of the database when it was made.
func markCopy(ctx context.Context, file string, now time.Time) (err error) {
	c, err := sql.Open("sqlite3", dsn(file)+"?_busy_timeout=5000&_synchronous=FULL")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	_, err = c.ExecContext(ctx, "UPDATE meta SET value = ? WHERE key = 'copied'", ms(now))
	return err
}
