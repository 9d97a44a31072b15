package db

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"angelpost/engine/store"
	"angelpost/engine/token"
)

// TestClaimKey: the key of claims is that of a database and its copies, however they were made. A change of the
// keys of tokens leaves it alone, and no other database has it.
func TestClaimKey(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	d, err := Open(ctx, filepath.Join(dir, "games.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	key, err := d.ClaimKey(ctx)
	if err != nil || len(key) != 32 {
		t.Fatal(key, err)
	}
	err = d.Update(ctx, func(tx store.Tx) error {
		return errors.Join(tx.AddTokenKey(store.TokenKey{Key: token.Key{N: 2}, Since: time.Now()}), tx.DropTokenKeys(2))
	})
	if err := errors.Join(err, d.Backup(ctx, filepath.Join(dir, "copy.db"), time.Now())); err != nil {
		t.Fatal(err)
	}
	other, err := Open(ctx, filepath.Join(dir, "other.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if k, err := other.ClaimKey(ctx); err != nil || bytes.Equal(k, key) {
		t.Errorf("another database has it, %v", err)
	}
	copied, err := Open(ctx, filepath.Join(dir, "copy.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []*DB{d, copied} {
		if k, err := x.ClaimKey(ctx); err != nil || !bytes.Equal(k, key) {
			t.Errorf("%s has another one, %v", x.path, err)
		}
	}
	if err := copied.Close(); err != nil {
		t.Fatal(err)
	}
	id, err := d.ID(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if of, k, err := FollowedIdentity(ctx, filepath.Join(dir, "copy.db")); err != nil || !bytes.Equal(k, key) || of != id {
		t.Errorf("a copy that is followed is of %q, want %q, and has another one, %v", of, id, err)
	}
	if _, _, err := FollowedIdentity(ctx, filepath.Join(dir, "none.db")); err == nil {
		t.Error("no copy has one")
	}
	first := filepath.Join(dir, "first.db")
	text, err := os.ReadFile("testdata/first.sql")
	if err != nil {
		t.Fatal(err)
	}
	c, err := sql.Open("sqlite3", first)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Exec(string(text))
	if err := errors.Join(err, c.Close()); err != nil {
		t.Fatal(err)
	}
	if of, k, err := FollowedIdentity(ctx, first); err != nil || k != nil || of == "" {
		t.Errorf("a copy of the first schema: %q, %x, %v", of, k, err)
	}
}
