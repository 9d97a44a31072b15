package engine

import (
	"math/bits"

	"angelpost/engine/component"
)

// Apply takes a step if it is legal, drawing chance from src and telling what
// happened to t (which may be nil). An illegal step changes nothing and returns
// an *Illegal.
func (s *State) Apply(seat Seat, st Step, src Random, t *Tale) error {
	var array [256]Step
	for _, l := range s.Legal(seat, array[:0]) {
		if l == st {
			s.Do(seat, st, src, t)
			return nil
		}
	}
	return s.refuse(seat, st)
}

// Do is Apply for a step that Legal has just listed for seat, unchecked.
func (s *State) Do(seat Seat, st Step, src Random, t *Tale) {
	s.do(seat, st, src, t)
	if t != nil && t.Before != nil {
		then := *s
		t.Then = &then
	}
}

func (s *State) do(seat Seat, st Step, src Random, t *Tale) {
	p := &s.p[seat-1]
	switch s.Asked(seat) {
	case AskReserveFree:
		s.pending &^= 1 << (seat - 1)
		if st.Kind == Reserve {
			s.reserve(seat, st, t)
		}
		if s.pending == 0 {
			s.start(t)
		}
		return
	case AskDiscard:
		s.discardFromHand(seat, st.Card, t)
		if p.debts[0].N--; p.debts[0].N == 0 {
			s.settle(seat, src, t)
		}
		return
	case AskKeep:
		s.keep(seat, p.debts[0], st.Card, t)
		s.settle(seat, src, t)
		return
	case AskOwner:
		card := p.debts[0].Card
		if st.Kind == Collect {
			s.collect(seat, card, st, src, t)
		} else {
			t.add(Event{Kind: EvDeclined, Seat: seat, Card: card})
		}
		s.settle(seat, src, t)
		return
	}
	switch st.Kind {
	case PlayCard:
		s.playCard(seat, st, t)
	case Activate:
		s.playActivation(seat, st, src, t)
	case FlipDie:
		s.flipDie(seat, st, t)
	case TakeDie:
		s.takeDieFor(seat, st, t)
	case Boost:
		s.boost(seat, st, t)
	case Act:
		s.act(seat, st.Loc, src, t)
	case Discard: // V3, V4
		s.discardFromHand(seat, st.Card, t)
		s.open(seat, src, t)
	case UseCard:
		s.useCard(seat, st.Card, src, t)
	case TakeTiles:
		s.takeTiles(seat, st.Tiles, t)
	case Inject:
		s.injectTile(seat, st, src, t)
	case Cube:
		s.takeCube(seat, st, src, t)
	case MoveShip:
		s.moveShip(seat, st, src, t)
	case Place:
		s.place(seat, st, src, t)
	case Locations:
		s.destroy(seat, st.Locs, src, t)
	case Collect:
		s.collect(seat, s.using, st, src, t)
		s.did = true
		if s.left--; s.left == 0 || !s.payable(seat, s.using, p.resources, p.debris) {
			s.finishA(seat, src, t)
		}
	case Reroll:
		s.reroll(seat, src, t)
	case Reserve:
		if st.Cell != 0 {
			s.boost(seat, st, t)
		} else {
			s.spend(seat, Resource, 1, t)
			s.did = true
		}
		s.reserve(seat, st, t)
		if !s.canReserve(seat) {
			s.finishB(seat, src, t)
		}
	case Pass:
		t.add(Event{Kind: EvPassed, Seat: seat})
		s.endTurn(seat, src, t)
	case Done:
		if s.ask == AskReserve {
			s.finishB(seat, src, t)
		} else {
			s.finishA(seat, src, t)
		}
	}
}

// begin starts seat's turn.
func (s *State) begin(seat Seat) {
	s.seat, s.ask = seat, AskTurn
	s.turn++
	s.clearTurn()
}

