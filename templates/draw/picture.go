package draw

import (
	"strconv"
	"strings"
	"sync"

	"angelpost/engine"
	"angelpost/engine/component"
)

// width is the width of every picture in pixels.
const width = 720

// op is what a shape of a scene is.
type op uint8

const (
	opSymbol op = iota // a symbol around x y, w wide
	opBox              // x y w h, corners rounded by r
	opText             // s, centred on y, at x by align
)

type align uint8

const (
	middle align = iota
	left
	right
)

// A shape is one element of a scene.
type shape struct {
	op         op
	paint      paint
	symbol     Symbol
	align      align
	r          uint8
	x, y, w, h int16
	s          string
}

// A scene is what a picture shows: shapes, the later ones on top.
type scene struct {
	v      *engine.View
	height int
	shapes []shape
}

var scenes = sync.Pool{New: func() any { return &scene{} }}

// newScene is a scene without shapes.
func newScene(v *engine.View) *scene {
	s := scenes.Get().(*scene)
	s.v, s.height, s.shapes = v, 0, s.shapes[:0]
	return s
}

// free gives the scene back. Its View is forgotten, which may hold a hand.
func (s *scene) free() {
	s.v = nil
	clear(s.shapes)
	scenes.Put(s)
}

func (s *scene) symbol(sym Symbol, p paint, x, y, size int) {
	s.shapes = append(s.shapes, shape{op: opSymbol, symbol: sym, paint: p, x: int16(x), y: int16(y), w: int16(size)})
}

func (s *scene) box(p paint, x, y, w, h, r int) {
	s.shapes = append(s.shapes, shape{op: opBox, paint: p, x: int16(x), y: int16(y), w: int16(w), h: int16(h), r: uint8(r)})
}

// frame is a box with a border of b pixels inside its edge.
func (s *scene) frame(border, fill paint, x, y, w, h, r, b int) {
	s.box(border, x, y, w, h, r)
	s.box(fill, x+b, y+b, w-2*b, h-2*b, max(r-b, 0))
}

func (s *scene) text(a align, p paint, x, y int, t string) {
	s.shapes = append(s.shapes, shape{op: opText, align: a, paint: p, x: int16(x), y: int16(y), s: t})
}

func num(n int) string { return strconv.Itoa(n) }

// letter is a letter's picture: Space, the rooms and the viewer's own board, which the
// public has not.
func (s *scene) letter() {
	y := s.rooms(s.space()) + 10
	if v := s.v; v.Viewer >= 1 && int(v.Viewer) <= len(v.Players) {
		y = s.own(&v.Players[v.Viewer-1], y)
	}
	s.height = y
}

// preview is Space, the players' points and how near the two ends are.
func (s *scene) preview() { s.height = s.status(s.space()) }

// A field is where the hexes of Space lie: strips from left to right, away from the
// frigate, the tip of every chevron pointing back at it (C1).
type field struct{ w, x, y, rise int }

func fieldOf(strips int) field {
	w := 88
	switch {
	case strips <= 5:
		w = 112
	case strips > 7:
		w = (width - 16) / (strips + 1)
	}
	return field{w: w, x: (width - (strips+1)*w) / 2, y: 8 + high(w), rise: (w*866 + 500) / 1000}
}

// high is half the height of a hex of width w.
func high(w int) int { return (w*577 + 500) / 1000 }

// at is the centre of the hex of a strip's place, from 0, and lane, 0 to 4.
func (f field) at(strip, lane int) (x, y int) {
	p := max(lane-component.Tip, component.Tip-lane)
	return f.x + f.w/2 + strip*f.w + p*f.w/2, f.y + lane*f.rise
}

// bottom is where Space ends.
func (f field) bottom() int { return f.y + 4*f.rise + high(f.w) + 8 }

