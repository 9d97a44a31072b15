package component

import (
	"fmt"
	"slices"
)

var effectNames = [...]string{"ta", "tb", "tc", "td"}

// readTechnology reads the Technology and starting tiles (C3): every number once,
// sixteen of a colour together (R1.4), each with an effect (section 12) and a
// boost (R14.2). It is usual that a colour has each effect with each boost once,
// that boosts are for the tile's colour, and that B1 names each of its two
// actions on two tiles; known is "green die counts as 3" over 1 VP.
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
			t.fault(e.line, "%s: boost %s: want B2, B3 or B4, with a colour unless it is the tile's, or B1 and discover, repair, destroy or command, the last with a colour unless it is the tile's", tileName(n), quote(e.fields[1]))
			continue
		}
		set.Tiles[n] = tile
		if tile.For != c {
			t.warn(e.line, "%s: the boost is for %v dice, the tile is %v", tileName(n), tile.For, c)
		}
		first := &pairs[c][tile.Effect][tile.Boost]
		if *first != 0 {
			t.warn(e.line, "%s: the %v tile of line %d has this effect with this boost, too", tileName(n), c, *first)
			continue
		}
		*first = e.line
		if tile.Boost == 1 && tile.For == c {
			if b1[c][tile.Action]++; b1[c][tile.Action] > 2 {
				t.warn(e.line, "%s: a third %v tile with B1 %v; usually each action of a colour has two", tileName(n), c, tile.Action)
			}
		}
	}
	known := Tile{Color: Green, Effect: Ta, Boost: 2, For: Green}
	if seen.all(1, Tiles+3) && !slices.Contains(set.Tiles[1:], known) {
		t.warn(t.last, "no green tile of Ta has the boost B2, as one is known to")
	}
}

// readBoost reads "B3", "B3 gray", "B1 discover", "B1 command" or "B1 command
// gray". Without a colour a boost is for dice of the tile's, or of its action's.
func readBoost(tile *Tile, words []string) bool {
	if len(words) == 0 {
		return false
	}
	b, ok := number(words[0], "b", 4)
	if !ok || b == 0 {
		return false
	}
	tile.Boost, tile.For = uint8(b), tile.Color
	words = words[1:]
	if b == 1 {
		if len(words) == 0 {
			return false
		}
		if tile.Action, ok = actionOf(words[0]); !ok {
			return false
		}
		if tile.Action != Command {
			tile.For = colorOfAction(tile.Action)
		}
		words = words[1:]
	}
	switch {
	case len(words) == 0:
		return true
	case len(words) > 1:
		return false
	}
	c, ok := colorOf(words[0])
	if !ok || b == 1 && tile.Action != Command && c != tile.For {
		return false
	}
	tile.For = c
	return true
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

// readAdvanced reads the Advanced tiles (C4): every number once (R1.4) with one of
// K1-K8 (R8.6), each usually twice.
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
			t.warn(e.line, "tile a%d: a third K%d; usually each kind is there twice", n, k)
		}
	}
	seen.all(1, Advanced)
}
