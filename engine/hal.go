package engine

import (
	"math/bits"

	"angelpost/engine/component"
)

// Hal is the seat of the solo game's opponent (section 15). He is not a player: the game
// never asks him for a decision. He has dice in one compartment, robots, VP and cards in
// Space, stored like those of a seat. Everything else that he gains turns into VP.
const Hal Seat = 2

// Level is how hard Hal is to beat.
type Level uint8

// The levels; NoHal where more than one play.
const (
	NoHal Level = iota
	Easy
	Standard
	Hard
	Extreme
)

var levelNames = [...]string{"", "easy", "standard", "hard", "extreme"}

// String is the level's word in data; "" for NoHal.
func (l Level) String() string {
	if l > Extreme {
		return ""
	}
	return levelNames[l]
}

// Difficult is what the rulebook, and people, call the level Hard.
const Difficult = "difficult"

// Name is the level's word for people.
func (l Level) Name() string {
	if l == Hard {
		return Difficult
	}
	return l.String()
}

// LevelNamed is the level of a word, that of data or that for people; NoHal for
// any other.
func LevelNamed(word string) Level {
	for l := Easy; l <= Extreme; l++ {
		if word == l.String() || word == l.Name() {
			return l
		}
	}
	return NoHal
}

// Why Hal gains VP: the Cause of an EvVP of his. The first are things of which
// Value tells how many, each worth its weight (C6).
const (
	_           = iota
	HalShip     // ships,
	HalResource // resources,
	HalRobot    // robots of a reward or a Mission
	HalDebris   // Damage cubes removed
	HalRavager  // Ravagers destroyed
	HalTile     // Technology tiles taken
	HalAdvanced // Advanced tiles taken
	HalPrinted  // VP of a reward or a Mission
	HalStar     // nothing done: a star
	HalDamage   // nothing done: Damage makes the die worth nothing
	HalNothing  // nothing to do
	HalNoCard   // no card to draw
	HalNoHex    // no free hex for the card
	HalComet    // the card is on a comet
	HalNoDie    // no die of the card's colours
	HalSold     // one of his dice was bought
	HalEjected  // a card of his was ejected
	HalReasons  // one more than the last
)

// VP for these reasons, and Hal's robots besides one in each workstation.
const (
	halNone      = 3 // HalStar to HalNoHex, HalNoDie
	halComet     = 3
	halEjected   = 3
	halSale      = 1
	halRobotsAll = 16 - 3
)

// setupHal gives Hal his VP, robots and dice and shuffles his cards (R15.1).
func (s *State) setupHal(src Random, t *Tale) {
	h := &s.p[Hal-1]
	h.vp = 5 * int16(s.level-Easy)
	h.by[BySetup] = h.vp
	h.station, h.brk = [3]uint8{1, 1, 1}, halRobotsAll
	t.add(Event{Kind: EvHalStarts, Seat: Hal, N: h.vp})
	for _, c := range component.Colors {
		s.dice[c]--
		h.std[c][s.roll(Hal, c, src, t)]++
	}
	for i := range s.hal {
		s.hal[i] = uint8(i + 1)
	}
	s.nhal = uint8(len(s.hal))
	shuffle(src, StreamHal, &s.chance[StreamHal], s.hal[:])
}

// halScore gives Hal n VP and tells why; count is of how many things.
func (s *State) halScore(n, count int, reason uint8, from Source, t *Tale) {
	h := &s.p[Hal-1]
	h.vp += int16(n)
	h.by[from] += int16(n)
	t.add(Event{Kind: EvVP, Seat: Hal, N: int16(n), Source: from, Cause: reason, Value: uint8(count)})
}

// halGains turns n of a good into VP (R15.2, C6).
func (s *State) halGains(g Good, n int, from Source, t *Tale) {
	if n == 0 {
		return
	}
	w := &s.set.Weights
	switch g {
	case Ship:
		s.halScore(n*int(w.Ship), n, HalShip, from, t)
	case Resource:
		s.halScore(n*int(w.Resource), n, HalResource, from, t)
	case Robot:
		s.halScore(n*int(w.Robot), n, HalRobot, from, t)
	case VP:
		s.halScore(n, n, HalPrinted, from, t)
	}
}

// halWaits ends the player's turn of a solo game: Hal plays when he owes
// nothing (Q3.3c). After an A Hal looks at the upper half of his card first,
// after a B or a pass at the lower (R15.3).
func (s *State) halWaits(src Random, t *Tale) {
	s.lower = s.dieColor == None
	s.clearTurn()
	s.seat, s.ask = Hal, NoDecision
	if s.p[0].ndebts == 0 {
		s.halTurn(src, t)
	}
}

