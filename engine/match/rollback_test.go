package match

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
func rolledGame(t testing.TB, players int, n uint64, rules string, rolled func(before *play, after *play, to int)) *Game {
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
	g, err := NewGame(component.Default(), h)
	if err != nil {
		t.Fatal(err)
	}
	var buf []engine.Step
	backs := 0
	for !g.Finished() {
		p := g.play
		if rnd.IntN(30) == 0 && backs < 12 && p.step() > 3 {
			at := rnd.IntN(p.step())
			if rnd.IntN(2) == 0 {
				at = max(0, p.step()-1-rnd.IntN(20)) // of this turn or the one before
			}
			if to, ok := p.rollbackTo(at); ok {
				backs++
				before := p.copy()
				if err := p.rollback(to); err != nil {
					t.Fatalf("rollback to %d of %d: %v", to, before.step(), err)
				}
				rolled(before, p, to)
				continue
			}
		}
		acting := p.toAct()
		seat := acting[rnd.IntN(len(acting))]
		if to, ok := p.undoable(seat); ok && rnd.IntN(20) == 0 {
			if err := p.undo(seat, ByPlayer, to); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if rnd.IntN(100) == 0 {
			p.note(seat, ByClock, "replace seat "+string(rune('0'+seat))+" by bot")
			continue
		}
		buf = p.state.Legal(seat, buf[:0])
		if _, err := g.Do(seat, ByPlayer, buf[rnd.IntN(len(buf))]); err != nil {
			t.Fatal(err)
		}
	}
	if backs < 3 {
		t.Fatalf("%d players, game %d: only %d rollbacks", players, n, backs)
	}
	return g
}

// After a rollback the play is what the decisions in force alone would have led
// to, and the same orders give the same position and tell the same once more.
func TestRollback(t *testing.T) {
	for _, rules := range []string{"base", "advanced"} {
		for players := 1; players <= 4; players++ {
			for n := range uint64(2) {
				again := 0
				g := rolledGame(t, players, n, rules, func(before, after *play, to int) {
					fresh, err := newPlay(after.set, after.options, after.chance)
					if err != nil {
						t.Fatal(err)
					}
					for _, n := range after.active {
						if err := fresh.replay(before.lines[n-1]); err != nil {
							t.Fatal(err)
						}
					}
					if after.state != fresh.state || after.turns != fresh.turns || after.begun != fresh.begun ||
						after.turnAt != fresh.turnAt || after.turnState != fresh.turnState {
						t.Fatalf("%d players, line %d to %d: not what the decisions in force lead to", players, before.step(), to)
					}
					if want := before.active[:before.inForce(to)]; !slices.Equal(after.active, want) {
						t.Fatalf("in force are %v, want %v", after.active, want)
					}
					for seat := engine.Seat(1); int(seat) <= players; seat++ {
						if _, ok := after.undoable(seat); ok {
							t.Fatal("an undo reaches across a rollback")
						}
					}
					for viewer := engine.Seat(0); int(viewer) <= players; viewer++ {
						learnsNothing(t, before, after, viewer, to)
					}
					q := after.copy()
					for _, n := range before.active[len(after.active):] {
						l := before.lines[n-1]
						if err := q.replay(l); err != nil {
							t.Fatalf("line %d once more: %v", n, err)
						}
						if got := q.lines[q.step()-1].Told; !slices.Equal(got, l.Told) {
							t.Fatalf("line %d told %v, once more %v", n, l.Told, got)
						}
						again++
					}
					if q.state != before.state || q.turns != before.turns {
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
				if !reflect.DeepEqual(InForce(rec.Log), g.play.active) {
					t.Fatal("the log puts other decisions in force")
				}
				want, err := newPlay(g.play.set, g.play.options, g.play.chance)
				if err != nil {
					t.Fatal(err)
				}
				for n := range g.Steps() + 1 {
					if n > 0 {
						if err := want.replay(g.Log()[n-1]); err != nil {
							t.Fatal(err)
						}
					}
					got, err := g.play.past(n)
					if err != nil {
						t.Fatal(err)
					}
					got.open = false
					if got.state != want.state || !slices.Equal(got.active, want.active) ||
						n%50 == 0 && !reflect.DeepEqual(got.story(0, -1), want.story(0, -1)) {
						t.Fatalf("%d players, line %d: another past", players, n)
					}
				}
			}
		}
	}
}

// learnsNothing holds that a rollback tells a viewer nothing: he sees what he saw
// at the position that it is now, and reads of what was played what he read before.
func learnsNothing(t *testing.T, before, after *play, viewer engine.Seat, to int) {
	t.Helper()
	then, err := before.past(to)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(after.view(viewer), then.view(viewer)) {
		t.Fatalf("viewer %d: after a rollback to %d he sees something else than then", viewer, to)
	}
	n := before.step()
	was, is := before.story(viewer, -1), after.story(viewer, -1)
	for i := range was {
		is[i].Undone = was[i].Undone
	}
	if len(is) != n+2 || !reflect.DeepEqual(is[:n+1], was) || is[n+1].Order != "rollback "+strconv.Itoa(to) || len(is[n+1].Events) > 0 {
		t.Fatalf("viewer %d: after a rollback to %d the lines before read otherwise", viewer, to)
	}
	head := Header{Names: make([]string, before.options.Players)}
	if a, b := before.record(head, viewer), after.record(head, viewer); a.Seed+b.Seed != "" || !reflect.DeepEqual(a.Log, b.Log[:n]) {
		t.Fatalf("viewer %d: after a rollback to %d his record is another", viewer, to)
	}
}

// What no rollback can go to is refused and changes nothing.
func TestRollbackRefused(t *testing.T) {
	g := randomGame(t, 2, 3)
	whole := g.play
	p, err := whole.at(60)
	if err != nil {
		t.Fatal(err)
	}
	first := p.active[0]
	for _, to := range []int{-1, p.step(), p.step() + 1, p.active[len(p.active)-1], 1 << 40} {
		q := p.copy()
		if err := q.rollback(to); err == nil {
			t.Errorf("rolled back to %d of %d", to, p.step())
		}
		if q.state != p.state || q.step() != p.step() || !slices.Equal(q.active, p.active) {
			t.Errorf("rollback to %d refused, but something changed", to)
		}
	}
	for i, l := range p.lines { // lines that were taken back, and those that are no decision
		if to, ok := p.rollbackTo(l.N); l.meta() {
			continue
		} else if live := slices.Contains(p.active, l.N); ok && to != l.N || ok != (live && l.N != p.active[len(p.active)-1]) {
			t.Errorf("line %d of %d (in force: %v) goes back to %d, %v", i+1, p.step(), live, to, ok)
		}
	}
	if err := whole.copy().rollback(first); err != errOver {
		t.Errorf("a game that is over: %v", err)
	}
	for _, l := range []Line{
		{Seat: 1, By: ByDirector, Order: "rollback 0"}, {By: ByPlayer, Order: "rollback 0"}, {By: ByOrganiser, Order: "rollback 0"},
		{By: ByDirector, Order: "rollback"}, {By: ByDirector, Order: "rollback -1"}, {By: ByDirector, Order: "rollback 00"},
		{By: ByDirector, Order: "rollback x"}, {By: ByDirector, Order: "rollback 99999999999999999999"},
	} {
		l.N = p.step() + 1
		if err := p.copy().replay(l); err == nil {
			t.Errorf("%+v is taken", l)
		}
	}
	if _, err := order.Parse("rollback 0"); err == nil {
		t.Error("a rollback is an order")
	}
}
