package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
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
