package league

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// league is a league of a file with n players, who have joined.
func league(t *testing.T, file string, n int) *runner {
	t.Helper()
	r, err := ParseRules("name: x\n" + file)
	if err != nil {
		t.Fatal(err)
	}
	g := &runner{t: t, rules: r, now: then}
	g.s, _ = Replay(r, [32]byte{7}, nil)
	for range n {
		g.next++
		g.must(Line{Kind: Join, Player: g.next})
	}
	return g
}

// due does what is due, games begun included.
func (g *runner) due() {
	g.t.Helper()
	for {
		acts, _ := g.s.Due(g.now)
		if len(acts) == 0 {
			return
		}
		for _, a := range acts {
			if a.Line.Kind == Begun {
				g.games++
				a.Line.Game = fmt.Sprint("game", g.games)
				g.open = append(g.open, a.Line.Game)
			}
			g.must(a.Line)
			if a.Line.Kind == End {
				return
			}
		}
	}
}

// stronger returns a result in which the player with the lower number does better.
func stronger(players []int64) (seats []Seat) {
	for _, p := range players {
		x := Seat{Player: p, Place: 1, Score: 200 - int(p)}
		for _, q := range players {
			if q < p {
				x.Place++
			}
		}
		seats = append(seats, x)
	}
	return seats
}

// season plays a season, or what is left of it, to its end.
func (g *runner) season(result func([]int64) []Seat) {
	g.t.Helper()
	if g.s.running() == nil {
		if at, _ := g.s.opens(); g.now.Before(at) {
			g.now = at
		}
		g.due()
	}
	n := len(g.s.Seasons)
	for range 5000 {
		if x := &g.s.Seasons[n-1]; !x.Running() {
			return
		}
		if len(g.open) > 0 {
			f := g.s.Of(g.open[0])
			g.must(Line{Kind: Played, Game: g.open[0], Seats: result(f.Players)})
			g.open = g.open[1:]
		} else if _, next := g.s.Due(g.now); !next.IsZero() {
			g.now = next
		}
		g.due()
	}
	g.t.Fatal("the season does not end")
}

// order returns the players in order of their standing.
func (g *runner) order(season, division int) (p []int64) {
	for _, row := range g.s.Standings(season, division) {
		p = append(p, row.Player)
	}
	return p
}

func (g *runner) placed(season, division int) []int64 {
	p := slices.Clone(g.s.Seasons[season-1].Divisions[division-1].Players)
	slices.Sort(p)
	return p
}

func same(t *testing.T, what string, got []int64, want ...int64) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestPromotion(t *testing.T) {
	g := league(t, "division: 4\ntable: 2\nup: 1\nleast: 4", 12)
	weaker := func(players []int64) []Seat { // the other way round: 4 and 8 and 12 win
		seats := stronger(players)
		for i := range seats {
			seats[i].Place = 3 - seats[i].Place
		}
		return seats
	}
	g.season(weaker)
	same(t, "first division", g.order(1, 1), 4, 3, 2, 1)
	for _, c := range []struct {
		division, row int
		want          Move
	}{{1, 0, Stays}, {1, 3, Down}, {2, 0, Up}, {2, 1, Stays}, {2, 3, Down}, {3, 0, Up}, {3, 3, Stays}} {
		if got := g.s.Standings(1, c.division)[c.row].Move; got != c.want {
			t.Errorf("division %d, row %d: %q, want %q", c.division, c.row+1, got, c.want)
		}
	}
	g.season(weaker)
	same(t, "first division", g.placed(2, 1), 2, 3, 4, 8)
	same(t, "second division", g.placed(2, 2), 1, 6, 7, 12)
	same(t, "third division", g.placed(2, 3), 5, 9, 10, 11)

	// One of the first leaves between seasons: the one due to go down stays. Three come:
	// they are too many for the lowest division and have one of their own.
	g.must(Line{Kind: Leave, Player: 4})
	for _, p := range []int64{20, 21, 22} {
		g.must(Line{Kind: Join, Player: p})
	}
	g.now, _ = g.s.opens()
	g.due()
	same(t, "who play elsewhere than the last table said", g.s.Displaced(), 2, 1)
	g.season(weaker)
	// 8, 4, 3, 2 were first to last; 12 comes up, 2 stays because 4 has left.
	same(t, "first division", g.placed(3, 1), 2, 3, 8, 12)
	same(t, "second division", g.placed(3, 2), 1, 6, 7, 11)
	same(t, "third division", g.placed(3, 3), 5, 9, 10, 20)
	same(t, "fourth division", g.placed(3, 4), 21, 22)
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		n    int
		want string
	}{{7, "[7]"}, {3, "[3]"}, {10, "[10]"}, {11, "[7 4]"}, {14, "[7 7]"}, {17, "[7 10]"}, {18, "[7 7 4]"}, {21, "[7 7 7]"}} {
		r, _ := ParseRules("name: x")
		if got := fmt.Sprint(r.sizes(c.n)); got != c.want {
			t.Errorf("%d players: %s, want %s", c.n, got, c.want)
		}
	}
}

