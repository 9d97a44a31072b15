package table

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/templates/draw"
	"angelpost/templates/touch"
)

// A hex is 100 units wide. Strips lie from left to right, away from the frigate, and the
// tip of every chevron points back at it (C1).
const (
	spaceHigh = 472
	laneHigh  = 86.6
)

// spaceWide is how wide Space is with so many strips.
func spaceWide(strips int) int { return 120 + 100*strips }

// at moves a drawing to the hex of a strip's place, from 0, and lane, 0 to 4.
func at(strip, lane int) string { return places[strip][lane] }

var places = func() (out [component.MaxStrips][component.Lanes]string) {
	for strip := range out {
		for lane := range out[strip] {
			x, y := centre(strip, lane)
			out[strip][lane] = "translate(" + coord(x) + " " + coord(y) + ")"
		}
	}
	return out
}()

func centre(strip, lane int) (x, y float64) {
	p := lane - component.Tip
	if p < 0 {
		p = -p
	}
	return float64(60 + 100*strip + 50*p), 62 + laneHigh*float64(lane)
}

// coord is a coordinate with at most one decimal.
func coord(x float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0")
}

// stars are drawn once: three sizes of dots, the same for every game.
var stars = func() string {
	r := rand.New(rand.NewPCG(7, 7))
	var b strings.Builder
	for _, s := range []struct {
		n    int
		wide string
		dim  string
	}{{46, "1.6", ".55"}, {22, "2.4", ".8"}, {7, "3.8", "1"}} {
		fmt.Fprintf(&b, `<path stroke-width="%s" opacity="%s" d="`, s.wide, s.dim)
		for range s.n {
			fmt.Fprintf(&b, "M%d %dh0", 4+r.IntN(812), 4+r.IntN(464))
		}
		b.WriteString(`"/>`)
	}
	return b.String()
}()

// scenery returns what is on a hex without a card, and the size to draw it in.
func scenery(h *engine.HexView) (s draw.Symbol, size int) {
	switch {
	case h.Spes:
		return draw.SymSpes, 116
	case h.Asteroid || h.Color > engine.Green:
		return draw.SymRocks, 92
	}
	return draw.SymPlanet + draw.Symbol(h.Color), 92
}

// ground is the class of a hex's ground.
func (t *Table) ground(h *engine.HexView) string {
	switch {
	case t.angel(h):
		return "B"
	case h.Spes:
		return "S"
	case h.Asteroid || h.Color > engine.Green:
		return "x"
	}
	return class(h.Color)
}

// nameX is the position of a hex's name: next to the Black Angel's wing and prow, else in the
// middle.
func (t *Table) nameX(h *engine.HexView) string {
	if t.angel(h) {
		return "14"
	}
	return "0"
}

func (t *Table) angel(h *engine.HexView) bool { return h.At != 0 && h.At == t.View.BlackAngel }

// shipAt is where the i-th of n ships on a hex is drawn.
func (t *Table) shipAt(h *engine.HexView, i int) string {
	n, x, y := len(h.Ships), 0, 30
	switch {
	case h.Card != 0 && n > 1 && i == 0:
		x, y = -30, 28
	case h.Card != 0:
		x, y = 28, 28
	case t.angel(h):
		x, y = -22+44*i, 32
	case n > 1:
		x = -20 + 40*i
	}
	return "translate(" + strconv.Itoa(x) + " " + strconv.Itoa(y) + ")"
}

// A mapSign is a sign of a card's effect on a hex, at its place.
type mapSign struct {
	draw.Sign
	x, y, size float64
}

// mapSigns puts the effect of the card on a hex in the middle of it, in one row: what an
// ejected card brings its owner and, if it is something else, each ship, with a line between.
// Three of a kind are a number and one sign, so that all can be read on a phone.
func (t *Table) mapSigns(c engine.Card) []mapSign {
	m := t.mission(c)
	if m == nil {
		return nil
	}
	owner, ships := draw.MissionSigns(m)
	var all []draw.Sign
	if !m.Activation() {
		all = append(all, draw.Sign{Symbol: draw.SymEject, Color: engine.None})
	}
	all = append(all, counted(owner)...)
	if ships != nil {
		all = append(append(all, draw.Sign{Text: "|", Color: engine.None}), counted(ships)...)
	}
	for _, size := range []float64{21, 19, 17} {
		if out, wide := row(all, 1.5, size); wide <= 80 {
			return out
		}
	}
	out, _ := row(all, 1.5, 15)
	return out
}

