package engine

import (
	"math/bits"

	"angelpost/engine/component"
)

// Asked is what seat must decide now, NoDecision if nothing: first what it
// owes out of turn, in the order it arose (Q3.3).
func (s *State) Asked(seat Seat) Decision {
	switch {
	case s.finished || seat == 0 || seat > Seat(s.players):
		return NoDecision
	case s.pending>>(seat-1)&1 == 1:
		return AskReserveFree
	case s.p[seat-1].ndebts > 0:
		return s.p[seat-1].debts[0].Ask
	case s.seat == seat:
		return s.ask
	}
	return NoDecision
}

// ToAct reports whether seat owes a decision (R3.3).
func (s *State) ToAct(seat Seat) bool { return s.Asked(seat) != NoDecision }

// Legal appends the steps seat may take now to buf, in the order in which they
// are listed to players; none if seat owes no decision.
func (s *State) Legal(seat Seat, buf []Step) []Step {
	switch s.Asked(seat) {
	case AskReserveFree:
		return append(s.reservations(seat, buf), Step{Kind: Done})
	case AskDiscard:
		return s.discards(s.p[seat-1].hand, 0, buf)
	case AskKeep:
		d := s.p[seat-1].debts[0]
		return append(buf, Step{Kind: Keep, Card: d.Card}, Step{Kind: Keep, Card: d.Card2})
	case AskOwner:
		return append(s.payments(seat, s.p[seat-1].debts[0].Card, buf), Step{Kind: Decline})
	case AskTurn:
		return s.turnSteps(seat, buf)
	case AskA1:
		return s.a1Steps(seat, buf)
	case AskAction:
		return s.actionSteps(seat, buf)
	case AskRavagerDiscard:
		return s.ravagerDiscards(seat, buf)
	case AskTiles:
		return s.orDone(s.first, s.takings(buf))
	case AskInject:
		return s.injections(seat, buf)
	case AskCube:
		return s.cubeSteps(seat, buf)
	case AskShip:
		return s.moves(seat, int(s.left), s.first, Step{Kind: MoveShip}, buf)
	case AskPlace:
		return s.placements(seat, buf)
	case AskLocations:
		return s.orDone(s.first, s.locationSets(buf))
	case AskCollect:
		return s.orDone(s.did || s.first, s.payments(seat, s.using, buf))
	case AskReserve:
		return append(s.reserveSteps(seat, buf), Step{Kind: Done})
	}
	return buf
}

// orDone adds the step to stop if may is set; in the first edition that is only before the
// player has acted (R17.1).
func (s *State) orDone(may bool, buf []Step) []Step {
	if may {
		buf = append(buf, Step{Kind: Done})
	}
	return buf
}

// reservations lists the dice of the standard area (R2.11, R6.2).
func (s *State) reservations(seat Seat, buf []Step) []Step {
	for c := range s.p[seat-1].std {
		for v, n := range s.p[seat-1].std[c] {
			if n > 0 {
				buf = append(buf, Step{Kind: Reserve, Color: Color(c), Value: uint8(v)})
			}
		}
	}
	return buf
}

func (s *State) discards(missions uint64, ravs uint32, buf []Step) []Step {
	for m := missions; m != 0; m &= m - 1 {
		buf = append(buf, Step{Kind: Discard, Card: Card(bits.TrailingZeros64(m))})
	}
	for m := ravs; m != 0; m &= m - 1 {
		buf = append(buf, Step{Kind: Discard, Card: component.FirstRaider + Card(bits.TrailingZeros32(m))})
	}
	return buf
}

// turnSteps lists how a turn may begin: a die, a card, B, or a pass (R3.1, R8.4).
func (s *State) turnSteps(seat Seat, buf []Step) []Step {
	buf, any, firm := s.dieSteps(seat, buf)
	if s.first {
		buf = s.flipSteps(seat, buf)
	}
	buf = s.cardSteps(seat, any, firm, buf)
	if s.begun {
		return buf
	}
	buf = append(buf, Step{Kind: Reroll})
	if !any && s.ending != NotEnded && s.round == s.endRound {
		buf = append(buf, Step{Kind: Pass})
	}
	return buf
}