// Equal players share what their places are worth together.
func TestSharedPlaces(t *testing.T) {
	g := league(t, "division: 4\nseasons: 1", 4)
	g.season(func(p []int64) []Seat {
		return []Seat{{Player: p[0], Place: 1, Score: 60}, {Player: p[1], Place: 2, Score: 50}, {Player: p[2], Place: 2, Score: 50}, {Player: p[3], Place: 2, Score: 50}}
	})
	f := g.s.Fixture(1)
	for _, row := range g.s.Standings(1, 1) {
		want, share := "4/3", "5/6"
		if row.Player == f.Players[0] {
			want, share = "6", "1"
		}
		if row.Points.Value.String() != want || row.Ties[0].Value.String() != share || row.Points.Terms[0].Shared != map[string]int{"6": 1, "4/3": 3}[want] {
			t.Errorf("%+v", row)
		}
	}
}

// What a seat that counts brings is split by turns; a player who left it has at most their share
// of what the last place is worth. Players who stay never have less.
func TestNobodyGainsByLeaving(t *testing.T) {
	g := league(t, "division: 4\nseasons: 1\npoints: 8, 4, 2, 1", 4)
	g.due()
	f := g.s.Fixture(1)
	a, b, c, d := f.Players[0], f.Players[1], f.Players[2], f.Players[3]
	g.must(Line{Kind: Played, Game: f.Game, Seats: []Seat{
		{Player: a, Place: 1, Score: 80, Parts: []Part{{Player: a, Turns: 10, Left: true}, {Player: 9, Turns: 10}}},
		{Player: b, Place: 2, Score: 70, Parts: []Part{{Player: b, Turns: 15}, {Turns: 5}}},
		{Player: c, Place: 3, Score: 60, Parts: []Part{{Player: c, Turns: 5, Left: true}, {Turns: 15}}},
		{Player: d, Place: 4, Score: 50},
	}})
	want := map[int64]string{a: "1/2", b: "3", c: "1/4", d: "2"} // bots took most turns of c: d is third
	for _, row := range g.s.Standings(1, 1) {
		if row.Points.Value.String() != want[row.Player] {
			t.Errorf("player %d has %s, want %s", row.Player, row.Points.Value, want[row.Player])
		}
	}
	if guests := g.s.Guests(1, 1); len(guests) != 1 || guests[0].Player != 9 || guests[0].Points.Value.String() != "4" {
		t.Errorf("%+v", guests)
	}

	for last := range 3 { // of whatever a place is worth, at whatever turn the player leaves
		for worth := last; worth < 9; worth++ {
			for turns := range 12 {
				for all := max(1, turns); all < 12; all++ {
					left := entrant{turns: turns, all: all, left: true, last: Whole(last)}
					for more := turns; more <= all; more++ { // the player stays, and has the worst or the same place
						for _, w := range []int{last, worth} {
							stays := entrant{turns: more, all: all, last: Whole(last)}
							if left.value(Whole(worth)).Cmp(stays.value(Whole(w))) > 0 {
								t.Fatalf("who left after %d of %d turns has more", turns, all)
							}
						}
					}
				}
			}
		}
	}
}

