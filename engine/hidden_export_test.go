package engine

import (
	"math/bits"
	"math/rand/v2"

	"angelpost/engine/component"
)

// Inventory is where the pieces of a game are, counted from the hidden State by
// the list of places that RULES.md names for each.
type Inventory struct {
	Dice    [3]int                   // R1.2: supply, damaged or not, compartments, neutral, in use
	Robots  [MaxPlayers + 1]int      // R1.3: break room, workstations, supply, pilots, rewards, caught
	Cards   [100]int                 // Mission and Ravager cards, by number
	Tiles   [LastTile + 1]int        // Technology and Advanced tiles
	Starts  [MaxPlayers + 1][3]int   // starting tiles, by seat and colour
	Damage  [7]int                   // cubes by location
	Cubes   [3]int                   // damaged dice, by colour
	Debris  [MaxPlayers + 1]int      // storage and tiles
	Slots   [MaxPlayers + 1][7]Card  // face-down cards
	Hand    [MaxPlayers + 1][2]int   // Mission and Ravager cards in hand
	Grid    [MaxPlayers + 1][10]Tile // by cell
	Started bool                     // the first round has begun
}

// Inventory counts.
func (s *State) Inventory() (v Inventory) {
	v.Started = s.round > 0
	for c := range 3 {
		v.Dice[c] = int(s.dice[c]) + int(s.damaged[c])
		v.Cubes[c] = int(s.damaged[c])
		if s.neutralDie[c] > 0 {
			v.Dice[c]++
		}
	}
	if s.seat != 0 && !s.finished && s.ask > AskA1 && s.ask != AskReserve {
		v.Dice[s.dieColor]++
	}
	for i := range s.card {
		if c := s.card[i]; c != 0 {
			v.Cards[c]++
			v.Robots[s.owner[i]]++
		}
	}
	for l := range s.damage {
		v.Damage[l+1] = int(s.damage[l])
		for k := range s.nrav[l] {
			v.Cards[s.rav[l][k]]++
			for q, n := range s.trapped[l][k] {
				v.Robots[q+1] += int(n)
			}
		}
	}
	tiles := func(list ...Tile) {
		for _, t := range list {
			v.Tiles[t]++
		}
	}
	for c := range 3 {
		for _, card := range s.deck[c][:s.ndeck[c]] {
			v.Cards[card]++
		}
		for k := range 20 {
			if s.discard[c]>>k&1 == 1 {
				v.Cards[c*20+k+1]++
			}
		}
		tiles(s.stack[c][:s.nstack[c]]...)
		for k := range 64 {
			if s.tdisc[c]>>k&1 == 1 {
				tiles(Tile(k + 1))
			}
		}
	}
	for _, card := range s.rdeck[:s.nrdeck] {
		v.Cards[card]++
	}
	for k := range 32 {
		if s.rdisc>>k&1 == 1 {
			v.Cards[61+k]++
		}
	}
	tiles(s.display[:]...)
	tiles(s.slots[:]...)
	tiles(s.advDeck[:s.nadv]...)
	tiles(s.inject[:]...)
	for i := range int(s.lastSeat()) {
		s.p[i].inventory(i+1, &v)
		for h := range 35 {
			if s.fleet[i]>>h&1 == 1 {
				v.Robots[i+1]++ // the pilot
			}
		}
	}
	for t := range v.Starts[0] {
		v.Tiles[int(FirstStart)+t] = 0 // counted by seat
	}
	v.Tiles[0] = 0
	return v
}