// dieSteps lists the dice that make a legal pair (Q3.1) and reports whether there
// is any pair, dice one could turn counted, and whether one is firm: stays so whatever A1 does. A frigate action other than
// Command is, and a Mission of M1-M4 with the player's own robot on it; what A1 can
// take away is cards, ships, robots and their places, and boosts; goods it only
// adds.
func (s *State) dieSteps(seat Seat, buf []Step) (_ []Step, any, firm bool) {
	s.eachDie(seat, func(d dieChoice) bool {
		any = true
		if !s.first || !d.step.Flip { // there a flip is a step of its own
			buf = append(buf, d.step)
		}
		for m := d.plain; m != 0 && !firm; m &= m - 1 {
			if b := bits.TrailingZeros64(uint64(m)); b < missionPairs {
				firm = s.set.Locs[b+1].Action != component.Command
			} else {
				i := b - missionPairs
				firm = s.owner[i] == seat && s.set.Missions[s.card[i]].Kind <= 4
			}
		}
		return true
	})
	return buf, any, firm
}

// flipSteps lists the dice of the compartment that may be turned for 1 Debris: a
// pair must stay possible (R17.1, Q3.1b). Where none is there is no flip either:
// a player with a die and a Debris has a pair.
func (s *State) flipSteps(seat Seat, buf []Step) []Step {
	p := &s.p[seat-1]
	if p.debris == 0 {
		return buf
	}
	for c := range p.std {
		for v := range uint8(4) {
			for _, secure := range [2]bool{false, true} {
				if !secure && p.std[c][v] == 0 || secure && p.sec[c][v] == 0 {
					continue
				}
				st := Step{Kind: FlipDie, Color: Color(c), Value: v, Secure: secure}
				try := *s
				try.flipDie(seat, st, nil)
				if try.pair(seat) {
					buf = append(buf, st)
				}
			}
		}
	}
	return buf
}

// cardSteps lists the cards that may be placed at the empty slots (R4.1). With
// a pair possible, only cards that leave one (Q3.1b); without, only cards
// whose activations can make one possible (Q3.1a). Cards of one back count
// alike, so one try serves them all.
func (s *State) cardSteps(seat Seat, any, firm bool, buf []Step) []Step {
	p := &s.p[seat-1]
	var ok [4][6]bool // by back (Ravager last) and slot
	for back := range 4 {
		card := sample(p, back)
		if card == 0 {
			continue
		}
		leaves := firm
		if any && !firm { // the slot of the card changes no pair
			try := *s
			try.p[seat-1].drop(card)
			leaves = try.pair(seat)
		}
		for slot := Slot(1); slot <= 6; slot++ {
			if p.slot[slot-1] != 0 {
				continue
			}
			ok[back][slot-1] = leaves
			if !any && s.activates(p, card, slot) != 0 {
				try := *s
				try.playCard(seat, Step{Kind: PlayCard, Card: card, Slot: slot}, nil)
				ok[back][slot-1] = try.canOpen(seat)
			}
		}
	}
	list := func(card Card, back int) {
		for slot := Slot(1); slot <= 6; slot++ {
			if ok[back][slot-1] {
				buf = append(buf, Step{Kind: PlayCard, Card: card, Slot: slot})
			}
		}
	}
	for m := p.hand; m != 0; m &= m - 1 {
		card := Card(bits.TrailingZeros64(m))
		list(card, int(card.Color()))
	}
	for m := p.ravs; m != 0; m &= m - 1 {
		list(component.FirstRaider+Card(bits.TrailingZeros32(m)), 3)
	}
	return buf
}

// sample is some card of the hand with that back, 0 if there is none.
func sample(p *player, back int) Card {
	if back == 3 {
		if p.ravs == 0 {
			return 0
		}
		return component.FirstRaider + Card(bits.TrailingZeros32(p.ravs))
	}
	if m := p.hand & handMask[back]; m != 0 {
		return Card(bits.TrailingZeros64(m))
	}
	return 0
}

// canOpen reports whether the card's remaining activations, at most three, can
// make a pair possible without drawing a card (Q3.1a).
func (s *State) canOpen(seat Seat) bool {
	return s.allowed != 0 && s.dieInReach(seat) && s.promising(seat) && s.search(seat)
}

// search tries the remaining activations in every order and with every choice.
func (s *State) search(seat Seat) bool {
	var array [128]Step
	var at [3]State // after the activation tried at each depth
	var next, end [3]int
	steps := s.activations(seat, array[:0])
	end[0] = len(steps)
	for depth := 0; depth >= 0; {
		if next[depth] == end[depth] {
			if depth--; depth >= 0 {
				steps = steps[:end[depth]]
			}
			continue
		}
		st := steps[next[depth]]
		next[depth]++
		before := s
		if depth > 0 {
			before = &at[depth-1]
		}
		if st.Use == Draw || before.paysVP(seat, st) {
			continue // what is drawn must not decide; VP make nothing possible
		}
		at[depth] = *before
		at[depth].playActivation(seat, st, nil, nil)
		if at[depth].pair(seat) {
			return true
		}
		if at[depth].allowed != 0 {
			depth++
			next[depth] = len(steps)
			steps = at[depth-1].activations(seat, steps)
			end[depth] = len(steps)
		}
	}
	return false
}

