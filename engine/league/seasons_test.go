package league_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"angelpost/engine/league"
	"angelpost/engine/league/scorer"
)

var soak = flag.Int("seasons", 2, "simulated leagues of each kind and number of players")

// TestSeasons plays leagues of all kinds, of 4 to 60 players, who never come, leave, are
// replaced and return, and directors and clocks that change what was: every season ends, no
// one plays more games at once than the file allows, nothing unfair stands in any table, and
// the tables are those of the second scorer.
func TestSeasons(t *testing.T) {
	for _, kind := range []string{"divisions", "swiss", "knockout", "ladder", "solo"} {
		for _, n := range []int{4, 5, 7, 12, 24, 60, 0} {
			name := fmt.Sprintf("%s-%d", kind, n)
			if n == 0 {
				name = kind + "-any"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				games, idle, players := 0, 0, 0
				for seed := range *soak {
					n, steps := n, 0
					if n == 0 {
						n = 4 + rand.New(rand.NewPCG(uint64(seed), uint64(len(kind)))).IntN(57)
					}
					s, log := league.Simulate(t, kind, n, uint64(seed), func(s *league.State) {
						scorer.AtOnce(t, s)
						x := s.Season() // or between two seasons, where it says who goes up and down
						if steps++; steps%(10*n) == 0 || x != nil && !x.Running() {
							scorer.Fair(t, s)
							scorer.Years(t, s)
							scorer.Compare(t, s)
						}
					})
					scorer.Fair(t, s)
					scorer.Years(t, s)
					scorer.Compare(t, s)
					scorer.Order(t, s, log)
					players = max(players, n)
					for _, f := range s.Fixtures {
						for _, o := range s.Outcomes(f) {
							if games++; !o.Counts {
								idle++
							}
						}
					}
				}
				if games < players || idle == 0 && games > 60 {
					t.Errorf("%d seats played, %d of them by bots: too few to show anything", games, idle)
				}
			})
		}
	}
}
