package draw

import (
	"strconv"
	"strings"

	"angelpost/engine"
)

// hexWidth is how many letters a hex of Map takes; strips of five hexes stand side by
// side.
const hexWidth = 9

// stripsAbreast is how many strips fit into Columns, with the lanes' indent and the last
// edge: Space shows seven.
const stripsAbreast = (Columns - 1 - 8) / hexWidth

// indents of the lanes a to e: a hex touches the two it overlaps in the lane above and
// the two in the lane below.
var indents = [5]int{8, 4, 0, 4, 8}

// Map draws Space in letters, one or two lines to a lane: the hexes' names with what is printed
// there (o, g and n for the colours, ## asteroids, * a comet if Hal plays, ! a Ravager icon), and
// below them Mission cards with their owners' seats ("045/2") and ships (">13": one of
// seat 1, one of seat 3). No line begins with a bar, and none is longer than Columns.
func Map(v *engine.View) string {
	var b strings.Builder
	for from := 0; from < len(v.Strips); from += stripsAbreast {
		strips := v.Strips[from:min(from+stripsAbreast, len(v.Strips))]
		for lane := range indents {
			for _, row := range []struct {
				edge  string
				write func(*engine.View, *engine.HexView) string
			}{{"/", printed}, {"\\", lying}} {
				line := strings.Repeat(" ", indents[lane])
				for i := range strips {
					line += row.edge + pad(row.write(v, &strips[i].Hexes[lane]))
				}
				if row.edge == "/" {
					line += row.edge
				} else if strings.Trim(line, ` \`) == "" {
					continue // the lane is empty
				}
				b.WriteString(strings.TrimRight(line, " "))
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

// pad cuts or fills s to the inside of a hex.
func pad(s string) string {
	if len(s) >= hexWidth {
		return s[:hexWidth-1]
	}
	return s + strings.Repeat(" ", hexWidth-1-len(s))
}

// printed is a hex's name and what is printed on it.
func printed(v *engine.View, h *engine.HexView) string {
	s := h.At.String() + " "
	switch {
	case h.Spes:
		return s + "SPES"
	case h.Asteroid:
		s += "##"
	case h.Color <= engine.Green:
		s += [...]string{"o", "g", "n"}[h.Color]
	}
	if h.Comet && v.Options.Hal != engine.NoHal { // it is Hal's alone (R15.10)
		s += "*"
	}
	return s + strings.Repeat("!", h.Icons)
}

// lying returns what is on a hex.
func lying(v *engine.View, h *engine.HexView) string {
	s := ""
	switch {
	case h.At != v.BlackAngel:
	case h.Card == 0 && len(h.Ships) == 0:
		return "ANGEL"
	default:
		s = "A "
	}
	if h.Card != 0 {
		s += h.Card.String() + "/" + strconv.Itoa(int(h.Owner))
	}
	if len(h.Ships) > 0 {
		s += ">"
	}
	for _, seat := range h.Ships {
		s += strconv.Itoa(int(seat))
	}
	if len(s) >= hexWidth {
		s = s[:hexWidth-2] + "+" // the words below the map have them all
	}
	return s
}

// Touching are the hexes in sight that touch one, by lane and strip (rule C1).
func Touching(v *engine.View, at engine.Hex) (out []engine.Hex) {
	for i := range v.Strips {
		for lane := range v.Strips[i].Hexes {
			if h := v.Strips[i].Hexes[lane].At; touch(at, h) {
				out = append(out, h)
			}
		}
	}
	return out
}

// touch reports whether two hexes have an edge in common.
func touch(a, b engine.Hex) bool {
	x := func(h engine.Hex) int { return 2*h.Strip() + max(h.Lane()-2, 2-h.Lane()) } // in half hexes
	switch a.Lane() - b.Lane() {
	case 0:
		return x(a)-x(b) == 2 || x(b)-x(a) == 2
	case 1, -1:
		return x(a)-x(b) == 1 || x(b)-x(a) == 1
	}
	return false
}
