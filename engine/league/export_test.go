package league

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// A Simulation is a league whose players come and go, miss games and leave seats, drawn
// from a seed. Do is called now and then with the league as it stands.
type Simulation struct {
	*runner
	Do      func(s *State)
	absent  map[int64]bool // who takes no turn any more
	dropped int
}

// Simulate plays a league of one kind with n players to its end.
func Simulate(t *testing.T, kind string, n int, seed uint64, do func(s *State)) (*State, []Line) {
	t.Helper()
	x := &Simulation{runner: &runner{t: t, rand: rand.New(rand.NewPCG(seed, uint64(n))), now: then, next: 1}, Do: do, absent: map[int64]bool{}}
	table := 2 + x.rand.IntN(3)
	file := fmt.Sprintf("name: x\nkind: %s\nseasons: %d\nat once: %d\nbreak: 2 days\nleast: 4\n", kind, 1+x.rand.IntN(2), 1+x.rand.IntN(3))
	if kind != "solo" {
		file += fmt.Sprintf("table: %d\n", table)
	}
	file += map[string]string{
		"divisions": fmt.Sprintf("division: %s\nup: %d\nseason: 4 weeks\n", x.one("5", "6, 8", "9"), 1+x.rand.IntN(2)),
		"swiss":     fmt.Sprintf("rounds: %d\nleft over: %s\n", 3+x.rand.IntN(3), x.one("smaller", "bye")),
		"knockout":  fmt.Sprintf("best of: %s\ngo on: %d\n", x.one("1", "1", "3"), 1+x.rand.IntN(table-1)),
		"ladder":    "rounds: 4\nround: 7 days\n", "solo": "rounds: 4\nround: 7 days\n",
	}[kind]
	if kind != "solo" {
		file += "ties: " + x.one("share, head, berger, wins, botturns", "berger, share", "head, wins", "lot", "botturns, wins") + "\n"
	}
	if seed%2 == 1 {
		file += "check in: 2 days\n"
	}
	r, err := ParseRules(file)
	if err != nil {
		t.Fatalf("%v\n%s", err, file)
	}
	x.rules = r
	x.s, _ = Replay(r, [32]byte{byte(seed)}, nil)
	for range n {
		x.must(Line{Kind: Join, Player: x.next})
		x.absent[x.next] = x.rand.IntN(8) == 0
		x.next++
	}
	x.must(Line{Kind: Substitute, Player: 1000})
	x.must(Line{Kind: Substitute, Player: 1001})
	x.play()
	return x.s, x.log
}

// play goes on until the last season is over.
func (x *Simulation) play() {
	for step := range 40000 {
		acts, next := x.s.Due(x.now)
		for _, a := range acts {
			if a.Line.Kind == Begun {
				x.games++
				a.Line.Game = fmt.Sprint("game", x.games)
				x.open = append(x.open, a.Line.Game)
			}
			x.must(a.Line)
			if a.Line.Kind == Ask {
				for _, p := range a.Line.Players {
					x.answers(p)
				}
			}
		}
		if x.Do(x.s); len(acts) > 0 {
			continue
		}
		if x.rand.IntN(6) == 0 && step < 3000 {
			x.event()
			continue
		}
		switch {
		case len(x.open) > 0:
			i := x.rand.IntN(len(x.open))
			if f := x.s.Of(x.open[i]); f.Game == x.open[i] && !f.Over() {
				x.must(Line{Kind: Played, Game: x.open[i], Seats: x.result(f)})
			}
			x.open = slices.Delete(x.open, i, i+1)
			x.now = x.now.Add(time.Duration(x.rand.IntN(40)) * time.Hour)
		case !next.IsZero():
			x.now = next
		case x.s.running() != nil:
			x.t.Fatalf("a season stands still\n%s", x.rules)
		case len(x.s.Seasons) == x.rules.Seasons:
			return
		default: // too few are left: it waits for players
			x.must(Line{Kind: Join, Player: x.next})
			x.next++
		}
	}
	x.t.Fatalf("it never ends\n%s", x.rules)
}

// answers lets a player who was asked whether they are there say so, unless they are absent.
func (x *Simulation) answers(player int64) {
	if p := x.s.Player(player); p != nil && p.In() && p.Silent() && !x.absent[player] {
		x.must(Line{Kind: Here, By: player, Player: player})
	}
}

// event is something that players, directors and clocks do now and then.
func (x *Simulation) event() {
	p := 1 + x.rand.Int64N(x.next-1)
	l := Line{Player: p}
	switch x.rand.IntN(12) {
	case 0: // drops out
		if x.dropped++; x.dropped > 8 {
			return
		}
		l.Kind = Leave
	case 1: // returns, or joins late
		if l.Kind = Join; x.rand.IntN(2) == 0 && x.next < 70 {
			l.Player = x.next
			x.next++
		}
	case 2: // takes a place
		l.Kind, l.Player = Takeover, 1000+x.rand.Int64N(40)
		d := x.s.Season()
		if d == nil || len(d.Divisions[0].Left) == 0 {
			return
		}
		l.For = d.Divisions[0].Left[x.rand.IntN(len(d.Divisions[0].Left))].Player
	case 3, 4: // goes silent, or comes back
		x.absent[p] = !x.absent[p]
		x.answers(p)
		return
	case 5, 6, 7, 8, 9: // a ruling
		if len(x.s.Fixtures) == 0 {
			return
		}
		f := x.s.Fixtures[x.rand.IntN(len(x.s.Fixtures))]
		l = Line{Kind: Ruled, Fixture: f.ID, Game: f.Game, Ruling: x.one(Void, Again, Adjudicate, Correct, "rollback", "extend"), Text: "because"}
		if f.Game == "" || f.Bye {
			return
		}
		if l.Ruling == Adjudicate || l.Ruling == Correct {
			l.Seats = x.result(f)
		}
		if again := f.Game; x.add(l) == nil && l.Ruling == Again { // the game played so far is another's
			x.open = slices.DeleteFunc(x.open, func(g string) bool { return g == again })
		}
		return
	case 10: // the clock jumps
		x.now = x.now.Add(time.Duration(x.rand.IntN(200)-80) * time.Hour)
		return
	default:
		return
	}
	_ = x.add(l)
}

// result is how a game ends in which bots play for the absent.
func (x *Simulation) result(f *Fixture) []Seat {
	seats := x.seats(f)
	for i := range seats {
		y := &seats[i]
		switch p := y.Player; {
		case x.absent[p] && x.rand.IntN(4) > 0:
			y.Parts = []Part{{Turns: 20}}
		case x.absent[p]:
			n := x.rand.IntN(10)
			y.Parts = []Part{{Player: p, Turns: n, Left: true}, {Turns: 20 - n}}
			if x.rand.IntN(2) == 0 && len(f.Players) > 1 {
				y.Parts = []Part{{Player: p, Turns: n, Left: true}, {Turns: 4}, {Player: 2000 + x.rand.Int64N(500), Turns: 16 - n}}
			}
			if m := len(y.Parts) - 1; m == 2 && x.rand.IntN(2) == 0 { // who leaves it again
				y.Parts[m].Left = true
				y.Parts = append(y.Parts, Part{Player: x.rand.Int64N(2) * 2500, Turns: x.rand.IntN(20)})
			}
		case x.rand.IntN(3) > 0:
			y.Parts = nil
		}
	}
	return seats
}