func TestLeaving(t *testing.T) {
	t.Run("tables of two, early", func(t *testing.T) {
		g := league(t, "division: 6\ntable: 2\nat once: 1\nseasons: 1", 6)
		g.due()
		f := g.s.Fixture(1)
		p := f.Players[0]
		g.must(Line{Kind: Leave, Player: p})
		g.season(stronger)
		for _, f := range g.s.Fixtures {
			if slices.Contains(f.seats, p) && f.Void == (f.Result != nil) { // the game that had begun is over
				t.Errorf("%+v", f)
			}
		}
		if rows := g.s.Standings(1, 1); !rows[5].Left || rows[5].Player != p || rows[5].Points.Value.Sign() != 0 || rows[0].Games != 4 {
			t.Errorf("%+v", rows)
		}
	})
	t.Run("tables of two, late", func(t *testing.T) {
		g := league(t, "division: 6\ntable: 2\nat once: 1\nseasons: 1\nsubstitutes: no", 6)
		g.due()
		p := g.s.Fixture(1).Players[0]
		for g.played(p) < 3 {
			f := g.s.Of(g.open[0])
			g.must(Line{Kind: Played, Game: g.open[0], Seats: stronger(f.Players)})
			g.open = g.open[1:]
			if g.played(p) == 3 {
				g.must(Line{Kind: Leave, Player: p})
			}
			g.due()
		}
		g.season(stronger)
		lost := 0
		for _, row := range g.s.Standings(1, 1) {
			if row.Games != 5 {
				t.Errorf("player %d has %d games", row.Player, row.Games)
			}
			for _, f := range g.s.Fixtures {
				if row.Player == p && slices.Contains(f.Absent, p) {
					lost++
					if f.Result.Ruling != Forfeit || len(f.Players) != 1 {
						t.Errorf("%+v", f)
					}
				}
			}
		}
		if lost == 0 || lost > 2 {
			t.Errorf("%d games lost", lost)
		}
	})
	t.Run("tables of four", func(t *testing.T) {
		g := league(t, "at once: 1\nseasons: 1\nsubstitutes: no", 7)
		g.due()
		g.must(Line{Kind: Leave, Player: 3})
		g.season(stronger)
		for _, f := range g.s.Fixtures {
			if len(f.Players)+len(f.Absent) != 4 || len(f.Absent) > 0 && (f.Absent[0] != 3 || len(f.Result.Seats) != 3) {
				t.Errorf("%+v", f)
			}
		}
		rows := g.s.Standings(1, 1)
		for _, row := range rows {
			if row.Games != 4 {
				t.Errorf("%+v", row)
			}
		}
		// Where the player did not come the others play for the same points.
		same(t, "order", g.order(1, 1), 1, 2, 4, 5, 6, 7, 3)
		if rows[0].Points.Value.String() != "24" {
			t.Error(rows[0].Points)
		}
	})
	t.Run("a substitute", func(t *testing.T) {
		g := league(t, "at once: 1\nseasons: 2", 7)
		g.must(Line{Kind: Substitute, Player: 50})
		g.due()
		var own []int
		for _, f := range g.s.Fixtures {
			if slices.Contains(f.Players, 3) && f.Game == "" {
				own = append(own, f.ID)
			}
		}
		g.must(Line{Kind: Leave, Player: 3})
		if acts, _ := g.s.Due(g.now); len(acts) > 0 && acts[0].Line.Kind == Forfeit {
			t.Fatal("nobody waits for the substitute")
		}
		if _, next := g.s.Due(g.now.Add(time.Hour)); !next.Equal(g.now.Add(patience)) {
			t.Errorf("it waits until %v", next)
		}
		g.must(Line{Kind: Takeover, Player: 50, For: 3})
		if g.add(Line{Kind: Takeover, Player: 51, For: 3}) == nil || g.add(Line{Kind: Takeover, Player: 2, For: 3}) == nil {
			t.Error("taken over twice")
		}
		for _, id := range own {
			if f := g.s.Fixture(id); !slices.Contains(f.Players, 50) || slices.Contains(f.Players, 3) {
				t.Errorf("%+v", f)
			}
		}
		g.season(stronger)
		if rows := g.s.Standings(1, 1); len(rows) != 8 || rows[6].Player != 50 || rows[6].Games != len(own) || rows[7].Player != 3 {
			t.Errorf("%+v", rows)
		}
		g.season(stronger)
		same(t, "next season", g.placed(2, 1), 1, 2, 4, 5, 6, 7, 50)
	})
	t.Run("and back", func(t *testing.T) {
		g := league(t, "at once: 1\nseasons: 1", 7)
		g.must(Line{Kind: Substitute, Player: 50})
		g.due()
		g.must(Line{Kind: Leave, Player: 3})
		g.now = g.now.Add(6 * day)
		g.must(Line{Kind: Join, Player: 3})
		g.now = g.now.Add(6 * day)
		g.season(stronger)
		same(t, "order", g.order(1, 1), 1, 2, 3, 4, 5, 6, 7)
	})
}

