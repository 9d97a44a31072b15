package league

import (
	"slices"
	"testing"
	"time"
)

// TestYears: over two seasons in which the stronger player always wins, the strongest has
// all titles, the longest run and every meeting; figures agree with the tables.
func TestYears(t *testing.T) {
	g := league(t, "table: 2\ndivision: 4\nleast: 4", 4)
	for range 2 {
		g.season(stronger)
	}
	all := g.s.AllTime(g.s.Standings)
	if len(all) != 4 || all[0].Player.ID != 1 || all[0].Titles != 2 || all[0].Seasons != 2 || all[0].Won != all[0].Played || all[3].Won != 0 {
		t.Fatalf("%+v", all)
	}
	games, wins, points := 0, 0, Whole(0)
	for _, c := range all {
		games, wins, points = games+c.Played, wins+c.Won, points.Plus(c.Points)
	}
	if n := len(g.s.ended(0)); games != 2*n || wins != n {
		t.Errorf("%d games: %d seats played, %d won", n, games, wins)
	}
	var tables Rational
	for season := 1; season <= 2; season++ {
		for _, row := range g.s.Standings(season, 1) {
			tables = tables.Plus(row.Points.Value)
		}
	}
	if points.Cmp(tables) != 0 {
		t.Errorf("%s points, the tables have %s", points, tables)
	}
	met := 0
	for _, p := range g.s.Pairs(0) {
		met += p.Games
		if p.A >= p.B || p.Ahead != p.Games || p.Behind != 0 {
			t.Errorf("%+v", p)
		}
	}
	if n := len(g.s.ended(0)); met != n {
		t.Errorf("%d meetings in %d games of two", met, n)
	}
	last := g.s.Pairs(4)
	if len(last) != 3 {
		t.Fatalf("%+v", last)
	}
	for _, p := range last {
		if p.A != 4 || p.Ahead != 0 || p.Behind != p.Games {
			t.Errorf("of the weakest: %+v", p)
		}
	}
	r := g.s.Records(0)
	if x := r.Streaks[0]; x.Player != 1 || x.Games != all[0].Played || !x.Going || x.To.Before(x.From) {
		t.Errorf("%+v", x)
	}
	if x := g.s.Records(2).Streaks[0]; x.Games >= r.Streaks[0].Games || x.From.Before(g.s.Seasons[1].Began) {
		t.Errorf("of the second season alone: %+v", x)
	}
	if len(r.Closest) != TopRecords || r.Closest[0].Margin != 1 || len(r.Highest) != TopRecords || r.Highest[0].Score != 199 || r.Highest[0].Player != 1 {
		t.Errorf("closest %+v, highest %+v", r.Closest, r.Highest)
	}
	for i := 1; i < len(r.Longest); i++ {
		if r.Longest[i].Lasted > r.Longest[i-1].Lasted {
			t.Errorf("longest: %+v", r.Longest)
		}
	}
	for range 3 { // what the director gave is no record
		f := r.Closest[0].Fixture
		seats := stronger(f.Players)
		seats[0].Score, seats[1].Score = 500, 500
		seats[0].Place, seats[1].Place = 1, 1
		g.must(Line{Kind: Ruled, Ruling: Correct, Game: f.Game, Seats: seats})
		for _, x := range g.s.Records(0).Highest {
			if x.Score == 500 {
				t.Fatalf("%+v", x)
			}
		}
	}
}

