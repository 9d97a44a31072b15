package db

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// Nothing but Migrate changes an older schema, and it leaves a copy; three stay.
func TestUpgrade(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "angelpost.db")
	first, err := schemas.ReadFile("schema/0001.sql")
	if err != nil {
		t.Fatal(err)
	}
	old := fstest.MapFS{"schema/0001.sql": {Data: first}}
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	if copied, err := migrateTo(ctx, path, now, old); err != nil || copied != "" {
		t.Fatalf("a new file: copy %q, %v", copied, err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, path); !errors.Is(err, ErrOlder) || !strings.Contains(err.Error(), "angelpost migrate") {
		t.Fatalf("open: %v", err)
	}
	d, err := OpenToRead(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := d.schema(ctx); err != nil || v != Schema() {
		t.Errorf("what is read has schema %d, %v", v, err)
	}
	temporary := d.temporary
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(temporary); temporary == "" || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary copy %q stays: %v", temporary, err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file has changed: %v", err)
	}

	steps := fstest.MapFS{"schema/0001.sql": {Data: first}}
	var copies []string
	for i, name := range []string{"0002", "0003", "0004", "0005"} {
		steps["schema/"+name+".sql"] = &fstest.MapFile{Data: []byte("CREATE TABLE t" + name + " (a INTEGER) STRICT;")}
		copied, err := migrateTo(ctx, path, now.Add(time.Duration(i)*time.Hour), steps)
		if err != nil || copied == "" {
			t.Fatalf("to %s: copy %q, %v", name, copied, err)
		}
		copies = append(copies, copied)
	}
	for i, c := range copies {
		_, err := os.Stat(c)
		if kept := err == nil; kept != (i > 0) {
			t.Errorf("copy %s is kept: %v", c, kept)
		}
	}
	if err := DropCopies(path, now.Add(150*time.Minute)); err != nil {
		t.Fatal(err)
	}
	for i, c := range copies[1:] {
		_, err := os.Stat(c)
		if kept := err == nil; kept != (i == 2) {
			t.Errorf("copy %s is kept after its time: %v", c, kept)
		}
	}
	c, err := OpenAsIs(ctx, copies[3])
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if v, err := c.schema(ctx); err != nil || v != 4 {
		t.Errorf("the last copy has schema %d, %v", v, err)
	}
	if _, err := migrateTo(ctx, path, now, old); !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), "Install the newer version") {
		t.Errorf("a downgrade: %v", err)
	}
}

// TestUpgradeRewrites: what was deleted before the upgrade is not in the file any more, not even between
// rows that stayed.
func TestUpgradeRewrites(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "angelpost.db")
	old := fstest.MapFS{}
	for i := 1; i < wipedSchema; i++ {
		name := fmt.Sprintf("schema/%04d.sql", i)
		text, err := schemas.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		old[name] = &fstest.MapFile{Data: text}
	}
	if _, err := migrateTo(ctx, path, time.Now(), old); err != nil {
		t.Fatal(err)
	}
	c, err := sql.Open("sqlite3", dsn(path))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(`INSERT INTO texts (text) VALUES ('ada@home.test'), ('kumquat@home.test'), ('bo@home.test'); DELETE FROM texts WHERE text LIKE 'kumquat%';
		INSERT INTO said (text) VALUES ('hello lapislazuli'); DELETE FROM said`); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	left := func() bool {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Contains(file, []byte("kumquat")) || bytes.Contains(file, []byte("lapislazuli"))
	}
	if !left() {
		t.Fatal("SQLite overwrites by itself what it deletes")
	}
	if _, err := Migrate(ctx, path, time.Now()); err != nil {
		t.Fatal(err)
	}
	if left() {
		t.Error("what was deleted before the upgrade is still in the file")
	}
}
