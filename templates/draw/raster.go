package draw

import (
	"image"
	"image/draw"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// fontSize is the height of a picture's letters in pixels. On a telephone of 360
// pixels a letter's margins leave the picture 332, and these 11.
const fontSize = 24

// A run is a stretch of pixels of a mask, relative to the symbol's centre or the
// letter's origin.
type run struct {
	y, x, n int16
	half    bool // the edge of the shape passes through: mix
}

// A mask is what a symbol covers at a size, layer by layer.
type mask struct {
	layers [][]run
	rows   [2]int // the first row, and the first below
}

// Masks of symbols by size and of letters are made when first wanted and kept:
// sizes and letters come from this package's own layout, so they are few.
var masks sync.Map // maskKey -> *mask

type maskKey struct {
	symbol Symbol
	size   int16
}

// maskOf is a symbol whose box is so many pixels wide or high, whichever is more.
func maskOf(s Symbol, size int16) *mask {
	key := maskKey{s, size}
	if m, ok := masks.Load(key); ok {
		return m.(*mask)
	}
	m := &mask{}
	box := boxes[s]
	k := float32(size) / max(box[2], box[3])
	half := int(size)*5/8 + 2 // outlines reach a little beyond the box
	at := func(x, y float32) (float32, float32) {
		return float32(half) + (x-box[0]-box[2]/2)*k, float32(half) + (y-box[1]-box[3]/2)*k
	}
	for _, l := range symbols[s].layers {
		r := vector.NewRasterizer(2*half, 2*half)
		outline(l.d,
			func(x, y float32) { r.MoveTo(at(x, y)) },
			func(x, y float32) { r.LineTo(at(x, y)) },
			func(a, b, c, d, x, y float32) {
				a, b = at(a, b)
				c, d = at(c, d)
				x, y = at(x, y)
				r.CubeTo(a, b, c, d, x, y)
			},
			r.ClosePath)
		rows := runs(r, half, half)
		if len(rows) > 0 {
			m.rows[0] = min(m.rows[0], int(rows[0].y))
			m.rows[1] = max(m.rows[1], int(rows[len(rows)-1].y)+1)
		}
		m.layers = append(m.layers, rows)
	}
	masks.Store(key, m)
	return m
}

// boxes are the symbols' boxes in numbers: left, top, width, height.
var boxes = func() (b [symbolCount][4]float32) {
	for s := range symbols {
		for i, n := range strings.Fields(symbols[s].box) {
			v, _ := strconv.ParseFloat(n, 32)
			b[s][i] = float32(v)
		}
	}
	return
}()

// runs reads a rasterizer out; x0 y0 is the point that becomes 0 0.
func runs(r *vector.Rasterizer, x0, y0 int) []run {
	size := r.Bounds()
	a := image.NewAlpha(size)
	r.DrawOp = draw.Src
	r.Draw(a, size, image.Opaque, image.Point{})
	var out []run
	for y := range size.Dy() {
		row := a.Pix[y*a.Stride : y*a.Stride+size.Dx()]
		for x := 0; x < len(row); {
			level := shade(row[x])
			n := 1
			for x+n < len(row) && shade(row[x+n]) == level {
				n++
			}
			if level > 0 {
				out = append(out, run{y: int16(y - y0), x: int16(x - x0), n: int16(n), half: level == 1})
			}
			x += n
		}
	}
	return out
}

// shade is how much of a pixel is covered: nothing, half, all.
func shade(alpha uint8) int {
	switch {
	case alpha < 85:
		return 0
	case alpha < 171:
		return 1
	}
	return 2
}

// mixed is, for two paints, the one that looks most like half of each.
var mixed = func() (m [paints][paints]uint8) {
	for a := range paints {
		for b := range paints {
			best := -1
			for c := range paints {
				d := 0
				for s := 0; s <= 16; s += 8 {
					e := (int(palette[a]>>s&255)+int(palette[b]>>s&255))/2 - int(palette[c]>>s&255)
					d += e * e
				}
				if best < 0 || d < best {
					best, m[a][b] = d, uint8(c)
				}
			}
		}
	}
	return
}()

// A letter is a glyph of the font at fontSize.
type letter struct {
	runs    []run
	advance fixed.Int26_6
}

// letters are the printable ASCII letters; a PNG has no others.
var letters = sync.OnceValue(func() *[128]letter {
	f, err := sfnt.Parse(gobold.TTF)
	if err != nil {
		panic("draw: the font in the module golang.org/x/image does not parse: " + err.Error())
	}
	var l [128]letter
	var buf sfnt.Buffer
	ppem := fixed.I(fontSize)
	for c := ' '; c < 127; c++ {
		g, err := f.GlyphIndex(&buf, c)
		if err != nil {
			continue
		}
		l[c].advance, _ = f.GlyphAdvance(&buf, g, ppem, font.HintingNone)
		segments, err := f.LoadGlyph(&buf, g, ppem, nil)
		if err != nil {
			continue
		}
		const box, base = 2 * fontSize, fontSize * 3 / 2
		r := vector.NewRasterizer(box, box)
		at := func(p fixed.Point26_6) (float32, float32) {
			return float32(p.X)/64 + fontSize/4, float32(p.Y)/64 + base
		}
		for _, s := range segments {
			x, y := at(s.Args[0])
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				r.ClosePath()
				r.MoveTo(x, y)
			case sfnt.SegmentOpLineTo:
				r.LineTo(x, y)
			case sfnt.SegmentOpQuadTo:
				x2, y2 := at(s.Args[1])
				r.QuadTo(x, y, x2, y2)
			case sfnt.SegmentOpCubeTo:
				x2, y2 := at(s.Args[1])
				x3, y3 := at(s.Args[2])
				r.CubeTo(x, y, x2, y2, x3, y3)
			}
		}
		r.ClosePath()
		l[c].runs = runs(r, fontSize/4, base)
	}
	return &l
})

