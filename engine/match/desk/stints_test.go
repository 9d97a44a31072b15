package desk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/seating"
	"angelpost/engine/store"
)

// parts are a game's, a seat a line: "Ada 3/7 absent, greedy 1/7".
func (o *office) parts(id string) (out []string) {
	o.t.Helper()
	var parts [][]game.Share
	err := o.db.View(context.Background(), func(tx store.Tx) (err error) {
		parts, err = o.desk.Host().Parts(tx, id)
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	for _, seat := range parts {
		out = append(out, written(seat))
	}
	return out
}

func written(seat []game.Share) string {
	var all []string
	for _, p := range seat {
		who := p.Name
		if p.Bot != "" {
			who = strings.TrimSpace(p.Name + " " + p.Bot)
		}
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %d/%d %s", who, p.Turns, p.Held, p.Left)))
	}
	return strings.Join(all, ", ")
}

func wantParts(t *testing.T, when string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", when, got, want)
	}
}

// TestPartsOfSeats: how many turns each player took of a seat that a bot helps out in,
// is kept by one, is taken back, left for good, offered to others and left
// again; and the result of the game says so.
func TestPartsOfSeats(t *testing.T) {
	w, id := clocked(t, "1d grace 6h")
	w.plays("ada")
	w.plays("bo")
	wantParts(t, "a turn each", w.parts(id), "Ada 1/1", "Bo 1/1")
	w.pass(2 * day) // she is late once
	w.plays("bo")
	wantParts(t, "late", w.parts(id), "Ada 1/2, greedy 1/1", "Bo 2/2")
	for range 2 {
		w.pass(2 * day)
		w.plays("bo")
	}
	wantParts(t, "kept", w.parts(id), "Ada 1/5 absent, greedy 4/4", "Bo 4/4")
	w.plays("bo") // the bot has played already
	w.write("ada", "back")
	w.plays("bo")
	w.plays("ada")
	wantParts(t, "back", w.parts(id), "Ada 2/7, greedy 5/6", "Bo 6/6")
	w.write("bo", "replace Ada by bot:planner:20")
	w.plays("bo")
	wantParts(t, "replaced", w.parts(id), "Ada 2/8 replaced, greedy 5/7, planner:20 1/1", "Bo 7/7")
	w.write("bo", "replace Ada by cy@home.test")
	w.write("cy", "join Cy, word")
	w.plays("bo")
	w.plays("cy")
	w.write("cy", "name Cyrus")
	w.resigns("cy")
	for n := 0; n < 60; n++ {
		if w.record(id, 0).Finished {
			break
		}
		w.plays("bo")
	}
	got := w.parts(id)
	rec := w.record(id, 0)
	if rec.Result == nil {
		t.Fatalf("not over: %q", got)
	}
	var row store.Game
	err := w.db.View(context.Background(), func(tx store.Tx) (err error) {
		row, err = tx.Game(id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var stored game.Outcome
	if err := json.Unmarshal([]byte(row.Result), &stored); err != nil {
		t.Fatal(err)
	}
	turns := 0
	for i, seat := range stored.Parts {
		if written(seat) != got[i] || written(rec.Result.Parts[i]) != got[i] {
			t.Errorf("seat %d: the result says %q, the record %q, want %q", i+1, written(seat), written(rec.Result.Parts[i]), got[i])
		}
		for j, p := range seat {
			if turns += p.Turns; (p.Player == 0) != (p.Bot != "") || rec.Result.Parts[i][j].Player != 0 {
				t.Errorf("seat %d: %+v, in the record %+v", i+1, p, rec.Result.Parts[i][j])
			}
		}
	}
	shown, err := w.desk.Host().Open(context.Background(), id, "", -1)
	if err != nil || !reflect.DeepEqual(shown.Parts, rec.Result.Parts) || !reflect.DeepEqual(shown.JSON(false).Parts, rec.Result.Parts) {
		t.Errorf("everybody is shown %+v, %v", shown, err)
	}
	if first := stored.Parts[0]; len(first) != 4 || first[3].Left != game.TenureResigned || first[3].Turns != 1 || first[0].Left != game.TenureReplaced {
		t.Errorf("the first seat: %+v", stored.Parts[0])
	}
	replayed, err := game.Open(w.conf.Sets[rec.Set], rec, len(rec.Log))
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	for _, told := range replayed.Story(0, -1) {
		for _, e := range told.Events {
			if e.Kind == engine.EvTurnEnded {
				ended++
			}
		}
	}
	if ended != turns {
		t.Errorf("%d turns in the parts, %d in the story", turns, ended)
	}
	if bad, err := game.Verify(rec, w.conf.Sets[rec.Set]); err != nil || bad != nil {
		t.Errorf("the record with its parts: %v, %v", bad, err)
	}
}

// TestPartsWithBotsFromTheStart: a turn taken back is no one's, and bots that sat
// there from the start have their names.
func TestPartsWithBotsFromTheStart(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bot", "bot:planner:20")
	o.now = o.now.Add(time.Minute)
	wantParts(t, "begun", o.parts(id), "Ada 0/0", "Bot greedy 0/0", "Bot 2 (planner 20) planner:20 0/0")
	lines := o.sheet(o.last("ada")).Example
	o.write("ada", lines[0])
	o.write("ada", "undo")
	wantParts(t, "taken back", o.parts(id), "Ada 0/0", "Bot greedy 0/0", "Bot 2 (planner 20) planner:20 0/0")
}

// TestLeaversHaveNotWon: a player who left a game has finished it, but has not won it,
// though their seat has.
func TestLeaversHaveNotWon(t *testing.T) {
	o := newOffice(t)
	won := 0
	for seed := byte(1); seed <= 6; seed++ {
		n := seating.NewGameOrder{Started: true, Seed: &[32]byte{seed}, Organiser: at("ada"), Visibility: store.Listed, Players: []seating.NewPlayer{{Address: at("ada"), Name: "Ada"}, {Address: "bot"}}}
		id, err := o.desk.NewGame(context.Background(), n)
		if err != nil {
			t.Fatal(err)
		}
		o.deliver()
		o.resigns("ada")
		if slices.Contains(o.record(id, 0).Result.Winners, 1) {
			won++
		}
	}
	c, err := o.desk.Host().Career(context.Background(), 1)
	if err != nil || won == 0 || won == 6 || c.Finished != 6 || c.Won != 0 {
		t.Errorf("%+v, %v; her seat has won %d times", c, err, won)
	}
	for how, want := range map[string]int{"won": 0, "lost": 6, "": 6} {
		games, _, err := o.desk.Host().Archive(context.Background(), store.Search{Player: 1, Won: how, Limit: 10})
		if err != nil || len(games) != want {
			t.Errorf("the archive has %d games that she %q, %v", len(games), how, err)
		}
	}
}
