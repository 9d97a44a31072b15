package engine

import (
	"math/bits"

	"angelpost/engine/component"
)

// reroll is sequence B up to the reservation (R6.1, R6.2, Q6.2a).
func (s *State) reroll(seat Seat, src Random, t *Tale) {
	p := &s.p[seat-1]
	sum := 0
	for c := range p.std {
		for v := range 4 {
			n := p.std[c][v] + p.sec[c][v]
			sum += int(n) * v
			s.dice[c] += n
		}
	}
	p.std, p.sec = [3][4]uint8{}, [3][4]uint8{}
	if sum > 0 {
		s.score(seat, -sum, ByLoss, t)
	}
	t.add(Event{Kind: EvDiceBack, Seat: seat, N: int16(sum)})
	for _, c := range component.Colors {
		for range p.station[c] {
			damaged, ok := s.takeDie(c)
			if !ok {
				break
			}
			if damaged {
				t.add(Event{Kind: EvTookDamaged, Seat: seat, Color: c})
				s.score(seat, -1, ByLoss, t)
			}
			p.std[c][s.roll(seat, c, src, t)]++
		}
	}
	s.neutralDice(src, t)
	if s.canReserve(seat) {
		s.ask = AskReserve
		return
	}
	s.finishB(seat, src, t)
}

// neutralDice returns the neutral player's stars and rolls the missing dice for the robots
// still there, colour by colour (R13.3, Q13.3).
func (s *State) neutralDice(src Random, t *Tale) {
	if !s.neutralSeat {
		return
	}
	for _, c := range component.Colors {
		if s.first && s.neutral[c] && s.neutralDie[c] == 1 { // rerolled in place (R17.1)
			s.neutralDie[c] = s.roll(Neutral, c, src, t) + 1
			continue
		}
		if s.neutralDie[c] == 1 {
			s.neutralDie[c] = 0
			s.dice[c]++
			t.add(Event{Kind: EvNeutralBack, Color: c})
		}
		if s.neutral[c] && s.neutralDie[c] == 0 {
			if damaged, ok := s.takeDie(c); ok {
				if damaged { // no one pays (Q13.3)
					t.add(Event{Kind: EvTookDamaged, Seat: Neutral, Color: c})
				}
				s.neutralDie[c] = s.roll(Neutral, c, src, t) + 1
			}
		}
	}
}

// reserve moves a die to the high-security area.
func (s *State) reserve(seat Seat, st Step, t *Tale) {
	p := &s.p[seat-1]
	p.std[st.Color][st.Value]--
	p.sec[st.Color][st.Value]++
	t.add(Event{Kind: EvReserved, Seat: seat, Color: st.Color, Value: st.Value, Cell: st.Cell})
}

// finishB resets the player's board (R6.3) and, unless the end was triggered,
// advances the Black Angel (R6.4, R8.3).
func (s *State) finishB(seat Seat, src Random, t *Tale) {
	p := &s.p[seat-1]
	for i, card := range p.slot {
		if card != 0 {
			s.putDown(card)
			p.slot[i] = 0
		}
	}
	for i := range p.grid {
		if p.grid[i].debris {
			p.grid[i].debris = false
			p.debris++
		}
	}
	t.add(Event{Kind: EvReset, Seat: seat})
	if s.ending == NotEnded {
		s.advance(t)
	}
	s.endTurn(seat, src, t)
}

