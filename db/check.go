package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-sqlite3"
)

// ErrDamaged is wrapped by errors that say that the file itself is damaged: SQLite
// cannot read some of it, or finds it inconsistent. Waiting doesn't help; only
// another file does.
var ErrDamaged = errors.New("the database file is damaged")

// maxComplaint bounds what an error repeats of SQLite's findings, in bytes.
const maxComplaint = 300

// Check reads the whole file and returns an error that is Damaged if SQLite finds
// damage, or a game differs from its checksum. It takes as long as reading the file; if ctx ends first, its error
// says nothing about the file. The database stays in use meanwhile.
func (d *DB) Check(ctx context.Context) error {
	if err := check(ctx, d.path); err != nil {
		return err
	}
	return checkLogs(ctx, d.path)
}

func check(ctx context.Context, path string) (err error) {
	c, err := sql.Open("sqlite3", dsn(path)+"?mode=ro&_busy_timeout=5000")
	if err != nil {
		return fmt.Errorf("check database: %w", err)
	}
	defer c.Close()
	// quick_check compares no index with its table, which would take much longer.
	rows, err := c.QueryContext(ctx, "PRAGMA quick_check(5)")
	if err != nil {
		return checked(ctx, err)
	}
	defer rows.Close()
	var found []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return checked(ctx, err)
		}
		found = append(found, strings.Fields(line)...)
	}
	if err := rows.Err(); err != nil {
		return checked(ctx, err)
	}
	if said := strings.Join(found, " "); said != "ok" {
		return fmt.Errorf("%w: SQLite says: %s", ErrDamaged, clip(said))
	}
	return nil
}

func checked(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil { // SQLite was interrupted
		return fmt.Errorf("check database: %w", ctx.Err())
	}
	return fmt.Errorf("check database: %w", err)
}

func clip(s string) string {
	if len(s) <= maxComplaint {
		return s
	}
	n := maxComplaint
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// Damaged reports whether an error is ErrDamaged, or SQLite's for the same.
func Damaged(err error) bool {
	var e sqlite3.Error
	return errors.Is(err, ErrDamaged) || errors.As(err, &e) && (e.Code == sqlite3.ErrCorrupt || e.Code == sqlite3.ErrNotADB)
}
