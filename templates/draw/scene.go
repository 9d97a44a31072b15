package draw

import (
	"strconv"
	"sync"

	"angelpost/engine"
)

// width is the width of every scene in units; a PNG has one pixel to a unit.
const width = 720

// op is what a shape of a scene is.
type op uint8

const (
	opOpen    op = iota // a thing with a name begins
	opSection           // a named group of things begins
	opChanged           // the same, and it was not as it is before
	opClose             // ends either
	opIcon              // icon, centre x y, size w
	opBox               // x y w h, corners rounded by r
	opText              // s, centred on y, at x by align
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
	icon       icon
	align      align
	r          uint8
	x, y, w, h int16
	s          string // text
	from, to   int32  // a name, within scene.names
	until      int32  // what the thing is and does, from to on
}

// A scene is what SVG and PNG show.
type scene struct {
	v      *engine.View
	height int
	shapes []shape
	names  []byte // what things are called, for those who cannot see them
	namer  namer  // namer.words nil: names are not needed
	before known  // what things were called; nil: no changes are marked
}

var scenes = sync.Pool{New: func() any { return &scene{} }}

// newScene is a scene without shapes; words nil makes one without names.
func newScene(v *engine.View, words Words) *scene {
	s := scenes.Get().(*scene)
	s.v, s.height, s.shapes, s.names = v, 0, s.shapes[:0], s.names[:0]
	s.namer = newNamer(v, words)
	return s
}

// free gives the scene back. Its View is forgotten, which may hold a hand.
func (s *scene) free() {
	s.v, s.namer, s.before = nil, namer{}, nil
	clear(s.shapes)
	scenes.Put(s)
}

// open begins a thing, called by what say appends, of which is told what its
// kinds are about; s.close ends it.
func (s *scene) open(say func(n *namer, b []byte) []byte, kinds ...About) {
	s.begin(opOpen, say)
	if s.namer.words == nil {
		return
	}
	for i, k := range kinds {
		if i > 0 {
			s.names = append(s.names, ' ')
		}
		s.names = append(s.names, s.namer.words.About(k)...)
	}
	s.shapes[len(s.shapes)-1].until = int32(len(s.names))
}

// section begins a group of things.
func (s *scene) section(say func(n *namer, b []byte) []byte) { s.begin(opSection, say) }

func (s *scene) begin(o op, say func(n *namer, b []byte) []byte) {
	if s.namer.words == nil {
		return
	}
	from := len(s.names)
	s.names = say(&s.namer, s.names)
	s.shapes = append(s.shapes, shape{op: o, from: int32(from), to: int32(len(s.names)), until: int32(len(s.names))})
}

func (s *scene) close() {
	if s.namer.words != nil {
		s.shapes = append(s.shapes, shape{op: opClose})
	}
}

func (s *scene) icon(i icon, p paint, x, y, size int) {
	s.shapes = append(s.shapes, shape{op: opIcon, icon: i, paint: p, x: int16(x), y: int16(y), w: int16(size)})
}

func (s *scene) box(p paint, x, y, w, h, r int) {
	s.shapes = append(s.shapes, shape{op: opBox, paint: p, x: int16(x), y: int16(y), w: int16(w), h: int16(h), r: uint8(r)})
}

// frame is a box with a border of b units inside its edge.
func (s *scene) frame(border, fill paint, x, y, w, h, r, b int) {
	s.box(border, x, y, w, h, r)
	s.box(fill, x+b, y+b, w-2*b, h-2*b, max(r-b, 0))
}

func (s *scene) text(a align, p paint, x, y int, t string) {
	s.shapes = append(s.shapes, shape{op: opText, align: a, paint: p, x: int16(x), y: int16(y), s: t})
}

// num is text that is a number; the usual ones cost nothing.
func num(n int) string { return strconv.Itoa(n) }

// species is the sign of a colour: circle, square, triangle.
func species(c engine.Color) icon {
	if c > engine.Green {
		return iconRocks
	}
	return iconCircle + icon(c)
}

// sign draws a colour's sign with something written on it.
func (s *scene) sign(c engine.Color, x, y, size int, t string) {
	s.icon(species(c), colorPaint(c), x, y, size)
	if t != "" {
		if c == engine.Green {
			y += size / 8 // the middle of a triangle's body
		}
		s.text(middle, ink, x, y, t)
	}
}

// token draws a seat's number on one of the icons that belong to players.
func (s *scene) token(i icon, seat engine.Seat, x, y, size int) {
	t, on := "N", ground
	if seat >= 1 && seat <= engine.MaxPlayers {
		t, on = num(int(seat)), ink
	}
	s.icon(i, seatPaint(seat), x, y, size)
	if i == iconRobot {
		y += size / 8
	}
	s.text(middle, on, x, y, t)
}

// die draws a die: its colour's sign with the value, a star for 0 (R1.2).
func (s *scene) die(d engine.DieView, x, y, size int) {
	if d.Value > 0 {
		s.sign(d.Color, x, y, size, num(int(d.Value)))
		return
	}
	s.sign(d.Color, x, y, size, "")
	if d.Color == engine.Green {
		y += size / 8
	}
	s.icon(iconStar, ink, x, y, size*5/9)
}
