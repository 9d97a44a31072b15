package sim

import (
	"strconv"

	"angelpost/engine"
	"angelpost/engine/component"
)

// A group is things of one kind and the ways in which they can come into play.
type group struct {
	name   string
	things int
	ways   []string
	thing  func(set *component.Set, i int) string // what the i-th is called
}

// The groups, by number.
const (
	gPlay = iota
	gLocations
	gMissions
	gRavagers
	gTechnology
	gAdvanced
	gKinds
	gBoosts
	gHalCards
	gHalVP
	nGroups
)

// Things of the group play.
const (
	pA = iota
	pB
	pPass
	pMission
	pRavager
	pOwnDie
	pReservedDie
	pBoughtDie
	pNeutralDie
	pHalDie
	pFlip
	pFlipOwn
	pReserve
	pReserveFree
	pReserveBoost
	pLaunch
	pMove
	pShipLost
	pOwner
	pDeclined
	pLapsed
	pCubeStore
	pCubeTile
	pDamagedDie
	pRefill
	nPlay
)

var playNames = [nPlay]string{
	"sequence A", "sequence B", "pass", "Mission card in a slot", "Ravager card in a slot",
	"own die", "reserved die", "die of another player", "neutral die", "die of Hal", "flip", "flip before the die",
	"reservation for a resource", "reservation at the start", "reservation by a boost",
	"launch", "ship moved", "ship lost", "owner's activation asked", "owner's activation declined", "owner's activation lapsed",
	"cube to storage", "cube onto a tile", "damaged die taken", "discards shuffled",
}

// Ways, by group.
const (
	lActed = iota
	lHal
)
const (
	mDrawn = iota
	mRefused
	mPlayed
	mPlaced
	mHal
	mUsed
	mActivated
	mNeutralized
	mTucked
	mSpent
	mDiscarded
)
const (
	rDrawn = iota
	rAttacked
	rOverflow
	rEffect
	rFailed
	rDestroyed
	rPlayed
	rSpent
	rDiscarded
)
const (
	tAppeared = iota
	tTaken
	tHal
	tInjected
	tActivated
	tEjected
	tSpent
	tDropped
	tBoosted
	tTurned
)
const (
	aTaken = iota
	aHal
	aEjected
	aSpace
	aVP
)
const (
	kScored = iota
	kVP
)
const (
	bUsed = iota
	bTurned
)
const (
	hUpper = iota
	hLower
	hNeither
)

var groups = [nGroups]group{
	gPlay: {"play", nPlay, []string{"times"}, func(_ *component.Set, i int) string { return playNames[i] }},
	gLocations: {"locations", 6, []string{"acted", "hal"}, func(set *component.Set, i int) string {
		l := set.Locs[i+1]
		return strconv.Itoa(i+1) + " " + l.Action.String() + " " + l.Color.String()
	}},
	gMissions: {"missions", component.Missions,
		[]string{"drawn", "refused", "played", "placed", "hal", "used", "activated", "neutralized", "tucked", "spent", "discarded"},
		func(_ *component.Set, i int) string { return engine.Card(i + 1).String() }},
	gRavagers: {"ravagers", component.LastRaider - component.FirstRaider + 1,
		[]string{"drawn", "attacked", "overflow", "effect", "failed", "destroyed", "played", "spent", "discarded"},
		func(_ *component.Set, i int) string { return engine.Card(component.FirstRaider + i).String() }},
	gTechnology: {"technology", component.Tiles + 3,
		[]string{"appeared", "taken", "hal", "injected", "activated", "ejected", "spent", "dropped", "boosted", "turned"},
		func(_ *component.Set, i int) string { return engine.Tile(i + 1).String() }},
	gAdvanced: {"advanced", component.Advanced, []string{"taken", "hal", "ejected", "space", "vp"},
		func(_ *component.Set, i int) string { return (engine.FirstAdvanced + engine.Tile(i)).String() }},
	gKinds:    {"advanced_kinds", 8, []string{"scored", "vp"}, func(_ *component.Set, i int) string { return "K" + strconv.Itoa(i+1) }},
	gBoosts:   {"boosts", 4, []string{"used", "turned"}, func(_ *component.Set, i int) string { return "B" + strconv.Itoa(i+1) }},
	gHalCards: {"hal_cards", 12, []string{"upper", "lower", "neither"}, func(_ *component.Set, i int) string { return strconv.Itoa(i + 1) }},
	gHalVP:    {"hal_vp", engine.HalReasons - 1, []string{"times", "vp"}, func(_ *component.Set, i int) string { return halNames[i+1] }},
}

