package engine_test

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"sync"

	. "angelpost/engine"
	"angelpost/engine/order"
)

// A watch looks on at a random game.
type watch struct {
	g        *randomGame
	heard    int    // events looked at
	damage   [7]int // cubes placed and not removed, as told
	cubes    [3]int
	boxed    [MaxPlayers + 1][3]int // starting tiles spent (Q10.2)
	advances int
	trigger  Ending
	turns    int               // ended
	last     int               // round in which the game must end (R8.1)
	begun    bool              // A has begun by a flip (R17.1)
	box      [LastTile + 1]int // Advanced tiles that Hal took (Q15.2)
	buf      []Step
}

// position holds a position, and what the last step told, to what never changes.
func (w *watch) position(events []Event) error {
	for _, e := range events {
		w.hear(e)
	}
	g := w.g
	inv := g.s.Inventory()
	for c, n := range inv.Dice {
		if want := g.seats() + 2; n != want {
			return fmt.Errorf("R1.2: %d %s dice, want %d", n, Color(c), want)
		}
	}
	if inv.Damage != w.damage || inv.Cubes != w.cubes {
		return fmt.Errorf("R1.5: Damage %v and damaged dice %v lie there, told were %v and %v", inv.Damage, inv.Cubes, w.damage, w.cubes)
	}
	missions, ravagers := 0, 0
	for c, n := range inv.Cards {
		if n > 1 || n == 0 && c >= 1 && c <= 60 {
			return fmt.Errorf("R1.4: card %s is in %d places", Card(c), n)
		}
		if c <= 60 {
			missions += n
		} else {
			ravagers += n
		}
	}
	if want := 30 - 6*(4-g.seats()); missions != 60 || ravagers != want { // R2.6
		return fmt.Errorf("R1.4: %d Mission cards, %d Ravagers, want 60 and %d", missions, ravagers, want)
	}
	for t, n := range inv.Tiles {
		if tile := Tile(t); n+w.box[t] != 1 && t > 0 && !tile.Starting() {
			return fmt.Errorf("R1.4: tile %s is in %d places", tile, n)
		}
	}
	if g.players == 1 && inv.Robots[Hal] != 16 {
		return fmt.Errorf("R15.1: Hal has %d robots", inv.Robots[Hal])
	}
	for seat := Seat(1); int(seat) <= g.players; seat++ {
		if inv.Robots[seat] != 16 {
			return fmt.Errorf("R1.3: seat %d has %d robots", seat, inv.Robots[seat])
		}
		for c, n := range inv.Starts[seat] {
			if n+w.boxed[seat][c] != 1 {
				return fmt.Errorf("R1.4: seat %d has %d starting tiles s%d, %d spent", seat, n, c+1, w.boxed[seat][c])
			}
		}
		if g.s.Asked(seat) == AskTurn && inv.Hand[seat][0] > 6 {
			return fmt.Errorf("R3.2: seat %d begins with %d Mission cards", seat, inv.Hand[seat][0])
		}
	}
	if len(g.log)%4 == 0 || g.s.Finished() {
		return w.view(g.s.Project(0), &inv)
	}
	return nil
}

func (w *watch) hear(e Event) {
	switch e.Kind {
	case EvDamaged:
		w.damage[e.Loc]++
	case EvDieDamaged:
		w.cubes[e.Color]++
	case EvCubeRemoved:
		if e.Loc > 0 {
			w.damage[e.Loc]--
		} else {
			w.cubes[e.Color]--
		}
	case EvTookDamaged:
		w.cubes[e.Color]--
	case EvPaidTile:
		if e.Tile.Starting() {
			w.boxed[e.Seat][e.Tile-FirstStart]++
		}
	case EvAdvanced:
		w.advances++
	case EvTrigger:
		w.trigger = Ending(e.N)
		w.last = w.turns/w.g.seats() + 2
	case EvTileTaken:
		if w.g.players == 1 && e.Seat == Hal && e.Tile.Advanced() {
			w.box[e.Tile]++
		}
	case EvFlippedOwn:
		w.begun = true
	case EvTurnEnded:
		w.turns++
		w.begun = false
	}
}

