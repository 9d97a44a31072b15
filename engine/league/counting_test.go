package league

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// The players of the examples in LEAGUES.md.
const (
	ada = 1 + iota
	bob
	fay
	zoe
)

var exampleNames = map[int64]string{ada: "Ada", bob: "Bob", fay: "Fay", zoe: "Zoe"}

// An example is what the players of a table did, by the words of LEAGUES.md.
var examples = map[string]map[int64][]Part{
	"played no turn":                                   {fay: {{Turns: 20}}},
	"left after 5 turns, a bot finished":               {fay: {{Player: fay, Turns: 5, Left: true}, {Turns: 15}}},
	"left after 15 turns, a bot finished":              {fay: {{Player: fay, Turns: 15, Left: true}, {Turns: 5}}},
	"left after 5 turns, Zoe finished as a substitute": {fay: {{Player: fay, Turns: 5, Left: true}, {Player: zoe, Turns: 15}}},
	"came back, and played 12 turns":                   {fay: {{Player: fay, Turns: 12}, {Turns: 8}}},
	"came back, but played only 5 turns":               {fay: {{Player: fay, Turns: 5}, {Turns: 15}}},
	"played no turn, nor did Ada":                      {fay: {{Turns: 20}}, ada: {{Turns: 20}}},
	"played no turn, nor did Ada or Bob":               {fay: {{Turns: 20}}, ada: {{Turns: 20}}, bob: {{Turns: 20}}},
}

// TestSeatsThatBotsPlay: each cell of the table in LEAGUES.md is what a league of that
// kind makes of it.
func TestSeatsThatBotsPlay(t *testing.T) {
	doc, err := os.ReadFile("LEAGUES.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(doc), "\n| Fay |")
	table, _, _ = strings.Cut("| Fay |"+table, "\n\n")
	var rows [][]string
	for line := range strings.Lines(table) {
		var row []string
		for _, cell := range strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|") {
			row = append(row, strings.TrimSpace(cell))
		}
		rows = append(rows, row)
	}
	kinds := map[string]string{
		"divisions": "division: 3", "swiss": "kind: swiss\nrounds: 1", "knock-out": "kind: knockout",
		"ladder": "kind: ladder\nrounds: 1", "solo": "kind: solo\nrounds: 1",
	}
	if len(rows) != 2+len(examples) || len(rows[0]) != 1+len(kinds) {
		t.Fatalf("%d rows of %d cells", len(rows), len(rows[0]))
	}
	for _, row := range rows[2:] {
		parts, ok := examples[row[0]]
		if !ok {
			t.Errorf("no example is called %q", row[0])
		}
		for i, said := range row[1:] {
			file, ok := kinds[rows[0][i+1]]
			if !ok {
				t.Fatalf("no kind is called %q", rows[0][i+1])
			}
			if got := exampleOf(t, file, parts); got != said {
				t.Errorf("%s, %s: %q, and LEAGUES.md says %q", row[0], rows[0][i+1], got, said)
			}
		}
	}
}

// exampleOf plays a season of one game, or of one round of solo games, and says what
// came of it as LEAGUES.md does.
func exampleOf(t *testing.T, file string, parts map[int64][]Part) string {
	if !strings.Contains(file, "solo") {
		file += "\ntable: 3"
	} else if slices.ContainsFunc(parts[fay], func(p Part) bool { return p.Player == zoe }) {
		return "solo leagues have no substitutes"
	}
	g := league(t, file+"\nseasons: 1\nleast: 3\npoints: 6, 4, 2", 0)
	for _, p := range []int64{fay, ada, bob} {
		g.must(Line{Kind: Join, Player: p})
	}
	vp := map[int64]int{fay: 90, ada: 80, bob: 70}
	g.season(func(players []int64) (seats []Seat) {
		for _, p := range players {
			x := Seat{Player: p, Score: vp[p], Place: 1, Parts: parts[p]}
			for _, q := range players {
				if vp[q] > vp[p] {
					x.Place++
				}
			}
			seats = append(seats, x)
		}
		return seats
	})
	rows := g.s.Standings(1, 1)
	var said []string
	switch g.rules.Kind {
	case Knockout:
		for _, p := range g.s.Winners(1) {
			said = append(said, exampleNames[p])
		}
		return cmp.Or(strings.Join(said, ", "), "no one") + " goes on"
	case Ladder:
		for _, row := range rows {
			said = append(said, exampleNames[row.Player])
		}
		return strings.Join(said, ", ")
	}
	rows = append(rows, g.s.Guests(1, 1)...)
	slices.SortFunc(rows, func(a, b Standing) int {
		return cmp.Or(b.Points.Value.Cmp(a.Points.Value), cmp.Compare(exampleNames[a.Player], exampleNames[b.Player]))
	})
	for _, row := range rows {
		said = append(said, exampleNames[row.Player]+" "+row.Points.Value.String())
	}
	return strings.Join(said, ", ")
}

