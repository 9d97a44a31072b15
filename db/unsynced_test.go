package db

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"angelpost/engine/store"
)

// What is committed unsynced is there for everybody, and Sync finds the file it
// is in, though the database is opened by another name.
func TestUnsynced(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	name := filepath.Join(dir, "name.db")
	if err := os.Symlink(filepath.Join(dir, "games.db"), name); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "games.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Open(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for i, update := range []func(context.Context, func(store.Tx) error) error{d.UpdateUnsynced, d.Update, d.UpdateUnsynced} {
		var level int
		if err := update(ctx, func(x store.Tx) error {
			if err := x.(*tx).one("PRAGMA synchronous", nil, &level); err != nil {
				return err
			}
			return x.AddLetter(&store.Letter{MessageID: fmt.Sprint(i), State: store.LetterNew})
		}); err != nil {
			t.Fatal(err)
		}
		if want := 1 + i%2; level != want { // NORMAL, FULL
			t.Errorf("transaction %d: synchronous is %d, want %d", i, level, want)
		}
		var stored []store.Letter
		if err := d.View(ctx, func(tx store.Tx) (err error) {
			stored, err = tx.Letters(store.LetterNew, 10)
			return err
		}); err != nil || len(stored) != i+1 {
			t.Errorf("%d letters are seen, %d were stored (%v)", len(stored), i+1, err)
		}
	}
	if _, err := os.Stat(d.wal); err != nil {
		t.Error(err)
	}
	if err := d.Sync(); err != nil {
		t.Error(err)
	}
	d.wal = filepath.Join(d.wal, "not there") // an error that is no absence
	if err := d.Sync(); !StorageDown(err) {
		t.Errorf("a disk that fails: %v", err)
	}
}
