package engine

import (
	"math/bits"

	"angelpost/engine/component"
)

// roll rolls one die that has already left its supply.
func (s *State) roll(seat Seat, c Color, src Random, t *Tale) uint8 {
	if s.masked {
		t.unknown(s, Event{Kind: EvRolled, Seat: seat, Color: c, N: 1})
		return 0
	}
	st := StreamDieOrange + Stream(c)
	v := dieFaces[below(src, st, &s.chance[st], 6)]
	t.add(Event{Kind: EvRolled, Seat: seat, Color: c, Value: v})
	return v
}

// drawMission draws one Mission card of colour c into the hand; if there is
// none, nothing is drawn (R4.9).
func (s *State) drawMission(seat Seat, c Color, src Random, t *Tale) {
	if s.masked && s.missionsLeft(c) > 0 {
		t.unknown(s, Event{Kind: EvDrewMission, Seat: seat, Color: c, N: 1})
		return
	}
	card := s.topMission(c, src, t)
	if card == 0 {
		t.add(Event{Kind: EvNothingToDraw, Seat: seat, Color: c})
		return
	}
	s.p[seat-1].hand |= missionBit(card)
	t.add(Event{Kind: EvDrewMission, Seat: seat, Card: card})
}

// missionsLeft counts the Mission cards of colour c that can be drawn.
func (s *State) missionsLeft(c Color) int {
	return int(s.ndeck[c]) + bits.OnesCount32(s.discard[c])
}

// topMission takes the top Mission card of colour c, refilling an empty deck
// from its discards; 0 if there are none (Q8.2).
func (s *State) topMission(c Color, src Random, t *Tale) Card {
	if s.ndeck[c] == 0 {
		s.refillMissions(c, src, t)
	}
	if s.ndeck[c] == 0 {
		return 0
	}
	s.ndeck[c]--
	return s.deck[c][s.ndeck[c]]
}

// drawTwo draws two Mission cards of colour c, of which seat owes to keep one:
// until then they lie neither in hand nor in the discards (R4.9, Q4.9a). With
// one card only, it is kept (Q4.9b).
func (s *State) drawTwo(seat Seat, c Color, src Random, t *Tale) {
	if n := min(s.missionsLeft(c), 2); s.masked && n > 0 {
		if n == 1 {
			t.unknown(s, Event{Kind: EvDrewMission, Seat: seat, Color: c, N: 1})
			return
		}
		t.unknown(s, Event{Kind: EvOffered, Seat: seat, Color: c, N: 2})
		back := BackOrange + Card(c)
		s.owe(seat, Debt{Ask: AskKeep, Card: back, Card2: back})
		return
	}
	a := s.topMission(c, src, t)
	if a == 0 {
		t.add(Event{Kind: EvNothingToDraw, Seat: seat, Color: c})
		return
	}
	b := s.topMission(c, src, t)
	if b == 0 {
		s.p[seat-1].hand |= missionBit(a)
		t.add(Event{Kind: EvDrewMission, Seat: seat, Card: a})
		return
	}
	a, b = min(a, b), max(a, b)
	t.add(Event{Kind: EvOffered, Seat: seat, Card: a})
	t.add(Event{Kind: EvOffered, Seat: seat, Card: b})
	s.owe(seat, Debt{Ask: AskKeep, Card: a, Card2: b})
}

// keep takes one of the two cards drawn into the hand and discards the other.
func (s *State) keep(seat Seat, d Debt, kept Card, t *Tale) {
	other := d.Card
	if other == kept {
		other = d.Card2
	}
	if kept.Hidden() { // masked
		s.p[seat-1].hidden[0]++
		if t.draws(seat, EvOffered) { // its own, not yet seen
			return
		}
	} else {
		s.p[seat-1].hand |= missionBit(kept)
	}
	t.add(Event{Kind: EvKept, Seat: seat, Card: kept})
	s.putDown(other)
	t.add(Event{Kind: EvNotKept, Seat: seat, Card: other})
}

