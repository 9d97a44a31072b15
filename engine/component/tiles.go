package component

import "fmt"

var effectNames = [...]string{"ta", "tb", "tc", "td"}

// readTechnology reads the Technology and starting tiles (C3): every number
// once; in each colour, whose sixteen tiles stand together, each effect with
// each boost once; B1 names one of the colour's two actions, each on two
// tiles. That the known tile exists, "green die counts as 3" over 1 VP (green
// Ta B2), follows.
func readTechnology(set *Set, t *table) {
	const each = Tiles / 3
	var pairs [None][4][5]int     // line by colour, effect, boost
	var b1 [None][Command + 1]int // B1 tiles by colour and action
	seen := t.tally(tileName)
	for _, e := range t.rows {
		n, ok := number(e.key[0], "t", Tiles)
		start := false
		if !ok {
			n, ok = number(e.key[0], "s", 3)
			start, n = true, n+Tiles
		}
		if !ok || n == 0 || start && n == Tiles || len(e.key) != 1 {
			t.fault(e.line, "%s: want a tile number t1-t48 or s1-s3", quote(e.key))
			continue
		}
		if !seen.once(e, n) {
			continue
		}
		if start {
			readStart(set, t, e, n)
			continue
		}
		if !t.want(e, 2, "colour and effect, boost") {
			continue
		}
		c := Color((n - 1) / each)
		tile, ok := Tile{Color: c}, false
		if words := e.fields[0]; len(words) == 2 && words[0] == c.String() {
			for i, name := range effectNames {
				if words[1] == name {
					tile.Effect, ok = uint8(i), true
				}
			}
		}
		if !ok {
			t.fault(e.line, "%s: %s: want %v and Ta, Tb, Tc or Td", tileName(n), quote(e.fields[0]), c)
			continue
		}
		if !readBoost(&tile, e.fields[1]) {
			t.fault(e.line, "%s: boost %s: want B2, B3, B4, B1 %v or B1 command", tileName(n), quote(e.fields[1]), own(c))
			continue
		}
		set.Tiles[n] = tile
		first := &pairs[c][tile.Effect][tile.Boost]
		if *first != 0 {
			t.fault(e.line, "%s: the %v tile of line %d has this effect with this boost already", tileName(n), c, *first)
			continue
		}
		*first = e.line
		if tile.Boost == 1 {
			if b1[c][tile.Action]++; b1[c][tile.Action] > 2 {
				t.fault(e.line, "%s: a third %v tile with B1 %v; each of the colour's actions has two", tileName(n), c, tile.Action)
			}
		}
	}
	seen.all(1, Tiles+3)
}

// readBoost reads "B3", or "B1 command".
func readBoost(tile *Tile, words []string) bool {
	if len(words) == 0 {
		return false
	}
	b, ok := number(words[0], "b", 4)
	if !ok || b == 0 {
		return false
	}
	tile.Boost = uint8(b)
	if b != 1 {
		return len(words) == 1
	}
	if len(words) != 2 {
		return false
	}
	tile.Action, ok = actionOf(words[1])
	return ok && (tile.Action == Command || tile.Action == own(tile.Color))
}

// readStart reads a starting tile, which can only be its colour's "Tb or Tc"
// (section 12).
func readStart(set *Set, t *table, e entry, n int) {
	c := Color(n - Tiles - 1)
	want := []string{c.String(), "tb", "or", "tc"}
	if len(e.fields) != 1 || quote(e.fields[0]) != quote(want) {
		t.fault(e.line, "%s: want %v Tb or Tc", tileName(n), c)
		return
	}
	set.Tiles[n] = Tile{Color: c, Effect: Start}
}

func tileName(n int) string {
	if n > Tiles {
		return fmt.Sprintf("tile s%d", n-Tiles)
	}
	return fmt.Sprintf("tile t%d", n)
}

func advancedName(n int) string { return fmt.Sprintf("tile a%d", n) }

// readAdvanced reads the Advanced tiles (C4): every number once, each of K1-K8
// twice.
func readAdvanced(set *Set, t *table) {
	var kinds [9]int
	seen := t.tally(advancedName)
	for _, e := range t.rows {
		n, ok := number(e.key[0], "a", Advanced)
		if !ok || n == 0 || len(e.key) != 1 {
			t.fault(e.line, "%s: want a tile number a1-a16", quote(e.key))
			continue
		}
		if !seen.once(e, n) || !t.want(e, 1, "kind") {
			continue
		}
		k := 0
		if len(e.fields[0]) == 1 {
			k, _ = number(e.fields[0][0], "k", 8)
		}
		if k == 0 {
			t.fault(e.line, "tile a%d: %s: want K1-K8", n, quote(e.fields[0]))
			continue
		}
		set.Advanced[n] = uint8(k)
		if kinds[k]++; kinds[k] > 2 {
			t.fault(e.line, "tile a%d: a third K%d; each kind is there twice", n, k)
		}
	}
	seen.all(1, Advanced)
}
