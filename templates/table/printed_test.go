package table

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/component/settest"
	"angelpost/templates/words"
)

// printed draws everything of a set, by kind and number.
func printed(set *component.Set) map[string]map[int]templ.Component {
	t := Printed(words.English().For(set, 0, nil), set)
	out := map[string]map[int]templ.Component{"card": {}, "tile": {}, "boost": {}, "strip": {}, "hal": {}, "room": {}, "board": {0: Display(t, "d"), 1: Start(t, "s")}}
	for c := engine.Card(1); c <= component.Missions; c++ {
		out["card"][int(c)] = Stamp(t, c)
	}
	for c := engine.Card(component.FirstRaider); c <= component.LastRaider; c++ {
		out["card"][int(c)] = Raider(t, c)
	}
	for x := engine.Tile(1); x <= engine.LastTile; x++ {
		out["tile"][int(x)] = Tile(t, x, false)
		if x <= component.Tiles {
			out["boost"][int(x)] = Tile(t, x, true)
		}
	}
	for n := range component.MaxStrips {
		for side := range 2 {
			out["strip"][2*n+side] = Strip(t, n, side, "s"+fmt.Sprint(n, side))
		}
	}
	for n := range set.Hal {
		out["hal"][n] = HalCard(t, n, "h"+fmt.Sprint(n))
	}
	for n := 1; n <= 6; n++ {
		out["room"][n] = Room(t, n)
	}
	return out
}

// What is printed in a set is drawn whole, different things differently, also of sets that
// are unlike the built-in one.
func TestPrinted(t *testing.T) {
	for name, set := range map[string]*component.Set{"built-in": component.Default(), "poor": settest.Unusual(0), "unusual 1": settest.Unusual(1), "unusual 2": settest.Unusual(2)} {
		for kind, things := range printed(set) {
			seen := map[string]int{}
			for n, c := range things {
				var b strings.Builder
				if err := c.Render(context.Background(), &b); err != nil {
					t.Fatal(err)
				}
				if other, is := seen[b.String()]; is {
					t.Errorf("%s: %s %d looks like %d", name, kind, n, other)
				}
				seen[b.String()] = n
				for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
					if _, err := d.Token(); errors.Is(err, io.EOF) {
						break
					} else if err != nil {
						t.Fatalf("%s: %s %d: %v\n%s", name, kind, n, err, b.String())
					}
				}
			}
		}
	}
}

// BenchmarkStamp draws a card of the hand.
func BenchmarkStamp(b *testing.B) {
	set := component.Default()
	c := Stamp(Printed(words.English().For(set, 0, nil), set), 1)
	b.ReportAllocs()
	for b.Loop() {
		if err := c.Render(context.Background(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
