package scorer

import (
	"cmp"
	"slices"
	"testing"

	"angelpost/engine/league"
)

// Years compares the page of all seasons with its own results: games won, head-to-head
// results, streaks, and the highest score. Bots' results count for no one.
func Years(t testing.TB, s *league.State) {
	t.Helper()
	var games []*league.Fixture
	for _, f := range s.Fixtures {
		if f.Result != nil && !f.Void && !f.Bye && f.Result.Ruling != league.Forfeit {
			games = append(games, f)
		}
	}
	slices.SortFunc(games, func(a, b *league.Fixture) int {
		return cmp.Or(a.Ended.Compare(b.Ended), cmp.Compare(a.ID, b.ID))
	})
	won, run, best := map[int64]int{}, map[int64]int{}, map[int64]int{}
	met := map[[2]int64]league.Pair{}
	highest := -1 << 30
	for _, f := range games {
		all := chairs(f)
		table{chairs: all}.ranked(false)
		for i, c := range all {
			if !c.came {
				continue
			}
			own := !c.idle && !c.left
			wins := own && c.place == 1
			if len(f.Players) == 1 {
				wins = own && f.Result.Seats[i].Score > f.Result.Seats[i].Hal
			}
			if run[c.who]++; !wins {
				run[c.who] = 0
			} else {
				won[c.who]++
			}
			best[c.who] = max(best[c.who], run[c.who])
			if own && f.Result.Ruling == "" {
				highest = max(highest, int(c.vp))
			}
			for _, o := range all {
				if !own || !o.came || o.idle || o.left || o.who <= c.who {
					continue
				}
				p := met[[2]int64{c.who, o.who}]
				if p.Games++; c.place < o.place {
					p.Ahead++
				} else if c.place > o.place {
					p.Behind++
				}
				met[[2]int64{c.who, o.who}] = p
			}
		}
	}
	for _, c := range s.AllTime(s.Standings) {
		if c.Won != won[c.Player.ID] {
			t.Fatalf("player %d has won %d games, want %d", c.Player.ID, c.Won, won[c.Player.ID])
		}
	}
	if n := 0; s.Rules.Kind != league.Solo {
		for _, p := range s.Pairs(0) {
			n++
			if w := met[[2]int64{p.A, p.B}]; p.Games != w.Games || p.Ahead != w.Ahead || p.Behind != w.Behind {
				t.Fatalf("%+v, want %+v", p, w)
			}
		}
		if n != len(met) {
			t.Fatalf("%d pairs have met, want %d", n, len(met))
		}
	}
	var runs []int
	for _, n := range best {
		if n > 1 {
			runs = append(runs, n)
		}
	}
	slices.SortFunc(runs, func(a, b int) int { return b - a })
	r := s.Records(0)
	for i, x := range r.Streaks {
		if x.Games != best[x.Player] || x.Games != runs[i] {
			t.Fatalf("streaks %+v, want %v", r.Streaks, runs)
		}
	}
	if len(r.Streaks) != min(len(runs), league.TopRecords) {
		t.Fatalf("%d streaks, want %v", len(r.Streaks), runs)
	}
	if (len(r.Highest) > 0) != (highest > -1<<30) || len(r.Highest) > 0 && r.Highest[0].Score != highest {
		t.Fatalf("the highest score is %+v, want %d", r.Highest, highest)
	}
}
