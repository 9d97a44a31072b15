package engine

import "math/bits"

func missionBit(c Card) uint64 { return 1 << c }
func ravBit(c Card) uint32     { return 1 << (c - 61) }

// handMask is the part of a hand that is of one colour.
var handMask = [3]uint64{0xFFFFF << 1, 0xFFFFF << 21, 0xFFFFF << 41}

func (p *player) missions() int          { return bits.OnesCount64(p.hand) + int(p.hidden[0]) }
func (p *player) missionsOf(c Color) int { return bits.OnesCount64(p.hand & handMask[c]) }
func (p *player) ravagers() int          { return bits.OnesCount32(p.ravs) + int(p.hidden[1]) }

// techs counts the Technology tiles that can be spent: in the grid or ejected,
// starting tiles included (section 10).
func (p *player) techs() int {
	n := bits.OnesCount64(p.ejected)
	for _, c := range p.grid {
		if c.tile != 0 && !c.tile.Advanced() {
			n++
		}
	}
	return n
}

// score gains or loses VP; they never fall below 0 (R9.1, Q9.1).
func (s *State) score(seat Seat, n int, why Source, t *Tale) {
	p := &s.p[seat-1]
	if int(p.vp)+n < 0 {
		n = -int(p.vp)
	}
	if n < 0 {
		why = ByLoss
	}
	p.vp += int16(n)
	p.by[why] += int16(n)
	t.add(Event{Kind: EvVP, Seat: seat, N: int16(n), Source: why})
}

// gain gives n of a good; robots come from the player's own supply as far as
// it lasts (R1.3).
func (s *State) gain(seat Seat, g Good, n int, why Source, t *Tale) {
	p := &s.p[seat-1]
	switch g {
	case VP:
		s.score(seat, n, why, t)
		return
	case Ship:
		p.ships += uint16(n)
	case Resource:
		p.resources += uint16(n)
	case Debris:
		p.debris += uint16(n)
	case Robot:
		n = min(n, int(p.robots))
		p.robots -= uint8(n)
		p.brk += uint8(n)
	}
	if n != 0 {
		t.add(Event{Kind: EvGained, Seat: seat, Good: g, N: int16(n), Source: why})
	}
}

// spend takes n of a good back: robots to their owner's supply, the rest to
// the common one (Q10.2).
func (s *State) spend(seat Seat, g Good, n int, t *Tale) {
	p := &s.p[seat-1]
	switch g {
	case Ship:
		p.ships -= uint16(n)
	case Resource:
		p.resources -= uint16(n)
	case Debris:
		p.debris -= uint16(n)
	case Robot:
		p.brk -= uint8(n)
		p.robots += uint8(n)
	}
	t.add(Event{Kind: EvSpent, Seat: seat, Good: g, N: int16(n)})
}

// putDown discards a card that has left a hand or a slot to its pile.
func (s *State) putDown(c Card) {
	switch {
	case c.Hidden():
	case s.masked && c.Ravager(): // one more
		s.rdisc |= s.rdisc + 1
	case s.masked:
		s.discard[c.Color()] |= s.discard[c.Color()] + 1
	case c.Ravager():
		s.rdisc |= ravBit(c)
	default:
		s.discard[c.Color()] |= 1 << ((c - 1) % 20)
	}
}

// scrap puts a spent or dropped Technology tile on its colour's discarded
// tiles; starting tiles go to the box (Q10.2).
func (s *State) scrap(tile Tile) {
	if !tile.Starting() {
		s.tdisc[s.set.Tiles[tile].Color] |= s.tileBit(tile)
	}
}
