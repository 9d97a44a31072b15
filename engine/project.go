package engine

import (
	"math/bits"
	"slices"

	"angelpost/engine/component"
)

// mask sets m to s without what viewer may not see (R1.5): other hands and face-down cards
// unless they are open, the order of every deck, and the cards in the discards (Q1.5a).
func (s *State) mask(viewer Seat, open bool, m *State) {
	*m = *s
	m.masked = true
	for c := range m.deck {
		m.deck[c], m.discard[c] = [20]Card{}, 1<<bits.OnesCount32(m.discard[c])-1 // as many
		top := Tile(0)
		if n := m.nstack[c]; n > 0 {
			top = m.stack[c][n-1]
		}
		m.stack[c] = [16]Tile{}
		if n := m.nstack[c]; n > 0 {
			m.stack[c][n-1] = top // visible (R2.3)
		}
	}
	m.rdeck, m.rdisc = [30]Card{}, 1<<bits.OnesCount32(m.rdisc)-1
	slices.Sort(m.hal[:m.nhal]) // which are left is seen, not their order
	clear(m.hal[m.nhal:])
	m.advDeck = [component.Advanced]Tile{}
	m.chance = [streams]uint32{}
	if open {
		return
	}
	for q := range m.players {
		if Seat(q+1) == viewer {
			continue
		}
		p := &m.p[q]
		p.hidden = [2]uint8{uint8(p.missions()), uint8(p.ravagers())} // their number is seen
		p.hand, p.ravs = 0, 0
		for i := range p.slot {
			p.slot[i] = p.slot[i].Back()
		}
		for i := range p.debts[:p.ndebts] {
			if d := &p.debts[i]; d.Ask == AskKeep {
				d.Card, d.Card2 = d.Card.Back(), d.Card2.Back()
			}
		}
	}
}

// Project is what viewer may see; 0 is the public. Once the game is finished
// the hands are open to all.
func (s *State) Project(viewer Seat) *View { return s.project(viewer, s.finished) }

// Reveal is what viewer may see of a position that a game, finished now, once
// passed through: the hands are open to all, as they are at its end.
func (s *State) Reveal(viewer Seat) *View { return s.project(viewer, true) }

// Closed is Project without the hands that the end of the game opens: what viewer
// may see of an end that was only tried.
func (s *State) Closed(viewer Seat) *View { return s.project(viewer, false) }

func (s *State) project(viewer Seat, open bool) *View {
	v := &View{
		Viewer: viewer, Set: s.set, Options: Options{Players: int(s.players), Advanced: s.advanced, First: s.first, Hal: s.level, Version: int(s.rules.version)},
		Round: int(s.round), Turn: int(s.turn), Seat: s.seat,
		Decision: s.Asked(viewer), Finished: s.finished, Revealed: open,
		Ending: s.ending, LastRound: s.ending != NotEnded && s.round == s.endRound,
		BlackAngel: s.hex(s.angel()), AdvancedLeft: int(s.nadv), Slots: s.slots,
		Die:    DieView{Color: None},
		Strips: make([]StripView, s.nstrips), Players: make([]PlayerView, s.lastSeat()),
	}
	s.mask(viewer, open, &v.masked)
	if s.seat != 0 {
		v.Asked = s.Asked(s.seat)
	}
	for q := range s.players {
		if s.ToAct(Seat(q + 1)) {
			v.ToAct = append(v.ToAct, Seat(q+1))
		}
	}
	s.projectSpace(v)
	for loc := 1; loc <= 6; loc++ {
		l := LocView{Location: s.set.Locs[loc], Damage: int(s.damage[loc-1])}
		for k := range s.nrav[loc-1] {
			tr := TrapView{Card: s.rav[loc-1][k]}
			for q, n := range s.trapped[loc-1][k] {
				for range n {
					tr.Robots = append(tr.Robots, Seat(q+1))
				}
			}
			l.Ravagers = append(l.Ravagers, tr)
		}
		v.Locs[loc] = l
	}
	v.Display = append(v.Display, s.display[:len(s.set.Costs)]...)
	for c := range 3 {
		v.Supply[c] = SupplyView{int(s.dice[c] + s.damaged[c]), int(s.damaged[c])}
		v.Decks[PileOrange+Pile(c)] = DeckView{int(s.ndeck[c]), bits.OnesCount32(s.discard[c])}
		v.Decks[PileTileOrange+Pile(c)] = DeckView{int(s.nstack[c]), bits.OnesCount64(s.tdisc[c])}
		if n := s.nstack[c]; n > 0 {
			v.TopTile[c] = s.stack[c][n-1]
		}
	}
	v.Decks[PileRavager] = DeckView{int(s.nrdeck), bits.OnesCount32(s.rdisc)}
	if s.neutralSeat {
		v.Neutral = &NeutralView{Robots: s.neutral}
		for c, d := range s.neutralDie {
			if d > 0 {
				v.Neutral.Dice = append(v.Neutral.Dice, DieView{Color(c), d - 1})
			}
		}
	}
	if s.solo {
		v.Decks[PileHal] = DeckView{int(s.nhal), len(s.hal) - int(s.nhal)}
	}
	for q := range v.Players {
		s.projectPlayer(Seat(q+1), open || Seat(q+1) == viewer, &v.Players[q])
	}
	s.projectTurn(v)
	v.Winners = s.Winners()
	return v
}