// bots are the parts of a seat whose player never came.
var bots = []Part{{Turns: 20}}

// won is a game of two that the first has won.
func won(a, b int64, parts map[int64][]Part) []Seat {
	return []Seat{{Player: a, Place: 1, Score: 90, Parts: parts[a]}, {Player: b, Place: 2, Score: 80, Parts: parts[b]}}
}

// TestNoShowsInAKnockout: bots win all games of players who never came; none of them goes
// on, and who would have met the winner of a match without one has a bye.
func TestNoShowsInAKnockout(t *testing.T) {
	for _, c := range []struct {
		absent []int64
		wins   []int64
		rounds [][]string // who meets, by round
	}{
		{nil, []int64{1}, [][]string{{"1 8", "2 7", "3 6", "4 5"}, {"1 4", "2 3"}, {"1 2"}}},
		{[]int64{1}, []int64{2}, [][]string{{"1 8", "2 7", "3 6", "4 5"}, {"8 4", "2 3"}, {"4 2"}}},
		{[]int64{2, 7}, []int64{1}, [][]string{{"1 8", "2 7", "3 6", "4 5"}, {"1 4", "3"}, {"1 3"}}},
		{[]int64{2, 3, 6, 7}, []int64{1}, [][]string{{"1 8", "2 7", "3 6", "4 5"}, {"1 4"}}},
		{[]int64{1, 2, 7, 8}, []int64{3}, [][]string{{"1 8", "2 7", "3 6", "4 5"}, {"4", "3"}, {"4 3"}}},
		{[]int64{1, 2, 3, 4, 5, 6, 7, 8}, nil, [][]string{{"1 8", "2 7", "3 6", "4 5"}}},
	} {
		g := league(t, "kind: knockout", 8)
		g.season(func(p []int64) []Seat {
			a, b := min(p[0], p[1]), max(p[0], p[1])
			parts := map[int64][]Part{}
			for _, q := range c.absent {
				parts[q] = bots
			}
			if parts[b] != nil && parts[a] == nil { // the bot wins
				a, b = b, a
			}
			return won(a, b, parts)
		})
		var rounds [][]string
		for _, f := range g.s.Fixtures {
			if f.Round > len(rounds) {
				rounds = append(rounds, nil)
			}
			p := slices.Clone(f.Players)
			var names []string
			for _, x := range p {
				names = append(names, string(rune('0'+x)))
			}
			rounds[f.Round-1] = append(rounds[f.Round-1], strings.Join(names, " "))
		}
		for i := range c.rounds {
			for k, want := range c.rounds[i] {
				if i >= len(rounds) || k >= len(rounds[i]) || !alikePair(rounds[i][k], want) {
					t.Fatalf("%v absent: %v, want %v", c.absent, rounds, c.rounds)
				}
			}
		}
		if len(rounds) != len(c.rounds) || !slices.Equal(g.s.Winners(1), c.wins) {
			t.Errorf("%v absent: %v, and %v win", c.absent, rounds, g.s.Winners(1))
		}
		for i, row := range g.s.Standings(1, 1) {
			if slices.Contains(c.absent, row.Player) != row.Unplayed || row.Unplayed && i < 8-len(c.absent) {
				t.Errorf("%v absent: %+v", c.absent, row)
			}
		}
	}
}

