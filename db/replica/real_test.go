//go:build real

package replica_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"

	"angelpost/db"
	"angelpost/db/replica"
	"angelpost/db/replica/litestream"
	"angelpost/engine/store"
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

// filled is a database that Litestream copies to a place, with rows in it, and what waits for that.
func filled(t *testing.T, place string, patience time.Duration, rows int) (w *sql.DB, l *litestream.Litestream, r *replica.Replica) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "games.db")
	d, err := db.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	if w, err = sql.Open("sqlite3", "file:"+path+"?_busy_timeout=5000"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	if _, err := w.Exec("CREATE TABLE waited (n, noise DEFAULT (randomblob(10000)))"); err != nil {
		t.Fatal(err)
	}
	l = litestream.Start(t, path, "file://"+place, "")
	r = replica.New(replica.Config{Socket: l.Socket, Path: path, Version: d.Version, Patience: patience})
	t.Cleanup(r.Close)
	for range rows {
		if _, err := w.Exec("INSERT INTO waited (n) VALUES (1)"); err != nil {
			t.Fatal(err)
		}
		if err := r.Wait(t.Context()); err != nil {
			t.Fatalf("%v\n%s", err, l.Log())
		}
	}
	return w, l, r
}

// TestReplicaDiskFull: when the disk of the replica is full, what is committed is not taken for
// copied; once there is room, it is, and the replica has every row that was waited for.
func TestReplicaDiskFull(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=4m"); err != nil {
		t.Fatalf("a disk that can be full needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	w, l, r := filled(t, filepath.Join(disk, "replica"), 2*time.Second, 3)
	filler := filepath.Join(disk, "filler")
	if err := os.WriteFile(filler, make([]byte, 8<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk takes more than it has: %v", err)
	}
	const more = 5
	refused := 0
	for range more {
		if _, err := w.Exec("INSERT INTO waited (n) VALUES (2)"); err != nil {
			t.Fatal(err)
		}
		if r.Wait(t.Context()) != nil {
			refused++
		}
	}
	if refused != more {
		t.Errorf("%d of %d waits ended well though the disk is full", more-refused, more)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	for over := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		err := r.Wait(t.Context())
		if err == nil {
			break
		}
		if time.Now().After(over) {
			t.Fatalf("there is room again: %v\n%s", err, l.Log())
		}
	}
	l.Kill()
	restored := filepath.Join(t.TempDir(), "restored.db")
	if err := l.Restore(t.Context(), restored); err != nil {
		t.Fatal(err)
	}
	if got := rows(t, restored); got != 3+more {
		t.Errorf("the replica has %d rows, want %d", got, 3+more)
	}
}

// TestDamagedReplica damages one file of the replica after the other, at several places: a restore
// fails and leaves nothing that a standby could serve, or it is whole.
func TestDamagedReplica(t *testing.T) {
	const written = 4
	place := filepath.Join(t.TempDir(), "replica")
	_, l, _ := filled(t, place, time.Minute, written)
	l.Kill()
	failed, tried := 0, 0
	err := filepath.WalkDir(place, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, at := range []int{0, len(whole) / 3, 2 * len(whole) / 3, len(whole) - 1} {
			spoilt := slices.Clone(whole)
			spoilt[at] ^= 0x55
			if err := os.WriteFile(path, spoilt, 0o600); err != nil {
				return err
			}
			tried++
			restored := filepath.Join(t.TempDir(), "restored.db")
			if l.Restore(t.Context(), restored) != nil {
				failed++
				if _, err := os.Stat(restored); err == nil {
					t.Errorf("%s, octet %d: a database is left of a restore that failed", path, at)
				}
			} else if got := rows(t, restored); got != written {
				t.Errorf("%s, octet %d: restored with %d rows, want %d", path, at, got, written)
			}
		}
		return os.WriteFile(path, whole, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	if failed == 0 {
		t.Errorf("no restore failed of %d", tried)
	}
	t.Logf("%d of %d restores failed", failed, tried)
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

// TestErasedOnReplica: what is erased goes from the database's files while Litestream copies them, and
// the replica's chain goes on: what is restored from it has every row, and none of the texts.
func TestErasedOnReplica(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	path := filepath.Join(dir, "games.db")
	d, err := db.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	l := litestream.Start(t, path, "file://"+filepath.Join(dir, "replica"), "", "checkpoint-interval: 1s")
	r := replica.New(replica.Config{Socket: l.Socket, Path: path, Version: d.Version, Patience: time.Minute})
	defer r.Close()
	var secrets []string
	then := time.Now()
	player := int64(0)
	write := func(f func(store.Tx) error) {
		t.Helper()
		if err := errors.Join(d.Update(ctx, f), r.Wait(ctx)); err != nil {
			t.Fatalf("%v\n%s", err, l.Log())
		}
	}
	write(func(tx store.Tx) error {
		p := store.Player{Name: "Quixotella", Address: "quixo@home.test", Created: then}
		secrets = append(secrets, p.Name, p.Address)
		err := errors.Join(tx.AddPlayer(&p), tx.SaveAddress(store.Address{Address: p.Address, Player: p.ID}))
		player = p.ID
		return err
	})
	for i := range 18 {
		secrets = append(secrets, fmt.Sprintf("zanzibar-%d-letter", i))
		write(func(tx store.Tx) error {
			return tx.AddLetter(&store.Letter{MessageID: fmt.Sprint(i), From: "quixo@home.test", Date: then, State: store.LetterDone, Received: then, Raw: []byte(strings.Repeat(secrets[i+2]+" ", 1000))})
		})
	}
	write(func(tx store.Tx) error {
		return tx.Erase(player, time.Now(), "Former player 1", func(a string) string { return a })
	})
	all, err := d.Erased(ctx)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	if err := d.ErasedFiled(ctx, all[0]); err != nil {
		t.Fatal(err)
	}
	beats := 0
	for over := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		again, err := d.Wipe(ctx, true)
		if err != nil {
			t.Fatal(err)
		}
		if again == 0 {
			break
		}
		if time.Now().After(over) {
			t.Fatalf("it is not wiped\n%s", l.Log())
		}
		beats++
		write(func(tx store.Tx) error { return tx.Heartbeat(time.Now()) })
	}
	write(func(tx store.Tx) error { return tx.Heartbeat(time.Now()) })
	restored := filepath.Join(dir, "restored.db")
	if err := l.Restore(ctx, restored); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, path + "-wal", restored} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range secrets {
			if bytes.Contains(text, []byte(s)) {
				t.Errorf("%s has %q", filepath.Base(name), s)
			}
		}
	}
	c, err := sql.Open("sqlite3", "file:"+restored)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var sound string
	var n int
	if err := errors.Join(c.QueryRow("PRAGMA integrity_check").Scan(&sound), c.QueryRow("SELECT value FROM meta WHERE key = 'beats'").Scan(&n)); err != nil || sound != "ok" || n != beats+1 {
		t.Errorf("restored: %v, %q, %d of %d heartbeats", err, sound, n, beats+1)
	}
	if text := l.Log(); strings.Contains(text, "snapshotting") || strings.Contains(text, "by another process") {
		t.Errorf("the chain broke:\n%s", text)
	}
}
