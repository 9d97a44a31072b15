package engine

import (
	"math/bits"

	"angelpost/engine/component"
)

// A Standing summarizes one player's prospects as plain numbers. A search reads it for
// thousands of positions, for which a View would cost too much. Sets of hexes have bit
// position*5+lane. Position 0 is the strip nearest the frigate.
type Standing struct {
	VP                       int
	Resources, Debris, Ships int // storage
	Break, Supply            int // robots
	Stations                 [3]uint8
	Standard, Secure         [3][4]uint8 // dice by colour and value
	Hand                     uint64      // Mission cards, bit n for card n
	Ravagers                 uint32      // Ravager cards, bit n-61
	Slots                    [6]Card     // rows, then columns
	Grid                     [9]CellView // by Cell-1
	Spaces                   [3]Tile     // Advanced tiles on the coloured spaces
	Ejected                  uint64      // Technology and starting tiles next to the board, bit n-1
	EjectedAdvanced          uint16      // Advanced tiles there, bit n-FirstAdvanced
	Tucked                   [3]int
	Fleet                    uint64 // hexes with a ship of the player
}

// Standing returns the Standing of seat. In a game's own position, not a sample, it reveals
// hidden information.
func (s *State) Standing(seat Seat) Standing {
	p := &s.p[seat-1]
	x := Standing{
		VP:        int(p.vp),
		Resources: int(p.resources), Debris: int(p.debris), Ships: int(p.ships),
		Break: int(p.brk), Supply: int(p.robots), Stations: p.station,
		Standard: p.std, Secure: p.sec, Hand: p.hand, Ravagers: p.ravs, Slots: p.slot,
		Spaces: p.space, Ejected: p.ejected, EjectedAdvanced: p.ejectedAdv, Fleet: s.fleet[seat-1],
	}
	for i, c := range p.grid {
		x.Grid[i] = CellView{Tile: c.tile, Debris: c.debris, Boost: c.boost}
	}
	for c := range p.tucked {
		x.Tucked[c] = bits.OnesCount32(p.tucked[c])
	}
	return x
}

// Robots is how many robots are in the break room and in workstations.
func (x *Standing) Robots() int {
	n := x.Break
	for _, k := range x.Stations {
		n += int(k)
	}
	return n
}

// Tiles returns how many Technology, starting and Advanced tiles seat has: in the grid, on
// the coloured spaces, next to the board, and taken but not yet injected.
func (s *State) Tiles(seat Seat) int {
	p := &s.p[seat-1]
	n := bits.OnesCount64(p.ejected) + bits.OnesCount16(p.ejectedAdv)
	for _, c := range p.grid {
		if c.tile != 0 {
			n++
		}
	}
	for _, t := range p.space {
		if t != 0 {
			n++
		}
	}
	if s.seat == seat {
		for _, t := range s.inject {
			if t != 0 {
				n++
			}
		}
	}
	return n
}

// Final is the VP of seat with the Advanced tiles scored as things stand (R8.6).
// It follows from the Standing and the Sky.
func (s *State) Final(seat Seat) int {
	vp := int(s.p[seat-1].vp)
	if !s.finished {
		for _, n := range s.advancedVP(seat) {
			vp += max(n, 0)
		}
	}
	return vp
}

// A Sky summarizes what affects everyone's prospects: Space, and how long the game will
// last. Hexes are indices as in a Standing's sets.
type Sky struct {
	Strips   int
	First    int       // running number of the nearest strip
	Cards    uint64    // hexes with a Mission card
	Card     [35]Card  // by hex
	Owner    [35]Seat  // of the card
	Free     [3]uint64 // hexes of a colour without a card
	Open     uint64    // hexes a ship may pass (R5.5 step 1)
	Angel    int       // the Black Angel's hex
	Advances int       // still to come until Spes is reached; 0 once the end is triggered
	Left     int       // cards in the Ravager deck
	Ending   bool      // the end is triggered (R8.1)
	Last     bool      // it is the last round
}

// Sky returns the Sky of the position.
func (s *State) Sky() Sky {
	x := Sky{
		Strips: int(s.nstrips), First: int(s.advances) + 1, Open: s.passable(), Cards: s.cards, Card: s.card, Owner: s.owner, Angel: s.angel(), Left: int(s.nrdeck),
		Ending: s.ending != NotEnded, Last: s.ending != NotEnded && s.round == s.endRound,
	}
	for c := range x.Free {
		x.Free[c] = s.chart.color[c] &^ s.cards
	}
	if !x.Ending {
		x.Advances = int(s.nstrips) + int(s.nstrips)/2 - int(s.advances) // R6.5
	}
	return x
}

// A Table is what else affects one player's choice, as they see it.
type Table struct {
	Asked     Decision // what the player must decide
	Die       DieView  // the die taken, as it counts; Color None before
	Card      Card     // the Mission card to activate, or that the die is used on; 0 none
	Full      uint64   // hexes with two ships
	Damage    [6]uint8 // at each location, by its number - 1
	Damaged   [3]uint8 // dice in the supply
	Attackers [6]uint8 // Ravagers at each location
	Top       [6]Card  // the topmost
	Caught    [6]uint8 // the player's robots on them
	Display   [component.MaxDisplay]Tile
	Slots     [4]Tile
}

// Table is the position's for seat.
func (s *State) Table(seat Seat) Table {
	x := Table{
		Asked: s.Asked(seat), Die: DieView{Color: None}, Full: s.full(0),
		Damage: s.damage, Damaged: s.damaged, Attackers: s.nrav, Display: s.display, Slots: s.slots,
	}
	if s.dieLies() {
		x.Die, x.Card = DieView{s.hue, s.dieValue}, s.using
	}
	if x.Asked == AskOwner {
		x.Card = s.p[seat-1].debts[0].Card
	}
	for l, n := range s.nrav {
		for k := range n {
			x.Top[l] = s.rav[l][k]
			x.Caught[l] += s.trapped[l][k][seat-1]
		}
	}
	return x
}

// Turns counts the turns begun.
func (s *State) Turns() int { return int(s.turn) }
