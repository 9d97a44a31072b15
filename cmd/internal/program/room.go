package program

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
)

// Room returns what letters take of a server's database, packed, and what all else takes.
func Room(t *testing.T, ledger *sql.DB) (letters, games int64) {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "copied.db")
	if _, err := ledger.Exec("VACUUM INTO ?", copied); err != nil {
		t.Fatal(err)
	}
	size := func() int64 {
		i, err := os.Stat(copied)
		if err != nil {
			t.Fatal(err)
		}
		return i.Size()
	}
	all := size()
	c, err := sql.Open("sqlite3", copied)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, query := range []string{"DELETE FROM raw", "DELETE FROM out", "DELETE FROM letters", "VACUUM"} {
		if _, err := c.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	return all - size(), size()
}
