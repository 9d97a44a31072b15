package engine

import "angelpost/engine/component"

type cell struct {
	tile   Tile
	debris bool
	boost  bool
}

type player struct {
	vp                       int16
	by                       [Sources]int16
	resources, debris, ships uint16
	brk                      uint8       // robots in the break room
	station                  [3]uint8    // robots in the workstations
	robots                   uint8       // robots in the player's supply
	std, sec                 [3][4]uint8 // dice by colour and value: standard and high-security area
	hand                     uint64      // Mission cards, bit n for card n
	ravs                     uint32      // Ravager cards, bit n-61
	hidden                   [2]uint8    // Missions and Ravagers in a hand that is masked
	slot                     [6]Card     // by Slot-1
	grid                     [9]cell     // by Cell-1
	space                    [3]Tile
	ejected                  uint64    // Technology and starting tiles next to the board, bit n-1
	ejectedAdv               uint16    // Advanced tiles next to the board, bit n-FirstAdvanced
	tucked                   [3]uint32 // bit (n-1)%20
	debts                    [5]Debt   // a card to keep, a hand too large, three owner's activations at most
	ndebts                   uint8
}

// A State is a whole game at one moment, hidden things included. It is a value:
// assignment copies it. Only this package reads its fields; others get Views.
type State struct {
	set      *component.Set
	rules    rules
	players  uint8
	nstrips  uint8
	advances uint8
	strip    [7]uint8 // strip*2+side by position, nearest first

	chart chart              // the hexes of Space
	cards uint64             // hexes with a Mission card
	card  [35]Card           // the card, by hex index
	owner [35]Seat           // of the card
	fleet [MaxPlayers]uint64 // hexes with a ship of the seat

	damage  [6]uint8
	rav     [6][3]Card
	nrav    [6]uint8
	trapped [6][3][MaxPlayers]uint8

	dice    [3]uint8 // undamaged dice in the supply
	damaged [3]uint8 // damaged ones

	display [component.MaxDisplay]Tile
	slots   [4]Tile
	advDeck [component.Advanced]Tile
	nadv    uint8

	deck    [3][20]Card
	ndeck   [3]uint8
	discard [3]uint32 // bit (n-1)%20
	stack   [3][16]Tile
	nstack  [3]uint8
	tdisc   [3]uint64 // bit n-1
	rdeck   [30]Card
	nrdeck  uint8
	rdisc   uint32 // bit n-61

	neutral     [3]bool  // robot in the workstation
	neutralDie  [3]uint8 // value + 1; 0: none
	neutralSeat bool     // there is a neutral player

	solo  bool // against Hal, who is seat 2 (section 15)
	level Level
	hal   [12]uint8 // Hal's deck
	nhal  uint8
	boxed uint16 // Advanced tiles that Hal took, bit n-FirstAdvanced (Q15.2)
	lower bool   // the player's turn was a B or a pass: Hal looks at the lower half first

	p [MaxPlayers]player

	advanced bool // the rules of section 14
	first    bool // the first edition (section 17)

	round, turn uint16
	seat        Seat // whose turn; 0 none
	ask         Decision
	pending     uint8 // setup: bit seat-1 still to answer the free reservation
	ending      Ending
	endRound    uint16 // the last round, once triggered
	finished    bool
	adrift      bool // only in promising: the fleet is everywhere it could come to
	masked      bool // hidden things are taken out (Project): nothing can be drawn

	// The turn in progress.
	allowed  uint16 // A1: cells the card may still activate, bit cell-1
	flipped  bool
	begun    bool             // sequence A has begun by flips alone (R17.1)
	dieColor Color            // printed colour of the die in use
	hue      Color            // the colour it counts as (B3)
	dieValue uint8            // after flip and boosts
	pledge   component.Action // the action that a B1 was turned for
	pledges  uint8            // how many B1
	loc      uint8            // location acted on
	using    Card
	usingHex uint8
	left     uint8 // value left to spend
	did      bool  // at least one activation done; in B: the paid reservation
	inject   [3]Tile
	ship     Hex // where the moved ship stands

	chance [streams]uint32 // draws made so far on each stream
}
