package league

import (
	"testing"
	"time"
)

var then = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)

// A file as String writes it is read as the same rules, and so is the sample.
func TestFileRoundTrip(t *testing.T) {
	r, err := ParseRules(Sample())
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseRules(r.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, r)
	}
	if r.String() != again.String() {
		t.Errorf("%s\nbecame\n%s", r, again)
	}
}

// A season of seven is placed, played and ended.
func TestSeason(t *testing.T) {
	r, err := ParseRules("name: x")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Replay(r, [32]byte{1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	now, games := then, 0
	add := func(l Line) {
		t.Helper()
		l.N, l.At = s.Lines+1, now
		if err := s.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	for p := range int64(7) {
		add(Line{Kind: Join, Player: p + 1})
	}
	var open []*Fixture
	for range 100 {
		acts, _ := s.Due(now)
		for _, a := range acts {
			if a.Line.Kind == Begun {
				games++
				a.Line.Game = string(rune('a' + games))
				open = append(open, a.Fixture)
			}
			add(a.Line)
		}
		if len(open) > 0 {
			f := open[0]
			open = open[1:]
			var seats []Seat
			for i, p := range f.Players {
				seats = append(seats, Seat{Player: p, Place: i + 1, Score: 100 - i})
			}
			add(Line{Kind: Played, Game: f.Game, Seats: seats})
		}
		if x := s.Season(); x != nil && !x.Running() {
			break
		}
	}
	if games != 7 || s.Season().Running() {
		t.Errorf("%d games", games)
	}
	if rows := s.Standings(1, 1); len(rows) != 7 {
		t.Error(rows)
	}
}
