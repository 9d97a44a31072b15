package engine_test

import (
	. "angelpost/engine"
	"angelpost/engine/component"
)

// The second scorer's account of section 14: which tiles lie boost side up,
// what the die in use counts as, and the cards one may choose from.

// boosting is a turn's die as boosts change it.
type boosting struct {
	hue    Color
	value  int
	pledge component.Action // of the B1 turned
	owed   int              // their VP
	free   Cell             // the B4 turned, its reservation still to be told
	turned Cell             // turned early, its activation still to be told
}

// boosted is R14.2: the tile lies boost side up, fits the die as it now is, and
// makes of it what is told.
func (sc *scorer) boosted(e Event) {
	p, b := &sc.p[e.Seat], &sc.boosting
	if p.grid[e.Cell] != e.Tile || !p.boost[e.Cell] {
		sc.fail("R14.1: %s at %s bears no boost", p.grid[e.Cell], e.Cell)
		return
	}
	p.boost[e.Cell] = false
	print := sc.set.Tiles[e.Tile]
	sc.saw.boost[print.Boost]++
	if print.Boost == 4 {
		b.free = e.Cell
		return
	}
	if print.For != b.hue {
		sc.fail("Q14.2: a boost for %s dice and a die that counts as %s", print.For, b.hue)
	}
	switch print.Boost {
	case 1:
		if b.pledge != component.NoAction && b.pledge != print.Action {
			sc.fail("R14.2: turned for %s and for %s", b.pledge, print.Action)
		}
		b.pledge = print.Action
		b.owed += 2
	case 2:
		if b.value == 3 {
			sc.fail("R14.2: a 3 is made a 3")
		}
		b.value = 3
	case 3:
		if b.hue == e.Color || b.pledge != component.NoAction {
			sc.fail("R14.2: a %s die becomes %s", b.hue, e.Color)
		}
		b.hue = e.Color
	}
	if e.Color != b.hue || int(e.Value) != b.value {
		sc.fail("R14.2: the die is %s %d, told %s %d", b.hue, b.value, e.Color, e.Value)
	}
}

// acted holds the action to the die: its colour, its value after Damage (R4.7),
// the B1 turned for it.
func (sc *scorer) acted(e Event) {
	b, at := &sc.boosting, sc.set.Locs[e.Loc]
	v := b.value
	if sc.damage[e.Loc] == 2 && v > 0 {
		v--
	}
	if at.Color != b.hue || int(e.N) != v || b.pledge != component.NoAction && at.Action != b.pledge {
		sc.fail("R4.6: a %s %d acts at %d with value %d", b.hue, b.value, e.Loc, e.N)
	}
}

// offered and kept are R4.9: two cards drawn, one kept, the other discarded.
func (sc *scorer) offered(e Event) {
	p := &sc.p[e.Seat]
	if p.offer = append(p.offer, e.Card); len(p.offer) > 2 || p.offer[0].Color() != e.Card.Color() {
		sc.fail("R4.9: %v are drawn to keep one", p.offer)
	}
}

func (sc *scorer) kept(e Event) {
	p := &sc.p[e.Seat]
	for i, c := range p.offer {
		if c != e.Card {
			continue
		}
		p.offer = append(p.offer[:i:i], p.offer[i+1:]...)
		if e.Kind == EvKept {
			p.hand[c] = true
		}
		if (e.Kind == EvKept) != (len(p.offer) == 1) {
			sc.fail("R4.9: %v are left", p.offer)
		}
		return
	}
	sc.fail("R4.9: %s was not offered", e.Card)
}
