package db_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angelpost/db"
	"angelpost/engine/game"
	"angelpost/engine/incoming"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// personal are texts that the database has of one player and of no one else.
var personal = []string{
	"Quixotella", "quixotella", "quixo@home.test", "quixo.before@work.test", "public zanzibarish", "private yttriumlike", "note xylophonic", "plan of wolframite",
	"standing vermouths", "letter about ultramarine", "subject tamarind", "lines of sassafras", "thread-of-rhubarb@home.test", "reason quicksilvery",
	"args of persimmons", "bounce of obsidian", "mumbling-narwhal@client.test", "word marzipan", "freed lapislazuli", "freed kumquats", "club Jabberwock",
}

// portrayed fills a database with them, and returns the player's number.
func portrayed(t *testing.T, d *db.DB, path string) (id int64) {
	t.Helper()
	shelf(t, d, 60)
	update(t, d, func(tx store.Tx) error {
		p := store.Player{Name: "Quixotella", Address: "quixo.before@work.test", Created: then}
		other := store.Player{Name: "Bo", Address: "bo@home.test", Created: then}
		g := store.Game{ID: "zgame", Name: "Quixotella's club", State: store.GameRunning, Visibility: store.Listed, Options: game.Options{Players: 2}, Seed: "00ff", Created: then, Started: then, Changed: then}
		if err := tx.AddPlayer(&p); err != nil {
			return err
		}
		if err := tx.AddPlayer(&other); err != nil {
			return err
		}
		id = p.ID
		for _, step := range []func() error{
			func() error { return tx.SaveAddress(store.Address{Address: "quixo.before@work.test"}) }, // a former one
			func() error { return tx.SaveAddress(store.Address{Address: "quixo@home.test", Player: id}) },
			func() error { p.Address = "quixo@home.test"; return tx.SavePlayer(p) },
			func() error {
				return tx.AddGame(g, []store.Seat{
					{Game: g.ID, Place: 1, Seat: 1, Player: id, Stage: store.SeatJoined, Name: "Quixotella", Entropy: "moon", Thread: "thread-of-rhubarb@home.test"},
					{Game: g.ID, Place: 2, Seat: 2, Player: other.ID, Stage: store.SeatJoined, Name: "Bo", Entropy: "sun"}})
			},
			func() error {
				return tx.AddPress(&store.Press{Game: g.ID, Place: 1, Writer: id, Text: "public zanzibarish", At: then})
			},
			func() error {
				return tx.AddPress(&store.Press{Game: g.ID, Place: 1, Writer: id, To: 2, Reader: other.ID, Text: "private yttriumlike", At: then})
			},
			func() error {
				return tx.AddPress(&store.Press{Game: g.ID, Place: 1, Writer: id, To: -1, Text: "note xylophonic word marzipan", At: then})
			},
			func() error {
				return tx.SavePlan(store.Plan{Game: g.ID, Place: 1, Player: id, Lines: "plan of wolframite"})
			},
			func() error {
				return tx.AddRuling(g.ID, &notice.Ruling{N: 1, At: then, Kind: "extend", Reason: "a word for quixotella"})
			},
			func() error {
				return tx.AddLetter(&store.Letter{MessageID: "mumbling-narwhal@client.test", From: "quixo@home.test", Date: then, BodyHash: strings.Repeat("ab", 32), Class: incoming.Orders,
					State: store.LetterDone, Received: then, Raw: []byte("Subject: subject tamarind\r\n\r\nletter about ultramarine")})
			},
			func() error {
				return tx.AddConfirm(&store.Confirm{Kind: store.ConfirmAlias, Player: id, Address: "quixo@home.test", Lines: `["lines of sassafras"]`, Open: true, Expires: then, Created: then})
			},
			func() error {
				return tx.AddMessage(&notice.Message{Kind: notice.KindInfo, Version: 1, To: "quixo@home.test", Player: id, Token: "tokenq", Date: then, MessageID: "a@angelpost.test"}, store.Token{}, store.OutQueued)
			},
			func() error { _, err := tx.Bump("answers/quixo@home.test", "2026-11-21"); return err },
		} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
	if err := d.Failed(t.Context(), 1, "bounce of obsidian"); err != nil {
		t.Fatal(err)
	}
	// Pages that SQLite freed before it overwrote what it frees, and the rows of tables that need more to fill.
	c, err := sql.Open("sqlite3", dsnOf(path)+"?_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, q := range []string{
		"INSERT INTO standing SELECT number, 1, " + fmt.Sprint(id) + ", 'standing vermouths' FROM games WHERE id = 'zgame'",
		"INSERT INTO reports (at, game, reporter, player, name, reason, messages) VALUES (1, 'zgame', " + fmt.Sprint(id) + ", 0, 'Bo', 'reason quicksilvery', '[]')",
		"INSERT INTO leagues (number, id, name, file, secret, visibility, over, lines, created, changed) VALUES (1, 'tin', 'Tin', 'directors: quixo@home.test', x'00', 'listed', 0, 1, 1, 1)",
		"INSERT INTO league_threads (league, player, season, head, news) VALUES (1, " + fmt.Sprint(id) + ", 1, 'x', '{\"x\": \"args of persimmons\"}')",
		"INSERT INTO raw (letter, bytes) SELECT max(id), CAST(replace(hex(zeroblob(9000)), '00', ' ') || replace(hex(zeroblob(50000)), '00', 'freed lapislazuli freed kumquats ') AS BLOB) FROM letters WHERE id NOT IN (SELECT letter FROM raw)",
		"UPDATE games SET name = 'club Jabberwock of Quixotella' WHERE id = 'zgame'",
		"UPDATE games SET name = 'Quixotella''s club' WHERE id = 'zgame'",
	} {
		if strings.HasPrefix(q, "INSERT INTO raw") {
			update(t, d, func(tx store.Tx) error {
				return tx.AddLetter(&store.Letter{MessageID: "freed@client.test", From: "quixo@home.test", Date: then, State: store.LetterDone, Received: then})
			})
		}
		if _, err := c.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	if _, err := c.Exec("DELETE FROM raw WHERE length(bytes) > 100000"); err != nil {
		t.Fatal(err)
	}
	return id
}

// has lists which of the player's texts are among some bytes, in capitals or not.
func has(t *testing.T, files ...string) (found []string) {
	t.Helper()
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		text = bytes.ToLower(text)
		for _, s := range personal {
			words := []string{s}
			if i := strings.LastIndexByte(s, ' '); i > 0 { // an index has words
				words = append(words, s[i+1:])
			}
			for _, w := range words {
				if bytes.Contains(text, bytes.ToLower([]byte(w))) {
					found = append(found, filepath.Base(name)+": "+w)
				}
			}
		}
	}
	return found
}

// wiped overwrites what was erased, and calls between after each step.
func wiped(t *testing.T, d *db.DB, copied bool, between func()) {
	t.Helper()
	for over := time.Now().Add(time.Minute); ; {
		again, err := d.Wipe(t.Context(), copied)
		if err != nil {
			t.Fatal(err)
		}
		if again == 0 {
			return
		}
		if time.Now().After(over) {
			t.Fatal("it is not wiped")
		}
		between()
	}
}

// TestNothingIsLeft: when a player has been erased and Wipe is done, neither the file, its WAL nor a
// backup has a byte of what there was, wherever SQLite kept it.
func TestNothingIsLeft(t *testing.T) {
	d, path := fresh(t)
	id := portrayed(t, d, path)
	if missing := len(personal) - len(has(t, path, path+"-wal")); missing > 0 {
		t.Logf("%d of the texts are not there to begin with", missing)
	}
	update(t, d, func(tx store.Tx) error {
		return tx.Erase(id, then.Add(time.Hour), "Former player 1", func(a string) string { return a })
	})
	all, err := d.Erased(t.Context())
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %v", all, err)
	}
	for _, e := range all {
		if err := d.ErasedFiled(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if yes, err := d.Wiping(t.Context()); err != nil || !yes {
		t.Errorf("wiping: %v, %v", yes, err)
	}
	// A reader keeps the WAL; until it ends, nothing is said to be done, and no one waits.
	c, err := sql.Open("sqlite3", dsnOf(path))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	reader, err := c.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := reader.QueryRow("SELECT count(*) FROM games").Scan(new(int)); err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		again, err := d.Wipe(t.Context(), false)
		if err != nil || again == 0 {
			t.Fatalf("step %d: %v, %v", i, again, err)
		}
	}
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	wiped(t, d, false, func() {})
	if yes, err := d.Wiping(t.Context()); err != nil || yes {
		t.Errorf("wiping: %v, %v", yes, err)
	}
	copied := filepath.Join(t.TempDir(), "backup.db")
	if err := d.Backup(t.Context(), copied, then); err != nil {
		t.Fatal(err)
	}
	if found := has(t, path, path+"-wal", copied); len(found) > 0 {
		t.Errorf("left: %s", strings.Join(found, "\n"))
	}
	// Letters that came before are still known to be an erased player's.
	view(t, d, func(tx store.Tx) error {
		for _, x := range []struct {
			address string
			at      time.Time
			want    bool
		}{{"quixo@home.test", then, true}, {"quixo@home.test", then.Add(2 * time.Hour), false}, {"bo@home.test", then, false}} {
			if got, err := tx.WasErased(x.address, x.at); err != nil || got != x.want {
				t.Errorf("%s at %v was erased: %v, %v", x.address, x.at, got, err)
			}
		}
		return nil
	})
}