// view holds what every viewer sees to the limits of the rules.
func (w *watch) view(v *View, inv *Inventory) error {
	for loc, l := range v.Locs {
		if l.Damage > 2 || len(l.Ravagers) > 3 { // R5.5 step 3
			return fmt.Errorf("R5.5: location %d has %d Damage, %d Ravagers", loc, l.Damage, len(l.Ravagers))
		}
		for _, r := range l.Ravagers {
			if int(w.g.set.Ravagers[r.Card].Location) != loc {
				return fmt.Errorf("R5.5: Ravager %s lies at location %d", r.Card, loc)
			}
		}
	}
	for c, s := range v.Supply {
		if s.Damaged < 0 || s.Damaged > s.Dice {
			return fmt.Errorf("R5.5: %d Damage cubes on %d %s dice", s.Damaged, s.Dice, Color(c))
		}
	}
	if slices.Contains(v.Slots[:], 0) && v.AdvancedLeft > 0 {
		return fmt.Errorf("R5.1: Advanced slots %v, %d tiles left", v.Slots, v.AdvancedLeft)
	}
	if v.Decks[PileRavager].Left == 0 && v.Ending == NotEnded {
		return errors.New("R8.1: the Ravager deck is empty and nothing was triggered")
	}
	for _, strip := range v.Strips {
		for _, h := range strip.Hexes {
			if h.Card != 0 && (h.Spes || h.Asteroid || h.Color != h.Card.Color() || h.Owner == 0) {
				return fmt.Errorf("R5.5: card %s of seat %d lies on %s, which is %s", h.Card, h.Owner, h.At, h.Color)
			}
			if n := len(h.Ships); n > 2 || n == 2 && h.Ships[0] == h.Ships[1] {
				return fmt.Errorf("R5.5: ships of %v on %s", h.Ships, h.At)
			}
			if h.Asteroid && len(h.Ships) > 0 && h.At != v.BlackAngel {
				return fmt.Errorf("R6.4: ships of %v on the asteroids of %s", h.Ships, h.At)
			}
		}
	}
	for i := range v.Players {
		p := &v.Players[i]
		sum := 0
		for _, n := range p.By {
			sum += n
		}
		if p.VP < 0 || sum != p.VP {
			return fmt.Errorf("R9.1: seat %d has %d VP, by source %v", p.Seat, p.VP, p.By)
		}
		if hand := p.Hand[0] + p.Hand[1] + p.Hand[2]; hand != inv.Hand[p.Seat][0] || p.Ravagers != inv.Hand[p.Seat][1] {
			return fmt.Errorf("R1.5: seat %d shows %d Mission and %d Ravager cards, holds %v", p.Seat, hand, p.Ravagers, inv.Hand[p.Seat])
		}
		for c, t := range p.Spaces {
			if t != 0 && !t.Advanced() {
				return fmt.Errorf("R5.3: %s lies on the %s space of seat %d", t, Color(c), p.Seat)
			}
		}
		for k, c := range p.Grid {
			if c.Debris && (c.Tile == 0 || c.Tile.Advanced()) {
				return fmt.Errorf("R5.4: Debris on %s at %s", c.Tile, Cell(k+1))
			}
		}
		robots := p.Break + p.Stations[0] + p.Stations[1] + p.Stations[2] + p.RobotSupply + p.Pilots + p.OnCards + p.Trapped
		if robots != 16 {
			return fmt.Errorf("R1.3: seat %d shows %d robots", p.Seat, robots)
		}
	}
	return nil
}

// own is what a step told before Hal's turn began, if it did.
func (w *watch) own(events []Event) []Event {
	for i, e := range events {
		if w.g.players == 1 && e.Seat == Hal && (e.Kind == EvHalCard || e.Kind == EvDiceBack) {
			return events[:i]
		}
	}
	return events
}

