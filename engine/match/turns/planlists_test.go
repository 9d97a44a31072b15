package turns

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/unit"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// TestReservationLists sends a B with two lists along, the paid one first, in positions of
// advanced games in which a boost could reserve too (Q6.2b): the boost's list comes first, the
// paid one skips what is reserved by then, a list that finds no die costs nothing and turns no
// tile, and no question follows.
func TestReservationLists(t *testing.T) {
	both, none := 0, 0
	for gameID := range 60 {
		p, err := game.NewReplay(component.Default(), game.Options{Players: 2, Rules: "advanced", Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName}, game.Header{Seed: [32]byte{byte(gameID), 9}}.Chance)
		if err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(rand.NewPCG(uint64(gameID), 5))
		for !p.State.Finished() {
			seat := p.ToAct()[0]
			if v := p.State.Project(seat); v.Decision == engine.AskTurn {
				me := v.Players[seat-1]
				if c := slices.IndexFunc(me.Grid[:], func(c engine.CellView) bool { return c.Boost && v.Set.Tiles[c.Tile].Boost == 4 }); c >= 0 && slices.ContainsFunc(v.Legal(nil), func(s engine.Step) bool { return s.Kind == engine.Reroll }) {
					switch sendLists(t, p, seat, &me, engine.Cell(c+1), v.Set.Tiles[me.Grid[c].Tile].For) {
					case 2:
						both++
					case 0:
						none++
					}
				}
			}
			legal := p.State.Legal(seat, nil)
			st := legal[rnd.IntN(len(legal))]
			for _, l := range legal { // tiles, not rerolls
				if l.Kind == engine.Inject || l.Kind == engine.Act && l.Action == component.Discover || st.Kind == engine.Reroll && l.Kind == engine.TakeDie {
					st = l
				}
			}
			if _, err := p.Do(seat, game.ByBot, st); err != nil {
				t.Fatal(err)
			}
		}
	}
	if both < 20 || none < 5 {
		t.Errorf("two dice were reserved %d times, none %d times: the test shows little", both, none)
	}
}

// sendLists tells how many dice were reserved.
func sendLists(t *testing.T, p *game.Replay, seat engine.Seat, me *engine.PlayerView, cell engine.Cell, c engine.Color) int {
	t.Helper()
	tab := &unit.Game{Replay: p, Seats: []store.Seat{{Seat: 1, Name: "Ann"}, {Seat: 2, Name: "Bob"}}}
	b := &Block{table: tab, place: int(seat), seat: seat, Cur: p.Copy(), start: p.Step()}
	lines := []string{"B", "reserve green 3, orange 3, gray 3, green 2, orange 2, gray 2", fmt.Sprintf("reserve %s 3, %s 2 boost %s", c, c, cell)}
	for _, it := range order.ReadLetter(lines).Items {
		if it.Clause == nil {
			t.Fatalf("%q is no order", it.Text)
		}
		if err := b.clause(it); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.finish(); err != nil || b.fail {
		t.Fatalf("%v, %+v", err, b.Lines)
	}
	now := b.Cur.State.Project(seat).Players[seat-1]
	dice := append(slices.Clone(now.Standard), now.Secure...)
	var want []engine.DieView
	take := func(list ...engine.DieView) bool {
		for _, d := range list {
			if i := slices.Index(dice, d); i >= 0 {
				dice = slices.Delete(dice, i, i+1)
				want = append(want, d)
				return true
			}
		}
		return false
	}
	free := take(engine.DieView{Color: c, Value: 3}, engine.DieView{Color: c, Value: 2})
	var list []engine.DieView
	for v := uint8(3); v > 1; v-- {
		for _, c := range []engine.Color{engine.Green, engine.Orange, engine.Gray} {
			list = append(list, engine.DieView{Color: c, Value: v})
		}
	}
	paid := me.Resources > 0 && take(list...)
	have := slices.Clone(now.Secure)
	for _, d := range want {
		if i := slices.Index(have, d); i >= 0 {
			have = slices.Delete(have, i, i+1)
		} else {
			have = append(have, d)
		}
	}
	bought := 0
	for _, l := range b.Cur.Lines[b.start:] {
		if strings.HasPrefix(l.Order, "reserve ") && !strings.Contains(l.Order, "boost") {
			bought++
		}
	}
	if len(have) > 0 || now.Grid[cell-1].Boost == free || (bought == 1) != paid || b.Cur.State.Asked(seat) == engine.AskReserve {
		t.Errorf("%v: reserved %v, want %v; boost left %t, bought %d; asked %s; %+v", lines, now.Secure, want, now.Grid[cell-1].Boost, bought, b.Cur.State.Asked(seat), b.Lines)
	}
	return len(want)
}
