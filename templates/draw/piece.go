package draw

import (
	"strconv"

	"angelpost/engine"
	"angelpost/engine/component"
)

// Icons is the svg element with the outlines of all icons that the pieces of a
// page use: once, before the first of them. AppendTableSince brings them itself.
var Icons = `<svg class="ba" width="0" height="0" style="position:absolute" aria-hidden="true">` + defs + `</svg>`

// The size of a drawn card. Its words have room in wide fonts, too.
const (
	cardWidth  = 184
	cardHeight = 156
)

// AppendCard appends a Mission or Ravager card as an svg element for a page that
// has CSS and Icons. label says in words what it shows, here as below; "" if the page says
// it next to the drawing.
func AppendCard(b []byte, set *component.Set, c engine.Card, label string) []byte {
	return piece(b, set, cardWidth, cardHeight, label, func(s *scene) {
		switch {
		case c.Ravager() && !c.Hidden():
			s.ravager(set, c)
		case c > 0 && c <= component.Missions:
			s.mission(&set.Missions[c], c)
		}
	})
}

// AppendTile appends one side of a tile.
func AppendTile(b []byte, set *component.Set, t engine.Tile, boost bool, label string) []byte {
	return piece(b, set, 82, 68, label, func(s *scene) {
		if !boost || int(t) >= len(set.Tiles) {
			s.tile(t, 0, 0, engine.CellView{})
			return
		}
		p := set.Tiles[t]
		s.frame(colorPaint(p.Color), fieldPaint(p.Color), 0, 0, 82, 68, 8, 3)
		s.text(left, bright, 9, 19, tileName(t))
		s.icon(species(p.Color), colorPaint(p.Color), 65, 18, 20)
		s.boost(p)
	})
}

// AppendStrip appends a side (0 or 1) of a strip (0 to 6): the tip points to
// the left, lane a is on top.
func AppendStrip(b []byte, set *component.Set, strip, side int, label string) []byte {
	f := field{w: 88, x: 2, y: 53, rise: 76}
	return piece(b, set, 2*f.w+4, f.y+4*f.rise+53, label, func(s *scene) {
		for lane, h := range set.Strips[strip][side] {
			x, y := f.at(0, lane)
			s.hex(&engine.HexView{Color: h.Color, Asteroid: h.Color > engine.Green, Comet: h.Comet, Icons: int(h.Ravagers)}, f.w, x, y, false)
			s.text(middle, bright, x, y-30, string(rune('a'+lane)))
		}
	})
}

// AppendHal appends Hal's card n, 0 to 11.
func AppendHal(b []byte, set *component.Set, n int, label string) []byte {
	return piece(b, set, cardWidth, cardHeight, label, func(s *scene) {
		s.frame(line, panel, 0, 0, cardWidth, cardHeight, 10, 3)
		for i, h := range set.Hal[n] {
			y := i * 76
			s.box(fieldPaint(h.Color), 6, y+6, cardWidth-12, 68, 6)
			s.icon(species(h.Color), colorPaint(h.Color), 32, y+40, 40)
			s.text(left, bright, 60, y+26, h.Action.String())
			switch {
			case h.Action == component.Command:
				s.icon(iconDart, bright, 76, y+53, 28)
			case h.Action == component.Discover:
				s.blank(66, y+42, !h.Mod)
				s.blank(98, y+42, false)
			case h.Mod:
				s.span(6, 1, 60, y+53)
			default:
				s.span(1, 6, 60, y+53)
			}
		}
	})
}

// AppendLocation appends location n, 1 to 6, without anything on it.
func AppendLocation(b []byte, set *component.Set, n int, label string) []byte {
	return piece(b, set, 232, 108, label, func(s *scene) {
		s.v.Locs[n].Action, s.v.Locs[n].Color = set.Locs[n].Action, set.Locs[n].Color
		s.location(n, 0, 0)
	})
}

