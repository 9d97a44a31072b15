package sim

import (
	"slices"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
)

// A Report is what games of one or several setups show about the game: the file
// that sim -report writes. Everything in it follows from set, seed and setups.
type Report struct {
	Schema  int       `json:"schema"`
	Seed    string    `json:"seed"` // of the runs: game i has Seed(seed, i)
	Set     string    `json:"set"`
	SetHash string    `json:"set_hash"`
	Whole   bool      `json:"whole"` // all games asked for have been played
	Runs    []Figures `json:"runs"`
	Unused  []Unused  `json:"unused"` // in no run
}

// NewReport puts the figures of several setups together; all play one set.
func NewReport(set *component.Set, seed string, whole bool, runs []Figures) *Report {
	r := &Report{Schema: game.Schema, Seed: seed, Set: set.Name, SetHash: set.Hash, Whole: whole, Runs: runs, Unused: []Unused{}}
	for _, f := range runs {
		for _, u := range f.Unused {
			if !slices.Contains(r.Unused, u) && !slices.ContainsFunc(runs, u.used) {
				r.Unused = append(r.Unused, u)
			}
		}
	}
	return r
}

// Figures are what the games of one setup came to. VP are final VP; Hal, solo,
// is seat 2.
type Figures struct {
	Players int      `json:"players"`
	Rules   string   `json:"rules"`
	Edition string   `json:"edition"`
	Hal     string   `json:"hal,omitempty"`
	Bots    []string `json:"bots"` // by seat; none where people played
	Wanted  int      `json:"wanted"`
	Games   int      `json:"games"`

	Endings   []Ending         `json:"endings"`
	Rounds    Spread           `json:"rounds"`
	Turns     Spread           `json:"turns"`
	Decisions Spread           `json:"decisions"` // steps chosen among two or more
	Seats     []SeatFigures    `json:"seats"`
	Places    []Spread         `json:"places"`   // VP of the first, the second and so on
	Lead      Spread           `json:"lead"`     // first before second; solo: player before Hal
	Gap       Spread           `json:"gap"`      // first before last
	Openings  []Opening        `json:"openings"` // the commonest first
	Uses      map[string][]Use `json:"uses"`     // by group
	Unused    []Unused         `json:"unused"`   // what the rules of these games know and no one used
}

// An Ending is how many games ended so.
type Ending struct {
	Ending string `json:"ending"`
	Games  int    `json:"games"`
	Rate
}

// SeatFigures are how a seat fared.
type SeatFigures struct {
	Seat int                `json:"seat"`
	Bot  string             `json:"bot,omitempty"` // of a run's own
	Win  Rate               `json:"win"`           // a victory shared by n counts 1/n
	VP   Spread             `json:"vp"`
	By   map[string]float64 `json:"by"` // mean VP a game by source
}

// An Opening is what players did in their first turn, or in their first two or three: the
// location at which they acted, "mission" for one acted on in Space, "B" or
// "pass". Hal has none.
type Opening struct {
	Moves []string `json:"moves"`
	Times int      `json:"times"`
	Win   Rate     `json:"win"` // of players who opened so
	VP    float64  `json:"vp"`  // mean final VP of players who opened so
	// Games are the ids of a few games in which someone did, the last added first.
	Games []string `json:"games,omitempty"`
}

// A Use is a thing and how often it came into play, by way.
type Use struct {
	Thing string         `json:"thing"`
	Times map[string]int `json:"times"`
}

// Unused is a thing that never came into play in a way it should.
type Unused struct {
	Group string `json:"group"`
	Thing string `json:"thing"`
	Way   string `json:"way"`
}

// used reports whether a run's games used it after all.
func (u Unused) used(f Figures) bool {
	return slices.ContainsFunc(f.Uses[u.Group], func(use Use) bool { return use.Thing == u.Thing && use.Times[u.Way] > 0 })
}

// Figures returns those of the games added so far; wanted is the total to simulate.
func (s *Series) Figures(wanted int) Figures {
	o := s.su.Options
	f := Figures{
		Players: o.Players, Rules: o.Rules, Edition: o.Edition, Hal: o.Hal, Bots: s.su.Bots, Wanted: wanted, Games: s.n.Games,
		Rounds: s.n.Rounds.spread(), Turns: s.n.Turns.spread(), Decisions: s.n.Decisions.spread(),
		Lead: s.n.Lead.spread(), Gap: s.n.Gap.spread(), Openings: s.n.openings(), Uses: map[string][]Use{}, Unused: []Unused{},
	}
	for _, e := range []engine.Ending{engine.BySpes, engine.ByRavagers} {
		n := s.n.Endings[e.String()]
		f.Endings = append(f.Endings, Ending{e.String(), n, RateOf(float64(n), s.n.Games)})
	}
	for i := range s.n.VP {
		seat := SeatFigures{Seat: i + 1, Win: RateOf(float64(s.n.Wins[i])/12, s.n.Games), VP: s.n.VP[i].spread(), By: map[string]float64{}}
		if i < len(s.su.Bots) {
			seat.Bot = s.su.Bots[i]
		} else if i >= o.Players {
			seat.Bot = "hal " + o.Hal
		}
		for source, sum := range s.n.By[i] {
			seat.By[source] = hundredths(float64(sum) / float64(s.n.Games))
		}
		f.Seats = append(f.Seats, seat)
		f.Places = append(f.Places, s.n.Places[i].spread())
	}
	for g := range groups {
		s.figures(g, &f)
	}
	return f
}

// figures adds a group's counts, if these games have anything of it.
func (s *Series) figures(g int, f *Figures) {
	var uses []Use
	for thing := range groups[g].things {
		u := Use{Thing: groups[g].thing(s.su.Set, thing), Times: map[string]int{}}
		for way, name := range groups[g].ways {
			if !s.su.has(g, thing, way) {
				continue
			}
			n := *s.n.Uses.at(g, thing, way)
			u.Times[name] = n
			if n == 0 && s.n.Games > 0 && s.su.wants(g, thing, way) {
				f.Unused = append(f.Unused, Unused{groups[g].name, u.Thing, name})
			}
		}
		if len(u.Times) > 0 {
			uses = append(uses, u)
		}
	}
	if uses != nil {
		f.Uses[groups[g].name] = uses
	}
}
