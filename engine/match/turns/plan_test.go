package turns

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// planGames are what plans are tried in, by what a name says.
var planGames = map[string]game.Options{
	"two":      {Players: 2, Rules: "base", Edition: "revised"},
	"three":    {Players: 3, Rules: "base", Edition: "first"},
	"four":     {Players: 4, Rules: "advanced", Edition: "revised"},
	"advanced": {Players: 2, Rules: "advanced", Edition: "first"},
	"alone":    {Players: 1, Rules: "advanced", Edition: "revised", Hal: "standard"},
}

func planGame(t testing.TB, o game.Options, n byte) *game.Game {
	t.Helper()
	o.RulesVersion, o.Set = game.RulesVersion, component.DefaultName
	g, err := game.New(component.Default(), game.Header{Game: "test", Options: o, Names: []string{"Ada", "Bo", "Cy", "Di"}[:o.Players], Seed: [32]byte{n, byte(o.Players)}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A planner writes plans at random and holds each against the game.
type planner struct {
	*testing.T
	g                                                    *game.Game
	rnd                                                  *rand.Rand
	plans, chances, forced, wished, undone, taken, moved int
	sure                                                 int // events before chance decides
	after                                                int // events after that that are sure
	dealt                                                int // positions dealt
	asked                                                map[engine.Decision]int
}

// Whatever the page offers is what the rules list, in the position that the
// same lines of a letter lead to; and the letter does just that.
func TestPlanIsWhatTheLetterDoes(t *testing.T) {
	for name, o := range planGames {
		t.Run(name, func(t *testing.T) {
			p := &planner{T: t, rnd: rand.New(rand.NewPCG(5, uint64(o.Players))), asked: map[engine.Decision]int{}}
			for n := range byte(4) {
				p.g = planGame(t, o, n)
				for !p.g.Finished() {
					acting := p.g.Play.ToAct()
					seat := acting[p.rnd.IntN(len(acting))]
					legal := p.g.View(seat).Legal(nil)
					if d := p.g.View(seat).Decision; p.rnd.IntN(6) == 0 || d == engine.AskOwner || d == engine.AskDiscard {
						p.plan(seat)
					}
					if _, err := p.g.Do(seat, game.ByPlayer, legal[p.rnd.IntN(len(legal))]); err != nil {
						t.Fatal(err)
					}
				}
			}
			t.Logf("%d plans, %d ended by chance, %d forced steps, %d wishes, %d took back first, %d events before chance and %d after it, %d positions dealt; began with %v", p.plans, p.chances, p.forced, p.wished, p.undone, p.sure, p.after, p.dealt, p.asked)
			if p.plans < 40 || p.chances < p.plans/4 || p.forced == 0 || p.wished == 0 || p.undone == 0 || p.taken == 0 || p.moved == 0 || p.sure < 40 || p.after < 40 || p.dealt < 40 || len(p.asked) < 5 {
				t.Error("too little is tried")
			}
		})
	}
}

// A plan that would end the game opens no hand.
func TestPlanOpensNoHand(t *testing.T) {
	ends := 0
	for n := byte(0); n < 60 && ends < 20; n++ {
		rnd := rand.New(rand.NewPCG(6, uint64(n)))
		g := planGame(t, planGames["two"], n)
		for !g.Finished() {
			for seat := engine.Seat(1); seat <= 2 && g.View(0).LastRound; seat++ {
				plan, err := PlanIn(g, seat, []string{"pass"})
				if err != nil {
					t.Fatal(err)
				}
				if plan == nil || !plan.View.Finished {
					continue
				}
				ends++
				if v := plan.View; v.Revealed || v.Players[2-seat].Cards != nil {
					t.Fatalf("seat %d sees what its opponent holds: %v", seat, v.Players[2-seat].Cards)
				}
			}
			acting := g.Play.ToAct()
			seat := acting[rnd.IntN(len(acting))]
			legal := g.View(seat).Legal(nil)
			if _, err := g.Do(seat, game.ByPlayer, legal[rnd.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if ends == 0 {
		t.Error("no plan ended a game")
	}
	t.Logf("%d plans ended a game", ends)
}

// plan makes one plan for a seat and sends it.
func (p *planner) plan(seat engine.Seat) {
	p.plans++
	p.asked[p.g.View(seat).Decision]++
	var lines []string
	if first, err := PlanIn(p.g, seat, nil); err != nil {
		p.Fatal(err)
	} else if first.Undo && p.rnd.IntN(4) == 0 {
		lines = []string{"undo"}
		p.undone++
	}
	for range MaxPlan {
		plan, err := PlanIn(p.g, seat, lines)
		if err != nil || plan.Refused != nil {
			p.Fatalf("%q: %v %+v", lines, err, plan.Refused)
		}
		ref := p.position(seat, plan.Steps)
		if !reflect.DeepEqual(plan.View, ref.State.Closed(seat)) {
			p.Fatalf("%q shows another position", lines)
		}
		p.forced += plan.Forced
		if plan.Last != "" {
			p.chances++
			events := p.events(ref, seat, plan.Last)
			if !slices.ContainsFunc(events, engine.Event.New) {
				p.Fatalf("%q: %q ends the plan, but tells nothing new", lines, plan.Last)
			}
			p.certain(seat, plan.Sure, events)
			p.shown(plan)
			if len(plan.Options) > 0 {
				p.Fatalf("%q goes on after %q", lines, plan.Last)
			}
			p.send(seat, p.wish(seat, plan, lines))
			return
		}
		var orders []string
		for _, o := range plan.Options {
			orders = append(orders, o.Order)
			events := p.events(ref, seat, o.Order)
			if o.Draws != slices.ContainsFunc(events, engine.Event.New) {
				p.Fatalf("%q: %q is said to be chance: %v", lines, o.Order, o.Draws)
			}
			p.counts(seat, o, events)
			p.certain(seat, o, events)
		}
		if legal := game.LegalOrders(ref.State.Project(seat)); !slices.Equal(orders, legal) {
			p.Fatalf("%q offers %q, legal is %q", lines, orders, legal)
		}
		if len(orders) == 0 || len(plan.Steps) > 0 && p.rnd.IntN(8) == 0 {
			p.send(seat, plan)
			return
		}
		for _, s := range plan.Steps[len(plan.Steps)-plan.Forced:] {
			lines = append(lines, s.Order)
		}
		o := plan.Options[p.rnd.IntN(len(plan.Options))]
		if o.Draws && p.rnd.IntN(2) == 0 { // plans are rather long
			o = plan.Options[p.rnd.IntN(len(plan.Options))]
		}
		if k := slices.Index(orders, "B"); k >= 0 && p.rnd.IntN(3) == 0 {
			o = plan.Options[k]
		}
		lines = append(lines, o.Order)
		if more, err := PlanIn(p.g, seat, lines); err != nil || !o.Draws && more.Steps[len(lines)-1].Gain != o.Gain {
			p.Fatalf("%q gains %+v, was to gain %+v (%v)", lines, more.Steps, o.Gain, err)
		}
	}
	p.Fatalf("%q has no end", lines)
}

// counts checks an option's promised gain of robots, tiles and Ravager cards against what
// happens: a robot that changes its room is not a loss, and a tile taken is a gain before it is
// injected.
func (p *planner) counts(seat engine.Seat, o Option, events []engine.Event) {
	if o.Draws { // what is sure is less
		return
	}
	var tiles, ravagers, moved, robots int
	for _, e := range events {
		switch {
		case e.Seat != seat:
		case e.Kind == engine.EvTileTaken:
			tiles++
		case e.Kind == engine.EvPaidTile:
			tiles--
		case e.Kind == engine.EvDestroyed:
			ravagers++
		case e.Kind == engine.EvRobotMoved:
			moved++
		case (e.Kind == engine.EvGained || e.Kind == engine.EvSpent) && e.Good == engine.Robot, e.Kind == engine.EvTrapped, e.Kind == engine.EvPlaced, e.Kind == engine.EvFreed:
			robots++
		}
	}
	if tiles != o.Gain.Tiles {
		p.Fatalf("%q takes %d tiles and is said to gain %d", o.Order, tiles, o.Gain.Tiles)
	}
	if ravagers > 0 && ravagers != o.Gain.Ravagers {
		p.Fatalf("%q takes %d Ravagers and is said to gain %d", o.Order, ravagers, o.Gain.Ravagers)
	}
	if moved > 0 && robots == 0 && o.Gain.Robots != 0 {
		p.Fatalf("%q moves a robot and is said to gain %d", o.Order, o.Gain.Robots)
	}
	if tiles > 0 {
		p.taken++
	}
	if moved > 0 {
		p.moved++
	}
}

// certain holds what an option says of a step against what happens, up to where chance
// decides.
func (p *planner) certain(seat engine.Seat, o Option, events []engine.Event) {
	told := game.RedactEvents(events, seat, false)
	n := slices.IndexFunc(events, engine.Event.New)
	if !o.Draws {
		if n >= 0 || !reflect.DeepEqual(o.Events, told) {
			p.Fatalf("%q is said to do %+v, not %+v", o.Order, o.Events, told)
		}
		return
	}
	for n > 0 && events[n-1].Kind == engine.EvShuffled { // it belongs to the draw
		n--
	}
	if o.First() == engine.EvHalCard { // Hal's turn is not looked into
		n = min(n, len(o.Events))
	}
	if o.First() == engine.NoEvent || !reflect.DeepEqual(o.Events, told[:n]) {
		p.Fatalf("%q is said to do %+v before chance decides, not %+v; then %+v", o.Order, o.Events, told[:n], o.Chances)
	}
	p.follows(o, told[n:])
	p.sure += len(o.Events)
}

// follows holds what an option says will happen whatever chance decides against what
// happened from there on: all of it, in this order; and that chance decides what it says,
// as often.
func (p *planner) follows(o Option, events []engine.Event) {
	rest := o.After
	var chance []engine.Event
	for _, e := range events {
		if len(rest) > 0 && e == rest[0] {
			rest = rest[1:]
		}
		if e.New() {
			chance = append(chance, e)
		}
	}
	if len(rest) > 0 {
		p.Fatalf("%q is said to go on with %+v, which is not in %+v", o.Order, rest[0], events)
	}
	for _, c := range o.Chances {
		n := 0
		for len(chance) > 0 && decided(c, chance[0]) && (c.Kind == engine.EvAttack || n < int(c.N)) {
			if chance[0].Kind != engine.EvOverflow {
				n++
			}
			chance = chance[1:]
		}
		if n < int(c.N) || c.Kind == engine.EvAttack && n > int(c.Value) {
			p.Fatalf("%q: %d events are as %+v says, then come %+v", o.Order, n, c, chance)
		}
	}
	p.after += len(o.After)
}

// decided reports whether an event is one of those that the option leaves to chance.
func decided(c, e engine.Event) bool {
	switch c.Kind {
	case engine.EvHalCard: // or Hal rolls
		return true
	case engine.EvAttack:
		return e.Kind == c.Kind || e.Kind == engine.EvOverflow
	case engine.EvRolled:
		return e.Kind == c.Kind && e.Seat == c.Seat && e.Color == c.Color
	case engine.EvDrewMission, engine.EvOffered:
		return e.Kind == c.Kind && e.Seat == c.Seat && e.Card.Color() == c.Color
	case engine.EvTileAppeared:
		return e.Kind == c.Kind && (c.Tile == 0 || c.Tile == e.Tile)
	}
	return e.Kind == c.Kind
}

// shown checks the board of a plan that chance ends against the goods that its last step gives
// for certain, and deals the step other cards and dice: everything certain in the plan must
// hold for them, too.
func (p *planner) shown(plan *Plan) {
	seat := plan.View.Viewer
	was, is := plan.View.Players[seat-1], plan.Board.Players[seat-1]
	for _, e := range slices.Concat(plan.Sure.Events, plan.Sure.After) {
		if e.Seat == seat {
			switch {
			case e.Kind == engine.EvVP:
				was.VP += int(e.N)
			case e.Kind == engine.EvGained && e.Good == engine.Resource:
				was.Resources += int(e.N)
			case e.Kind == engine.EvSpent && e.Good == engine.Resource:
				was.Resources -= int(e.N)
			}
		}
	}
	if is.VP != was.VP || is.Resources != was.Resources || plan.Board.Revealed {
		p.Fatalf("%q: the board shows %d VP and %d resources, not %d and %d", plan.Last, is.VP, is.Resources, was.VP, was.Resources)
	}
	for i, q := range plan.Board.Players {
		if other := plan.View.Players[i]; q.Seat != seat && (q.Hand != other.Hand || q.Ravagers != other.Ravagers || len(q.Standard) != len(other.Standard)) {
			p.Fatalf("%q: the board shows seat %d with %+v", plan.Last, q.Seat, q)
		}
	}
	if g := plan.Sure.Gain.Plus(plan.Sure.Then); g.VP != is.VP-plan.View.Players[seat-1].VP || g.Resources != is.Resources-plan.View.Players[seat-1].Resources {
		p.Fatalf("%q is said to gain %+v", plan.Last, g)
	}
	step, err := order.Parse(plan.Last)
	if err != nil {
		p.Fatal(err)
	}
	deal := rand.New(rand.NewPCG(8, uint64(p.plans)))
	for n := range 4 {
		s := plan.View.Sample(deal.Uint64)
		var tale engine.Tale
		s.Do(seat, step, engine.NewChance([32]byte{byte(n), byte(p.plans)}, ""), &tale)
		told := game.RedactEvents(tale.Events, seat, false)
		k := len(plan.Sure.Events)
		if len(told) < k || !slices.Equal(told[:k], plan.Sure.Events) {
			p.Fatalf("%q is said to do %+v, and does %+v", plan.Last, plan.Sure.Events, told)
		}
		p.follows(plan.Sure, told[k:])
		p.dealt++
		dice := func(v *engine.View) (n int) {
			for c := range v.Supply {
				n += v.Supply[c].Dice
			}
			return n
		}
		if then := s.Project(seat); plan.Sure.First() == engine.EvRolled && plan.View.Options.Hal == engine.NoHal &&
			(then.BlackAngel != plan.Board.BlackAngel || dice(then) != dice(plan.Board) || !reflect.DeepEqual(then.Strips, plan.Board.Strips)) {
			p.Fatalf("%q shows a board that it does not lead to", plan.Last)
		}
	}
}

// wish adds reservation lists to a plan that ends with B.
func (p *planner) wish(seat engine.Seat, plan *Plan, lines []string) *Plan {
	if plan.Forced > 0 || len(plan.Lists) == 0 {
		return plan
	}
	for i := range plan.Lists {
		r := &plan.Lists[i]
		for _, k := range p.rnd.Perm(len(r.Dice))[:p.rnd.IntN(len(r.Dice)+1)] {
			r.Wanted = append(r.Wanted, r.Dice[k])
		}
		if r.Wanted != nil {
			p.wished++
		}
	}
	later := plan.Later()
	again, err := PlanIn(p.g, seat, append(lines, later...))
	if err != nil || !reflect.DeepEqual(again, plan) && (again.Used != plan.Used || !slices.Equal(again.Text(), plan.Text())) {
		p.Fatalf("%q: wishes %q come back as %q (%v)", lines, later, again.Later(), err)
	}
	return again
}

// position is the game after steps, taken one by one by the rules.
func (p *planner) position(seat engine.Seat, steps []Tried) *game.Replay {
	q := p.g.Play.Copy()
	for _, s := range steps {
		if err := q.Replay(game.Line{Seat: int(seat), By: game.ByPlayer, Order: s.Order}); err != nil {
			p.Fatalf("%q: %v", s.Order, err)
		}
	}
	return q
}

func (p *planner) events(ref *game.Replay, seat engine.Seat, line string) []engine.Event {
	step, err := order.Parse(line)
	if err != nil {
		p.Fatal(err)
	}
	events, err := ref.Copy().Do(seat, game.ByPlayer, step)
	if err != nil {
		p.Fatalf("%q: %v", line, err)
	}
	return events
}

// send holds what the desk would do with the plan's letter against the plan.
func (p *planner) send(seat engine.Seat, plan *Plan) {
	text := plan.Text()
	if len(text) == 0 {
		return
	}
	t := tableOf(p.g)
	b, err := newBlock(t, t.BySeat(seat), nil, t.Replay.Step(), order.ReadLetter(text).Items, false)
	if err != nil || b.fail || b.Cur == nil {
		p.Fatalf("%q is refused: %v %+v", text, err, b.Lines)
	}
	want := p.position(seat, plan.Steps)
	done := b.Cur.Lines[b.start:]
	for i, l := range want.Lines[b.start:] {
		if !reflect.DeepEqual(done[i], l) {
			p.Fatalf("%q: line %d is %+v, planned as %+v", text, i+1, done[i], l)
		}
		if told := game.RedactEvents(b.Cur.Events[b.start+i+1], seat, false); !reflect.DeepEqual(told, plan.Steps[i].Events) {
			p.Fatalf("%q: line %d tells other things", text, i+1)
		}
	}
	rest := done[len(plan.Steps):]
	switch {
	case plan.Last == "" && len(rest) > 0:
		p.Fatalf("%q does more than planned: %+v", text, rest)
	case plan.Last != "" && (len(rest) == 0 || rest[0].Order != plan.Last):
		p.Fatalf("%q ends with %+v, not %q", text, rest, plan.Last)
	}
}

// What a letter would not do is refused here, with the same words.
func TestPlanRefusesWhatTheLetterRefuses(t *testing.T) {
	g := planGame(t, planGames["three"], 1)
	rnd := rand.New(rand.NewPCG(1, 1))
	seen := []string{"", "resign", "say: hello", "status", "preview", "undo", "xx", "| die gray 1", "die gray", strings.Repeat("x", 500), "keep", "reserve gray 3", "B; B", "# nothing", "decline", "join", "new game", "hint"}
	refused := 0
	for !g.Finished() && g.Steps() < 400 {
		acting := g.Play.ToAct()
		seat := acting[rnd.IntN(len(acting))]
		legal := g.View(seat).Legal(nil)
		step := legal[rnd.IntN(len(legal))]
		seen = append(seen, order.Print(step))
		var lines []string
		for range 1 + rnd.IntN(3) {
			lines = append(lines, seen[rnd.IntN(len(seen))])
		}
		plan, err := PlanIn(g, seat, lines)
		if err != nil {
			t.Fatalf("%q: %v", lines, err)
		}
		items := order.ReadLines(lines).Items
		tb := tableOf(g)
		x := tb.BySeat(seat)
		word := slices.ContainsFunc(items, func(it order.Item) bool {
			return !Orderly(&unit.Sender{Player: &store.Player{ID: x.Player}, Game: tb, Seat: x}, it)
		})
		if word != (plan.Refused != nil && plan.Refused.Problem.Code == notice.ProblemPreview) {
			t.Fatalf("%q: %+v", lines, plan.Refused)
		}
		if !word {
			b, err := newBlock(tb, x, nil, tb.Replay.Step(), items, false)
			if err != nil {
				t.Fatal(err)
			}
			if bad := b.fail && !b.news; bad != (plan.Refused != nil) {
				t.Fatalf("%q: the letter is refused: %v; the plan: %+v", lines, bad, plan.Refused)
			}
		}
		if plan.Refused != nil {
			refused++
			if len(plan.Steps) > 0 || len(plan.Options) > 0 || !reflect.DeepEqual(plan.View, g.View(seat)) {
				t.Fatalf("%q is refused, but something of it shows", lines)
			}
		}
		if _, err := g.Do(seat, game.ByPlayer, step); err != nil {
			t.Fatal(err)
		}
	}
	if refused < 50 {
		t.Errorf("only %d were refused", refused)
	}
}

// A flip of the first edition that is legal again is a new one, in the planner and in a
// letter whose writer knew of the first; only an older letter repeats it.
func TestSecondFlip(t *testing.T) {
	found := 0
	for n := byte(0); n < 200 && found < 10; n++ {
		rnd := rand.New(rand.NewPCG(8, uint64(n)))
		g := planGame(t, planGames["three"], n)
		for !g.Finished() && g.Steps() < 300 {
			acting := g.Play.ToAct()
			seat := acting[rnd.IntN(len(acting))]
			legal := g.View(seat).Legal(nil)
			step := legal[rnd.IntN(len(legal))]
			first := g.View(seat).Decision == engine.AskTurn && len(g.Play.Active) == g.Play.TurnAt
			for _, l := range legal {
				if l.Kind == engine.FlipDie && first {
					step = l
				}
			}
			before := g.Steps()
			if _, err := g.Do(seat, game.ByPlayer, step); err != nil {
				t.Fatal(err)
			}
			if !first || step.Kind != engine.FlipDie || !slices.Contains(g.View(seat).Legal(nil), step) {
				continue
			}
			found++
			line := order.Print(step)
			plan, err := PlanIn(g, seat, []string{line})
			if err != nil || plan.Refused != nil || plan.Passed != 0 || len(plan.Steps) == 0 || plan.Steps[0].Order != line || plan.Text()[0] != line {
				t.Fatalf("%q again: %v, %+v", line, err, plan)
			}
			tb := tableOf(g)
			for _, c := range []struct {
				seen, log int
			}{{before, before + 1}, {before + 1, before + 2}} {
				b, err := newBlock(tb, tb.BySeat(seat), nil, c.seen, order.ReadLetter([]string{line}).Items, false)
				if err != nil || b.Cur.Step() != c.log {
					t.Fatalf("%q again of a writer who saw %d lines: %v, %d lines", line, c.seen, err, b.Cur.Step())
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d second flips", found)
	}
}

// A WhatIf that follows the game is the game; one that does not goes on by the
// same chance and the same rules.
func TestWhatIf(t *testing.T) {
	for name, o := range planGames {
		t.Run(name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(2, uint64(o.Players)))
			g := planGame(t, o, 9)
			for !g.Finished() {
				acting := g.Play.ToAct()
				legal := g.View(acting[0]).Legal(nil)
				if _, err := g.Do(acting[0], game.ByPlayer, legal[rnd.IntN(len(legal))]); err != nil {
					t.Fatal(err)
				}
			}
			for range 5 {
				at := rnd.IntN(g.Steps())
				var lines []string
				for n := range 10 { // as it was
					w, err := WhatIfIn(g, at, lines)
					if err != nil || w.Refused != nil {
						t.Fatalf("%d %q: %v %+v", at, lines, err, w.Refused)
					}
					p, err := g.Play.Past(at + n)
					if err != nil {
						t.Fatal(err)
					}
					if !reflect.DeepEqual(w.View, p.State.Reveal(w.Next)) {
						t.Fatalf("%d %q leads elsewhere than the game went", at, lines)
					}
					if at+n == g.Steps() {
						if w.Was != "" || w.Next != 0 || len(w.Options) > 0 {
							t.Fatalf("the end is not the end: %+v", w)
						}
						break
					}
					l := g.Log()[at+n]
					if w.Was != fmt.Sprint(l.Seat, " ", l.Order) || !slices.ContainsFunc(w.Options, func(o Option) bool { return o.Line() == w.Was }) {
						t.Fatalf("%d %q: it was %+v, not %q", at, lines, l, w.Was)
					}
					lines = append(lines, w.Was)
				}
				lines = nil
				p, err := g.Play.Past(at)
				if err != nil {
					t.Fatal(err)
				}
				p = p.Copy()
				for range 25 { // otherwise
					w, err := WhatIfIn(g, at, lines)
					if err != nil || w.Refused != nil || !reflect.DeepEqual(w.View, p.State.Reveal(w.Next)) {
						t.Fatalf("%d %q: %v", at, lines, err)
					}
					var want []string
					for _, seat := range p.ToAct() {
						for _, l := range game.LegalOrders(p.State.Project(seat)) {
							want = append(want, fmt.Sprint(int(seat), " ", l))
						}
					}
					var got []string
					for _, o := range w.Options {
						got = append(got, o.Line())
					}
					if slices.Sort(want); !slices.Equal(want, slices.Sorted(slices.Values(got))) {
						t.Fatalf("%d %q offers %q, legal is %q", at, lines, got, want)
					}
					if len(got) == 0 {
						break
					}
					lines = append(lines, got[rnd.IntN(len(got))])
					seat, step, err := readWhatIf(lines[len(lines)-1])
					if err == nil {
						_, err = p.Do(seat, game.ByPlayer, step)
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				for _, bad := range []string{"", "1", "0 B", "5 B", "1 b", "9", "1 card 061 at row 1", "x B", "11 B", "1 undo 3", "2 resign"} {
					w, err := WhatIfIn(g, at, []string{bad, "1 B"})
					if err != nil || w.Refused == nil || w.Refused.N != 1 || len(w.Steps) > 0 || w.Was != "" {
						t.Fatalf("%q is taken: %+v %v", bad, w, err)
					}
				}
			}
		})
	}
}
