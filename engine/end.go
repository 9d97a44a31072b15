package engine

import (
	"math/bits"
)

// handLimit is how many Mission cards a hand may hold at the end of a turn (R3.2).
const handLimit = 6

// endTurn notes what the player must discard (R3.2, Q3.3) and passes the turn on.
func (s *State) endTurn(seat Seat, src Random, t *Tale) {
	n := s.p[seat-1].missions() + t.drawn(seat) - handLimit
	if s.choosing(seat) { // the limit applies after the choice (Q4.9a)
		n++
	}
	if n > 0 {
		s.owe(seat, Debt{Ask: AskDiscard, N: uint8(n)})
	}
	t.add(Event{Kind: EvTurnEnded, Seat: seat, N: int16(s.round)})
	switch {
	case s.solo:
		s.halWaits(src, t)
	case seat < Seat(s.players):
		s.begin(seat + 1)
	default:
		s.nextRound(t)
	}
}

// nextRound begins another round, if the last one is not over (R8.1).
func (s *State) nextRound(t *Tale) {
	if s.ending != NotEnded && s.round == s.endRound {
		s.over(t)
		return
	}
	s.round++
	if s.ending != NotEnded {
		t.add(Event{Kind: EvLastRound})
	}
	s.begin(1)
}

// choosing reports whether seat owes to keep one of two cards.
func (s *State) choosing(seat Seat) bool {
	p := &s.p[seat-1]
	for _, d := range p.debts[:p.ndebts] {
		if d.Ask == AskKeep {
			return true
		}
	}
	return false
}

// trigger ends the game after this round and one more; it triggers once (R8.1,
// Q8.1b).
func (s *State) trigger(why Ending, t *Tale) {
	if s.ending != NotEnded {
		return
	}
	s.ending, s.endRound = why, s.round+1
	t.add(Event{Kind: EvTrigger, Seat: s.seat, N: int16(why)})
}

// over comes after the last turn: only owners' activations are waited for (Q3.3).
func (s *State) over(t *Tale) {
	s.seat, s.ask = 0, NoDecision
	for q := range s.players {
		p := &s.p[q]
		kept := uint8(0)
		for _, d := range p.debts[:p.ndebts] {
			switch d.Ask {
			case AskOwner:
				p.debts[kept] = d
				kept++
			case AskKeep: // no one waits for the choice any more
				if s.rules.drops {
					s.putDown(d.Card)
					s.putDown(d.Card2)
					break
				}
				s.keep(Seat(q+1), d, d.Card, t) // the lower-numbered
			}
		}
		clear(p.debts[kept:])
		p.ndebts = kept
		s.lapse(Seat(q+1), t)
	}
	s.final(t)
}

// settle takes the first debt off and lets those lapse that can no longer be
// paid (Q3.3b); then whatever waited for it goes on.
func (s *State) settle(seat Seat, src Random, t *Tale) {
	p := &s.p[seat-1]
	p.paid()
	s.lapse(seat, t)
	switch {
	case s.seat == 0:
		s.final(t)
	case s.solo && s.seat == Hal && p.ndebts == 0:
		s.halTurn(src, t)
	case s.seat == seat && s.ask == AskCube:
		s.repaired(seat, src, t)
	}
}

// paid takes the first debt off the queue and leaves no trace of it.
func (p *player) paid() {
	copy(p.debts[:], p.debts[1:])
	p.ndebts--
	p.debts[p.ndebts] = Debt{}
}

func (s *State) lapse(seat Seat, t *Tale) {
	p := &s.p[seat-1]
	for p.ndebts > 0 && p.debts[0].Ask == AskOwner && !s.payable(seat, p.debts[0].Card, p.resources, p.debris) {
		t.add(Event{Kind: EvLapsed, Seat: seat, Card: p.debts[0].Card})
		p.paid()
	}
}

