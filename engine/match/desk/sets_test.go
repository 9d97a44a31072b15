package desk_test

import (
	"context"
	"errors"
	"testing"

	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// another is the built-in set under another name, with another hash.
func another(name, hash string) *component.Set {
	set := *component.Default()
	set.Name, set.Hash = name, hash
	return &set
}

// newest is the game made last.
func (o *office) newest() (row store.Game) {
	o.t.Helper()
	err := o.db.View(context.Background(), func(tx store.Tx) error {
		rows, err := tx.AllGames("", "", 100)
		if err == nil && len(rows) > 0 {
			row = rows[len(rows)-1]
		}
		return err
	})
	if err != nil || row.ID == "" {
		o.t.Fatalf("%v, game %q", err, row.ID)
	}
	return row
}

// TestSetOfAGame holds which component set a game is played with: the one its
// organiser names, else the server's, and only as it was when the game began.
func TestSetOfAGame(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) {
		c.Sets["mine"], c.Sets["old"] = another("mine", "hash of mine"), another("old", "hash of old")
		c.Set = "mine"
	})
	o.started(1, "ada", "bo")
	last := store.Game{}
	begun := func(want, hash string) {
		t.Helper()
		row := o.newest()
		if row.ID == last.ID || row.State != store.GameRunning || row.Options.Set != want || row.SetHash != hash {
			t.Errorf("game %s is %s with %q %q, want %q %q", row.ID, row.State, row.Options.Set, row.SetHash, want, hash)
		}
		if rec := o.record(row.ID, 0); rec.Set != want || rec.SetHash != hash {
			t.Errorf("its record names %q %q, want %q %q", rec.Set, rec.SetHash, want, hash)
		}
		last = row
	}
	begun("mine", "hash of mine")
	o.write("ada", "new game\nplayers: bot\nset: "+component.DefaultName)
	begun(component.DefaultName, component.Default().Hash)
	o.write("ada", "new game\nplayers: bot\nset: old")
	begun("old", "hash of old")
	if out := o.write("ada", "new game\nplayers: bot\nset: nobody-s"); out[0].Result != notice.Refused || out[0].Answer.Lines[0].Problem.Code != notice.ProblemOption {
		t.Errorf("a set that is not there: %s", summary(out[0]))
	}

	stranded := func(want game.WrongSet) {
		t.Helper()
		o.open()
		gameID, why, err := o.desk.Host().Stranded(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		wrong := new(game.WrongSet)
		if want.Name == "" {
			if gameID != "" || why != nil {
				t.Errorf("stranded: %s, %v", gameID, why)
			}
			return
		}
		if gameID != last.ID || !errors.As(why, &wrong) || *wrong != want {
			t.Errorf("stranded: %q, %v, want %s, %v", gameID, why, last.ID, &want)
		}
		if _, err := o.desk.Host().Export(context.Background(), last.ID, 0); !errors.As(err, &wrong) {
			t.Errorf("exported all the same: %v", err)
		}
	}
	stranded(game.WrongSet{})
	delete(o.conf.Sets, "old")
	stranded(game.WrongSet{Name: "old", Hash: "hash of old"})
	o.conf.Sets["old"] = another("old", "edited")
	stranded(game.WrongSet{Name: "old", Hash: "hash of old", Here: "edited"})
	o.conf.Sets["old"] = another("old", "hash of old")
	stranded(game.WrongSet{})
	o.conf.Set = "nowhere"
	if _, err := desk.New(o.conf); err == nil {
		t.Error("a desk whose own set is not there")
	}
}
