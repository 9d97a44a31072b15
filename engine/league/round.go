package league

import (
	"cmp"
	"fmt"
	"slices"
)

// pairRound are the tables of the next round of the season that runs.
func (s *State) pairRound() []Pairing {
	x := s.running()
	r, d, round := x.Rules, &x.Divisions[0], x.Round+1
	var tables [][]int64
	switch r.Kind {
	case Swiss:
		tables = s.pairSwiss(d, r, round)
	case Knockout:
		return s.pairKnockout(d, r, round)
	case Ladder:
		tables = s.pairLadder(d, r.Table, round, r.AtOnce)
	case Solo:
		for _, p := range d.In() {
			tables = append(tables, []int64{p})
		}
	}
	h := newHistory(d)
	out := []Pairing{}
	for _, t := range tables {
		out = append(out, Pairing{Round: round, Players: h.seat(t)})
	}
	return out
}

// A history is who met whom in a division and who sat where.
type history struct {
	met   map[[2]int64]int // the lower number first
	seats map[int64]*[MaxTable]int
	byes  map[int64]int
	small map[int64]int // games at tables that were not full
}

func newHistory(d *Division) history {
	h := history{map[[2]int64]int{}, map[int64]*[MaxTable]int{}, map[int64]int{}, map[int64]int{}}
	full := 0
	for _, f := range d.Fixtures {
		full = max(full, len(f.seats))
	}
	for _, f := range d.Fixtures {
		for i, p := range f.Players {
			if f.Bye {
				h.byes[p]++
				continue
			}
			if len(f.seats) < full {
				h.small[p]++
			}
			h.seated(p)[i]++
			for _, q := range f.Players[:i] {
				h.met[pair(p, q)]++
			}
		}
	}
	return h
}

func pair(p, q int64) [2]int64 { return [2]int64{min(p, q), max(p, q)} }

func (h history) seated(p int64) *[MaxTable]int {
	if h.seats[p] == nil {
		h.seats[p] = new([MaxTable]int)
	}
	return h.seats[p]
}

// seat puts the players of a table into the order in which they have sat least.
func (h history) seat(players []int64) []int64 {
	var best []int64
	least := -1
	var try func(order, rest []int64, cost int)
	try = func(order, rest []int64, cost int) {
		if len(rest) == 0 && (least < 0 || cost < least) {
			best, least = slices.Clone(order), cost
		}
		for i, p := range rest {
			n := h.seated(p)[len(order)]
			try(append(order, p), slices.Concat(rest[:i], rest[i+1:]), cost+2*n+1)
		}
	}
	try(nil, players, 0)
	return best
}

// A group of players with equally many points is a number from 0, the most
// points first.

// pairSwiss are the tables of a Swiss round: who has met before meets again only
// where it cannot be helped, and then players with like points meet. Who is left
// over sits out or plays at a smaller table: those who did so least, the last
// among them. In the first round the first of each part of the list meet.
func (s *State) pairSwiss(d *Division, r *Rules, round int) (tables [][]int64) {
	h := newHistory(d)
	rows := slices.DeleteFunc(s.Standings(d.Season, d.N), func(row Standing) bool { return row.Left })
	group := map[int64]int{}
	for i, row := range rows {
		if i > 0 {
			group[row.Player] = group[rows[i-1].Player]
			if row.Points.Value.Cmp(rows[i-1].Points.Value) != 0 {
				group[row.Player]++
			}
		}
	}
	var in []int64
	for _, row := range rows {
		in = append(in, row.Player)
	}
	// aside takes n players out of the list, those who were taken least, the last
	// of them first.
	aside := func(n int, taken map[int64]int) (out []int64) {
		for range n {
			at := len(in) - 1
			for i := at; i >= 0; i-- {
				if taken[in[i]] < taken[in[at]] {
					at = i
				}
			}
			out = append(out, in[at])
			in = slices.Delete(in, at, at+1)
		}
		return out
	}
	k := min(r.Table, len(in))
	left := len(in) % k
	short := 0 // smaller tables
	if left > 0 && r.Leftover == "smaller" && k > 2 && len(in) >= (k-left)*(k-1) {
		short = k - left
	} else if left == 1 || r.Leftover == "bye" || k == 2 {
		for _, p := range aside(left, h.byes) {
			tables = append(tables, []int64{p})
		}
		left = 0
	}
	var last []int64 // they play at smaller tables
	switch {
	case short > 0:
		last = aside(short*(k-1), h.small)
	case left > 0: // two or three who are too few to make others' tables smaller
		last = aside(left, h.small)
	}
	slices.Reverse(last)
	var out [][]int64
	add := func(list []int64, size int) {
		if round == 1 {
			n := len(list) / size
			for i := range n {
				var t []int64
				for j := range size {
					t = append(t, list[j*n+i])
				}
				out = append(out, t)
			}
			return
		}
		out = append(out, swiss(list, size, h, group, round)...)
	}
	add(in, k)
	if len(last) > 0 {
		add(last, cmp.Or(map[bool]int{true: k - 1}[short > 0], left))
	}
	return append(out, tables...)
}

// maxPairing bounds the search for a round's tables.
const maxPairing = 200000

// swiss cuts a list into tables of size players and exchanges players of two
// tables as long as that makes it better.
func swiss(list []int64, size int, h history, group map[int64]int, round int) [][]int64 {
	const again = 1 << 20 // what a meeting costs that was before
	cost := func(p, q int64) int {
		apart := group[p] - group[q]
		n := h.met[pair(p, q)]
		return again*n*n + apart*apart
	}
	list = slices.Clone(list)
	n := len(list)
	of := func(i int) int { return i - i%size } // where the table of i begins
	with := func(i int, p int64, but int) (sum int) {
		for j := of(i); j < of(i)+size; j++ {
			if j != but {
				sum += cost(p, list[j])
			}
		}
		return sum
	}
	draw := drawing(fmt.Appendf(nil, "swiss %d %d %d", n, size, round))
	if n <= size {
		return [][]int64{list}
	}
	for range min(maxPairing, 4000*n) {
		i := draw.below(n)
		// Mostly near each other: the list is in order of points.
		j := i + draw.below(6*size+1) - 3*size
		if draw.below(8) == 0 {
			j = draw.below(n)
		}
		if j < 0 || j >= n || of(i) == of(j) {
			continue
		}
		p, q := list[i], list[j]
		if with(i, q, i)+with(j, p, j) <= with(i, p, i)+with(j, q, j) {
			list[i], list[j] = q, p
		}
	}
	var tables [][]int64
	for i := 0; i < n; i += size {
		tables = append(tables, list[i:i+size:i+size])
	}
	return tables
}
