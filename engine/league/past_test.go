package league

import "testing"

// TestCorrectedBehindTheNextRound: a correction of a match whose winner has gone on
// does not change which players have gone on, begins no game, and takes nothing from
// the overall winner.
func TestCorrectedBehindTheNextRound(t *testing.T) {
	for _, end := range []bool{false, true} {
		g := league(t, "kind: knockout\nbest of: 3", 4)
		g.due()
		for g.s.Season().Round == 1 {
			for _, f := range g.s.Fixtures {
				if f.Game != "" && !f.Over() {
					g.must(Line{Kind: Played, Game: f.Game, Seats: stronger(f.Players)})
				}
			}
			g.due()
		}
		if end {
			g.season(stronger)
		}
		f := g.s.Fixture(2)
		upset := stronger(f.Players)
		upset[0].Place, upset[1].Place = upset[1].Place, upset[0].Place
		g.must(Line{Kind: Ruled, Ruling: Correct, Game: f.Game, Seats: upset})
		if third := g.s.Fixture(3); !third.Unneeded {
			t.Errorf("ended %v: the third game of a match of the first round is to be played: %+v", end, third)
		}
		if !end {
			acts, _ := g.s.Due(g.now)
			for _, a := range acts {
				if a.Fixture != nil && a.Fixture.Round == 1 {
					t.Errorf("a game of the first round begins: %+v", a)
				}
			}
			g.season(stronger)
		}
		same(t, "order", g.order(1, 1)[:2], 1, 2)
	}
}