// refillMissions shuffles the discards of colour c into its empty deck.
func (s *State) refillMissions(c Color, src Random, t *Tale) {
	n := 0
	for m := s.discard[c]; m != 0; m &= m - 1 {
		s.deck[c][n] = Card(int(c)*20 + bits.TrailingZeros32(m) + 1)
		n++
	}
	s.discard[c], s.ndeck[c] = 0, uint8(n)
	if n == 0 {
		return
	}
	st := StreamMissionOrange + Stream(c)
	shuffle(src, st, &s.chance[st], s.deck[c][:n])
	t.add(Event{Kind: EvShuffled, Pile: PileOrange + Pile(c)})
}

// drawTile takes the top Technology tile of colour c, 0 if there is none.
func (s *State) drawTile(c Color, src Random, t *Tale) Tile {
	if s.nstack[c] == 0 {
		n := 0
		for i := range component.Tiles {
			if tile := Tile(i + 1); s.set.Tiles[tile].Color == c && s.tdisc[c]&s.tileBit(tile) != 0 {
				s.stack[c][n] = tile
				n++
			}
		}
		s.tdisc[c], s.nstack[c] = 0, uint8(n)
		if n == 0 {
			return 0
		}
		st := StreamTileOrange + Stream(c)
		shuffle(src, st, &s.chance[st], s.stack[c][:n])
		t.add(Event{Kind: EvShuffled, Pile: PileTileOrange + Pile(c)})
	}
	s.nstack[c]--
	return s.stack[c][s.nstack[c]]
}

// tileBit is a tile's bit in its colour's discarded tiles.
func (s *State) tileBit(t Tile) uint64 { return 1 << (t - 1) }

// appear lets a tile of colour c enter the display at space 1; a gap absorbs
// the push, a tile pushed off the end is discarded (R5.5 step 4).
func (s *State) appear(c Color, src Random, t *Tale) {
	if s.masked {
		if s.nstack[c] == 0 && s.tdisc[c] == 0 {
			return
		}
		top := Tile(0)
		if n := s.nstack[c]; n > 0 {
			top = s.stack[c][n-1] // seen, but for the one below it (R2.3)
		}
		t.unknown(s, Event{Kind: EvTileAppeared, Color: c, Tile: top, N: 1})
		if top == 0 {
			return
		}
	}
	tile := s.drawTile(c, src, t)
	if tile == 0 {
		return
	}
	t.add(Event{Kind: EvTileAppeared, Tile: tile})
	for i := range s.set.Costs {
		tile, s.display[i] = s.display[i], tile
		if tile == 0 {
			return
		}
	}
	s.scrap(tile)
	t.add(Event{Kind: EvTileDropped, Tile: tile})
}

// drawRavagers lets n Ravagers attack in a player's A (R5.5 step 3). A fourth
// at a location is discarded and the next drawn instead, until deck and discards
// hold nothing but cards discarded so now (Q5.5f).
func (s *State) drawRavagers(n int, src Random, t *Tale) {
	if s.masked {
		s.foreseeRavagers(n, t)
		return
	}
	fourths := uint32(0) // discarded now, bit n-61
	for n > 0 && !(s.rules.foresees && !s.placeable()) {
		if s.nrdeck == 0 {
			if s.rdisc == fourths { // or nothing at all
				return
			}
			s.refillRavagers(src, t)
			fourths = 0
		}
		s.nrdeck--
		card := s.rdeck[s.nrdeck]
		if s.nrav[s.set.Ravagers[card].Location-1] == 3 {
			s.rdisc |= ravBit(card)
			fourths |= ravBit(card)
			t.add(Event{Kind: EvOverflow, Card: card, Loc: s.set.Ravagers[card].Location})
		} else {
			s.attack(card, t)
			n--
		}
		if s.nrdeck == 0 { // R8.1, Q8.1b
			s.trigger(ByRavagers, t)
		}
	}
}

// foreseeRavagers is drawRavagers in a masked position: how many attack is known
// between bounds, and whether the deck is certain to become empty (R8.1, Q8.1b).
func (s *State) foreseeRavagers(n int, t *Tale) {
	least, most := s.attacks(n)
	if most > 0 || !s.rules.foresees && s.nrdeck+uint8(bits.OnesCount32(s.rdisc)) > 0 { // they are drawn and seen all the same
		t.unknown(s, Event{Kind: EvAttack, N: int16(least), Value: uint8(most)})
	}
	empties := most < n || n >= int(s.nrdeck) // whatever the top cards are
	if s.rules.foresees {
		empties = least >= int(s.nrdeck)
	}
	if s.nrdeck > 0 && empties {
		s.trigger(ByRavagers, t)
	}
}

