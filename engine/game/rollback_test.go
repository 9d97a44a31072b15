package game

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/order"
)

// rolledGame plays a whole game by uniform choice, rolled back now and then; told
// is asked after each rollback.
func rolledGame(t testing.TB, players int, n uint64, rules string, rolled func(before *Replay, after *Replay, to int)) *Game {
	t.Helper()
	rnd := rand.New(rand.NewPCG(n, uint64(players)))
	h := Header{
		Game:    "test",
		Options: Options{Players: players, Rules: rules, Edition: "revised", RulesVersion: RulesVersion, Set: component.DefaultName},
		Names:   []string{"Ada", "Bo", "Cy", "Di"}[:players],
		Entropy: []string{"moon", "", "sun", ""}[:players],
	}
	if players == 1 {
		h.Options.Hal = engine.Standard.String()
	}
	h.Seed[0], h.Seed[1] = byte(n), byte(players)
	g, err := New(component.Default(), h)
	if err != nil {
		t.Fatal(err)
	}
	var buf []engine.Step
	backs := 0
	for !g.Finished() {
		p := g.Play
		if rnd.IntN(12) == 0 && backs < 12 && p.Step() > 3 {
			at := rnd.IntN(p.Step())
			if rnd.IntN(2) == 0 {
				at = max(0, p.Step()-1-rnd.IntN(20)) // of this turn or the one before
			}
			back := p.Rollback
			to, ok := p.RollbackTo(at)
			if seat := engine.Seat(1 + rnd.IntN(players)); rnd.IntN(3) == 0 {
				back = func(to int) error { return p.TakeBack(seat, to) }
				if to, ok = p.BeforeTurn(seat); ok {
					startsTurn(t, p, seat, to)
				}
			}
			if ok {
				backs++
				before := p.Copy()
				if err := back(to); err != nil {
					t.Fatalf("rollback to %d of %d: %v", to, before.Step(), err)
				}
				rolled(before, p, to)
				continue
			}
		}
		acting := p.ToAct()
		seat := acting[rnd.IntN(len(acting))]
		if to, ok := p.Undoable(seat); ok && rnd.IntN(20) == 0 {
			if err := p.Undo(seat, ByPlayer, to); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if rnd.IntN(100) == 0 {
			p.Note(seat, ByClock, "replace seat "+string(rune('0'+seat))+" by bot")
			continue
		}
		buf = p.State.Legal(seat, buf[:0])
		if _, err := g.Do(seat, ByPlayer, buf[rnd.IntN(len(buf))]); err != nil {
			t.Fatal(err)
		}
	}
	if backs < 2 {
		t.Fatalf("%d players, game %d: only %d rollbacks", players, n, backs)
	}
	return g
}

// startsTurn checks that in the position after line to it is a seat's turn, of which it
// has taken no step, and that its last turn has been played from there.
func startsTurn(t testing.TB, p *Replay, seat engine.Seat, to int) {
	t.Helper()
	q, err := p.At(p.Step())
	if err != nil {
		t.Fatal(err)
	}
	q = q.Copy()
	if err := q.TakeBack(seat, to); err != nil {
		t.Fatalf("seat %d takes its turn back to line %d: %v", seat, to, err)
	}
	played := p.Turns[seat] - q.Turns[seat]
	if q.OnTurn() != seat || q.InTurn(seat) || played > 1 || played == 0 && !(p.OnTurn() == seat && p.InTurn(seat)) {
		t.Fatalf("seat %d takes back to line %d: then it is seat %d's turn, begun %v; %d turns are taken back", seat, to, q.OnTurn(), q.InTurn(seat), played)
	}
	if n := p.InForce(to); p.Lines[p.Active[n]-1].Seat != int(seat) {
		t.Fatalf("seat %d's turn began with line %d, of seat %d", seat, p.Active[n], p.Lines[p.Active[n]-1].Seat)
	}
}

// After a rollback the play is what the decisions in force alone would have led
// to, and the same orders give the same position and tell the same once more.
func TestRollback(t *testing.T) {
	for _, rules := range []string{"base", "advanced"} {
		for players := 1; players <= 4; players++ {
			for n := range uint64(2) {
				again := 0
				g := rolledGame(t, players, n, rules, func(before, after *Replay, to int) {
					fresh, err := NewReplay(after.set, after.Options, after.Chance)
					if err != nil {
						t.Fatal(err)
					}
					for _, n := range after.Active {
						if err := fresh.Replay(before.Lines[n-1]); err != nil {
							t.Fatal(err)
						}
					}
					if after.State != fresh.State || after.Turns != fresh.Turns || after.Begun != fresh.Begun ||
						after.TurnAt != fresh.TurnAt || after.TurnState != fresh.TurnState {
						t.Fatalf("%d players, line %d to %d: not what the decisions in force lead to", players, before.Step(), to)
					}
					if want := before.Active[:before.InForce(to)]; !slices.Equal(after.Active, want) {
						t.Fatalf("in force are %v, want %v", after.Active, want)
					}
					for seat := engine.Seat(1); int(seat) <= players; seat++ {
						if _, ok := after.Undoable(seat); ok {
							t.Fatal("an undo reaches across a rollback")
						}
					}
					for viewer := engine.Seat(0); int(viewer) <= players; viewer++ {
						learnsNothing(t, before, after, viewer, to)
					}
					q := after.Copy()
					for _, n := range before.Active[len(after.Active):] {
						l := before.Lines[n-1]
						if err := q.Replay(l); err != nil {
							t.Fatalf("line %d once more: %v", n, err)
						}
						if got := q.Lines[q.Step()-1].Told; !slices.Equal(got, l.Told) {
							t.Fatalf("line %d told %v, once more %v", n, l.Told, got)
						}
						again++
					}
					if q.State != before.State || q.Turns != before.Turns {
						t.Fatalf("%d players: the same orders lead elsewhere", players)
					}
				})
				if again < 10 {
					t.Errorf("%d players: only %d orders were given again", players, again)
				}
				rec, err := ReadRecord(bytes.NewReader(encode(t, g.Record(0))))
				if err != nil {
					t.Fatal(err)
				}
				if d, err := Verify(rec, component.Default()); d != nil || err != nil {
					t.Fatalf("%d players, game %d: %v %v", players, n, d, err)
				}
				if !reflect.DeepEqual(InForce(rec.Log), g.Play.Active) {
					t.Fatal("the log puts other decisions in force")
				}
				want, err := NewReplay(g.Play.set, g.Play.Options, g.Play.Chance)
				if err != nil {
					t.Fatal(err)
				}
				for n := range g.Steps() + 1 {
					if n > 0 {
						if err := want.Replay(g.Log()[n-1]); err != nil {
							t.Fatal(err)
						}
					}
					got, err := g.Play.Past(n)
					if err != nil {
						t.Fatal(err)
					}
					got.Open = false
					if got.State != want.State || !slices.Equal(got.Active, want.Active) ||
						n%50 == 0 && !reflect.DeepEqual(got.Story(0, -1), want.Story(0, -1)) {
						t.Fatalf("%d players, line %d: another past", players, n)
					}
				}
			}
		}
	}
}

// learnsNothing checks that a rollback tells a viewer nothing: they see what they saw
// at the position that is now current, and read what they read before of past play.
func learnsNothing(t *testing.T, before, after *Replay, viewer engine.Seat, to int) {
	t.Helper()
	then, err := before.Past(to)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(after.View(viewer), then.View(viewer)) {
		t.Fatalf("viewer %d: after a rollback to %d he sees something else than then", viewer, to)
	}
	n := before.Step()
	was, is := before.Story(viewer, -1), after.Story(viewer, -1)
	for i := range was {
		is[i].Undone = was[i].Undone
	}
	if len(is) != n+2 || !reflect.DeepEqual(is[:n+1], was) || is[n+1].Order != "rollback "+strconv.Itoa(to) || len(is[n+1].Events) > 0 {
		t.Fatalf("viewer %d: after a rollback to %d the lines before read otherwise", viewer, to)
	}
	head := Header{Names: make([]string, before.Options.Players)}
	if a, b := before.Record(head, viewer), after.Record(head, viewer); a.Seed+b.Seed != "" || !reflect.DeepEqual(a.Log, b.Log[:n]) {
		t.Fatalf("viewer %d: after a rollback to %d his record is another", viewer, to)
	}
}

// What no rollback can go to is refused and changes nothing.
func TestRollbackRefused(t *testing.T) {
	g := randomGame(t, 2, 3)
	whole := g.Play
	p, err := whole.At(60)
	if err != nil {
		t.Fatal(err)
	}
	first := p.Active[0]
	for _, to := range []int{-1, p.Step(), p.Step() + 1, p.Active[len(p.Active)-1], 1 << 40} {
		q := p.Copy()
		if err := q.Rollback(to); err == nil {
			t.Errorf("rolled back to %d of %d", to, p.Step())
		}
		if q.State != p.State || q.Step() != p.Step() || !slices.Equal(q.Active, p.Active) {
			t.Errorf("rollback to %d refused, but something changed", to)
		}
	}
	for i, l := range p.Lines { // lines that were taken back, and those that are no decision
		if to, ok := p.RollbackTo(l.N); l.Meta() {
			continue
		} else if live := slices.Contains(p.Active, l.N); ok && to != l.N || ok != (live && l.N != p.Active[len(p.Active)-1]) {
			t.Errorf("line %d of %d (in force: %v) goes back to %d, %v", i+1, p.Step(), live, to, ok)
		}
	}
	if err := whole.Copy().Rollback(first); err != errOver {
		t.Errorf("a game that is over: %v", err)
	}
	for _, l := range []Line{
		{Seat: 1, By: ByDirector, Order: "rollback 0"}, {By: ByPlayer, Order: "rollback 0"}, {By: ByOrganiser, Order: "rollback 0"},
		{By: ByDirector, Order: "rollback"}, {By: ByDirector, Order: "rollback -1"}, {By: ByDirector, Order: "rollback 00"},
		{By: ByDirector, Order: "rollback x"}, {By: ByDirector, Order: "rollback 99999999999999999999"},
	} {
		l.N = p.Step() + 1
		if err := p.Copy().Replay(l); err == nil {
			t.Errorf("%+v is taken", l)
		}
	}
	if _, err := order.Parse("rollback 0"); err == nil {
		t.Error("a rollback is an order")
	}
}