// played is how many of a player's games are over.
func (g *runner) played(p int64) (n int) {
	for _, f := range g.s.Fixtures {
		if slices.Contains(f.Players, p) && f.Result != nil {
			n++
		}
	}
	return n
}

func TestRulings(t *testing.T) {
	g := league(t, "at once: 4\nseasons: 1", 7)
	g.due()
	f := g.s.Fixture(1)
	rule := func(ruling string, seats []Seat) {
		t.Helper()
		g.must(Line{Kind: Ruled, By: 1, Ruling: ruling, Game: f.Game, Fixture: f.ID, Seats: seats, Text: "because"})
	}
	first := f.Game
	points := func() string {
		for _, row := range g.s.Standings(1, 1) {
			if row.Player == f.Players[0] {
				return fmt.Sprint(row.Games, " ", row.Points.Value)
			}
		}
		return ""
	}
	seats := func(score ...int) (x []Seat) {
		for i, n := range score {
			p := Seat{Player: f.Players[i], Score: n, Place: 1}
			for _, m := range score {
				if m > n {
					p.Place++
				}
			}
			x = append(x, p)
		}
		return x
	}
	rule("extend", nil)
	rule(Adjudicate, seats(80, 70, 60, 50))
	if points() != "4 6" {
		t.Error(points())
	}
	g.must(Line{Kind: Played, Game: f.Game, Seats: seats(1, 2, 3, 4)}) // too late
	if points() != "4 6" {
		t.Error(points())
	}
	rule(Correct, seats(50, 60, 70, 80))
	if points() != "4 0" {
		t.Error(points())
	}
	rule(Again, nil)
	if points() != "4 0" || f.Game != "" || !slices.Equal(f.Earlier, []string{first}) {
		t.Errorf("%s, %+v", points(), f)
	}
	g.due()
	if f.Game == "" || g.s.Of(first) != f {
		t.Errorf("%+v", f)
	}
	g.must(Line{Kind: Played, Game: first, Seats: seats(80, 70, 60, 50)}) // of the game that counts no more
	rule(Void, nil)
	if points() != "3 0" {
		t.Error(points())
	}
	if err := g.add(Line{Kind: Ruled, Ruling: Correct, Game: f.Game, Seats: seats(4, 3, 2, 1)}); err == nil {
		t.Error("a void game was corrected")
	}
	rule(Adjudicate, seats(80, 80, 60, 50))
	if points() != "4 9/2" || len(g.s.Rulings) != 6 {
		t.Error(points(), len(g.s.Rulings))
	}
	g.season(stronger)
}