// attacks is how many of n Ravagers attack in a masked position, at least and at most:
// their deck and discards may be any of the cards that are not seen.
func (s *State) attacks(n int) (least, most int) {
	var unseen, room [6]int
	for i := range s.rav {
		room[i] = 3 - int(s.nrav[i])
	}
	seen := s.seenRavagers()
	for c := range Card(30) {
		if seen>>c&1 == 0 {
			unseen[s.set.Ravagers[component.FirstRaider+c].Location-1]++
		}
	}
	left := int(s.nrdeck) + bits.OnesCount32(s.rdisc)
	var fewest [31]int // that have room, by how many cards are of the locations so far
	for k := range fewest {
		fewest[k] = min(k, 1) * len(fewest) // no way
	}
	for i := range unseen {
		most += min(unseen[i], room[i])
		for k := left; k >= 0; k-- {
			best := fewest[k]
			for of := 1; of <= min(k, unseen[i]); of++ {
				best = min(best, fewest[k-of]+min(of, room[i]))
			}
			fewest[k] = best
		}
	}
	return min(fewest[left], n), min(most, left, n)
}

// placeable reports whether some Ravager of deck or discards has room at its location.
func (s *State) placeable() bool {
	for _, c := range s.rdeck[:s.nrdeck] {
		if s.nrav[s.set.Ravagers[c].Location-1] < 3 {
			return true
		}
	}
	for m := s.rdisc; m != 0; m &= m - 1 {
		if s.nrav[s.set.Ravagers[component.FirstRaider+bits.TrailingZeros32(m)].Location-1] < 3 {
			return true
		}
	}
	return false
}

func (s *State) refillRavagers(src Random, t *Tale) {
	n := 0
	for m := s.rdisc; m != 0; m &= m - 1 {
		s.rdeck[n] = component.FirstRaider + Card(bits.TrailingZeros32(m))
		n++
	}
	s.rdisc, s.nrdeck = 0, uint8(n)
	shuffle(src, StreamRavager, &s.chance[StreamRavager], s.rdeck[:n])
	t.add(Event{Kind: EvShuffled, Pile: PileRavager})
}

// attack places a Ravager on top at its location, with its Damage.
func (s *State) attack(card Card, t *Tale) {
	loc := s.set.Ravagers[card].Location
	i := loc - 1
	s.rav[i][s.nrav[i]] = card
	s.trapped[i][s.nrav[i]] = [MaxPlayers]uint8{}
	s.nrav[i]++
	t.add(Event{Kind: EvAttack, Card: card, Loc: loc})
	s.hit(loc, t)
}

// hit puts 1 Damage on an action's first empty space; if it has 2, on an
// undamaged die in the supply of that colour; if none, nothing (R5.5 step 3).
func (s *State) hit(loc uint8, t *Tale) {
	if s.damage[loc-1] < 2 {
		s.damage[loc-1]++
		t.add(Event{Kind: EvDamaged, Loc: loc, N: int16(s.damage[loc-1])})
		return
	}
	s.hitDie(s.set.Locs[loc].Color, t)
}

func (s *State) hitDie(c Color, t *Tale) {
	if s.dice[c] == 0 {
		t.add(Event{Kind: EvNoDamage, Color: c})
		return
	}
	s.dice[c]--
	s.damaged[c]++
	t.add(Event{Kind: EvDieDamaged, Color: c})
}

// takeDie takes a die of colour c out of its supply, undamaged ones first
// (Q6.1); ok is false if there is none.
func (s *State) takeDie(c Color) (damaged, ok bool) {
	switch {
	case s.dice[c] > 0:
		s.dice[c]--
		return false, true
	case s.damaged[c] > 0:
		s.damaged[c]--
		return true, true
	}
	return false, false
}
