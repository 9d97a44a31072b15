package league

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var leagues = flag.Int("leagues", 40, "random leagues played to their ends")

// A runner plays a random league by its log: who joins, leaves, takes over, what
// games come to and what directors decide is drawn.
type runner struct {
	t     *testing.T
	rand  *rand.Rand
	rules *Rules
	s     *State
	log   []Line
	now   time.Time
	open  []string // games that are played
	games int
	next  int64 // player to join
	old   bool  // seasons count as before there were versions
}

func (g *runner) one(of ...string) string { return of[g.rand.IntN(len(of))] }

// file is a random league's.
func (g *runner) file() string {
	var b strings.Builder
	kind := g.one("divisions", "divisions", "swiss", "knockout", "ladder", "solo")
	table := 2 + g.rand.IntN(3)
	fmt.Fprintf(&b, "name: x\nkind: %s\nseasons: %d\nat once: %d\nplace: %s\n", kind, 1+g.rand.IntN(3), 1+g.rand.IntN(3), g.one("joined", "lot"))
	if kind != "solo" {
		fmt.Fprintf(&b, "table: %d\n", table)
	}
	switch kind {
	case "divisions":
		fmt.Fprintf(&b, "division: %s\nmeetings: %d\nup: %d\ndown: %d\nseason: 4 weeks\n", g.one("7", "4", "5, 8", "9"), 1+g.rand.IntN(2), g.rand.IntN(4), g.rand.IntN(4))
	case "swiss":
		fmt.Fprintf(&b, "rounds: %d\nleft over: %s\n", 1+g.rand.IntN(5), g.one("smaller", "bye"))
	case "knockout":
		fmt.Fprintf(&b, "best of: %s\ngo on: %d\n", g.one("1", "3"), 1+g.rand.IntN(table-1))
	case "ladder", "solo":
		fmt.Fprintf(&b, "rounds: %d\nround: %d days\n", 1+g.rand.IntN(5), 1+g.rand.IntN(14))
	}
	if ties := g.one("share, head, berger, wins, botturns", "head, wins", "berger, lot", "lot", "wins, share"); kind != "solo" || !strings.Contains(ties, "berger") {
		fmt.Fprintf(&b, "ties: %s\n", ties)
	}
	fmt.Fprintf(&b, "substitutes: %s\n", g.one("yes", "no"))
	if g.rand.IntN(2) == 0 {
		b.WriteString("break: 9 days\ncheck in: 4 days\n")
	} else {
		fmt.Fprintf(&b, "break: %d days\n", g.rand.IntN(20))
	}
	return b.String()
}

func (g *runner) add(l Line) error {
	l.N, l.At = g.s.Lines+1, g.now
	if g.old {
		l.Counting = 0
	}
	kept, err := json.Marshal(l)
	if err != nil {
		g.t.Fatal(err)
	}
	var back Line
	if err := json.Unmarshal(kept, &back); err != nil {
		g.t.Fatal(err)
	}
	if err := g.s.Add(back); err != nil {
		return err
	}
	g.log = append(g.log, back)
	return nil
}

func (g *runner) must(l Line) {
	g.t.Helper()
	if err := g.add(l); err != nil {
		g.t.Fatalf("%v\n%+v\n%s", err, l, g.rules)
	}
}

// seats are a random result of a fixture.
func (g *runner) seats(f *Fixture) []Seat {
	var seats []Seat
	for _, p := range f.Players {
		x := Seat{Player: p, Score: 40 + g.rand.IntN(12)}
		if g.rand.IntN(4) == 0 {
			x.Parts = []Part{{Player: p, Turns: g.rand.IntN(20), Left: g.rand.IntN(2) == 0}, {Turns: g.rand.IntN(8)}}
			if x.Parts[0].Left && g.rand.IntN(2) == 0 {
				x.Parts = append(x.Parts, Part{Player: 1 + g.rand.Int64N(g.next), Turns: g.rand.IntN(10)})
				if x.Parts[2].Player == p {
					x.Parts = x.Parts[:2]
				}
			}
		}
		seats = append(seats, x)
	}
	for i := range seats {
		seats[i].Place = 1
		for _, y := range seats {
			if y.Score > seats[i].Score {
				seats[i].Place++
			}
		}
	}
	g.rand.Shuffle(len(seats), func(i, j int) { seats[i], seats[j] = seats[j], seats[i] })
	return seats
}

