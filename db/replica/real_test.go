//go:build real

package replica_test

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"

	"angelpost/db"
	"angelpost/db/replica"
	"angelpost/db/replica/litestream"
)

// rows counts what a file restored from the replica has.
func rows(t *testing.T, file string) (n int) {
	t.Helper()
	d, err := sql.Open("sqlite3", "file:"+file)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var sound string
	if err := errors.Join(d.QueryRow("PRAGMA integrity_check").Scan(&sound), d.QueryRow("SELECT count(*) FROM waited").Scan(&n)); err != nil || sound != "ok" {
		t.Fatal(err, sound)
	}
	return n
}

// TestLitestreamHasWhatWasWaitedFor kills Litestream at once after each wait. A database
// restored from the replica has every row that was waited for.
func TestLitestreamHasWhatWasWaitedFor(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	path, copied := filepath.Join(dir, "games.db"), filepath.Join(dir, "replica")
	d, err := db.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	w, err := sql.Open("sqlite3", "file:"+path+"?_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Exec("CREATE TABLE waited (n)"); err != nil {
		t.Fatal(err)
	}
	l := litestream.Start(t, path, "file://"+copied, "")
	r := replica.New(replica.Config{Socket: l.Socket, Path: path, Version: d.Version, Patience: time.Minute})
	defer r.Close()
	for i := range 12 {
		for range 3 { // the last of them alone is what the wait began for
			if _, err := w.Exec("INSERT INTO waited VALUES (?)", i); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Wait(ctx); err != nil {
			t.Fatalf("%v\n%s", err, l.Log())
		}
		if i%4 != 3 {
			continue
		}
		l.Kill()
		restored := filepath.Join(dir, fmt.Sprint("restored", i))
		if err := l.Restore(ctx, restored); err != nil {
			t.Fatal(err)
		}
		if got, want := rows(t, restored), 3*(i+1); got != want {
			t.Errorf("the replica has %d rows, want %d", got, want)
		}
		if _, err := w.Exec("INSERT INTO waited SELECT -1 WHERE 0"); err != nil {
			t.Fatal(err)
		}
		l.Begin(t)
	}
}

// TestReplicaOfAnotherDatabase holds that a place with another database's history is
// not taken for a replica before it has this one's, and that a database which Litestream
// does not know is not taken for copied.
func TestReplicaOfAnotherDatabase(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	place := "file://" + filepath.Join(dir, "replica")
	open := func(name string) (*db.DB, string) {
		path := filepath.Join(dir, name)
		d, err := db.Open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		return d, path
	}
	first, path := open("first.db")
	l := litestream.Start(t, path, place, "")
	r := replica.New(replica.Config{Socket: l.Socket, Path: path, Version: first.Version, Patience: time.Minute})
	for i := range 20 {
		if err := first.Raise(ctx, fmt.Sprint(i), "x", time.Now()); err != nil {
			t.Fatal(err)
		}
		if err := r.Wait(ctx); err != nil {
			t.Fatal(err)
		}
	}
	l.Kill()
	second, path := open("second.db")
	l = litestream.Start(t, path, place, "")
	r = replica.New(replica.Config{Socket: l.Socket, Path: path, Version: second.Version, Patience: 5 * time.Second})
	if err := second.Raise(ctx, "1", "x", time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := r.Wait(ctx); err != nil { // Litestream begins anew with all of it
		t.Fatal(err)
	}
	restored := filepath.Join(dir, "restored.db")
	if err := l.Restore(ctx, restored); err != nil {
		t.Fatal(err)
	}
	d, err := db.Open(ctx, restored)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if a, err := d.Alarms(ctx); err != nil || len(a) != 1 {
		t.Errorf("the replica is said to have the second database, and has %d alarms of it, %v", len(a), err)
	}
	r = replica.New(replica.Config{Socket: l.Socket, Path: path + "x", Version: second.Version, Patience: 5 * time.Second})
	if err := r.Wait(ctx); !errors.Is(err, replica.ErrAway) {
		t.Errorf("a database that Litestream does not know: %v", err)
	}
}
