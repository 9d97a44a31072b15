package league

import "slices"

// A Design is how equal a schedule is.
type Design struct {
	Games    Range // of a player
	Meetings Range // of two players
	Seats    Range // of a player in each seat, at tables of the size most have
	Exact    bool  // all of these are equal
}

// A Range is from the least to the most.
type Range struct{ Min, Max int }

func (r *Range) add(n int, first bool) {
	if first {
		*r = Range{n, n}
	}
	r.Min, r.Max = min(r.Min, n), max(r.Max, n)
}

// measure counts a schedule.
func measure(players []int64, fixtures []*Fixture) (d Design) {
	if len(fixtures) == 0 {
		return d
	}
	size := 0
	for _, f := range fixtures {
		size = max(size, len(f.Players))
	}
	at := map[int64]int{}
	for i, p := range players {
		at[p] = i
	}
	n := len(players)
	games, seats, meet := make([]int, n), make([]int, n*size), make([]int, n*n)
	for _, f := range fixtures {
		for i, p := range f.Players {
			a, ok := at[p]
			if !ok {
				continue
			}
			games[a]++
			seats[a*size+i]++
			for _, q := range f.Players {
				if b, ok := at[q]; ok {
					meet[a*n+b]++
				}
			}
		}
	}
	for a := range n {
		d.Games.add(games[a], a == 0)
		for i := range size {
			d.Seats.add(seats[a*size+i], a == 0 && i == 0)
		}
		for b := range a {
			d.Meetings.add(meet[a*n+b], a == 1 && b == 0)
		}
	}
	d.Exact = d.Games.Min == d.Games.Max && d.Meetings.Min == d.Meetings.Max && d.Seats.Min == d.Seats.Max
	return d
}

// tables are the tables of a division.
func (r *Rules) tables(players []int64) []Pairing {
	n, k := len(players), min(r.Table, len(players))
	if k < 2 {
		return nil
	}
	games := r.Games
	if games == 0 {
		games = (r.Meetings*(n-1) + k - 2) / (k - 1)
	}
	for n*games%k != 0 {
		games++
	}
	var tables []Pairing
	for i := range n * games / k { // provisional
		t := Pairing{Round: i + 1}
		for j := range k {
			t.Players = append(t.Players, players[(i*k+j)%n])
		}
		tables = append(tables, t)
	}
	return slices.Clip(tables)
}