func alikePair(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// TestSubstituteInABracket: a substitute who finishes a match takes the place in the
// bracket, with the rounds won so far and the games of the match to come.
func TestSubstituteInABracket(t *testing.T) {
	g := league(t, "kind: knockout\nbest of: 3", 4)
	g.must(Line{Kind: Substitute, Player: 50})
	g.due()
	for g.s.Season().Round == 1 {
		for _, f := range g.s.Fixtures {
			if f.Game != "" && !f.Over() {
				g.must(Line{Kind: Played, Game: f.Game, Seats: stronger(f.Players)})
			}
		}
		g.due()
	}
	// Players 1 and 2 are in the final; 2 leaves the first game, which 50 wins.
	seat := []Part{{Player: 2, Turns: 3, Left: true}, {Player: 50, Turns: 17}}
	final := g.s.Fixtures[len(g.s.Fixtures)-3]
	g.must(Line{Kind: Played, Game: final.Game, Seats: won(2, 1, map[int64][]Part{2: seat})})
	g.due()
	next := g.s.Fixtures[len(g.s.Fixtures)-2]
	if !slices.Contains(next.Players, 50) || slices.Contains(next.Players, 2) {
		t.Fatalf("the second game of the final: %+v", next)
	}
	if o := g.s.Outcomes(final); o[slices.IndexFunc(o, func(o Outcome) bool { return o.Player == 2 })].By != 50 {
		t.Errorf("%+v", o)
	}
	g.must(Line{Kind: Played, Game: next.Game, Seats: won(50, 1, nil)})
	g.due()
	g.due()
	rows := g.s.Standings(1, 1)
	if !slices.Equal(g.s.Winners(1), []int64{50}) || rows[0].Player != 50 || rows[0].Points.Value.String() != "2" || rows[1].Player != 1 || rows[4].Player != 2 || !rows[4].Left {
		t.Errorf("%v has won: %+v", g.s.Winners(1), rows)
	}
}

// TestWinnerHasNotLeft: who leaves when the final is over and the season is not has not won.
func TestWinnerHasNotLeft(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		g := league(t, "kind: knockout\nseasons: 2", 2)
		g.due()
		f := g.s.Fixtures[0]
		g.must(Line{Kind: Played, Game: f.Game, Seats: stronger(f.Players)})
		if leaves {
			g.must(Line{Kind: Leave, Player: 1})
		}
		g.due()
		if got := g.s.Winners(1); g.s.Seasons[0].Running() || slices.Equal(got, []int64{1}) == leaves {
			t.Errorf("leaves %v: %v", leaves, got)
		}
	}
}

// TestIdleSeatHasNoHeir: a substitute who finishes a seat that bots played takes no place in
// the bracket.
func TestIdleSeatHasNoHeir(t *testing.T) {
	for _, c := range []struct {
		bots int
		wins int64
	}{{2, 50}, {40, 1}} {
		g := league(t, "kind: knockout\nseasons: 2", 4)
		g.must(Line{Kind: Substitute, Player: 50})
		g.season(func(p []int64) []Seat {
			if len(g.s.Fixtures) < 3 {
				return stronger(p)
			}
			return won(2, 1, map[int64][]Part{2: {{Player: 2, Turns: 3, Left: true}, {Turns: c.bots}, {Player: 50, Turns: 17}}})
		})
		if got := g.s.Winners(1); !slices.Equal(got, []int64{c.wins}) || slices.Contains(g.s.Seasons[0].Divisions[0].Players, 50) != (c.wins == 50) {
			t.Errorf("bots took %d turns: %v has won, of %v", c.bots, got, g.s.Seasons[0].Divisions[0].Players)
		}
	}
}

// TestArrowsAreSure: while a season runs, only moves that no game can change are told.
func TestArrowsAreSure(t *testing.T) {
	for seed := range int64(6) {
		g := league(t, "division: 4\ntable: 2\nup: 1\nat once: 3\nseasons: 2", 12)
		g.due()
		told := map[int64]Move{}
		rank := func(p int64) int { return int((p*7 + seed*5) % 13) }
		g.season(func(p []int64) []Seat {
			for n := range 3 {
				for _, row := range g.s.Standings(1, n+1) {
					if was, ok := told[row.Player]; ok && was != row.Move {
						t.Fatalf("player %d was to go %s", row.Player, was)
					}
					if row.Move != Stays {
						told[row.Player] = row.Move
					}
				}
			}
			if rank(p[0]) < rank(p[1]) {
				return won(p[0], p[1], nil)
			}
			return won(p[1], p[0], nil)
		})
		moves := 0
		for n := range 3 {
			for _, row := range g.s.Standings(1, n+1) {
				if was, ok := told[row.Player]; ok && was != row.Move {
					t.Errorf("player %d was to go %s, and goes %q", row.Player, was, row.Move)
				}
				if row.Move != Stays {
					moves++
				}
			}
		}
		if moves != 4 || len(told) == 0 {
			t.Errorf("%d moves, %d told before the end", moves, len(told))
		}
	}
}

