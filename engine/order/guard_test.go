package order_test

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/cost"
	"angelpost/engine/order"
)

// guards is how players ask, and what that is; "" cannot be read.
var guards = [][2]string{
	{"if die gray 2", "if die gray 2"},
	{"If my gray 2 is still there", "if die gray 2"},
	{"if gray star", "if die gray 0"},
	{"if die gray 2 secure", "if die gray 2 secure"},
	{"if die gray 2 from Bob", "if die gray 2 from seat 2"},
	{"if Bob's gray 2", "if die gray 2 from seat 2"},
	{"if there is a gray 2 of Zoe", "if die gray 2 from seat 3"},
	{"unless die green 1 from neutral", "unless die green 1 from neutral"},
	{"if die gray 2 from Ann", "if die gray 2"},
	{"if any gray 2 of Bob", "if die gray 2 from seat 2"},
	{"if any gray 2", ""}, // whose?
	{"if any ship at b4", ""},
	{"if any damage at 3", "if damage 3 at least 1"},
	{"if die gray", ""},
	{"if buy gray 2", ""},
	{"if die gray 2 flip", ""},
	{"if die g 2", ""},
	{"if die gray 2 secure from Bob", ""},
	{"if tile t12", "if tile t12"},
	{"• if t12 is in the display", "if tile t12"},
	{"if a4", "if tile a4"},
	{"if the tile a4 is still available", "if tile a4"},
	{"if t99", ""},
	{"if tile 12", "if tile t12"},
	{"if hex b4 free", "if hex b4 free"},
	{"if a4 free", "if hex a4 free"},
	{"if b4 is not free", "unless hex b4 free"},
	{"if hex B4 is taken", "unless hex b4 free"},
	{"unless b4 occupied", "if hex b4 free"},
	{"if b4", ""},
	{"if hex b4", ""},
	{"if ship b4", "if ship b4"},
	{"if my ship is at b4", "if ship b4"},
	{"unless ship b4 of Bob", "unless ship b4 of seat 2"},
	{"if mission 027", "if mission 027"},
	{"if card 27 is still in space", "if mission 027"},
	{"if mission 075", ""},
	{"if damage 3 at least 1", "if damage 3 at least 1"},
	{"if no damage at 3", "unless damage 3 at least 1"},
	{"if location 3 is not damaged", "unless damage 3 at least 1"},
	{"if location 3 has 2 or more", ""},
	{"if damage at location 3 is 2 or more", "if damage 3 at least 2"},
	{"if damage 7", ""},
	{"unless ravagers at 5", "unless ravagers 5 at least 1"},
	{"if ravager cards at 5 fewer than 2", "if ravagers 5 at most 1"},
	{"if resources at least 2", "if resources at least 2"},
	{"if at least 2 resources", "if resources at least 2"},
	{"if Bob's resources at least 2", ""},
	{"if resources of Bob at most 1", "if resources of seat 2 at most 1"},
	{"if at most 3 debris of seat 3", "if debris of seat 3 at most 3"},
	{"if more than 999 vp", ""},
	{"if vp more than 40", "if vp at least 41"},
	{"if less than 0 vp", ""},
	{"if ships", "if ships at least 1"},
	{"if no robots", "unless robots at least 1"},
	{"if resources 2", ""},
	{"if round at least 5", "if round at least 5"},
	{"if round", ""},
	{"if the Black Angel is at strip 6 or more", "if angel at least 6"},
	{"if angel at least 6", "if angel at least 6"},
	{"unless last round", "unless last round"},
	{"if it is the last round", ""},
	{"if tile t12 and hex b4 is free, resources at least 2", "if tile t12|if hex b4 free|if resources at least 2"},
	{"unless tile t12 and tile t13", ""},
	{"if tile t12 or tile t13", ""},
	{"if", ""},
	{"unless", ""},
	{"if and", ""},
	{"if Nobody's gray 2", "?"},
}

func ahead(t *testing.T, lines ...string) *order.Ahead {
	t.Helper()
	l := order.ReadLetter(append([]string{"plan"}, lines...))
	if len(l.Items) != 1 || l.Items[0].Word.Kind != order.Plan || l.Items[0].Word.Ahead == nil {
		t.Fatalf("%q is read as %+v", lines, l.Items)
	}
	return l.Items[0].Word.Ahead
}