// clearTurn forgets the turn that was.
func (s *State) clearTurn() {
	s.allowed, s.flipped, s.begun = 0, false, false
	s.dieColor, s.hue, s.dieValue = None, None, 0
	s.pledge, s.pledges = component.NoAction, 0
	s.loc, s.using, s.usingHex, s.left, s.did = 0, 0, 0, 0, false
	s.inject, s.ship = [3]Tile{}, 0
}

// drop takes a card out of the hand.
func (p *player) drop(card Card) {
	if card.Ravager() {
		p.ravs &^= ravBit(card)
	} else {
		p.hand &^= missionBit(card)
	}
}

func (s *State) discardFromHand(seat Seat, card Card, t *Tale) {
	s.p[seat-1].drop(card)
	s.putDown(card)
	t.add(Event{Kind: EvDiscarded, Seat: seat, Card: card})
}

// playCard places a card at a slot (R4.1); it may then activate the tiles of
// its colour in that row or column, a Ravager any (R4.2).
func (s *State) playCard(seat Seat, st Step, t *Tale) {
	p := &s.p[seat-1]
	p.drop(st.Card)
	p.slot[st.Slot-1] = st.Card
	s.allowed, s.ask = s.activates(p, st.Card, st.Slot), AskA1
	t.add(Event{Kind: EvCardPlayed, Seat: seat, Card: st.Card, Slot: st.Slot})
}

// activates is the cells a card at a slot may activate, bit cell-1 (R4.2).
func (s *State) activates(p *player, card Card, slot Slot) uint16 {
	set := uint16(0)
	for _, c := range lane(slot) {
		tile, ok := p.tileAt(c)
		if ok && (card.Ravager() || s.set.Tiles[tile].Color == card.Color()) {
			set |= 1 << (c - 1)
		}
	}
	return set
}

// spendActivation uses up the card's own activation of the step's tile.
func (s *State) spendActivation(st Step) { s.allowed &^= 1 << (st.Cell - 1) }

func (s *State) playActivation(seat Seat, st Step, src Random, t *Tale) {
	s.spendActivation(st)
	s.activate(seat, st, 0, src, t)
}

// flipDie turns a die of the compartment to its opposite face for 1 Debris; it
// begins sequence A (R17.1).
func (s *State) flipDie(seat Seat, st Step, t *Tale) {
	p := &s.p[seat-1]
	area := &p.std
	if st.Secure {
		area = &p.sec
	}
	area[st.Color][st.Value]--
	area[st.Color][st.Value^2]++
	p.debris--
	s.begun = true
	t.add(Event{Kind: EvFlippedOwn, Seat: seat, Color: st.Color, Value: st.Value ^ 2, Flag: st.Secure})
}

// takeDieFor takes the die of A2 (R4.4), pays its owner and turns it (R4.5).
func (s *State) takeDieFor(seat Seat, st Step, t *Tale) {
	p := &s.p[seat-1]
	s.dieColor, s.hue, s.dieValue, s.ask = st.Color, st.Color, st.Value, AskAction
	t.add(Event{Kind: EvDieTaken, Seat: seat, Color: st.Color, Value: st.Value, Other: st.Seller, Flag: st.Secure})
	switch {
	case st.Seller == Neutral:
		s.neutralDie[st.Color] = 0
	case st.Seller != 0:
		s.p[st.Seller-1].std[st.Color][st.Value]--
		if !s.solo { // Hal's goes to the supply
			s.p[st.Seller-1].resources++
		}
	case st.Secure:
		p.sec[st.Color][st.Value]--
	default:
		p.std[st.Color][st.Value]--
	}
	if st.Seller != 0 {
		p.resources--
		e := Event{Kind: EvPaid, Seat: seat, Other: st.Seller}
		if s.solo { // R15.5
			e.Cause = 1
		}
		t.add(e)
		if s.solo {
			s.halScore(halSale, 0, HalSold, ByReward, t)
		}
	}
	if st.Flip {
		p.debris--
		s.flipped = true
		s.dieValue ^= 2 // opposite faces differ by 2 (R1.2)
		t.add(Event{Kind: EvFlipped, Seat: seat, Color: st.Color, Value: s.dieValue})
	}
}

