package db_test

import (
	"database/sql"
	"testing"

	"angelpost/db"
	"angelpost/engine/game"
	"angelpost/engine/store"
)

// TestLogSum: a few bytes that change in a game's log, its seed or its options are found, whatever a
// replay makes of them.
func TestLogSum(t *testing.T) {
	d, path := fresh(t)
	shelf(t, d, 250) // more than are read in one transaction
	for i, lines := range [][]game.Line{
		{{N: 1, Seat: 1, By: game.ByPlayer, Order: "command 2", Told: []string{"die 3", "card 12"}}, {N: 2, Seat: 2, By: game.ByBot, Bot: "planner", Order: "pass"}},
		{{N: 3, Seat: 1, By: game.ByBot, Bot: "another", Order: "pass", Told: []string{"die 1"}}},
	} {
		update(t, d, func(tx store.Tx) error {
			if err := tx.AppendLog("game000200", lines); err != nil || i == 1 {
				return err
			}
			return tx.AppendLog("game000007", lines)
		})
	}
	check := func(when string, want bool) {
		t.Helper()
		if err := d.Check(t.Context()); db.Damaged(err) == want || !want && err == nil {
			t.Errorf("%s: %v", when, err)
		}
	}
	check("as written", true)
	c, err := sql.Open("sqlite3", dsnOf(path))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, x := range []struct{ change, back string }{
		{"UPDATE log SET told = 'die 3; card 13' WHERE n = 1 AND game = 201", "UPDATE log SET told = 'die 3; card 12' WHERE n = 1 AND game = 201"},
		{"UPDATE log SET line = 'command 3' WHERE n = 1 AND game = 8", "UPDATE log SET line = 'command 2' WHERE n = 1 AND game = 8"},
		{"UPDATE log SET by = 2 WHERE n = 1 AND game = 8", "UPDATE log SET by = 0 WHERE n = 1 AND game = 8"},
		{"UPDATE log SET n = 4 WHERE n = 3 AND game = 201", "UPDATE log SET n = 3 WHERE n = 4 AND game = 201"},
		{"UPDATE log SET seat = 2 WHERE n = 3 AND game = 201", "UPDATE log SET seat = 1 WHERE n = 3 AND game = 201"},
		{"UPDATE games SET seed = CAST(x'00' || substr(seed, 2) AS BLOB) WHERE number = 250", ""},
	} {
		run := func(q string) {
			t.Helper()
			res, err := c.Exec(q)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := res.RowsAffected(); n != 1 || err != nil {
				t.Fatalf("%s: %d rows, %v", q, n, err)
			}
		}
		run(x.change)
		check(x.change, false)
		if x.back != "" {
			run(x.back)
			check(x.back, true)
		}
	}
}
