package engine

import "angelpost/engine/component"

// Illegal is why a step was refused: the rule it breaks and a code for the
// catalogue. What is legal instead, Legal tells.
type Illegal struct {
	Rule string // number in RULES.md, "R4.1"
	Code string // catalogue key of the reason, "slot-taken"
	Seat Seat
	Step Step
}

func (e *Illegal) Error() string { return e.Rule + " " + e.Code }

// New reports whether the event is new information in the sense of engine/order/ORDERS.md
// 1: what it tells came from chance and could not be known before.
func (e Event) New() bool {
	switch e.Kind {
	case EvHalCard, EvHalDrew, EvRolled, EvDrewMission, EvOffered, EvRefilled, EvAttack, EvOverflow, EvTileAppeared:
		return true
	}
	return false
}

// refuse returns the rule that an illegal step breaks. Callers use it only for steps that
// are not in the legal list. The last reason of each kind applies if no other does.
func (s *State) refuse(seat Seat, st Step) *Illegal {
	rule, code := s.why(seat, st)
	return &Illegal{rule, code, seat, st}
}

// proper is the decisions a kind of step may answer.
func proper(k Kind, ask Decision) bool {
	switch k {
	case Discard:
		return ask == AskDiscard || ask == AskRavagerDiscard
	case Keep:
		return ask == AskKeep
	case Decline:
		return ask == AskOwner
	case PlayCard, Reroll, Pass:
		return ask == AskTurn
	case Activate:
		return ask == AskA1
	case FlipDie, TakeDie:
		return ask == AskTurn || ask == AskA1
	case Boost, Act, UseCard:
		return ask == AskAction
	case TakeTiles:
		return ask == AskTiles
	case Inject:
		return ask == AskInject
	case Cube:
		return ask == AskCube
	case MoveShip:
		return ask == AskShip
	case Place:
		return ask == AskPlace
	case Locations:
		return ask == AskLocations
	case Collect:
		return ask == AskCollect || ask == AskOwner
	case Done:
		return ask != AskDiscard && ask != AskOwner && ask != AskKeep
	case Reserve:
		return ask == AskReserve || ask == AskReserveFree
	}
	return false
}

func (s *State) why(seat Seat, st Step) (rule, code string) {
	ask := s.Asked(seat)
	switch {
	case s.finished:
		return "R8.1", "game-over"
	case ask == NoDecision:
		return "R3.1", "not-your-turn"
	case (ask == AskDiscard || ask == AskOwner || ask == AskKeep) && !proper(st.Kind, ask):
		return "Q3.3", "owes-first"
	case st.Kind == PlayCard && ask == AskA1:
		return "R4.1", "one-card"
	case st.Kind == Reroll && (ask == AskA1 || ask == AskTurn && s.begun):
		return "R3.1", "a-begun"
	case st.Kind == Activate && ask == AskTurn:
		return "R4.2", "no-card-played"
	case st.Kind == Pass && ask == AskTurn:
		return "R8.4", "no-pass"
	case !proper(st.Kind, ask):
		return "R3.1", "not-now"
	}
	p := &s.p[seat-1]
	switch st.Kind {
	case Discard:
		if !p.holds(st.Card) {
			return "R3.2", "not-in-hand"
		}
		if ask == AskRavagerDiscard {
			if st.Card.Ravager() != (s.set.Ravagers[s.topmost(s.loc)].Effect == 4) {
				return "R4.7", "wrong-kind"
			}
			return "Q4.7", "discard-leaves-nothing"
		}
		return "R3.2", "mission-only"
	case Keep:
		return "R4.9", "not-drawn"
	case PlayCard:
		switch any := s.pair(seat); {
		case !p.holds(st.Card):
			return "R4.1", "not-in-hand"
		case st.Slot < 1 || st.Slot > 6:
			return "R4.1", "no-slot"
		case p.slot[st.Slot-1] != 0:
			return "R4.1", "slot-taken"
		case any:
			return "Q3.1b", "last-pair"
		default:
			return "Q3.1a", "opens-nothing"
		}
	case Activate:
		return s.whyActivate(seat, st)
	case FlipDie:
		return s.whyFlip(seat, st)
	case TakeDie:
		return s.whyDie(seat, st)
	case Boost:
		return s.whyBoost(seat, st)
	case Act:
		return s.whyAct(seat, st)
	case UseCard:
		return s.whyUse(seat, st.Card)
	case TakeTiles:
		return s.whyTiles(st)
	case Inject:
		return s.whyInject(seat, st)
	case Cube:
		return s.whyCube(seat, st)
	case MoveShip:
		return s.whyShip(seat, st, "R5.5")
	case Place:
		return s.whyPlace(seat, st)
	case Locations:
		return "R5.7", "ravagers-all-or-none"
	case Collect:
		card := s.using
		if ask == AskOwner {
			card = p.debts[0].Card
		}
		if !s.payable(seat, card, p.resources, p.debris) {
			return "R5.6", "cannot-pay"
		}
		return "R5.6", "wrong-payment"
	case Done:
		switch ask {
		case AskInject:
			return "Q5.1a", "inject-all"
		case AskPlace:
			return "R5.5", "star-must-place"
		case AskCube, AskCollect, AskTiles, AskLocations, AskShip:
			return "R4.6", "at-least-one"
		}
		return "R3.1", "not-now"
	case Reserve:
		return s.whyReserve(seat, st)
	}
	return "R3.1", "not-now"
}

