package draw

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
)

// visions are what colours look like, in linear RGB: to most people, with the
// three common deficiencies at their full (Machado, Oliveira, Fernandes 2009),
// and without any colour.
var visions = map[string][3][3]float64{
	"all colours":  {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	"no colour":    {{0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}},
}

// seen is the relative luminance (WCAG 2) of what a colour looks like.
func seen(c uint32, m [3][3]float64) float64 {
	var rgb, out [3]float64
	for i := range rgb {
		v := float64(c>>(16-8*i)&255) / 255
		if v <= 0.04045 {
			rgb[i] = v / 12.92
		} else {
			rgb[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	for i := range out {
		for k := range rgb {
			out[i] += m[i][k] * rgb[k]
		}
		out[i] = min(max(out[i], 0), 1)
	}
	return 0.2126*out[0] + 0.7152*out[1] + 0.0722*out[2]
}

// A look is a thing as drawn: its shapes without their paints, and its pixels.
type look struct {
	shapes string
	pix    []byte
}

func lookAt(draw func(s *scene)) look {
	v := &engine.View{Set: component.Default(), Options: engine.Options{Hal: engine.Hard}}
	s := newScene(v)
	defer s.free()
	draw(s)
	var pix []byte
	for band := range 4 {
		var c canvas
		c.begin(band * bandRows)
		for i := range s.shapes {
			c.paint(&s.shapes[i])
		}
		for y := range bandRows {
			pix = append(pix, c.pix[y*width:y*width+100]...)
		}
	}
	return look{colourless(v, draw), pix}
}

// things are those that may be at the same place, by place.
func things() map[string]map[string]look {
	out := map[string]map[string]look{}
	add := func(place, name string, draw func(s *scene)) {
		if out[place] == nil {
			out[place] = map[string]look{}
		}
		out[place][name] = lookAt(draw)
	}
	hex := func(name string, change func(h *engine.HexView)) {
		h := engine.HexView{At: engine.HexAt(3, 2), Color: engine.Orange}
		change(&h)
		add("hex", name, func(s *scene) { s.hex(&h, 88, 50, 56) })
	}
	for c := engine.Orange; c <= engine.Green; c++ {
		hex(c.String(), func(h *engine.HexView) { h.Color = c })
		hex(c.String()+" with comet", func(h *engine.HexView) { h.Color, h.Comet = c, true })
		hex(c.String()+" with icon", func(h *engine.HexView) { h.Color, h.Icons = c, 1 })
		for seat := engine.Seat(1); seat <= engine.MaxPlayers; seat++ {
			hex(fmt.Sprint(c, " with ship of ", seat), func(h *engine.HexView) { h.Color, h.Ships = c, []engine.Seat{seat} })
			for _, card := range []engine.Card{1, 13} { // used with dice; works when ejected
				card += engine.Card(20 * c)
				hex(fmt.Sprint(card, " of ", seat), func(h *engine.HexView) { h.Color, h.Card, h.Owner = c, card, seat })
			}
		}
	}
	hex("asteroids", func(h *engine.HexView) { h.Color, h.Asteroid = engine.None, true })
	hex("Spes", func(h *engine.HexView) { h.Color, h.Spes = engine.None, true })
	add("hex", "Black Angel", func(s *scene) {
		s.v.BlackAngel = engine.HexAt(3, 2)
		s.hex(&engine.HexView{At: s.v.BlackAngel, Color: engine.Orange}, 88, 50, 56)
	})
	for c := engine.Orange; c <= engine.Green; c++ {
		for value := range uint8(4) {
			add("die", fmt.Sprint(c, value), func(s *scene) { s.dice(SymDieOrange0, []engine.DieView{{Color: c, Value: value}}, 0, 0) })
		}
	}
	for _, c := range []engine.Card{0, 5, 25, 45, 65, engine.BackOrange, engine.BackGray, engine.BackGreen, engine.BackRavager} {
		add("row", c.String(), func(s *scene) { s.card(c, 4, 4, 62, 58) })
		add("column", c.String(), func(s *scene) { s.card(c, 4, 4, 84, 44) })
	}
	for t := range engine.Tile(engine.LastTile + 1) {
		add("tile", t.String(), func(s *scene) { s.tile(4, 4, engine.CellView{Tile: t}) })
		if t > 0 && t <= component.Tiles && t%5 == 2 {
			add("tile", t.String()+" boost", func(s *scene) { s.tile(4, 4, engine.CellView{Tile: t, Boost: true}) })
			add("tile", t.String()+" Debris", func(s *scene) { s.tile(4, 4, engine.CellView{Tile: t, Debris: true}) })
		}
	}
	for seat := engine.Seat(1); seat <= engine.MaxPlayers; seat++ {
		add("crew", fmt.Sprint("ship ", seat), func(s *scene) { s.ship(seat, 30, 30, 29) })
		add("crew", fmt.Sprint("robot ", seat), func(s *scene) { s.robot(seat, 30, 30, 23) })
	}
	for i, what := range map[Symbol]string{SymShip: "ships", SymResource: "resources", SymRobot: "robots", SymCard: "cards", SymTile: "tiles"} {
		add("goods", what, func(s *scene) { s.symbol(i, bright, 30, 30, 28) })
	}
	for i, what := range map[Symbol]string{SymDebris: "Debris", SymDamage: "Damage", SymRavager: "Ravagers"} {
		add("goods", what, func(s *scene) { s.symbol(i, red, 30, 30, 28) })
	}
	for n := range 3 {
		add("damage", fmt.Sprint(n), func(s *scene) {
			s.v.Locs[1].Location, s.v.Locs[1].Damage = component.Default().Locs[1], n
			s.room(1, 4, 4)
		})
	}
	for n := 1; n <= 6; n++ {
		add("room", fmt.Sprint(n), func(s *scene) { s.v.Locs[n].Location = component.Default().Locs[n]; s.room(n, 4, 4) })
	}
	return out
}

// Things that may be at the same place differ in shape or letter. One can see that with any of
// the common deficiencies of colour vision, and without colours: enough pixels differ, each
// clearly.
func TestThingsAreToldApartInEveryVision(t *testing.T) {
	const (
		contrast = 1.4 // of a pixel in one and the other, WCAG's ratio
		enough   = 16  // pixels: a comma has ten, a digit some eighty
	)
	clear := map[string][paints][paints]bool{}
	for vision, m := range visions {
		var c [paints][paints]bool
		for x := range paints {
			for y := range paints {
				lx, ly := seen(palette[x], m)+0.05, seen(palette[y], m)+0.05
				c[x][y] = max(lx, ly)/min(lx, ly) >= contrast
			}
		}
		clear[vision] = c
	}
	pairs, least, leastOf := 0, math.MaxInt, ""
	for place, looks := range things() {
		names := make([]string, 0, len(looks))
		for name := range looks {
			names = append(names, name)
		}
		slices.Sort(names)
		for i, a := range names {
			for _, b := range names[:i] {
				pairs++
				if looks[a].shapes == looks[b].shapes {
					t.Errorf("%s: %s and %s differ at most in colour", place, a, b)
				}
				var other [paints][paints]int // pixels of these paints
				for k, p := range looks[a].pix {
					other[p][looks[b].pix[k]]++
				}
				for vision, c := range clear {
					n := 0
					for x := range paints {
						for y := range paints {
							if c[x][y] {
								n += other[x][y]
							}
						}
					}
					if n < enough {
						t.Errorf("%s, %s: %s and %s differ in %d pixels", place, vision, a, b, n)
					}
					if n < least {
						least, leastOf = n, fmt.Sprintf("%s, %s: %s and %s", vision, place, a, b)
					}
				}
			}
		}
	}
	if pairs < 3000 {
		t.Errorf("only %d pairs", pairs)
	}
	t.Logf("%d pairs; least told apart: %s, by %d pixels", pairs, leastOf, least)
}

// A cube of Damage and the Debris that becomes of it differ in their outlines, and the
// comet, all light, has a dark edge: it is seen on paper, too.
func TestSignsHaveOutlinesOfTheirOwn(t *testing.T) {
	if symbols[SymDebris].layers[0] == symbols[SymDamage].layers[0] {
		t.Error("Debris has the outline of Damage")
	}
	if symbols[SymComet].layers[0].tone != toneEdge {
		t.Error("the comet has no edge")
	}
}
