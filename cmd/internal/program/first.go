package program

import (
	"database/sql"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// FirstDatabase makes a database of the first schema, as it was released, with games
// that can be played: it takes every row from the database of today at path.
func FirstDatabase(t *testing.T, path, today string) {
	t.Helper()
	text, err := os.ReadFile("../../../db/testdata/first.sql")
	if err != nil {
		t.Fatal(err)
	}
	c, err := sql.Open("sqlite3", path+"?_journal_mode=WAL") // as the program writes it
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetMaxOpenConns(1) // ATTACH is the connection's
	do := func(query string, args ...any) {
		t.Helper()
		if _, err := c.Exec(query, args...); err != nil {
			t.Fatalf("%.80s: %v", query, err)
		}
	}
	do(string(text))
	do("ATTACH ? AS today", today)
	for _, table := range Column(t, c, "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'said%'") {
		columns := strings.Join(Column(t, c, fmt.Sprintf("SELECT name FROM pragma_table_info('%s', 'main')", table)), ", ")
		do("DELETE FROM main." + table)
		do(fmt.Sprintf("INSERT INTO main.%s (%s) SELECT %[2]s FROM today.%[1]s", table, columns))
	}
	do("DETACH today")
	if v := Column(t, c, "PRAGMA user_version"); !slices.Equal(v, []string{"1"}) {
		t.Fatalf("the first schema has version %v", v)
	}
}
