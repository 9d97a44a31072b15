package draw

import (
	"image"
	"image/draw"
	"slices"
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

// A run is a stretch of pixels of a mask, relative to the icon's centre or the
// letter's origin.
type run struct {
	y, x, n int16
	half    bool // the edge of the shape passes through: mix
}

// Masks of icons by size and of letters are made when first wanted and kept:
// sizes and letters come from this package's own layout, so they are few.
var masks sync.Map // maskKey -> []run

type maskKey struct {
	icon icon
	size int16
}

func iconMask(i icon, size int16) []run {
	key := maskKey{i, size}
	if m, ok := masks.Load(key); ok {
		return m.([]run)
	}
	// An icon may reach a sixth beyond its square (hexes, rings).
	half := int(size)*2/3 + 2
	r := vector.NewRasterizer(2*half, 2*half)
	k, c := float32(size)/100, float32(half)
	outline(iconPaths[i],
		func(x, y float32) { r.MoveTo(c+x*k, c+y*k) },
		func(x, y float32) { r.LineTo(c+x*k, c+y*k) },
		func(a, b, e, f, x, y float32) { r.CubeTo(c+a*k, c+b*k, c+e*k, c+f*k, c+x*k, c+y*k) },
		r.ClosePath)
	m := runs(r, half, half)
	masks.Store(key, m)
	return m
}

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
					e := (int(dark[a]>>s&255)+int(dark[b]>>s&255))/2 - int(dark[c]>>s&255)
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
	p := sh.paint
	if p == paper {
		p = bright
	}
	switch sh.op {
	case opIcon:
		m.fill(iconMask(sh.icon, sh.w), int(sh.x), int(sh.y)-m.top, p)
	case opBox:
		m.box(sh, p)
	case opText:
		m.text(sh, p)
	}
}

func (m *canvas) fill(mask []run, x, y int, p paint) {
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
		if r.half {
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
func (m *canvas) box(sh *shape, p paint) {
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
			copy(m.pix[row*width+from:row*width+to], solid[p][:])
		}
	}
}

func (m *canvas) text(sh *shape, p paint) {
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
		m.fill(c.runs, x.Round(), int(sh.y)+baseline-m.top, p)
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
	case opIcon:
		if m := iconMask(sh.icon, sh.w); len(m) > 0 {
			return int(sh.y) + int(m[0].y), int(sh.y) + int(m[len(m)-1].y) + 1
		}
	case opBox:
		return int(sh.y), int(sh.y) + int(sh.h)
	case opText:
		return int(sh.y) + baseline - ascent, int(sh.y) + baseline + descent
	}
	return 0, 0
}