// advance moves the Black Angel one hex on, ejects the Mission cards of strip 1
// and turns that strip over to the far end (R6.4).
func (s *State) advance(t *Tale) {
	left := s.angel()
	t.add(Event{Kind: EvAdvanced, Seat: s.seat, Hex: s.hex(left + 5)})
	if s.chart.rocks>>left&1 == 1 {
		s.loseShips(1<<left, t)
	}
	for i := range 5 { // all effects come before any robot reaches a supply (Q6.4c)
		if s.cards>>i&1 == 1 && !s.set.Missions[s.card[i]].Activation() {
			s.neutralize(i, t)
		}
	}
	for i := range 5 {
		if s.cards>>i&1 == 0 {
			continue
		}
		card, owner := s.card[i], s.owner[i]
		if s.solo && owner == Hal {
			s.halEjects(card, t)
			continue
		}
		s.p[owner-1].tucked[card.Color()] |= 1 << ((card - 1) % 20)
		s.p[owner-1].robots++ // the robot on its reward
		t.add(Event{Kind: EvTucked, Seat: owner, Card: card})
	}
	s.loseShips(0x1F, t) // Q6.4b

	n := int(s.nstrips)
	first := s.strip[0]
	copy(s.strip[:n-1], s.strip[1:n])
	s.strip[n-1] = first ^ 1
	copy(s.card[:], s.card[5:])
	copy(s.owner[:], s.owner[5:])
	clear(s.card[(n-1)*5:])
	clear(s.owner[(n-1)*5:])
	s.cards >>= 5
	for p := range s.fleet {
		s.fleet[p] >>= 5
	}
	s.advances++
	s.draw()
	if s.solo {
		s.halRobots()
	}
	t.add(Event{Kind: EvFlippedStrip, N: int16(int(s.advances) + n)})
	if s.advances == s.nstrips {
		t.add(Event{Kind: EvSpesInSight, Hex: s.hex(s.spes())})
	}
	if s.spes() == s.angel() { // R8.1, Q8.1a
		s.trigger(BySpes, t)
	}
}

// loseShips returns the ships on these hexes to the supply, each pilot to its
// player's supply (Q6.4b).
func (s *State) loseShips(hexes uint64, t *Tale) {
	for q := range s.players {
		for m := s.fleet[q] & hexes; m != 0; m &= m - 1 {
			s.p[q].robots++
			t.add(Event{Kind: EvShipLost, Seat: Seat(q + 1), Hex: s.hex(bits.TrailingZeros64(m))})
		}
		s.fleet[q] &^= hexes
	}
}

// neutralize resolves the neutralization card at index i of strip 1: the owner
// gets the left part, everyone with a ship on it the right part (R7.1, R7.2).
func (s *State) neutralize(i int, t *Tale) {
	card, owner := s.card[i], s.owner[i]
	m := &s.set.Missions[card]
	if !s.solo || owner != Hal { // R15.11
		s.neutralPart(owner, card, m, true, t)
	}
	for q := range s.players {
		seat := Seat(q + 1)
		if s.fleet[q]>>i&1 == 0 {
			continue
		}
		// Where both parts are the same the owner's ship adds nothing (Q7.1, R7.2).
		if seat != owner || m.Kind == 14 || m.Kind == 16 {
			s.neutralPart(seat, card, m, false, t)
		}
	}
}

func (s *State) neutralPart(seat Seat, card Card, m *component.Mission, asOwner bool, t *Tale) {
	t.add(Event{Kind: EvNeutralized, Seat: seat, Card: card, Flag: asOwner})
	x := goodX[m.Color]
	other := m.Color.Others()
	why := ByNeutralization
	switch m.Kind {
	case 13:
		s.gain(seat, x, 3, why, t)
	case 14:
		if !asOwner {
			s.gain(seat, x, 3, why, t)
			return
		}
		for _, c := range other {
			s.gain(seat, goodX[c], 1, why, t)
		}
	case 15:
		s.gain(seat, VP, 3, why, t)
	case 16:
		if asOwner {
			s.gain(seat, x, 3, why, t)
		} else {
			s.gain(seat, VP, 3, why, t)
		}
	case 17, 18:
		if n := s.inSpace(seat, other[m.Kind-17], 5); n > 0 { // strip 1 does not count (Q6.4a)
			s.gain(seat, VP, 3*n, why, t)
		}
	case 19, 20:
		if n := bits.OnesCount32(s.p[seat-1].tucked[other[m.Kind-19]]); n > 0 {
			s.gain(seat, VP, 3*n, why, t)
		}
	}
}

// inSpace counts seat's Mission cards of colour c in Space from hex index from
// on; None counts all colours.
func (s *State) inSpace(seat Seat, c Color, from int) int {
	n := 0
	for m := s.cards >> from << from; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if s.owner[i] == seat && (c == None || s.card[i].Color() == c) {
			n++
		}
	}
	return n
}
