// Package touch knows which pieces of the table lead to which orders: a card, then a
// slot; a ship, then a hex. A piece has a key, and touching it begins an order, goes on
// with one that is begun, or completes it.
package touch

import (
	"strconv"

	"angelpost/engine"
)

// Touch is a link from a piece of the table. Drawn, it has the piece's key in the
// attribute data-touch, so that the planner's script finds it again.
type Touch struct {
	Href  string // address of the plan that it leads to, relative to the page
	Label string // what it does, as the whole name of the link
	Best  bool   // it gains the most VP, or a Mission card of the hand fits there
	Why   string // why it gives nothing now; "" if it gives something
	Other bool   // it drops the order that is begun, and begins another
}

// The keys of pieces that are there once, and of plain choices, which have no piece but
// may have a button.
const (
	Launch  = "launch"        // a ship in the reader's storage
	Break   = "break room"    // the reader's
	Storage = "storage"       // the reader's: Damage cubes go there, resources come from there
	Done    = "choice done"   // stop here, or take no more
	Reroll  = "choice B"      // sequence B
	Pass    = "choice pass"   //
	Decline = "choice not"    // decline an activation
	Collect = "choice once"   // do the activation once; its Mission card, too
	Take    = "choice take"   // take the tiles chosen
	Beat    = "choice defeat" // take the Ravagers of the locations chosen
)

// Hex is the key of a hex: "c11".
func Hex(h engine.Hex) string { return h.String() }

// Ship is the key of the reader's ship on a hex: "ship c8".
func Ship(at engine.Hex) string { return "ship " + at.String() }

// Card is the key of a card, in the hand or on a hex: "045".
func Card(c engine.Card) string { return c.String() }

// Slot is the key of a slot of the reader's board, and of the arrow next to it: "row 2".
func Slot(s engine.Slot) string { return s.String() }

// Cell is the key of a cell of the reader's grid: "2.1".
func Cell(c engine.Cell) string { return c.String() }

// Room is the key of a location: "room 3".
func Room(loc uint8) string { return "room " + strconv.Itoa(int(loc)) }

// Die is the key of a die: "die orange 2" for the reader's, "die orange 2 reserved" in
// their high-security area, "die gray 1 from 2" for that of seat 2, "die gray 1 from
// neutral". Dice of one owner with the same colour and face share a key.
func Die(c engine.Color, value uint8, owner engine.Seat, reserved bool) string {
	return "die " + face(c, value, owner, reserved)
}

// Flip is the key of the link next to a die that turns it for 1 Debris: "flip orange 2". If the
// die can't be used as it is, Die has the same link.
func Flip(c engine.Color, value uint8, owner engine.Seat, reserved bool) string {
	return "flip " + face(c, value, owner, reserved)
}

func face(c engine.Color, value uint8, owner engine.Seat, reserved bool) string {
	s := c.String() + " " + strconv.Itoa(int(value))
	switch {
	case owner == engine.Neutral:
		s += " from neutral"
	case owner != 0:
		s += " from " + strconv.Itoa(int(owner))
	}
	if reserved {
		s += " reserved"
	}
	return s
}

// Tile is the key of a tile in the display or in the Advanced slots, of one taken and not yet
// injected, and of one ejected next to the reader's board: "tile t47". A tile in the grid has
// the key of its Cell. "a8" alone is a hex.
func Tile(t engine.Tile) string { return "tile " + t.String() }

// Space is the key of the reader's coloured space for an Advanced tile: "space gray".
func Space(c engine.Color) string { return "space " + c.String() }

// Supply is the key of the dice of a colour in the supply: "supply orange".
func Supply(c engine.Color) string { return "supply " + c.String() }

// Station is the key of the reader's workstation of a colour: "station gray".
func Station(c engine.Color) string { return "station " + c.String() }

// Deck is the key of the deck of Mission cards of a colour: "deck green".
func Deck(c engine.Color) string { return "deck " + c.String() }

// Good is the key of a good that a starting tile gives: "good ship".
func Good(g engine.Good) string { return "good " + g.String() }