func TestGuards(t *testing.T) {
	ctx := order.Context{Names: []string{"Ann", "Bob", "Zoë"}, View: &engine.View{Viewer: 1}}
	for _, c := range guards {
		a := ahead(t, c[0], "B")
		var got []string
		for _, it := range a.Lines {
			if it.Guard == nil {
				continue
			}
			g, p := it.Guard.Named(ctx)
			if p != nil {
				got = append(got, "?")
				continue
			}
			got = append(got, g.String())
			if back, ok := order.ParseGuard(g.String()); !ok || back != g {
				t.Errorf("%q prints %q, read as %+v, %v, want %+v", c[0], g, back, ok, g)
			}
		}
		if s := strings.Join(got, "|"); s != c[1] {
			t.Errorf("%q is %q, want %q", c[0], s, c[1])
		}
		if bad := a.Problem() >= 0; bad != (c[1] == "") {
			t.Errorf("%q: %+v", c[0], a.Lines)
		}
	}
}

// What a guard says is what the viewer sees.
func TestGuardHolds(t *testing.T) {
	s, err := engine.New(component.Default(), engine.Options{Players: 3}, engine.NewChance([32]byte{5}, ""), nil)
	if err != nil {
		t.Fatal(err)
	}
	v := s.Project(1)
	mine, his := v.Players[0].Standard[0], v.Players[1].Standard[0]
	free := v.Strips[0].Hexes[0].At
	shown := slices.IndexFunc(v.Display, func(t engine.Tile) bool { return t != 0 })
	for line, want := range map[string]bool{
		"if tile " + v.Display[shown].String(): true,
		"if tile s1":                           false,
		"if hex " + free.String() + " free":    true,
		"if hex e50 free":                      false,
		"if mission 027":                       false,
		"if die " + mine.Color.String() + " " + strconv.Itoa(int(mine.Value)):                true,
		"if die " + his.Color.String() + " " + strconv.Itoa(int(his.Value)) + " from seat 2": true,
		"if die gray 2 from neutral": false,
		"if die gray 2 from seat 4":  false,
		"if last round":              false,
		"if round at least 1":        v.Round >= 1,
		"if angel at least " + strconv.Itoa(v.BlackAngel.Strip()):                   true,
		"if angel at least " + strconv.Itoa(v.BlackAngel.Strip()+1):                 false,
		"if damage 1 at most " + strconv.Itoa(v.Locs[1].Damage):                     true,
		"if damage 1 at least " + strconv.Itoa(v.Locs[1].Damage+1):                  false,
		"if ravagers 1 at most " + strconv.Itoa(len(v.Locs[1].Ravagers)):            true,
		"if resources at least " + strconv.Itoa(v.Players[0].Resources):             true,
		"if resources of seat 2 at least " + strconv.Itoa(v.Players[1].Resources+1): false,
		"if debris of seat 3 at most " + strconv.Itoa(v.Players[2].Debris):          true,
		"if ships at most " + strconv.Itoa(v.Players[0].Ships):                      true,
		"if robots at least " + strconv.Itoa(v.Players[0].Break):                    true,
		"if vp of seat 4 at least 0":                                                false,
		"if vp at least 0":                                                          v.Players[0].VP >= 0,
		"if ship " + v.BlackAngel.String() + " of seat 2":                           false,
	} {
		g, ok := order.ParseGuard(line)
		if !ok {
			t.Fatalf("%q is not canonical", line)
		}
		if g.Holds(v) != want {
			t.Errorf("%q is %v", line, !want)
		}
		g.Unless = true
		if g.Holds(v) == want {
			t.Errorf("%q is %v", g, want)
		}
	}
}