// anything does something that may come at any time; much of it cannot be, and
// then nothing may change.
func (g *runner) anything() {
	p := 1 + g.rand.Int64N(g.next)
	l := Line{Player: p}
	switch g.rand.IntN(18) {
	case 0:
		l.Kind, l.Player = Join, g.next
		g.next++
	case 1:
		l.Kind = Join
	case 2:
		l.Kind = Leave
	case 3:
		l.Kind, l.No = Substitute, g.rand.IntN(3) == 0
	case 4:
		l.Kind, l.For = Takeover, 1+g.rand.Int64N(g.next)
		l.Player = 1 + g.rand.Int64N(g.next-1)
	case 5:
		if l = (Line{Kind: Announce, Text: "hello"}); g.rand.IntN(8) == 0 {
			l = Line{Kind: g.one(Close, Pause, Resume, Pause, Resume, Archive), Division: g.rand.IntN(2), Text: "because"}
		}
	case 6:
		l.Kind = Forfeit
	case 7, 8, 9:
		if len(g.s.Fixtures) == 0 {
			return
		}
		f := g.s.Fixtures[g.rand.IntN(len(g.s.Fixtures))]
		l = Line{Kind: Ruled, Fixture: f.ID, Game: f.Game, Ruling: g.one(Void, Again, Adjudicate, Correct, "extend"), Text: "because"}
		if len(f.Players) > 0 && (l.Ruling == Adjudicate || l.Ruling == Correct) {
			l.Seats = g.seats(f)
		}
	case 10:
		l = Line{Kind: g.one(End, Begin, "nonsense", Begun, Played), Fixture: g.rand.IntN(20), Game: fmt.Sprint("nonsense", g.s.Lines)}
	case 11:
		l.Kind = Leave
	case 12, 13:
		l.Kind, l.No = Here, g.rand.IntN(4) == 0
	case 14:
		l.Kind, l.Division = g.one(Expel, Transfer, Transfer, Join), g.rand.IntN(4)
		if l.Kind == Join {
			l.By = p
		}
	case 15:
		l = Line{Kind: Start}
	case 16:
		l = Line{Kind: Extend, Round: g.rand.IntN(4), Later: g.rand.IntN(3) * 86400}
	case 17:
		l = Line{Kind: Ask, Fixture: g.rand.IntN(20), Players: []int64{p, 1 + g.rand.Int64N(g.next)}}
	}
	before := g.picture()
	switch err := g.add(l); {
	case err != nil && g.picture() != before:
		g.t.Fatalf("a line that cannot be changed something: %+v", l)
	case err == nil && l.Kind == Begun:
		g.open = append(g.open, l.Game)
	}
}

// picture is the state as text.
func (g *runner) picture() string {
	b, err := json.Marshal(struct {
		*State
		W []int64
	}{g.s, g.s.Waiting()})
	if err != nil {
		g.t.Fatal(err)
	}
	return string(b)
}

