package engine

import "slices"

// EventKind is the kind of an Event.
type EventKind uint8

// What can happen. Behind each kind: the fields it uses besides Seat, the
// player it happened to or who did it.
const (
	NoEvent EventKind = iota

	// Set-up and chance.
	EvShuffled      // Pile: discards became a deck (Q8.2)
	EvRolled        // Color, Value; Seat may be Neutral
	EvDrewMission   // Card, secret
	EvOffered       // Card, secret: one of two cards drawn to choose from (R4.9)
	EvKept          // Card, secret: it goes to the hand
	EvNotKept       // Card, secret: it is discarded
	EvDrewRavager   // Card, secret: the Ravager of the first hand (R2.9)
	EvStartTile     // Tile, Cell (R2.8)
	EvStartGoods    // the storage of R2.7 and R2.9: 5 VP, 1 resource, 1 Debris, 1 ship
	EvNothingToDraw // Color: no card left to draw

	// A1 and effects.
	EvCardPlayed // Card (secret), Slot
	EvTurned     // Cell, Tile: turned to its standard side, its boost given up (R14.1)
	EvActivated  // Cell, Tile, Via (0 or the Td's cell), Cause: 0 card, 1 Debris
	EvGained     // Good (Ship, Resource, Robot, Debris), N as really gained after R1.3, Source
	EvSpent      // Good, N
	EvVP         // N as really gained or lost (R9.1), Source; Hal's: Cause: why (HalShip …), Value: of how many
	EvRobotMoved // Color, Flag: true to the workstation, false from it
	EvNeutralOut // Color: the neutral robot there leaves the game (R13.4)

	// A2.
	EvDieTaken      // Color, Value as it lay, Other: seller (0 own), Secure in Flag
	EvPaid          // Other: who got the resource (Neutral: the supply; Hal: the supply, Cause 1)
	EvFlipped       // Color, Value: the new face
	EvFlippedOwn    // Color, Value: the new face of a die not yet taken (R17.1); Flag: a reserved one
	EvBoosted       // Cell, Tile: turned for its boost; Color, Value: what the die then counts as (B4: 0)
	EvActed         // Loc, N: the value the action has (R4.7)
	EvRavagerEffect // Card, Loc: the topmost card's effect applies
	EvRavagerFailed // Card, Loc: it could not be resolved (1 VP lost for 073-090)
	EvTrapped       // Card: a robot is caught on it (V5)
	EvDiscarded     // Card (secret)
	EvTileTaken     // Tile, N: what it cost
	EvRefilled      // Tile, N: slot 1-4
	EvInjected      // Tile, Slot
	EvEjected       // Tile: pushed off the grid
	EvToSpace       // Tile, Color: an Advanced tile comes to a coloured space
	EvCubeRemoved   // Loc, or Color of the die's supply if Loc is 0; Cell if it went onto a tile
	EvLaunched      // Hex: from the Black Angel's hex to Hex
	EvMoved         // Hex2 to Hex
	EvPlaced        // Card, Hex
	EvAttack        // Card, Loc: a Ravager appears
	EvOverflow      // Card: a fourth Ravager, discarded
	EvDamaged       // Loc: 1 Damage on its action, N cubes there now
	EvDieDamaged    // Color: a die in that supply
	EvNoDamage      // Loc or Color: no room for the cube
	EvTileAppeared  // Tile: enters the display
	EvTileDropped   // Tile: pushed off the display
	EvUsedCard      // Card, Other: owner: a die is used on a Mission in Space
	EvCollected     // Card: one activation of it by Seat (its owner's own included)
	EvPaidTile      // Tile spent (M7-M11 orange)
	EvPaidCard      // Card (secret) spent
	EvOwes          // Card: an owner's activation now waits for Seat (Q3.3)
	EvDeclined      // Card
	EvLapsed        // Card: the owner could not pay
	EvDestroyed     // Card, Loc: taken into the hand
	EvFreed         // Card: Seat's robot returns to the break room
	EvDieBack       // Color: the used die returns to its supply

	// B.
	EvDiceBack     // N: sum of the dice returned
	EvTookDamaged  // Color: a damaged die was taken (1 VP; no one pays where Seat is Neutral)
	EvNeutralBack  // Color: a neutral star goes back
	EvReserved     // Color, Value; Cell of the B4 that pays for it, or 0
	EvReset        //
	EvAdvanced     // Hex: where the Black Angel now stands
	EvShipLost     // Hex
	EvNeutralized  // Card: the effect reaches Seat, Flag: as its owner
	EvTucked       // Card
	EvFlippedStrip // N: running number it now has
	EvSpesInSight  // Hex
	EvPassed       //

	// Hal (section 15).
	EvHalStarts  // N: Hal's VP (R15.1)
	EvHalCard    // N: the card revealed, Flag: its lower half is tried first (R15.3)
	EvHalNoDie   // Color: no die of it is available
	EvHalChose   // N: the card, Cause: 1 its upper half, 2 its lower
	EvHalBack    // Color, Value: Hal's die of the third colour goes back
	EvHalDrew    // Card: drawn for Command, seen by all
	EvHalDropped // Card: no free hex for it, discarded
	EvHalEjected // Card: one of Hal's cards is ejected and discarded (R15.11)
	EvClosedUp   // the Advanced slots closed up towards slot 4 (R15.7)

	// End.
	EvTrigger       // N: Ending
	EvLastRound     //
	EvTurnEnded     // N: round
	EvAdvancedScore // N: VP for all Advanced tiles of kind Value (1-8)
	EvGoodsScore    // N
	EvFinal         // N: final VP
	EvGameOver      //

	EventKinds // how many
)

