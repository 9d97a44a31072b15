package sim

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// A Series adds up the games of one setup. What it holds does not grow with
// their number, and does not depend on their order, but for the games that openings
// name. As JSON it is what a later process goes on from.
type Series struct {
	su Setup
	n  counts
}

// counts are what a Series holds.
type counts struct {
	Version   int               `json:"version"`
	Games     int               `json:"games"`
	Endings   map[string]int    `json:"endings"`
	Rounds    dist              `json:"rounds"`
	Turns     dist              `json:"turns"`
	Decisions dist              `json:"decisions"`
	VP        []dist            `json:"vp"`
	Places    []dist            `json:"places"`
	Lead      dist              `json:"lead"`
	Gap       dist              `json:"gap"`
	Wins      []int             `json:"wins"` // by seat, in twelfths
	By        []map[string]int  `json:"by"`
	Opened    map[string]opened `json:"opened"` // by moves
	Uses      tally             `json:"uses"`
}

// opened is how those fared who opened so.
type opened struct {
	N    int `json:"n"`
	Wins int `json:"wins"` // twelfths
	VP   int `json:"vp"`   // sum
	// Games are the last that were added and may be named.
	Games []string `json:"games,omitempty"`
}

// seriesVersion tells what older programs did not add up: before 2, third turns and games.
const seriesVersion = 2

// namedGames bounds the games that an opening names.
const namedGames = 3

// Older reports whether an older program added up less.
func (s *Series) Older() bool { return s.n.Version < seriesVersion }

// Series starts a series of no games.
func (su Setup) Series() *Series {
	s := &Series{su: su, n: counts{
		Version: seriesVersion,
		Endings: map[string]int{}, Rounds: dist{}, Turns: dist{}, Decisions: dist{}, Lead: dist{}, Gap: dist{},
		Opened: map[string]opened{}, Uses: newTally(),
	}}
	for range max(su.Options.Players, 2) { // one against Hal
		s.n.VP, s.n.Places, s.n.Wins = append(s.n.VP, dist{}), append(s.n.Places, dist{}), append(s.n.Wins, 0)
		s.n.By = append(s.n.By, map[string]int{})
	}
	return s
}

// MarshalJSON writes all that was added up.
func (s *Series) MarshalJSON() ([]byte, error) { return json.Marshal(s.n) }

// UnmarshalJSON reads what MarshalJSON wrote of a series of the same setup.
func (s *Series) UnmarshalJSON(b []byte) error {
	s.n.Version = 0
	return json.Unmarshal(b, &s.n)
}

// Games counts the games added.
func (s *Series) Games() int { return s.n.Games }

// Add adds a game of the setup's.
func (s *Series) Add(r *Result) {
	n := &s.n
	n.Games++
	n.Endings[r.Ending]++
	n.Rounds[r.Rounds]++
	n.Turns[r.Turns]++
	n.Decisions[r.Decisions]++
	vp := make([]int, 0, 4)
	for i, score := range r.Scores {
		vp = append(vp, *score.Final)
		n.VP[i][*score.Final]++
		for source, vp := range score.By {
			n.By[i][source] += vp
		}
	}
	wins := make([]int, len(vp))
	for _, w := range r.Winners {
		wins[w-1] = 12 / len(r.Winners)
		n.Wins[w-1] += wins[w-1]
	}
	for i, moves := range r.opening {
		for k := range moves {
			n.open(strings.Join(moves[:k+1], " "), wins[i], vp[i], r.Named)
		}
	}
	if s.su.Options.Players == 1 {
		n.Lead[vp[0]-vp[1]]++
	}
	slices.SortFunc(vp, func(a, b int) int { return cmp.Compare(b, a) })
	for i, v := range vp {
		n.Places[i][v]++
	}
	if s.su.Options.Players > 1 {
		n.Lead[vp[0]-vp[1]]++
	}
	n.Gap[vp[0]-vp[len(vp)-1]]++
	n.Uses.sum(r.uses)
}

func (n *counts) open(moves string, wins, vp int, game string) {
	o := n.Opened[moves]
	if game != "" && !slices.Contains(o.Games, game) { // two players may open alike
		o.Games = append([]string{game}, o.Games[:min(len(o.Games), namedGames-1)]...)
	}
	n.Opened[moves] = opened{o.N + 1, o.Wins + wins, o.VP + vp, o.Games}
}

// openings are the commonest first; among equals by name.
func (n *counts) openings() []Opening {
	out := make([]Opening, 0, len(n.Opened))
	for _, moves := range slices.Sorted(maps.Keys(n.Opened)) {
		o := n.Opened[moves]
		out = append(out, Opening{strings.Fields(moves), o.N, RateOf(float64(o.Wins)/12, o.N), hundredths(float64(o.VP) / float64(o.N)), o.Games})
	}
	slices.SortStableFunc(out, func(a, b Opening) int { return cmp.Compare(b.Times, a.Times) })
	return out
}