func TestSwiss(t *testing.T) {
	for _, c := range []struct {
		players, table, rounds, met int
	}{{16, 2, 4, 1}, {15, 2, 6, 1}, {16, 4, 5, 2}, {30, 4, 5, 1}, {22, 3, 4, 1}, {10, 4, 4, 2}, {200, 4, 6, 1}} {
		g := league(t, fmt.Sprintf("kind: swiss\ntable: %d\nrounds: %d\nseasons: 1\nleast: %d", c.table, c.rounds, c.players), c.players)
		g.season(stronger)
		met, byes, seats := map[[2]int64]int{}, map[int64]int{}, map[int64][4]int{}
		most := 0
		for _, f := range g.s.Fixtures {
			for i, p := range f.Players {
				if f.Bye {
					byes[p]++
					continue
				}
				x := seats[p]
				x[i]++
				seats[p] = x
				for _, q := range f.Players[:i] {
					met[pair(p, q)]++
					most = max(most, met[pair(p, q)])
				}
			}
		}
		for p, n := range byes {
			if n > 1 {
				t.Errorf("%v: %d sits out %d times", c, p, n)
			}
		}
		for p, x := range seats {
			if spread := slices.Max(x[:c.table]) - slices.Min(x[:c.table]); spread > 3 {
				t.Errorf("%v: seats of %d: %v", c, p, x)
			}
		}
		if most > c.met {
			t.Errorf("%v: two meet %d times", c, most)
		}
		if order := g.order(1, 1); order[0] != 1 {
			t.Errorf("%v: %v", c, order)
		}
	}
}

func TestKnockout(t *testing.T) {
	for _, c := range []struct {
		file                         string
		players, rounds, games, byes int
	}{
		{"", 8, 3, 7, 0}, {"", 5, 3, 4, 3}, {"", 6, 3, 5, 2}, {"", 7, 3, 6, 1}, {"", 16, 4, 15, 0}, {"best of: 3", 8, 3, 14, 0},
		{"table: 4\ngo on: 2", 16, 3, 7, 0}, {"table: 4", 16, 2, 5, 0}, {"table: 3", 27, 3, 13, 0}, {"table: 4\ngo on: 2", 9, 2, 0, 0},
	} {
		g := league(t, "kind: knockout\n"+c.file, c.players)
		g.season(stronger)
		games, byes := 0, 0
		for _, f := range g.s.Fixtures {
			if f.Bye {
				byes++
				if f.Players[0] > int64(c.byes) || f.Round > 1 {
					t.Errorf("%+v: %d has a bye", c, f.Players[0])
				}
			} else if !f.Unneeded {
				games++
			}
		}
		x := g.s.Seasons[0]
		if c.games > 0 && (games != c.games || byes != c.byes || x.Round != c.rounds) {
			t.Errorf("%+v: %d games, %d byes, %d rounds", c, games, byes, x.Round)
		}
		order := g.order(1, 1)
		if order[0] != 1 || order[1] != 2 || len(order) != c.players {
			t.Errorf("%+v: %v", c, order)
		}
	}

	// The first of the draw meet last, and best of three is decided by two.
	g := league(t, "kind: knockout\nbest of: 3", 4)
	g.due()
	same(t, "a game of the first", g.s.Fixture(1).Players[:0])
	for _, f := range g.s.Fixtures {
		if m := pair(f.Players[0], f.Players[1]); m != [2]int64{1, 4} && m != [2]int64{2, 3} {
			t.Errorf("%v meet first", m)
		}
	}
	if a, b := g.s.Fixture(1), g.s.Fixture(2); a.Players[0] != b.Players[1] || b.Game != "" {
		t.Errorf("%v, %v", a, b)
	}
	f := g.s.Fixture(1)
	g.must(Line{Kind: Played, Game: f.Game, Seats: stronger(f.Players)})
	g.due()
	f = g.s.Fixture(2)
	g.must(Line{Kind: Played, Game: f.Game, Seats: stronger(f.Players)})
	if third := g.s.Fixture(3); !third.Unneeded {
		t.Errorf("%+v", third)
	}
	// A ruling makes the third game needed again.
	upset := stronger(f.Players)
	upset[0].Place, upset[1].Place = upset[1].Place, upset[0].Place
	g.must(Line{Kind: Ruled, Ruling: Correct, Game: f.Game, Seats: upset})
	if third := g.s.Fixture(3); third.Unneeded {
		t.Errorf("%+v", third)
	}
	g.season(stronger)
}

