package league

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"
)

// TestSoloTableGrowsWithPlayers: in a round of a solo league every player meets
// every other. The table, which anyone may ask for, must not cost as much as all
// those meetings.
func TestSoloTableGrowsWithPlayers(t *testing.T) {
	const n = 600
	for _, ties := range []string{"", "ties: head\n"} {
		r, err := ParseRules("name: X\nkind: solo\nstart: 2026-01-01\n" + ties)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Replay(r, [32]byte{1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		now := r.Start.AddDate(0, 0, -10)
		add := func(l Line) {
			l.N, l.At = s.Lines+1, now
			if err := s.Add(l); err != nil {
				t.Fatal(err)
			}
		}
		for p := range int64(n) {
			add(Line{Kind: Join, Player: p + 1})
		}
		now = r.Start.Add(time.Hour)
		for games := 0; games < n; {
			acts, _ := s.Due(now)
			for _, a := range acts {
				if a.Line.Kind == Begun {
					games++
					a.Line.Game = fmt.Sprint(games)
				}
				add(a.Line)
			}
		}
		for _, f := range s.Fixtures {
			add(Line{Kind: Played, Game: f.Game, Seats: []Seat{{Player: f.Players[0], Place: 1, Score: int(f.Players[0]) % 97}}})
		}
		if each := testing.AllocsPerRun(1, func() { s.Standings(1, 1) }) / n; each > 300 {
			t.Errorf("%q: %.0f allocations for each of %d players", ties, each, n)
		}
	}
}

// TestMeetingsAreBounded: no one plays more games of a season than MaxGames, however
// the file asks for them; drawing them up would take minutes.
func TestMeetingsAreBounded(t *testing.T) {
	for file, ok := range map[string]bool{
		"division: 40\nmeetings: 60\n":           false,
		"division: 7, 40\nmeetings: 5\n":         false,
		"division: 40\nmeetings: 4\n":            true,
		"division: 40\ntable: 2\nmeetings: 2\n":  false,
		"division: 40\ntable: 2\n":               true,
		"division: 2\ntable: 4\nmeetings: 60\n":  true,
		"division: 4\ntable: 4\nmeetings: 60\n":  true,
		"division: 5\ntable: 4\nmeetings: 46\n":  false,
		"division: 31\ntable: 2\nmeetings: 2\n":  true,
		"division: 7\ntable: 4\ngames: 60\n":     true,
		"division: 40, 7\ntable: 4\ngames: 61\n": false,
	} {
		_, err := ParseRules("name: X\n" + file)
		var bad FileErrors
		if (err == nil) != ok || err != nil && !errors.As(err, &bad) {
			t.Errorf("%q: %v", file, err)
		}
	}
}

// TestSchedulesAreBounded: whatever the sizes of a season's divisions, drawing up
// its schedules costs no more than maxWork, but for the one try of each that must be
// made. What is found for that is as good as its sizes allow, and found again.
func TestSchedulesAreBounded(t *testing.T) {
	for _, file := range []string{"games: 60\ntable: 4", "games: 60\ntable: 2"} {
		sizes := "21"
		for n := 22; n <= MaxSize; n++ {
			sizes += ", " + fmt.Sprint(n)
		}
		r, err := ParseRules("name: X\ndivision: " + sizes + "\n" + file)
		if err != nil {
			t.Fatal(err)
		}
		spent, last := 0, []table(nil)
		for n := 21; n <= MaxSize; n++ {
			work := &purse{sizeWork(len(r.Sizes))}
			tables := schedule(n, r.Table, r.Games, work)
			spent += sizeWork(MaxSize-20) - work.left
			if g, meet, seats := counted(t, tables, n, r.Table); g.Min != g.Max || meet.Max-meet.Min > 2 || seats.Max-seats.Min > 1 {
				t.Errorf("%q, %d players: games %v, meetings %v, seats %v", file, n, g, meet, seats)
			}
			last = tables
		}
		if again := schedule(MaxSize, r.Table, r.Games, &purse{sizeWork(MaxSize - 20)}); !reflect.DeepEqual(again, last) {
			t.Errorf("%q: made anew it is another", file)
		}
		t.Logf("%q: %d million units", file, spent/1e6)
		if spent > maxWork+maxWork/5 {
			t.Errorf("%q: %d million units", file, spent/1e6)
		}
	}
}

// TestSubstitutesAreBounded: no more stand ready than can play.
func TestSubstitutesAreBounded(t *testing.T) {
	g := league(t, "kind: swiss", 0)
	for range MaxPlayers {
		g.next++
		if err := g.s.Add(Line{N: g.s.Lines + 1, At: g.now, Kind: Substitute, Player: g.next}); err != nil {
			t.Fatal(err)
		}
	}
	one := Line{Kind: Substitute, Player: g.next + 1}
	if err := g.add(one); !errors.Is(err, ErrFull) {
		t.Errorf("%v", err)
	}
	g.must(Line{Kind: Substitute, Player: 1}) // is one already
	g.must(Line{Kind: Substitute, Player: 2, No: true})
	g.must(one)
	if err := g.add(Line{Kind: Substitute, Player: 2}); !errors.Is(err, ErrFull) {
		t.Errorf("%v", err)
	}
}
