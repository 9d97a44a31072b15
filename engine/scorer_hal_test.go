package engine_test

import (
	"slices"
	"testing"

	. "angelpost/engine"
	"angelpost/engine/component"
)

// The second scorer's Hal (section 15): from the card revealed and what lies on
// the table it works out which die he must take, what he must do with it and
// what that is worth, and holds what is told to it.

// halTable is what Hal looks at, and his turn in progress.
type halTable struct {
	display []Tile
	slots   [4]Tile
	ravs    [7]int // Ravagers by location
	secure  [3][4]int
	wasB    bool // the player's turn was a B or a pass

	card  int
	tries int // halves without a die
	half  component.Half
	die   int
	value int
	tiles []Tile  // taken
	shop  []Tile  // the display when he acts
	row   [4]Tile // and the Advanced row
	cubes []int   // removed: locations, 7 + colour for dice
	dest  []int   // locations whose Ravagers he took
	drew  Card
	at    Hex
	comet bool // printed at at, beneath his card
	idle  bool // no card
}

// look takes what the set-up lays out without telling.
func (sc *scorer) look(v *View) {
	sc.hal.display, sc.hal.slots = slices.Clone(v.Display), v.Slots
}

func (sc *scorer) solo() bool { return sc.players == 1 }

// seats is the last seat that has a sheet.
func (sc *scorer) seats() int { return max(sc.players, map[bool]int{true: 2}[sc.solo()]) }

// watchTable keeps what Hal looks at; before the event is told to the sheets.
func (sc *scorer) watchTable(e Event) {
	h := &sc.hal
	switch e.Kind {
	case EvTileTaken:
		for i := range h.display {
			if h.display[i] == e.Tile {
				h.display[i] = 0
			}
		}
		for i := range h.slots {
			if h.slots[i] == e.Tile {
				h.slots[i] = 0
			}
		}
	case EvClosedUp:
		var row [4]Tile
		k := 3
		for i := 3; i >= 0; i-- {
			if h.slots[i] != 0 {
				row[k] = h.slots[i]
				k--
			}
		}
		h.slots = row
	case EvRefilled:
		if h.slots[e.N-1] != 0 {
			sc.fail("R15.7: Advanced slot %d is not empty", e.N)
		}
		for i := int(e.N); e.Seat == 0 && sc.half() && i < 4; i++ {
			if h.slots[i] == 0 {
				sc.fail("R15.7: slot %d is refilled before slot %d", e.N, i+1)
			}
		}
		h.slots[e.N-1] = e.Tile
	case EvTileAppeared:
		t := e.Tile
		for i := range h.display {
			t, h.display[i] = h.display[i], t
			if t == 0 {
				break
			}
		}
	case EvAttack:
		h.ravs[e.Loc]++
	case EvDestroyed:
		h.ravs[e.Loc]--
	case EvReserved:
		h.secure[e.Color][e.Value]++
	case EvFlippedOwn:
		if e.Flag {
			h.secure[e.Color][e.Value^2]--
			h.secure[e.Color][e.Value]++
		}
	case EvDieTaken:
		if e.Seat == 1 {
			h.wasB = false
			if e.Flag {
				h.secure[e.Color][e.Value]--
			}
		}
	case EvDiceBack:
		if e.Seat == 1 {
			h.wasB, h.secure = true, [3][4]int{}
		}
	case EvPassed:
		h.wasB = true
	}
}

// half reports whether Hal is acting.
func (sc *scorer) half() bool { return sc.hal.card != 0 }

// bestDie is whether an unreserved die of the colour can be had, and the highest.
func (sc *scorer) bestDie(c Color) (value int, own, ok bool) {
	for v := 3; v >= 0; v-- {
		if sc.p[Hal].dice[c][v] > 0 {
			return v, true, true
		}
		if sc.p[1].dice[c][v] > sc.hal.secure[c][v] {
			return v, false, true
		}
	}
	return 0, false, false
}