func (p *player) inventory(seat int, v *Inventory) {
	v.Robots[seat] += int(p.brk) + int(p.robots)
	v.Debris[seat] = int(p.debris)
	for c := range 3 {
		v.Robots[seat] += int(p.station[c])
		for value := range 4 {
			v.Dice[c] += int(p.std[c][value]) + int(p.sec[c][value])
		}
		for k := range 20 {
			if p.tucked[c]>>k&1 == 1 {
				v.Cards[c*20+k+1]++
			}
		}
		v.Tiles[p.space[c]]++
	}
	for k := range 64 {
		if p.hand>>k&1 == 1 {
			v.Cards[k]++
			v.Hand[seat][0]++
		}
		if p.ejected>>k&1 == 1 {
			v.tile(seat, Tile(k+1))
		}
	}
	for k := range 32 {
		if p.ravs>>k&1 == 1 {
			v.Cards[61+k]++
			v.Hand[seat][1]++
		}
		if p.ejectedAdv>>min(k, 16)&1 == 1 && k < 16 {
			v.Tiles[int(FirstAdvanced)+k]++
		}
	}
	for _, d := range p.debts[:p.ndebts] {
		if d.Ask == AskKeep {
			v.Cards[d.Card]++
			v.Cards[d.Card2]++
		}
	}
	for k, c := range p.slot {
		v.Slots[seat][k+1] = c
		if c != 0 {
			v.Cards[c]++
		}
	}
	for k, c := range p.grid {
		v.Grid[seat][k+1] = c.tile
		v.tile(seat, c.tile)
		if c.debris {
			v.Debris[seat]++
		}
	}
}

// tile counts a tile on a player's board.
func (v *Inventory) tile(seat int, t Tile) {
	if t.Starting() {
		v.Starts[seat][t-FirstStart]++
		return
	}
	v.Tiles[t]++
}

// Pair reports whether a die could do anything for seat (Q3.1), which
// TestPropertyLegality holds to be so by brute force.
func (s *State) Pair(seat Seat) bool { return s.Asked(seat) != NoDecision && s.pair(seat) }

// Waiting is the Ravager cards in deck and discards.
func (s *State) Waiting() []Card {
	cards := append([]Card(nil), s.rdeck[:s.nrdeck]...)
	for k := range 30 {
		if s.rdisc>>k&1 == 1 {
			cards = append(cards, Card(61+k))
		}
	}
	return cards
}

// A Swap says which card took a card's place.
type Swap [100]Card

// Reshuffled is s with all that viewer cannot see drawn anew: cards of one back
// that the viewer cannot see, in other hands, face-down slots, decks, discards
// or, of Ravagers, out of the game, change places at random; so do the Advanced
// deck and each Technology stack below its top. Cards that may not move stay,
// and the tiles if tiles is false.
func (s *State) Reshuffled(viewer Seat, move [100]bool, tiles bool, r *rand.Rand) (State, Swap) {
	var hidden [BackRavager + 1][]Card
	for c, yes := range s.Hidden(viewer) {
		if yes && move[c] {
			hidden[Card(c).Back()] = append(hidden[Card(c).Back()], Card(c))
		}
	}
	var swap Swap
	for c := range swap {
		swap[c] = Card(c)
	}
	for back := BackOrange; back <= BackRavager; back++ {
		cards := hidden[back]
		for i, k := range r.Perm(len(cards)) {
			swap[cards[i]] = cards[k]
		}
	}
	o := *s
	o.relabel(viewer, &swap)
	if !tiles {
		return o, swap
	}
	for c := range o.stack {
		if n := int(o.nstack[c]); n > 1 {
			r.Shuffle(n-1, func(i, k int) { o.stack[c][i], o.stack[c][k] = o.stack[c][k], o.stack[c][i] })
		}
	}
	r.Shuffle(int(o.nhal), func(i, k int) { o.hal[i], o.hal[k] = o.hal[k], o.hal[i] })
	r.Shuffle(int(o.nadv), func(i, k int) { o.advDeck[i], o.advDeck[k] = o.advDeck[k], o.advDeck[i] })
	return o, swap
}

// Stir moves every stream of chance on: what comes next is another.
func (s *State) Stir(r *rand.Rand) {
	for i := range s.chance {
		s.chance[i] += uint32(1 + r.IntN(8))
	}
}

// Hidden is the cards that viewer cannot see.
func (s *State) Hidden(viewer Seat) (hidden [100]bool) {
	for c := 1; c <= 90; c++ {
		hidden[c] = true
	}
	for _, c := range s.card {
		hidden[c] = false
	}
	for l := range s.rav {
		for _, c := range s.rav[l][:s.nrav[l]] {
			hidden[c] = false
		}
	}
	for i := range int(s.players) {
		p := &s.p[i]
		for c := range p.tucked {
			for k := range 20 {
				if p.tucked[c]>>k&1 == 1 {
					hidden[c*20+k+1] = false
				}
			}
		}
		if Seat(i+1) != viewer && !s.finished {
			continue
		}
		for k := range 64 {
			if p.hand>>k&1 == 1 {
				hidden[k] = false
			}
		}
		for k := range 30 {
			if p.ravs>>k&1 == 1 {
				hidden[61+k] = false
			}
		}
		for _, c := range p.slot {
			hidden[c] = false
		}
		for _, d := range p.debts[:p.ndebts] {
			if d.Ask == AskKeep {
				hidden[d.Card], hidden[d.Card2] = false, false
			}
		}
	}
	return hidden
}

