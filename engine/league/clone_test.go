package league

import (
	"reflect"
	"testing"
)

// A clone goes on as its original would have, which stays as it was.
func TestClone(t *testing.T) {
	r, err := ParseRules("name: x")
	if err != nil {
		t.Fatal(err)
	}
	var lines []Line
	s, err := Replay(r, [32]byte{1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	add := func(l Line) {
		t.Helper()
		l.N, l.At = s.Lines+1, then
		was, err := Replay(r, [32]byte{1}, lines)
		if err != nil {
			t.Fatal(err)
		}
		c := s.Clone()
		if !reflect.DeepEqual(s, c) {
			t.Fatalf("line %d: a clone differs", l.N)
		}
		if err := c.Add(l); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(s, was) {
			t.Fatalf("line %d (%s) shows in the original", l.N, l.Kind)
		}
		s, lines = c, append(lines, l)
	}
	for p := range int64(7) {
		add(Line{Kind: Join, Player: p + 1})
	}
	add(Line{Kind: Substitute, Player: 9})
	acts, _ := s.Due(then)
	add(acts[0].Line)
	acts, _ = s.Due(then)
	for i, a := range acts {
		a.Line.Game = string(rune('a' + i))
		add(a.Line)
	}
	f := acts[0].Fixture
	var seats []Seat
	for i, p := range f.Players {
		seats = append(seats, Seat{Player: p, Place: i + 1})
	}
	add(Line{Kind: Played, Game: "a", Seats: seats})
	add(Line{Kind: Ruled, Ruling: Void, Game: "a", Text: "why not"})
	add(Line{Kind: Announce, Text: "hello"})
	add(Line{Kind: Leave, Player: 7})
}