var halNames = [engine.HalReasons]string{
	engine.HalShip: "ships", engine.HalResource: "resources", engine.HalRobot: "robots", engine.HalDebris: "cubes",
	engine.HalRavager: "ravagers", engine.HalTile: "technology", engine.HalAdvanced: "advanced", engine.HalPrinted: "printed VP",
	engine.HalStar: "star", engine.HalDamage: "damage", engine.HalNothing: "nothing to do", engine.HalNoCard: "no card",
	engine.HalNoHex: "no hex", engine.HalComet: "comet", engine.HalNoDie: "no die", engine.HalSold: "die sold", engine.HalEjected: "card ejected",
}

// first is where a group's counts begin in a tally; the last is how many there are.
var first = func() (at [nGroups + 1]int) {
	for g := range groups {
		at[g+1] = at[g] + groups[g].things*len(groups[g].ways)
	}
	return at
}()

// A tally counts how often everything came into play, by group, thing and way.
type tally []int

func newTally() tally { return make(tally, first[nGroups]) }

func (u tally) at(g, thing, way int) *int { return &u[first[g]+thing*len(groups[g].ways)+way] }

func (u tally) add(g, thing, way, n int) { *u.at(g, thing, way) += n }

// sum adds the counts of another game.
func (u tally) sum(other tally) {
	for i, n := range other {
		u[i] += n
	}
}

// A counter counts the uses of one game from its events, the set-up's included.
type counter struct {
	set      *component.Set
	solo     bool
	uses     tally
	rerolled bool                            // the turn in progress is a B
	holder   [component.Advanced]engine.Seat // of each Advanced tile
	kinds    [engine.MaxPlayers + 1][9]int   // VP of Advanced tiles by seat and kind
	revealed bool                            // Hal's card is not yet used
	card     int                             // Hal's card
	opening  [engine.MaxPlayers + 1][]string // by seat, the action in each of the first turns
	doing    string                          // the action of the turn in progress
}

// openingTurns is how many turns of a player are the opening.
const openingTurns = 3

// opens notes what a turn is used for; the first use counts.
func (k *counter) opens(e engine.Event, what string) {
	if k.doing == "" && !(k.solo && e.Seat == engine.Hal) {
		k.doing = what
	}
}

// opened closes a turn.
func (k *counter) opened(e engine.Event) {
	if o := &k.opening[e.Seat]; len(*o) < openingTurns && k.doing != "" && !(k.solo && e.Seat == engine.Hal) {
		*o = append(*o, k.doing)
	}
	k.doing = ""
}

func (k *counter) play(what int) { k.uses.add(gPlay, what, 0, 1) }

// mission, ravager and tile count by number; a card may be either.
func (k *counter) mission(c engine.Card, way int) {
	if c >= 1 && c <= component.Missions {
		k.uses.add(gMissions, int(c)-1, way, 1)
	}
}

func (k *counter) ravager(c engine.Card, way int) {
	if c >= component.FirstRaider && c <= component.LastRaider {
		k.uses.add(gRavagers, int(c)-component.FirstRaider, way, 1)
	}
}

func (k *counter) card2(c engine.Card, mission, ravager int) {
	k.mission(c, mission)
	k.ravager(c, ravager)
}

// tile counts a Technology or an Advanced tile; advanced -1: not counted there.
func (k *counter) tile(t engine.Tile, technology, advanced int) {
	switch {
	case !t.Advanced():
		k.uses.add(gTechnology, int(t)-1, technology, 1)
	case advanced >= 0:
		k.uses.add(gAdvanced, int(t-engine.FirstAdvanced), advanced, 1)
	}
}

// boost counts a boost side turned, for its boost or without.
func (k *counter) boost(t engine.Tile, technology, way int) {
	k.tile(t, technology, -1)
	if b := k.set.Tiles[t].Boost; b > 0 {
		k.uses.add(gBoosts, int(b)-1, way, 1)
	}
}