// relabel puts every card that viewer cannot see in its swap's place.
func (s *State) relabel(viewer Seat, swap *Swap) {
	relabelled := func(set uint64, first Card) (out uint64) {
		for k := range 64 {
			if set>>k&1 == 1 {
				out |= 1 << (swap[first+Card(k)] - first)
			}
		}
		return out
	}
	for c := range s.deck {
		for i, card := range s.deck[c][:s.ndeck[c]] {
			s.deck[c][i] = swap[card]
		}
		s.discard[c] = uint32(relabelled(uint64(s.discard[c]), Card(c*20+1)))
	}
	for i, card := range s.rdeck[:s.nrdeck] {
		s.rdeck[i] = swap[card]
	}
	s.rdisc = uint32(relabelled(uint64(s.rdisc), 61))
	for i := range int(s.players) {
		p := &s.p[i]
		if Seat(i+1) == viewer || s.finished {
			continue
		}
		p.hand = relabelled(p.hand, 0)
		p.ravs = uint32(relabelled(uint64(p.ravs), 61))
		for k := range p.debts[:p.ndebts] {
			if d := &p.debts[k]; d.Ask == AskKeep {
				a, b := swap[d.Card], swap[d.Card2]
				d.Card, d.Card2 = min(a, b), max(a, b)
			}
		}
		for k, c := range p.slot {
			if c != 0 {
				p.slot[k] = swap[c]
			}
		}
	}
}

// Beneath is s with other cards in its hidden piles wherever a step that led to after,
// and told that, did not draw: the rest of each deck and stack, what lies in the discards,
// Ravagers that are out of the game. What a refill shuffles keeps its order, for those drawn
// must be the same.
func (s *State) Beneath(after *State, told []Event, r *rand.Rand) State {
	o := *s
	refilled := map[Pile]bool{}
	for _, e := range told {
		if e.Kind == EvShuffled {
			refilled[e.Pile] = true
		}
	}
	for c := range o.deck {
		if refilled[PileOrange+Pile(c)] {
			continue
		}
		rest := o.deck[c][:after.ndeck[c]]
		loose := append([]Card(nil), rest...)
		n := len(loose)
		for k := range 20 {
			if s.discard[c]>>k&1 == 1 {
				loose = append(loose, Card(c*20+k+1))
			}
		}
		r.Shuffle(len(loose), func(i, k int) { loose[i], loose[k] = loose[k], loose[i] })
		copy(rest, loose[:n])
		o.discard[c] = 0
		for _, card := range loose[n:] {
			o.discard[c] |= 1 << ((card - 1) % 20)
		}
	}
	o.ravagersBeneath(after, told, refilled[PileRavager], r)
	for c := range o.stack {
		if rest := o.stack[c][:after.nstack[c]]; !refilled[PileTileOrange+Pile(c)] {
			r.Shuffle(len(rest), func(i, k int) { rest[i], rest[k] = rest[k], rest[i] })
		}
	}
	rest := o.advDeck[:after.nadv]
	r.Shuffle(len(rest), func(i, k int) { rest[i], rest[k] = rest[k], rest[i] })
	if rest := o.hal[:after.nhal]; !refilled[PileHal] {
		r.Shuffle(len(rest), func(i, k int) { rest[i], rest[k] = rest[k], rest[i] })
	}
	return o
}

