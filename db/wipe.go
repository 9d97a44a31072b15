package db

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// What is erased must not stay in the file. SQLite overwrites with zeros what is deleted
// (secure_delete, set where writers connect). Three things are left, and Wipe does them in steps,
// each so short that letters need not wait: the archive's index keeps words until it is merged;
// pages that became free before there was secure_delete; and the WAL, whose file keeps what was
// written last.

// The steps, as meta has them under wipe.
const (
	wipeNone = iota
	wipeIndex
	wipeFree
	wipeZeros
	wipeLog
)

// wipeTogether is how many pages are overwritten in one transaction.
const wipeTogether = 256

// wipedSchema is the first schema of servers that overwrite what they delete.
const wipedSchema = 24

// maxRewrite is the size of a database that is rewritten at once, in bytes: it takes some seconds.
const maxRewrite = 1 << 30

// rewrite writes a database of an earlier release anew, for within its pages there is what was
// deleted. One that is too large, or has no room on its disk, stays: its pages lose that when
// they are next filled, those that are free by Wipe.
func (d *DB) rewrite(ctx context.Context) error {
	if i, err := os.Stat(d.path); err != nil || i.Size() > maxRewrite {
		return err
	}
	_, err := d.writer.ExecContext(ctx, "VACUUM")
	if StorageDown(err) {
		return nil
	}
	return err
}

// Wiping reports whether the file may still have what was erased.
func (d *DB) Wiping(ctx context.Context) (yes bool, err error) {
	err = d.read(ctx, func(t *tx) error {
		return t.one("SELECT value <> 0 FROM meta WHERE key = 'wipe'", nil, &yes)
	})
	return yes, err
}

// Wipe does the next step. It returns after how long to do the one after it, 0 if nothing that was
// erased is left in the file and its WAL. With copied another program copies the WAL and alone may
// truncate it: then Wipe overwrites what it has.
func (d *DB) Wipe(ctx context.Context, copied bool) (again time.Duration, err error) {
	const soon, later = 20 * time.Millisecond, time.Second
	step := wipeNone
	err = d.read(ctx, func(t *tx) error { return t.one("SELECT value FROM meta WHERE key = 'wipe'", nil, &step) })
	if err != nil || step == wipeNone {
		return 0, err
	}
	if step == wipeLog {
		done, err := d.wipeLog(ctx, copied)
		if err != nil || !done {
			return later, err
		}
		_, err = d.change(ctx, "UPDATE meta SET value = 0 WHERE key = 'wipe' AND value = ?", wipeLog) // unless more was erased
		return later, err
	}
	d.wipedFrom = nil
	return soon, d.write(ctx, synced, func(t *tx) error {
		next, err := t.wipe(step)
		if err == nil && next != step {
			_, err = t.exec("UPDATE meta SET value = ? WHERE key = 'wipe'", next)
		}
		return err
	})
}

// wipe does a step within the file and returns the next.
func (t *tx) wipe(step int) (next int, err error) {
	switch step {
	case wipeIndex:
		if _, err := t.exec("INSERT INTO names (names) VALUES ('optimize')"); err != nil {
			return step, err
		}
		var old bool
		if err := t.one("SELECT value <> 0 FROM meta WHERE key = 'wipe_free'", nil, &old); err != nil || !old {
			return wipeLog, err
		}
		return wipeFree, nil
	case wipeFree:
		var free, size int
		if err := errors.Join(t.one("PRAGMA freelist_count", nil, &free), t.one("PRAGMA page_size", nil, &size)); err != nil || free == 0 {
			return wipeZeros, err
		}
		_, err := t.exec("INSERT INTO zeros (bytes) VALUES (zeroblob(?))", min(free, wipeTogether)*size)
		return step, err
	default:
		res, err := t.exec("DELETE FROM zeros WHERE id = (SELECT max(id) FROM zeros)")
		if err != nil {
			return step, err
		}
		if n, err := res.RowsAffected(); err != nil || n > 0 {
			return wipeZeros, err
		}
		_, err = t.exec("UPDATE meta SET value = 0 WHERE key = 'wipe_free'")
		return wipeLog, err
	}
}

// wipeLog has the WAL's file lose what was written before the call, or the first of several in a
// row, and reports whether it has. No one waits for its readers.
func (d *DB) wipeLog(ctx context.Context, copied bool) (done bool, err error) {
	c, err := d.writer.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer c.Close()
	checkpoint := func(mode string) (busy bool, frames int64, err error) {
		var moved int64
		err = c.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &frames, &moved)
		return busy, frames, err
	}
	if !copied {
		if _, err := c.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err != nil {
			return false, err
		}
		busy, _, err := checkpoint("TRUNCATE")
		_, err2 := c.ExecContext(context.WithoutCancel(ctx), "PRAGMA busy_timeout = 5000")
		return err == nil && !busy, errors.Join(err, err2)
	}
	salts, size, err := d.walHead()
	if err != nil || size == 0 {
		return err == nil, err
	}
	if d.wipedFrom == nil {
		d.wipedFrom = salts
	}
	if string(d.wipedFrom) == string(salts) { // it has not begun anew since
		return false, nil
	}
	_, frames, err := checkpoint("PASSIVE")
	if err != nil {
		return false, err
	}
	const walHeader, frameHeader = 32, 24
	var page int64
	if err := c.QueryRowContext(ctx, "PRAGMA page_size").Scan(&page); err != nil {
		return false, err
	}
	if walHeader+frames*(frameHeader+page) >= size {
		return true, nil
	}
	c.Close()
	return false, d.write(ctx, synced, func(t *tx) error {
		if _, err := t.exec("INSERT INTO zeros (bytes) VALUES (zeroblob(?))", wipeTogether*page); err != nil {
			return err
		}
		_, err := t.exec("DELETE FROM zeros WHERE id > 0")
		return err
	})
}

// walHead reads what tells the WAL's present beginning from earlier ones, and the size of its file.
func (d *DB) walHead() (salts []byte, size int64, err error) {
	f, err := os.Open(d.wal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("wipe: %w", err)
	}
	defer f.Close()
	i, err := f.Stat()
	if err != nil || i.Size() == 0 {
		return nil, 0, err
	}
	salts = make([]byte, 2*binary.Size(uint32(0)))
	if _, err := f.ReadAt(salts, 16); err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, fmt.Errorf("wipe: %w", err)
	}
	return salts, i.Size(), nil
}
