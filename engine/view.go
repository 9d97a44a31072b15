package engine

import "angelpost/engine/component"

// A View is what one viewer may see of a State (R1.5), and nothing else. Draw,
// page, letter, view.json and bots are made from Views.
type View struct {
	Viewer  Seat // 0: the public
	Set     *component.Set
	Options Options

	Round     int      // from 1; 0 during set-up
	Turn      int      // turns begun
	Seat      Seat     // whose turn it is; 0 when no one's
	ToAct     []Seat   // who owes a decision, ascending (R3.3)
	Decision  Decision // what the viewer must decide; NoDecision if nothing
	Asked     Decision // what Seat must decide (public)
	Finished  bool
	Revealed  bool   // every hand is open: the game is over, though this position may be an earlier one
	Ending    Ending // what triggered the end, once it has
	LastRound bool

	Strips     []StripView // nearest the frigate first
	BlackAngel Hex
	SpesToken  int // running number of the token's strip; 0 once it is off
	SpesHex    Hex // the planet's hex once in sight; 0 before

	Locs         [7]LocView // by location; 0 unused
	Supply       [3]SupplyView
	Display      []Tile  // by space; 0: gap
	Slots        [4]Tile // Advanced Technology slots; 0: empty
	Decks        [Piles]DeckView
	AdvancedLeft int
	TopTile      [3]Tile // top of each Technology stack, visible (R2.3); 0: empty

	Neutral *NeutralView // two players only
	Winners []Seat       // once finished (R8.7, R15.12)
	Players []PlayerView // by seat, from index 0 for seat 1; solo: Hal is seat 2

	// The turn in progress, as everyone sees it.
	Die      DieView // the die taken, as it counts after flip and boosts; Color None before
	Acting   uint8   // location the die is used on; 0 none
	Using    Card    // Mission card the die is used on; 0 none
	Left     int     // activations left of the action in progress
	ToInject []Tile  // tiles taken and not yet injected
	Ship     Hex     // where the ship just moved stands (Command, before a card is placed)
	Owed     []Debt  // the viewer's own debts in the order they arose (Q3.3)

	masked State // for Legal and for bots: the hidden cards of others are not in it
}

// StripView is one Space strip.
type StripView struct {
	Number int // running number (Q2.2a)
	Hexes  [5]HexView
}

// HexView is one hex.
type HexView struct {
	At       Hex
	Color    Color // None: asteroids, or Spes
	Asteroid bool
	Spes     bool // the planet Spes is here
	Comet    bool // in sight: without a card or the planet on it (Q5.5c, Q5.5e)
	Icons    int  // Ravager icons in sight
	Card     Card // 0: none
	Owner    Seat // of Card
	Ships    []Seat
}

// LocView is one action location.
type LocView struct {
	component.Location
	Damage   int        // 0-2
	Ravagers []TrapView // bottom card first
}

// TrapView is a Ravager card and the robots caught on it.
type TrapView struct {
	Card   Card
	Robots []Seat // one entry a robot, ascending
}

// SupplyView counts the dice of a supply: all of them, and the damaged ones among them.
type SupplyView struct{ Dice, Damaged int }

// DeckView counts a pile.
type DeckView struct{ Left, Discarded int }

// NeutralView is the neutral player (section 13).
type NeutralView struct {
	Robots [3]bool
	Dice   []DieView
}

// DieView is a die.
type DieView struct {
	Color Color
	Value uint8
}

// Opposite is the die with its opposite face up (R1.2, R4.5).
func (d DieView) Opposite() DieView { return DieView{d.Color, d.Value ^ 2} }

// A CellView is the content of a cell of the grid.
type CellView struct {
	Tile   Tile // 0: empty
	Debris bool
	Boost  bool // boost side up (advanced rules)
}

// PlayerView is one player's board and goods.
type PlayerView struct {
	Seat                     Seat
	VP                       int
	By                       [Sources]int
	Final                    int // once finished
	Resources, Debris, Ships int // storage
	Break                    int // robots in the break room
	Stations                 [3]int
	RobotSupply              int
	Pilots, OnCards, Trapped int       // robots in ships, on Mission rewards, on Ravagers
	Standard, Secure         []DieView // by colour, then value
	Hand                     [3]int    // Mission cards by colour
	Ravagers                 int       // Ravager cards in hand
	Cards                    []Card    // the hand, ascending; nil unless the viewer's own, or finished
	Rows, Columns            [3]Card   // slots; backs unless the viewer's own
	Grid                     [9]CellView
	Spaces                   [3]Tile // Advanced tiles on the coloured spaces
	Ejected                  []Tile  // Technology and Advanced tiles next to the board
	Tucked                   [3][]Card
}

// A Decision is what a seat has to decide (view.json's decision).
type Decision uint8

// The decisions.
const (
	NoDecision        Decision = iota
	AskReserveFree             // R2.11
	AskTurn                    // begin a turn: card, die, B (or pass)
	AskA1                      // a card has been played: activations, or the die
	AskAction                  // the die has been taken: which action or Mission
	AskRavagerDiscard          // V3 or V4: which card
	AskTiles                   // which tiles to take
	AskInject
	AskCube
	AskShip  // Command: which ship where
	AskPlace // Command: a Mission card?
	AskLocations
	AskCollect // one more activation of a Mission card
	AskReserve // after the roll
	AskDiscard // hand limit
	AskOwner   // an owner's activation
	AskKeep    // one of two cards drawn
)

var decisionNames = [...]string{"", "reserve-free", "turn", "activate", "action", "ravager-discard", "tiles", "inject", "cube", "ship", "place", "locations", "collect", "reserve", "discard", "owner", "keep"}

// String is the decision's word in view.json.
func (d Decision) String() string { return decisionNames[d] }

// Debt is something a seat owes out of turn (Q3.3).
type Debt struct {
	Ask   Decision // AskDiscard, AskOwner or AskKeep
	Card  Card     // AskOwner: the Mission card; AskKeep: the lower of the two drawn
	Card2 Card     // AskKeep: the other
	N     uint8    // AskDiscard: how many cards
}