// AppendDisplay appends the display's empty spaces with what they cost.
func AppendDisplay(b []byte, set *component.Set, label string) []byte {
	return piece(b, set, 88*len(set.Costs), 94, label, func(s *scene) {
		for i, cost := range set.Costs {
			s.tile(0, 88*i+3, 0, engine.CellView{})
			s.price(88*i+44, 78, int(cost))
		}
	})
}

// AppendGrid appends an empty grid with its highlighted cells.
func AppendGrid(b []byte, set *component.Set, label string) []byte {
	return piece(b, set, 264, 216, label, func(s *scene) {
		for cell := range uint8(9) {
			x, y := 3+88*int(cell%3), 2+72*int(cell/3)
			s.tile(0, x, y, engine.CellView{})
			for _, at := range set.Start {
				if at == cell {
					s.frame(bright, panel, x, y, 82, 68, 8, 5)
				}
			}
			s.text(middle, bright, x+41, y+34, num(int(cell/3)+1)+"."+num(int(cell%3)+1))
		}
	})
}

// piece appends what draw draws as an svg element of its own.
func piece(b []byte, set *component.Set, w, h int, label string, draw func(*scene)) []byte {
	s := newScene(&engine.View{Set: set}, nil)
	defer s.free()
	draw(s)
	b = append(b, `<svg class="ba" viewBox="0 0 `...)
	b = append(strconv.AppendInt(b, int64(w), 10), ' ')
	b = strconv.AppendInt(b, int64(h), 10)
	if label == "" { // words are next to it
		b = append(b, `" aria-hidden="true">`...)
	} else {
		b = append(b, `" role="img" aria-label="`...)
		b = append(escape(b, string(clean(nil, label, 2*maxEffect))), `">`...)
	}
	return append(s.svg(b), `</svg>`...)
}

// A glyph is one sign of an effect: an icon, text where s is not "", or a tile.
type glyph struct {
	icon  icon
	paint paint
	s     string
	tile  bool
}

func word(s string) glyph { return glyph{paint: bright, s: s} }

// glyphs draws signs in a row around x y.
func (s *scene) glyphs(x, y int, row []glyph) {
	const icon, gap = 24, 4
	wide := func(g glyph) int { return max(len(g.s)*15, (1-min(len(g.s), 1))*icon) }
	all := -gap
	for _, g := range row {
		all += wide(g) + gap
	}
	x -= all / 2
	for _, g := range row {
		w := wide(g)
		switch {
		case g.s != "":
			s.text(middle, g.paint, x+w/2, y, g.s)
		case g.tile:
			s.blank(x-1, y-11, false)
		default:
			s.icon(g.icon, g.paint, x+w/2, y, icon)
		}
		x += w + gap
	}
}

// Goods of Mission cards by colour (section 10): X, the second ones of M3 and
// M4, the price Y, and M14's two.
var (
	missionX = tbIcon
	missionB = [3]icon{iconGem, iconDart, iconGem}
	missionC = [3]icon{iconHead, iconHead, iconDart}
	missionY = [3]glyph{{tile: true}, {icon: iconCube, paint: bright}, {icon: iconRavager, paint: red}}
	missionR = [3][2]icon{{iconGem, iconHead}, {iconDart, iconHead}, {iconDart, iconGem}}
)