// Pile names a deck.
type Pile uint8

// The piles.
const (
	PileOrange Pile = iota // Mission decks
	PileGray
	PileGreen
	PileRavager
	PileTileOrange // Technology stacks
	PileTileGray
	PileTileGreen
	PileHal // solo only
	Piles
)

// An Event is one thing that happened, in the order it happened. It is a
// value; fields its kind does not use are zero.
type Event struct {
	Kind   EventKind
	Seat   Seat
	Other  Seat
	Card   Card
	Tile   Tile
	Color  Color
	Value  uint8
	Cell   Cell
	Via    Cell
	Slot   Slot
	Loc    uint8
	Hex    Hex
	Hex2   Hex
	Good   Good
	Source Source
	Pile   Pile
	N      int16
	Flag   bool
	Cause  uint8
}

// secret kinds show their card to their seat alone (R1.5, Q1.5a).
var secretEvent = [EventKinds]bool{
	EvDrewMission: true, EvDrewRavager: true, EvCardPlayed: true, EvDiscarded: true, EvPaidCard: true,
	EvOffered: true, EvKept: true, EvNotKept: true,
}

// For cuts the event to what viewer may see.
func (e Event) For(viewer Seat) Event {
	if secretEvent[e.Kind] && e.Seat != viewer {
		e.Card = e.Card.Back()
	}
	return e
}

// Hides reports whether some viewer may not see all of the event.
func (e Event) Hides() bool { return secretEvent[e.Kind] && e.Card.Back() != e.Card }

// A Tale collects events. A nil *Tale throws them away, which search uses.
type Tale struct {
	Events []Event

	// Of a step in a masked position, up to where chance decides:
	Sure   int     // how many Events precede that
	Before *State  // the position just before that, still masked; nil: there is no such thing
	Chance []Event // what is decided then and later, as far as it is known: Kind, Seat, Color, Tile, and N, how often; of EvAttack, Value: how often at most

	// The position in the end, still masked, with what the Events bring, which happen
	// whatever chance decides; dice that were rolled show a star.
	Then *State
}

// unknown notes that a masked position can't tell what happens next.
func (t *Tale) unknown(s *State, next Event) {
	switch {
	case t == nil:
		return
	case t.Before == nil:
		before := *s
		t.Sure, t.Before = len(t.Events), &before
	}
	if n := len(t.Chance) - 1; n >= 0 && next.Kind == EvRolled && t.Chance[n].Seat == next.Seat && t.Chance[n].Color == next.Color && t.Chance[n].Kind == EvRolled {
		t.Chance[n].N++ // a die like the last
		return
	}
	t.Chance = append(t.Chance, next)
}

// drawn is how many Mission cards a seat draws that a masked position can't show.
func (t *Tale) drawn(seat Seat) (n int) {
	if t != nil {
		for _, e := range t.Chance {
			if e.Kind == EvDrewMission && e.Seat == seat {
				n += int(e.N)
			}
		}
	}
	return n
}

// draws reports whether a seat draws by an event of that kind what a masked position
// can't show.
func (t *Tale) draws(seat Seat, kind EventKind) bool {
	return t != nil && slices.ContainsFunc(t.Chance, func(e Event) bool { return e.Kind == kind && e.Seat == seat })
}

func (t *Tale) add(e Event) {
	if t != nil {
		t.Events = append(t.Events, e)
	}
}
