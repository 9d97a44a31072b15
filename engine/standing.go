package engine

import "math/bits"

// A Standing is what bears on one player's prospects, as plain numbers: what a
// search reads off thousands of positions, where a View would cost too much.
// Sets of hexes have bit position*5+lane, position 0 being the strip nearest
// the frigate.
type Standing struct {
	VP, Final                int // Final: VP with the Advanced tiles scored as things stand (R8.6)
	Resources, Debris, Ships int // storage
	Break, Supply            int // robots
	Stations                 [3]uint8
	Standard, Secure         [3][4]uint8 // dice by colour and value
	Hand                     uint64      // Mission cards, bit n for card n
	Ravagers                 uint32      // Ravager cards, bit n-61
	Slots                    [6]Card     // rows, then columns
	Grid                     [9]CellView // by Cell-1
	Spaces                   [3]Tile     // Advanced tiles on the coloured spaces
	Ejected                  uint64      // Technology and starting tiles, bit n-1
	Tucked                   [3]int
	Fleet                    uint64 // hexes with a ship of his
}

// Standing is how seat stands. In a position that is no sample, but a game's
// own, it tells what is hidden.
func (s *State) Standing(seat Seat) Standing {
	p := &s.p[seat-1]
	x := Standing{
		VP: int(p.vp), Final: int(p.vp),
		Resources: int(p.resources), Debris: int(p.debris), Ships: int(p.ships),
		Break: int(p.brk), Supply: int(p.robots), Stations: p.station,
		Standard: p.std, Secure: p.sec, Hand: p.hand, Ravagers: p.ravs, Slots: p.slot,
		Spaces: p.space, Ejected: p.ejected, Fleet: s.fleet[seat-1],
	}
	for i, c := range p.grid {
		x.Grid[i] = CellView{Tile: c.tile, Debris: c.debris, Boost: c.boost}
	}
	for c := range p.tucked {
		x.Tucked[c] = bits.OnesCount32(p.tucked[c])
	}
	if !s.finished {
		for _, n := range s.advancedVP(seat) {
			x.Final += max(n, 0)
		}
	}
	return x
}

// A Sky is what bears on everybody's prospects: Space, and how long the game
// will last. Hexes are indices as in a Standing's sets.
type Sky struct {
	Strips   int
	Cards    uint64    // hexes with a Mission card
	Card     [35]Card  // by hex
	Owner    [35]Seat  // of the card
	Free     [3]uint64 // hexes of a colour without a card
	Angel    int       // the Black Angel's hex
	Advances int       // still to come until Spes is reached; 0 once the end is triggered
	Left     int       // cards in the Ravager deck
	Ending   bool      // the end is triggered (R8.1)
	Last     bool      // it is the last round
}

// Sky is the position's.
func (s *State) Sky() Sky {
	x := Sky{
		Strips: int(s.nstrips), Cards: s.cards, Card: s.card, Owner: s.owner, Angel: s.angel(), Left: int(s.nrdeck),
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

// Turns counts the turns begun.
func (s *State) Turns() int { return int(s.turn) }