// effectOf are the signs of a Mission's effect: one row for an activation, two
// for a neutralization, the owner's and that of each ship.
func effectOf(m *component.Mission) (rows [2][]glyph) {
	c := min(m.Color, engine.Green)
	x := glyph{icon: missionX[c], paint: bright}
	y := missionY[c]
	of := func(i icon) glyph { return glyph{icon: i, paint: bright} }
	pay := func(vp string, price ...glyph) []glyph {
		return append(price, glyph{icon: iconRight, paint: line}, word(vp))
	}
	owner, ship := of(iconDisc), of(iconShip)
	switch m.Kind {
	case 1:
		rows[0] = []glyph{x, x}
	case 2:
		rows[0] = []glyph{x, word("1VP")}
	case 3:
		rows[0] = []glyph{x, of(missionB[c])}
	case 4:
		rows[0] = []glyph{x, of(missionC[c])}
	case 5:
		rows[0] = pay("2VP", x)
	case 6:
		rows[0] = pay("3VP", x, x)
	case 7:
		rows[0] = pay("2VP", y)
	case 8:
		rows[0] = pay("3VP", y, y)
	case 9:
		rows[0] = pay("3VP", of(iconGem), y)
	case 10:
		rows[0] = pay("3VP", of(iconHead), y)
	case 11:
		rows[0] = pay("3VP", of(iconDart), y)
	case 12:
		rows[0] = pay("3VP", x, of(iconCard))
	case 13:
		rows = [2][]glyph{{owner, x, x, x}, {ship, x, x, x}}
	case 14:
		rows = [2][]glyph{{owner, of(missionR[c][0]), of(missionR[c][1])}, {ship, x, x, x}}
	case 15:
		rows = [2][]glyph{{owner, word("3VP")}, {ship, word("3VP")}}
	case 16:
		rows = [2][]glyph{{owner, x, x, x}, {ship, word("3VP")}}
	case 17, 18, 19, 20:
		other := c.Others()[(m.Kind-17)%2]
		per := []glyph{word("3VP"), word("/"), {icon: iconCard, paint: colorPaint(other)}, {icon: species(other), paint: colorPaint(other)}}
		if m.Kind >= 19 {
			per[2].icon = iconTuck
		}
		rows = [2][]glyph{append([]glyph{owner}, per...), append([]glyph{ship}, per...)}
	}
	return rows
}

// mission draws a Mission card: number and kind, effect, then the reward where
// the robot goes, and in the corner the tile colours, top first.
func (s *scene) mission(m *component.Mission, c engine.Card) {
	const w, h = cardWidth, cardHeight
	p := colorPaint(m.Color)
	s.frame(p, fieldPaint(m.Color), 0, 0, w, h, 10, 4)
	s.box(p, 0, 0, w, 34, 10)
	s.icon(species(m.Color), ink, 20, 17, 20)
	s.text(left, ink, 38, 17, cardName(c))
	s.text(right, ink, w-10, 17, "M"+num(int(m.Kind)))
	rows := effectOf(m)
	if m.Activation() {
		s.glyphs(w/2, 63, rows[0])
	} else {
		s.glyphs(w/2, 52, rows[0])
		s.glyphs(w/2, 80, rows[1])
	}
	s.box(line, 10, 96, w-20, 2, 0)
	var reward []glyph
	for _, g := range []struct {
		n    uint8
		icon icon
	}{{m.Reward.Ships, iconDart}, {m.Reward.Resources, iconGem}, {m.Reward.Robots, iconHead}} {
		if units := m.Reward.Ships + m.Reward.Resources + m.Reward.Robots; units > 2 && g.n > 0 {
			reward = append(reward, word(num(int(g.n))))
			reward = append(reward, glyph{icon: g.icon, paint: bright})
			continue
		}
		for range g.n {
			reward = append(reward, glyph{icon: g.icon, paint: bright})
		}
	}
	if m.Reward.VP > 0 {
		reward = append(reward, word(num(int(m.Reward.VP))+"VP"))
	}
	s.frame(line, ground, 12, 104, 108, 42, 8, 2)
	if len(reward) > 4 { // two rows
		s.glyphs(66, 114, reward[:4])
		s.glyphs(66, 136, reward[4:])
	} else {
		s.glyphs(66, 125, reward)
	}
	y := 125
	if m.Tiles[1] <= engine.Green {
		y = 114
	}
	for i, c := range m.Tiles {
		if c <= engine.Green {
			s.frame(colorPaint(c), ground, 134, y-10+i*24, 36, 21, 4, 2)
			s.icon(species(c), colorPaint(c), 152, y+i*24, 15)
		}
	}
}

