package draw

// An About is a kind of thing on the table, of which Words tell what it is or
// does, and by which rule.
type About uint8

// The kinds.
const (
	AboutPlanet About = iota // an orange hex; the three in the order of the colours
	AboutStation
	AboutFleet
	AboutAsteroids
	AboutSpes
	AboutComet
	AboutIcon
	AboutBlackAngel
	AboutShips
	AboutActivation // a Mission card in Space
	AboutNeutralization
	AboutSpesToken
	AboutRavagerDeck
	AboutRound
	AboutVP
	AboutMissionDeck
	AboutDie      // that is being used
	AboutDiscover // the four in the order of component.Action
	AboutRepair
	AboutDestroy
	AboutCommand
	AboutDamage
	AboutRavagers // at a location
	AboutSupply
	AboutNeutral
	AboutHalDie
	AboutDisplay
	AboutAdvancedSlot
	AboutStack
	AboutAdvancedDeck
	AboutGoods
	AboutRow
	AboutColumn
	AboutCell
	AboutTechnology
	AboutAdvanced
	AboutBoost
	AboutDebris
	AboutRobots
	AboutStandard
	AboutSecure
	AboutSpace // of an Advanced tile
	AboutHand
	AboutMissionCard // in the hand
	AboutRavagerCard
	AboutEjected
	AboutTucked
	AboutHal
	AboutHalRobots
	AboutHalDeck
	AboutHalWorth
	aboutCount
)

// Abouts is how many kinds there are.
const Abouts = int(aboutCount)

// abouts are keys for a catalogue, and the rules that matter.
var abouts = [aboutCount]struct{ key, rules string }{
	{"planet", "R5.5"}, {"station", "R5.5"}, {"fleet", "R5.5"}, {"asteroids", "R5.5"}, {"spes", "R8.1"}, {"comet", "R15.10"},
	{"icon", "R5.5"}, {"black-angel", "R5.5, R6.4"}, {"ships", "R5.5"}, {"activation", "R5.6"}, {"neutralization", "R7.1"},
	{"spes-token", "R6.4"}, {"ravager-deck", "R8.1"}, {"round", "R3.1"}, {"vp", "R8.7"}, {"mission-deck", "R4.9"}, {"die", "R4.6"},
	{"discover", "R5.1"}, {"repair", "R5.4"}, {"destroy", "R5.7"}, {"command", "R5.5"}, {"damage", "R4.7"}, {"ravagers", "R4.7"},
	{"supply", "R6.1"}, {"neutral", "R13.2"}, {"hal-die", "R15.5"}, {"display", "R5.1"}, {"advanced-slot", "R5.1"}, {"stack", "R2.3"},
	{"advanced-deck", "R5.1"}, {"goods", "R4.4, R4.5"}, {"row", "R4.1"}, {"column", "R4.1"}, {"cell", "R5.2"}, {"technology", "R4.2"},
	{"advanced", "R8.6"}, {"boost", "R14.1"}, {"debris", "R6.3"}, {"robots", "R6.1"}, {"standard", "R4.4"}, {"secure", "R6.2"},
	{"space", "R8.6"}, {"hand", "R3.2"}, {"mission-card", "R5.5"}, {"ravager-card", "R4.2"}, {"ejected", "R5.3"}, {"tucked", "R6.4"},
	{"hal", "R15.1"}, {"hal-robots", "R15.4"}, {"hal-deck", "R15.3"}, {"hal-worth", "R15.2"},
}

// Key is the kind's key in a catalogue.
func (a About) Key() string {
	if a >= aboutCount {
		return ""
	}
	return abouts[a].key
}

// String are the numbers of the rules that matter most.
func (a About) String() string {
	if a >= aboutCount {
		return ""
	}
	return abouts[a].rules
}