// A plan goes on to its end, and nothing of it is an order now.
func TestReadPlan(t *testing.T) {
	for _, c := range []struct{ name, letter, want string }{
		{"blocks", "die gray 2\nplan\nif tile t12\ncard 013 at row 2: 2.1\n\nelse if b4 free: B\nCheers,\nAnn",
			"orders 1|if tile t12|card 013 at row 2: 2.1|else|if hex b4 free|B"},
		{"ended", "plan: B\nelse die gray 2\nend plan\nstatus\nundo", "B|else|die gray 2|orders 2"},
		{"fillers", "Plan for my next turn:\nB", "B"},
		{"asked", "plan\n\nThanks!", "none"},
		{"dropped", "plan none", "none"},
		{"then", "plan\nif t12 then B\notherwise\ndecline", "if tile t12|B|else|decline"},
		{"barred", "plan\n| die gray 2\n> B\ndie gray 2", "die gray 2"},
		{"word within", "plan\nB\nstatus", "! plan-word status"},
		{"late guard", "plan\nB\nif last round", "! order-guard "},
		{"empty", "plan\nif last round\nelse\nB", "! plan-empty "},
		{"bad guard", "plan\nif Bob is asleep\nB", "! guard-bad bob"},
		{"bad order", "plan\nfrobnicate", "! unreadable"},
		{"if without", "if tile t12\nB", "orders 1|! order-guard "},
		{"else without", "B\nelse\nB", "orders 2|! order-otherwise "},
		{"many blocks", "plan\nB" + strings.Repeat("\nelse\nB", 8), "! order-too-many "},
		{"many guards", "plan" + strings.Repeat("\nif last round", 9) + "\nB", "! order-too-many "},
		{"many clauses", "plan" + strings.Repeat("\nB; B; B", 22), "! order-too-many "},
		{"long", "plan" + strings.Repeat("\nB #"+strings.Repeat("x", 300), 20), "! order-too-many "},
	} {
		l := order.ReadLetter(strings.Split(c.letter, "\n"))
		var got []string
		orders := 0
		for _, it := range l.Items {
			switch {
			case it.Word.Kind == order.Plan:
				a := it.Word.Ahead
				if a == nil {
					got = append(got, "none")
					continue
				}
				if n := a.Problem(); n >= 0 {
					if p := a.Lines[n].Problem; p != nil {
						got = append(got, "! "+p.Code+" "+p.Word)
					} else {
						got = append(got, "! unreadable")
					}
					continue
				}
				got = append(got, a.Text()...)
				if back := order.ReadAhead(a.Text()); !reflect.DeepEqual(back.Blocks, a.Blocks) || back.Problem() >= 0 {
					t.Errorf("%s: %q is read as %+v", c.name, a.Text(), back)
				}
			case it.Problem != nil:
				got = append(got, "! "+it.Problem.Code+" "+it.Problem.Word)
			default:
				orders++
			}
		}
		if orders > 0 {
			at := 0
			if c.name == "ended" {
				at = len(got)
			}
			got = append(got[:at:at], append([]string{"orders " + strconv.Itoa(orders)}, got[at:]...)...)
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
	}
}

// Whatever stands in a letter, a plan is bounded, is the same when it is read
// again from what is stored, and none of its guards is another when printed.
func FuzzPlan(f *testing.F) {
	for _, g := range guards {
		f.Add(g[0] + "\nB")
	}
	for _, l := range strings.Split(table, "|") {
		f.Add("if last round: " + strings.TrimSpace(l) + "\nelse\n" + strings.TrimSpace(l))
	}
	for _, l := range []string{
		"if tile t12\ncard 013 at row 2\nelse\nB reserve gray 3\nend plan\nstatus", "or else unless b4 free: B; pass", "else\nelse\nelse", "if if if: if",
		"decline\nnone", "B # else", "\xff if \u202e", "if Zoë O’Neil's gray 2: buy it", "if 2 or more ships of B", "| B\n> if", "say to Bob: hello\nB", "name: x",
		"if last round: |", "unless die gray 0 from nr\n1",
	} {
		f.Add(l)
	}
	legal, ctx := position()
	f.Fuzz(func(t *testing.T, text string) {
		var l order.Letter
		cost.Within(t, func() { l = order.ReadLetter(append([]string{"plan"}, strings.Split(text, "\n")...)) })
		a := l.Items[0].Word.Ahead
		if a == nil {
			return
		}
		size, clauses := 0, 0
		for _, it := range a.Lines {
			if it.Clause != nil {
				clauses++
				order.Match(*it.Clause, legal, ctx)
			}
			if n := (it.Clause != nil || it.Problem != nil) == (it.Guard != nil); n {
				t.Fatalf("%+v", it)
			}
		}
		for i := range a.Blocks {
			b := &a.Blocks[i]
			for k, g := range b.Guards {
				var p *order.Problem
				if b.Guards[k], p = g.Named(ctx); p != nil {
					return // nothing of it is kept
				}
			}
			for _, o := range b.Orders {
				size += len(o)
			}
		}
		if a.Problem() >= 0 {
			return
		}
		if len(a.Blocks) > order.MaxBlocks || clauses > order.MaxClauses || size > order.MaxPlan {
			t.Fatalf("%d blocks, %d clauses, %d bytes", len(a.Blocks), clauses, size)
		}
		back := order.ReadAhead(a.Text())
		if back.Problem() >= 0 || !reflect.DeepEqual(back.Blocks, a.Blocks) {
			t.Fatalf("%q is read as %+v, want %+v", a.Text(), back.Blocks, a.Blocks)
		}
		for _, b := range a.Blocks {
			for _, g := range b.Guards {
				if back, ok := order.ParseGuard(g.String()); !ok || back != g {
					t.Fatalf("%+v prints %q, read as %+v, %v", g, g, back, ok)
				}
			}
		}
	})
}