// counted writes three of a sign as a number and the sign.
func counted(signs []draw.Sign) []draw.Sign {
	if len(signs) == 3 && signs[0] == signs[1] && signs[1] == signs[2] {
		return []draw.Sign{{Text: "3", Color: engine.None}, signs[0]}
	}
	return signs
}

// mapSeal is how large a seal on a hex is: its number is read on a phone, too.
const mapSeal = 25

func row(signs []draw.Sign, y, size float64) (out []mapSign, all float64) {
	wide := func(s draw.Sign) float64 {
		switch {
		case s.VP != 0:
			return mapSeal
		case s.Text != "":
			return 10
		case s.Symbol == draw.SymArrow:
			return size * .65
		}
		return size
	}
	for _, s := range signs {
		all += wide(s)
	}
	x := -all / 2
	for _, s := range signs {
		w := wide(s)
		out = append(out, mapSign{s, x + w/2, y, w - 1})
		x += w
	}
	return out, all
}

// lane is the course from the Black Angel to Spes; "" while it is out of sight or they are
// neighbours.
func (t *Table) lane() string {
	from, to := -1, -1
	for i := range t.View.Strips {
		h := &t.View.Strips[i].Hexes[component.Tip]
		if t.angel(h) {
			from = i
		}
		if h.Spes {
			to = i
		}
	}
	if from < 0 || to < from+2 {
		return ""
	}
	x0, y := centre(from, component.Tip)
	x1, _ := centre(to, component.Tip)
	return "M" + coord(x0+54) + " " + coord(y) + "H" + coord(x1-34)
}

// hexKeys are what may be touched on a hex: itself, the viewer's ship, the card.
func (t *Table) hexKeys(h *engine.HexView) []string {
	if t.Touch == nil && t.Chosen == nil {
		return nil
	}
	keys := []string{touch.Hex(h.At)}
	for _, s := range h.Ships {
		if s == t.Own() {
			keys = append(keys, touch.Ship(h.At))
		}
	}
	if h.Card != 0 {
		keys = append(keys, touch.Card(h.Card))
	}
	return keys
}

// hasComet and the like say which signs the key explains: those that there are.
func (t *Table) some(f func(h *engine.HexView) bool) bool {
	for i := range t.View.Strips {
		for lane := range t.View.Strips[i].Hexes {
			if f(&t.View.Strips[i].Hexes[lane]) {
				return true
			}
		}
	}
	return false
}

// comet reports whether a hex has a comet that matters: only Hal scores for it (R15.10).
func (t *Table) comet(h *engine.HexView) bool {
	return h.Comet && t.View.Options.Hal != engine.NoHal
}

func (t *Table) hasComet() bool {
	return t.some(t.comet)
}
func (t *Table) hasRavagers() bool {
	return t.some(func(h *engine.HexView) bool { return h.Icons > 0 })
}
func (t *Table) hasChanges() bool {
	return t.some(func(h *engine.HexView) bool { return t.hexChanged(h) != "" })
}

// pays reports whether a hex has a card that brings something when it is ejected, and paysEach
// whether it brings each ship there something else.
func (t *Table) pays(h *engine.HexView) bool {
	m := t.mission(h.Card)
	return m != nil && !m.Activation()
}

func (t *Table) paysEach(h *engine.HexView) bool {
	if !t.pays(h) {
		return false
	}
	_, ships := draw.MissionSigns(t.mission(h.Card))
	return ships != nil
}

// goes reports whether a hex may be touched, and fits whether one stands out.
func (t *Table) goes(h *engine.HexView) bool { _, ok := t.touch(t.hexKeys(h)...); return ok }
func (t *Table) fits(h *engine.HexView) bool { x, ok := t.touch(t.hexKeys(h)...); return ok && x.Best }