func TestLadder(t *testing.T) {
	g := league(t, "kind: ladder\nrounds: 3\nleast: 5", 5)
	up := func(p []int64) []Seat { // the player who came last wins
		return []Seat{{Player: max(p[0], p[1]), Place: 1, Score: 9}, {Player: min(p[0], p[1]), Place: 2, Score: 8}}
	}
	g.due()
	same(t, "order", g.order(1, 1), 1, 2, 3, 4, 5)
	if at, ok := g.s.NextRound(); !ok || !at.Equal(g.s.Season().RoundBegan.Add(g.s.Rules.Round)) {
		t.Errorf("the next round begins %v, %v", at, ok)
	}
	g.season(up)
	if at, ok := g.s.NextRound(); ok {
		t.Errorf("a season that is over has a round to come, %v", at)
	}
	// 12 34 5: 2 1 4 3 5; 2 14 35: 2 4 1 5 3; 24 15 3: 4 2 5 1 3
	same(t, "order", g.order(1, 1), 4, 2, 5, 1, 3)
	g.must(Line{Kind: Leave, Player: 2})
	g.must(Line{Kind: Join, Player: 6})
	g.now = g.now.Add(100 * day)
	g.due()
	same(t, "next season", g.order(2, 1), 4, 5, 1, 3, 6)
	g.must(Line{Kind: Join, Player: 7}) // in the middle of it, at its end
	same(t, "late", g.order(2, 1), 4, 5, 1, 3, 6, 7)
	// A draw changes nothing.
	f := g.s.Of(g.open[0])
	g.must(Line{Kind: Played, Game: f.Game, Seats: []Seat{{Player: f.Players[0], Place: 1}, {Player: f.Players[1], Place: 1}}})
	same(t, "drawn", g.order(2, 1), 4, 5, 1, 3, 6, 7)
}

// TestLadderOfTwo: when only two can play, they meet in every round.
func TestLadderOfTwo(t *testing.T) {
	for _, table := range []string{"2", "3", "4"} {
		g := league(t, "kind: ladder\ntable: "+table+"\nrounds: 4\nround: 7 days\nleast: "+table, 4)
		g.due()
		for _, p := range []int64{2, 4} {
			g.must(Line{Kind: Leave, Player: p})
		}
		g.season(stronger)
		rounds := map[int]int{}
		for _, f := range g.s.Fixtures {
			rounds[f.Round]++
		}
		if rounds[2] != 1 || rounds[3] != 1 || rounds[4] != 1 {
			t.Errorf("table %s: games by round: %v", table, rounds)
		}
	}
}

func TestSolo(t *testing.T) {
	g := league(t, "kind: solo\nrounds: 2\nleast: 3\nseasons: 2\npoints: 5, 3, 1", 3)
	g.due()
	seeds := map[[32]byte]int{}
	g.season(func(p []int64) []Seat {
		f := g.s.Of(g.open[0])
		seed, ok := g.s.GameSeed(f)
		if seeds[seed]++; !ok || len(p) != 1 {
			t.Errorf("%+v", f)
		}
		score := 100 - int(p[0])
		if f.Round == 2 && p[0] == 3 {
			score = 98 // as many as player 2
		}
		return []Seat{{Player: p[0], Place: 1, Score: score, Hal: 50}}
	})
	if len(seeds) != 2 {
		t.Errorf("%d seeds in two weeks", len(seeds))
	}
	for seed, n := range seeds {
		if n != 3 {
			t.Errorf("%d play %x", n, seed)
		}
	}
	rows := g.s.Standings(1, 1)
	for i, want := range []string{"10", "5", "3"} {
		if rows[i].Points.Value.String() != want || rows[i].Player != int64(i+1) {
			t.Errorf("%+v", rows[i])
		}
	}
	if g.now.Before(then.Add(14 * day)) {
		t.Errorf("two weeks were over on %v", g.now)
	}
	if other, ok := league(t, "kind: divisions", 0).s.GameSeed(&Fixture{Season: 1}); ok || other != [32]byte{} {
		t.Error("a seed that is told")
	}
}
