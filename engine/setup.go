package engine

import (
	"cmp"
	"fmt"
	"slices"

	"angelpost/engine/component"
)

// New sets up a game (section 2; R15.1 for one player, who needs a level of
// Hal's) and tells it. It fails for other options than these, with an
// *UnknownVersion for rules that it does not know.
// Chance is drawn in the order of Q2.1; piles are dealt from the top.
func New(set *component.Set, o Options, src Random, t *Tale) (State, error) {
	switch {
	case o.Players < 1 || o.Players > MaxPlayers:
		return State{}, fmt.Errorf("%d players: 1 to 4 can play", o.Players)
	case (o.Players == 1) != (o.Hal >= Easy && o.Hal <= Extreme):
		return State{}, fmt.Errorf("%d players, Hal's level %d: Hal plays against one", o.Players, o.Hal)
	}
	r, err := rulesOf(cmp.Or(o.Version, Version))
	if err != nil {
		return State{}, err
	}
	var s State
	s.set, s.rules = set, r
	s.players = uint8(o.Players)
	s.advanced, s.first = o.Advanced, o.First
	s.neutralSeat = o.Players == 2
	s.solo, s.level = o.Players == 1, o.Hal
	s.nstrips = 7
	if o.Players <= 2 {
		s.nstrips = 5
	}
	for c := range s.dice { // R1.2, R2.1
		s.dice[c] = uint8(max(o.Players, 2) + 2)
	}
	s.setupSpace(src)
	s.setupTiles(src)
	for c := range s.deck { // R2.5
		for i := range s.deck[c] {
			s.deck[c][i] = Card(c*20 + i + 1)
		}
		s.ndeck[c] = 20
		shuffle(src, StreamMissionOrange+Stream(c), &s.chance[StreamMissionOrange+Stream(c)], s.deck[c][:])
	}
	s.setupRavagers(src, t)
	for p := range o.Players {
		s.setupPlayer(Seat(p+1), src, t)
	}
	s.setupDice(src, t)
	s.setupAdvantages(t)
	return s, nil
}

// setupSpace lays the strips (R2.2): first which and in what order from strip
// 1 on, then each one's side in that order (Q2.1).
func (s *State) setupSpace(src Random) {
	ids := [7]uint8{0, 1, 2, 3, 4, 5, 6}
	shuffle(src, StreamStrips, &s.chance[StreamStrips], ids[:])
	for p := range s.nstrips {
		side := below(src, StreamSides, &s.chance[StreamSides], 2)
		s.strip[p] = ids[6-p]*2 + uint8(side)
	}
	s.draw()
}

func (s *State) setupTiles(src Random) {
	for c := range s.stack { // R2.3
		n := 0
		for i := range component.Tiles {
			if s.set.Tiles[i+1].Color == Color(c) {
				s.stack[c][n] = Tile(i + 1)
				n++
			}
		}
		s.nstack[c] = uint8(n)
		shuffle(src, StreamTileOrange+Stream(c), &s.chance[StreamTileOrange+Stream(c)], s.stack[c][:n])
	}
	order := component.Colors
	shuffle(src, StreamDisplay, &s.chance[StreamDisplay], order[:])
	for i := range order {
		c := order[2-i]
		s.nstack[c]--
		s.display[i] = s.stack[c][s.nstack[c]]
	}
	for i := range s.advDeck { // R2.4
		s.advDeck[i] = FirstAdvanced + Tile(i)
	}
	shuffle(src, StreamAdvanced, &s.chance[StreamAdvanced], s.advDeck[:])
	s.nadv = component.Advanced
	for i := range s.slots {
		s.nadv--
		s.slots[i] = s.advDeck[s.nadv]
	}
}

// setupRavagers makes the deck, takes out the unseen cards and lets two attack (R2.6).
func (s *State) setupRavagers(src Random, t *Tale) {
	for i := range s.rdeck {
		s.rdeck[i] = component.FirstRaider + Card(i)
	}
	shuffle(src, StreamRavager, &s.chance[StreamRavager], s.rdeck[:])
	s.nrdeck = 30 - 6*(MaxPlayers-max(s.players, 2))
	for range 2 {
		s.nrdeck--
		s.attack(s.rdeck[s.nrdeck], t)
	}
}

// StartVP is what every player begins with (R2.7).
const StartVP = 5

func (s *State) setupPlayer(seat Seat, src Random, t *Tale) {
	p := &s.p[seat-1]
	p.vp, p.by[BySetup] = StartVP, StartVP
	p.brk, p.station, p.robots = 5, [3]uint8{1, 1, 1}, 8
	p.resources, p.debris, p.ships = 1, 1, 1 // R2.9
	t.add(Event{Kind: EvStartGoods, Seat: seat})

	tiles := [3]Tile{FirstStart, FirstStart + 1, FirstStart + 2} // R2.8
	stream := StreamStart1 + Stream(seat-1)
	shuffle(src, stream, &s.chance[stream], tiles[:])
	for i, at := range s.set.Start {
		p.grid[at].tile = tiles[2-i]
		t.add(Event{Kind: EvStartTile, Seat: seat, Tile: tiles[2-i], Cell: Cell(at + 1)})
	}
	for _, c := range component.Colors {
		s.drawMission(seat, c, src, t)
	}
	s.nrdeck--
	card := s.rdeck[s.nrdeck]
	p.ravs |= ravBit(card)
	t.add(Event{Kind: EvDrewRavager, Seat: seat, Card: card})
}

// setupDice rolls the players' dice, then the neutral player's or Hal's, whose
// cards come last (R2.10, R13.1, R15.1).
func (s *State) setupDice(src Random, t *Tale) {
	for p := range s.players {
		for _, c := range component.Colors {
			s.dice[c]--
			s.p[p].std[c][s.roll(Seat(p+1), c, src, t)]++
		}
	}
	if s.neutralSeat {
		for _, c := range component.Colors {
			s.neutral[c] = true
			s.dice[c]--
			s.neutralDie[c] = s.roll(Neutral, c, src, t) + 1
		}
	}
	if s.solo {
		s.setupHal(src, t)
	}
}

// setupAdvantages gives the seats theirs (R2.11, C7). The game asks for the free
// reservations at once; seat 1 begins when all have answered (Q2.11).
func (s *State) setupAdvantages(t *Tale) {
	rules := 0
	if s.advanced {
		rules = 1
	}
	for seat := Seat(2); seat <= Seat(s.players); seat++ {
		a := s.set.Seats[seat][rules]
		s.gain(seat, Ship, int(a.Ships[s.players]), BySetup, t)
		s.gain(seat, Resource, int(a.Resources[s.players]), BySetup, t)
		s.gain(seat, Robot, int(a.Robots[s.players]), BySetup, t)
		s.gain(seat, Debris, int(a.Debris[s.players]), BySetup, t)
		if vp := a.VP[s.players]; vp > 0 {
			s.gain(seat, VP, int(vp), BySetup, t)
		}
		if a.Reserve {
			s.pending |= 1 << (seat - 1)
		}
	}
	if s.pending == 0 {
		s.start(t)
	}
}

// start begins the first round.
func (s *State) start(t *Tale) {
	s.round = 1
	s.begin(1)
}

// DrawSeats is who sits where, from the stream seats: element i is the place
// in invitation order (from 0) of the player who takes seat i+1.
func DrawSeats(src Random, players int) []int {
	order := make([]int, players)
	for i := range order {
		order[i] = i
	}
	var k uint32
	shuffle(src, StreamSeats, &k, order)
	slices.Reverse(order) // dealt from the top, the last place
	return order
}