// promised holds that a step won what the View said it would: no chance decides
// VP within a step, and the final scoring does not count.
func (w *watch) promised(before *View, st Step, seat Seat, events []Event) error {
	won := 0
	for _, e := range w.own(events) {
		if e.Kind == EvVP && e.Seat == seat && e.Source != ByAdvanced && e.Source != ByGoods {
			won += int(e.N)
		}
	}
	if gain := before.Gain(st); gain != won {
		return fmt.Errorf("%s was to win %d VP, and won %d", order.Print(st), gain, won)
	}
	return nil
}

// placed holds that as many Ravagers attack as the hexes around a card just
// placed show (R5.5 step 3, Q5.5e), fewer only if no card that is left could be
// placed, and all that are left were drawn and seen for it (Q5.5f).
func (w *watch) placed(v *View, st Step, events []Event) error {
	icons := 0
	for i, strip := range v.Strips {
		for lane, h := range strip.Hexes {
			if h.At != st.To {
				continue
			}
			for _, n := range neighbors(i, lane-2) {
				if n[0] < 0 || n[0] >= len(v.Strips) || n[1] < -2 || n[1] > 2 {
					continue
				}
				icons += v.Strips[n[0]].Hexes[n[1]+2].Icons
			}
		}
	}
	attacks := 0
	for _, e := range w.own(events) {
		if e.Kind == EvAttack {
			attacks++
		}
	}
	if attacks == icons {
		return nil
	}
	if w.g.players == 1 { // Hal may have changed what is full
		return nil
	}
	full := w.g.s.Project(0).Locs
	for _, c := range w.g.s.Waiting() {
		if len(full[w.g.set.Ravagers[c].Location].Ravagers) < 3 {
			return fmt.Errorf("R5.5: %d icons, %d attacks, and %s could be placed", icons, attacks, c)
		}
	}
	if attacks > icons {
		return fmt.Errorf("R5.5: %d icons, %d attacks", icons, attacks)
	}
	if w.g.opt.Version == 1 {
		return nil
	}
	if n := w.g.s.Project(0).Decks[PileRavager].Left; n > 0 {
		return fmt.Errorf("Q5.5f: %d icons, %d attacks, and %d cards in the deck", icons, attacks, n)
	}
	for _, c := range w.g.s.Waiting() {
		if !slices.ContainsFunc(w.own(events), func(e Event) bool { return e.Kind == EvOverflow && e.Card == c }) {
			return fmt.Errorf("Q5.5f: %d icons, %d attacks, and no one has seen %s in the discards", icons, attacks, c)
		}
	}
	return nil
}

// neighbors are those of strip s, lane p (C1), off-board ones too.
func neighbors(s, p int) [][2]int {
	switch {
	case p == 0:
		return [][2]int{{s + 1, 0}, {s - 1, 0}, {s, 1}, {s, -1}, {s - 1, 1}, {s - 1, -1}}
	case p > 0:
		return [][2]int{{s + 1, p}, {s - 1, p}, {s, p + 1}, {s - 1, p + 1}, {s, p - 1}, {s + 1, p - 1}}
	}
	return [][2]int{{s + 1, p}, {s - 1, p}, {s, p - 1}, {s - 1, p - 1}, {s, p + 1}, {s + 1, p + 1}}
}

