package engine

import "angelpost/engine/component"

// Kind is the kind of a Step.
type Kind uint8

// The kinds of step, each with the Step fields it uses and its canonical text
// in the order language.
const (
	NoStep Kind = iota

	// Open items (Q3.3) and the setup's free reservation.
	Discard // Card                       "discard 013": hand limit (R3.2), V3, V4
	Keep    // Card                       "keep 031": one of two cards drawn (R4.9, green Td)
	Decline //                            "decline": an owner's activation (R5.6)

	// Sequence A, A1.
	PlayCard // Card, Slot                 "card 013 at row 2"
	Activate // Cell and an Effect choice  "activate 2.1 resource" (R4.2)

	// A2.
	FlipDie   // Color, Value, Secure       "flip gray 0", "flip gray 0 secure": first edition, a die of the compartment (R17.1)
	TakeDie   // Color, Value, Seller, Secure, Flip   "die gray 0 flip", "die gray 2 secure", "die gray 2 from seat 3", "die gray 2 from neutral"
	Boost     // Cell, Color with Use AsColor   "boost 2.1", "boost 2.1 gray": a boost of that tile for the die taken (R14.2)
	Act       // Action, Loc                "discover at 1", "command at 4": the action at that location (R5)
	UseCard   // Card                       "mission 013": an activation Mission in Space (R5.6)
	TakeTiles // Tiles                      "take t12 t30 a4" (R5.1)
	Inject    // Tile, Slot, Space          "inject t12 row 2", "inject t12 row 2 space gray" (R5.2, R5.3)
	Cube      // Loc, Cell + effect         "cube 3", "cube gray", "cube 3 on 2.1 resource", "cube 3 on 2.1 on 1.1 ship" (R5.4)
	MoveShip  // From (0: launch), To       "ship c4 to b5", "launch to b4" (R5.5 step 1)
	Place     // Card, To                   "place 027 at b4" (R5.5 step 2)
	Locations // Locs                       "locations 2 4" (R5.7)
	Collect   // Tiles or Card(s) paid      "collect", "collect with t12 t30", "collect with 013", "collect with 064 071": one Mission activation (R5.6)
	Done      //                            "done": stop where one may; no reservation; no Mission card

	// Sequence B.
	Reroll  //                            "B" (R6.1)
	Reserve // Color, Value, Cell of a B4 "reserve gray 3" (R6.2, R2.11), "reserve gray 3 boost 2.1"
	Pass    //                            "pass" (R8.4)
)

// Use is the choice made within a tile's effect (section 12).
type Use uint8

// The uses. A tile whose effect leaves no choice has NoUse.
const (
	NoUse       Use = iota
	TakeGood        // Good: only where Tb competes with Tc (starting tiles) "2.1 ship", "2.1 resource", "2.1 robot", "2.1 debris"
	Move            // From (0: launch), To        "2.1 launch to b4", "2.1 ship c4 to b5"
	ToStation       // Color: break room -> workstation "2.1 robot to gray"
	FromStation     // Color: workstation -> break room "2.1 robot from gray"
	Draw            // Color                       "2.1 draw gray"
	AsColor         // Color: what the die then counts as (Boost with B3)
)

// DieLoc + a colour is the Loc of a Cube taken from a damaged die in that
// colour's supply (Q5.4a); Color is the effect's there.
const DieLoc = 7

// A Step is the smallest choice a player makes (engine/order/ORDERS.md 3). It is a value
// and can be compared; fields a kind does not use are zero (Color: see below).
type Step struct {
	Kind   Kind
	Card   Card             // card played, discarded, kept, placed, used, or the first card paid
	Card2  Card             // second Ravager card paid (M8 green); above Card
	Slot   Slot             // of a card, or the arrow of an injection
	Cell   Cell             // tile activated or boosting; for Cube the tile that gets the Debris (0: storage)
	Via    Cell             // the tile that an orange or gray Td at Cell activates, "activate 2.1 on 1.1 ship"
	Use    Use              // choice within the effect (of Via's tile, if Via is set)
	Good   Good             // Use == TakeGood
	Color  Color            // die, workstation, deck; valid only where the kind or Use says so, else 0
	Value  uint8            // die as shown, 0-3
	Seller Seat             // TakeDie: whose die, 0 the player's own, Neutral the neutral player's
	Secure bool             // TakeDie, FlipDie: an own die in the high-security area
	Flip   bool             // TakeDie: turned for 1 Debris (R4.5)
	Action component.Action // Act: the action printed at Loc, never NoAction
	Loc    uint8            // Act: location 1-6; Cube: location whose cube, or DieLoc + colour for a damaged die in that supply
	Locs   uint8            // Locations: bit n-1 for location n
	From   Hex              // ship's hex; 0: launch
	To     Hex              // destination, or where a card is placed
	Tile   Tile             // tile injected
	Space  uint8            // Inject: 1 + colour of the Advanced space for the tile it ejects; 0 none
	Tiles  [3]Tile          // TakeTiles: ascending, zeros last; Collect: tiles paid, ascending
}

// Masked is the step as seen by everyone but its seat: a card from the hand
// shows its back (Q1.5c). Cards that become public by the step stay (Place,
// UseCard).
func (s Step) Masked() Step {
	switch s.Kind {
	case Discard, Keep, PlayCard, Collect:
		s.Card, s.Card2 = s.Card.Back(), s.Card2.Back()
	}
	return s
}
