package engine_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	. "angelpost/engine"
	"angelpost/engine/order"
)

// TestPropertySecrecy redraws in random positions all that a viewer cannot see
// (R1.5), and checks that they see, may do and are told the same as before.
func TestPropertySecrecy(t *testing.T) {
	eachGame(t, func(t *testing.T, g *randomGame, told *Tale) {
		for g.goesOn(t) {
			st := g.choose()
			odds := 16
			switch { // steps that name hidden cards
			case st.Kind == Collect && st.Card > 0:
				odds = 1
			case st.Kind == Discard || st.Kind == PlayCard:
				odds = 4
			}
			if g.rng.IntN(odds) == 0 {
				if err := g.keepsSecret(st); err != nil {
					g.fatal(t, err)
				}
			}
			g.do(st, nil)
		}
	})
}

// keepsSecret redraws what one viewer, or the public, cannot see.
func (g *randomGame) keepsSecret(st Step) error {
	viewer := Seat(g.rng.IntN(g.players + 1))
	var all [100]bool
	for c := range all {
		all[c] = true
	}
	other, swap := g.s.Reshuffled(viewer, all, true, g.rng)
	other.Stir(g.rng)
	for _, l := range g.legal { // what is placed all will see
		if seen := swapped(l, &swap); l.Kind != Place && l.Masked() != seen.Masked() {
			return fmt.Errorf("R1.5: %s and %s look like %s and %s", order.Print(l), order.Print(seen), order.Print(l.Masked()), order.Print(seen.Masked()))
		}
	}
	if err := g.sameTo(viewer, &g.s, &other); err != nil {
		return err
	}

	// Now the step is taken: what it shows the viewer stays as it was.
	after := g.s
	var told Tale
	after.Do(g.seat, st, g.src, &told)
	move, tiles := after.Hidden(viewer), true
	for _, e := range told.Events {
		switch {
		case e.Kind == EvShuffled && e.Pile <= PileRavager:
			return nil // other cards shuffled, other cards drawn
		case e.Kind == EvTileAppeared || e.Kind == EvRefilled || e.Kind == EvHalCard:
			tiles = false
		case e.Kind == EvHalDrew:
			move[e.Card] = false
		case e.Kind == EvOverflow:
			move[e.Card] = false // seen by all before it is hidden again (Q1.5a)
		case e.Kind == EvOffered && e.Seat == viewer:
			move[e.Card] = false // seen before it is hidden again, at the end of the game
		case e.Kind == EvNotKept && after.Finished():
			move[e.Card] = false // or another may be the lower-numbered (Q3.3)
		}
	}
	other, swap = g.s.Reshuffled(viewer, move, tiles, g.rng)
	mine := swapped(st, &swap)
	if mine.Masked() != st.Masked() {
		return fmt.Errorf("R1.5: %s and %s look like %s and %s", order.Print(st), order.Print(mine), order.Print(st.Masked()), order.Print(mine.Masked()))
	}
	var heard Tale
	if err := other.Apply(g.seat, mine, g.src, &heard); err != nil {
		return fmt.Errorf("R1.5: %s is legal, after the swap %s is not: %w", order.Print(st), order.Print(mine), err)
	}
	if !slices.EqualFunc(told.Events, heard.Events, func(a, b Event) bool { return a.For(viewer) == b.For(viewer) }) {
		return fmt.Errorf("R1.5: %s tells seat %d which card it is:\n%v\n%v", order.Print(st), viewer, printEvents(told.Events), printEvents(heard.Events))
	}
	return g.sameTo(viewer, &after, &other)
}

// swapped is the step with the cards that took the places of its own.
func swapped(st Step, swap *Swap) Step {
	if st.Card > 0 {
		st.Card = swap[st.Card]
	}
	if st.Card2 > 0 {
		st.Card2 = swap[st.Card2]
		st.Card, st.Card2 = min(st.Card, st.Card2), max(st.Card, st.Card2)
	}
	return st
}

