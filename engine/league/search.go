package league

import (
	"fmt"
	"slices"
)

// maxSwaps bounds the search for a schedule where no design is known.
const maxSwaps = 300000

// search returns the best schedule found of n players, k at a table, each in r games, where
// n·r is a multiple of k: any two meet as equally often as possible. It exchanges players
// of two tables if that makes the schedule no worse, and now and then even if it does.
func search(n, k, r int, work *purse) [][]int {
	draw := drawing(fmt.Appendf(nil, "search %d %d %d", n, k, r))
	blocks := make([][]int, n*r/k)
	for i := range n * r { // rows of everyone, cut into tables
		blocks[i/k] = append(blocks[i/k], i%n)
	}
	meet := make([]int, n*n)
	count := func(x, y, by int) {
		meet[x*n+y] += by
		meet[y*n+x] += by
	}
	for _, block := range blocks {
		for i, x := range block {
			for _, y := range block[:i] {
				count(x, y, 1)
			}
		}
	}
	// The sum of the squares of all meetings is least when they are most equal.
	now := 0
	for x := range n {
		for y := range x {
			now += meet[x*n+y] * meet[x*n+y]
		}
	}
	pairs, all := n*(n-1)/2, len(blocks)*k*(k-1)/2
	q := all / pairs
	least := (pairs-all%pairs)*q*q + all%pairs*(q+1)*(q+1)
	best, fewest := make([][]int, len(blocks)), now
	for i, block := range blocks {
		best[i] = slices.Clone(block)
	}
	for range maxSwaps {
		if fewest == least || !work.spend(4*k) {
			break
		}
		a, b := blocks[draw.below(len(blocks))], blocks[draw.below(len(blocks))]
		i, j := draw.below(k), draw.below(k)
		x, y := a[i], b[j]
		if slices.Contains(a, y) || slices.Contains(b, x) {
			continue
		}
		change := 0 // x leaves z and y comes to it, or the other way round
		for _, z := range a {
			if z != x && !slices.Contains(b, z) {
				change += 1 - 2*meet[x*n+z] + 1 + 2*meet[y*n+z]
			}
		}
		for _, z := range b {
			if z != y && !slices.Contains(a, z) {
				change += 1 - 2*meet[y*n+z] + 1 + 2*meet[x*n+z]
			}
		}
		if change > 4 || change > 0 && draw.below(1<<(4*change)) != 0 {
			continue
		}
		for _, z := range a {
			if z != x {
				count(x, z, -1)
				count(y, z, 1)
			}
		}
		for _, z := range b {
			if z != y {
				count(y, z, -1)
				count(x, z, 1)
			}
		}
		a[i], b[j] = y, x
		if now += change; now < fewest {
			fewest = now
			for i, block := range blocks {
				best[i] = append(best[i][:0], block...)
			}
		}
	}
	return best
}