// act uses the die on the action at loc: first the topmost Ravager's effect,
// then the action (R4.7).
func (s *State) act(seat Seat, loc uint8, src Random, t *Tale) {
	s.loc = loc
	if s.ravagerEffect(seat, loc, t) {
		s.ask = AskRavagerDiscard
		return
	}
	s.open(seat, src, t)
}

// ravagerEffect resolves the permanent effect at loc (section 11). ask is true if the
// player must still choose a card to discard. If an effect has only one possible choice,
// the game does not ask (Q11.1).
func (s *State) ravagerEffect(seat Seat, loc uint8, t *Tale) (ask bool) {
	card := s.topmost(loc)
	if card == 0 {
		return false
	}
	p := &s.p[seat-1]
	r := s.set.Ravagers[card]
	var one Card
	resolved := p.resolves(r.Effect)
	switch r.Effect {
	case 3:
		m := s.discardable(seat)
		ask = bits.OnesCount64(m) > 1
		if resolved && !ask {
			one = Card(bits.TrailingZeros64(m))
		}
	case 4:
		ask = bits.OnesCount32(p.ravs) > 1
		if resolved && !ask {
			one = component.FirstRaider + Card(bits.TrailingZeros32(p.ravs))
		}
	}
	if !resolved { // 073-090 cost 1 VP if they cannot be resolved (R4.7)
		t.add(Event{Kind: EvRavagerFailed, Seat: seat, Card: card, Loc: loc})
		s.score(seat, -1, ByLoss, t)
		return false
	}
	t.add(Event{Kind: EvRavagerEffect, Seat: seat, Card: card, Loc: loc})
	switch {
	case r.Effect == 1:
		s.hit(loc%6+1, t)
	case r.Effect == 2:
		s.hitDie(r.Die, t)
	case r.Effect == 5:
		p.brk--
		s.trapped[loc-1][s.nrav[loc-1]-1][seat-1]++
		t.add(Event{Kind: EvTrapped, Seat: seat, Card: card})
	case one != 0:
		s.discardFromHand(seat, one, t)
	}
	return ask
}

// resolves reports whether the player has what a permanent effect takes.
func (p *player) resolves(effect uint8) bool {
	switch effect {
	case 3:
		return p.hand != 0
	case 4:
		return p.ravs != 0
	case 5:
		return p.brk > 0
	}
	return true
}

// open fixes the action's value and asks for its first choice.
func (s *State) open(seat Seat, src Random, t *Tale) {
	s.left = s.value(s.loc, s.dieValue)
	t.add(Event{Kind: EvActed, Seat: seat, Loc: s.loc, N: int16(s.left)})
	if s.first && !s.something(seat) { // R17.1
		s.finishA(seat, src, t)
		return
	}
	switch s.set.Locs[s.loc].Action {
	case component.Discover:
		s.ask = AskTiles
	case component.Repair:
		s.ask = AskCube
	case component.Destroy:
		s.ask = AskLocations
	case component.Command:
		s.ask = AskShip
		if s.left == 0 {
			s.ask = AskPlace
		}
	}
}

// takeTiles takes the tiles named together; then the Advanced slots refill,
// then every tile must be injected (R5.1, Q5.1a).
func (s *State) takeTiles(seat Seat, tiles [3]Tile, t *Tale) {
	for _, tile := range tiles {
		for i := range s.display {
			if tile != 0 && s.display[i] == tile {
				s.display[i] = 0
				t.add(Event{Kind: EvTileTaken, Seat: seat, Tile: tile, N: int16(s.set.Costs[i])})
			}
		}
		for i := range s.slots {
			if tile != 0 && s.slots[i] == tile {
				s.slots[i] = 0
				t.add(Event{Kind: EvTileTaken, Seat: seat, Tile: tile, N: 2})
			}
		}
	}
	s.inject, s.ask = tiles, AskInject
	for i := range s.slots {
		if s.slots[i] == 0 && s.nadv > 0 {
			if s.masked {
				t.unknown(s, Event{Kind: EvRefilled, N: 1})
				continue
			}
			s.nadv--
			s.slots[i] = s.advDeck[s.nadv]
			t.add(Event{Kind: EvRefilled, Tile: s.slots[i], N: int16(i + 1)})
		}
	}
}