// listed looks at the steps of a position: who has any, what they are.
func (w *watch) listed() error {
	g := w.g
	for seat := Seat(0); int(seat) <= g.players+1; seat++ {
		w.buf = g.s.Legal(seat, w.buf[:0])
		if g.s.ToAct(seat) != (len(w.buf) > 0) {
			return fmt.Errorf("R3.3: seat %d owes a decision: %t, and has %d steps", seat, g.s.ToAct(seat), len(w.buf))
		}
	}
	die := g.s.Pair(g.seat)
	if a := g.s.Asked(g.seat); (a == AskTurn || a == AskA1) && die != (has(g.legal, TakeDie) || has(g.legal, FlipDie) && g.opt.First) {
		return fmt.Errorf("Q3.1: a pair is possible: %t, dice listed: %t", die, !die)
	}
	if g.s.Asked(g.seat) == AskTurn {
		v := g.s.Project(g.seat)
		if !has(g.legal, Reroll) && !w.begun {
			return errors.New("R3.1: a turn may always be sequence B")
		}
		if has(g.legal, Reroll) && has(g.legal, Pass) != (v.LastRound && !die) {
			return fmt.Errorf("R8.4: pass is listed: %t", has(g.legal, Pass))
		}
	}
	for _, st := range g.legal {
		if st.Kind != PlayCard && st.Kind != Activate && st.Kind != FlipDie || g.rng.IntN(8) > 0 {
			continue
		}
		next := g.s
		next.Do(g.seat, st, g.src, nil)
		w.buf = next.Legal(g.seat, w.buf[:0])
		for has(w.buf, Keep) { // what a green Td drew is chosen first (Q12.3)
			next.Do(g.seat, w.buf[0], g.src, nil)
			w.buf = next.Legal(g.seat, w.buf[:0])
		}
		if die && !next.Pair(g.seat) {
			return fmt.Errorf("Q3.1b: no die after %s", order.Print(st))
		}
		if len(w.buf) == 0 {
			return fmt.Errorf("Q3.1a: nothing after %s", order.Print(st))
		}
	}
	if g.rng.IntN(4) == 0 {
		if err := w.illegal(); err != nil {
			return err
		}
	}
	switch g.rng.IntN(32) {
	case 0:
		return w.views()
	case 1:
		return w.texts()
	case 2:
		budget := 400
		return w.lookAhead(g.s, 2, &budget)
	}
	return nil
}

func has(steps []Step, k Kind) bool {
	return slices.ContainsFunc(steps, func(st Step) bool { return st.Kind == k })
}

// views holds that every seat's View lists what the State lists.
func (w *watch) views() error {
	for seat := Seat(0); int(seat) <= w.g.players; seat++ {
		v := w.g.s.Project(seat)
		if a, b := w.g.s.Legal(seat, nil), v.Legal(nil); !slices.Equal(a, b) {
			return fmt.Errorf("the View of seat %d lists %d steps, the State %d", seat, len(b), len(a))
		}
	}
	return nil
}

// texts holds that every listed step is another and is read as it is written.
func (w *watch) texts() error {
	lines := map[string]bool{}
	for _, st := range w.g.legal {
		line := order.Print(st)
		if back, err := order.Parse(line); err != nil || back != st {
			return fmt.Errorf("%q of %+v is read as %+v, %v", line, st, back, err)
		}
		if lines[line] {
			return fmt.Errorf("%q is listed twice", line)
		}
		lines[line] = true
	}
	return nil
}

// lookAhead takes every listed step of every seat, and every step after it, on
// copies: Apply must do what Do does, and some player must be able to go on
// (Q3.1, Q4.7). It stops when the budget of positions is spent.
func (w *watch) lookAhead(s State, depth int, budget *int) error {
	able := s.Finished()
	for seat := Seat(1); int(seat) <= w.g.players; seat++ {
		legal := s.Legal(seat, nil)
		if s.ToAct(seat) != (len(legal) > 0) {
			return fmt.Errorf("seat %d owes %s and has %d steps", seat, s.Asked(seat), len(legal))
		}
		able = able || len(legal) > 0
		if depth == 0 {
			continue
		}
		for _, i := range w.g.rng.Perm(len(legal)) {
			if *budget--; *budget < 0 {
				return nil
			}
			st := legal[i]
			one, other := s, s
			one.Do(seat, st, w.g.src, new(Tale))
			if err := other.Apply(seat, st, w.g.src, nil); err != nil || one != other {
				return fmt.Errorf("%s: Apply and Do differ (%v)", order.Print(st), err)
			}
			if one == s {
				return fmt.Errorf("%s changes nothing", order.Print(st))
			}
			if err := w.lookAhead(one, depth-1, budget); err != nil {
				return fmt.Errorf("after %d: %s: %w", seat, order.Print(st), err)
			}
		}
	}
	if !able {
		return errors.New("nobody can decide")
	}
	return nil
}