func (s *State) projectSpace(v *View) {
	spes := s.spes()
	for i := range int(s.nstrips) * 5 {
		k := s.print(i)
		h := HexView{
			At: s.hex(i), Color: k.Color, Asteroid: k.Color == None, Comet: k.Comet,
			Icons: int(k.Ravagers), Card: s.card[i], Owner: s.owner[i],
		}
		switch { // what is covered is not seen (Q5.5c, Q5.5e)
		case i == spes:
			h = HexView{At: h.At, Color: None, Spes: true}
		case h.Card != 0:
			h.Comet, h.Icons = false, 0
		}
		for q := range s.players {
			if s.fleet[q]>>i&1 == 1 {
				h.Ships = append(h.Ships, Seat(q+1))
			}
		}
		v.Strips[i/5].Number = h.At.Strip()
		v.Strips[i/5].Hexes[i%5] = h
	}
	if spes >= 0 {
		v.SpesHex = s.hex(spes)
	} else {
		v.SpesToken = int(s.nstrips)
	}
}

func (s *State) projectPlayer(seat Seat, open bool, v *PlayerView) {
	p := &s.p[seat-1]
	*v = PlayerView{Seat: seat, VP: int(p.vp)}
	for i, n := range p.by {
		v.By[i] = int(n)
	}
	if s.finished {
		v.Final = int(p.vp)
	}
	v.Resources, v.Debris, v.Ships = int(p.resources), int(p.debris), int(p.ships)
	v.Break, v.RobotSupply = int(p.brk), int(p.robots)
	v.Pilots = bits.OnesCount64(s.fleet[seat-1])
	v.OnCards = s.inSpace(seat, None, 0)
	for l := range s.trapped {
		for k := range s.nrav[l] {
			v.Trapped += int(s.trapped[l][k][seat-1])
		}
	}
	for c := range 3 {
		v.Stations[c] = int(p.station[c])
		v.Hand[c] = p.missionsOf(Color(c))
		for val := range uint8(4) {
			for range p.std[c][val] {
				v.Standard = append(v.Standard, DieView{Color(c), val})
			}
			for range p.sec[c][val] {
				v.Secure = append(v.Secure, DieView{Color(c), val})
			}
		}
		for m := p.tucked[c]; m != 0; m &= m - 1 {
			v.Tucked[c] = append(v.Tucked[c], Card(c*20+bits.TrailingZeros32(m)+1))
		}
	}
	v.Ravagers = p.ravagers()
	if open {
		v.Cards = make([]Card, 0, 8)
		for m := p.hand; m != 0; m &= m - 1 {
			v.Cards = append(v.Cards, Card(bits.TrailingZeros64(m)))
		}
		for m := p.ravs; m != 0; m &= m - 1 {
			v.Cards = append(v.Cards, component.FirstRaider+Card(bits.TrailingZeros32(m)))
		}
	}
	for i, card := range p.slot {
		if !open {
			card = card.Back()
		}
		if i < 3 {
			v.Rows[i] = card
		} else {
			v.Columns[i-3] = card
		}
	}
	for i, c := range p.grid {
		v.Grid[i] = CellView{Tile: c.tile, Debris: c.debris, Boost: c.boost}
	}
	v.Spaces = p.space
	for m := p.ejected; m != 0; m &= m - 1 {
		v.Ejected = append(v.Ejected, Tile(bits.TrailingZeros64(m)+1))
	}
	for m := p.ejectedAdv; m != 0; m &= m - 1 {
		v.Ejected = append(v.Ejected, FirstAdvanced+Tile(bits.TrailingZeros16(m)))
	}
}

// dieLies reports whether the die of A2 is taken.
func (s *State) dieLies() bool { return s.seat != 0 && s.ask > AskA1 && s.ask != AskReserve }

// projectTurn shows the turn in progress and what the viewer owes.
func (s *State) projectTurn(v *View) {
	if s.dieLies() {
		v.Die = DieView{s.hue, s.dieValue}
		v.Acting, v.Using, v.Left, v.Ship = s.loc, s.using, int(s.left), s.ship
		for _, t := range s.inject {
			if t != 0 && s.ask == AskInject {
				v.ToInject = append(v.ToInject, t)
			}
		}
	}
	if v.Viewer > 0 && v.Viewer <= Seat(s.players) {
		p := &s.p[v.Viewer-1]
		v.Owed = append(v.Owed, p.debts[:p.ndebts]...)
	}
}

// Legal appends the viewer's own legal steps: the same list as State.Legal.
func (v *View) Legal(buf []Step) []Step { return v.masked.Legal(v.Viewer, buf) }

// Refuse is why a step that is not legal for the viewer is refused.
func (v *View) Refuse(st Step) *Illegal { return v.masked.refuse(v.Viewer, st) }

// Known is the position as the viewer knows it: what is hidden is taken out, and
// nothing can be drawn.
func (v *View) Known() State { return v.masked }