// tellHal takes in what only Hal does; done is false for what others do too.
func (sc *scorer) tellHal(e Event) (done bool) {
	h, p := &sc.hal, &sc.p[Hal]
	if e.Seat != Hal && e.Kind != EvPaid || !sc.solo() {
		return false
	}
	switch e.Kind {
	case EvHalStarts: // R15.1
		p.station, p.brk = [3]int{1, 1, 1}, 13
		sc.win(Hal, []int{0, 0, 5, 10, 15}[sc.opt.Hal], BySetup)
		p.toldVP, p.toldBy[BySetup] = int(e.N), int(e.N)
	case EvHalCard: // R15.3
		*h = halTable{display: h.display, slots: h.slots, ravs: h.ravs, secure: h.secure, wasB: h.wasB, card: int(e.N)}
		if e.Flag != h.wasB {
			sc.fail("R15.3: the lower half first: %t", e.Flag)
		}
	case EvHalNoDie:
		if _, _, ok := sc.bestDie(sc.wanted().Color); ok || e.Color != sc.wanted().Color || h.tries > 1 {
			sc.fail("R15.3: a %s die can be had, or is not wanted", e.Color)
		}
		h.tries++
	case EvHalChose:
		if h.tries > 1 || (e.Cause == 1) != ((h.tries == 0) != h.wasB) {
			sc.fail("R15.3: half %d after %d tries", e.Cause, h.tries)
		}
		h.half = sc.wanted()
	case EvDieTaken: // R15.5
		v, own, ok := sc.bestDie(h.half.Color)
		if !ok || v != int(e.Value) || own != (e.Other == 0) || e.Color != h.half.Color {
			sc.fail("R15.5: the highest %s die shows %d, own %t", h.half.Color, v, own)
		}
		h.die, sc.used = v, e.Color
		if own {
			p.dice[e.Color][v]--
		} else {
			sc.p[1].dice[e.Color][v]--
			sc.p[1].resources++
		}
	case EvPaid:
		if e.Seat == 1 && e.Other == Hal {
			sc.win(Hal, 1, ByReward)
		}
	case EvHalBack:
		third := Orange + Gray + Green - sc.set.Hal[h.card-1][0].Color - sc.set.Hal[h.card-1][1].Color
		if h.tries != 2 || e.Color != third || p.dice[third][e.Value] == 0 {
			sc.fail("R15.3: a %s die goes back after %d tries", e.Color, h.tries)
		}
		p.dice[e.Color][e.Value]--
		sc.dice[e.Color]++
		sc.win(Hal, 3, ByReward)
	case EvActed:
		at := sc.set.Locs[e.Loc]
		h.value = h.die
		if sc.damage[e.Loc] == 2 && h.die > 0 {
			h.value--
		}
		if at.Action != h.half.Action || at.Color != h.half.Color || int(e.N) != h.value {
			sc.fail("R15.6: %s %s with value %d", h.half.Color, h.half.Action, h.value)
		}
		h.shop, h.row = slices.Clone(h.display), h.slots
	case EvTileTaken:
		h.tiles = append(h.tiles, e.Tile)
	case EvCubeRemoved:
		if e.Loc > 0 {
			sc.damage[e.Loc]--
			h.cubes = append(h.cubes, int(e.Loc))
		} else {
			sc.cubes[e.Color]--
			h.cubes = append(h.cubes, 7+int(e.Color))
		}
	case EvDestroyed:
		if n := len(h.dest); n == 0 || h.dest[n-1] != int(e.Loc) {
			h.dest = append(h.dest, int(e.Loc))
		}
		h.ravs[e.Loc]++ // counted when he is done
		for seat, n := range sc.caught[e.Card] {
			sc.p[seat].brk += n
		}
		sc.caught[e.Card] = [MaxPlayers + 1]int{}
	case EvHalDrew:
		h.drew = e.Card
	case EvNothingToDraw:
		h.idle = true
	case EvPlaced:
		if e.Card != h.drew || sc.lying[e.Hex].card != 0 {
			sc.fail("R15.10: %s was drawn, or a card lies there", h.drew)
		}
		h.at = e.Hex
		sc.lying[e.Hex] = mission{e.Card, Hal}
		p.brk--
	case EvDieBack:
		sc.dice[e.Color]++
		sc.used = None
		sc.halDone()
	case EvCollected: // R15.11
		m := sc.set.Missions[e.Card]
		c := m.Color
		switch m.Kind {
		case 1:
			sc.weigh(x[c], 2, ByActivation)
		case 2:
			sc.weigh(x[c], 1, ByActivation)
			sc.win(Hal, 1, ByActivation)
		case 3:
			sc.weigh(x[c], 1, ByActivation)
			sc.weigh([3]Good{Resource, Ship, Resource}[c], 1, ByActivation)
		case 4:
			sc.weigh(x[c], 1, ByActivation)
			sc.weigh([3]Good{Robot, Robot, Ship}[c], 1, ByActivation)
		case 5, 7:
			sc.win(Hal, 2, ByActivation)
		default:
			sc.win(Hal, 3, ByActivation)
		}
	default:
		return false
	}
	return true
}