// promising is a quick no for canOpen: it reports whether a pair would be
// possible if every good the remaining activations could give had been given,
// more often than they can, and every ship they could move stood everywhere it
// could come to. Goods and places only ever make pairs possible.
func (s *State) promising(seat Seat) bool {
	p := &s.p[seat-1]
	const plenty = 4
	try := *s
	q := &try.p[seat-1]
	gives := func(tile Tile) (moves bool) {
		k := s.set.Tiles[tile]
		either := k.Effect == component.Start
		if k.Effect == component.Tb || either {
			switch k.Color {
			case Orange:
				q.ships += plenty
			case Gray:
				q.resources += plenty
			case Green:
				q.brk += plenty
			}
		}
		if k.Effect == component.Tc || either {
			switch k.Color {
			case Orange:
				moves = true
			case Gray:
				q.debris += plenty
			case Green:
				q.brk += plenty
			}
		}
		return moves
	}
	moving := 0 // activations that could move a ship
	for m := s.allowed; m != 0; m &= m - 1 {
		c := Cell(bits.TrailingZeros16(m) + 1)
		tile := p.grid[c-1].tile
		moves := gives(tile)
		if s.chains(tile) {
			for _, via := range neighbours(c, s.set.Tiles[tile].Color) {
				if via == 0 {
					continue
				}
				if next, ok := p.tileAt(via); ok && gives(next) {
					moves = true
				}
			}
		}
		if moves {
			moving++
		}
	}
	if moving > 0 {
		try.adrift = true
		try.fleet[seat-1] |= s.within(seat, 2*moving, q.ships > 0 && q.brk > 0)
	}
	return try.pair(seat)
}

// within is where the ships of seat could come in v steps, one launched
// included if launch says so.
func (s *State) within(seat Seat, v int, launch bool) uint64 {
	var all uint64
	for m := s.mine(seat); m != 0; m &= m - 1 {
		all |= s.reach(bits.TrailingZeros64(m), v)
	}
	if launch {
		all |= s.reach(s.angel(), v) | 1<<s.angel()
	}
	return all
}

// paysVP reports whether an activation gives a VP and nothing else (Ta).
func (s *State) paysVP(seat Seat, st Step) bool {
	c := st.Cell
	if st.Via != 0 {
		c = st.Via
	}
	return s.set.Tiles[s.p[seat-1].grid[c-1].tile].Effect == component.Ta
}

// dieInReach reports whether there is any die to use at all: an own one, or one
// that a resource would buy. Activations never make dice.
func (s *State) dieInReach(seat Seat) bool {
	for q := range uint8(s.lastSeat()) {
		own := Seat(q+1) == seat
		if s.p[q].std != [3][4]uint8{} || own && s.p[q].sec != [3][4]uint8{} {
			return true
		}
	}
	return s.neutralDie != [3]uint8{}
}

// a1Steps lists, once a pair is possible, the dice, and the activations still
// open (R4.2, Q3.1a, Q3.1b).
func (s *State) a1Steps(seat Seat, buf []Step) []Step {
	buf, any, firm := s.dieSteps(seat, buf)
	if s.first {
		buf = s.flipSteps(seat, buf)
	}
	from := len(buf)
	buf = s.activations(seat, buf)
	if firm {
		return buf
	}
	kept := buf[:from]
	for _, st := range buf[from:] {
		if s.keepsOpen(seat, st, any) {
			kept = append(kept, st)
		}
	}
	return kept
}

// keepsOpen reports whether an activation may be taken: with a pair possible one must stay
// so (Q3.1b), without one the way to it must stay open (Q3.1a). Drawing a card and taking
// goods never close anything, but turning a tile that is boost side up does.
func (s *State) keepsOpen(seat Seat, st Step, any bool) bool {
	p := &s.p[seat-1]
	turns := p.grid[st.Cell-1].boost || st.Via != 0 && p.grid[st.Via-1].boost
	if any && !turns && st.Use != Move && st.Use != ToStation {
		return true
	}
	try := *s
	if st.Use == Draw { // what it draws must not decide
		try.spendActivation(st)
		try.standard(seat, st.Cell, nil)
		if st.Via != 0 {
			try.standard(seat, st.Via, nil)
		}
		return any && try.pair(seat) || !any && try.canOpen(seat)
	}
	try.playActivation(seat, st, nil, nil)
	return try.pair(seat) || !any && try.canOpen(seat)
}