// A canvas is a band of a picture being painted: a byte, a paint, for each
// pixel, row by row of width pixels.
type canvas struct {
	pix [bandRows * width]byte
	top int // of the band in the picture
}

// begin makes the canvas a ground, from a row of the picture on.
func (m *canvas) begin(top int) {
	m.top = top
	clear(m.pix[:])
}

// paint paints what there is in the band of a shape.
func (m *canvas) paint(sh *shape) {
	switch sh.op {
	case opSymbol:
		layers := symbols[sh.symbol].layers
		for i, runs := range maskOf(sh.symbol, sh.w).layers {
			t := &tonesOf[layers[i].tone]
			switch t.paint {
			case none:
			case own:
				m.fill(runs, int(sh.x), int(sh.y)-m.top, sh.paint, t.mix)
			default:
				m.fill(runs, int(sh.x), int(sh.y)-m.top, t.paint, t.mix)
			}
		}
	case opBox:
		m.box(sh)
	case opText:
		m.text(sh)
	}
}

// fill paints a mask; thin mixes the paint with what is there.
func (m *canvas) fill(mask []run, x, y int, p paint, thin bool) {
	mix := &mixed[p]
	first, _ := slices.BinarySearchFunc(mask, -y, func(r run, y int) int { return int(r.y) - y })
	for _, r := range mask[first:] {
		ry, from := y+int(r.y), x+int(r.x)
		if ry >= bandRows {
			break
		}
		to := min(from+int(r.n), width)
		from = max(from, 0)
		if from >= to {
			continue
		}
		row := m.pix[ry*width+from : ry*width+to]
		if thin && r.half {
			continue
		}
		if thin || r.half {
			for i := range row {
				row[i] = mix[row[i]&15]
			}
			continue
		}
		copy(row, solid[p][:])
	}
}

// solid is a row of each paint.
var solid = func() (rows [paints][width]byte) {
	for p := range rows {
		for i := range rows[p] {
			rows[p][i] = byte(p)
		}
	}
	return
}()

// box paints a rectangle, its corners cut round.
func (m *canvas) box(sh *shape) {
	r := int(sh.r)
	y := int(sh.y) - m.top
	for row := max(y, 0); row < min(y+int(sh.h), bandRows); row++ {
		cut := 0
		if e := max(r-(row-y), r-(int(sh.h)-1-(row-y))); e > 0 {
			for cut < r && (r-cut)*(r-cut)+e*e > r*r+r {
				cut++
			}
		}
		from, to := max(int(sh.x)+cut, 0), min(int(sh.x)+int(sh.w)-cut, width)
		if from < to {
			copy(m.pix[row*width+from:row*width+to], solid[sh.paint][:])
		}
	}
}

func (m *canvas) text(sh *shape) {
	l := letters()
	var w fixed.Int26_6
	for i := range len(sh.s) {
		w += l[sh.s[i]&127].advance
	}
	x := fixed.I(int(sh.x))
	switch sh.align {
	case middle:
		x -= w / 2
	case right:
		x -= w
	}
	for i := range len(sh.s) {
		c := &l[sh.s[i]&127]
		m.fill(c.runs, x.Round(), int(sh.y)+baseline-m.top, sh.paint, false)
		x += c.advance
	}
}

// baseline is how far below the middle of a line of text its letters stand;
// ascent and descent are how far they reach at most from there.
const (
	baseline = 9
	ascent   = 26
	descent  = 9
)

// rows are the first row of a picture that a shape paints, and the first below
// it; text may paint less.
func (sh *shape) rows() (from, to int) {
	switch sh.op {
	case opSymbol:
		m := maskOf(sh.symbol, sh.w)
		return int(sh.y) + m.rows[0], int(sh.y) + m.rows[1]
	case opBox:
		return int(sh.y), int(sh.y) + int(sh.h)
	case opText:
		return int(sh.y) + baseline - ascent, int(sh.y) + baseline + descent
	}
	return 0, 0
}

// outline calls move, straight, curve and end for every part of a layer's
// path. It trusts the table above, which a test reads through.
func outline(d string, move, straight func(x, y float32), curve func(a, b, c, d, e, f float32), end func()) {
	var cmd byte
	var x, y float32
	i := 0
	number := func() float32 {
		for i < len(d) && d[i] == ' ' {
			i++
		}
		sign, scale := float32(1), float32(0)
		if i < len(d) && d[i] == '-' {
			sign, i = -1, i+1
		}
		var v float32
		for ; i < len(d); i++ {
			if d[i] == '.' {
				scale = 1
				continue
			}
			if d[i] < '0' || d[i] > '9' {
				break
			}
			v = v*10 + float32(d[i]-'0')
			scale *= 10
		}
		if scale > 1 {
			v /= scale
		}
		return sign * v
	}
	for i < len(d) {
		if d[i] >= 'A' {
			cmd = d[i]
			i++
			if cmd == 'Z' {
				end()
				continue
			}
		}
		switch cmd {
		case 'M':
			x, y = number(), number()
			move(x, y)
		case 'L':
			x, y = number(), number()
			straight(x, y)
		case 'H':
			x = number()
			straight(x, y)
		case 'V':
			y = number()
			straight(x, y)
		case 'C':
			a, b, e, f := number(), number(), number(), number()
			x, y = number(), number()
			curve(a, b, e, f, x, y)
		default:
			panic("draw: unknown path command in a symbol")
		}
	}
}