func (p *player) holds(card Card) bool {
	switch {
	case card == 0 || card > component.LastRaider:
		return false
	case card.Ravager():
		return p.ravs&ravBit(card) != 0
	}
	return p.hand&missionBit(card) != 0
}

func (s *State) whyActivate(seat Seat, st Step) (rule, code string) {
	p := &s.p[seat-1]
	if st.Cell < 1 || st.Cell > 9 || p.grid[st.Cell-1].tile == 0 {
		return "R4.2", "no-tile"
	}
	tile, ok := p.tileAt(st.Cell)
	if !ok {
		return "R4.2", "advanced-tile"
	}
	if s.allowed>>(st.Cell-1)&1 == 0 {
		return "R4.2", "not-by-this-card"
	}
	if s.chains(tile) || st.Via != 0 {
		if st.Via < 1 || st.Via > 9 || !s.chains(tile) {
			return "Q12.1", "no-chain"
		}
		n := neighbours(st.Cell, s.set.Tiles[tile].Color)
		next, ok := p.tileAt(st.Via)
		if st.Via != n[0] && st.Via != n[1] || !ok || s.chains(next) {
			return "Q12.1", "no-chain"
		}
	}
	for _, l := range s.effects(seat, st.Cell, Step{Kind: Activate}, nil) {
		if l == st {
			if s.pair(seat) {
				return "Q3.1b", "last-pair"
			}
			return "Q3.1a", "opens-nothing"
		}
	}
	if st.Use == Move {
		return s.whyShip(seat, st, "Q12.2")
	}
	return "R4.3", "not-its-effect"
}

// whyFlip is why a die of the compartment cannot be turned (R17.1).
func (s *State) whyFlip(seat Seat, st Step) (rule, code string) {
	p := &s.p[seat-1]
	switch {
	case !s.first:
		return "R4.5", "flip-with-die"
	case st.Color > Green || st.Value > 3,
		st.Secure && p.sec[st.Color][st.Value] == 0, !st.Secure && p.std[st.Color][st.Value] == 0:
		return "R4.4", "no-such-die"
	case p.debris == 0:
		return "R4.5", "no-debris"
	}
	return "Q3.1b", "last-pair"
}