// injectTile pushes a tile into the grid; a gap absorbs the push, a tile pushed
// off is ejected (R5.2, R5.3).
func (s *State) injectTile(seat Seat, st Step, src Random, t *Tale) {
	p := &s.p[seat-1]
	t.add(Event{Kind: EvInjected, Seat: seat, Tile: st.Tile, Slot: st.Slot})
	in := cell{tile: st.Tile, boost: s.advanced && !st.Tile.Advanced()} // R14.1
	for _, c := range lane(st.Slot) {
		in, p.grid[c-1] = p.grid[c-1], in
		if in.tile == 0 {
			break
		}
	}
	if in.tile != 0 {
		s.eject(seat, in, st.Space, t)
	}
	left := false
	for i := range s.inject {
		if s.inject[i] == st.Tile {
			s.inject[i] = 0
		}
		left = left || s.inject[i] != 0
	}
	if !left {
		s.finishA(seat, src, t)
	}
}

// eject puts a tile next to the board and its Debris in storage. An Advanced tile goes to
// the coloured space that the player names, or to the only empty one (R5.3, Q5.3a).
func (s *State) eject(seat Seat, c cell, space uint8, t *Tale) {
	p := &s.p[seat-1]
	t.add(Event{Kind: EvEjected, Seat: seat, Tile: c.tile})
	if c.debris {
		p.debris++
	}
	if !c.tile.Advanced() {
		p.ejected |= 1 << (c.tile - 1)
		return
	}
	for i := range p.space {
		if p.space[i] == 0 && (space == 0 || int(space) == i+1) {
			p.space[i] = c.tile
			t.add(Event{Kind: EvToSpace, Seat: seat, Tile: c.tile, Color: Color(i)})
			return
		}
	}
	p.ejectedAdv |= 1 << (c.tile - FirstAdvanced)
}

// takeCube removes one Damage cube, which becomes Debris in storage or on a
// tile, whose effect is then activated (R5.4).
func (s *State) takeCube(seat Seat, st Step, src Random, t *Tale) {
	p := &s.p[seat-1]
	e := Event{Kind: EvCubeRemoved, Seat: seat, Cell: st.Cell}
	if st.Loc < DieLoc {
		s.damage[st.Loc-1]--
		e.Loc = st.Loc
	} else {
		e.Color = Color(st.Loc - DieLoc)
		s.damaged[e.Color]--
		s.dice[e.Color]++
	}
	t.add(e)
	if st.Cell == 0 {
		p.debris++
	} else {
		p.grid[st.Cell-1].debris = true
		s.activate(seat, st, 1, src, t)
	}
	s.did = true
	s.left--
	s.repaired(seat, src, t)
}

// repaired ends a Repair of which nothing is left, once a card that a green Td
// offered is chosen (Q12.3).
func (s *State) repaired(seat Seat, src Random, t *Tale) {
	if (s.left == 0 || s.cubes() == 0) && s.p[seat-1].ndebts == 0 {
		s.finishA(seat, src, t)
	}
}

// moveShip is step 1 of Command. The game offers step 2 only if it is possible.
func (s *State) moveShip(seat Seat, st Step, src Random, t *Tale) {
	from := -1
	if st.From != 0 {
		from = s.index(st.From)
	}
	to := s.index(st.To)
	s.move(seat, from, to, t)
	s.ship = st.To
	p := &s.p[seat-1]
	if p.brk == 0 || p.hand&handMask[s.hue] == 0 || s.sites(seat, s.hue)>>to&1 == 0 {
		s.finishA(seat, src, t)
		return
	}
	s.ask = AskPlace
}

