package db_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"
)

// TestCheckEndsWithItsContext: the check ends with its context, not once SQLite has read the whole
// file.
func TestCheckEndsWithItsContext(t *testing.T) {
	d, path := fresh(t)
	c, err := sql.Open("sqlite3", dsnOf(path))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Exec(`PRAGMA synchronous = OFF; WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
		INSERT INTO counters SELECT 'a/' || i || '/' || hex(randomblob(100)), '2026-11-27', i FROM n`); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := d.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(began)
	for _, part := range []time.Duration{20, 5, 2} {
		ctx, cancel := context.WithTimeout(t.Context(), whole/part)
		began := time.Now()
		err := d.Check(ctx)
		cancel()
		if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took > whole/part+whole/4+50*time.Millisecond {
			t.Errorf("asked to end after a %dth of %v, the check ended after %v: %v", part, whole, took, err)
		}
	}
}