// stars are where the dots of the sky are: in the corners that the chevrons leave free.
var stars = [...][2]int{
	{14, 20}, {34, 66}, {60, 18}, {70, 104}, {22, 140}, {8, 176}, {46, 186}, {12, 300}, {38, 322}, {66, 352}, {20, 366}, {52, 410}, {78, 428},
	{690, 16}, {668, 120}, {704, 150}, {684, 188}, {712, 240}, {690, 282}, {668, 318}, {706, 340}, {714, 420}, {652, 236},
}

// space draws all strips, and returns where Space ends.
func (s *scene) space() int {
	v := s.v
	f := fieldOf(len(v.Strips))
	for i, at := range stars {
		s.box(bright, at[0], at[1], 2+i%5/4, 2+i%5/4, 0)
	}
	for i := range v.Strips {
		for lane := range v.Strips[i].Hexes {
			x, y := f.at(i, lane)
			s.hex(&v.Strips[i].Hexes[lane], f.w, x, y)
		}
	}
	for i := range v.Strips {
		if n := v.SpesToken; n != 0 && n == v.Strips[i].Number {
			x, y := f.at(i, 0)
			s.symbol(SymSpes, bright, x-f.w/2, y-f.w/2+6, 44)
		}
	}
	return f.bottom()
}

// hexSize is the size of SymHex at which the hex is w wide.
func hexSize(w int) int { return (w*116 + 49) / 99 }

// hex draws a hex of width w around x y.
func (s *scene) hex(h *engine.HexView, w, x, y int) {
	f := func(n int) int { return n * w / 88 }
	angel := h.At != 0 && h.At == s.v.BlackAngel
	edge, fill, name := colorPaint(h.Color), fieldPaint(h.Color), bright
	switch {
	case angel:
		edge, fill, name = bright, gold, ink
	case h.Spes:
		edge, fill = bright, sea
	case h.Asteroid:
		edge, fill = line, panel
	}
	s.symbol(SymHex, edge, x, y, hexSize(w))
	s.symbol(SymHex, fill, x, y, hexSize(w-4))
	if angel {
		s.symbol(SymAngel, ink, x, y+f(10), f(68))
		if h.Spes {
			s.symbol(SymSpes, bright, x+f(22), y+f(24), f(40))
		}
	}
	switch {
	case h.Card != 0:
		s.placed(h, x, y, w)
	case !angel:
		s.scenery(h, x, y+f(10), w)
	}
	s.text(middle, name, x, y-f(31), hexName(h.At))
	if h.Card == 0 {
		if h.Comet && s.v.Options.Hal != engine.NoHal {
			s.symbol(SymComet, bright, x-f(33), y+f(4), f(26))
		}
		if h.Icons > 0 {
			rx, ry := x+f(30), y-f(1)
			if angel {
				rx, ry = x+f(23), y+f(26)
			}
			s.symbol(SymRavager, red, rx, ry, f(22))
			if h.Icons > 1 {
				s.text(middle, bright, rx, ry+f(21), num(h.Icons))
			}
		}
	}
	switch len(h.Ships) {
	case 0:
	case 1:
		s.ship(h.Ships[0], x, y+f(27), f(29))
	default:
		s.ship(h.Ships[0], x-f(17), y+f(26), f(29))
		s.ship(h.Ships[1], x+f(17), y+f(26), f(29))
	}
}

// scenery draws what is on a hex without a card, smaller if ships would cover it.
func (s *scene) scenery(h *engine.HexView, x, y, w int) {
	size := w * 80 / 100
	if len(h.Ships) > 0 {
		y, size = y-w/10, w*64/100
	}
	switch {
	case h.Spes:
		s.symbol(SymSpes, bright, x, y, size)
	case h.Asteroid || h.Color > engine.Green:
		s.symbol(SymRocks, line, x, y, size)
	default:
		s.symbol(SymPlanet+Symbol(h.Color), colorPaint(h.Color), x, y, size)
	}
}

func (s *scene) ship(seat engine.Seat, x, y, size int) {
	s.symbol(SymbolOfShip(seat), seatPaint(seat), x, y, size)
}