// place puts a Mission card into Space, takes its reward, draws Ravagers and
// brings new tiles (R5.5 steps 2 to 4).
func (s *State) place(seat Seat, st Step, src Random, t *Tale) {
	p := &s.p[seat-1]
	i := s.index(st.To)
	p.drop(st.Card)
	p.brk--
	s.cards |= 1 << i
	s.card[i], s.owner[i] = st.Card, seat
	t.add(Event{Kind: EvPlaced, Seat: seat, Card: st.Card, Hex: st.To})
	m := &s.set.Missions[st.Card]
	s.gain(seat, Robot, int(m.Reward.Robots), ByReward, t)
	s.gain(seat, Resource, int(m.Reward.Resources), ByReward, t)
	s.gain(seat, Ship, int(m.Reward.Ships), ByReward, t)
	if m.Reward.VP > 0 {
		s.gain(seat, VP, int(m.Reward.VP), ByReward, t)
	}
	s.drawRavagers(s.icons(i), src, t)
	for _, c := range m.Tiles {
		if c != None {
			s.appear(c, src, t)
		}
	}
	s.finishA(seat, src, t)
}

// destroy takes all Ravagers of the locations named into the hand; robots
// caught on them go back to their players' break rooms (R5.7).
func (s *State) destroy(seat Seat, locs uint8, src Random, t *Tale) {
	for m := locs; m != 0; m &= m - 1 {
		s.clearRavagers(seat, bits.TrailingZeros8(m), t)
	}
	s.finishA(seat, src, t)
}

// clearRavagers takes the Ravagers of location l+1 into the hand of seat; Hal's
// go to their discards (Q15.2).
func (s *State) clearRavagers(seat Seat, l int, t *Tale) {
	for k := range s.nrav[l] {
		card := s.rav[l][k]
		s.rav[l][k] = 0
		if s.solo && seat == Hal {
			s.putDown(card)
		} else {
			s.p[seat-1].ravs |= ravBit(card)
		}
		t.add(Event{Kind: EvDestroyed, Seat: seat, Card: card, Loc: uint8(l + 1)})
		for q, n := range s.trapped[l][k] {
			s.p[q].brk += n
			for range n {
				t.add(Event{Kind: EvFreed, Seat: Seat(q + 1), Card: card})
			}
		}
		s.trapped[l][k] = [MaxPlayers]uint8{}
	}
	s.nrav[l] = 0
}

// useCard uses the die on a Mission card in Space (R5.6); it knows neither
// Damage nor Ravagers (R4.8).
func (s *State) useCard(seat Seat, card Card, src Random, t *Tale) {
	for m := s.cards; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(m); s.card[i] == card {
			s.usingHex = uint8(i)
		}
	}
	s.using, s.left, s.ask = card, s.dieValue, AskCollect
	t.add(Event{Kind: EvUsedCard, Seat: seat, Card: card, Other: s.owner[s.usingHex]})
	if p := &s.p[seat-1]; s.first && !s.payable(seat, card, p.resources, p.debris) { // R17.1
		s.finishA(seat, src, t)
	}
}

