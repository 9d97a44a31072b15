package league_test

import (
	"flag"
	"fmt"
	"testing"

	"angelpost/engine/league"
	"angelpost/engine/league/scorer"
)

var soak = flag.Int("seasons", 2, "simulated leagues of each kind and number of players")

// TestSeasons plays leagues of all kinds with players who never come, leave, are replaced
// and return, and directors and clocks that change what was: every season ends, nothing
// unfair stands in any table, and the tables are those of the second scorer.
func TestSeasons(t *testing.T) {
	for _, kind := range []string{"divisions", "swiss", "knockout", "ladder", "solo"} {
		for _, n := range []int{4, 5, 7, 12, 24, 60} {
			t.Run(fmt.Sprintf("%s-%d", kind, n), func(t *testing.T) {
				t.Parallel()
				games, idle := 0, 0
				for seed := range *soak {
					steps := 0
					s := league.Simulate(t, kind, n, uint64(seed), func(s *league.State) {
						for p, games := range s.Busy() {
							if games > s.Season().Rules.AtOnce {
								t.Fatalf("player %d plays %d games at once", p, games)
							}
						}
						if steps++; steps%(10*n) == 0 {
							scorer.Fair(t, s)
							scorer.Compare(t, s)
						}
					})
					scorer.Fair(t, s)
					scorer.Compare(t, s)
					for _, f := range s.Fixtures {
						for _, o := range s.Outcomes(f) {
							if games++; !o.Counts {
								idle++
							}
						}
					}
				}
				if games < n || idle == 0 && games > 60 {
					t.Errorf("%d seats played, %d of them by bots: too few to show anything", games, idle)
				}
			})
		}
	}
}
