package draw

import (
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
)

// Words are the words of Text in one reader's language: templates/words makes them. All
// methods must be safe for any argument and cheap: a text asks some hundred times. What
// they return is text, not markup. Text takes control characters and bars out, and cuts it
// to a bound.
type Words interface {
	// Term is the word for t; "" means the term of RULES.md.
	Term(t Term) string
	// Player returns the name of a seat's player, or "" if they have none.
	Player(seat engine.Seat) string
	// Card is what a Mission or Ravager card does, in a few words, without
	// number, colour, reward and tile colours, which draw adds.
	Card(set *component.Set, c engine.Card) string
	// Tile is what a tile does, in a few words.
	Tile(set *component.Set, t engine.Tile) string
	// BoostSide is what a Technology tile does that is boost side up (R14.1): its boost, and
	// the effect that it has once turned.
	BoostSide(set *component.Set, t engine.Tile) string
}

// Plain are the Words of RULES.md itself: its terms, seats for players, and
// the codes of its tables (M5, V3, Ta, K4) for effects.
var Plain Words = plain{}

type plain struct{}

func (plain) Term(t Term) string             { return t.String() }
func (plain) Player(seat engine.Seat) string { return "" }

func (plain) Card(set *component.Set, c engine.Card) string {
	switch {
	case set == nil || c == 0 || c.Hidden() || c > component.LastRaider:
		return ""
	case c.Ravager():
		return "V" + num(int(set.Ravagers[c].Effect))
	}
	return "M" + num(int(set.Missions[c].Kind))
}

func (plain) Tile(set *component.Set, t engine.Tile) string {
	switch {
	case set == nil || t == 0 || t > engine.LastTile:
		return ""
	case t.Advanced():
		return "K" + num(int(set.Advanced[t-engine.FirstAdvanced+1]))
	}
	p := set.Tiles[t]
	if p.Effect == component.Start {
		return effects[p.Color%3][component.Tb] + " or " + effects[p.Color%3][component.Tc]
	}
	return effects[p.Color%3][p.Effect%4]
}

func (p plain) BoostSide(set *component.Set, t engine.Tile) string {
	if set == nil || int(t) >= len(set.Tiles) || set.Tiles[t].Boost == 0 {
		return p.Tile(set, t)
	}
	k := &set.Tiles[t]
	boost := TermBoost.String() + " B" + num(int(k.Boost))
	if k.For != k.Color {
		boost += " " + k.For.String()
	}
	return boost + "; " + p.Tile(set, t)
}

// effects of Technology tiles by colour, Ta to Td (section 12).
var effects = [3][4]string{
	{"1 VP", "ship", "ship up to 2 hexes", "tile above or below"},
	{"1 VP", "resource", "Debris", "tile left or right"},
	{"1 VP", "robot", "robot to or from workstation", "draw Mission card"},
}

// Term is a word of the game that Text needs.
type Term uint8

// The terms.
const (
	TermOrange Term = iota // the three in the order of the colours
	TermGray
	TermGreen
	TermSpace
	TermStrip
	TermAsteroids
	TermComet
	TermIcon // Ravager icon
	TermSpes
	TermSpesToken
	TermBlackAngel
	TermMission
	TermRavager
	TermRavagers
	TermReward
	TermTiles
	TermFrigate
	TermLocation
	TermDiscover // the four in the order of component.Action
	TermRepair
	TermDestroy
	TermCommand
	TermDamage
	TermSupply
	TermDice
	TermDamaged
	TermNeutral
	TermRobot
	TermDisplay
	TermCost
	TermEmpty
	TermAdvanced
	TermStack
	TermDeck
	TermLeft
	TermDiscarded
	TermRound
	TermTurn
	TermLastRound
	TermOver
	TermSeat
	TermBoard
	TermVP
	TermShips
	TermShip
	TermResources
	TermResource
	TermDebris
	TermBreakRoom
	TermWorkstation
	TermRobotSupply
	TermPilots
	TermOnCards
	TermOnRavagers
	TermRobots
	TermStandard
	TermSecure
	TermStar
	TermHand
	TermGrid
	TermSlots
	TermRow
	TermColumn
	TermSpaces
	TermEjected
	TermTucked
	TermBoost
	TermNone
	TermActing
	TermOwner
	TermTop
	TermDie
	TermUsing
	TermInject
	TermFinal
	termCount
)

// terms are RULES.md's words. They are labels, not sentences, and the same words as in the
// order language if that has them.
var terms = [termCount]string{
	"orange", "gray", "green",
	"Space", "strip", "asteroids", "comet", "Ravager icon", "Spes", "Spes token", "Black Angel",
	"Mission", "Ravager", "Ravagers", "reward", "tiles",
	"frigate", "location", "discover", "repair", "destroy", "command", "Damage",
	"supply", "dice", "damaged", "neutral", "robot", "display", "cost", "empty", "Advanced", "stack", "deck", "left", "discarded",
	"round", "turn", "last round", "over",
	"seat", "board", "VP", "ships", "ship", "resources", "resource", "Debris",
	"break room", "workstation", "robot supply", "pilots", "on Missions", "on Ravagers", "robots",
	"standard", "secure", "star", "hand", "grid", "slots", "row", "column", "spaces",
	"ejected", "tucked", "boost", "none", "acting", "owner", "on top", "die", "using", "inject", "final",
}

// Terms is how many terms there are.
const Terms = int(termCount)

// String is RULES.md's word for t.
func (t Term) String() string {
	if t >= termCount {
		return ""
	}
	return terms[t]
}

// Key is the term's key in a catalogue: String in lower case with hyphens.
func (t Term) Key() string {
	return strings.ReplaceAll(strings.ToLower(t.String()), " ", "-")
}
