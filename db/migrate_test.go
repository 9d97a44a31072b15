package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// A database is brought from whatever schema it has to the newest, file by file. A
// file that fails changes nothing, and once it is mended the rest follows.
func TestMigrate(t *testing.T) {
	ctx := context.Background()
	d, err := Open(ctx, filepath.Join(t.TempDir(), "angelpost.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	released, err := fs.Glob(schemas, "schema/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	now := len(released)
	files := fstest.MapFS{}
	for _, name := range released {
		text, err := schemas.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	version := func() (n int) {
		t.Helper()
		if err := d.writer.QueryRowContext(ctx, "PRAGMA user_version").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	columns := func() (all string) {
		t.Helper()
		if err := d.writer.QueryRowContext(ctx, "SELECT group_concat(name) FROM pragma_table_info('counters')").Scan(&all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	add := func(n int, text string) {
		files[fmt.Sprintf("schema/%04d.sql", now+n)] = &fstest.MapFile{Data: []byte(text)}
	}
	add(1, "ALTER TABLE counters ADD COLUMN a INTEGER NOT NULL DEFAULT 0; INSERT INTO counters (key, day, n) VALUES ('x', 'y', 1);")
	add(2, "ALTER TABLE counters ADD COLUMN b INTEGER NOT NULL DEFAULT 0; UPDATE counters SET nowhere = 1;")
	if err := d.migrate(ctx, files); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("migrate to schema %d", now+2)) {
		t.Fatalf("a file that fails: %v", err)
	}
	if version() != now+1 || columns() != "key,day,n,a" {
		t.Fatalf("schema %d, columns %s", version(), columns())
	}
	add(2, "ALTER TABLE counters ADD COLUMN b INTEGER NOT NULL DEFAULT 7;")
	for range 2 { // the second time there is nothing to do
		if err := d.migrate(ctx, files); err != nil {
			t.Fatal(err)
		}
	}
	var b int
	if err := d.writer.QueryRowContext(ctx, "SELECT b FROM counters WHERE key = 'x'").Scan(&b); err != nil || b != 7 || version() != now+2 {
		t.Errorf("schema %d, b %d, %v", version(), b, err)
	}
	if err := d.migrate(ctx, schemas); !errors.Is(err, ErrNewer) {
		t.Errorf("an older program: %v", err)
	}
}

// A migration that fails again and again leaves no copies, nor does one that was killed while it
// copied; one that got somewhere keeps the copy from before.
func TestMigrateLeavesNoCopies(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "angelpost.db")
	d, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	now := Schema()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	released, err := fs.Glob(schemas, "schema/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range released {
		text, err := schemas.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	copies := func() int {
		t.Helper()
		names, err := filepath.Glob(path + ".schema*")
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	bad := &fstest.MapFile{Data: []byte("UPDATE counters SET nowhere = 1;")}
	files[fmt.Sprintf("schema/%04d.sql", now+1)] = bad
	for range 6 {
		if _, err := migrateTo(ctx, path, time.Now(), files); err == nil || copies() != 0 {
			t.Fatalf("%v, and %d copies", err, copies())
		}
	}
	part := path + fmt.Sprintf(".schema%04d-20270101T000000.000.1234.part", now)
	parts := []string{part, part + "-journal", part + "-wal", part + "-shm"}
	for _, name := range parts {
		if err := os.WriteFile(name, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files[fmt.Sprintf("schema/%04d.sql", now+1)] = &fstest.MapFile{Data: []byte("CREATE TABLE better (a INTEGER) STRICT;")}
	files[fmt.Sprintf("schema/%04d.sql", now+2)] = bad
	for range 3 {
		if _, err := migrateTo(ctx, path, time.Now(), files); err == nil || copies() != 1 {
			t.Fatalf("%v, and %d copies", err, copies())
		}
	}
	for _, name := range parts {
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("half a copy is still there: %s: %v", name, err)
		}
	}
}