func (g *runner) run() {
	g.now = then
	g.next = 1
	for range 2 + g.rand.IntN(25) {
		g.must(Line{Kind: Join, Player: g.next})
		g.next++
	}
	for step := 0; step < 8000; step++ {
		acts, next := g.s.Due(g.now)
		for _, a := range acts {
			if a.Line.Kind == Begun {
				g.games++
				a.Line.Game = fmt.Sprint("game", g.games)
				g.open = append(g.open, a.Line.Game)
			}
			g.must(a.Line)
		}
		if len(acts) > 0 {
			continue
		}
		if g.rand.IntN(4) == 0 && step < 1000 {
			g.anything()
			continue
		}
		switch {
		case len(g.open) > 0:
			i := g.rand.IntN(len(g.open))
			f := g.s.Of(g.open[i])
			g.must(Line{Kind: Played, Game: g.open[i], Seats: g.seats(f)})
			g.open = slices.Delete(g.open, i, i+1)
			g.now = g.now.Add(time.Duration(g.rand.IntN(40)) * time.Hour)
		case !next.IsZero():
			if !next.After(g.now) {
				g.t.Fatalf("due again at %v, and it is %v\n%s", next, g.now, g.rules)
			}
			g.now = next
		case !g.s.Paused.IsZero() || g.s.running() != nil && slices.ContainsFunc(g.s.Stops, func(l Line) bool { return l.Kind == Pause }):
			g.now = g.now.Add(time.Hour)
			g.must(Line{Kind: Resume})
		case g.s.running() != nil:
			for _, d := range g.s.running().Divisions {
				for _, f := range d.Fixtures {
					if !f.Over() {
						g.t.Logf("%+v, %+v", *f, d.Left)
					}
				}
			}
			g.t.Fatalf("a season stands still\n%s", g.rules)
		case len(g.s.Seasons) == g.rules.Seasons || g.s.Closed:
			return
		default: // too few players
			g.must(Line{Kind: Join, Player: g.next})
			g.next++
		}
		if step%20 == 0 {
			g.check()
		}
	}
	g.t.Fatalf("it never ends\n%s", g.rules)
}

// check holds what is always so.
func (g *runner) check() {
	for _, x := range g.s.Seasons[max(0, len(g.s.Seasons)-1):] {
		seen := map[int64]bool{}
		for _, d := range x.Divisions {
			rows := g.s.Standings(x.N, d.N)
			if len(rows) != len(d.Players) {
				g.t.Fatalf("%d rows of %d players", len(rows), len(d.Players))
			}
			for i, row := range rows {
				if row.Left {
					continue // the player may have taken a place elsewhere
				}
				if seen[row.Player] {
					g.t.Fatalf("player %d twice", row.Player)
				}
				seen[row.Player] = true
				if row.Rank > i+1 || !x.Running() && row.Rank != i+1 {
					g.t.Fatalf("rank %d in row %d", row.Rank, i+1)
				}
			}
			g.s.Cross(x.N, d.N)
		}
	}
}

// TestRandomLeagues plays leagues of all kinds in which anything happens: nothing
// panics or stands still, a log replayed is the same state, and the points are as
// an independent count has them.
func TestRandomLeagues(t *testing.T) {
	kinds := map[Kind]int{}
	for seed := range *leagues {
		g := &runner{t: t, rand: rand.New(rand.NewPCG(uint64(seed), 6))}
		file := g.file()
		r, err := ParseRules(file)
		if err != nil {
			t.Fatalf("%v\n%s", err, file)
		}
		g.rules, g.old = r, seed%2 == 0
		g.s, _ = Replay(r, [32]byte{byte(seed)}, nil)
		t.Run(fmt.Sprintf("%d-%s", seed, r.Kind), func(t *testing.T) {
			g.t = t
			g.run()
			kinds[r.Kind] += g.games
			again, err := Replay(r, [32]byte{byte(seed)}, g.log)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(again, g.s) {
				t.Error("the log replayed is another state")
			}
			secrets := map[int][32]byte{}
			for n := range again.Seasons {
				secrets[n+1] = again.secret(n + 1)
			}
			whole, _ := Replay(r, [32]byte{byte(seed)}, nil)
			told, _ := ReplayTold(r, secrets, nil)
			for _, s := range []*State{whole, told} {
				if other, err := s.Verify(g.log); err != nil || other != nil {
					t.Errorf("lines %v would be made otherwise: %v", other, err)
				}
			}
			if told.seed, told.told = whole.seed, nil; !reflect.DeepEqual(told, again) {
				t.Error("with the secrets of its seasons it is another state")
			}
			strange, _ := ReplayTold(r, nil, nil)
			if other, err := strange.Verify(g.log); err != nil || other != nil && r.Kind == Divisions {
				t.Errorf("lines %v cannot be told without a secret: %v", other, err)
			}
			if g.old {
				g.recount()
			}
		})
	}
	t.Log(kinds)
}