// ruleNumbers are the numbers that RULES.md has.
var ruleNumbers = sync.OnceValue(func() map[string]bool {
	text, err := os.ReadFile("RULES.md")
	if err != nil {
		panic(err)
	}
	numbers := map[string]bool{}
	for _, n := range regexp.MustCompile(`\b(?:[RQ]\d+\.\d+[a-z]?|[MVTBKCE]\d+)\b`).FindAllString(string(text), -1) {
		numbers[n] = true
	}
	return numbers
})

// illegal tries steps that are not listed: each is refused with a rule of
// RULES.md and a reason, and changes nothing.
func (w *watch) illegal() error {
	g := w.g
	seat := g.seat
	if g.rng.IntN(8) == 0 {
		seat = Seat(g.rng.IntN(7))
	}
	st := g.spoil(g.legal[g.rng.IntN(len(g.legal))])
	w.buf = g.s.Legal(seat, w.buf[:0])
	if slices.Contains(w.buf, st) {
		return nil
	}
	before, tale := g.s, Tale{}
	err := g.s.Apply(seat, st, g.src, &tale)
	var bad *Illegal
	switch {
	case !errors.As(err, &bad):
		return fmt.Errorf("seat %d: %+v is not listed and %v is no refusal", seat, st, err)
	case !ruleNumbers()[bad.Rule] || bad.Code == "" || bad.Seat != seat || bad.Step != st:
		return fmt.Errorf("seat %d: %+v is refused by %q %q", seat, st, bad.Rule, bad.Code)
	case g.s != before || len(tale.Events) > 0:
		return fmt.Errorf("seat %d: refusing %+v changed the game", seat, st)
	}
	return nil
}

// spoil makes another step of st: a field changed, or nearly all; or a step
// taken before.
func (g *randomGame) spoil(st Step) Step {
	if n := len(g.log); n > 0 && g.rng.IntN(4) == 0 {
		return g.log[g.rng.IntN(n)].step
	}
	v := reflect.ValueOf(&st).Elem()
	change := func(f reflect.Value) {
		switch {
		case f.Kind() == reflect.Bool:
			f.SetBool(!f.Bool())
		case f.Kind() == reflect.Array:
			f.Index(g.rng.IntN(f.Len())).SetUint(g.rng.Uint64N(256))
		case g.rng.IntN(3) == 0:
			f.SetUint(g.rng.Uint64N(256))
		default:
			f.SetUint(g.rng.Uint64N(12))
		}
	}
	if g.rng.IntN(8) > 0 {
		change(v.Field(g.rng.IntN(v.NumField())))
		return st
	}
	for i := range v.NumField() {
		if g.rng.IntN(4) > 0 {
			change(v.Field(i))
		}
	}
	return st
}

// end looks at a finished game: how it came to its end (R6.5, R8.1), and that
// its log, read from text, plays it again.
func (w *watch) end(events []Event) error {
	g := w.g
	bound := 10
	if g.players <= 2 {
		bound = 7
	}
	if w.advances > bound || (w.trigger == BySpes) != (w.advances == bound) || w.trigger == NotEnded {
		return fmt.Errorf("R6.5: %d advances, ended by %q", w.advances, w.trigger)
	}
	if w.turns != g.seats()*w.last {
		return fmt.Errorf("R8.1: %d turns, the game was to end with round %d", w.turns, w.last)
	}
	for seat := Seat(1); int(seat) <= g.players; seat++ {
		for _, d := range g.s.Project(seat).Owed {
			if d.Ask == AskOwner {
				return fmt.Errorf("Q3.3: the game ended before seat %d answered for %s", seat, d.Card)
			}
		}
	}
	var told Tale
	again, err := newRandomGame(g.players, g.n, &told)
	if err != nil {
		return err
	}
	for i, m := range g.log {
		st, err := order.Parse(order.Print(m.step))
		if err != nil {
			return err
		}
		if err := again.s.Apply(m.seat, st, again.src, &told); err != nil {
			return fmt.Errorf("step %d played again: %w", i+1, err)
		}
	}
	if again.s != g.s || !slices.Equal(told.Events, events) {
		return errors.New("played again the game is another, or tells another tale")
	}
	return nil
}
