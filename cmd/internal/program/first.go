package program

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mattn/go-sqlite3"

	"angelpost/engine/store"
)

// OldDatabase makes a database of an old schema, with games that can be played. It takes
// every row from a database of today into the first schema, as that was released, and goes
// on from there as the versions in between have done.
func OldDatabase(t *testing.T, path, today string, schema int) {
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
	if schema < 24 {
		do("DELETE FROM main.meta WHERE key IN ('wipe', 'wipe_free', 'secret')")
	}
	conn, err := c.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Raw(func(driver any) error { // what schema 23 calls; all in today's has a name
		c := driver.(*sqlite3.SQLiteConn)
		return errors.Join(c.RegisterFunc("game_name", store.GameName, true), c.RegisterFunc("stand_in", store.StandIn, true),
			c.RegisterFunc("renamed", func(text, _ string) string { return text }, true))
	}); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	for n := 2; n <= schema; n++ {
		text, err := os.ReadFile(fmt.Sprintf("../../../db/schema/%04d.sql", n))
		if err != nil {
			t.Fatal(err)
		}
		do(string(text))
		do(fmt.Sprintf("PRAGMA user_version = %d", n))
	}
	if v := Column(t, c, "PRAGMA user_version"); !slices.Equal(v, []string{strconv.Itoa(schema)}) {
		t.Fatalf("the schema has version %v, not %d", v, schema)
	}
}
