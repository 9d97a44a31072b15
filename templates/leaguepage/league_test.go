package leaguepage

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/match/look"
	"angelpost/templates/words"
)

// The letter on the page of leagues makes a league that its writer directs.
func TestLeagueLetter(t *testing.T) {
	lines := leagueLetter(league.Sample())
	if r, err := league.ParseRules(strings.Join(lines[1:], "\n")); err != nil || len(r.Directors) != 0 {
		t.Errorf("%v\n%s", err, strings.Join(lines, "\n"))
	}
}

// A knock-out of which no round has begun has nothing to draw.
func TestBracketOfNothing(t *testing.T) {
	c := &Presenter{LeagueView: &look.LeagueView{State: new(league.State)}}
	if rounds, tree := c.bracket(&league.Division{Season: 1}, nil); len(rounds) > 0 || tree {
		t.Errorf("%+v", rounds)
	}
}

// knockout has six players, two of them with byes, and every game is a tie.
func knockout(t *testing.T) *league.State {
	t.Helper()
	now := time.Date(2027, 1, 11, 12, 0, 0, 0, time.UTC)
	r, err := league.ParseRules("name: x\nkind: knockout\ntable: 2\nstart: 2027-01-11\nleast: 4\nseasons: 1\nclose: 0 days\n")
	if err != nil {
		t.Fatal(err)
	}
	s, _ := league.Replay(r, [32]byte{7}, nil)
	add := func(l league.Line) {
		if l.N, l.At = s.Lines+1, now; err == nil {
			err = s.Add(l)
		}
	}
	for p := int64(1); p <= 6; p++ {
		add(league.Line{Kind: league.Join, Player: p})
	}
	for range 100 {
		acts, _ := s.Due(now)
		for _, a := range acts {
			if a.Line.Kind == league.Begun {
				a.Line.Game = fmt.Sprint("game", s.Lines)
			}
			add(a.Line)
		}
		for _, f := range s.Fixtures {
			if f.Game != "" && !f.Over() {
				add(league.Line{Kind: league.Played, Game: f.Game, Seats: []league.Seat{{Player: f.Players[0], Place: 1, Score: 70}, {Player: f.Players[1], Place: 1, Score: 70}}})
			}
		}
		if x := s.Season(); err != nil || x != nil && !x.Running() {
			break
		}
		now = now.Add(24 * time.Hour)
	}
	if x := s.Season(); err != nil || x == nil || x.Running() {
		t.Fatalf("%v, %+v", err, x)
	}
	return s
}

// TestTiedMatch: in a tied match of a knock-out the page stars the players who go on, and says
// why; byes are not games.
func TestTiedMatch(t *testing.T) {
	s := knockout(t)
	c := New(words.English(), &look.LeagueView{LeagueInfo: look.LeagueInfo{ID: "x", Name: "x"}, State: s})
	p := c.DivisionPage(Ask{Season: 1, Division: 1}, time.Now())
	if !strings.Contains(p.Status, "5 of 5 games") {
		t.Errorf("five games, and byes: %q", p.Status)
	}
	matches := 0
	for _, f := range slices.Concat(p.Rounds[0].Games, p.Rounds[1].Games, p.Rounds[2].Games) {
		if len(f.Seats) != 2 {
			continue
		}
		matches++
		stars := 0
		for _, x := range f.Seats {
			if strings.Contains(x.Result, "★") {
				stars++
				if !x.Won {
					t.Errorf("%s has a star and does not go on", x.Who.Name)
				}
			}
		}
		if stars != 1 || len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "the higher place in the draw decided") {
			t.Errorf("%d stars, notes %q", stars, f.Notes)
		}
	}
	if matches != 5 {
		t.Errorf("%d matches", matches)
	}
}

// TestNamelessDirectors: directors without a name are counted, not listed.
func TestNamelessDirectors(t *testing.T) {
	for _, x := range []struct {
		names []string
		want  string
	}{
		{[]string{"", ""}, "2 directors without names yet."},
		{[]string{"Dora", ""}, "Dora and a director without a name yet."},
		{[]string{"Dora", "", "Ann", ""}, "Dora, Ann and 2 directors without names yet."},
	} {
		c := New(words.English(), &look.LeagueView{LeagueInfo: look.LeagueInfo{ID: "x", Name: "x", Rules: knockout(t).Rules, Directors: x.names}, State: new(league.State)})
		found := false
		for _, f := range c.rules() {
			found = found || strings.HasPrefix(f.Text, x.want)
		}
		if !found {
			t.Errorf("%q: %+v", x.names, c.rules())
		}
	}
}
