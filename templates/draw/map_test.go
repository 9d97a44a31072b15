package draw

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"angelpost/engine"
	"angelpost/engine/component"
)

func TestMapShowsSpace(t *testing.T) {
	for name, v := range samples(t) {
		m := Map(v)
		for line := range strings.Lines(m) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > Columns || strings.HasPrefix(line, "|") {
				t.Errorf("%s: %d columns: %q", name, n, line)
			}
		}
		for i := range v.Strips {
			for _, h := range v.Strips[i].Hexes {
				if !strings.Contains(m, h.At.String()+" ") {
					t.Errorf("%s: %s is not on the map", name, h.At)
				}
				if h.Comet && v.Options.Hal == engine.NoHal && strings.Contains(m, "*") { // R15.10
					t.Errorf("%s: the map shows comets, and Hal doesn't play", name)
				}
				if h.Comet && v.Options.Hal != engine.NoHal && !strings.Contains(m, "*") {
					t.Errorf("%s: the map lacks the comets", name)
				}
				if h.Card != 0 && !strings.Contains(m, h.Card.String()+"/") {
					t.Errorf("%s: %s at %s is not on the map", name, h.Card, h.At)
				}
			}
		}
	}
}

// The map overlaps hexes that touch, as rule C1 says.
func TestTouchingIsC1(t *testing.T) {
	for name, v := range samples(t) {
		board := component.BoardOf(len(v.Strips))
		if board == nil {
			continue // no number of strips that the rules have
		}
		at := func(i int) engine.Hex { return v.Strips[i/5].Hexes[i%5].At }
		for i, mask := range board.Mask[:5*len(v.Strips)] {
			var want []engine.Hex
			for k := range 5 * len(v.Strips) {
				if mask>>k&1 == 1 {
					want = append(want, at(k))
				}
			}
			got := Touching(v, at(i))
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s touches %v, not %v", name, at(i), want, got)
			}
		}
	}
}