// actionSteps lists what the die taken can do (R4.6), and the boosts for it.
func (s *State) actionSteps(seat Seat, buf []Step) []Step {
	p := &s.p[seat-1]
	for m := s.pledged(s.pledge, s.pairsFor(seat, s.hue, s.dieValue, p.resources, p.debris)); m != 0; m &= m - 1 {
		if b := bits.TrailingZeros64(uint64(m)); b < missionPairs {
			buf = append(buf, Step{Kind: Act, Action: s.set.Locs[b+1].Action, Loc: uint8(b + 1)})
		} else {
			buf = append(buf, Step{Kind: UseCard, Card: s.card[b-missionPairs]})
		}
	}
	if s.advanced {
		buf = s.boostSteps(seat, buf)
	}
	return buf
}

// ravagerDiscards lists the cards V3 or V4 may take; a discard that would
// leave nothing legal is itself illegal (Q4.7): a star on Command needs a card
// of its colour.
func (s *State) ravagerDiscards(seat Seat, buf []Step) []Step {
	p := &s.p[seat-1]
	if s.set.Ravagers[s.topmost(s.loc)].Effect == 4 {
		return s.discards(0, p.ravs, buf)
	}
	return s.discards(s.discardable(seat), 0, buf)
}

func (s *State) discardable(seat Seat) uint64 {
	p := &s.p[seat-1]
	at := s.set.Locs[s.loc]
	needs := s.value(s.loc, s.dieValue) == 0 && !(s.first && s.dieValue > 0) // a card, for the star's form
	if at.Action == component.Command && needs && p.missionsOf(at.Color) == 1 {
		return p.hand &^ handMask[at.Color]
	}
	return p.hand
}

// takings lists the sets of tiles whose costs sum to at most the value (R5.1).
func (s *State) takings(buf []Step) []Step {
	var tile [component.MaxDisplay + 4]Tile
	var cost [component.MaxDisplay + 4]uint8
	n := 0
	for i, c := range s.set.Costs {
		if s.display[i] != 0 {
			tile[n], cost[n] = s.display[i], c
			n++
		}
	}
	for _, t := range s.slots {
		if t != 0 {
			tile[n], cost[n] = t, 2
			n++
		}
	}
	for i := range n {
		if cost[i] > s.left {
			continue
		}
		buf = append(buf, Step{Kind: TakeTiles, Tiles: ordered(tile[i], 0, 0)})
		for j := i + 1; j < n; j++ {
			if cost[i]+cost[j] > s.left {
				continue
			}
			buf = append(buf, Step{Kind: TakeTiles, Tiles: ordered(tile[i], tile[j], 0)})
			for k := j + 1; k < n; k++ {
				if cost[i]+cost[j]+cost[k] <= s.left {
					buf = append(buf, Step{Kind: TakeTiles, Tiles: ordered(tile[i], tile[j], tile[k])})
				}
			}
		}
	}
	return buf
}

// ordered is up to three tiles ascending, zeros last.
func ordered(a, b, c Tile) [3]Tile {
	if b != 0 && b < a {
		a, b = b, a
	}
	if c != 0 && c < b {
		b, c = c, b
	}
	if b != 0 && b < a {
		a, b = b, a
	}
	return [3]Tile{a, b, c}
}

// injections lists every tile taken with every arrow it may use, and with the
// Advanced space where the tile it ejects leaves a choice (R5.2, R5.3, Q5.3a).
func (s *State) injections(seat Seat, buf []Step) []Step {
	p := &s.p[seat-1]
	free := 0
	for _, t := range p.space {
		if t == 0 {
			free++
		}
	}
	for _, tile := range s.inject {
		if tile == 0 {
			continue
		}
		for arrow := Slot(1); arrow <= 6; arrow++ {
			if tile.Advanced() && arrow != 3 && arrow != 4 {
				continue
			}
			st := Step{Kind: Inject, Tile: tile, Slot: arrow}
			if out := p.pushed(arrow); !out.Advanced() || free < 2 {
				buf = append(buf, st)
				continue
			}
			for c, t := range p.space {
				if t == 0 {
					st.Space = uint8(c + 1)
					buf = append(buf, st)
				}
			}
		}
	}
	return buf
}

// lane is the cells an arrow's tiles run over, the entry first (R5.2).
func lane(arrow Slot) [3]Cell {
	if arrow <= 3 {
		r := Cell(arrow-1)*3 + 1
		return [3]Cell{r, r + 1, r + 2}
	}
	c := Cell(arrow - 3)
	return [3]Cell{c + 6, c + 3, c}
}

