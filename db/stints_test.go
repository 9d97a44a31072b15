package db_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"angelpost/engine/match"
)

// before is a database file of an earlier schema, into which statements were
// written.
func before(t *testing.T, version int, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "old.db")
	c, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for n := 1; n <= version; n++ {
		text, err := os.ReadFile(fmt.Sprintf("schema/%04d.sql", n))
		if err != nil {
			t.Fatal(err)
		}
		statements = slices.Insert(statements, n-1, string(text))
	}
	for _, s := range append(statements, fmt.Sprintf("PRAGMA user_version = %d", version)) {
		if _, err := c.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	return path
}

// Of games from before stints were kept, the log, the seats and the keys of
// their pages say who played.
func TestStintsOfOlderGames(t *testing.T) {
	const game = `INSERT INTO games (number, id, state, name, options, visibility, wanted, organiser, seed, mixed, steps, result, created, started, changed, ended)
		VALUES (%d, '%s', 'running', '', '{}', 'listed', '', 1, x'00', 1, 9, '', 1, %d, 1, 0)`
	const seat = `INSERT INTO seats (game, place, seat, player, heir, bot, stage, name, entropy, seen, thread, agreed)
		VALUES (%d, %d, %d, %d, 0, '%s', 'joined', '%s', '', 0, '', '')`
	const key = `INSERT INTO keys (game, place, player, key) VALUES (1, %d, %d, 'k')`
	const line = `INSERT INTO log (game, n, seat, by, line, told) VALUES (1, %d, %d, %d, '%s', '')`
	const byPlayer, byOrganiser, byClock = 0, 2, 4
	path := before(t, 13,
		fmt.Sprintf(game, 1, "aaa", 1), fmt.Sprintf(game, 2, "bbb", 0),
		// Ann at place 1, seat 2, left; Ben, then Cid came to it, and Cid is there.
		fmt.Sprintf(seat, 1, 1, 2, 13, "", "Cid"), fmt.Sprintf(seat, 1, 2, 1, 14, "greedy", "Dan"), fmt.Sprintf(seat, 1, 3, 3, 0, "planner", "Bot 3 (planner)"),
		fmt.Sprintf(seat, 2, 1, 0, 11, "", "Ann"),
		fmt.Sprintf(key, 1, 11), fmt.Sprintf(key, 2, 14), fmt.Sprintf(key, 1, 11), fmt.Sprintf(key, 1, 12), fmt.Sprintf(key, 1, 13),
		fmt.Sprintf(line, 1, 2, byPlayer, "done"),
		fmt.Sprintf(line, 2, 2, byPlayer, "resign"),
		fmt.Sprintf(line, 3, 2, byOrganiser, "replace seat 2 by player"),
		fmt.Sprintf(line, 4, 1, byClock, "replace seat 1 by bot"),
		fmt.Sprintf(line, 5, 1, byPlayer, "replace seat 1 by player"),
		fmt.Sprintf(line, 6, 2, byOrganiser, "replace seat 2 by bot:planner:50"),
		fmt.Sprintf(line, 7, 2, byOrganiser, "replace seat 2 by player"),
		fmt.Sprintf(line, 8, 1, byPlayer, "resign"),
	)
	d := open(t, path)
	view(t, d, func(tx match.Tx) error {
		got, err := tx.Stints([]string{"aaa", "bbb", "none"})
		want := []match.Stint{
			{Place: 1, Since: 0, Player: 11, Why: match.StintStart},
			{Place: 2, Since: 0, Player: 14, Name: "Dan", Why: match.StintStart},
			{Place: 3, Since: 0, Bot: "planner", Name: "Bot 3 (planner)", Why: match.StintStart},
			{Place: 1, Since: 2, Bot: "greedy", Why: match.StintResigned},
			{Place: 1, Since: 3, Player: 12, Why: match.StintTakeover},
			{Place: 2, Since: 4, Bot: "greedy", Why: match.StintAbsent},
			{Place: 2, Since: 5, Player: 14, Why: match.StintBack},
			{Place: 1, Since: 6, Bot: "planner:50", Why: match.StintReplaced},
			{Place: 1, Since: 7, Player: 13, Why: match.StintTakeover},
			{Place: 2, Since: 8, Bot: "greedy", Why: match.StintResigned},
		}
		if err != nil || len(got) != 1 || !slices.Equal(got["aaa"], want) {
			t.Errorf("%v\n got %+v\nwant %+v", err, got["aaa"], want)
		}
		return nil
	})
	update(t, d, func(tx match.Tx) error {
		return tx.AddStints("bbb", []match.Stint{{Place: 1, Player: 11, Name: "Ann", Why: match.StintStart}})
	})
	view(t, d, func(tx match.Tx) error {
		got, err := tx.Stints([]string{"bbb"})
		if err != nil || !slices.Equal(got["bbb"], []match.Stint{{Place: 1, Player: 11, Name: "Ann", Why: match.StintStart}}) {
			t.Errorf("%+v, %v", got, err)
		}
		return nil
	})
}