// TestFewerGoDown: as many fewer go down as can't come up from below, because players there
// have played none of their games.
func TestFewerGoDown(t *testing.T) {
	for _, c := range []struct {
		absent   []int64 // of the second division of four, players 5 to 8
		up, down []int64
	}{
		{nil, []int64{5, 6}, []int64{3, 4}},
		{[]int64{5, 6}, []int64{7, 8}, []int64{3, 4}},
		{[]int64{5, 6, 7}, []int64{8}, []int64{4}},
		{[]int64{5, 6, 7, 8}, nil, nil},
	} {
		g := league(t, "division: 4\ntable: 2\nup: 2\ndown: 2\nat once: 3\nseasons: 2", 8)
		g.season(func(p []int64) []Seat {
			parts := map[int64][]Part{}
			for _, q := range c.absent {
				parts[q] = bots
			}
			return won(min(p[0], p[1]), max(p[0], p[1]), parts)
		})
		var up, down []int64
		for n := range 2 {
			for _, row := range g.s.Standings(1, n+1) {
				switch row.Move {
				case Up:
					up = append(up, row.Player)
				case Down:
					down = append(down, row.Player)
				}
			}
		}
		same(t, fmt.Sprintf("up, %v absent", c.absent), up, c.up...)
		same(t, fmt.Sprintf("down, %v absent", c.absent), down, c.down...)
	}
}

// TestLastSeasonMovesNobody: no arrow leads into a season that does not come.
func TestLastSeasonMovesNobody(t *testing.T) {
	for _, c := range []struct {
		seasons string
		moves   int
	}{{"seasons: 1", 0}, {"seasons: 2", 4}} {
		g := league(t, "division: 4\ntable: 2\nup: 1\nat once: 3\n"+c.seasons, 12)
		g.due()
		g.season(func(p []int64) []Seat { return stronger(p) })
		moves := 0
		for n := range 3 {
			for _, row := range g.s.Standings(1, n+1) {
				if row.Move != Stays {
					moves++
				}
			}
		}
		if moves != c.moves {
			t.Errorf("%s: %d go up or down, want %d", c.seasons, moves, c.moves)
		}
	}
}

// TestAnnulledIsDecidedAtOnce: whether the games of a player who left count is known when
// they leave; what is still being played does not change it.
func TestAnnulledIsDecidedAtOnce(t *testing.T) {
	g := league(t, "division: 5\ntable: 2\nat once: 4\nseasons: 1", 5)
	g.must(Line{Kind: Substitute, Player: 50})
	g.due()
	g.must(Line{Kind: Leave, Player: 1})
	d := &g.s.Seasons[0].Divisions[0]
	if !g.s.Annuls(d, 1) {
		t.Fatal("they count")
	}
	for _, f := range g.s.Fixtures {
		if slices.Contains(f.Players, 1) && f.Game != "" {
			g.must(Line{Kind: Played, Game: f.Game, Seats: stronger(f.Players)})
		}
	}
	if !g.s.Annuls(d, 1) {
		t.Error("they count since a bot has played them to their ends")
	}
	g.now = g.now.Add(patience)
	g.due()
	for _, f := range g.s.Fixtures {
		if slices.Contains(f.seats, 1) && f.Void == (f.Result != nil) {
			t.Errorf("%+v", f)
		}
	}
}

// TestTablesKeepWhatIsOver: a player who leaves takes no game with them that is over, only those
// that are not; in a season that began before that was so, all.
func TestTablesKeepWhatIsOver(t *testing.T) {
	for counting, kept := range map[int]int{Counting: 1, 1: 0} {
		g := league(t, "division: 5\ntable: 2\nat once: 4\nseasons: 1", 5)
		g.due()
		g.s.Seasons[0].Counting = counting
		for _, f := range g.s.Fixtures {
			if slices.Contains(f.Players, 1) && f.Game != "" {
				g.must(Line{Kind: Played, Game: f.Game, Seats: stronger(f.Players)})
				break
			}
		}
		g.must(Line{Kind: Leave, Player: 1})
		g.due()
		played := 0
		for _, row := range g.s.Standings(1, 1) {
			if row.Player != 1 {
				played += row.Played
			}
		}
		over, void := 0, 0
		for _, f := range g.s.Fixtures {
			if slices.Contains(f.seats, 1) && f.Void {
				void++
			} else if slices.Contains(f.seats, 1) {
				over++
			}
		}
		if over != kept || void != 4-kept || played != kept {
			t.Errorf("version %d: %d of the leaver's games stay and %d do not; the others' tables have %d", counting, over, void, played)
		}
	}
}
