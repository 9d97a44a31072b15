package store

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// What games and players are called who have no name: two words of these tables. They are
// stored with the game and the seat, so that a later table renames no one.

var (
	// Crew are ranks; each begins the stand-ins of every eighth player.
	Crew = []string{"Pilot", "Captain", "Navigator", "Engineer", "Doctor", "Gunner", "Steward", "Ensign"}

	// stars end them, those next to each other unlike. Their number is odd, and that of the
	// ranks a power of two, so every rank comes with every star.
	stars = []string{
		"Vega", "Rigel", "Mira", "Altair", "Polaris", "Spica", "Antares", "Maia", "Sirius", "Deneb",
		"Capella", "Regulus", "Electra", "Castor", "Bellatrix", "Atlas", "Gemma", "Pollux", "Alphard", "Algol",
		"Tarazed", "Thuban", "Kochab", "Mimosa", "Wezen", "Talitha", "Canopus", "Procyon", "Markab", "Alcor",
		"Adhara", "Zosma", "Izar", "Arcturus", "Mizar",
	}

	adjectives = []string{
		"Amber", "Ancient", "Azure", "Bold", "Brave", "Bright", "Bronze", "Calm", "Cobalt", "Copper", "Coral", "Crimson", "Daring",
		"Distant", "Drifting", "Dusky", "Eastern", "Emerald", "Endless", "Fabled", "Faithful", "Fearless", "Fleet", "Gentle", "Gilded",
		"Glowing", "Golden", "Grand", "Hidden", "Indigo", "Iron", "Ivory", "Jade", "Jolly", "Lively", "Lonely", "Lucky", "Lunar", "Merry",
		"Mighty", "Misty", "Nimble", "Noble", "Northern", "Opal", "Patient", "Quiet", "Radiant", "Restless", "Rising", "Roaming", "Rosy",
		"Ruby", "Sapphire", "Scarlet", "Silent", "Silver", "Solar", "Southern", "Steady", "Stellar", "Sunny", "Swift", "Tranquil",
		"Turquoise", "Valiant", "Velvet", "Violet", "Wandering", "Western", "Winged", "Wise",
	}
	nouns = []string{
		"Anchor", "Arrow", "Aurora", "Beacon", "Bridge", "Cascade", "Comet", "Compass", "Condor", "Corona", "Cruiser", "Cygnet", "Dawn",
		"Dolphin", "Dream", "Eclipse", "Ember", "Envoy", "Equinox", "Falcon", "Firefly", "Galaxy", "Garden", "Harbour", "Harvest", "Haven",
		"Heron", "Horizon", "Island", "Journey", "Lagoon", "Lantern", "Lark", "Lighthouse", "Meadow", "Meridian", "Meteor", "Mirror",
		"Nebula", "Nova", "Oasis", "Odyssey", "Orbit", "Orchard", "Osprey", "Otter", "Passage", "Pathfinder", "Pilgrim", "Pulsar",
		"Quasar", "River", "Rocket", "Saga", "Signal", "Solstice", "Sparrow", "Spire", "Starling", "Sunrise", "Tempest", "Tide",
		"Traveller", "Valley", "Voyage", "Whale", "Willow", "Zenith",
	}
)

// StandIn is what others call a player who has given no name, or one that is taken: "Pilot
// Vega". No two players have the same.
func StandIn(player int64) string {
	n := max(player, 0)
	name := Crew[n%int64(len(Crew))] + " " + stars[n%int64(len(stars))]
	if round := n / int64(len(Crew)*len(stars)); round > 0 {
		name += " " + strconv.FormatInt(round+1, 10)
	}
	return name
}

// IsStandIn reports whether a name is one that StandIn made, or could have.
func IsStandIn(name string) bool {
	words := strings.Split(name, " ")
	if len(words) == 3 {
		if n, err := strconv.ParseInt(words[2], 10, 64); err != nil || n < 2 || words[2] != strconv.FormatInt(n, 10) {
			return false
		}
		words = words[:2]
	}
	return len(words) == 2 && slices.Contains(Crew, words[0]) && slices.Contains(stars, words[1])
}

// StandIns are all stand-ins without a number.
func StandIns() (out []string) {
	for n := range len(Crew) * len(stars) {
		out = append(out, StandIn(int64(n)))
	}
	return out
}

// Nameless reports whether a stand-in is shown for the player of a seat.
func (x *Seat) Nameless() bool { return x.Bot == "" && IsStandIn(x.Name) }

// FreeSeat returns the name for a place that no player has taken yet.
func FreeSeat(place int) string { return "Seat " + strconv.Itoa(place) }

// GameName is the name of a game that was given none: "Amber Comet". Games may share it.
func GameName(id string) string {
	h := fnv.New64a()
	h.Write([]byte(id))
	n := h.Sum64()
	return adjectives[n%uint64(len(adjectives))] + " " + nouns[n/uint64(len(adjectives))%uint64(len(nouns))]
}

// GivenName is the name that people gave a game, "" if they gave it none.
func (g *Game) GivenName() string {
	if g.Name == GameName(g.ID) {
		return ""
	}
	return g.Name
}

// GameCalled is the name of a game: its own, if it has one.
func GameCalled(id, name string) string {
	if id == "" {
		return name
	}
	return cmp.Or(name, GameName(id))
}
