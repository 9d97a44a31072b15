package engine_test

import (
	"slices"

	. "angelpost/engine"
	"angelpost/engine/component"
)

// What cards and tiles are worth to the second scorer: prices and activations
// (section 10), neutralization (section 7), the end (section 8).

// x are the goods X of a colour; Y is a tile, Debris or a Ravager card.
var x = [3]Good{Ship, Resource, Robot}

// payTile is "technology" as a price (section 10).
func (sc *scorer) payTile(seat Seat, t Tile) {
	p := &sc.p[seat]
	switch cell := slices.Index(p.grid[:], t); {
	case t == 0 || t.Advanced():
		sc.fail("%s is no price", t)
	case p.beside[t]:
		p.beside[t] = false
	case cell < 0:
		sc.fail("seat %d has no %s", seat, t)
	default:
		p.grid[cell] = 0
		p.boost[cell] = false
		if p.loaded[cell] {
			p.loaded[cell] = false
			p.debris++
		}
	}
}

// payY spends n Y of the colour: tiles and cards were told before.
func (sc *scorer) payY(seat Seat, c Color, n int) {
	if c == Gray {
		sc.spend(seat, Debris, n)
		return
	}
	sc.priced[seat] -= n
}

// collect is one activation of an activation Mission (section 10).
func (sc *scorer) collect(seat Seat, card Card) {
	m := sc.set.Missions[card]
	c := m.Color
	sc.saw.card[card]++
	switch m.Kind {
	case 1:
		sc.gain(seat, x[c], 2)
	case 2:
		sc.gain(seat, x[c], 1)
		sc.win(seat, 1, ByActivation)
	case 3:
		sc.gain(seat, x[c], 1)
		sc.gain(seat, [3]Good{Resource, Ship, Resource}[c], 1)
	case 4:
		sc.gain(seat, x[c], 1)
		sc.gain(seat, [3]Good{Robot, Robot, Ship}[c], 1)
	case 5:
		sc.spend(seat, x[c], 1)
		sc.win(seat, 2, ByActivation)
	case 6:
		sc.spend(seat, x[c], 2)
		sc.win(seat, 3, ByActivation)
	case 7:
		sc.payY(seat, c, 1)
		sc.win(seat, 2, ByActivation)
	case 8:
		sc.payY(seat, c, 2)
		sc.win(seat, 3, ByActivation)
	case 9, 10, 11:
		sc.spend(seat, [3]Good{Resource, Robot, Ship}[m.Kind-9], 1)
		sc.payY(seat, c, 1)
		sc.win(seat, 3, ByActivation)
	case 12:
		sc.spend(seat, x[c], 1)
		sc.priced[seat]--
		sc.win(seat, 3, ByActivation)
	default:
		sc.fail("R5.6: %s cannot be activated", card)
	}
}

// eject is R6.4 (b): effects first, then the cards are tucked, then robots and
// ships on the strip go to the supply (Q6.4b, Q6.4c).
func (sc *scorer) eject() {
	sc.ejecting = false
	var strip [component.Lanes]mission
	for lane := range strip {
		h := HexAt(sc.advances, lane)
		strip[lane], sc.lying[h] = sc.lying[h], mission{}
	}
	for lane, m := range strip {
		if m.card == 0 || sc.set.Missions[m.card].Activation() {
			continue
		}
		if !sc.solo() || m.owner != Hal { // R15.11
			sc.reach(m, m.owner, true, sc.p[m.owner].fleet[HexAt(sc.advances, lane)])
		}
		for seat := Seat(1); int(seat) <= sc.players; seat++ {
			if seat != m.owner && sc.p[seat].fleet[HexAt(sc.advances, lane)] {
				sc.reach(m, seat, false, true)
			}
		}
	}
	for _, m := range strip {
		if m.card == 0 {
			continue
		}
		if sc.solo() && m.owner == Hal {
			sc.win(Hal, 3, ByNeutralization)
			sc.p[Hal].brk++
			sc.tucks = append(sc.tucks, Event{Kind: EvHalEjected, Seat: Hal, Card: m.card})
			continue
		}
		sc.p[m.owner].tucked[m.card.Color()]++
		sc.p[m.owner].supply++
		sc.tucks = append(sc.tucks, Event{Kind: EvTucked, Seat: m.owner, Card: m.card})
	}
	for seat := range sc.p {
		for lane := range strip {
			if h := HexAt(sc.advances, lane); sc.p[seat].fleet[h] {
				sc.p[seat].fleet[h] = false
				sc.p[seat].supply++
				sc.gone[seat][h] = true
			}
		}
	}
}