// count counts one event.
func (k *counter) count(e engine.Event) {
	hal := k.solo && e.Seat == engine.Hal
	switch e.Kind {
	case engine.EvShuffled:
		k.play(pRefill)
	case engine.EvDrewMission, engine.EvKept, engine.EvHalDrew:
		k.mission(e.Card, mDrawn)
	case engine.EvNotKept:
		k.mission(e.Card, mRefused)
	case engine.EvDrewRavager:
		k.ravager(e.Card, rDrawn)
	case engine.EvCardPlayed:
		if e.Card.Ravager() {
			k.play(pRavager)
		} else {
			k.play(pMission)
		}
		k.card2(e.Card, mPlayed, rPlayed)
	case engine.EvTurned:
		k.boost(e.Tile, tTurned, bTurned)
	case engine.EvBoosted:
		k.boost(e.Tile, tBoosted, bUsed)
	case engine.EvActivated:
		k.tile(e.Tile, tActivated, -1)
	case engine.EvVP:
		if hal && e.Cause > 0 && e.Cause < engine.HalReasons {
			k.uses.add(gHalVP, int(e.Cause)-1, 0, 1)
			k.uses.add(gHalVP, int(e.Cause)-1, 1, int(e.N))
		}
	case engine.EvDieTaken:
		k.die(e, hal)
	case engine.EvFlipped:
		k.play(pFlip)
	case engine.EvFlippedOwn:
		k.play(pFlipOwn)
	case engine.EvActed:
		k.opens(e, strconv.Itoa(int(e.Loc)))
		if hal {
			k.uses.add(gLocations, int(e.Loc)-1, lHal, 1)
		} else {
			k.uses.add(gLocations, int(e.Loc)-1, lActed, 1)
		}
	case engine.EvRavagerEffect:
		k.ravager(e.Card, rEffect)
	case engine.EvRavagerFailed:
		k.ravager(e.Card, rFailed)
	case engine.EvDiscarded:
		k.card2(e.Card, mDiscarded, rDiscarded)
	case engine.EvTileTaken:
		if hal {
			k.tile(e.Tile, tHal, aHal)
			return
		}
		k.tile(e.Tile, tTaken, aTaken)
		if e.Tile.Advanced() {
			k.holder[e.Tile-engine.FirstAdvanced] = e.Seat
		}
	case engine.EvInjected:
		k.tile(e.Tile, tInjected, -1)
	case engine.EvEjected:
		k.tile(e.Tile, tEjected, aEjected)
	case engine.EvToSpace:
		k.tile(e.Tile, tEjected, aSpace)
	case engine.EvCubeRemoved:
		switch {
		case hal:
		case e.Cell > 0:
			k.play(pCubeTile)
		default:
			k.play(pCubeStore)
		}
	case engine.EvLaunched:
		k.play(pLaunch)
	case engine.EvMoved:
		k.play(pMove)
	case engine.EvShipLost:
		k.play(pShipLost)
	case engine.EvPlaced:
		if hal {
			k.mission(e.Card, mHal)
		} else {
			k.mission(e.Card, mPlaced)
		}
	case engine.EvAttack:
		k.ravager(e.Card, rAttacked)
	case engine.EvOverflow:
		k.ravager(e.Card, rOverflow)
	case engine.EvTileAppeared:
		k.tile(e.Tile, tAppeared, -1)
	case engine.EvTileDropped:
		k.tile(e.Tile, tDropped, -1)
	case engine.EvUsedCard:
		k.opens(e, "mission")
		k.mission(e.Card, mUsed)
	case engine.EvCollected:
		k.mission(e.Card, mActivated)
	case engine.EvPaidTile:
		k.tile(e.Tile, tSpent, -1)
	case engine.EvPaidCard:
		k.card2(e.Card, mSpent, rSpent)
	case engine.EvOwes:
		k.play(pOwner)
	case engine.EvDeclined:
		k.play(pDeclined)
	case engine.EvLapsed:
		k.play(pLapsed)
	case engine.EvDestroyed:
		k.ravager(e.Card, rDestroyed)
	case engine.EvDiceBack:
		k.opens(e, "B")
		if k.rerolled = !hal; !hal {
			k.play(pB)
		}
	case engine.EvTookDamaged:
		if !hal {
			k.play(pDamagedDie)
		}
	case engine.EvReserved:
		switch {
		case e.Cell > 0:
			k.play(pReserveBoost)
		case k.rerolled:
			k.play(pReserve)
		default:
			k.play(pReserveFree)
		}
	case engine.EvNeutralized:
		k.mission(e.Card, mNeutralized)
	case engine.EvTucked:
		k.mission(e.Card, mTucked)
	case engine.EvHalEjected, engine.EvHalDropped:
		k.mission(e.Card, mDiscarded)
	case engine.EvPassed:
		k.opens(e, "pass")
		k.play(pPass)
	case engine.EvTurnEnded:
		k.opened(e)
		k.rerolled = false
		k.halHalf(hNeither)
	case engine.EvHalCard:
		k.revealed, k.card = true, int(e.N)
	case engine.EvHalChose:
		k.halHalf(int(e.Cause) - 1)
	case engine.EvAdvancedScore:
		k.uses.add(gKinds, int(e.Value)-1, kScored, 1)
		k.uses.add(gKinds, int(e.Value)-1, kVP, int(e.N))
		k.kinds[e.Seat][e.Value] += int(e.N)
	case engine.EvGameOver:
		k.advanced()
	}
}