func (s *State) ravagersBeneath(after *State, told []Event, refilled bool, r *rand.Rand) {
	away := ^s.seenRavagers() & (1<<30 - 1) &^ s.rdisc // out of the game
	for _, card := range s.rdeck[:s.nrdeck] {
		away &^= ravBit(card)
	}
	if refilled {
		drawn, shuffled, before := uint32(0), s.rdisc, true
		for _, e := range told {
			switch {
			case e.Kind == EvShuffled && e.Pile == PileRavager:
				before = false
			case e.Kind == EvOverflow && before:
				shuffled |= ravBit(e.Card)
			}
			if e.Kind == EvAttack || e.Kind == EvOverflow {
				drawn |= ravBit(e.Card)
			}
		}
		lowest := 0
		for m := shuffled; m != 0; m &= m - 1 { // for each not drawn another between its neighbours
			k, highest := bits.TrailingZeros32(m), 30
			if next := m & (m - 1); next != 0 {
				highest = bits.TrailingZeros32(next)
			}
			to := k
			for j := lowest; j < highest && drawn>>k&1 == 0; j++ {
				if away>>j&1 == 1 && r.IntN(2) == 0 {
					to = j
				}
			}
			if to != k {
				s.rdisc = s.rdisc&^(1<<k) | 1<<to
				away = away&^(1<<to) | 1<<k
			}
			lowest = to + 1
		}
		return
	}
	rest := s.rdeck[:after.nrdeck]
	loose := append([]Card(nil), rest...)
	for k := range 30 {
		if (s.rdisc|away)>>k&1 == 1 {
			loose = append(loose, component.FirstRaider+Card(k))
		}
	}
	r.Shuffle(len(loose), func(i, k int) { loose[i], loose[k] = loose[k], loose[i] })
	discarded := bits.OnesCount32(s.rdisc)
	n := copy(rest, loose)
	s.rdisc = 0
	for _, card := range loose[n : n+discarded] {
		s.rdisc |= ravBit(card)
	}
}

// Piles are how many cards or tiles each pile has, and its discards.
func (s *State) Piles() (left, discarded [PileHal]int) {
	for c := range 3 {
		left[c], discarded[c] = int(s.ndeck[c]), bits.OnesCount32(s.discard[c])
		left[int(PileTileOrange)+c], discarded[int(PileTileOrange)+c] = int(s.nstack[c]), bits.OnesCount64(s.tdisc[c])
	}
	left[PileRavager], discarded[PileRavager] = int(s.nrdeck), bits.OnesCount32(s.rdisc)
	return left, discarded
}

// OwesPile reports whether a seat owes a card to the discards of colour c, or may: by a
// choice of two, a hand too large or a Mission that M12 asks for. What answers just settles
// does not count.
func (s *State) OwesPile(c Color, answers Seat) bool {
	for q := range s.players {
		p := &s.p[q]
		for i, d := range p.debts[:p.ndebts] {
			if i == 0 && Seat(q+1) == answers {
				continue
			}
			if d.Ask == AskKeep && d.Card.Color() == c {
				return true
			}
			if pays := d.Ask == AskDiscard || d.Ask == AskOwner && s.set.Missions[d.Card].Kind == 12; pays && p.hand&handMask[c] != 0 {
				return true
			}
		}
	}
	return false
}

// InSpace reports whether a Mission lies in Space.
func (s *State) InSpace(card Card) bool {
	for m := s.cards; m != 0; m &= m - 1 {
		if s.card[bits.TrailingZeros64(m)] == card {
			return true
		}
	}
	return false
}

// Owed is what seat owes.
func (s *State) Owed(seat Seat) []Debt {
	p := &s.p[seat-1]
	return p.debts[:p.ndebts]
}

// OnTurn is whose turn it is.
func (s *State) OnTurn() Seat { return s.seat }

// Gapped reports whether a tile entering seat's grid at slot meets a gap with a tile behind it (Q5.2).
func (s *State) Gapped(seat Seat, slot Slot) bool {
	gap := false
	for _, c := range lane(slot) {
		switch tile := s.p[seat-1].grid[c-1].tile; {
		case tile == 0:
			gap = true
		case gap:
			return true
		}
	}
	return false
}

// MayFlipLater reports whether seat has dice and Debris to turn one with (R17.1).
func (s *State) MayFlipLater(seat Seat) bool {
	p := &s.p[seat-1]
	return p.debris > 0 && (p.std != [3][4]uint8{} || p.sec != [3][4]uint8{})
}