func (s *scene) robot(seat engine.Seat, x, y, size int) {
	s.symbol(SymbolOfRobot(seat), seatPaint(seat), x, y, size)
}

// placed draws a Mission card on a hex as a plate: its colour's sign, its number and its
// owner's robot, so that two ships have room below.
func (s *scene) placed(h *engine.HexView, x, y, w int) {
	c := h.Card.Color()
	if y += 4; len(h.Ships) > 0 {
		y -= w * 11 / 88
	}
	s.box(colorPaint(c), x-41, y-13, 82, 27, 6)
	s.symbol(SymbolOfColor(c), ink, x-32, y, 15)
	s.text(left, ink, x-24, y, cardName(h.Card))
	s.robot(h.Owner, x+29, y, 24)
}

// rooms draws the six locations in a row, each 114 by 80, and returns where they end.
func (s *scene) rooms(y int) int {
	for n := 1; n <= 6; n++ {
		s.room(n, 7+(n-1)*118, y)
	}
	return y + 80
}

// room draws a location: its number on a plate in its colour's shape, its action, the
// robots caught there, its Damage and how many Ravagers.
func (s *scene) room(n, x, y int) {
	l := &s.v.Locs[n]
	p := colorPaint(l.Color)
	if s.v.Acting == uint8(n) {
		s.box(bright, x-3, y-3, 120, 86, 9)
	}
	s.box(p, x, y, 114, 80, 6)
	at, size := 22, 34
	if l.Color == engine.Green {
		at, size = 17, 44 // the number stands low in a triangle
	}
	s.symbol(SymbolOfColor(l.Color), ink, x+22, y+at, size)
	s.text(middle, p, x+22, y+23, num(n))
	s.symbol(SymbolOfAction(l.Action), ink, x+56, y+22, 30)
	for i := range min(l.Damage, 2) {
		s.symbol(SymDamage, red, x+19+27*i, y+60, 27)
	}
	if len(l.Ravagers) == 0 {
		return
	}
	s.symbol(SymRavager, red, x+78, y+60, 28)
	s.text(left, ink, x+94, y+61, num(len(l.Ravagers)))
	var caught []engine.Seat
	for i := range l.Ravagers {
		caught = append(caught, l.Ravagers[i].Robots...)
	}
	for i, seat := range caught {
		s.robot(seat, x+102-i*21/max(len(caught)-1, 1), y+22, 23)
	}
}

// own draws a player's grid and slots, and what else they play with, and returns where it ends.
func (s *scene) own(p *engine.PlayerView, y int) int {
	s.box(seatPaint(p.Seat), 7, y, width-14, 4, 2)
	y += 14
	s.grid(p, 7, y)
	s.goods(p, 350, y)
	s.dice(SymDieOrange0, p.Standard, 350, y+54)
	s.dice(SymLock, p.Secure, 350, y+108)
	s.crew(p, 350, y+162)
	return y + 272
}

// grid draws the 3 by 3 tiles with the card slots at their left and lower edge, 333 by 264.
func (s *scene) grid(p *engine.PlayerView, x, y int) {
	for row := range 3 {
		s.card(p.Rows[row], x, y+row*73+5, 62, 58)
		for column := range 3 {
			s.tile(x+69+column*89, y+row*73, p.Grid[row*3+column])
		}
	}
	for column := range 3 {
		s.card(p.Columns[column], x+69+column*89, y+220, 84, 44)
	}
}

// card draws a card in a slot, its back or an empty slot.
func (s *scene) card(c engine.Card, x, y, w, h int) {
	p, on, sign := red, bright, SymRavager
	switch {
	case c == 0:
		s.frame(line, ground, x, y, w, h, 8, 2)
		return
	case !c.Ravager():
		p, on, sign = colorPaint(c.Color()), ink, SymbolOfColor(c.Color())
	}
	s.box(p, x, y, w, h, 8)
	switch {
	case c.Hidden():
		s.frame(on, p, x+5, y+5, w-10, h-10, 5, 2)
		s.symbol(sign, on, x+w/2, y+h/2, 22)
	case w > h+20: // the number next to the sign
		s.symbol(sign, on, x+17, y+h/2, 18)
		s.text(middle, on, x+w/2+11, y+h/2, cardName(c))
	default:
		s.symbol(sign, on, x+w/2, y+h/2-13, 18)
		s.text(middle, on, x+w/2, y+h/2+12, cardName(c))
	}
}

