package draw

import (
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/component/settest"
)

// pieces draws everything of a set, by what it is.
func pieces(set *component.Set) map[string][]byte {
	const label = `what it <is> & "does"`
	out := map[string][]byte{
		"display": AppendDisplay(nil, set, label),
		"grid":    AppendGrid(nil, set, label),
	}
	for c := engine.Card(0); c < 100; c++ {
		out["card "+num(int(c))] = AppendCard(nil, set, c, label)
	}
	for t := range engine.Tile(80) {
		out["tile "+num(int(t))] = AppendTile(nil, set, t, false, label)
		out["boost "+num(int(t))] = AppendTile(nil, set, t, true, label)
	}
	for n := range component.MaxStrips {
		for side := range 2 {
			out[fmt.Sprintf("strip %d %d", n, side)] = AppendStrip(nil, set, n, side, label)
		}
	}
	for n := range set.Hal {
		out["hal "+num(n)] = AppendHal(nil, set, n, label)
	}
	for n := 1; n <= 6; n++ {
		out["location "+num(n)] = AppendLocation(nil, set, n, label)
	}
	return out
}

// TestPieces holds that every piece is an element of its own that shows
// something, different things differently, within its frame; also of sets that
// no check has seen.
func TestPieces(t *testing.T) {
	wide := *component.Default()
	wide.Costs = []uint8{2, 2, 1, 1, 1, 1, 1, 1}
	var broken component.Set
	for i := range broken.Missions {
		broken.Missions[i] = component.Mission{Color: 77, Kind: 99, Tiles: [2]component.Color{88, 99}}
	}
	for i := range broken.Tiles {
		broken.Tiles[i] = component.Tile{Color: 77, Effect: 99, Boost: 1, Action: 99}
	}
	for i := range broken.Ravagers {
		broken.Ravagers[i] = component.Ravager{Effect: 2, Location: 99, Die: 99}
	}
	for name, set := range map[string]*component.Set{"built-in": component.Default(), "wide": &wide, "broken": &broken, "empty": {},
		"unusual 1": settest.Unusual(1), "unusual 2": settest.Unusual(2), "poor": settest.Unusual(0)} {
		for what, svg := range pieces(set) {
			d := xml.NewDecoder(strings.NewReader(string(svg)))
			for {
				if _, err := d.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%s %s: %v\n%s", name, what, err, svg)
				}
			}
			if name != "broken" && name != "empty" {
				within(t, what, string(svg))
			}
		}
	}
	all := pieces(component.Default())
	for what, svg := range all { // a strip has its lanes' letters, no name of a hex
		if n := strings.Count(string(svg), "<text"); strings.HasPrefix(what, "strip") && n != component.Lanes {
			t.Errorf("%s has %d texts", what, n)
		}
	}
	for _, group := range []struct {
		kind  string
		first int
		n     int
	}{{"card", 1, 90}, {"tile", 1, component.Tiles + 3}, {"boost", 1, component.Tiles}, {"location", 1, 6}} {
		seen := map[string]bool{}
		for i := range group.n {
			seen[string(all[group.kind+" "+num(group.first+i)])] = true
		}
		if len(seen) != group.n {
			t.Errorf("%d different pictures of %d of %s", len(seen), group.n, group.kind)
		}
	}
}

// within holds that nothing is drawn outside an svg's view box.
func within(t *testing.T, what, svg string) {
	t.Helper()
	var w, h float64
	if _, err := fmt.Sscanf(svg, `<svg class="ba" viewBox="0 0 %f %f"`, &w, &h); err != nil {
		t.Fatalf("%s: %v: %.100s", what, err, svg)
	}
	inside := func(x0, y0, x1, y1 float64) {
		if x0 < -1 || y0 < -1 || x1 > w+1 || y1 > h+1 {
			t.Errorf("%s: %.0f,%.0f to %.0f,%.0f is outside %.0f by %.0f", what, x0, y0, x1, y1, w, h)
		}
	}
	number := func(s string) float64 {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, m := range regexp.MustCompile(`<rect class="\w+" x="([-\d]+)" y="([-\d]+)" width="([-\d]+)" height="([-\d]+)"`).FindAllStringSubmatch(svg, -1) {
		x, y := number(m[1]), number(m[2])
		inside(x, y, x+number(m[3]), y+number(m[4]))
	}
	for _, m := range regexp.MustCompile(`translate\(([-\d]+) ([-\d]+)\)scale\(([\d.]+)\)`).FindAllStringSubmatch(svg, -1) {
		x, y, r := number(m[1]), number(m[2]), number(m[3])*50
		inside(x-r, y-r, x+r, y+r)
	}
	for _, m := range regexp.MustCompile(`<text class="\w+( [lr])?" x="([-\d]+)" y="([-\d]+)">([^<]*)<`).FindAllStringSubmatch(svg, -1) {
		x, y, wide := number(m[2]), number(m[3]), 13*float64(len(m[4]))
		switch m[1] {
		case " l":
			inside(x, y-18, x+wide, y)
		case " r":
			inside(x-wide, y-18, x, y)
		default:
			inside(x-wide/2, y-18, x+wide/2, y)
		}
	}
	if !strings.Contains(svg, `aria-label="what it &lt;is&gt; &amp; &#34;does&#34;"`) {
		t.Errorf("%s: no label: %.200s", what, svg)
	}
}