// halTurn is Hal's whole turn; masked, no one can know it.
func (s *State) halTurn(src Random, t *Tale) {
	if s.masked {
		t.unknown(s, Event{Kind: EvHalCard, Seat: Hal, N: 1})
		return
	}
	s.turn++
	if s.p[Hal-1].std == [3][4]uint8{} {
		s.halRolls(src, t)
	} else {
		s.halActs(src, t)
	}
	t.add(Event{Kind: EvTurnEnded, Seat: Hal, N: int16(s.round)})
	s.nextRound(t)
}

// halRolls is sequence B for Hal, at no cost to him (R15.4).
func (s *State) halRolls(src Random, t *Tale) {
	h := &s.p[Hal-1]
	t.add(Event{Kind: EvDiceBack, Seat: Hal})
	for _, c := range component.Colors {
		for range h.station[c] {
			damaged, ok := s.takeDie(c)
			if !ok {
				break
			}
			if damaged {
				t.add(Event{Kind: EvTookDamaged, Seat: Hal, Color: c})
			}
			h.std[c][s.roll(Hal, c, src, t)]++
		}
	}
	if s.ending == NotEnded {
		s.advance(t)
	}
}

// halActs reveals a card and does one of its halves with a die of that colour;
// without a die for either, his own of the third colour goes back (R15.3).
func (s *State) halActs(src Random, t *Tale) {
	card := s.halReveals(src, t)
	t.add(Event{Kind: EvHalCard, Seat: Hal, N: int16(card), Flag: s.lower})
	third := Orange + Gray + Green
	for k := range 2 {
		upper := (k == 0) != s.lower
		half := s.set.Hal[card-1][1]
		which := uint8(2)
		if upper {
			half, which = s.set.Hal[card-1][0], 1
		}
		value, own, ok := s.halDie(half.Color)
		if ok {
			t.add(Event{Kind: EvHalChose, Seat: Hal, N: int16(card), Cause: which})
			s.halUses(half, value, own, src, t)
			return
		}
		t.add(Event{Kind: EvHalNoDie, Seat: Hal, Color: half.Color})
		third -= half.Color
	}
	h := &s.p[Hal-1]
	for v := range h.std[third] {
		if h.std[third][v] > 0 {
			h.std[third][v]--
			s.dice[third]++
			t.add(Event{Kind: EvHalBack, Seat: Hal, Color: third, Value: uint8(v)})
			break
		}
	}
	s.halScore(halNone, 0, HalNoDie, ByReward, t)
}

// halReveals takes the top card of Hal's deck, which is reshuffled when exhausted (R15.1,
// Q8.2).
func (s *State) halReveals(src Random, t *Tale) uint8 {
	if s.nhal == 0 {
		for i := range s.hal {
			s.hal[i] = uint8(i + 1)
		}
		s.nhal = uint8(len(s.hal))
		shuffle(src, StreamHal, &s.chance[StreamHal], s.hal[:])
		t.add(Event{Kind: EvShuffled, Pile: PileHal})
	}
	s.nhal--
	return s.hal[s.nhal]
}

// halDie is the die of colour c that Hal takes: the highest, his own on a tie,
// never a reserved one (R15.5).
func (s *State) halDie(c Color) (value uint8, own, ok bool) {
	for v := 3; v >= 0; v-- {
		switch {
		case s.p[Hal-1].std[c][v] > 0:
			return uint8(v), true, true
		case s.p[0].std[c][v] > 0:
			return uint8(v), false, true
		}
	}
	return 0, false, false
}

// halUses does the action of a half with the die (R15.6); bought, its owner
// takes 1 resource from the supply (R15.5).
func (s *State) halUses(half component.Half, value uint8, own bool, src Random, t *Tale) {
	e := Event{Kind: EvDieTaken, Seat: Hal, Color: half.Color, Value: value}
	if own {
		s.p[Hal-1].std[half.Color][value]--
		t.add(e)
	} else {
		s.p[0].std[half.Color][value]--
		s.p[0].resources++
		e.Other = 1
		t.add(e)
		t.add(Event{Kind: EvPaid, Seat: Hal, Other: 1})
	}
	loc := s.locationOf(half.Action, half.Color)
	v := s.value(loc, value)
	t.add(Event{Kind: EvActed, Seat: Hal, Loc: loc, N: int16(v)})
	switch {
	case half.Action == component.Command:
		s.halEffect(loc, t)
		s.halCommands(half.Color, src, t)
	case value == 0:
		s.halScore(halNone, 0, HalStar, ByReward, t)
	case v == 0:
		s.halScore(halNone, 0, HalDamage, ByReward, t)
	default:
		s.halEffect(loc, t)
		did := false
		switch half.Action {
		case component.Discover:
			did = s.halDiscovers(half.Mod, v, t)
		case component.Repair:
			did = s.halRepairs(half.Mod, v, t)
		case component.Destroy:
			did = s.halDestroys(half.Mod, v, t)
		}
		if !did {
			s.halScore(halNone, 0, HalNothing, ByReward, t)
		}
	}
	s.dice[half.Color]++
	t.add(Event{Kind: EvDieBack, Seat: Hal, Color: half.Color})
}

