package db_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"angelpost/engine/store"
)

// Players read what was said to all and what they said, were told or noted
// themselves, but not what their seat's former player was told or noted.
func TestHeard(t *testing.T) {
	d, _ := fresh(t)
	shelf(t, d, 2)
	const ada, bo, cy, heir = 1, 2, 3, 9
	id := "game000000"
	minute := 0
	say := func(game string, place int, writer int64, to int, reader int64, text string) {
		t.Helper()
		minute++
		update(t, d, func(tx store.Tx) error {
			return tx.AddPress(&store.Press{Game: game, Place: place, Writer: writer, To: to, Reader: reader, Text: text, At: then.Add(time.Duration(minute) * time.Minute)})
		})
	}
	say(id, 1, ada, 0, 0, "Hello Sunday")
	say(id, 1, ada, 2, bo, "only Bo, sunday")
	say(id, 2, bo, 1, ada, "only Ada")
	say(id, 2, bo, -1, 0, "Bo's note on Sunday")
	say(id, 1, ada, 3, cy, "only Cy sunday")
	say("game000001", 2, bo, 0, 0, "another game's Sunday")
	say(id, 2, heir, 0, 0, "I am new, Ünder Sundays")
	say(id, 3, cy, 2, heir, "only the new one")
	ask := func(place int, player int64, words string, before time.Duration, limit int, want ...string) {
		t.Helper()
		q := store.PressQuery{Game: id, Place: place, Player: player, Words: words, Limit: limit}
		if before > 0 {
			q.Before = then.Add(before)
		}
		var got []string
		view(t, d, func(tx store.Tx) error {
			rows, err := tx.Heard(q)
			for _, r := range rows {
				got = append(got, r.Text)
			}
			return err
		})
		if !slices.Equal(got, want) {
			t.Errorf("place %d, player %d, %q: heard %q, want %q", place, player, words, got, want)
		}
	}
	const hello, new = "Hello Sunday", "I am new, Ünder Sundays"
	ask(1, ada, "", 0, 50, new, "only Cy sunday", "only Ada", "only Bo, sunday", hello)
	ask(2, bo, "", 0, 50, new, "Bo's note on Sunday", "only Ada", "only Bo, sunday", hello)
	ask(2, heir, "", 0, 50, "only the new one", new, hello)
	ask(3, cy, "", 0, 50, "only the new one", new, "only Cy sunday", hello)
	ask(2, heir, "sunday", 0, 50, new, hello)
	ask(2, bo, "SUN", 0, 50, new, "Bo's note on Sunday", "only Bo, sunday", hello)
	ask(2, bo, "note sun", 0, 50, "Bo's note on Sunday")
	ask(3, cy, "under", 0, 50, new)
	ask(3, cy, `note" OR "sunday`, 0, 50)
	ask(3, cy, "!?", 0, 50)
	ask(3, cy, "zzg2", 0, 50)
	ask(2, bo, "", 4*time.Minute, 2, "only Ada", "only Bo, sunday")
	ask(2, bo, "sun", 4*time.Minute, 9, "only Bo, sunday", hello)
	ask(2, bo, "", 99*time.Hour, 1, new)
	update(t, d, func(tx store.Tx) error { return tx.Ignore(store.Ignored{Player: bo, Other: ada, Name: "Ada"}) })
	ask(2, bo, "", 0, 50, new, "Bo's note on Sunday", "only Ada")
	ask(2, bo, "sun", 0, 50, new, "Bo's note on Sunday")
	ask(3, cy, "sun", 0, 50, new, "only Cy sunday", hello)
	ask(2, heir, "", 0, 50, "only the new one", new, hello)
	view(t, d, func(tx store.Tx) error {
		rows, err := tx.Heard(store.PressQuery{Game: id, Place: 2, Player: bo, Limit: 50, Ignored: true})
		if len(rows) != 5 {
			t.Errorf("with those of ignored players: %+v", rows)
		}
		return err
	})
}

// Of a table where thousands of things were said a page is found at once.
func BenchmarkHeard(b *testing.B) {
	d := benched(b)
	shelf(b, d, 20)
	for from := 0; from < 40_000; from += 4000 {
		if err := d.Update(b.Context(), func(tx store.Tx) error {
			for i := from; i < from+4000; i++ {
				p := store.Press{Game: fmt.Sprintf("game%06d", i%4), Place: 1 + i%3, Writer: int64(1 + i%3), Text: fmt.Sprintf("say word%d and more", i), At: then.Add(time.Duration(i) * time.Second)}
				if i%2 == 0 {
					p.To, p.Reader = 1+(i+1)%3, 1+int64(i+1)%3
				}
				if err := tx.AddPress(&p); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			b.Fatal(err)
		}
	}
	for name, q := range map[string]store.PressQuery{
		"all": {}, "old": {Before: then.Add(time.Minute)}, "word": {Words: "word4711"}, "every": {Words: "say"}, "none": {Words: "nothing"},
		"of-nobody": {Player: 99, Place: 99, Words: "say wo and"},
	} {
		b.Run(name, func(b *testing.B) {
			worst(b, func() {
				q.Game, q.Limit = "game000001", 160
				if q.Place == 0 {
					q.Place, q.Player = 1, 1
				}
				if err := d.View(b.Context(), func(tx store.Tx) error { _, err := tx.Heard(q); return err }); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}
