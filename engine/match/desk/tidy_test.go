package desk_test

import (
	"context"
	"testing"
	"time"

	"angelpost/engine/match/desk"
	"angelpost/engine/match/unit"
	"angelpost/engine/store"
)

// TestTidy: a letter that was dealt with is packed within the hour and still known, by its
// bytes and by its Message-ID; once its time is over it is gone, but the last letter out
// to each seat of a game under way can still be answered. What was set aside stays.
func TestTidy(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) {
		c.KeepLetters = 30 * 24 * time.Hour
		c.Condense = func(l store.Letter) []byte { return []byte("condensed " + l.From) }
	})
	ctx := context.Background()
	id := o.started(1, "ada", "bo")
	if err := o.desk.Tidies(ctx); err != nil {
		t.Fatal(err)
	}
	first, copied, aside := o.letter(at("ada"), o.token(at("ada")), "status"), o.letter(at("bo"), o.token(at("bo")), "status"), o.letter(at("ada"), o.token(at("ada")), "board")
	o.send(first)
	o.send(copied)
	o.send(aside)
	err := o.db.Update(ctx, func(tx store.Tx) error {
		l, err := tx.Letter(3)
		l.State = store.LetterAside
		if err != nil {
			return err
		}
		return tx.SaveLetter(l)
	})
	if err != nil {
		t.Fatal(err)
	}
	is := func(letter int64) (l store.Letter, there bool) {
		t.Helper()
		err := o.db.View(ctx, func(tx store.Tx) (err error) {
			l, err = tx.Letter(letter)
			return err
		})
		return l, err == nil
	}
	o.due(time.Hour)
	for n := range int64(3) {
		l, there := is(n + 1)
		if want := n < 2; !there || l.Condensed != want || want && string(l.Raw) != "condensed "+l.From || !want && string(l.Raw) != "board" {
			t.Errorf("letter %d: %v %+v %s", n+1, there, l, l.Raw)
		}
	}
	if outcome, out := o.send(first); outcome != desk.Silent || len(out) != 0 {
		t.Errorf("the very same letter: %s, %d letters", outcome, len(out))
	}
	copied.Raw = []byte("came another way")
	if outcome, out := o.send(copied); outcome != desk.Repeated || len(out) != 1 {
		t.Errorf("a copy: %s, %d letters", outcome, len(out))
	}
	for range 40 { // days; reminders go out meanwhile
		o.due(24 * time.Hour)
	}
	for n := range int64(3) {
		if l, there := is(n + 1); there != (n == 2) {
			t.Errorf("letter %d: %v %+v", n+1, there, l)
		}
	}
	before := len(o.record(id, 0).Log)
	o.write("ada", "card 087 at row 3")
	if n := len(o.record(id, 0).Log); n == before {
		t.Error("the last letter can no longer be answered")
	}
}