// pushed is the tile an injection by that arrow would eject, 0 if none: only a
// full line pushes one off (Q5.2).
func (p *player) pushed(arrow Slot) Tile {
	l := lane(arrow)
	for _, c := range l {
		if p.grid[c-1].tile == 0 {
			return 0
		}
	}
	return p.grid[l[2]-1].tile
}

// cubeSteps lists every cube with every use (R5.4), and that one may stop.
func (s *State) cubeSteps(seat Seat, buf []Step) []Step {
	p := &s.p[seat-1]
	for loc := uint8(1); loc < DieLoc+3; loc++ {
		if loc < DieLoc && s.damage[loc-1] == 0 || loc >= DieLoc && s.damaged[loc-DieLoc] == 0 {
			continue
		}
		st := Step{Kind: Cube, Loc: loc}
		buf = append(buf, st)
		for c := Cell(1); c <= 9; c++ {
			if _, ok := p.tileAt(c); !ok || p.grid[c-1].debris {
				continue
			}
			n := len(buf)
			if buf = s.effects(seat, c, st, buf); len(buf) == n { // the effect comes to nothing (Q5.4a)
				st.Cell = c
				buf = append(buf, st)
				st.Cell = 0
			}
		}
	}
	return s.orDone(s.did || s.first, buf)
}

// placements lists the Mission cards of the die's colour that may be placed:
// where the moved ship stands, or for a star at any ship (R5.5 steps 1 and 2).
func (s *State) placements(seat Seat, buf []Step) []Step {
	sites := s.sites(seat, s.hue)
	if s.ship != 0 {
		sites &= 1 << s.index(s.ship)
	}
	for m := s.p[seat-1].hand & handMask[s.hue]; m != 0; m &= m - 1 {
		for at := sites; at != 0; at &= at - 1 {
			buf = append(buf, Step{Kind: Place, Card: Card(bits.TrailingZeros64(m)), To: s.hex(bits.TrailingZeros64(at))})
		}
	}
	return s.orDone(s.ship != 0 || s.first && s.dieValue > 0, buf)
}

// locationSets lists the sets of locations whose Ravagers total at most the
// value (R5.7).
func (s *State) locationSets(buf []Step) []Step {
	for set := uint8(1); set < 64; set++ {
		total, ok := uint8(0), true
		for m := set; m != 0; m &= m - 1 {
			n := s.nrav[bits.TrailingZeros8(m)]
			total += n
			ok = ok && n > 0
		}
		if ok && total <= s.left {
			buf = append(buf, Step{Kind: Locations, Locs: set})
		}
	}
	return buf
}

// payments lists the ways to do one activation of the Mission card; none if it
// cannot be paid (section 10).
func (s *State) payments(seat Seat, card Card, buf []Step) []Step {
	p := &s.p[seat-1]
	if !s.payable(seat, card, p.resources, p.debris) {
		return buf
	}
	m := s.set.Missions[card]
	switch {
	case m.Kind == 12:
		for h := p.hand; h != 0; h &= h - 1 {
			buf = append(buf, Step{Kind: Collect, Card: Card(bits.TrailingZeros64(h))})
		}
		return buf
	case m.Kind < 7 || m.Color == Gray:
		return append(buf, Step{Kind: Collect})
	}
	pair := m.Kind == 8
	if m.Color == Green {
		for a := p.ravs; a != 0; a &= a - 1 {
			st := Step{Kind: Collect, Card: component.FirstRaider + Card(bits.TrailingZeros32(a))}
			if !pair {
				buf = append(buf, st)
				continue
			}
			for b := a & (a - 1); b != 0; b &= b - 1 {
				st.Card2 = component.FirstRaider + Card(bits.TrailingZeros32(b))
				buf = append(buf, st)
			}
		}
		return buf
	}
	for a := p.techSet(); a != 0; a &= a - 1 {
		st := Step{Kind: Collect, Tiles: [3]Tile{Tile(bits.TrailingZeros64(a) + 1)}}
		if !pair {
			buf = append(buf, st)
			continue
		}
		for b := a & (a - 1); b != 0; b &= b - 1 {
			st.Tiles[1] = Tile(bits.TrailingZeros64(b) + 1)
			buf = append(buf, st)
		}
	}
	return buf
}

// techSet is the Technology tiles that can be spent, bit n-1 for tile n.
func (p *player) techSet() uint64 {
	set := p.ejected
	for _, c := range p.grid {
		if c.tile != 0 && !c.tile.Advanced() {
			set |= 1 << (c.tile - 1)
		}
	}
	return set
}