// collect does one activation of a Mission card, paying what the step names
// (section 10).
func (s *State) collect(seat Seat, card Card, st Step, src Random, t *Tale) {
	m := &s.set.Missions[card]
	x := goodX[m.Color]
	t.add(Event{Kind: EvCollected, Seat: seat, Card: card})
	switch m.Kind {
	case 1:
		s.gain(seat, x, 2, ByActivation, t)
		return
	case 2:
		s.gain(seat, x, 1, ByActivation, t)
		s.gain(seat, VP, 1, ByActivation, t)
		return
	case 3, 4:
		s.gain(seat, x, 1, ByActivation, t)
		s.gain(seat, goodM[m.Color][m.Kind-3], 1, ByActivation, t)
		return
	case 5:
		s.spend(seat, x, 1, t)
		s.gain(seat, VP, 2, ByActivation, t)
		return
	case 6:
		s.spend(seat, x, 2, t)
		s.gain(seat, VP, 3, ByActivation, t)
		return
	case 9:
		s.spend(seat, Resource, 1, t)
	case 10:
		s.spend(seat, Robot, 1, t)
	case 11:
		s.spend(seat, Ship, 1, t)
	case 12:
		s.spend(seat, x, 1, t)
		s.payCard(seat, st.Card, t)
	}
	n := 1
	if m.Kind == 8 {
		n = 2
	}
	switch {
	case m.Kind == 12:
	case m.Color == Orange:
		for _, tile := range st.Tiles[:n] {
			s.payTile(seat, tile, t)
		}
	case m.Color == Gray:
		s.spend(seat, Debris, n, t)
	default:
		s.payCard(seat, st.Card, t)
		if n == 2 {
			s.payCard(seat, st.Card2, t)
		}
	}
	if m.Kind == 7 {
		s.gain(seat, VP, 2, ByActivation, t)
	} else {
		s.gain(seat, VP, 3, ByActivation, t)
	}
}

func (s *State) payCard(seat Seat, card Card, t *Tale) {
	s.p[seat-1].drop(card)
	s.putDown(card)
	t.add(Event{Kind: EvPaidCard, Seat: seat, Card: card})
}

// payTile spends a Technology tile from the grid, leaving a gap, its Debris
// back to storage, or from the ejected ones (section 10, Q10.2).
func (s *State) payTile(seat Seat, tile Tile, t *Tale) {
	p := &s.p[seat-1]
	p.ejected &^= 1 << (tile - 1)
	for i := range p.grid {
		if p.grid[i].tile == tile {
			if p.grid[i].debris {
				p.debris++
			}
			p.grid[i] = cell{}
		}
	}
	s.scrap(tile)
	t.add(Event{Kind: EvPaidTile, Seat: seat, Tile: tile})
}

// finishA is what comes after the action: the VP of each B1 turned for it
// (Q14.2); A3, the card of the die's printed colour, the die back to its supply
// (R4.9, R14.3); then the owner's activation (Q5.6).
func (s *State) finishA(seat Seat, src Random, t *Tale) {
	for range s.pledges {
		s.score(seat, 2, ByBoost, t)
	}
	if s.advanced {
		s.drawTwo(seat, s.dieColor, src, t)
	} else {
		s.drawMission(seat, s.dieColor, src, t)
	}
	s.dice[s.dieColor]++
	t.add(Event{Kind: EvDieBack, Seat: seat, Color: s.dieColor})
	if s.using != 0 && s.did {
		if owner := s.owner[s.usingHex]; owner != seat {
			s.ownerActivation(owner, s.using, src, t)
		}
	}
	s.endTurn(seat, src, t)
}

// ownerActivation gives the owner one activation without a die: M1-M4 at once,
// others asked if they can pay, goods they already owe counting as held (R5.6,
// Q5.6, Q3.3b).
func (s *State) ownerActivation(owner Seat, card Card, src Random, t *Tale) {
	p := &s.p[owner-1]
	switch {
	case s.solo:
		s.halCollects(card, t)
	case s.set.Missions[card].Kind <= 4:
		s.collect(owner, card, Step{}, src, t)
	case s.payable(owner, card, p.resources, p.debris):
		s.owe(owner, Debt{Ask: AskOwner, Card: card})
		t.add(Event{Kind: EvOwes, Seat: owner, Card: card})
	}
}

func (s *State) owe(seat Seat, d Debt) {
	p := &s.p[seat-1]
	p.debts[p.ndebts] = d
	p.ndebts++
}