// TestYearsWithoutBots: what bots did in seats that their players left is no one's deed: no win,
// no record, no meeting, and no streak outlives the game. A seat that came back is its player's.
func TestYearsWithoutBots(t *testing.T) {
	for name, own := range map[string]bool{
		"played no turn": false, "left after 5 turns, a bot finished": false, "left after 15 turns, a bot finished": false,
		"left after 5 turns, Zoe finished as a substitute": false, "came back, but played only 5 turns": false,
		"came back, and played 12 turns": true,
	} {
		g := league(t, "table: 2\nat once: 1\nseasons: 1\nbreak: 1 week\nleast: 2\ngames: 5", 0)
		for _, p := range []int64{fay, ada} {
			g.must(Line{Kind: Join, Player: p})
		}
		n := 0
		g.season(func(players []int64) (seats []Seat) {
			n++
			for _, p := range players {
				x := Seat{Player: p, Place: 2, Score: 30 + n}
				if p == fay {
					x.Place, x.Score = 1, 60+n
				}
				if p == fay && n == 3 {
					x.Score, x.Parts = 200, examples[name][fay]
				}
				seats = append(seats, x)
			}
			return seats
		})
		if n != 5 {
			t.Fatalf("%d games", n)
		}
		wins := 4
		if own {
			wins = 5
		}
		var career Career
		for _, c := range g.s.AllTime(g.s.Standings) {
			if c.Player.ID == fay {
				career = c
			}
		}
		pair, r := g.s.Pairs(fay)[0], g.s.Records(0)
		if career.Won != wins || pair.Games != wins || pair.Ahead != wins || (r.Highest[0].Score == 200) != own || r.Streaks[0].Games != map[bool]int{true: 5, false: 2}[own] {
			t.Errorf("%s: %d won, %+v, highest %+v, streaks %+v", name, career.Won, pair, r.Highest[0], r.Streaks)
		}
		f := g.s.Fixtures[2]
		for _, o := range g.s.Outcomes(f) {
			want := o.Player == fay && (own || o.By == zoe && o.Counts) || o.Player == ada && !g.s.Outcomes(f)[slices.Index(f.Players, fay)].Counts
			if o.Won() != want {
				t.Errorf("%s: %+v has won: %v", name, o, !want)
			}
		}
	}
}

// TestLongestGames: of games that took different times those that took longest are records,
// the longest first.
func TestLongestGames(t *testing.T) {
	g := league(t, "table: 2\ndivision: 4\nleast: 4\nat once: 4", 4)
	if at, _ := g.s.opens(); g.now.Before(at) {
		g.now = at
	}
	g.due()
	var want []time.Duration
	for i := 0; g.s.running() != nil; i++ {
		if len(g.open) == 0 {
			t.Fatal("no game is open")
		}
		n := i * 5 % len(g.open) // neither in their order nor the other way round
		f := g.s.Of(g.open[n])
		g.now = g.now.Add(time.Duration(1+i*i%7) * 24 * time.Hour)
		g.must(Line{Kind: Played, Game: f.Game, Seats: stronger(f.Players)})
		g.open = slices.Delete(g.open, n, n+1)
		want = append(want, f.Ended.Sub(f.Began))
		g.due()
	}
	slices.Sort(want)
	slices.Reverse(want)
	r := g.s.Records(0).Longest
	if len(r) != TopRecords || want[0] == want[TopRecords-1] {
		t.Fatalf("%d records, of %v", len(r), want)
	}
	for i, x := range r {
		if x.Lasted != want[i] || x.Lasted != x.Fixture.Ended.Sub(x.Fixture.Began) {
			t.Errorf("record %d: %v, want %v", i+1, x.Lasted, want[i])
		}
	}
}

// TestYearsKeepSecrets: the page shows nothing of a round that others still play.
func TestYearsKeepSecrets(t *testing.T) {
	g := league(t, "kind: solo\nrounds: 3\nleast: 3", 3)
	g.now = g.now.Add(400 * 24 * time.Hour)
	g.due()
	for _, f := range g.s.Fixtures {
		if f.Game != "" && !f.Over() {
			g.must(Line{Kind: Played, Game: f.Game, Seats: []Seat{{Player: f.Players[0], Place: 1, Score: 90, Hal: 60}}})
			break
		}
	}
	if len(g.s.Records(0).Highest) != 1 {
		t.Fatalf("%+v", g.s.Records(0))
	}
	open := g.s.For(0)
	if r := open.Records(0); len(r.Highest) != 0 || len(r.Closest) != 0 || len(r.Longest) != 0 {
		t.Errorf("%+v", r)
	}
	for _, c := range open.AllTime(open.Standings) {
		if c.Won != 0 {
			t.Errorf("%+v", c)
		}
	}
}
