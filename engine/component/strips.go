package component

import (
	"fmt"
	"math/bits"
	"strings"
)

// Bounds of "about 1.5 Ravager icons a side" (C1) over a set's 14 sides.
const (
	sides    = 2 * MaxStrips
	minIcons = sides
	maxIcons = 2 * sides
)

// maxOnHex bounds the Ravager icons of a hex.
const maxOnHex = 3

// readStrips reads the strips (C1): both sides of each (R1.4), five hexes, each
// asteroids or of a colour, with a comet or not and any Ravager icons (R5.5); of
// each colour there is a hex, or its Missions could never be placed. It is usual
// that a side has at most two hexes of a colour, of two exactly one with the
// comet, and no comet else; that a hex has one icon, a side about 1.5, asteroids
// none; and that ways lead through Space, see ways.
func readStrips(set *Set, t *table) {
	icons := 0
	colors := [None]int{}
	seen := t.tally(stripName)
	before := len(*t.ps)
	for _, e := range t.rows {
		n, ok := 0, false
		if len(e.key) == 2 {
			n, ok = number(e.key[0], "", MaxStrips)
			n = n*2 - 1
			if e.key[1] == "back" {
				n++
			} else {
				ok = ok && e.key[1] == "front"
			}
		}
		if !ok || n < 1 {
			t.fault(e.line, "%s: want a strip 1-7 and front or back", quote(e.key))
			continue
		}
		if !seen.once(e, n) || !t.want(e, Lanes, "hexes of lanes a to e") {
			continue
		}
		side := &set.Strips[(n-1)/2][(n-1)%2]
		for lane, words := range e.fields {
			if side[lane], ok = hexOf(words); !ok {
				t.fault(e.line, "strip %s, lane %c: %s: want asteroids or a colour, and comet, ravager or both", sideName(n-1), 'a'+lane, quote(words))
				continue
			}
			h := side[lane]
			if icons += int(h.Ravagers); h.Ravagers > 1 {
				t.warn(e.line, "strip %s, lane %c: %d Ravager icons on one hex", sideName(n-1), 'a'+lane, h.Ravagers)
			}
			if h.Color != None {
				colors[h.Color]++
			} else if h.Ravagers > 0 || h.Comet {
				t.warn(e.line, "strip %s, lane %c: asteroids with more on them; comets and Ravager icons usually go with a colour", sideName(n-1), 'a'+lane)
			}
		}
		checkComets(t, e, sideName(n-1), side)
	}
	if !seen.all(1, sides) || len(*t.ps) > before {
		return
	}
	for c, n := range colors {
		if n == 0 {
			t.missing("no hex of any strip is %v: no %v Mission could ever be placed", Color(c), Color(c))
		}
	}
	if icons < minIcons || icons > maxIcons {
		t.warn(t.last, "%d Ravager icons on %d sides; usually about 1.5 a side, %d to %d", icons, sides, minIcons, maxIcons)
	}
	if side, text := ways(&set.Strips); text != "" {
		t.warn(seen.lines[side+1], "strip %s: %s", sideName(side), text)
	}
}

// stripName is what Facts call side n, 1-14.
func stripName(n int) string { return "strip " + sideName(n-1) }

// sideName names side n, 0-13, as its line does.
func sideName(n int) string {
	return fmt.Sprintf("%d %s", n/2+1, [...]string{"front", "back"}[n%2])
}

func hexOf(words []string) (Hex, bool) {
	if len(words) == 0 {
		return Hex{}, false
	}
	c, ok := colorOf(words[0])
	h := Hex{Color: c}
	ok = ok || words[0] == "asteroids"
	for _, w := range words[1:] {
		switch {
		case w == "comet" && !h.Comet:
			h.Comet = true
		case w == "ravager" && h.Ravagers < maxOnHex:
			h.Ravagers++
		default:
			ok = false
		}
	}
	return h, ok
}

// checkComets warns unless a colour with two hexes on a side has one comet
// there, a colour with one hex none, and none has more than two.
func checkComets(t *table, e entry, name string, side *[Lanes]Hex) {
	for _, c := range Colors {
		hexes, comets := 0, 0
		for _, h := range side {
			if h.Color == c {
				hexes++
				if h.Comet {
					comets++
				}
			}
		}
		switch {
		case hexes > 2:
			t.warn(e.line, "strip %s: %d %v hexes; usually a colour has at most two a side", name, hexes, c)
		case hexes == 2 && comets != 1:
			t.warn(e.line, "strip %s: of two %v hexes usually exactly one has the comet, not %d", name, c, comets)
		case hexes < 2 && comets > 0:
			t.warn(e.line, "strip %s: a comet on the only %v hex; usually it is where a colour has two", name, c)
		}
	}
}

