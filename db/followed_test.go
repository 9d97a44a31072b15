package db

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// TestOpenFollowed holds that a copy is read as it is, though its header says that it has a
// WAL, and that nothing can be written to it.
func TestOpenFollowed(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	d, err := Open(ctx, filepath.Join(dir, "games.db"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := d.ID(ctx)
	if err := errors.Join(err, d.Close()); err != nil { // which empties the WAL
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "games.db"))
	if err != nil || raw[18] != 2 {
		t.Fatal("no WAL", err)
	}
	copied := filepath.Join(dir, "copy", "games.db")
	if err := errors.Join(os.Mkdir(filepath.Dir(copied), 0o700), os.WriteFile(copied, raw, 0o600)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		f, err := OpenFollowed(ctx, copied)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.ID(ctx); got != want || err != nil {
			t.Errorf("%q, want %q, %v", got, want, err)
		}
		if err := errors.Join(f.Check(ctx)); err != nil {
			t.Error(err)
		}
		if _, err := f.Version(ctx); err != nil {
			t.Error(err)
		}
		if err := f.Raise(ctx, "a", "b", time.Now()); !errors.Is(err, errReadOnly) {
			t.Errorf("written: %v", err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(copied))
	if err != nil || len(entries) != 1 {
		t.Errorf("more than the copy: %v, %v", entries, err)
	}
	if _, err := OpenFollowed(ctx, copied+"x"); err == nil {
		t.Error("a file that is not there was opened")
	}
}

// litestream writes what a database has now into a copy, as `litestream restore -f` does: the
// pages that differ, and its count. The counter in the first page stays as it is.
func litestream(t *testing.T, d *DB, copied, count string) {
	t.Helper()
	if _, err := d.writer.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	now, err := os.ReadFile(d.path)
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	f, err := os.OpenFile(copied, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(now); at += page {
		b := now[at : at+page]
		if at == 0 {
			b[18], b[19] = 1, 1
			copy(b[24:28], before[24:28])
		}
		if at < len(before) && bytes.Equal(b, before[at:at+page]) {
			continue
		}
		if _, err := f.WriteAt(b, int64(at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(f.Truncate(int64(len(now))), f.Close(), os.WriteFile(copied+"-txid", []byte(count), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// TestFollowedMoves holds that what Litestream writes into a copy is read at once, though it leaves
// SQLite's counter of changes alone, and that Version tells of it.
func TestFollowedMoves(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	d, err := Open(ctx, filepath.Join(dir, "games.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.writer.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(d.path)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(dir, "copy", "games.db")
	if err := errors.Join(os.Mkdir(filepath.Dir(copied), 0o700), os.WriteFile(copied, raw, 0o600)); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFollowed(ctx, copied)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	version, err := f.Version(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := f.Version(ctx); v != version || err != nil {
		t.Errorf("nothing has changed: version %d, then %d, %v", version, v, err)
	}
	for n := int64(1); n <= 20; n++ {
		if err := d.Note(ctx, "n", n); err != nil {
			t.Fatal(err)
		}
		litestream(t, d, copied, fmt.Sprintf("%016x", n))
		var readers sync.WaitGroup
		for range 4 {
			readers.Go(func() {
				if got, err := f.Noted(ctx, "n"); got != n || err != nil {
					t.Errorf("after change %d the copy has %d, %v", n, got, err)
				}
			})
		}
		readers.Wait()
		v, err := f.Version(ctx)
		if v == version || err != nil {
			t.Errorf("after change %d: version %d, %v", n, v, err)
		}
		version = v
	}
}