// wanted is the half that Hal looks at.
func (sc *scorer) wanted() component.Half {
	k := min(sc.hal.tries, 1)
	if sc.hal.wasB {
		k = 1 - k
	}
	return sc.set.Hal[sc.hal.card-1][k]
}

// weigh is R15.2.
func (sc *scorer) weigh(g Good, n int, from Source) {
	w := sc.set.Weights
	sc.win(Hal, n*int(map[Good]uint8{Ship: w.Ship, Resource: w.Resource, Robot: w.Robot}[g]), from)
}

// halDone holds what Hal did with the die to R15.6 to R15.9; Command waits for
// the sight of Space.
func (sc *scorer) halDone() {
	h, w := &sc.hal, sc.set.Weights
	v := h.value
	did := len(h.tiles) + len(h.cubes) + len(h.dest)
	switch h.half.Action {
	case component.Command:
		if did > 0 {
			sc.fail("R15.10: Command took things")
		}
		sc.sight = true
		return
	case component.Discover:
		if want := sc.halTiles(v); !slices.Equal(want, h.tiles) {
			sc.fail("R15.7: with %d he takes %v, told %v", v, want, h.tiles)
		}
		for _, t := range h.tiles {
			if t.Advanced() {
				sc.win(Hal, int(w.Advanced), ByTile)
			} else {
				sc.win(Hal, int(w.Technology), ByTile)
			}
		}
	case component.Repair:
		if want := sc.halCubes(v); !slices.Equal(want, h.cubes) {
			sc.fail("R15.8: with %d he removes %v, told %v", v, want, h.cubes)
		}
		sc.win(Hal, len(h.cubes)*int(w.Debris), ByTile)
	case component.Destroy:
		want, n := sc.halLocations(v)
		if !slices.Equal(want, h.dest) {
			sc.fail("R15.9: with %d he destroys %v, told %v", v, want, h.dest)
		}
		for _, l := range h.dest {
			h.ravs[l] = 0
		}
		sc.win(Hal, n*int(w.Ravager), ByTile)
	}
	if did == 0 {
		sc.win(Hal, 3, ByReward)
	}
	sc.saw.hal[h.half.Action]++
}

func (sc *scorer) halTiles(v int) (want []Tile) {
	h := &sc.hal
	cheap := 0 // the furthest space with a tile that costs 1
	for i, t := range h.shop {
		if t != 0 && sc.set.Costs[i] == 1 {
			cheap = i
		}
	}
	var advanced Tile
	for _, t := range h.row {
		if t != 0 {
			advanced = t
		}
	}
	if !h.half.Mod && v >= 2 && advanced != 0 {
		want = append(want, advanced)
		if v == 3 && cheap > 0 {
			want = append(want, h.shop[cheap])
		}
		return want
	}
	for i := len(h.shop) - 1; i >= 0; i-- {
		if cost := int(sc.set.Costs[i]); h.shop[i] != 0 && cost <= v {
			want = append(want, h.shop[i])
			v -= cost
		}
	}
	return want
}

func (sc *scorer) halCubes(v int) (want []int) {
	damage, dice := sc.damage, sc.cubes
	for _, at := range sc.hal.cubes { // as it was before
		if at >= 7 {
			dice[at-7]++
		} else {
			damage[at]++
		}
	}
	order := []int{1, 2, 3, 4, 5, 6}
	if sc.hal.half.Mod {
		slices.Reverse(order)
	}
	var all []int
	for _, l := range order {
		for range damage[l] {
			all = append(all, l)
		}
	}
	for c, n := range dice {
		for range n {
			all = append(all, 7+c)
		}
	}
	return all[:min(v, len(all))]
}

