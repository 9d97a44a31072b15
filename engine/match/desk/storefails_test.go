package desk_test

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/db"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/unit"
)

// refuseEvery is 1 in make soak.
var refuseEvery = flag.Int("refuse.every", 9, "of what a table can refuse, TestStoreFails tries every nth")

// TestStoreFails has each table refuse to be inserted into, updated, deleted from
// and read while letters of many kinds are applied, each in a copy of the database. A
// letter that needs what is refused fails and leaves nothing behind, and is applied
// once nothing is refused any more; any other is applied at once.
func TestStoreFails(t *testing.T) {
	t.Parallel()
	order := func(o *office) (string, string) { // of whose turn it is
		for _, name := range []string{"ada", "bo", "cy"} {
			if s := o.sheet(o.last(name)); len(s.Legal) > 0 {
				return name, strings.Join(s.Example, "\n")
			}
		}
		t.Fatal("it is nobody's turn")
		return "", ""
	}
	by := func(name, text string) func(*office) (string, string) {
		return func(*office) (string, string) { return name, text }
	}
	letters := []struct {
		name string
		of   func(*office) (who, text string)
	}{
		{"new game", by("ada", "new game\nplayers: bo@home.test, cy@home.test\nclock: 3 days")},
		{"join", by("bo", "join Bo")},
		{"the last joins", by("cy", "join Cy")},
		{"vacation", by("ada", "vacation 2026-12-24 to 2026-12-27")},
		{"messages", by("ada", "say all: hello\n\nnote: remember")},
		{"address", by("bo", "address add bo@work.test")},
		{"order", order},
		{"pause", by("bo", "pause")},
		{"yes", by("ada", "yes")},
		{"the last yes", by("cy", "yes")},
		{"extend", by("ada", "extend Bo by 1 day")},
		{"hint", by("ada", "hint\nstatus")},
		{"replace", by("ada", "replace Bo by dan@home.test")},
		{"never", by("dan", "never write to me again")},
		{"resign", by("cy", "resign")},
		{"yes to resign", by("cy", "yes")},
		{"abandon", by("ada", "abandon")},
	}
	o := newOffice(t)
	o.write("ada", "new game\nplayers: bot")
	o.write("ada", "yes")
	tables := tablesOf(t, o.file)
	for i, l := range letters {
		who, text := l.of(o)
		c := o.letter(at(who), o.token(at(who)), text)
		t.Run(l.name, func(t *testing.T) {
			needed := 0
			for k, table := range tables {
				for n, op := range []string{"INSERT", "UPDATE", "DELETE", "SELECT"} {
					answer := table == "out" && op == "INSERT" // which every letter needs
					if (i+k+n)%*refuseEvery != 0 && !answer {
						continue
					}
					if refusing(t, o, c, table, op) {
						needed++
					}
				}
			}
			if needed == 0 {
				t.Error("nothing that was refused was needed")
			}
		})
		if outcome, _ := o.send(c); outcome != desk.Answered {
			t.Fatalf("%s: %q is %s", l.name, text, outcome)
		}
	}
}

// refusing applies a letter in a copy of an office's database of which a table
// refuses something, and reports whether the letter needed it.
func refusing(t *testing.T, o *office, c unit.Command, table, op string) (needed bool) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "copy.db")
	exec(t, o.file, "VACUUM INTO '"+file+"'")
	store, err := db.Open(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	conf := o.conf
	conf.Store, conf.Random, conf.Drafting = store, rand.NewChaCha8([32]byte{9}), nil
	down := true
	conf.StorageDown = func(error) bool { return down }
	d, err := desk.New(conf)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "CREATE TRIGGER refusal BEFORE "+op+" ON "+table+" BEGIN SELECT RAISE(ABORT, 'refused'); END", "DROP TRIGGER refusal"
	if op == "SELECT" {
		begin, end = "ALTER TABLE "+table+" RENAME TO refusal", "ALTER TABLE refusal RENAME TO "+table
	}
	before := contents(t, file)
	exec(t, file, begin)
	outcome, err := d.HandleOne(context.Background(), c)
	exec(t, file, end)
	down = false
	if err == nil {
		if outcome != desk.Answered {
			t.Errorf("without %s of %s: %s", op, table, outcome)
		}
		return false
	}
	if now := contents(t, file); now != before {
		t.Errorf("%s of %s fails with %v, and something is left", op, table, err)
	}
	if outcome, err = d.HandleOne(context.Background(), c); outcome != desk.Answered || err != nil {
		t.Errorf("after %s of %s: %s, %v", op, table, outcome, err)
	}
	return true
}

func exec(t *testing.T, file, statement string) {
	t.Helper()
	c, err := sql.Open("sqlite3", file+"?_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Exec(statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func tablesOf(t *testing.T, file string) (names []string) {
	t.Helper()
	c, err := sql.Open("sqlite3", file)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	rows, err := c.Query("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// contents writes out what a database holds, but for the letters in: they are
// stored before they are applied.
func contents(t *testing.T, file string) string {
	t.Helper()
	c, err := sql.Open("sqlite3", file+"?_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var b strings.Builder
	for _, table := range tablesOf(t, file) {
		if table == "letters" || table == "raw" {
			continue
		}
		rows, err := c.Query("SELECT * FROM " + table)
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		row := make([]any, len(columns))
		for i := range row {
			row[i] = new(any)
		}
		for rows.Next() {
			if err := rows.Scan(row...); err != nil {
				t.Fatal(err)
			}
			for _, x := range row {
				fmt.Fprint(&b, *x.(*any), "|")
			}
			fmt.Fprintln(&b, table)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}