// final scores the game once nothing is owed any more (R8.5).
func (s *State) final(t *Tale) {
	for q := range s.players {
		if s.p[q].ndebts > 0 {
			return
		}
	}
	for q := range s.players {
		seat, p := Seat(q+1), &s.p[q]
		s.scoreAdvanced(seat, t)
		if s.ending == BySpes {
			n := (int(p.brk) + int(p.resources) + int(p.ships)) / 2
			t.add(Event{Kind: EvGoodsScore, Seat: seat, N: int16(n)})
			s.gain(seat, VP, n, ByGoods, t)
		}
		t.add(Event{Kind: EvFinal, Seat: seat, N: p.vp})
	}
	if s.solo { // Hal scores nothing more (R15.12)
		t.add(Event{Kind: EvFinal, Seat: Hal, N: s.p[Hal-1].vp})
	}
	s.finished = true
	t.add(Event{Kind: EvGameOver})
}

// scoreAdvanced scores the Advanced tiles: 2 VP per element up to each tile's
// cap; tiles of one kind must use different elements, so a kind's total is
// bounded by its elements and by the sum of its caps (R8.6, Q8.6a).
func (s *State) scoreAdvanced(seat Seat, t *Tale) {
	for i, n := range s.advancedVP(seat) {
		if n < 0 {
			continue
		}
		t.add(Event{Kind: EvAdvancedScore, Seat: seat, Value: uint8(i), N: int16(n)})
		s.gain(seat, VP, n, ByAdvanced, t)
	}
}

// advancedVP is what the Advanced tiles score as things stand, by their kind;
// -1 for kinds the player has none of.
func (s *State) advancedVP(seat Seat) [9]int {
	p := &s.p[seat-1]
	var caps [9]int // in elements, by kind
	all := 0
	add := func(tile Tile, cap int) {
		caps[s.set.Advanced[tile-FirstAdvanced+1]] += cap
		all++
	}
	for _, c := range p.grid {
		if c.tile.Advanced() {
			add(c.tile, 2)
		}
	}
	for c, tile := range p.space {
		if tile != 0 {
			add(tile, 2+bits.OnesCount32(p.tucked[c]))
		}
	}
	for m := p.ejectedAdv; m != 0; m &= m - 1 {
		add(FirstAdvanced+Tile(bits.TrailingZeros16(m)), 2)
	}
	vp := [9]int{-1, -1, -1, -1, -1, -1, -1, -1, -1}
	if all == 0 {
		return vp
	}
	for kind := 1; kind <= 8; kind++ {
		if caps[kind] > 0 {
			vp[kind] = 2 * min(caps[kind], s.elements(seat, kind, all))
		}
	}
	return vp
}

// elements counts what K1-K8 pay for (R8.6, Q8.6b).
func (s *State) elements(seat Seat, kind, advanced int) int {
	p := &s.p[seat-1]
	switch kind {
	case 1, 2, 3:
		n := 0
		for _, c := range p.grid {
			if c.tile != 0 && !c.tile.Advanced() && int(s.set.Tiles[c.tile].Color) == kind-1 {
				n++
			}
		}
		return n
	case 4:
		return bits.OnesCount64(p.ejected)
	case 5: // on tiles it counts as in storage
		n := int(p.debris)
		for _, c := range p.grid {
			if c.debris {
				n++
			}
		}
		return n
	case 6:
		return p.ravagers()
	case 7:
		return advanced
	default:
		return s.inSpace(seat, None, 0)
	}
}

// Finished reports whether the game is over and scored.
func (s *State) Finished() bool { return s.finished }

// Winners are the seats with the most VP of a finished game; ties share (R8.7).
// Solo, who has no more VP than Hal has not won (R15.12): then it is Hal.
func (s *State) Winners() []Seat {
	if !s.finished {
		return nil
	}
	if s.solo {
		if s.p[0].vp > s.p[Hal-1].vp {
			return []Seat{1}
		}
		return []Seat{Hal}
	}
	best := s.p[0].vp
	for q := range s.players {
		best = max(best, s.p[q].vp)
	}
	var out []Seat
	for q := range s.players {
		if s.p[q].vp == best {
			out = append(out, Seat(q+1))
		}
	}
	return out
}
