package desk_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
)

// TestPutBack restores a copy made while letters came in. Each player to move
// gets a fresh notice, the organiser hears of it, once; a letter that comes
// again after that is applied once; the server asks again for what it
// no longer knows; and the game goes on.
func TestPutBack(t *testing.T) {
	ctx := context.Background()
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	off, err := o.desk.NewGame(ctx, seating.NewGameOrder{
		Organiser: at("cy"), Players: []seating.NewPlayer{{Address: at("cy")}, {Address: at("dan")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	o.deliver()
	lines := func() int { return len(o.record(id, 0).Log) }

	copied := filepath.Join(t.TempDir(), "copy.db")
	taken := o.now
	if err := o.db.Backup(ctx, copied, taken); err != nil {
		t.Fatal(err)
	}
	l := o.letter(at("ada"), o.token(at("ada")), "card 087 at row 3")
	if outcome, _ := o.send(l); outcome != desk.Answered || lines() != 1 {
		t.Fatalf("%s, %d lines", outcome, lines())
	}
	lost := o.last("ada") // its token is none of the copy's
	turn := o.sheet(lost).Example
	o.write("ada", "status")

	back := func() {
		t.Helper()
		if err := o.db.Close(); err != nil {
			t.Fatal(err)
		}
		o.db = nil
		b, err := os.ReadFile(copied)
		if err == nil {
			err = os.WriteFile(o.file, b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		o.open()
	}
	back()
	if lines() != 0 {
		t.Fatalf("%d lines in the copy", lines())
	}
	o.now = o.now.Add(day)
	from, err := o.desk.PutBack(ctx, false)
	if err != nil || !from.Equal(taken) {
		t.Fatalf("put back to %v, %v, want %v", from, err, taken)
	}
	var told []string
	for _, r := range o.deliver() {
		told = append(told, r.To+" "+string(r.Kind)+" "+r.Game+" "+r.Answer.Remarks[0].Code+" "+r.Answer.Remarks[0].Args["time"])
	}
	time := taken.Format("2006-01-02 15:04 MST")
	want := []string{at("ada") + " turn " + id + " " + notice.TellPutBack + " " + time, at("cy") + " info " + off + " " + notice.TellBackGame + " " + time}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	if from, err := o.desk.PutBack(ctx, false); err != nil || !from.IsZero() || len(o.deliver()) > 0 {
		t.Errorf("told twice: %v, %v", from, err)
	}

	fresh := o.last("ada")
	if _, out := o.send(o.letter(at("ada"), lost.Token, "card 087 at row 3")); lines() != 0 || len(out) != 1 || out[0].Result != notice.Refused {
		t.Errorf("a token that is lost: %d lines, %v", lines(), out)
	}
	// The very letter that had been applied comes again: moved back into the
	// inbox by the host, or delivered late. Its token is an old one, and good.
	for i := range 3 {
		if outcome, _ := o.send(l); (outcome == desk.Answered) != (i == 0) || lines() != 1 {
			t.Errorf("delivery %d: %s, %d lines, want 1", i, outcome, lines())
		}
	}
	if _, out := o.send(o.letter(at("ada"), fresh.Token, turn[0])); lines() != 2 || len(out) == 0 {
		t.Errorf("the fresh notice answered with %q: %d lines, %v", turn[0], lines(), out)
	}

	// A plain copy of the file says nothing; its caller knows that it is older.
	if _, err := o.desk.Beat(ctx); err != nil {
		t.Fatal(err)
	}
	if from, err := o.desk.PutBack(ctx, true); err != nil || !from.Equal(o.now.UTC()) || len(o.deliver()) != 2 {
		t.Errorf("an older file: %v, %v", from, err)
	}
}
