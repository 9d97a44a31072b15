package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"angelpost/engine/incoming"
	"angelpost/engine/store"
)

// TestAiling fills the database to a bound and lifts it: the error is the
// machine's, nothing half done stays, and work goes on.
func TestAiling(t *testing.T) {
	ctx := context.Background()
	d, err := Open(ctx, filepath.Join(t.TempDir(), "games.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	bound := func(pages int) {
		if _, err := d.writer.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
			t.Fatal(err)
		}
	}
	add := func(i int) error {
		return d.Update(ctx, func(tx store.Tx) error {
			return tx.AddLetter(&store.Letter{MessageID: fmt.Sprintf("l%d@home.test", i), From: "ada@home.test", Class: incoming.Orders,
				State: store.LetterNew, Received: time.Unix(1_800_000_000, 0), Raw: []byte(strings.Repeat("x", 20_000))})
		})
	}
	bound(150)
	n := 0
	for err = add(0); err == nil && n < 100; err = add(n) {
		n++
	}
	if n == 0 || n == 100 || !StorageDown(err) || !StorageDown(fmt.Errorf("store letter: %w", err)) || !Full(err) {
		t.Fatalf("after %d letters: %v", n, err)
	}
	var stored []store.Letter
	if err := d.View(ctx, func(tx store.Tx) (err error) {
		stored, err = tx.Letters(store.LetterNew, 1000)
		return err
	}); err != nil || len(stored) != n {
		t.Errorf("%d letters are stored, %d were taken (%v)", len(stored), n, err)
	}
	if _, err := Open(ctx, filepath.Join(t.TempDir(), "nowhere", "games.db")); err == nil || Full(err) {
		t.Errorf("a folder that is missing is taken for a full disk: %v", err)
	}
	if err := (&os.PathError{Op: "write", Err: syscall.ENOSPC}); !Full(err) {
		t.Errorf("%v is not taken for a full disk", err)
	}
	bound(1 << 30)
	if err := add(n); err != nil {
		t.Errorf("with room again: %v", err)
	}

	_, broken := d.writer.ExecContext(ctx, "INSERT INTO raw (letter, bytes) VALUES (999, x'')")
	for _, err := range []error{broken, store.ErrNotFound, context.Canceled, errors.New("database is full of games")} {
		if err == nil || StorageDown(err) || Full(err) {
			t.Errorf("%v is taken for the machine's fault", err)
		}
	}
}
