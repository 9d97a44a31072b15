package league

import (
	"encoding/json"
	"testing"
)

// large is a league of 2,000 players in 150 divisions with the log of its first
// season.
func large(b *testing.B) (*Rules, []Line) {
	b.Helper()
	r, err := ParseRules("name: x\ndivision: 13\nat once: 4\nleast: 2000\nseasons: 1")
	if err != nil {
		b.Fatal(err)
	}
	g := &runner{rules: r, now: then}
	g.s, _ = Replay(r, [32]byte{}, nil)
	add := func(l Line) {
		l.N, l.At = g.s.Lines+1, g.now
		if err := g.s.Add(l); err != nil {
			b.Fatal(err)
		}
		g.log = append(g.log, l)
	}
	for p := range int64(2000) {
		add(Line{Kind: Join, Player: p + 1})
	}
	for len(g.s.Seasons) == 0 || g.s.Seasons[0].Running() {
		acts, _ := g.s.Due(g.now)
		for _, a := range acts {
			if a.Line.Kind == Begun {
				a.Line.Game = string(rune('A' + a.Line.Fixture))
				g.open = append(g.open, a.Line.Game)
			}
			add(a.Line)
		}
		for _, game := range g.open {
			add(Line{Kind: Played, Game: game, Seats: stronger(g.s.Of(game).Players)})
		}
		g.open = nil
	}
	return r, g.log
}

// BenchmarkReplay of 2,000 players' season, of one more result, of what is due
// then, and of all standings.
func BenchmarkReplay(b *testing.B) {
	r, log := large(b)
	s, err := Replay(r, [32]byte{}, log)
	if err != nil {
		b.Fatal(err)
	}
	kept, err := json.Marshal(log)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("replay", func(b *testing.B) {
		b.ReportMetric(float64(len(log)), "lines")
		b.ReportMetric(float64(len(s.Seasons[0].Divisions)), "divisions")
		b.ReportMetric(float64(len(s.Fixtures)), "games")
		b.ReportMetric(float64(len(kept)), "log-bytes")
		for b.Loop() {
			if _, err := Replay(r, [32]byte{}, log); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			var lines []Line
			if err := json.Unmarshal(kept, &lines); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("correct", func(b *testing.B) {
		f := s.Fixtures[100]
		for b.Loop() {
			if err := s.Add(Line{N: s.Lines + 1, Kind: Ruled, Ruling: Correct, Game: f.Game, Seats: stronger(f.Players)}); err != nil {
				b.Fatal(err)
			}
		}
	})
	half, err := Replay(r, [32]byte{}, log[:len(log)/2])
	if err != nil {
		b.Fatal(err)
	}
	b.Run("due", func(b *testing.B) {
		for b.Loop() {
			half.Due(then)
		}
	})
	b.Run("division", func(b *testing.B) {
		for b.Loop() {
			s.Standings(1, 70)
		}
	})
	b.Run("standings", func(b *testing.B) {
		for b.Loop() {
			for d := range s.Seasons[0].Divisions {
				s.Standings(1, d+1)
			}
		}
	})
}