// locationOf returns the location of an action and colour.
func (s *State) locationOf(a component.Action, c Color) uint8 {
	for loc := uint8(1); loc <= 6; loc++ {
		if s.set.Locs[loc] == (component.Location{Action: a, Color: c}) {
			return loc
		}
	}
	return 0
}

// halEffect resolves of the topmost Ravager's effect only Damage (R15.6).
func (s *State) halEffect(loc uint8, t *Tale) {
	card := s.topmost(loc)
	r := s.set.Ravagers[card]
	if card == 0 || r.Effect > 2 {
		return
	}
	t.add(Event{Kind: EvRavagerEffect, Seat: Hal, Card: card, Loc: loc})
	if r.Effect == 1 {
		s.hit(loc%6+1, t)
	} else {
		s.hitDie(r.Die, t)
	}
}

// halDiscovers takes tiles (R15.7). "Advanced first": with a 1 a tile that costs 1, with a
// 2 an Advanced tile, with a 3 both. If no Advanced tile is left it is "tiles only": from
// the display's far end, all he can pay for.
func (s *State) halDiscovers(tilesOnly bool, v uint8, t *Tale) (did bool) {
	advanced := !tilesOnly && v >= 2 && s.slots != [4]Tile{}
	if advanced {
		s.halTakesAdvanced(t)
		v -= 2 // a 3 leaves one tile that costs 1
	}
	n := 0
	for i := len(s.set.Costs) - 1; i >= 0; i-- {
		cost := s.set.Costs[i]
		if s.display[i] == 0 || cost > v {
			continue
		}
		t.add(Event{Kind: EvTileTaken, Seat: Hal, Tile: s.display[i], N: int16(cost)})
		s.scrap(s.display[i])
		s.display[i] = 0
		v -= cost
		n++
	}
	if n > 0 {
		s.halScore(n*int(s.set.Weights.Technology), n, HalTile, ByTile, t)
	}
	return advanced || n > 0
}

// halTakesAdvanced takes the Advanced tile nearest the display; the others
// close up towards slot 4 and the empty slots are refilled, the
// highest-numbered first (R15.7).
func (s *State) halTakesAdvanced(t *Tale) {
	last := len(s.slots) - 1
	for s.slots[last] == 0 {
		last--
	}
	t.add(Event{Kind: EvTileTaken, Seat: Hal, Tile: s.slots[last], N: 2})
	s.boxed |= 1 << (s.slots[last] - FirstAdvanced)
	s.slots[last] = 0
	free := len(s.slots) - 1
	for i := free; i >= 0; i-- {
		if tile := s.slots[i]; tile != 0 {
			s.slots[i] = 0
			s.slots[free] = tile
			free--
		}
	}
	t.add(Event{Kind: EvClosedUp, Seat: Hal})
	for ; free >= 0 && s.nadv > 0; free-- {
		s.nadv--
		s.slots[free] = s.advDeck[s.nadv]
		t.add(Event{Kind: EvRefilled, Tile: s.slots[free], N: int16(free + 1)})
	}
	s.halScore(int(s.set.Weights.Advanced), 1, HalAdvanced, ByTile, t)
}

// halRepairs removes cubes, each from the first location in the card's
// direction that has one, from dice only if none has (R15.8).
func (s *State) halRepairs(down bool, v uint8, t *Tale) (did bool) {
	n := 0
	for range v {
		e := Event{Kind: EvCubeRemoved, Seat: Hal, Loc: s.halCube(down)}
		if e.Loc > 0 {
			s.damage[e.Loc-1]--
		} else {
			for e.Color <= Green && s.damaged[e.Color] == 0 {
				e.Color++
			}
			if e.Color > Green {
				break
			}
			s.damaged[e.Color]--
			s.dice[e.Color]++
		}
		t.add(e)
		n++
	}
	if n > 0 {
		s.halScore(n*int(s.set.Weights.Debris), n, HalDebris, ByTile, t)
	}
	return n > 0
}

// halCube is the first location in the direction with Damage, 0 if none has.
func (s *State) halCube(down bool) uint8 {
	for k := range uint8(6) {
		loc := k + 1
		if down {
			loc = 6 - k
		}
		if s.damage[loc-1] > 0 {
			return loc
		}
	}
	return 0
}

