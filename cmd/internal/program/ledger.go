package program

import (
	"database/sql"
	"strings"
	"testing"
)

// Ledger opens the database of a configuration's server to be read.
func Ledger(t *testing.T, config string) *sql.DB {
	t.Helper()
	store, err := sql.Open("sqlite3", "file:"+strings.TrimSuffix(config, ".toml")+".db?mode=ro&_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// Column is the first column of a query's answer.
func Column(t *testing.T, store *sql.DB, query string) (out []string) {
	t.Helper()
	rows, err := store.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