// tile draws a cell of a grid, 84 by 68, with what is on it.
func (s *scene) tile(x, y int, on engine.CellView) {
	t, set := on.Tile, s.v.Set
	if t == 0 || t > engine.LastTile || set == nil {
		s.frame(line, ground, x, y, 84, 68, 8, 2)
		return
	}
	border, fill := gold, panel
	if !t.Advanced() {
		border, fill = colorPaint(set.Tiles[t].Color), fieldPaint(set.Tiles[t].Color)
	}
	s.frame(border, fill, x, y, 84, 68, 8, 3)
	s.text(left, bright, x+9, y+18, tileName(t))
	if !t.Advanced() {
		s.symbol(SymbolOfColor(set.Tiles[t].Color), border, x+66, y+18, 18)
	}
	mid, room := x+42, 74
	if on.Debris {
		mid, room = x+31, 50
		s.symbol(SymDebris, red, x+67, y+50, 26)
	}
	s.signs(TileSigns(set, t, on.Boost), mid, y+47, room)
}

// signs draws an effect around x y, within a room so wide.
func (s *scene) signs(row []Sign, x, y, room int) {
	size := 28
	all := func() (sum int) {
		for i := range row {
			sum += row[i].wide(size)
		}
		return sum
	}
	for all() > room && size > 12 {
		size--
	}
	x -= all() / 2
	for i := range row {
		w := row[i].wide(size)
		s.sign(&row[i], x+w/2, y, size)
		x += w
	}
}

// wide is how wide a sign is drawn at a size.
func (s *Sign) wide(size int) int {
	switch {
	case s.String() != "" && s.VP == 0:
		return 14 * len(ascii(s.String()))
	case s.VP != 0:
		return max(size, 26)
	case s.Symbol == SymPlus || s.Symbol == SymArrow:
		return size * 5 / 8
	case s.acts():
		return size * 8 / 5
	}
	return size + 1
}

// acts reports whether a sign is an action with a die of a colour.
func (s *Sign) acts() bool {
	return s.Color <= engine.Green && s.Symbol >= SymDiscover && s.Symbol <= SymDestroy
}

// ascii is text in the letters that a picture has.
func ascii(s string) string { return strings.ReplaceAll(s, "−", "-") }

// sign draws a sign of an effect. What has a colour has that colour's shape as well.
func (s *scene) sign(x *Sign, cx, cy, size int) {
	c := colorPaint(x.Color)
	switch {
	case x.VP != 0:
		s.symbol(SymSeal, gold, cx, cy, max(size, 26))
		s.text(middle, ink, cx, cy, ascii(x.String()))
	case x.String() != "":
		s.text(middle, bright, cx, cy, ascii(x.String()))
	case x.Symbol == SymDamage || x.Symbol == SymDebris || x.Symbol == SymRavager:
		s.symbol(x.Symbol, red, cx, cy, size)
	case x.Symbol == SymPlus || x.Symbol == SymArrow:
		s.symbol(x.Symbol, bright, cx, cy, size*5/8)
	case x.Color > engine.Green:
		s.symbol(x.Symbol, bright, cx, cy, size)
	case x.acts():
		s.symbol(x.Symbol, bright, cx-size/4, cy, size)
		s.symbol(SymbolOfColor(x.Color), c, cx+size/2, cy, size/2)
	case x.Symbol == SymTile:
		s.box(c, cx-size/2, cy-size/2, size, size, 4)
		s.symbol(SymbolOfColor(x.Color), ink, cx, cy, size*5/8)
	default:
		s.symbol(x.Symbol, c, cx, cy, size)
	}
}