// die counts whose die it was; taking one is what makes a turn an A.
func (k *counter) die(e engine.Event, hal bool) {
	if hal {
		return
	}
	k.play(pA)
	switch {
	case e.Other == engine.Neutral:
		k.play(pNeutralDie)
	case e.Other != 0 && k.solo:
		k.play(pHalDie)
	case e.Other != 0:
		k.play(pBoughtDie)
	case e.Flag:
		k.play(pReservedDie)
	default:
		k.play(pOwnDie)
	}
}

func (k *counter) halHalf(way int) {
	if k.revealed {
		k.uses.add(gHalCards, k.card-1, way, 1)
		k.revealed = false
	}
}

// advanced gives each Advanced tile its part of what its kind scored for its
// holder: the two tiles of a kind in one hand share alike, VP being even.
func (k *counter) advanced() {
	for i, seat := range k.holder {
		if seat == 0 {
			continue
		}
		kind, same := k.set.Advanced[i+1], 0
		for j, other := range k.holder {
			if other == seat && k.set.Advanced[j+1] == kind {
				same++
			}
		}
		k.uses.add(gAdvanced, i, aVP, k.kinds[seat][kind]/same)
	}
}

// has reports whether the games of a setup know a thing's way into play.
func (su Setup) has(g, thing, way int) bool {
	o := su.Options
	solo, advanced, first := o.Players == 1, o.Rules == "advanced", o.Edition == "first"
	switch g {
	case gPlay:
		switch thing {
		case pNeutralDie:
			return o.Players == 2
		case pHalDie:
			return solo
		case pBoughtDie:
			return !solo
		case pFlip:
			return !first
		case pFlipOwn:
			return first
		case pReserveFree:
			return o.Players > 2
		case pReserveBoost:
			return advanced
		}
	case gLocations:
		return way != lHal || solo
	case gMissions:
		activation := su.Set.Missions[thing+1].Activation()
		switch way {
		case mUsed, mActivated:
			return activation
		case mNeutralized:
			return !activation
		case mRefused:
			return advanced || first
		case mHal:
			return solo
		}
	case gTechnology:
		starting := thing >= component.Tiles
		switch way {
		case tAppeared, tTaken, tInjected, tDropped:
			return !starting
		case tHal:
			return solo && !starting
		case tBoosted, tTurned:
			return advanced && !starting
		}
	case gAdvanced:
		return way != aHal || solo
	case gBoosts:
		return advanced
	case gHalCards, gHalVP:
		return solo
	}
	return true
}

// wants reports whether, of what has allows, a game that plays well makes use of
// it sooner or later.
func (su Setup) wants(g, thing, way int) bool {
	switch g {
	case gPlay:
		switch thing {
		case pShipLost, pOwner, pDeclined, pLapsed, pDamagedDie, pRefill:
			return false
		}
		return true
	case gLocations, gKinds:
		return true
	case gMissions:
		return way == mDrawn || way == mPlayed || way == mPlaced || way == mActivated || way == mNeutralized
	case gRavagers:
		return way == rAttacked || way == rEffect || way == rDestroyed
	case gTechnology:
		return way == tTaken || way == tActivated || way == tBoosted
	case gAdvanced:
		return way == aTaken || way == aVP
	case gBoosts:
		return way == bUsed
	case gHalCards:
		return way != hNeither
	}
	return false
}
