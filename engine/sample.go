package engine

import (
	"math/bits"

	"angelpost/engine/component"
)

// Sample returns a whole position that v's viewer may be in. Everything they see is
// unchanged; what they do not see (R1.5) is dealt at random from the cards and tiles they
// cannot place. rnd gives uniform 64-bit numbers. Sample ignores what they could infer only
// from other players' actions. Bots use it to think ahead: a View contains no hidden State,
// so a sample cannot reveal any. The sample's decks are its own, and so must be the Random
// it goes on with.
func (v *View) Sample(rnd func() uint64) State {
	s := v.masked
	s.masked = false
	for q := range s.p {
		s.p[q].hidden = [2]uint8{}
	}
	s.sampleMissions(v, rnd)
	s.sampleRavagers(v, rnd)
	s.sampleTiles(rnd)
	mix(rnd, s.hal[:s.nhal])
	return s
}

// mix is a Fisher-Yates shuffle by rnd.
func mix[T any](rnd func() uint64, items []T) {
	for i := len(items) - 1; i > 0; i-- {
		hi, _ := bits.Mul64(rnd(), uint64(i+1))
		items[i], items[hi] = items[hi], items[i]
	}
}

// sampleMissions deals the Mission cards the viewer cannot place to the others'
// hands and slots, the discards and the decks.
func (s *State) sampleMissions(v *View, rnd func() uint64) {
	var seen uint64
	for m := s.cards; m != 0; m &= m - 1 {
		seen |= missionBit(s.card[bits.TrailingZeros64(m)])
	}
	for q := range s.players {
		p := &s.p[q]
		seen |= p.hand
		for c := range p.tucked {
			seen |= uint64(p.tucked[c]) << (c*20 + 1)
		}
		for _, card := range p.slot {
			if card != 0 && !card.Hidden() && !card.Ravager() {
				seen |= missionBit(card)
			}
		}
		for _, d := range p.debts[:p.ndebts] {
			if d.Ask == AskKeep && !d.Card.Hidden() {
				seen |= missionBit(d.Card) | missionBit(d.Card2)
			}
		}
	}
	for c := range 3 {
		s.discard[c] = 0 // which of how many is not seen
		var pool [20]Card
		n := 0
		for m := handMask[c] &^ seen; m != 0; m &= m - 1 {
			pool[n] = Card(bits.TrailingZeros64(m))
			n++
		}
		mix(rnd, pool[:n])
		next := func() Card { n--; return pool[n] }
		for q := range s.players {
			p := &s.p[q]
			for i, card := range p.slot {
				if card == BackOrange+Card(c) {
					p.slot[i] = next()
				}
			}
			for i := range p.debts[:p.ndebts] { // two cards drawn, one to be kept (R4.9)
				if d := &p.debts[i]; d.Ask == AskKeep && d.Card == BackOrange+Card(c) {
					a, b := next(), next()
					d.Card, d.Card2 = min(a, b), max(a, b)
				}
			}
			if Seat(q+1) != v.Viewer {
				for range v.Players[q].Hand[c] {
					p.hand |= missionBit(next())
				}
			}
		}
		for range v.Decks[PileOrange+Pile(c)].Discarded {
			s.putDown(next())
		}
		for i := range s.ndeck[c] {
			s.deck[c][i] = next()
		}
	}
}

// sampleRavagers does the same for the Ravagers; those removed at set-up (R2.6)
// stay unknown.
func (s *State) sampleRavagers(v *View, rnd func() uint64) {
	s.rdisc = 0 // which of how many is not seen
	seen := s.seenRavagers()
	var pool [30]Card
	n := 0
	for m := ^seen & (1<<30 - 1); m != 0; m &= m - 1 {
		pool[n] = component.FirstRaider + Card(bits.TrailingZeros32(m))
		n++
	}
	mix(rnd, pool[:n])
	next := func() Card { n--; return pool[n] }
	for q := range s.players {
		p := &s.p[q]
		for i, card := range p.slot {
			if card == BackRavager {
				p.slot[i] = next()
			}
		}
		if Seat(q+1) != v.Viewer {
			for range v.Players[q].Ravagers {
				p.ravs |= ravBit(next())
			}
		}
	}
	for range v.Decks[PileRavager].Discarded {
		s.putDown(next())
	}
	for i := range s.nrdeck {
		s.rdeck[i] = next()
	}
}

// seenRavagers are the Ravager cards that are not hidden, bit n-61.
func (s *State) seenRavagers() (seen uint32) {
	for l := range s.rav {
		for _, card := range s.rav[l][:s.nrav[l]] {
			seen |= ravBit(card)
		}
	}
	for q := range s.players {
		seen |= s.p[q].ravs
		for _, card := range s.p[q].slot {
			if card.Ravager() && !card.Hidden() {
				seen |= ravBit(card)
			}
		}
	}
	return seen
}

// sampleTiles orders the Technology stacks beneath their visible tops, and the
// deck of Advanced tiles.
func (s *State) sampleTiles(rnd func() uint64) {
	var seen uint64 // Technology tiles, bit n-1
	seenAdv := s.boxed
	see := func(list ...Tile) {
		for _, t := range list {
			switch {
			case t.Advanced():
				seenAdv |= 1 << (t - FirstAdvanced)
			case t != 0:
				seen |= 1 << (t - 1)
			}
		}
	}
	see(s.display[:]...)
	see(s.slots[:]...)
	see(s.inject[:]...)
	for q := range s.players {
		p := &s.p[q]
		for _, c := range p.grid {
			see(c.tile)
		}
		see(p.space[:]...)
		seen |= p.ejected
		seenAdv |= p.ejectedAdv
	}
	for c := range 3 {
		seen |= s.tdisc[c]
		if n := s.nstack[c]; n > 0 {
			see(s.stack[c][n-1])
		}
	}
	for c := range 3 {
		var pool [16]Tile
		n := 0
		for i := range component.Tiles {
			if t := Tile(i + 1); seen>>i&1 == 0 && s.set.Tiles[t].Color == Color(c) {
				pool[n] = t
				n++
			}
		}
		mix(rnd, pool[:n])
		if left := int(s.nstack[c]) - 1; left > 0 {
			copy(s.stack[c][:left], pool[:n])
		}
	}
	var pool [component.Advanced]Tile
	n := 0
	for i := range component.Advanced {
		if seenAdv>>i&1 == 0 {
			pool[n] = FirstAdvanced + Tile(i)
			n++
		}
	}
	mix(rnd, pool[:n])
	copy(s.advDeck[:s.nadv], pool[:n])
}