// halDestroys takes the most Ravagers that the value allows; among sets of
// locations with as many the one that comes first in the card's direction
// (R15.9). Two sets first differ where one has a location and the other none.
func (s *State) halDestroys(down bool, v uint8, t *Tale) (did bool) {
	best, most := uint8(0), uint8(0)
	for set := uint8(1); set < 64; set++ {
		total, ok := uint8(0), true
		for m := set; m != 0; m &= m - 1 {
			n := s.nrav[bits.TrailingZeros8(m)]
			total += n
			ok = ok && n > 0
		}
		if !ok || total > v || total < most {
			continue
		}
		differ := set ^ best
		first := differ & -differ
		if down {
			first = 1 << (7 - bits.LeadingZeros8(differ))
		}
		if total > most || set&first != 0 {
			best, most = set, total
		}
	}
	if best == 0 {
		return false
	}
	for k := range 6 {
		l := k
		if down {
			l = 5 - k
		}
		if best>>l&1 == 0 {
			continue
		}
		s.clearRavagers(Hal, l, t)
	}
	s.halScore(int(most*s.set.Weights.Ravager), int(most), HalRavager, ByTile, t)
	return true
}

// halCommands draws a card of colour c and places it on the lowest strip with a
// free hex of the colour, activation kind on the highest; of two hexes the one
// with the comet (R15.10, Q15.10). No ship, no pilot.
func (s *State) halCommands(c Color, src Random, t *Tale) {
	card := s.topMission(c, src, t)
	if card == 0 {
		t.add(Event{Kind: EvNothingToDraw, Seat: Hal, Color: c})
		s.halScore(halNone, 0, HalNoCard, ByReward, t)
		return
	}
	t.add(Event{Kind: EvHalDrew, Seat: Hal, Card: card})
	m := &s.set.Missions[card]
	i, two := s.halHex(c, m.Activation())
	if i < 0 {
		s.putDown(card)
		t.add(Event{Kind: EvHalDropped, Seat: Hal, Card: card})
		s.halScore(halNone, 0, HalNoHex, ByReward, t)
		return
	}
	s.cards |= 1 << i
	s.card[i], s.owner[i] = card, Hal
	s.halRobots()
	t.add(Event{Kind: EvPlaced, Seat: Hal, Card: card, Hex: s.hex(i)})
	if s.print(i).Comet && (two || !s.first) { // R17.1
		s.halScore(halComet, 0, HalComet, ByReward, t)
	}
	s.halGains(Robot, int(m.Reward.Robots), ByReward, t)
	s.halGains(Resource, int(m.Reward.Resources), ByReward, t)
	s.halGains(Ship, int(m.Reward.Ships), ByReward, t)
	s.halGains(VP, int(m.Reward.VP), ByReward, t)
	s.drawRavagers(s.icons(i), src, t)
	for _, c := range m.Tiles {
		if c != None {
			s.appear(c, src, t)
		}
	}
}

// halHex is the index of the hex for a card of colour c, -1 if there is none;
// two reports whether its strip had another free hex of the colour.
func (s *State) halHex(c Color, highest bool) (i int, two bool) {
	free := s.chart.color[c] &^ s.cards
	for k := range int(s.nstrips) {
		pos := k
		if highest {
			pos = int(s.nstrips) - 1 - k
		}
		on := free >> (5 * pos) & 0x1F
		if on == 0 {
			continue
		}
		i, two = 5*pos+bits.TrailingZeros64(on), on&(on-1) != 0
		for m := on; m != 0; m &= m - 1 {
			if at := 5*pos + bits.TrailingZeros64(m); s.print(at).Comet {
				return at, two
			}
		}
		return i, two
	}
	return -1, false
}

// halRobots counts Hal's robots in the break room: those not on cards; he
// always has the one he needs (R15.10).
func (s *State) halRobots() {
	s.p[Hal-1].brk = uint8(max(0, halRobotsAll-s.inSpace(Hal, None, 0)))
}

// halCollects is Hal's one activation of a card of his that the player used: of
// a price card he takes the VP and pays nothing (R15.11).
func (s *State) halCollects(card Card, t *Tale) {
	m := &s.set.Missions[card]
	t.add(Event{Kind: EvCollected, Seat: Hal, Card: card})
	gain := func(g Good, n int) { s.halGains(g, n, ByActivation, t) }
	switch x := goodX[m.Color]; m.Kind {
	case 1:
		gain(x, 2)
	case 2:
		gain(x, 1)
		gain(VP, 1)
	case 3, 4:
		gain(x, 1)
		gain(goodM[m.Color][m.Kind-3], 1)
	case 5, 7:
		gain(VP, 2)
	default:
		gain(VP, 3)
	}
}

// halEjects is what Hal gets for a card of his that is ejected: 3 VP instead of
// anything it gives; it goes to its discards (R15.11).
func (s *State) halEjects(card Card, t *Tale) {
	s.putDown(card)
	t.add(Event{Kind: EvHalEjected, Seat: Hal, Card: card})
	s.halScore(halEjected, 0, HalEjected, ByNeutralization, t)
}
