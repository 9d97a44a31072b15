package league

import (
	"fmt"
	"reflect"
	"testing"
)

// counted is a schedule counted from nothing: the fewest and the most games of a
// player, meetings of two players and games of a player in one seat, and that
// no one plays twice in a round.
func counted(t *testing.T, tables []table, n, k int) (games, meet, seats Range) {
	t.Helper()
	played, sat, met := map[int]int{}, map[[2]int]int{}, map[[2]int]int{}
	in := map[[2]int]bool{}
	for _, x := range tables {
		if len(x.players) != k {
			t.Fatalf("a table of %d", len(x.players))
		}
		for seat, p := range x.players {
			if p < 0 || p >= n || in[[2]int{x.round, p}] {
				t.Fatalf("player %d in round %d", p, x.round)
			}
			in[[2]int{x.round, p}] = true
			played[p]++
			sat[[2]int{p, seat}]++
			for _, q := range x.players {
				if p < q {
					met[[2]int{p, q}]++
				}
			}
		}
	}
	games, meet, seats = Range{1 << 30, 0}, Range{1 << 30, 0}, Range{1 << 30, 0}
	note := func(r *Range, n int) { *r = Range{min(r.Min, n), max(r.Max, n)} }
	for p := range n {
		note(&games, played[p])
		for seat := range k {
			note(&seats, sat[[2]int{p, seat}])
		}
		for q := p + 1; q < n; q++ {
			note(&meet, met[[2]int{p, q}])
		}
	}
	return games, meet, seats
}

// whole is what the schedule of one size may cost.
func whole() *purse { return &purse{tableWork} }

// Where a design is known, any two meet equally often, all play equally
// often, and seats differ by no more than they have to. Planes: 7/3, 9/3, 13/4,
// 16/4, 25/3 and /4, 31/3, 49/4; of fewer players the complement of one (7/4).
func TestDesigns(t *testing.T) {
	for _, c := range []struct{ n, k, games, meet int }{
		{4, 3, 3, 2}, {5, 3, 6, 3}, {6, 3, 5, 2}, {7, 3, 3, 1}, {8, 3, 21, 6}, {9, 3, 4, 1}, {10, 3, 9, 2}, {12, 3, 11, 2}, {13, 3, 6, 1},
		{15, 3, 7, 1}, {19, 3, 9, 1}, {21, 3, 10, 1}, {25, 3, 12, 1}, {27, 3, 13, 1}, {31, 3, 15, 1},
		{5, 4, 4, 3}, {6, 4, 10, 6}, {7, 4, 4, 2}, {8, 4, 7, 3}, {9, 4, 8, 3}, {10, 4, 6, 2}, {11, 4, 20, 6}, {12, 4, 11, 3}, {13, 4, 4, 1},
		{14, 4, 26, 6}, {15, 4, 28, 6}, {16, 4, 5, 1}, {19, 4, 12, 2}, {22, 4, 14, 2}, {25, 4, 8, 1}, {28, 4, 9, 1}, {37, 4, 12, 1}, {40, 4, 13, 1},
		{7, 4, 8, 4}, {13, 4, 8, 2}, {7, 3, 9, 3}, // several times
		{6, 2, 5, 1}, {7, 2, 6, 1}, {8, 2, 14, 2}, {9, 2, 16, 2}, {40, 2, 39, 1},
	} {
		t.Run(fmt.Sprintf("%d players, tables of %d", c.n, c.k), func(t *testing.T) {
			tables := schedule(c.n, c.k, c.games, whole())
			games, meet, seats := counted(t, tables, c.n, c.k)
			if games != (Range{c.games, c.games}) || meet != (Range{c.meet, c.meet}) {
				t.Errorf("games %v, meetings %v", games, meet)
			}
			if seats.Min < c.games/c.k || seats.Max > (c.games+c.k-1)/c.k {
				t.Errorf("seats %v of %d games", seats, c.games)
			}
			if !reflect.DeepEqual(tables, schedule(c.n, c.k, c.games, whole())) {
				t.Error("made anew it is another")
			}
		})
	}
}

// These are played in rounds in which every player has a game: affine planes, Kirkman's
// schoolgirls, the unital of 28.
func TestRoundsOfEverybody(t *testing.T) {
	for _, c := range []struct{ n, k, r int }{{9, 3, 4}, {15, 3, 7}, {16, 4, 5}, {28, 4, 9}, {8, 4, 7}, {8, 2, 7}, {40, 2, 39}} {
		tables := schedule(c.n, c.k, c.r, whole())
		if last := tables[len(tables)-1].round; last != c.r {
			t.Errorf("%v: %d rounds", c, last)
		}
	}
}

// Of any size, all players play equally often, each seat as often as any other or
// once more, and meets no two others more unequally than the figures that are
// known here.
func TestSchedules(t *testing.T) {
	apart := map[int]int{}
	for n := 2; n <= 14; n++ {
		for k := 2; k <= min(n, MaxTable); k++ {
			for r := 1; r <= 8; r++ {
				tables := schedule(n, k, r, whole())
				games, meet, seats := counted(t, tables, n, k)
				if games.Min != games.Max || games.Min < r || games.Min >= r+k {
					t.Errorf("%d players, tables of %d, %d games: %v games", n, k, r, games)
				}
				if seats.Min < games.Min/k || seats.Max > (games.Max+k-1)/k {
					t.Errorf("%d players, tables of %d, %d games: seats %v", n, k, games.Min, seats)
				}
				apart[meet.Max-meet.Min]++
			}
		}
	}
	t.Log("schedules by how many meetings of two players differ:", apart)
	if apart[3] > 0 || apart[2] > 10 || apart[0] < 60 {
		t.Error(apart)
	}
}

// A file of many players costs a moment.
func BenchmarkSchedule(b *testing.B) {
	for _, c := range []struct{ n, k, r int }{{7, 4, 4}, {13, 4, 4}, {14, 4, 6}, {30, 4, 10}, {60, 4, 20}, {60, 4, 60}, {60, 2, 59}} {
		b.Run(fmt.Sprintf("%d-%d-%d", c.n, c.k, c.r), func(b *testing.B) {
			for b.Loop() {
				schedule(c.n, c.k, c.r, whole())
			}
		})
	}
}
