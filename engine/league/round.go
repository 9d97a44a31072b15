package league

import (
	"fmt"
	"slices"
)

// pairRound returns the tables of the next round of the running season.
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
		for _, p := range s.here(d) {
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

// A history records which players of a division have met, and which seats they had.
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

// seat orders the players of a table so that each gets the seat they have had least.
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

// alike returns how often two players have had the same seats: the lower, the easier it is
// to give both a different seat now.
func (h history) alike(p, q int64, k int) (sum int) {
	a, b := h.seated(p), h.seated(q)
	na, nb := 0, 0
	for i := range MaxTable {
		na, nb = na+a[i], nb+b[i]
	}
	for i := range k {
		sum += (k*a[i] - na) * (k*b[i] - nb)
	}
	return sum
}

// pairSwiss returns the tables of a Swiss round: players who have met before meet
// again only where it cannot be helped; next, players with like points meet. Players
// left over sit out or play at a smaller table, those first who did so least. In the
// first round the first of each part of the list meet.
func (s *State) pairSwiss(d *Division, r *Rules, round int) (tables [][]int64) {
	p := &pairing{history: newHistory(d), k: r.Table, group: map[int64]int{}}
	rows := slices.DeleteFunc(s.Standings(d.Season, d.N), func(row Standing) bool { return row.Left || s.Player(row.Player).Silent() })
	for i, row := range rows {
		if i > 0 {
			p.group[row.Player] = p.group[rows[i-1].Player]
			if row.Points.Value.Cmp(rows[i-1].Points.Value) != 0 {
				p.group[row.Player]++
			}
		}
		p.list = append(p.list, row.Player)
	}
	k, n := min(r.Table, len(p.list)), len(p.list)
	left := n % k
	smaller := 0
	switch {
	case left > 0 && r.Leftover == "smaller" && k > 2 && n >= (k-left)*(k-1):
		smaller = k - left // tables of one fewer
	case left == 1 || r.Leftover == "bye":
		for _, x := range p.aside(left) {
			tables = append(tables, []int64{x})
		}
	case left > 1: // too few to make others' tables smaller
		p.sizes = append(p.sizes, left)
	}
	for range smaller {
		p.sizes = append(p.sizes, k-1)
	}
	for sum(p.sizes) < len(p.list) {
		p.sizes = append(p.sizes, k)
	}
	slices.SortFunc(p.sizes, func(a, b int) int { return b - a })
	if round == 1 {
		p.fold()
	} else {
		p.improve(drawing(fmt.Appendf(nil, "swiss %d %d %d", n, k, round)))
	}
	return append(p.tables(p.list), tables...)
}

func sum(n []int) (all int) {
	for _, x := range n {
		all += x
	}
	return all
}

// A pairing is a round of a Swiss tournament while it is made.
type pairing struct {
	history
	k     int
	list  []int64       // by points, and then by tables
	group map[int64]int // players with equally many points, from 0, the most points
	sizes []int         // of tables
}

// aside takes n players out of the list, those who sat out least, of them the
// last.
func (p *pairing) aside(n int) (out []int64) {
	for range n {
		at := len(p.list) - 1
		for i := at; i >= 0; i-- {
			if p.byes[p.list[i]] < p.byes[p.list[at]] {
				at = i
			}
		}
		out = append(out, p.list[at])
		p.list = slices.Delete(p.list, at, at+1)
	}
	return out
}

// tables cuts a list into tables.
func (p *pairing) tables(list []int64) (tables [][]int64) {
	for _, n := range p.sizes {
		tables = append(tables, list[:n:n])
		list = list[n:]
	}
	return tables
}

// fold deals the list out to the tables, from the top.
func (p *pairing) fold() {
	tables := make([][]int64, len(p.sizes))
	i := 0
	for _, x := range p.list {
		for len(tables[i]) == p.sizes[i] {
			i = (i + 1) % len(tables)
		}
		tables[i] = append(tables[i], x)
		i = (i + 1) % len(tables)
	}
	p.list = slices.Concat(tables...)
}

// Bounds of the search for a round's tables.
const (
	maxPairing = 200000 // exchanges tried
	pairTries  = 6      // beginnings
)

// The costs of a round: two players meet again, a player is at a smaller table again, two
// have different points, two have had the same seats.
const (
	again   = 1 << 24
	shorter = 1 << 18
	unlike  = 1 << 4
)

func (p *pairing) cost(x, y int64) int {
	apart, n := p.group[x]-p.group[y], p.met[pair(x, y)]
	return again*n*n + unlike*apart*apart + p.alike(x, y, p.k)
}

// improve exchanges players of two tables as long as that makes the round no
// worse, from several beginnings, and keeps the best.
func (p *pairing) improve(draw *numbersFrom) {
	n := len(p.list)
	begins, ends := make([]int, n), make([]int, n) // of the table of each place
	at := 0
	for _, size := range p.sizes {
		for i := at; i < at+size; i++ {
			begins[i], ends[i] = at, at+size
		}
		at += size
	}
	list := slices.Clone(p.list)
	with := func(i int, x int64) (cost int) { // x in place i
		for j := begins[i]; j < ends[i]; j++ {
			if j != i {
				cost += p.cost(x, list[j])
			}
		}
		if ends[i]-begins[i] < p.k {
			cost += shorter * (2*p.small[x] + 1)
		}
		return cost
	}
	best := -1
	for try := range pairTries {
		if try > 0 {
			list = slices.Clone(p.list)
			for i := n - 1; i > 0; i-- {
				j := draw.below(i + 1)
				list[i], list[j] = list[j], list[i]
			}
		}
		for range min(maxPairing, 2000*n) / pairTries {
			i, j := draw.below(n), draw.below(n)
			if draw.below(4) > 0 { // mostly near each other
				j = max(0, min(n-1, i+draw.below(6*p.k+1)-3*p.k))
			}
			if begins[i] == begins[j] {
				continue
			}
			x, y := list[i], list[j]
			if with(i, y)+with(j, x) <= with(i, x)+with(j, y) {
				list[i], list[j] = y, x
			}
		}
		all := 0
		for i, x := range list {
			all += with(i, x)
		}
		if best < 0 || all < best {
			best = all
			copy(p.list, list)
		}
		if all < again { // no one meets again
			break
		}
	}
}
