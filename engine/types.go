// Package engine plays Black Angel by the rules of RULES.md, whose numbers the comments
// cite. It is pure: no I/O, clock, goroutine or global random. All chance comes from a
// Random of the caller (web/API.md, Chance).
//
// A State is a value: copying it by assignment copies the game. Legal lists every step a
// seat may take now, Do takes one, and no listed step leads to a position without a legal
// continuation. Project cuts a State down to what one viewer may see. Do reports what
// happened as Events, which Event.For cuts down too.
package engine

import (
	"strconv"

	"angelpost/engine/component"
)

// Color is one of the three colours, in RULES.md's order.
type Color = component.Color

// The colours.
const (
	Orange = component.Orange
	Gray   = component.Gray
	Green  = component.Green
	None   = component.None
)

// Seat is a player's place in turn order, from 1 (R1.1). 0 is no one, or the public.
type Seat uint8

// Neutral is the neutral player (R13.1) as a seat that sells or rolls dice.
const Neutral Seat = 5

// MaxPlayers is the number of seats a State has room for.
const MaxPlayers = 4

// Card is a Mission card (1-60) or a Ravager card (61-90), by its printed number; 0 is
// none. In a View, BackOrange to BackRavager are cards of which the viewer knows only the
// back.
type Card uint8

// Backs: a card seen from behind (Q1.5a).
const (
	BackOrange Card = 101 + iota
	BackGray
	BackGreen
	BackRavager
)

// Ravager reports whether c is a Ravager card or its back.
func (c Card) Ravager() bool {
	return c >= component.FirstRaider && c <= component.LastRaider || c == BackRavager
}

// Hidden reports whether c is only a back.
func (c Card) Hidden() bool { return c >= BackOrange }

// Color is a Mission card's colour (section 10: 001-020 orange, 021-040 gray,
// 041-060 green) or its back's; None for Ravagers and no card.
func (c Card) Color() Color {
	switch {
	case c >= 1 && c <= 60:
		return Color((c - 1) / 20)
	case c >= BackOrange && c <= BackGreen:
		return Color(c - BackOrange)
	}
	return None
}

// Back is the card as others see it: its kind and colour only.
func (c Card) Back() Card {
	switch {
	case c == 0 || c.Hidden():
		return c
	case c.Ravager():
		return BackRavager
	}
	return BackOrange + Card(c.Color())
}

// String is the three-digit number, or for a back orange, gray, green or ravager.
func (c Card) String() string {
	switch {
	case c == BackRavager:
		return "ravager"
	case c.Hidden():
		return c.Color().String()
	}
	s := strconv.Itoa(int(c))
	for len(s) < 3 {
		s = "0" + s
	}
	return s
}

// Tile is a Technology tile (1-48, printed t1-t48), a starting tile (49-51,
// s1-s3: orange, gray, green) or an Advanced tile (52-67, a1-a16); 0 is none (C9).
type Tile uint8

// First numbers of the kinds of tile.
const (
	FirstStart    Tile = component.Tiles + 1
	FirstAdvanced Tile = FirstStart + 3
	LastTile      Tile = FirstAdvanced + component.Advanced - 1
)

// Advanced reports whether t is an Advanced Technology tile.
func (t Tile) Advanced() bool { return t >= FirstAdvanced && t <= LastTile }

// Starting reports whether t is a starting tile.
func (t Tile) Starting() bool { return t >= FirstStart && t < FirstAdvanced }

// String is the tile's own number: t12, s2, a4; "-" for none.
func (t Tile) String() string {
	switch {
	case t == 0:
		return "-"
	case t.Advanced():
		return "a" + strconv.Itoa(int(t-FirstAdvanced)+1)
	case t.Starting():
		return "s" + strconv.Itoa(int(t-FirstStart)+1)
	}
	return "t" + strconv.Itoa(int(t))
}

// Hex names a hex of Space for the whole game (Q2.2a): 5 times its strip's
// running number (from 1) plus its lane (0-4 for a-e). 0 is none.
type Hex uint8

// HexAt is the hex of lane (0-4) on the strip with that running number.
func HexAt(strip, lane int) Hex { return Hex(strip*5 + lane) }

// Strip is the running number of the hex's strip.
func (h Hex) Strip() int { return int(h) / 5 }

// Lane is 0-4 for lanes a-e; lane c (2) is the tip.
func (h Hex) Lane() int { return int(h) % 5 }

// String is the hex's name: c4.
func (h Hex) String() string {
	if h == 0 {
		return "-"
	}
	return string(rune('a'+h.Lane())) + strconv.Itoa(h.Strip())
}

// Cell is a cell of the grid, 1 + (row-1)*3 + (column-1), so 1-9; 0 is none (C9).
type Cell uint8

// CellAt is the cell at row and column, both 1-3.
func CellAt(row, column int) Cell { return Cell(1 + (row-1)*3 + column - 1) }

// Row and Column are 1-3.
func (c Cell) Row() int    { return int(c-1)/3 + 1 }
func (c Cell) Column() int { return int(c-1)%3 + 1 }

// String is "row.column".
func (c Cell) String() string {
	if c == 0 {
		return "-"
	}
	return strconv.Itoa(c.Row()) + "." + strconv.Itoa(c.Column())
}

// Slot is a card slot, or the arrow next to it: rows 1-3 are 1-3, columns 1-3 are 4-6; 0 is
// none (R4.1, R5.2, C9).
type Slot uint8

// String is "row 2" or "column 3".
func (s Slot) String() string {
	switch {
	case s == 0:
		return "-"
	case s <= 3:
		return "row " + strconv.Itoa(int(s))
	}
	return "column " + strconv.Itoa(int(s)-3)
}

// Good is something a player can hold, gain or spend.
type Good uint8

// The goods. Robot means robots in the break room (section 10).
const (
	NoGood Good = iota
	Ship
	Resource
	Robot
	Debris
	VP
)

var goodNames = [...]string{"none", "ship", "resource", "robot", "debris", "VP"}

// String is the good's word.
func (g Good) String() string { return goodNames[g] }

// Source is where VP came from: the keys of web/API.md's by, in its order.
type Source uint8

// The sources.
const (
	BySetup Source = iota // start
	ByReward
	ByActivation
	ByNeutralization
	ByTile
	ByBoost
	ByAdvanced
	ByGoods
	ByLoss
	Sources // how many
)

var sourceNames = [Sources]string{"start", "reward", "activation", "neutralization", "tile", "boost", "advanced", "goods", "loss"}

// String is the key used in view.json.
func (s Source) String() string { return sourceNames[s] }

// Ending is what triggered the end of the game (R8.1).
type Ending uint8

// The endings.
const (
	NotEnded Ending = iota
	BySpes
	ByRavagers
)

// String is "", "spes" or "ravagers".
func (e Ending) String() string { return [...]string{"", "spes", "ravagers"}[e] }

// Options are a game's options as far as the rules need them.
type Options struct {
	Players  int   // 1-4; 1 is the solo game against Hal
	Advanced bool  // section 14
	First    bool  // edition "first" (section 17)
	Hal      Level // of a solo game (R15.1)
	Version  int   // of the rules; 0 is Version
}
