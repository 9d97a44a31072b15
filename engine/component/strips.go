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

// readStrips reads the strips (C1): both sides of each; a hex is asteroids or
// a colour, at most two of a colour a side, of two exactly one with the comet
// and no other hex with one; at most one Ravager icon a hex, on coloured hexes
// only, about 1.5 a side; and the ways through Space, see ways.
func readStrips(set *Set, t *table) {
	icons := 0
	seen := t.tally(func(n int) string { return "strip " + sideName(n-1) })
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
				t.fault(e.line, "strip %s, lane %c: %s: want asteroids, or a colour with comet, ravager or both", sideName(n-1), 'a'+lane, quote(words))
			}
			icons += int(side[lane].Ravagers)
		}
		checkComets(t, e, sideName(n-1), side)
	}
	if !seen.all(1, sides) || len(*t.ps) > before {
		return
	}
	if icons < minIcons || icons > maxIcons {
		t.missing("%d Ravager icons on %d sides: want about 1.5 a side, %d to %d", icons, sides, minIcons, maxIcons)
	}
	if side, text := ways(&set.Strips); text != "" {
		t.fault(seen.lines[side+1], "strip %s: %s", sideName(side), text)
	}
}

// sideName names side n, 0-13, as its line does.
func sideName(n int) string {
	return fmt.Sprintf("%d %s", n/2+1, [...]string{"front", "back"}[n%2])
}

func hexOf(words []string) (Hex, bool) {
	if len(words) == 0 {
		return Hex{}, false
	}
	if words[0] == "asteroids" {
		return Hex{Color: None}, len(words) == 1
	}
	c, ok := colorOf(words[0])
	h := Hex{Color: c}
	for _, w := range words[1:] {
		switch {
		case w == "comet" && !h.Comet:
			h.Comet = true
		case w == "ravager" && h.Ravagers == 0:
			h.Ravagers = 1
		default:
			ok = false
		}
	}
	return h, ok
}

// checkComets checks that a colour with two hexes on a side has one comet
// there, a colour with one hex none, and that none has more than two.
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
			t.fault(e.line, "strip %s: %d %v hexes; a colour has at most two a side", name, hexes, c)
		case hexes == 2 && comets != 1:
			t.fault(e.line, "strip %s: of two %v hexes exactly one has the comet, not %d", name, c, comets)
		case hexes < 2 && comets > 0:
			t.fault(e.line, "strip %s: a comet on the only %v hex; it belongs where a colour has two", name, c)
		}
	}
}

// ways checks the last constraint of C1 for every board that play can show:
// seven strips, or five of them, in any order and with any side up, which an
// advance (R6.4c) keeps it. On each a way of hexes that are not asteroids leads
// from the Black Angel, whose own hex does not stop a ship (R5.5), to the
// nearest and to the furthest strip and to each colour. It returns a side at
// fault (0-13) and why, or "".
//
// A set in which waysByThrees can show it at once is not looked at further;
// otherwise all boards are tried, which takes a moment and is exact.
func ways(strips *[MaxStrips][2][Lanes]Hex) (side int, text string) {
	if waysByThrees(strips) {
		return 0, ""
	}
	for _, n := range [...]int{5, 7} {
		if side, text := waysByBoards(strips, n); text != "" {
			return side, text
		}
	}
	return 0, ""
}

// A row is a side's hexes as sets of lanes.
type row struct {
	free  uint64       // not asteroids
	spine uint64       // the longest run of free hexes, the first of equals
	color [None]uint64 // hexes of each colour
}

func rowOf(side *[Lanes]Hex) (r row) {
	var run uint64
	for lane, h := range side {
		if h.Color == None {
			run = 0
			continue
		}
		bit := uint64(1) << lane
		run |= bit
		r.free |= bit
		r.color[h.Color] |= bit
		if bits.OnesCount64(run) > bits.OnesCount64(r.spine) {
			r.spine = run
		}
	}
	return r
}

// waysByThrees is a sufficient condition for ways, looking at three strips at a
// time. Suppose that for all sides A, B, C of three different strips, lying
// behind one another, the spines of all three are connected by the free hexes
// of these three strips alone, and that a Black Angel on B's tip touches them.
// Three strips touch one another in the same way wherever they lie, and any
// two threes that follow upon each other share two spines; so on any board all
// spines are connected, and the Black Angel, who has a strip before and behind
// her, with them. What remains is that each colour occurs on some spine: that
// is so if fewer than five strips have a side whose spine lacks it.
func waysByThrees(strips *[MaxStrips][2][Lanes]Hex) bool {
	var rows [sides]row
	var lacking [None]int
	for s := range strips {
		for up := range strips[s] {
			rows[2*s+up] = rowOf(&strips[s][up])
		}
		for c := range lacking {
			if rows[2*s].color[c]&rows[2*s].spine == 0 || rows[2*s+1].color[c]&rows[2*s+1].spine == 0 {
				lacking[c]++
			}
		}
	}
	for _, n := range lacking {
		if n >= 5 {
			return false
		}
	}
	three := BoardOf(3)
	const angel = 1 << (Lanes + Tip)
	for i, a := range rows {
		for j, b := range rows {
			for k, c := range rows {
				if i/2 == j/2 || i/2 == k/2 || j/2 == k/2 {
					continue
				}
				if a.spine == 0 || b.spine == 0 || c.spine == 0 {
					return false
				}
				free := a.free | b.free<<Lanes | c.free<<(2*Lanes)
				spines := a.spine | b.spine<<Lanes | c.spine<<(2*Lanes)
				if spines&^three.Flood(angel, free) != 0 {
					return false
				}
			}
		}
	}
	return true
}

// waysByBoards tries every board of n strips: 80,640 of five, 645,120 of seven.
func waysByBoards(strips *[MaxStrips][2][Lanes]Hex, n int) (side int, text string) {
	var rows [sides]row
	for i := range rows {
		rows[i] = rowOf(&strips[i/2][i%2])
	}
	board := BoardOf(n)
	angel := uint64(1) << (n/2*Lanes + Tip)
	var lie [MaxStrips]int // sides by position
	var try func(pos int, used uint, free uint64, color *[None]uint64) bool
	try = func(pos int, used uint, free uint64, color *[None]uint64) bool {
		if pos == n {
			side, text = verdict(n, lie[:n], board.Flood(angel, free), color)
			return text == ""
		}
		for i := range rows {
			if used>>(i/2)&1 == 1 {
				continue
			}
			lie[pos] = i
			next := *color
			for c := range next {
				next[c] |= rows[i].color[c] << (pos * Lanes)
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

// verdict judges one board by the hexes that can be reached on it.
func verdict(n int, lie []int, seen uint64, color *[None]uint64) (side int, text string) {
	const strip = 1<<Lanes - 1
	for out := range n/2 + 1 {
		for _, pos := range [...]int{n/2 - out, n/2 + out} {
			if seen>>(pos*Lanes)&strip == 0 {
				return lie[pos], "asteroids bar every way to it when the strips lie " + orderText(lie)
			}
		}
	}
	for c, hexes := range color {
		if hexes&seen == 0 {
			return lie[0], fmt.Sprintf("no %v hex can be reached when the strips lie %s", Color(c), orderText(lie))
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
