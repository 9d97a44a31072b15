package component

import "math/bits"

// Space is a board of 5 or 7 strips, each a chevron of five hexes (C1). A hex
// is named by position*Lanes + lane: position 0 is the strip nearest the
// frigate board, lanes 0-4 are a-e, lane 2 the tip.
const (
	Lanes     = 5
	Tip       = 2
	MaxStrips = 7
	MaxHexes  = MaxStrips * Lanes
)

// A Board is the geometry of Space with a given number of strips. It is
// computed once and only read.
type Board struct {
	Mask [MaxHexes]uint64 // neighbours of each hex, bit n for hex n
}

// boards by number of strips; the rules play on 5 and 7 (R2.2).
var boards [MaxStrips + 1]*Board

func init() {
	for n := 1; n <= MaxStrips; n++ {
		boards[n] = newBoard(n)
	}
}

// BoardOf is the geometry of a board of n strips, 1 to MaxStrips. The rules
// play on 5 and 7 (R2.2); the check of C1 looks at three at a time.
func BoardOf(n int) *Board { return boards[n] }

func newBoard(n int) *Board {
	b := &Board{}
	for s := range n {
		for lane := range Lanes {
			b.Mask[s*Lanes+lane] = around(n, s, lane-Tip)
		}
	}
	return b
}

// around is the set of neighbours of strip s, lane p (-2 to 2), as C1 lists them.
func around(n, s, p int) uint64 {
	var m uint64
	add := func(s, p int) {
		if s >= 0 && s < n && p >= -Tip && p <= Tip {
			m |= 1 << (s*Lanes + p + Tip)
		}
	}
	add(s-1, p)
	add(s+1, p)
	if p == 0 {
		add(s, -1)
		add(s, 1)
		add(s-1, -1)
		add(s-1, 1)
		return m
	}
	d := 1
	if p < 0 {
		d = -1
	}
	add(s, p+d)
	add(s-1, p+d)
	add(s, p-d)
	add(s+1, p-d)
	return m
}

// Flood is the part of passable that can be reached from the set from, which
// is passable whatever passable says (R5.5: the Black Angel's hex), step by
// step from neighbour to neighbour.
func (b *Board) Flood(from, passable uint64) uint64 {
	seen := from
	for edge := from; edge != 0; {
		var next uint64
		for e := edge; e != 0; e &= e - 1 {
			next |= b.Mask[bits.TrailingZeros64(e)]
		}
		edge = next & passable &^ seen
		seen |= edge
	}
	return seen
}
