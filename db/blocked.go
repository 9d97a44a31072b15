package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"
)

func (t *tx) Blocked(address string) (yes bool, err error) {
	names := []string{address}
	_, domain, _ := strings.Cut(address, "@")
	for ok := domain != ""; ok; _, domain, ok = strings.Cut(domain, ".") {
		names = append(names, domain)
	}
	list, err := json.Marshal(names)
	if err != nil {
		return false, err
	}
	err = t.one("SELECT EXISTS (SELECT 1 FROM blocked WHERE what IN (SELECT value FROM json_each(?)))", []any{string(list)}, &yes)
	return yes, err
}

// A Block is an address or a domain that the host has blocked.
type Block struct {
	What  string
	Since time.Time
}

// Blocks lists what is blocked, by name.
func (d *DB) Blocks(ctx context.Context) (out []Block, err error) {
	err = d.read(ctx, func(t *tx) error {
		return t.each("SELECT what, since FROM blocked WHERE what > '' ORDER BY what", nil, func(r *sql.Rows) error {
			var b Block
			var since int64
			err := r.Scan(&b.What, &since)
			b.Since = at(since)
			out = append(out, b)
			return err
		})
	})
	return out, err
}

// Block blocks an address or a domain, and reports whether it was not blocked yet.
func (d *DB) Block(ctx context.Context, what string, now time.Time) (bool, error) {
	return d.change(ctx, "INSERT OR IGNORE INTO blocked (what, since) VALUES (?, ?)", what, ms(now))
}

// Unblock takes that back, and reports whether it was blocked.
func (d *DB) Unblock(ctx context.Context, what string) (bool, error) {
	return d.change(ctx, "DELETE FROM blocked WHERE what = ?", what)
}
