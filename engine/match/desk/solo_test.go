package desk_test

import (
	"context"
	"testing"
	"time"

	"angelpost/engine/match/seating"
	"angelpost/engine/rated"
	"angelpost/engine/store"
)

// solo is what name's solo games came to by now.
func (o *office) solo(name string) (out []rated.Solo) {
	o.t.Helper()
	view(o.t.(*testing.T), o, func(tx store.Tx) (err error) {
		out, err = rated.SoloOf(tx, o.playerOf(name), o.now)
		return err
	})
	return out
}

// finishes has name play a solo game to its end.
func (o *office) finishes(name, id string) {
	o.t.Helper()
	for range 200 {
		if o.row(id).State != store.GameRunning {
			return
		}
		o.plays(name)
	}
	o.t.Fatal("it does not end")
}

// TestSoloGamesCount: from the first order on a solo game counts for its player, whatever
// its visibility, and one that is abandoned, resigned, handed on or left lying is lost.
func TestSoloGamesCount(t *testing.T) {
	const day = 24 * time.Hour
	for what, c := range map[string]struct {
		do            func(o *office, id string)
		listed        bool
		games, played int
	}{
		"nothing was played, and it is abandoned": {do: func(o *office, _ string) { o.write("ada", "abandon") }},
		"it runs":             {do: func(o *office, _ string) { o.plays("ada") }},
		"abandoned":           {do: func(o *office, _ string) { o.plays("ada"); o.write("ada", "abandon") }, games: 1},
		"resigned":            {do: func(o *office, _ string) { o.plays("ada"); o.resigns("ada") }, games: 1},
		"resigned, listed":    {do: func(o *office, _ string) { o.plays("ada"); o.resigns("ada") }, listed: true, games: 1},
		"it lies for 59 days": {do: func(o *office, _ string) { o.plays("ada"); o.now = o.now.Add(59 * day) }},
		"it lies for 60 days": {do: func(o *office, _ string) { o.plays("ada"); o.now = o.now.Add(60 * day) }, games: 1},
		"she goes on with it": {do: func(o *office, _ string) { o.plays("ada"); o.now = o.now.Add(60 * day); o.plays("ada") }},
		"played out":          {do: func(o *office, id string) { o.finishes("ada", id) }, games: 1, played: 1},
	} {
		o := newOffice(t)
		id := o.started(9, "ada")
		if o.shows(id, store.Private); c.listed {
			o.shows(id, store.Listed)
		}
		c.do(o, id)
		got := o.solo("ada")
		if c.games == 0 {
			if len(got) != 0 {
				t.Errorf("%s: %+v", what, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Games != c.games || got[0].Played != c.played || got[0].Left != c.games-c.played || !got[0].Provisional {
			t.Errorf("%s: %+v", what, got)
			continue
		}
		s := got[0]
		if up := s.Mu > rated.SoloHal().Mu; up != (s.Won == 1) || s.Won > s.Played {
			t.Errorf("%s: won %d, strength %g", what, s.Won, s.Mu)
		}
		if _, public := o.ratingOf("ada"); public != c.listed {
			t.Errorf("%s: on the public list: %v", what, public)
		}
	}
}

// TestSoloByLevel: each of Hal's levels has a rating of its own: what a player does at one of
// them leaves the other alone.
func TestSoloByLevel(t *testing.T) {
	o := newOffice(t)
	lose := func(level string) {
		t.Helper()
		if _, err := o.desk.NewGame(context.Background(), seating.NewGameOrder{Started: true, Seed: &[32]byte{9}, Hal: level, Organiser: at("ada"),
			Players: []seating.NewPlayer{{Address: at("ada"), Name: "Ada"}}}); err != nil {
			t.Fatal(err)
		}
		o.deliver()
		o.plays("ada")
		o.write("ada", "abandon")
	}
	lose("easy")
	easy := o.solo("ada")
	for range 2 {
		lose("extreme")
	}
	got := o.solo("ada")
	if len(easy) != 1 || len(got) != 2 || got[0] != easy[0] || got[0].Hal != "easy" || got[0].Games != 1 || got[1].Hal != "extreme" || got[1].Games != 2 || got[1].Mu >= got[0].Mu {
		t.Errorf("%+v, before %+v", got, easy)
	}
}

// TestSoloHandedOn: who gives a solo game to another has lost it; the other's is as it ends.
func TestSoloHandedOn(t *testing.T) {
	o := newOffice(t)
	id := o.started(9, "ada")
	o.shows(id, store.Private)
	o.plays("ada")
	o.write("ada", "replace Ada by "+at("bo"))
	o.write("bo", "join as Bo")
	if len(o.solo("bo")) != 0 {
		t.Errorf("Bo plays on: %+v", o.solo("bo"))
	}
	for range 2 { // while it runs, and when it is over
		if got := o.solo("ada"); len(got) != 1 || got[0].Games != 1 || got[0].Left != 1 || got[0].Won != 0 {
			t.Fatalf("she handed it on: %+v", got)
		}
		o.finishes("bo", id)
	}
	if got := o.solo("bo"); len(got) != 1 || got[0].Played != 1 {
		t.Errorf("he played it to the end: %+v", got)
	}
}

// TestSoloIsTold: the answer to `rating` has it, for the player alone.
func TestSoloIsTold(t *testing.T) {
	o := newOffice(t)
	o.shows(o.started(9, "ada"), store.Private)
	o.plays("ada")
	o.write("ada", "abandon")
	for _, word := range []string{"rating", "statistics"} {
		tale := section(t, o.write("ada", word)[0], "rating").Ratings
		if len(tale) != 1 || len(tale[0].Solo) != 1 || tale[0].Solo[0].Left != 1 || len(tale[0].Ratings) != 0 {
			t.Errorf("%s: %+v", word, tale)
		}
	}
	listed := o.listed("ada", "bo")
	o.playOut(listed)
	o.ratingOf("ada")
	name := ""
	for _, x := range o.seats(listed) {
		if x.Player == o.playerOf("ada") {
			name = x.Name
		}
	}
	for _, r := range section(t, o.write("bo", "rating "+name)[0], "rating").Ratings {
		if len(r.Solo) != 0 {
			t.Errorf("Bo reads of hers: %+v", r)
		}
	}
}
