package league

// A group is a finite abelian group: 0 is its neutral element.
type group struct {
	n    int
	plus [][]int
	neg  []int
	subs map[int][][]int
}

// groups returns all abelian groups of order n, the cyclic one first.
func groups(n int) []*group {
	orders := [][]int{{}}
	rest := n
	for p := 2; rest > 1; p++ {
		e := 0
		for rest%p == 0 {
			rest /= p
			e++
		}
		if e == 0 {
			continue
		}
		var more [][]int
		for _, parts := range partitions(e, e) {
			for _, o := range orders {
				next := append([]int{}, o...)
				for _, part := range parts {
					q := 1
					for range part {
						q *= p
					}
					next = append(next, q)
				}
				more = append(more, next)
			}
		}
		orders = more
	}
	var all []*group
	for _, o := range orders {
		all = append(all, product(n, o))
	}
	return all
}

// partitions are the ways to write n as a sum of numbers up to most, that with
// the fewest first.
func partitions(n, most int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var all [][]int
	for first := min(n, most); first > 0; first-- {
		for _, rest := range partitions(n-first, first) {
			all = append(all, append([]int{first}, rest...))
		}
	}
	return all
}

// product returns the product of cyclic groups of these orders, of order n.
func product(n int, orders []int) *group {
	g := &group{n: n, plus: make([][]int, n), neg: make([]int, n), subs: map[int][][]int{}}
	for a := range n {
		g.plus[a] = make([]int, n)
		for b := range n {
			sum, unit, x, y := 0, 1, a, b
			for _, o := range orders {
				sum += unit * ((x%o + y%o) % o)
				unit, x, y = unit*o, x/o, y/o
			}
			g.plus[a][b] = sum
			if sum == 0 {
				g.neg[a] = b
			}
		}
	}
	return g
}

// minus is a - b.
func (g *group) minus(a, b int) int { return g.plus[a][g.neg[b]] }

// subgroups returns the subgroups of order h, each in a fixed order from 0.
func (g *group) subgroups(h int) [][]int {
	all, known := g.subs[h]
	if known {
		return all
	}
	defer func() { g.subs[h] = all }()
	seen := map[string]bool{}
	for a := range g.n {
		for b := a; b < g.n; b++ {
			in := make([]bool, g.n)
			list := []int{0}
			in[0] = true
			for i := 0; i < len(list) && len(list) <= h; i++ {
				for _, x := range []int{g.plus[list[i]][a], g.plus[list[i]][b]} {
					if !in[x] {
						in[x] = true
						list = append(list, x)
					}
				}
			}
			if len(list) != h {
				continue
			}
			key := make([]byte, g.n)
			for _, x := range list {
				key[x] = 1
			}
			if !seen[string(key)] {
				seen[string(key)] = true
				all = append(all, list)
			}
		}
	}
	return all
}
