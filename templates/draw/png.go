package draw

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"

	"angelpost/engine"
)

// PNG is Space and the frigate as a picture of 720 pixels width with at most
// 16 colours and letters of 22 pixels, for a letter. The same View gives the
// same bytes.
func PNG(v *engine.View) []byte {
	s := newScene(v, nil)
	defer s.free()
	s.table()
	return s.png()
}

// png draws a scene.
func (s *scene) png() []byte {
	var e *encoder
	select {
	case e = <-encoders:
	default:
		e = &encoder{}
	}
	defer func() {
		select {
		case encoders <- e:
		default:
		}
	}()
	e.canvas.reset(s.height)
	e.canvas.draw(s)
	return e.png(s.height)
}

// An encoder writes canvases as PNG (RFC 2083) with four bits a pixel and no
// filter.
type encoder struct {
	canvas canvas
	rows   []byte // packed, each behind its filter byte
	zip    deflater
	out    []byte
}

// encoders are those not in use. They are large, a megabyte and a half, so two
// are kept, and outlive a garbage collection, as they would not in a sync.Pool.
var encoders = make(chan *encoder, 2)

// pitch is the length of a packed row.
const pitch = 1 + width/2

func (e *encoder) png(height int) []byte {
	e.pack()
	e.out = append(e.out[:0], "\x89PNG\r\n\x1a\n"...)
	var head [13]byte
	binary.BigEndian.PutUint32(head[0:], width)
	binary.BigEndian.PutUint32(head[4:], uint32(height))
	head[8], head[9] = 4, 3 // bits a pixel; colours from a palette
	e.chunk("IHDR", func(b []byte) []byte { return append(b, head[:]...) })
	e.chunk("PLTE", func(b []byte) []byte {
		for _, c := range dark {
			b = append(b, byte(c>>16), byte(c>>8), byte(c))
		}
		return b
	})
	e.chunk("IDAT", func(b []byte) []byte { return e.zip.zlib(b, e.rows, pitch) })
	e.chunk("IEND", func(b []byte) []byte { return b })
	return bytes.Clone(e.out)
}

// pack puts two pixels of the canvas, four bits each, into a byte.
func (e *encoder) pack() {
	height := len(e.canvas.pix) / width
	e.rows = slices.Grow(e.rows[:0], height*pitch)[:height*pitch]
	for y := range height {
		from, to := e.canvas.pix[y*width:(y+1)*width], e.rows[y*pitch:(y+1)*pitch]
		to[0] = 0
		for to = to[1:]; len(from) >= 8 && len(to) >= 4; from, to = from[8:], to[4:] {
			p := binary.LittleEndian.Uint64(from)
			p = (p<<4 | p>>8) & 0x00ff00ff00ff00ff
			p = (p | p>>8) & 0x0000ffff0000ffff
			binary.LittleEndian.PutUint32(to, uint32(p|p>>16))
		}
	}
}

// chunk writes what body appends as a chunk of the given type.
func (e *encoder) chunk(kind string, body func([]byte) []byte) {
	start := len(e.out)
	e.out = body(append(append(e.out, "\x00\x00\x00\x00"...), kind...))
	b := e.out[start:]
	binary.BigEndian.PutUint32(b, uint32(len(b)-8))
	e.out = binary.BigEndian.AppendUint32(e.out, crc32.ChecksumIEEE(b[4:]))
}