// halLocations tries every set, written as a list in the card's direction.
func (sc *scorer) halLocations(v int) (best []int, most int) {
	order := []int{1, 2, 3, 4, 5, 6}
	if sc.hal.half.Mod {
		slices.Reverse(order)
	}
	var try func(k int, list []int, total int)
	try = func(k int, list []int, total int) {
		if total > v {
			return
		}
		if k == 6 {
			if total > most { // lists come in their order: the first of equals stays
				best, most = slices.Clone(list), total
			}
			return
		}
		if n := sc.hal.ravs[order[k]]; n > 0 {
			try(k+1, append(list, order[k]), total+n)
		}
		try(k+1, list, total)
	}
	try(0, nil, 0)
	return best, most
}

// halCommanded is R15.10, by the sight of Space after Hal's turn.
func (sc *scorer) halCommanded(v *View) {
	h := &sc.hal
	sc.sight = false
	sc.saw.hal[component.Command]++
	if h.idle {
		if h.drew != 0 || h.at != 0 {
			sc.fail("R15.10: no card, and %s at %s", h.drew, h.at)
		}
		sc.win(Hal, 3, ByReward)
		return
	}
	c := h.half.Color
	m := sc.set.Missions[h.drew]
	if m.Color != c {
		sc.fail("R15.10: a %s card for a %s die", m.Color, c)
	}
	strips := slices.Clone(v.Strips)
	if m.Activation() {
		slices.Reverse(strips)
	}
	for _, s := range strips {
		var free []HexView
		for _, x := range s.Hexes {
			if x.Color == c && !x.Spes && (x.Card == 0 || x.At == h.at) {
				x.Comet = x.Comet || x.At == h.at && h.comet
				free = append(free, x)
			}
		}
		if len(free) == 0 {
			continue
		}
		want := free[0]
		for _, x := range free {
			if x.Comet && len(free) > 1 && !want.Comet {
				want = x
			}
		}
		if want.At != h.at {
			sc.fail("R15.10: %s belongs on %s, told %s", h.drew, want.At, h.at)
		}
		if want.Comet && (!sc.opt.First || len(free) > 1) {
			sc.win(Hal, 3, ByReward)
		}
		r := m.Reward
		sc.weigh(Ship, int(r.Ships), ByReward)
		sc.weigh(Resource, int(r.Resources), ByReward)
		sc.weigh(Robot, int(r.Robots), ByReward)
		sc.win(Hal, int(r.VP), ByReward)
		return
	}
	if h.at != 0 {
		sc.fail("R15.10: %s lies at %s, no hex was free", h.drew, h.at)
	}
	sc.win(Hal, 3, ByReward)
}

// TestScorerBitesHal gives the second scorer other weights, other cards of
// Hal's and other boosts than the engine has: it must disagree.
func TestScorerBitesHal(t *testing.T) {
	for name, print := range map[string]func(*component.Set){
		"Technology": func(s *component.Set) { s.Weights.Technology++ },
		"Advanced":   func(s *component.Set) { s.Weights.Advanced++ },
		"Debris":     func(s *component.Set) { s.Weights.Debris++ },
		"Ravager":    func(s *component.Set) { s.Weights.Ravager++ },
		"goods":      func(s *component.Set) { s.Weights.Resource++ },
		"manner": func(s *component.Set) {
			for i := range s.Hal {
				for k := range s.Hal[i] {
					s.Hal[i][k].Mod = !s.Hal[i][k].Mod
				}
			}
		},
		"halves": func(s *component.Set) {
			for i := range s.Hal {
				s.Hal[i][0], s.Hal[i][1] = s.Hal[i][1], s.Hal[i][0]
			}
		},
		"boosts": func(s *component.Set) {
			for i := range s.Tiles {
				if s.Tiles[i].Boost > 0 {
					s.Tiles[i].Boost = s.Tiles[i].Boost%4 + 1
				}
			}
		},
	} {
		found := false
		for n := 1; n <= 60 && !found; n++ {
			var told Tale
			g, err := newRandomGame(1, n, &told)
			if err != nil {
				t.Fatal(err)
			}
			set := *g.set
			print(&set)
			found = newScorer(&set, g.opt).follow(g, &told) != nil
		}
		if !found {
			t.Errorf("%s: the second scorer agrees with a game of another print", name)
		}
	}
}
