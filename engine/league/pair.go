package league

import (
	"fmt"
	"slices"
)

// A Design is how equal a schedule is.
type Design struct {
	Games    Range // of a player
	Meetings Range // of two players
	Seats    Range // of a player in one seat
	Rounds   int   // in which everyone plays once at most
	Exact    bool  // everyone has equally many games and meets everyone equally often
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
		size, d.Rounds = max(size, len(f.Players)), max(d.Rounds, f.Round)
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
	d.Exact = d.Games.Min == d.Games.Max && d.Meetings.Min == d.Meetings.Max
	return d
}

// A table is a table of a schedule: players by number, in seat order.
type table struct {
	round   int
	players []int
}

// schedule returns the tables of n players, k at each, everyone in r games or as few more
// as make all tables full: the best schedule found with so much work. It is the same for
// the same numbers.
func schedule(n, k, r int, work *purse) []table {
	for n*r%k != 0 {
		r++
	}
	var blocks [][]int
	var of []int // the round of each
	draw := drawing(fmt.Appendf(nil, "rounds %d %d %d", n, k, r))
	if k == 2 {
		blocks, of = circle(n, r, work)
	} else {
		quarter := work.left / 4
		work.part(quarter, func(p *purse) { blocks = develop(n, k, r, p) })
		if blocks == nil {
			work.part(quarter, func(p *purse) { blocks = search(n, k, r, p) })
		}
		of = rounds(blocks, n, work, draw)
		blocks = seated(blocks, n, k)
	}
	tables := make([]table, len(blocks))
	for i, b := range blocks {
		tables[i] = table{of[i], b}
	}
	slices.SortStableFunc(tables, func(a, b table) int { return a.round - b.round })
	return tables
}

// circle returns r games of each of n players at tables of two, in rounds: one player stays
// and the others go round (the circle method). In a second cycle the seats are exchanged.
func circle(n, r int, work *purse) (blocks [][]int, of []int) {
	once, in := turn(n, n-1, work)
	length := in[len(in)-1]
	round := 0
	add := func(turn [][]int, in []int) {
		for i := range turn {
			blocks, of = append(blocks, turn[i]), append(of, round+in[i])
		}
		round += in[len(in)-1]
	}
	paired := seated(once, n, 2)
	for ; r >= 2*(n-1); r -= 2 * (n - 1) {
		back := make([][]int, len(paired))
		for i, b := range paired {
			back[i] = []int{b[1], b[0]}
		}
		add(paired, in)
		add(back, in)
	}
	var rest [][]int
	var rounds []int
	if r >= n-1 {
		rest, rounds = once, in
		r -= n - 1
	}
	if behind := len(rest) > 0; r > 0 {
		part, in := turn(n, r, work)
		for i := range part {
			at := in[i]
			if behind { // behind a whole one
				at += length
			}
			rest, rounds = append(rest[:len(rest):len(rest)], part[i]), append(rounds[:len(rounds):len(rounds)], at)
		}
	}
	if len(rest) > 0 {
		add(seated(rest, n, 2), rounds)
	}
	return blocks, of
}

// turn returns r games of each of n players, fewer than n, in rounds. If the number of
// players is odd, each sits out now and then.
func turn(n, r int, work *purse) (blocks [][]int, of []int) {
	if n%2 == 1 && r < n-1 {
		return around(n, r, work)
	}
	m := n + n%2 // with a player who is not there
	for i := range r + n%2 {
		for j := range m / 2 {
			a, b := (i+j)%(m-1), (i-j+m-1)%(m-1)
			if j == 0 {
				b = m - 1
			}
			if b < n {
				blocks, of = append(blocks, []int{a, b}), append(of, i+1)
			}
		}
	}
	return blocks, of
}

// around returns r games, an even number, of each of n players, an odd one: each
// meets the r/2 nearest on either side.
func around(n, r int, work *purse) (blocks [][]int, of []int) {
	for by := 1; by <= r/2; by++ {
		for a := range n {
			blocks = append(blocks, []int{a, (a + by) % n})
		}
	}
	return blocks, rounds(blocks, n, work, drawing(fmt.Appendf(nil, "around %d %d", n, r)))
}

// schedules returns those of divisions of these sizes, by size.
func (r *Rules) schedules(sizes []int) map[int][]table {
	known := map[int][]table{}
	for _, n := range sizes {
		known[n] = nil
	}
	work := sizeWork(len(known))
	for n := range known {
		k, games := min(r.Table, n), r.Games
		if k < 2 {
			continue
		}
		if games == 0 {
			games = (r.Meetings*(n-1) + k - 2) / (k - 1)
		}
		games = min(games, MaxGames) // the lowest division may be larger than the file says
		known[n] = schedule(n, k, games, &purse{work})
	}
	return known
}

// seat puts players into a schedule, in this order.
func seat(players []int64, schedule []table) (tables []Pairing) {
	for _, t := range schedule {
		p := Pairing{Round: t.round}
		for _, i := range t.players {
			p.Players = append(p.Players, players[i])
		}
		tables = append(tables, p)
	}
	return tables
}
