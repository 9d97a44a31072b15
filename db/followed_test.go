package db

import (
	"errors"
	"os"
	"path/filepath"
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