func (s *State) whyDie(seat Seat, st Step) (rule, code string) {
	p := &s.p[seat-1]
	if st.Color > Green || st.Value > 3 {
		return "R4.4", "no-such-die"
	}
	switch {
	case st.Flip && s.first:
		return "R17.1", "flip-first"
	case st.Seller != 0 && st.Flip:
		return "R4.5", "flip-bought"
	case st.Seller == Neutral:
		if s.neutralDie[st.Color] != st.Value+1 {
			return "R4.4", "no-such-die"
		}
	case st.Seller != 0:
		if st.Seller > s.lastSeat() || st.Seller == seat {
			return "R4.4", "no-such-die"
		}
		q := &s.p[st.Seller-1]
		if q.std[st.Color][st.Value] == 0 {
			if q.sec[st.Color][st.Value] > 0 {
				return "R4.4", "reserved"
			}
			return "R4.4", "no-such-die"
		}
	case st.Secure && p.sec[st.Color][st.Value] == 0, !st.Secure && p.std[st.Color][st.Value] == 0:
		return "R4.4", "no-such-die"
	}
	switch {
	case st.Seller != 0 && p.resources == 0:
		return "R4.4", "no-resource"
	case st.Flip && p.debris == 0:
		return "R4.5", "no-debris"
	}
	return "R4.6", "die-does-nothing"
}

// whyBoost is why a boost does not fit the die taken.
func (s *State) whyBoost(seat Seat, st Step) (rule, code string) {
	p := &s.p[seat-1]
	if st.Cell < 1 || st.Cell > 9 || !p.grid[st.Cell-1].boost {
		return "R14.1", "no-boost"
	}
	switch t := s.set.Tiles[p.grid[st.Cell-1].tile]; {
	case t.Boost == boostReserve:
		return "R14.2", "boost-for-b"
	case t.For != s.hue:
		return "R14.2", "boost-color"
	case t.Boost == boostThree && s.dieValue == 3,
		t.Boost == boostColor && st.Use == AsColor && st.Color == s.hue:
		return "R14.2", "boost-idle"
	case (t.Boost == boostColor) != (st.Use == AsColor):
		return "R14.2", "boost-which-color"
	case s.pledge != component.NoAction && (t.Boost == boostColor || t.Boost == boostVP && t.Action != s.pledge):
		return "Q14.2", "pledged"
	}
	return "Q4.7", "boost-leaves-nothing"
}

// whyReserve is why a die cannot be reserved (R6.2, R14.2).
func (s *State) whyReserve(seat Seat, st Step) (rule, code string) {
	p := &s.p[seat-1]
	if st.Color > Green || st.Value > 3 || p.std[st.Color][st.Value] == 0 {
		return "R6.2", "no-such-die"
	}
	if st.Cell == 0 && s.Asked(seat) == AskReserve {
		if s.did {
			return "R6.2", "one-reservation"
		}
		return "R6.2", "no-resource-to-reserve"
	}
	if st.Cell < 1 || st.Cell > 9 || !p.grid[st.Cell-1].boost {
		return "R14.1", "no-boost"
	}
	return "R14.2", "boost-no-reserve"
}

func (s *State) whyAct(seat Seat, st Step) (rule, code string) {
	if st.Loc < 1 || st.Loc > 6 {
		return "R4.6", "no-location"
	}
	at := s.set.Locs[st.Loc]
	switch {
	case at.Action != st.Action:
		return "R4.6", "other-action-there"
	case at.Color != s.hue:
		return "R4.6", "wrong-color"
	case s.pledge != component.NoAction && at.Action != s.pledge:
		return "Q14.2", "pledged"
	case s.dieValue == 0 && at.Action != component.Command:
		return "R4.6", "star"
	case s.value(st.Loc, s.dieValue) == 0 && at.Action != component.Command:
		return "Q4.7", "damage-leaves-nothing"
	}
	switch at.Action {
	case component.Discover:
		return "R5.1", "no-tile-to-take"
	case component.Repair:
		return "R5.4", "no-damage"
	case component.Destroy:
		return "R5.7", "no-ravagers"
	}
	return "R5.5", "cannot-command"
}

