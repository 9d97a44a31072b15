package league

import (
	"slices"
	"testing"
)

// TestHiddenResults: while a player is still in a round of a solo league, only those
// who have finished theirs see its results and what a ruling says of them.
func TestHiddenResults(t *testing.T) {
	r, err := ParseRules("name: x\nkind: solo\nleast: 3")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Replay(r, [32]byte{1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var lines []Line
	add := func(l Line) {
		t.Helper()
		l.N, l.At = s.Lines+1, then
		if err := s.Add(l); err != nil {
			t.Fatalf("%+v: %v", l, err)
		}
		lines = append(lines, l)
	}
	for p := range int64(3) {
		add(Line{Kind: Join, Player: p + 1})
	}
	for range 2 { // the season, its first round
		acts, _ := s.Due(then)
		for _, a := range acts {
			if a.Line.Kind != Begun {
				add(a.Line)
			}
		}
	}
	games := s.Season().Divisions[0].Fixtures
	if len(games) != 3 {
		t.Fatalf("%d games", len(games))
	}
	for i, f := range games {
		add(Line{Kind: Begun, Fixture: f.ID, Game: string(rune('a' + i))})
	}
	seats := func(i, score int) []Seat {
		return []Seat{{Player: games[i].Players[0], Place: 1, Score: score, Hal: 40}}
	}
	before := len(lines)
	add(Line{Kind: Played, Game: "a", Seats: seats(0, 81)})
	add(Line{Kind: Ruled, Ruling: Adjudicate, Game: "b", Seats: seats(1, 82), Args: []string{"B", "82"}, Text: "why"})
	me, other, last := games[0].Players[0], games[1].Players[0], games[2].Players[0]
	for player, hidden := range map[int64]bool{0: true, last: true, me: false, other: false, 99: true} {
		open := s.For(player)
		if (open != s) != hidden || len(open.Open(lines)) != map[bool]int{true: before, false: len(lines)}[hidden] {
			t.Errorf("%d: hidden %v, %d lines", player, open != s, len(open.Open(lines)))
		}
		for _, f := range open.Fixtures[:2] {
			if f.Hidden != hidden || (f.Result == nil) != hidden || !f.Over() {
				t.Errorf("%d: %+v", player, f)
			}
		}
		if r := open.Rulings[0]; (r.Seats == nil) != hidden || (r.Args == nil) != hidden || r.Text != "why" {
			t.Errorf("%d: %+v", player, r)
		}
		if rows := open.Standings(1, 1); slices.ContainsFunc(rows, func(r Standing) bool { return r.Played > 0 }) == hidden {
			t.Errorf("%d: %+v", player, rows)
		}
	}
	for _, f := range s.Fixtures[:2] { // the league itself knows them
		if f.Hidden || f.Result == nil {
			t.Errorf("%+v", f)
		}
	}
	add(Line{Kind: Played, Game: "c", Seats: seats(2, 20)})
	if s.For(0) != s || len(s.Open(lines)) != len(lines) {
		t.Error("all have played, and it is not told")
	}
}
