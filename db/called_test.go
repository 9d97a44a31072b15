package db

import (
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"angelpost/engine/store"
)

// Games and players that an older version knew by numbers are called something: where they
// play, in results, rulings and ratings, and where they are searched for.
func TestNumbersBecomeNames(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "angelpost.db")
	old := fstest.MapFS{}
	for _, name := range must(schemas.ReadDir("schema"))[:22] {
		text, err := schemas.ReadFile("schema/" + name.Name())
		if err != nil {
			t.Fatal(err)
		}
		old["schema/"+name.Name()] = &fstest.MapFile{Data: text}
	}
	if _, err := migrateTo(ctx, path, time.Now(), old); err != nil {
		t.Fatal(err)
	}
	d, err := OpenAsIs(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.writer.ExecContext(ctx, `
INSERT INTO games (number, id, state, name, options, visibility, wanted, organiser, seed, mixed, steps, result, shown, finish, created, started, changed, ended) VALUES
  (1, 'aaaaaaaaaaaaaaaa', 'finished', '', '{"players":2,"rules":"base","edition":"revised"}', 'listed', '', 0, x'00', 0, 7, '{"ending":"spes","winners":[1],"scores":[{"seat":1,"name":"Player 1"},{"seat":2,"name":"Bo"}],"parts":[[{"name":"Player 1"}],[{"name":"Player 2"},{"name":"Bo"}]]}', 1, 0, 1, 1, 1, 1),
  (2, 'bbbbbbbbbbbbbbbb', 'invited', 'Friday', '{"players":3,"rules":"base","edition":"revised"}', 'listed', '', 0, x'00', 0, 0, '', 1, 0, 1, 0, 1, 0);
INSERT INTO seats (game, place, seat, player, heir, bot, stage, name, entropy, seen, thread, agreed) VALUES
  (1, 1, 1, 5, 0, '', 'joined', 'Player 1', '', 0, '', ''), (1, 2, 2, 6, 0, '', 'joined', 'Bo', '', 0, '', ''),
  (2, 1, 0, 6, 0, '', 'joined', 'Bo', '', 0, '', ''), (2, 2, 0, 0, 0, '', 'open', 'Player 2', '', 0, '', ''), (2, 3, 0, 7, 0, 'greedy', 'resigned', 'Player 3', '', 0, '', '');
INSERT INTO stints (game, place, since, player, bot, name, why) VALUES (1, 1, 0, 5, '', 'Player 1', 'start'), (1, 2, 0, 7, '', 'Player 2', 'start'), (1, 2, 3, 6, '', 'Bo', 'takeover');
INSERT INTO rulings (game, n, at, by, who, kind, args, reason, step) VALUES (1, 1, 1, 5, 'Player 1', 'replace', '{"name":"Player 2"}', 'x', 3);
INSERT INTO ratings (kind, player, bot, name, games, mu, sigma, finish) VALUES ('k', 5, '', 'Player 1', 1, 25, 8, 1), ('k', 6, '', 'Bo', 1, 25, 8, 1);
UPDATE meta SET value = 1 WHERE key = 'rated'`); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Migrate(ctx, path, time.Now()); err != nil {
		t.Fatal(err)
	}
	if d, err = Open(ctx, path); err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	five, seven, game := store.StandIn(5), store.StandIn(7), store.GameName("aaaaaaaaaaaaaaaa")
	err = d.View(ctx, func(tx store.Tx) error {
		check := func(what string, got, want []string) {
			t.Helper()
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", what, got, want)
			}
		}
		seats := must(tx.SeatsOf([]string{"aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"}))
		var names []string
		for _, id := range []string{"aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"} {
			names = append(names, must(tx.Game(id)).Name)
			for _, x := range seats[id] {
				names = append(names, x.Name)
			}
		}
		check("games and their seats", names, []string{game, five, "Bo", "Friday", "Bo", "Seat 2", seven})
		names = nil
		for _, x := range must(tx.Tenures([]string{"aaaaaaaaaaaaaaaa"}))["aaaaaaaaaaaaaaaa"] {
			names = append(names, x.Name)
		}
		check("the seats' holders", names, []string{five, seven, "Bo"})
		rulings := must(tx.Rulings("aaaaaaaaaaaaaaaa"))
		check("the ruling", []string{rulings[0].Name, rulings[0].Who}, []string{seven, five})
		names = nil
		for _, r := range must(tx.Ratings("k", false, 0, 9)) {
			names = append(names, r.Name)
		}
		check("the ratings", names, []string{five, "Bo"})
		check("the result", []string{must(tx.Game("aaaaaaaaaaaaaaaa")).Result},
			[]string{`{"ending":"spes","winners":[1],"scores":[{"seat":1,"name":"` + five + `"},{"seat":2,"name":"Bo"}],"parts":[[{"name":"` + five + `"}],[{"name":"` + seven + `"},{"name":"Bo"}]]}`})
		for _, words := range []string{game, five} {
			if found := must(tx.Archive(store.Search{Names: words, Limit: 9})); len(found) != 1 {
				t.Errorf("%d games are found by %q", len(found), words)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var rated int
	if err := d.writer.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'rated'").Scan(&rated); err != nil || rated != 0 {
		t.Errorf("ratings are right up to finish %d, %v: their games' results have other names", rated, err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