func (s *State) whyUse(seat Seat, card Card) (rule, code string) {
	p := &s.p[seat-1]
	for i := range s.card {
		if card == 0 || s.card[i] != card {
			continue
		}
		switch {
		case card.Color() != s.hue:
			return "R5.6", "wrong-color"
		case s.pledge != component.NoAction:
			return "Q14.2", "pledged"
		case !s.set.Missions[card].Activation():
			return "R5.6", "neutralization"
		case s.owner[i] != seat && s.mine(seat)>>i&1 == 0:
			return "R5.6", "no-robot-or-ship"
		case !s.payable(seat, card, p.resources, p.debris):
			return "R4.6", "cannot-pay"
		}
		return "R4.6", "star"
	}
	return "R5.6", "not-in-space"
}

func (s *State) whyTiles(st Step) (rule, code string) {
	for _, t := range st.Tiles {
		found := t == 0
		for _, d := range s.display {
			found = found || d == t
		}
		for _, d := range s.slots {
			found = found || d == t
		}
		if !found {
			return "R5.1", "tile-not-there"
		}
	}
	if st.Tiles[0] == 0 {
		return "R4.6", "at-least-one"
	}
	return "R5.1", "too-costly"
}

func (s *State) whyInject(seat Seat, st Step) (rule, code string) {
	found := false
	for _, t := range s.inject {
		found = found || t == st.Tile && t != 0
	}
	switch {
	case !found:
		return "R5.1", "tile-not-taken"
	case st.Slot < 1 || st.Slot > 6, st.Tile.Advanced() && st.Slot != 3 && st.Slot != 4:
		return "R5.2", "wrong-arrow"
	}
	return "R5.3", "wrong-space"
}

func (s *State) whyCube(seat Seat, st Step) (rule, code string) {
	p := &s.p[seat-1]
	switch {
	case st.Loc < 1 || st.Loc >= DieLoc+3,
		st.Loc < DieLoc && s.damage[st.Loc-1] == 0,
		st.Loc >= DieLoc && s.damaged[st.Loc-DieLoc] == 0:
		return "R5.4", "no-cube-there"
	case st.Cell > 9:
		return "R5.4", "no-tile"
	case st.Cell == 0:
		return "R5.4", "not-its-effect"
	}
	switch tile, ok := p.tileAt(st.Cell); {
	case tile == 0:
		return "R5.4", "no-tile"
	case !ok:
		return "R5.4", "advanced-tile"
	case p.grid[st.Cell-1].debris:
		return "R5.4", "has-debris"
	case st.Use == Move:
		return s.whyShip(seat, st, "Q12.2")
	}
	return "R4.3", "not-its-effect"
}

func (s *State) whyShip(seat Seat, st Step, rule string) (string, string) {
	p := &s.p[seat-1]
	from := -1
	if st.From != 0 {
		from = s.index(st.From)
		if from < 0 || s.mine(seat)>>from&1 == 0 {
			return rule, "no-ship-there"
		}
	} else if p.ships == 0 {
		return rule, "no-ship"
	} else if p.brk == 0 {
		return rule, "no-pilot"
	}
	to := s.index(st.To)
	if to < 0 {
		return "Q5.5d", "off-the-board"
	}
	v, zero := int(s.left), false
	if st.Kind != MoveShip {
		v, zero = 2, true
	}
	start := from
	if from < 0 {
		start = s.angel()
	}
	if s.reach(start, v)>>to&1 == 0 && !(zero && to == start) {
		if s.chart.rocks>>to&1 == 1 && to != s.angel() {
			return "R5.5", "asteroids"
		}
		return "R5.5", "too-far"
	}
	return "R5.5", "hex-full"
}

func (s *State) whyPlace(seat Seat, st Step) (rule, code string) {
	p := &s.p[seat-1]
	i := s.index(st.To)
	switch {
	case !p.holds(st.Card) || st.Card.Ravager():
		return "R5.5", "not-in-hand"
	case st.Card.Color() != s.hue:
		return "R5.5", "wrong-color"
	case i < 0:
		return "Q5.5d", "off-the-board"
	case s.mine(seat)>>i&1 == 0, s.ship != 0 && st.To != s.ship:
		return "R5.5", "not-your-ship"
	case i == s.spes():
		return "Q5.5c", "spes"
	case s.cards>>i&1 == 1:
		return "R5.5", "card-there"
	}
	return "R5.5", "wrong-hex"
}