// sameTo holds that viewer cannot tell a from b.
func (g *randomGame) sameTo(viewer Seat, a, b *State) error {
	va, vb := a.Project(viewer), b.Project(viewer)
	if err := sameView(va, vb); err != nil {
		return err
	}
	legal := a.Legal(viewer, nil)
	for _, list := range [][]Step{b.Legal(viewer, nil), va.Legal(nil), vb.Legal(nil)} {
		if !slices.Equal(legal, list) {
			return fmt.Errorf("R1.5: what seat %d may do depends on what it cannot see: %v", viewer, diffSteps(legal, list))
		}
	}
	for range min(len(legal), 8) {
		st := legal[g.rng.IntN(len(legal))]
		if x, y := va.Gain(st), vb.Gain(st); x != y {
			return fmt.Errorf("R1.5: seat %d gains %d or %d by %s", viewer, x, y, order.Print(st))
		}
		if x, y := va.Gain(st), a.Gain(viewer, &st); x != y {
			return fmt.Errorf("R1.5: seat %d gains %d by %s, and %d for who sees all", viewer, x, order.Print(st), y)
		}
	}
	if viewer == 0 {
		return nil
	}
	known := va.Known()
	if known.Standing(viewer) != a.Standing(viewer) || known.Sky() != a.Sky() || known.Table(viewer) != a.Table(viewer) {
		return fmt.Errorf("R1.5: how seat %d stands depends on what it cannot see", viewer)
	}
	for range 4 {
		st := g.spoil(g.legal[g.rng.IntN(len(g.legal))])
		if slices.Contains(legal, st) {
			continue
		}
		x, y := *a, *b
		ea, eb := x.Apply(viewer, st, g.src, nil), y.Apply(viewer, st, g.src, nil)
		ra, rb := va.Refuse(st), vb.Refuse(st)
		if !reflect.DeepEqual(ea, eb) || !reflect.DeepEqual(ra, rb) || !reflect.DeepEqual(ea, error(ra)) {
			return fmt.Errorf("R1.5: seat %d is refused %+v by %v, %v, %v or %v", viewer, st, ea, eb, ra, rb)
		}
	}
	return nil
}

// sameView holds that two Views are alike to the last field, those that only
// the engine reads included.
func sameView(a, b *View) error {
	if reflect.DeepEqual(a, b) {
		return nil
	}
	x, y := reflect.ValueOf(*a), reflect.ValueOf(*b)
	for i := range x.NumField() {
		f := x.Type().Field(i)
		if f.IsExported() && !reflect.DeepEqual(x.Field(i).Interface(), y.Field(i).Interface()) {
			return fmt.Errorf("R1.5: seat %d sees in %s what it cannot see: %v, %v", a.Viewer, f.Name, x.Field(i).Interface(), y.Field(i).Interface())
		}
	}
	return errors.New("R1.5: the View holds what its viewer cannot see")
}

// TestPropertySecrecyBites leaks on purpose, each time one thing, and wants
// every leak found: what is redrawn above is something, and would be seen.
func TestPropertySecrecyBites(t *testing.T) {
	leaks := map[string]int{"states": 0, "views of the owners": 0, "hands": 0, "slots": 0, "steps": 0, "events": 0, "legal": 0}
	count := func(leak string, found bool) {
		if found {
			leaks[leak]++
		}
	}
	for n := 1; n <= 20; n++ {
		g, err := newRandomGame(3, n, nil)
		if err != nil {
			t.Fatal(err)
		}
		for g.goesOn(t) {
			st := g.choose()
			viewer := g.seat%3 + 1
			var told, heard Tale
			after := g.s
			after.Do(g.seat, st, g.src, &told)
			other, swap := g.s.Reshuffled(viewer, after.Hidden(viewer), true, g.rng)
			count("states", other != g.s)
			count("views of the owners", sameView(g.s.Project(g.seat), other.Project(g.seat)) != nil)
			count("legal", !slices.Equal(g.s.Legal(g.seat, nil), other.Legal(g.seat, nil)))
			va, vb := g.s.Project(viewer), other.Project(viewer)
			i := g.seat - 1
			pa, pb := g.s.Project(g.seat).Players[i], other.Project(g.seat).Players[i]
			va.Players[i].Cards, vb.Players[i].Cards = pa.Cards, pb.Cards
			count("hands", sameView(va, vb) != nil)
			va, vb = g.s.Project(viewer), other.Project(viewer)
			va.Players[i].Rows, vb.Players[i].Rows = pa.Rows, pb.Rows
			count("slots", sameView(va, vb) != nil)
			mine := swapped(st, &swap)
			count("steps", mine != st)
			if other.Apply(g.seat, mine, g.src, &heard) == nil {
				count("events", !slices.Equal(told.Events, heard.Events))
			}
			g.do(st, nil)
		}
	}
	for leak, n := range leaks {
		if n < 100 {
			t.Errorf("%s: leaked on purpose and found %d times", leak, n)
		}
	}
}
