package engine

import (
	"math/bits"

	"angelpost/engine/component"
)

// The code handles Space as sets of hexes: bit i is the hex of index i = position*5 + lane.
// Position 0 is the strip nearest the frigate.

// around is each index's neighbours on this board (C1).
func (s *State) around() *[component.MaxHexes]uint64 { return &component.BoardOf(int(s.nstrips)).Mask }

// angel returns the index of the Black Angel's hex: always the middle of the centre strip,
// because she and the strips move together (R2.2, R6.4).
func (s *State) angel() int { return int(s.nstrips)/2*5 + 2 }

// hex is the name of index i (Q2.2a).
func (s *State) hex(i int) Hex { return HexAt(int(s.advances)+1+i/5, i%5) }

// index returns the current index of h, or -1 if it is not on the board.
func (s *State) index(h Hex) int {
	p := h.Strip() - int(s.advances) - 1
	if p < 0 || p >= int(s.nstrips) {
		return -1
	}
	return p*5 + h.Lane()
}

// print is what is printed on the hex, also where Spes hides it.
func (s *State) print(i int) component.Hex {
	strip := s.strip[i/5]
	return s.set.Strips[strip>>1][strip&1][i%5]
}

// spes returns the index of the planet Spes, or -1 before it is in sight. It is on the
// middle of the strip that had the token, flipped: number 2n (R6.4c).
func (s *State) spes() int {
	if s.advances < s.nstrips {
		return -1
	}
	return s.index(HexAt(2*int(s.nstrips), 2))
}

// A chart is Space as sets of hexes, rebuilt at set-up and after each advance.
type chart struct {
	color [3]uint64 // hexes of a colour, Spes left out
	rocks uint64    // asteroid fields, Spes left out
}

func (s *State) draw() {
	c := chart{}
	for i := range int(s.nstrips) * 5 {
		if i == s.spes() {
			continue
		}
		if k := s.print(i).Color; k == None {
			c.rocks |= 1 << i
		} else {
			c.color[k] |= 1 << i
		}
	}
	s.chart = c
}

// reach returns the hexes that a ship at index i can reach in at least 1 and at most v
// steps. It cannot pass through or enter asteroids except at the Black Angel; it may pass
// full hexes (R5.5 step 1, Q5.5a). reach does not check whether the target has room.
func (s *State) reach(i, v int) uint64 {
	near, open := s.around(), s.passable()
	cur, all := uint64(1)<<i, uint64(0)
	for range v {
		var next uint64
		for m := cur; m != 0; m &= m - 1 {
			next |= near[bits.TrailingZeros64(m)]
		}
		cur = next & open
		all |= cur
	}
	return all
}

// passable is the set of hexes that ships may pass.
func (s *State) passable() uint64 {
	return (uint64(1)<<(int(s.nstrips)*5) - 1) &^ (s.chart.rocks &^ (1 << s.angel()))
}

// mine is the set of hexes with a ship of seat.
func (s *State) mine(seat Seat) uint64 { return s.fleet[seat-1] }

// room is the set of hexes where a ship of seat may end: none of its others
// (own) there and at most one of another player's (R5.5 step 1).
func (s *State) room(seat Seat, own uint64) uint64 {
	return ^(s.full(seat) | own)
}

// full is the set of hexes with two ships of others than seat.
func (s *State) full(seat Seat) (two uint64) {
	var one uint64
	for p := range s.players {
		if Seat(p+1) != seat {
			two |= one & s.fleet[p]
			one |= s.fleet[p]
		}
	}
	return two
}

// destinations is where the ship at index i (or launched: -1) of seat may end
// with v steps, counted from 0 where zero is set (Q12.2), else from 1.
func (s *State) destinations(seat Seat, i, v int, zero bool) uint64 {
	own, start := s.mine(seat), s.angel()
	if i >= 0 {
		own, start = own&^(1<<i), i
	}
	m := s.reach(start, v)
	if zero {
		m |= 1 << start
	}
	return m & s.room(seat, own)
}

// canMove reports whether seat can make a move of at least 1 (in the first edition
// 0) and at most v hexes with brk robots in the break room (R5.5 step 1, R17.1).
func (s *State) canMove(seat Seat, v int, brk uint8) bool {
	if s.adrift {
		return s.mine(seat) != 0
	}
	for m := s.mine(seat); m != 0; m &= m - 1 {
		if s.destinations(seat, bits.TrailingZeros64(m), v, s.first) != 0 {
			return true
		}
	}
	return s.p[seat-1].ships > 0 && brk > 0 && s.destinations(seat, -1, v, s.first) != 0
}

// sites is where seat may place a Mission card of colour c: one of its ships,
// the colour, no card, not Spes (R5.5 step 2, Q5.5c).
func (s *State) sites(seat Seat, c Color) uint64 {
	return s.mine(seat) & s.chart.color[c] &^ s.cards
}

// move carries out a move or launch of seat to index to; from -1 launches.
func (s *State) move(seat Seat, from, to int, t *Tale) {
	p := &s.p[seat-1]
	if from < 0 {
		p.ships--
		p.brk--
		t.add(Event{Kind: EvLaunched, Seat: seat, Hex: s.hex(to)})
	} else {
		s.fleet[seat-1] &^= 1 << from
		t.add(Event{Kind: EvMoved, Seat: seat, Hex: s.hex(to), Hex2: s.hex(from)})
	}
	s.fleet[seat-1] |= 1 << to
}

// icons counts the Ravager icons visible around index i (R5.5 step 3, Q5.5e).
func (s *State) icons(i int) int {
	n := 0
	for m := s.around()[i] &^ s.cards; m != 0; m &= m - 1 {
		if j := bits.TrailingZeros64(m); j != s.spes() {
			n += int(s.print(j).Ravagers)
		}
	}
	return n
}
