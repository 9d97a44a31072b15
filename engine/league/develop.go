package league

import (
	"fmt"
	"slices"
)

// We search for a block design in which any two of n players meet equally often as follows.
// A group has order n, or n-1 and one player that it fixes. We take a few base blocks and
// add each element of the group to them. The planes over small fields, cyclic Steiner
// systems and difference families are such designs. The base blocks are right if every
// difference of two elements occurs equally often.

// An orbit is a base block and the blocks it generates.
type orbit struct {
	fixed bool  // the player that the group fixes is in all of its blocks
	h     int   // order of the subgroup it is a union of cosets of: it has |G|/h blocks
	size  int   // of base
	base  []int // the other players of a block
}

const (
	maxShapes = 60     // combinations of orbits tried with one group
	maxClimb  = 20000  // steps of the search for one of them
	maxClimbs = 600000 // and for a design in all
)

// develop is a design of n players, k in a block, each in r blocks, in which any
// two meet equally often; nil if none was found.
func develop(n, k, r int, work *purse) [][]int {
	if r*(k-1)%(n-1) != 0 || n*r%k != 0 {
		return nil
	}
	meet := r * (k - 1) / (n - 1)
	for times := meet; times > 1; times-- { // a smaller one several times
		if meet%times == 0 && r%times == 0 {
			if once := develop1(n, k, r/times, work); once != nil {
				var blocks [][]int
				for range times {
					blocks = append(blocks, once...)
				}
				return blocks
			}
		}
	}
	return develop1(n, k, r, work)
}

func develop1(n, k, r int, work *purse) [][]int {
	if r*(k-1)%(n-1) != 0 || n*r%k != 0 {
		return nil
	}
	draw, left := drawing(fmt.Appendf(nil, "design %d %d %d", n, k, r)), maxClimbs
	for _, fixed := range []bool{false, true} {
		order := n
		if fixed {
			order--
		}
		for _, g := range groups(order) {
			for _, orbits := range shapes(g, k, r, fixed) {
				steps, found := g.climb(orbits, r*(k-1)/(n-1), min(maxClimb, left), draw, work)
				if found {
					return g.blocks(orbits)
				}
				left -= steps
			}
		}
	}
	return nil
}

// shapes returns the kinds of orbits that could make a design.
func shapes(g *group, k, r int, fixed bool) [][]orbit {
	var kinds []orbit
	for h := 1; h <= k; h++ {
		if g.n%h != 0 || len(g.subgroups(h)) == 0 {
			continue
		}
		if k%h == 0 {
			kinds = append(kinds, orbit{h: h, size: k})
		}
		if fixed && (k-1)%h == 0 {
			kinds = append(kinds, orbit{fixed: true, h: h, size: k - 1})
		}
	}
	var all [][]orbit
	var with func(i, r, still int, have []orbit)
	with = func(i, r, still int, have []orbit) {
		if r == 0 && still == 0 {
			all = append(all, append([]orbit{}, have...))
			return
		}
		if i == len(kinds) || len(all) >= maxShapes {
			return
		}
		x := kinds[i]
		games, his := k/x.h, 0
		if x.fixed {
			games, his = (k-1)/x.h, g.n/x.h
		}
		most := r / games
		if his > 0 {
			most = min(most, still/his)
		}
		for many := most; many >= 0; many-- {
			next := have
			for range many {
				next = append(next[:len(next):len(next)], x)
			}
			with(i+1, r-many*games, still-many*his, next)
		}
	}
	still := 0
	if fixed {
		still = r
	}
	with(0, r, still, nil)
	return all
}

// unit is the denominator of counts, so that every 1/h is whole.
const unit = 12

// climb searches for base blocks in which every difference occurs meet times. It returns
// how many steps it took.
func (g *group) climb(orbits []orbit, meet, most int, draw *numbersFrom, work *purse) (steps int, found bool) {
	count, now := make([]int, g.n), 0
	add := func(x *orbit, sign int) {
		w := sign * unit / x.h
		for i, a := range x.base {
			for j, b := range x.base {
				if i != j { // now is the sum of the squares of what is too much or too little
					d := g.minus(a, b)
					now += w * (2*(count[d]-unit*meet) + w)
					count[d] += w
				}
			}
		}
	}
	var was []int
	for ; steps < most; steps++ {
		if steps%2000 == 0 { // restart
			clear(count)
			now = (g.n - 1) * unit * meet * unit * meet
			for i := range orbits {
				g.draw(&orbits[i], draw)
				add(&orbits[i], 1)
			}
		}
		if now == 0 {
			return steps, true
		}
		x, before := &orbits[draw.below(len(orbits))], now
		if !work.spend(3 * x.size * x.size) {
			return steps, false
		}
		was = append(was[:0], x.base...)
		add(x, -1)
		if x.h == 1 {
			x.base[draw.below(len(x.base))] = g.outside(x.base, draw)
		} else {
			g.draw(x, draw)
		}
		add(x, 1)
		if now > before {
			add(x, -1)
			x.base = append(x.base[:0], was...)
			add(x, 1)
		}
	}
	return steps, false
}

// outside draws an element that is not in a block.
func (g *group) outside(block []int, draw *numbersFrom) int {
	for {
		x := draw.below(g.n)
		in := false
		for _, y := range block {
			in = in || x == y
		}
		if !in {
			return x
		}
	}
}

// draw draws a new base block for an orbit.
func (g *group) draw(x *orbit, draw *numbersFrom) {
	x.base = x.base[:0]
	if x.h == 1 {
		for len(x.base) < x.size {
			x.base = append(x.base, g.outside(x.base, draw))
		}
		return
	}
	all := g.subgroups(x.h)
	h := all[draw.below(len(all))]
	for len(x.base) < x.size {
		by := g.outside(x.base, draw)
		for _, a := range h {
			x.base = append(x.base, g.plus[a][by])
		}
	}
}

// blocks returns the blocks of orbits. The player that the group fixes is number g.n.
func (g *group) blocks(orbits []orbit) (blocks [][]int) {
	for _, x := range orbits {
		seen := map[string]bool{}
		for by := range g.n {
			block := make([]int, 0, MaxTable)
			for _, a := range x.base {
				block = append(block, g.plus[a][by])
			}
			if x.fixed {
				block = append(block, g.n)
			}
			if x.h > 1 { // the same comes h times
				key := fmt.Sprint(slices.Sorted(slices.Values(block)))
				if seen[key] {
					continue
				}
				seen[key] = true
			}
			blocks = append(blocks, block)
		}
	}
	return blocks
}