// goods draws a player's points and storage, 363 by 46.
func (s *scene) goods(p *engine.PlayerView, x, y int) {
	s.box(panel, x, y, 363, 46, 10)
	s.robot(p.Seat, x+26, y+23, 32)
	for i, g := range [...]struct {
		symbol Symbol
		paint  paint
		n      int
	}{{SymShip, bright, p.Ships}, {SymResource, bright, p.Resources}, {SymDebris, red, p.Debris}} {
		s.symbol(g.symbol, g.paint, x+88+i*98, y+23, 32)
		s.text(left, bright, x+112+i*98, y+23, num(g.n))
	}
}

// dice draws dice with their faces, 363 by 46, the reserved ones behind a lock.
func (s *scene) dice(sign Symbol, dice []engine.DieView, x, y int) {
	s.box(panel, x, y, 363, 46, 10)
	x += 27
	if sign == SymLock {
		s.symbol(SymLock, bright, x, y+23, 26)
		x += 44
	}
	pitch := min(46, 280/max(len(dice), 1))
	for i, d := range dice[:min(len(dice), 18)] {
		s.symbol(SymbolOfDie(d), colorPaint(d.Color), x+i*pitch, y+23, 38)
	}
}

// crew draws where a player's robots are, 363 by 102: in the break room, at the three
// workstations, and on ships, Missions and Ravagers.
func (s *scene) crew(p *engine.PlayerView, x, y int) {
	s.box(panel, x, y, 363, 102, 10)
	s.robot(p.Seat, x+26, y+27, 32)
	s.text(left, bright, x+48, y+28, num(p.Break))
	for c := engine.Orange; c <= engine.Green; c++ {
		cx := x + 100 + int(c)*87
		s.frame(colorPaint(c), fieldPaint(c), cx-14, y+8, 80, 38, 8, 2)
		s.symbol(SymbolOfColor(c), colorPaint(c), cx+8, y+27, 22)
		s.text(left, bright, cx+30, y+28, num(p.Stations[c]))
	}
	for i, g := range [...]struct {
		symbol Symbol
		paint  paint
		n      int
	}{{SymDeck, bright, p.RobotSupply}, {SymbolOfShip(p.Seat), seatPaint(p.Seat), p.Pilots}, {SymCard, bright, p.OnCards}, {SymRavager, red, p.Trapped}} {
		s.symbol(g.symbol, g.paint, x+26+i*88, y+75, 30)
		s.text(left, bright, x+48+i*88, y+76, num(g.n))
	}
}

// status draws the players' points and how near the two ends are, and returns where it
// ends.
func (s *scene) status(y int) int {
	v := s.v
	for i := range v.Players[:min(len(v.Players), engine.MaxPlayers)] {
		p, x := &v.Players[i], 7+i*112
		fill, on, vp := panel, bright, p.VP
		if v.Seat == p.Seat && !v.Finished {
			fill, on = bright, ink
		}
		if v.Finished {
			vp = p.Final
		}
		s.box(fill, x, y, 106, 48, 10)
		s.robot(p.Seat, x+26, y+24, 34)
		s.text(left, on, x+50, y+25, num(vp))
	}
	if n := Ahead(v); n > 0 {
		s.symbol(SymSpes, bright, 494, y+24, 60)
		s.text(left, bright, 520, y+25, num(n))
	}
	s.symbol(SymRavager, red, 614, y+24, 36)
	s.text(left, bright, 640, y+25, num(v.Decks[engine.PileRavager].Left))
	return y + 60
}

// Ahead is how many strips the Black Angel is from Spes; 0 while that is not known, or
// there.
func Ahead(v *engine.View) int {
	angel, spes := -1, -1
	for i := range v.Strips {
		for _, h := range v.Strips[i].Hexes {
			if h.At != 0 && h.At == v.BlackAngel {
				angel = i
			}
			if h.Spes {
				spes = i
			}
		}
	}
	if angel < 0 || spes < 0 {
		return 0
	}
	return spes - angel
}