// ravager draws a Ravager card: number and effect's kind, the location, and
// below what it costs to act there.
func (s *scene) ravager(set *component.Set, c engine.Card) {
	const w, h = cardWidth, cardHeight
	r := &set.Ravagers[c]
	s.frame(red, panel, 0, 0, w, h, 10, 4)
	s.box(red, 0, 0, w, 34, 10)
	s.icon(iconRavager, paper, 20, 17, 22)
	s.text(left, paper, 38, 17, cardName(c))
	s.text(right, paper, w-10, 17, "V"+num(int(r.Effect)))
	if r.Location >= 1 && r.Location <= 6 {
		l := set.Locs[r.Location]
		s.sign(l.Color, 26, 66, 36, num(int(r.Location)))
		s.text(left, bright, 50, 66, l.Action.String())
	}
	s.box(line, 10, 96, w-20, 2, 0)
	cross := glyph{icon: iconCross, paint: red}
	switch r.Effect {
	case 1:
		next := int(r.Location)%6 + 1
		s.glyphs(w/2-24, 124, []glyph{cross, {icon: iconRight, paint: line}})
		s.sign(set.Locs[next].Color, w/2+32, 124, 36, num(next))
	case 2:
		s.glyphs(w/2, 124, []glyph{cross, {icon: iconRight, paint: line}, {icon: species(r.Die), paint: colorPaint(r.Die)}})
	case 3:
		s.glyphs(w/2, 124, []glyph{word("-1"), {icon: iconCard, paint: bright}})
	case 4:
		s.glyphs(w/2, 124, []glyph{word("-1"), {icon: iconRavager, paint: red}})
	case 5:
		s.glyphs(w/2, 124, []glyph{word("-1"), {icon: iconHead, paint: bright}, {icon: iconLock, paint: line}})
	}
}

// boost draws what a tile's boost side does (section 14), below its number.
func (s *scene) boost(p component.Tile) {
	own := glyph{icon: species(p.For), paint: colorPaint(p.For)}
	other := p.For != p.Color // its sign comes first
	switch p.Boost {
	case 1:
		action := [...]glyph{component.Discover: {tile: true}, component.Repair: {icon: iconCross, paint: red},
			component.Destroy: {icon: iconRavager, paint: red}, component.Command: {icon: iconDart, paint: bright}}
		does := action[min(p.Action, component.Command)]
		if other {
			s.icon(own.icon, own.paint, 14, 48, 18)
			s.text(middle, bright, 37, 48, "+2")
			s.glyphs(64, 48, []glyph{does})
			return
		}
		s.glyphs(40, 48, []glyph{word("2VP"), does})
	case 2:
		s.sign(p.For, 41, 48, 30, "3")
	case 3:
		if other {
			s.icon(own.icon, own.paint, 13, 49, 16)
			s.icon(iconRight, line, 29, 49, 10)
			for c := engine.Orange; c <= engine.Green; c++ {
				s.icon(species(c), colorPaint(c), 44+int(c)*14, 49, 12)
			}
			return
		}
		s.icon(iconCircle, orange, 22, 49, 17)
		s.icon(iconSquare, gray, 41, 49, 17)
		s.icon(iconTriangle, green, 60, 49, 17)
	case 4:
		s.glyphs(41, 48, []glyph{{icon: iconLock, paint: bright}, own})
	}
}

// blank draws a small tile, an Advanced one with its plus.
func (s *scene) blank(x, y int, advanced bool) {
	s.frame(bright, ground, x, y, 26, 22, 4, 2)
	if advanced {
		s.icon(iconPlus, bright, x+13, y+11, 12)
	}
}

// span draws the direction in which Hal looks at the locations.
func (s *scene) span(from, to, x, y int) {
	s.text(left, bright, x, y, num(from))
	s.icon(iconRight, bright, x+30, y, 22)
	s.text(left, bright, x+48, y, num(to))
}
