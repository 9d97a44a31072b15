package touch

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/order"
)

var games = map[string]game.Options{
	"two":      {Players: 2, Rules: "base", Edition: "revised"},
	"three":    {Players: 3, Rules: "base", Edition: "first"},
	"four":     {Players: 4, Rules: "advanced", Edition: "revised"},
	"advanced": {Players: 2, Rules: "advanced", Edition: "first"},
	"alone":    {Players: 1, Rules: "advanced", Edition: "revised", Hal: "standard"},
}

// Every legal order of random games can be reached by touching pieces alone, from the
// beginning of a turn on, and each piece leads to one thing.
func TestEveryOrderCanBeTouched(t *testing.T) {
	kinds := map[engine.Kind]int{}
	for name, o := range games {
		o.RulesVersion, o.Set = game.RulesVersion, component.DefaultName
		rnd := rand.New(rand.NewPCG(3, uint64(o.Players)))
		for n := range byte(8) {
			g, err := game.New(component.Default(), game.Header{Game: "test", Options: o, Names: []string{"Ada", "Bo", "Cy", "Di"}[:o.Players], Seed: [32]byte{n, byte(len(name))}})
			if err != nil {
				t.Fatal(err)
			}
			for !g.Finished() {
				acting := g.Play.ToAct()
				for _, seat := range acting {
					v := g.View(seat)
					legal := v.Legal(nil)
					reached := touched(t, legal, v, "", 0)
					for i, st := range legal {
						kinds[st.Kind]++
						if !reached[i] {
							t.Fatalf("%s: no piece leads to %q of %q", name, order.Print(st), orders(legal))
						}
						if len(Used(st, v)) == 0 && !plain(st) {
							t.Fatalf("%s: %q uses nothing", name, order.Print(st))
						}
					}
				}
				seat := acting[rnd.IntN(len(acting))]
				legal := g.View(seat).Legal(nil)
				if _, err := g.Do(seat, game.ByPlayer, legal[rnd.IntN(len(legal))]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for k := engine.Discard; k <= engine.Pass; k++ {
		if kinds[k] == 0 && k != engine.Decline { // random players hardly ever owe an activation that they can pay
			t.Errorf("no order of kind %d was tried", k)
		}
	}
}

// plain reports whether a step is a choice without a piece.
func plain(s engine.Step) bool {
	switch s.Kind {
	case engine.Decline, engine.Done, engine.Reroll, engine.Pass:
		return true
	}
	return false
}

func orders(steps []engine.Step) (out []string) {
	for _, s := range steps {
		out = append(out, order.Print(s))
	}
	return out
}

// touched follows every piece from a beginning on, and returns the orders it comes to.
func touched(t *testing.T, legal []engine.Step, v *engine.View, begun string, depth int) map[int]bool {
	t.Helper()
	tab, ok := New(legal, v, begun)
	if !ok || depth > 7 {
		t.Fatalf("%q begins nothing, at %d", begun, depth)
	}
	out := map[int]bool{}
	seen := map[string]bool{}
	for i := range tab.Entries {
		e := &tab.Entries[i]
		if len(e.Keys) == 0 {
			t.Fatalf("after %q no piece leads to %q of %q", begun, e.Text, orders(legal))
		}
		for _, key := range e.Keys {
			if got, _ := tab.At(key); got != e || seen[key] {
				t.Fatalf("after %q, %q leads to %q and %q", begun, key, e.Text, got.Text)
			}
			seen[key] = true
		}
		if e.Complete() {
			if order.Print(legal[e.Options[0]]) != e.Text || len(e.Options) != 1 {
				t.Fatalf("%q is %d orders", e.Text, len(e.Options))
			}
			out[e.Options[0]] = true
			continue
		}
		if len(e.Options) < 2 || len(tab.Entries) > 1 && e.Text == begun {
			t.Fatalf("after %q, %q leads to %d orders", begun, e.Text, len(e.Options))
		}
		if _, err := order.Parse(e.Text); err == nil {
			t.Fatalf("%q is an order", e.Text)
		}
		for o := range touched(t, legal, v, e.Text, depth+1) {
			if !slices.Contains(e.Options, o) {
				t.Fatalf("%q leads to %q", e.Text, order.Print(legal[o]))
			}
			out[o] = true
		}
	}
	return out
}

// What begins nothing is refused, whatever it is.
func TestNoBeginning(t *testing.T) {
	o := games["two"]
	o.RulesVersion, o.Set = game.RulesVersion, component.DefaultName
	g, err := game.New(component.Default(), game.Header{Game: "test", Options: o, Names: []string{"Ada", "Bo"}})
	if err != nil {
		t.Fatal(err)
	}
	steps := []engine.Step{{Kind: engine.TakeTiles, Tiles: [3]engine.Tile{1, 2, 3}}, {Kind: engine.TakeTiles, Tiles: [3]engine.Tile{2}}, {Kind: engine.PlayCard, Card: 1, Slot: 1}, {Kind: engine.PlayCard, Card: 1, Slot: 2}}
	for _, begun := range []string{"~", "x~", "card~", "card 001", "card 002~", "take~", "take t3 t1~", "take t1 t1~", "take  t1~", "take t4~", "card 001 at row 1~", "take t1~~", strings.Repeat("take t1 ", 999) + "~"} {
		if _, ok := New(steps, g.View(1), begun); ok {
			t.Errorf("%q begins an order", begun)
		}
	}
	if tab, ok := New([]engine.Step{{Kind: engine.Collect}, {Kind: engine.Decline}}, g.View(1), ""); !ok || len(tab.Entries) != 2 || !slices.Equal(tab.Keys(), []string{Decline, Collect}) {
		t.Errorf("an owner may touch %q", tab.Keys())
	}
	for begun, want := range map[string][]string{
		"":            {"take t1 t2 t3", "take t2~", "card 001~"},
		"card 001~":   {"card 001 at row 1", "card 001 at row 2"},
		"take t2~":    {"take t1 t2 t3", "take t2"},
		"take t1 t3~": {"take t1 t2 t3"},
	} {
		tab, ok := New(steps, g.View(1), begun)
		var got []string
		if ok {
			for _, e := range tab.Entries {
				got = append(got, e.Text)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q goes on with %q, want %q", begun, got, want)
		}
	}
}

// No tile has the key of a hex: both may be called a8.
func TestTilesAreNoHexes(t *testing.T) {
	hexes := map[string]bool{}
	for lane := range 5 {
		for strip := range 30 {
			hexes[Hex(engine.HexAt(strip, lane))] = true
		}
	}
	for x := engine.Tile(1); x <= engine.LastTile; x++ {
		if hexes[Tile(x)] {
			t.Errorf("%v has the key of a hex", x)
		}
	}
}