// reach is section 7: the effect of a neutralization card on one player.
func (sc *scorer) reach(m mission, seat Seat, owner, ship bool) {
	p := &sc.p[seat]
	c := sc.set.Missions[m.card].Color
	other := c.Others()
	before := *p
	switch kind := sc.set.Missions[m.card].Kind; kind {
	case 13: // Q7.1
		sc.gain(seat, x[c], 3)
	case 14:
		if owner {
			for _, g := range x {
				if g != x[c] {
					sc.gain(seat, g, 1)
				}
			}
		}
		if ship {
			sc.gain(seat, x[c], 3)
		}
	case 15:
		sc.win(seat, 3, ByNeutralization)
	case 16:
		if owner {
			sc.gain(seat, x[c], 3)
		}
		if ship {
			sc.win(seat, 3, ByNeutralization)
		}
	case 17, 18: // R7.2
		sc.win(seat, 3*sc.own(seat, other[kind-17]), ByNeutralization)
	case 19, 20:
		sc.win(seat, 3*sc.p[seat].tucked[other[kind-19]], ByNeutralization)
	}
	if p.vp != before.vp || p.ships != before.ships || p.resources != before.resources || p.debris != before.debris || p.brk != before.brk {
		sc.saw.card[m.card]++
	}
	parts := []bool{owner}
	if kind := sc.set.Missions[m.card].Kind; owner && ship && (kind == 14 || kind == 16) {
		parts = append(parts, false) // both parts reach the owner (R7.1)
	}
	for _, part := range parts {
		sc.reached = append(sc.reached, Event{Kind: EvNeutralized, Seat: seat, Card: m.card, Flag: part})
	}
}

// own counts a player's Missions in Space, of a colour or (None) of all.
func (sc *scorer) own(seat Seat, c Color) (n int) {
	for _, m := range sc.lying {
		if m.card != 0 && m.owner == seat && (c == None || m.card.Color() == c) {
			n++
		}
	}
	return n
}

// finish is R8.5 and R8.6.
func (sc *scorer) finish() {
	for seat := Seat(1); int(seat) <= sc.players; seat++ {
		p := &sc.p[seat]
		for kind := 1; kind <= 8; kind++ {
			n := 2 * share(sc.elements(seat, kind), sc.caps(seat, kind))
			if n != sc.scores[seat][kind] {
				sc.fail("R8.6: seat %d has %d VP for K%d, told %d", seat, n, kind, sc.scores[seat][kind])
			}
			sc.win(seat, n, ByAdvanced)
			sc.saw.advanced[kind] += n
		}
		goods := 0
		if sc.ending == BySpes {
			goods = (p.brk + p.resources + p.ships) / 2
		}
		sc.win(seat, goods, ByGoods)
		if goods != sc.goods[seat] || p.vp != sc.final[seat] {
			sc.fail("R8.5: seat %d has %d VP for goods and %d in all, told %d and %d", seat, goods, p.vp, sc.goods[seat], sc.final[seat])
		}
	}
	sc.over = false
	sc.saw.ending[sc.ending]++
}

// caps are how many elements each of a player's tiles of the kind may score.
func (sc *scorer) caps(seat Seat, kind int) (caps []int) {
	p := &sc.p[seat]
	is := func(t Tile) bool { return t.Advanced() && int(sc.set.Advanced[t-FirstAdvanced+1]) == kind }
	for _, t := range p.grid {
		if is(t) {
			caps = append(caps, 4/2)
		}
	}
	for t, there := range p.beside {
		if there && is(Tile(t)) {
			caps = append(caps, 4/2)
		}
	}
	for c, t := range p.space {
		if is(t) {
			caps = append(caps, (4+2*p.tucked[c])/2)
		}
	}
	return caps
}

// elements counts what a kind of Advanced tile counts.
func (sc *scorer) elements(seat Seat, kind int) (n int) {
	p := &sc.p[seat]
	count := func(ok bool) {
		if ok {
			n++
		}
	}
	switch kind {
	case 1, 2, 3:
		for _, t := range p.grid {
			count(t != 0 && !t.Advanced() && sc.set.Tiles[t].Color == Color(kind-1))
		}
	case 4:
		for t, there := range p.beside {
			count(there && !Tile(t).Advanced())
		}
	case 5:
		n = p.debris
		for _, there := range p.loaded {
			count(there)
		}
	case 6:
		for c, there := range p.hand {
			count(there && c >= component.FirstRaider)
		}
	case 7:
		for _, t := range p.grid {
			count(t.Advanced())
		}
		for t, there := range p.beside {
			count(there && Tile(t).Advanced())
		}
		for _, t := range p.space {
			count(t != 0)
		}
	case 8:
		n = sc.own(seat, None)
	}
	return n
}

// share is the most of n like elements that tiles with these caps can score
// when each element serves one of them: every way to share them out is tried.
func share(n int, caps []int) (most int) {
	if len(caps) == 0 {
		return 0
	}
	for k := range min(n, caps[0]) + 1 {
		most = max(most, k+share(n-k, caps[1:]))
	}
	return most
}