// ways looks for a fault that blocks Space on any board that play can show: seven strips,
// or five of them, in any order and with any side up; an advance (R6.4c) keeps that so. No
// wall of asteroids may cut the board: from the Black Angel, whose own hex does not stop a
// ship (R5.5), a way leads to every hex that is not asteroids. And each colour must be
// there. It returns a side at fault (0-13) and why, or "".
//
// If waysByThrees can prove a set right, ways stops there; otherwise it tries all boards,
// which takes a moment and is exact.
func ways(strips *[MaxStrips][2][Lanes]Hex) (side int, text string) {
	var rows [sides]row
	for i := range rows {
		rows[i] = rowOf(&strips[i/2][i%2])
		if rows[i].free == 0 {
			return i, "a wall of asteroids from edge to edge"
		}
	}
	if waysByThrees(&rows) {
		return 0, ""
	}
	for _, n := range [...]int{5, 7} {
		if side, text := waysByBoards(&rows, n); text != "" {
			return side, text
		}
	}
	return 0, ""
}

// A row is a side's hexes as sets of lanes.
type row struct {
	free  uint64       // not asteroids
	color [None]uint64 // hexes of each colour
}

func rowOf(side *[Lanes]Hex) (r row) {
	for lane, h := range side {
		if h.Color != None {
			r.free |= 1 << lane
			r.color[h.Color] |= 1 << lane
		}
	}
	return r
}

// waysByThrees is a sufficient condition for ways that checks three strips at a time.
// Suppose that
//
//   - no side is all asteroids,
//   - the free hexes of any three sides of different strips, in a row, are all connected
//     within these three strips,
//   - and a Black Angel on the tip of the middle strip is on or next to one of them.
//
// Three adjacent strips touch one another in the same way at any place; every strip of a
// board belongs to three adjacent ones; and two threes that overlap share a strip, which
// has a free hex. So all free hexes of any board are connected, and also with the Black
// Angel, who has a strip on either side. It remains to check that each colour is there:
// fewer than five strips have a side that lacks it.
func waysByThrees(rows *[sides]row) bool {
	for c := range None {
		lacking := 0
		for s := 0; s < sides; s += 2 {
			if rows[s].color[c] == 0 || rows[s+1].color[c] == 0 {
				lacking++
			}
		}
		if lacking >= 5 {
			return false
		}
	}
	three := BoardOf(3)
	const angel = 1 << (Lanes + Tip)
	for i, a := range rows {
		if a.free == 0 {
			return false
		}
		for j, b := range rows {
			for k, c := range rows {
				if i/2 == j/2 || i/2 == k/2 || j/2 == k/2 {
					continue
				}
				free := a.free | b.free<<Lanes | c.free<<(2*Lanes)
				if free&^three.Flood(free&-free, free) != 0 || three.Flood(angel, free)&free == 0 {
					return false
				}
			}
		}
	}
	return true
}

// waysByBoards tries every board of n strips: 80,640 of five, 645,120 of seven.
func waysByBoards(rows *[sides]row, n int) (side int, text string) {
	board := BoardOf(n)
	angel := uint64(1) << (n/2*Lanes + Tip)
	var lie [MaxStrips]int // sides by position
	var try func(pos int, used uint, free uint64, color *[None]uint64) bool
	try = func(pos int, used uint, free uint64, color *[None]uint64) bool {
		if pos == n {
			side, text = verdict(lie[:n], free&^board.Flood(angel, free), color)
			return text == ""
		}
		for i := range rows {
			if used>>(i/2)&1 == 1 {
				continue
			}
			lie[pos] = i
			next := *color
			for c := range next {
				next[c] |= rows[i].color[c]
			}
			if !try(pos+1, used|1<<(i/2), free|rows[i].free<<(pos*Lanes), &next) {
				return false
			}
		}
		return true
	}
	try(0, 0, 0, &[None]uint64{})
	return side, text
}

// verdict judges one board by the free hexes that cannot be reached on it and
// by its colours.
func verdict(lie []int, lost uint64, color *[None]uint64) (side int, text string) {
	if lost != 0 {
		at := bits.TrailingZeros64(lost)
		return lie[at/Lanes], fmt.Sprintf("asteroids cut lane %c off when the strips lie %s", 'a'+at%Lanes, orderText(lie))
	}
	for c, hexes := range color {
		if hexes == 0 {
			return lie[0], fmt.Sprintf("there is no %v hex when the strips lie %s", Color(c), orderText(lie))
		}
	}
	return 0, ""
}

func orderText(lie []int) string {
	names := make([]string, len(lie))
	for i, side := range lie {
		names[i] = sideName(side)
	}
	return strings.Join(names, ", ")
}
