package templates

import (
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/turns"
	"angelpost/engine/order"
)

// A choice is dimmed exactly where playing it shows that it gives nothing, and says why: a
// card that works no tile, a ship that stays, a tile that has nothing to give.
func TestUselessChoicesSayWhy(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 15))
	said := map[string]int{}
	all := 0
	for n := byte(0); n < 60; n++ {
		o := game.Options{Players: 2 + int(n)%3, Rules: []string{"base", "advanced"}[n%2], Edition: []string{"revised", "first"}[n/2%2], RulesVersion: game.RulesVersion, Set: component.DefaultName}
		g, err := game.New(component.Default(), game.Header{Game: "test", Options: o, Names: []string{"Ada", "Bo", "Cy", "Di"}[:o.Players], Seed: [32]byte{n}})
		if err != nil {
			t.Fatal(err)
		}
		for !g.Finished() {
			acting := g.Play.ToAct()
			seat := acting[rnd.IntN(len(acting))]
			v := g.View(seat)
			legal := v.Legal(nil)
			if d := v.Decision; d == engine.AskTurn && rnd.IntN(4) == 0 || d == engine.AskA1 || rnd.IntN(12) == 0 {
				x, plan := plannedAt(t, g, seat, "")
				for _, group := range x.groups {
					for c := range group.all() {
						all++
						if want := judged(t, x, g, plan, c.href); c.why != want {
							t.Fatalf("game %d, step %d: %s is called useless by %q, and is by %q", n, g.Steps(), c.href, c.why, want)
						}
						if c.why != "" {
							said[c.why]++
						}
					}
				}
				for key, link := range x.touches {
					if want := judged(t, x, g, plan, link.Href); link.Why != want {
						t.Fatalf("game %d, step %d: the piece %q is called useless by %q, and is by %q", n, g.Steps(), key, link.Why, want)
					}
				}
			}
			step := legal[rnd.IntN(len(legal))]
			if wish := wishes[int(n)/2%len(wishes)]; wish != nil && rnd.IntN(8) > 0 { // what seldom happens
				step = slices.MaxFunc(legal, func(a, b engine.Step) int { return wish(g, seat, a) - wish(g, seat, b) })
			}
			if _, err := g.Do(seat, game.ByPlayer, step); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("of %d choices: %v", all, said)
	for _, key := range []string{"does.vain-card-anywhere", "does.vain-move", "does.vain-tile"} { // a Ravager finds no tile once in a hundred games
		x, _ := plannedAt(t, newGame(t), 1, "")
		if said[x.Voice.Say(key)] < 5 {
			t.Errorf("too few are useless by %q", x.Voice.Say(key))
		}
	}
}

// wishes say how much a player likes a step: one plays at random, one hoards robots until
// none is left in their supply.
var wishes = []func(g *game.Game, seat engine.Seat, step engine.Step) int{
	nil,
	func(g *game.Game, seat engine.Seat, step engine.Step) (n int) {
		if step.Kind == engine.MoveShip || step.Use == engine.Move || step.Kind == engine.Place || step.Kind == engine.Reroll {
			return -1
		}
		after := g.Play.State
		after.Do(seat, step, engine.NewChance([32]byte{1}, ""), nil)
		for _, s := range after.Legal(seat, nil) {
			if s.Kind == engine.Activate && s.Good == engine.Robot {
				n++
			}
		}
		x := after.Standing(seat)
		return n + 10*x.Robots()
	},
}

func newGame(t *testing.T) *game.Game {
	t.Helper()
	g, err := game.New(component.Default(), game.Header{Game: "test", Options: game.Options{Players: 2, Rules: "base", Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName}, Names: []string{"Ada", "Bo"}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// judged plays all orders that a link leads to, and says why none gives anything; "" if
// one does, or dice or cards decide.
func judged(t *testing.T, x *PlanPage, g *game.Game, plan *turns.Plan, href string) (why string) {
	t.Helper()
	to, err := url.Parse(href)
	if err != nil {
		t.Fatal(err)
	}
	_, lines, begun := PlanLines(to.Path)
	leads := func(line string) bool { return line == lines[len(lines)-1] }
	if begun != "" {
		leads = func(line string) bool { return strings.HasPrefix(line, strings.TrimSuffix(begun, "~")+" ") }
	}
	seat := plan.View.Viewer
	before := g.Play.State.Standing(seat)
	some := 0
	for _, o := range plan.Options {
		if !leads(o.Order) {
			continue
		}
		some++
		step, err := order.Parse(o.Order)
		if err != nil {
			t.Fatal(err)
		}
		q := g.Play.Copy()
		events, err := q.Do(seat, game.ByPlayer, step)
		if err != nil {
			t.Fatal(err)
		}
		after := q.State.Standing(seat)
		for i := range after.Grid { // a boost given up is not a gain
			after.Grid[i].Boost = before.Grid[i].Boost
		}
		switch {
		case slices.ContainsFunc(events, engine.Event.New):
			return ""
		case step.Kind == engine.PlayCard:
			if slices.ContainsFunc(q.State.Legal(seat, nil), func(s engine.Step) bool { return s.Kind == engine.Activate }) {
				return ""
			}
			why = x.Voice.Say("does.vain-card", "color", x.Color(step.Card.Color()))
			if step.Card.Ravager() {
				why = x.Voice.Say("does.vain-ravager")
			}
		case step.Kind == engine.Activate && after == before:
			why = x.Voice.Say("does.vain-tile")
			if step.Use == engine.Move {
				why = x.Voice.Say("does.vain-move")
			}
		default:
			return ""
		}
	}
	if some > 1 && strings.HasPrefix(begun, "card ") {
		why = x.Voice.Say("does.vain-card-anywhere")
	}
	return why
}

// A choice says each thing that chance decides, in its order, and what follows all the same.
func TestChancesAreSaid(t *testing.T) {
	said := map[engine.EventKind]int{}
	ends, chains := 0, 0
	for n, o := range []game.Options{
		{Players: 2, Rules: "base", Edition: "revised"},
		{Players: 3, Rules: "advanced", Edition: "revised"},
		{Players: 1, Rules: "base", Edition: "revised", Hal: "easy"},
	} {
		o.RulesVersion, o.Set = game.RulesVersion, component.DefaultName
		rnd := rand.New(rand.NewPCG(26, uint64(n)))
		g, err := game.New(component.Default(), game.Header{Game: "test", Options: o, Names: []string{"Ada", "Bo", "Cy"}[:o.Players], Seed: [32]byte{byte(n), 9}})
		if err != nil {
			t.Fatal(err)
		}
		for !g.Finished() {
			acting := g.Play.ToAct()
			seat := acting[rnd.IntN(len(acting))]
			x, plan := plannedAt(t, g, seat, "")
			for _, o := range plan.Options {
				if !o.Draws {
					continue
				}
				text, from := x.does(o), 0
				if len(o.Chances) > 1 {
					chains++
				}
				for _, e := range o.Chances {
					want := map[engine.EventKind]string{
						engine.EvRolled: "then rolls ", engine.EvDrewMission: "then draws 1 of", engine.EvOffered: "then draws 2 of", engine.EvAttack: "attack",
						engine.EvRefilled: "a new Advanced tile", engine.EvTileAppeared: "for sale", engine.EvHalCard: "Hal takes a turn",
					}[e.Kind]
					i := strings.Index(text[from:], want)
					if e.Kind == engine.EvRolled && i < 0 && strings.Contains(text[:from], want) {
						i = 0 // dice are rolled together
					}
					if want == "" || i < 0 {
						t.Fatalf("%q: %q does not go on with %+v", o.Order, text, e)
					}
					from += i
					if e.Kind == engine.EvRolled {
						from += len(want)
					}
					said[e.Kind]++
				}
				if slices.ContainsFunc(o.After, func(e engine.Event) bool { return e.Kind == engine.EvTurnEnded && e.Seat == seat }) {
					if ends++; !strings.Contains(text[from:], x.Voice.Say("does.turn-ends")) {
						t.Fatalf("%q: %q does not say that the turn ends", o.Order, text)
					}
				}
			}
			legal := g.View(seat).Legal(nil)
			if _, err := g.Do(seat, game.ByPlayer, legal[rnd.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("said: %v; %d times more than one; %d ends of turns", said, chains, ends)
	if len(said) < 6 || chains < 10 || ends < 50 {
		t.Error("too little is tried")
	}
}

// Hexes to which a ship may go, with the same gain, are one row of links, each named as the
// order it is; what differs keeps a line of its own.
func TestHexesAreARow(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 15))
	rows, links := 0, 0
	for n := byte(0); n < 12; n++ {
		o := game.Options{Players: 3, Rules: "base", Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName}
		g, err := game.New(component.Default(), game.Header{Game: "test", Options: o, Names: []string{"Ada", "Bo", "Cy"}, Seed: [32]byte{n}})
		if err != nil {
			t.Fatal(err)
		}
		for range 120 {
			seat := g.Play.ToAct()[0]
			x, plan := plannedAt(t, g, seat, "")
			shown := map[string]bool{}
			for _, group := range x.groups {
				single := map[string]int{}
				for _, c := range group.items {
					if c.row == nil && strings.Contains(c.order, "launch to ") {
						single[c.does]++
					}
					if c.row != nil {
						rows++
					}
					for _, to := range c.row {
						links++
						if !strings.Contains(to.lead, " to "+to.text) || to.does != c.does {
							t.Fatalf("%q is one of %q: %q", to.lead, c.text, c.does)
						}
					}
				}
				for does, n := range single {
					if n >= fewHexes {
						t.Fatalf("%d launches have a line each: %q", n, does)
					}
				}
				for c := range group.all() {
					shown[c.order] = true
				}
			}
			for _, o := range plan.Options {
				if len(plan.Options) <= maxWhole && !shown[x.Voice.Spell(o.Order)] {
					t.Fatalf("%q is not listed", o.Order)
				}
			}
			legal := g.View(seat).Legal(nil)
			if _, err := g.Do(seat, game.ByPlayer, legal[rnd.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
			if g.Finished() {
				break
			}
		}
	}
	if rows < 10 || links < 60 {
		t.Errorf("only %d rows of %d hexes", rows, links)
	}
}
