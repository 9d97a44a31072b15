// Package component holds what is printed on the cards, tiles, strips and
// boards of Black Angel (RULES.md sections 1, 10-12 and C). A Set is immutable
// once loaded and may be shared by any number of games and goroutines.
//
// The rules read a Set; they never depend on one particular set, so the owner
// of a box can replace the data files by the true ones.
package component

// Color is one of the three species' colours. RULES.md's fixed order is
// orange, gray, green.
type Color uint8

// The colours, and None where there is none.
const (
	Orange Color = iota
	Gray
	Green
	None
)

// Colors are the three colours in RULES.md's order.
var Colors = [3]Color{Orange, Gray, Green}

var colorNames = [...]string{"orange", "gray", "green", "none"}

// String is the colour's word: orange, gray, green or none.
func (c Color) String() string {
	if int(c) < len(colorNames) {
		return colorNames[c]
	}
	return "none"
}

// Others are the two colours other than c, in RULES.md's order (M14, M17-M20).
func (c Color) Others() [2]Color {
	switch c {
	case Orange:
		return [2]Color{Gray, Green}
	case Gray:
		return [2]Color{Orange, Green}
	default:
		return [2]Color{Orange, Gray}
	}
}

// Action is one of the kinds of action on the frigate board (R5).
type Action uint8

// The actions. Command exists once for each colour.
const (
	NoAction Action = iota
	Discover        // R5.1, orange
	Repair          // R5.4, gray
	Destroy         // R5.7, green
	Command         // R5.5, each colour
)

var actionNames = [...]string{"none", "discover", "repair", "destroy", "command"}

// String is the action's word in orders.
func (a Action) String() string {
	if int(a) < len(actionNames) {
		return actionNames[a]
	}
	return "none"
}

// Reward is what the owner of a Mission card takes when it is placed (R5.5
// step 2): VP, robots, resources or ships.
type Reward struct{ VP, Robots, Resources, Ships uint8 }

// Mission is the print of a Mission card (section 10, C2).
type Mission struct {
	Color  Color
	Kind   uint8    // 1-20 for M1-M20
	Reward Reward   //
	Tiles  [2]Color // tile colours, top first; the second may be None (R5.5 step 4)
}

// Activation tells an activation Mission (M1-M12) from a neutralization one.
func (m Mission) Activation() bool { return m.Kind <= 12 }

// Ravager is the print of a Ravager card (section 11, C5).
type Ravager struct {
	Effect   uint8 // 1-5 for V1-V5
	Location uint8 // 1-6
	Die      Color // V2: the supply it damages; otherwise None
}

// Effects of Technology tiles (section 12). Start is "Tb or Tc".
const (
	Ta uint8 = iota
	Tb
	Tc
	Td
	Start
)

// Tile is the print of a Technology tile (section 12, C3).
type Tile struct {
	Color  Color
	Effect uint8  // Ta-Td, or Start
	Boost  uint8  // 1-4 for B1-B4; 0 on starting tiles
	For    Color  // the colour of the dice that the boost is for
	Action Action // B1: the action it belongs to; otherwise NoAction
}

// Hex is the print of one hex of a Space strip (C1).
type Hex struct {
	Color    Color // None: an asteroid field
	Comet    bool
	Ravagers uint8 // Ravager icons
}

// Advantage is what a seat takes at the end of set-up (R2.11, C7).
type Advantage struct {
	Ships     Each
	Resources Each
	Robots    Each
	Debris    Each
	VP        Each
	Reserve   bool // may reserve a die free
}

// Each is how much there is with each number of players, by that number; 0 for
// fewer than the seat's own.
type Each [5]uint8

// Location is one of the six action locations of the frigate board (C8).
type Location struct {
	Action Action
	Color  Color
}

// Half is one half of a Hal card (C6): the die's colour, the action, and the
// modifier: Discover false "Advanced first", true "tiles only"; Repair and
// Destroy false from 1 to 6, true from 6 to 1.
type Half struct {
	Color  Color
	Action Action
	Mod    bool
}

// Sizes of a set.
const (
	Missions    = 60 // numbers 1-60
	FirstRaider = 61 // Ravager cards are 61-90
	LastRaider  = 90
	Tiles       = 48 // t1-t48
	Advanced    = 16 // a1-a16
	MinDisplay  = 5  // shortest display: a 3 can take three tiles that cost 1 (E3)
	MaxDisplay  = 8  // longest display a set may name
)

// A Set is one complete set of components.
type Set struct {
	Name string // letters, digits, '-'; a game's record names its set
	Hash string // hex SHA-256 over the data files' lines, sorted, without comments, spacing, case and marks

	Missions [Missions + 1]Mission                                                        // by number; 0 unused
	Ravagers [LastRaider + 1]Ravager                                                      // by number; below 61 unused
	Tiles    [Tiles + 1 + 3]Tile                                                          // by number; 49-51 the starting tiles s1-s3, orange, gray, green
	Advanced [Advanced + 1]uint8                                                          // kind 1-8 for K1-K8, by a-number; 0 unused
	Strips   [7][2][5]Hex                                                                 // strip, side, lanes a-e
	Locs     [7]Location                                                                  // by number 1-6; 0 unused
	Costs    []uint8                                                                      // the display's spaces in order, at most MaxDisplay
	Seats    [5][2]Advantage                                                              // by seat 1-4, 0 unused, and rules, base and advanced
	Start    [3]uint8                                                                     // the highlighted cells, as (row-1)*3 + column-1, ascending
	Hal      [12][2]Half                                                                  // Hal's cards, upper and lower half (C6)
	Weights  struct{ Ship, Resource, Robot, Debris, Ravager, Technology, Advanced uint8 } // C6
}
