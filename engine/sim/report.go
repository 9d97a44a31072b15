package sim

import (
	"cmp"
	"slices"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/match"
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
	r := &Report{Schema: match.Schema, Seed: seed, Set: set.Name, SetHash: set.Hash, Whole: whole, Runs: runs, Unused: []Unused{}}
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
	Bots    []string `json:"bots"` // by seat
	Wanted  int      `json:"wanted"`
	Games   int      `json:"games"`

	Endings   []Ending         `json:"endings"`
	Rounds    Spread           `json:"rounds"`
	Turns     Spread           `json:"turns"`
	Decisions Spread           `json:"decisions"` // steps chosen among two or more
	Seats     []SeatFigures    `json:"seats"`
	Places    []Spread         `json:"places"` // VP of the first, the second and so on
	Lead      Spread           `json:"lead"`   // first before second; solo: player before Hal
	Gap       Spread           `json:"gap"`    // first before last
	Uses      map[string][]Use `json:"uses"`   // by group
	Unused    []Unused         `json:"unused"` // what the rules of these games know and nobody used
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
	Bot  string             `json:"bot"`
	Win  Rate               `json:"win"` // a victory shared by n counts 1/n
	VP   Spread             `json:"vp"`
	By   map[string]float64 `json:"by"` // mean VP a game by source
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

// used tells whether a run's games used it after all.
func (u Unused) used(f Figures) bool {
	return slices.ContainsFunc(f.Uses[u.Group], func(use Use) bool { return use.Thing == u.Thing && use.Times[u.Way] > 0 })
}

// A Series adds up the games of one setup. What it holds does not grow with
// their number, and does not depend on their order.
type Series struct {
	su                       Setup
	games                    int
	endings                  map[string]int
	rounds, turns, decisions dist
	vp, places               []dist
	lead, gap                dist
	wins                     []int // twelfths
	by                       []map[string]int
	uses                     tally
}

// Series starts a series of no games.
func (su Setup) Series() *Series {
	s := &Series{su: su, endings: map[string]int{}, rounds: dist{}, turns: dist{}, decisions: dist{}, lead: dist{}, gap: dist{}, uses: newTally()}
	for range max(su.Options.Players, 2) { // one against Hal
		s.vp, s.places, s.wins = append(s.vp, dist{}), append(s.places, dist{}), append(s.wins, 0)
		s.by = append(s.by, map[string]int{})
	}
	return s
}

// Games counts the games added.
func (s *Series) Games() int { return s.games }

// Add adds a game of the setup's.
func (s *Series) Add(r *Result) {
	s.games++
	s.endings[r.Ending]++
	s.rounds[r.Rounds]++
	s.turns[r.Turns]++
	s.decisions[r.Decisions]++
	vp := make([]int, 0, 4)
	for i, score := range r.Scores {
		vp = append(vp, *score.Final)
		s.vp[i][*score.Final]++
		for source, n := range score.By {
			s.by[i][source] += n
		}
	}
	for _, w := range r.Winners {
		s.wins[w-1] += 12 / len(r.Winners)
	}
	if s.su.Options.Players == 1 {
		s.lead[vp[0]-vp[1]]++
	}
	slices.SortFunc(vp, func(a, b int) int { return cmp.Compare(b, a) })
	for i, n := range vp {
		s.places[i][n]++
	}
	if s.su.Options.Players > 1 {
		s.lead[vp[0]-vp[1]]++
	}
	s.gap[vp[0]-vp[len(vp)-1]]++
	s.uses.sum(r.uses)
}

// Figures are those of the games added so far; wanted is how many it shall be.
func (s *Series) Figures(wanted int) Figures {
	o := s.su.Options
	f := Figures{
		Players: o.Players, Rules: o.Rules, Edition: o.Edition, Hal: o.Hal, Bots: s.su.Bots, Wanted: wanted, Games: s.games,
		Rounds: s.rounds.spread(), Turns: s.turns.spread(), Decisions: s.decisions.spread(),
		Lead: s.lead.spread(), Gap: s.gap.spread(), Uses: map[string][]Use{}, Unused: []Unused{},
	}
	for _, e := range []engine.Ending{engine.BySpes, engine.ByRavagers} {
		n := s.endings[e.String()]
		f.Endings = append(f.Endings, Ending{e.String(), n, RateOf(float64(n), s.games)})
	}
	for i := range s.vp {
		seat := SeatFigures{Seat: i + 1, Win: RateOf(float64(s.wins[i])/12, s.games), VP: s.vp[i].spread(), By: map[string]float64{}}
		if i < len(s.su.Bots) {
			seat.Bot = s.su.Bots[i]
		} else {
			seat.Bot = "hal " + o.Hal
		}
		for source, sum := range s.by[i] {
			seat.By[source] = hundredths(float64(sum) / float64(s.games))
		}
		f.Seats = append(f.Seats, seat)
		f.Places = append(f.Places, s.places[i].spread())
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
			n := *s.uses.at(g, thing, way)
			u.Times[name] = n
			if n == 0 && s.games > 0 && s.su.wants(g, thing, way) {
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
