package league

import (
	"math/bits"
	"slices"
)

// Bounds of the search for few rounds.
const (
	maxClasses  = 50000 // steps of the search for rounds in which everyone plays
	maxRounding = 6000  // tables put into rounds, all tries together
)

// rounds puts tables into rounds in which everyone plays once at most, as few
// as were found, and tells the round of each from 1.
func rounds(blocks [][]int, n int, work *purse, draw *numbersFrom) []int {
	var of []int
	work.part(work.left/2, func(p *purse) { of = resolve(blocks, n, p) })
	if of != nil {
		return of
	}
	var best []int
	fewest := len(blocks) + 1
	left := make([]int, n) // games of each player
	for range max(2, maxRounding/max(1, len(blocks))) {
		if best != nil && work.left < 0 {
			break
		}
		clear(left)
		for _, b := range blocks {
			for _, x := range b {
				left[x]++
			}
		}
		order := make([]int, len(blocks))
		for i := range order {
			order[i] = i
		}
		for i := len(order) - 1; i > 0; i-- {
			j := draw.below(i + 1)
			order[i], order[j] = order[j], order[i]
		}
		of, done, round := make([]int, len(blocks)), 0, 0
		for done < len(blocks) && round < fewest {
			round++
			work.spend(roundWork(blocks))
			// Tables of those with most games to come go first.
			need := func(b int) (sum int) {
				for _, x := range blocks[b] {
					sum += left[x] * left[x]
				}
				return sum
			}
			slices.SortStableFunc(order, func(a, b int) int { return need(b) - need(a) })
			busy := make([]bool, n)
			for _, b := range order {
				if of[b] != 0 || slices.ContainsFunc(blocks[b], func(x int) bool { return busy[x] }) {
					continue
				}
				of[b] = round
				done++
				for _, x := range blocks[b] {
					busy[x] = true
					left[x]--
				}
			}
		}
		if done == len(blocks) && round < fewest {
			best, fewest = of, round
		}
	}
	return best
}

// roundWork is what one round of a try costs: its tables are sorted by what their
// players need.
func roundWork(blocks [][]int) int {
	if len(blocks) == 0 {
		return 0
	}
	return 2 * len(blocks) * len(blocks[0]) * bits.Len(uint(len(blocks)))
}

// resolve puts tables into rounds in which everyone plays, nil if it finds none.
func resolve(blocks [][]int, n int, work *purse) []int {
	if len(blocks) == 0 || n%len(blocks[0]) != 0 || n > 64 {
		return nil
	}
	of, steps := make([]int, len(blocks)), 0
	var from func(round, done int, busy uint64) bool
	from = func(round, done int, busy uint64) bool {
		if done == len(blocks) {
			return true
		}
		if busy == 1<<n-1 {
			round, busy = round+1, 0
		}
		if steps++; steps > maxClasses || !work.spend(len(blocks)*len(blocks[0])) {
			return false
		}
		// The first player who does not sit yet must; in a new round, the first
		// table that is left.
		first := 0
		for busy&(1<<first) != 0 {
			first++
		}
		for b, block := range blocks {
			if of[b] != 0 || busy != 0 && !slices.Contains(block, first) {
				continue
			}
			with := busy
			for _, x := range block {
				with |= 1 << x
			}
			if busy&mask(block) == 0 {
				of[b] = round
				if from(round, done+1, with) {
					return true
				}
				of[b] = 0
			}
			if busy == 0 {
				return false // it has to be in some round
			}
		}
		return false
	}
	if from(1, 0, 0) {
		return of
	}
	return nil
}

func mask(block []int) (m uint64) {
	for _, x := range block {
		m |= 1 << x
	}
	return m
}
