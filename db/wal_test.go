package db_test

import (
	"database/sql"
	"os"
	"testing"
	"time"

	"angelpost/engine/store"
)

// TestWALShrinks: what a program that reads for long makes the WAL grow to does not stay when the
// program has ended.
func TestWALShrinks(t *testing.T) {
	d, path := fresh(t)
	c, err := sql.Open("sqlite3", dsnOf(path))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	reader, err := c.Begin()
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := reader.QueryRow("SELECT count(*) FROM letters").Scan(&n); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		update(t, d, func(tx store.Tx) error {
			return tx.AddLetter(&store.Letter{From: "a@example.org", State: store.LetterAside, Raw: make([]byte, 1<<20)})
		})
	}
	size := func() int64 {
		i, err := os.Stat(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return i.Size()
	}
	if size() < 20<<20 {
		t.Fatalf("the reader does not keep the WAL: %d bytes", size())
	}
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the heart goes on beating
		update(t, d, func(tx store.Tx) error { return tx.Heartbeat(time.Now()) })
	}
	if size() > 8<<20 {
		t.Errorf("the reader has ended, and the WAL still has %d bytes", size())
	}
}
