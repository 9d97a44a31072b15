package draw

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"sync"

	"angelpost/engine"
)

// Preview is a picture of Space, the players' points and how near the game's two ends are,
// for places that show a picture next to a link.
func Preview(v *engine.View) []byte {
	s := newScene(v)
	defer s.free()
	s.preview()
	return s.png(nil)
}

// PreviewSize is how many pixels Preview has.
func PreviewSize(v *engine.View) (w, h int) { return width, fieldOf(len(v.Strips)).bottom() + 60 }

// bandRows is how many rows of pixels are drawn and packed together, independently of the
// others: we can reuse a band that another picture has, too.
const bandRows = 32

// bands is how many a scene has, the last perhaps of fewer rows.
func (s *scene) bands() int { return (s.height + bandRows - 1) / bandRows }

// png draws a scene (RFC 2083: four bits a pixel, no filter). Bands that are
// known are not drawn again; nil knows none.
func (s *scene) png(known *bands) []byte {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.sort(s)
	list := make([]*band, s.bands())
	size := 0
	for i := range list {
		key := e.key(s, i)
		if list[i] = known.get(key); list[i] == nil {
			list[i] = e.band(s, i)
			known.put(key, list[i])
		}
		size += len(list[i].blocks)
	}
	out := make([]byte, 0, size+1024)
	out = append(out, "\x89PNG\r\n\x1a\n"...)
	var head [13]byte
	binary.BigEndian.PutUint32(head[0:], width)
	binary.BigEndian.PutUint32(head[4:], uint32(s.height))
	head[8], head[9] = 4, 3 // bits a pixel; colours from a palette
	out = chunk(out, "IHDR", func(b []byte) []byte { return append(b, head[:]...) })
	out = chunk(out, "PLTE", func(b []byte) []byte {
		for _, c := range palette {
			b = append(b, byte(c>>16), byte(c>>8), byte(c))
		}
		return b
	})
	out = chunk(out, "IDAT", func(b []byte) []byte { return appendZlib(b, list) })
	return chunk(out, "IEND", func(b []byte) []byte { return b })
}

// chunk appends what body appends as a chunk of the given type.
func chunk(out []byte, kind string, body func([]byte) []byte) []byte {
	start := len(out)
	out = body(append(append(out, "\x00\x00\x00\x00"...), kind...))
	b := out[start:]
	binary.BigEndian.PutUint32(b, uint32(len(b)-8))
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(b[4:]))
}

// An encoder draws and packs bands.
type encoder struct {
	touch  [][]int32 // by band: the shapes that touch it
	text   []byte    // what a key is made of
	canvas canvas
	rows   [bandRows * pitch]byte // two pixels a byte, each row after its filter byte
	zip    deflater
}

var encoders = sync.Pool{New: func() any { return &encoder{} }}

// pitch is the length of a packed row.
const pitch = 1 + width/2

// sort puts a scene's shapes to the bands they touch.
func (e *encoder) sort(s *scene) {
	count := s.bands()
	for len(e.touch) < count {
		e.touch = append(e.touch, nil)
	}
	for i := range e.touch {
		e.touch[i] = e.touch[i][:0]
	}
	for i := range s.shapes {
		from, to := s.shapes[i].rows()
		for b := max(from, 0) / bandRows; b < count && b*bandRows < to; b++ {
			e.touch[b] = append(e.touch[b], int32(i))
		}
	}
}

// key tells apart bands of other shapes.
func (e *encoder) key(s *scene, n int) bandKey {
	top := n * bandRows
	e.text = append(e.text[:0], byte(min(bandRows, s.height-top)))
	for _, i := range e.touch[n] {
		e.text = s.shapes[i].key(e.text, top)
	}
	return sha256.Sum256(e.text)
}

// band draws and packs a band.
func (e *encoder) band(s *scene, n int) *band {
	top := n * bandRows
	e.canvas.begin(top)
	for _, i := range e.touch[n] {
		e.canvas.paint(&s.shapes[i])
	}
	rows := e.rows[:min(bandRows, s.height-top)*pitch]
	halve(rows, e.canvas.pix[:])
	return e.zip.compress(rows)
}

// halve puts two pixels, four bits each, into a byte.
func halve(rows, pix []byte) {
	for ; len(rows) >= pitch && len(pix) >= width; rows, pix = rows[pitch:], pix[width:] {
		to, from := (*[width / 2]byte)(rows[1:]), (*[width]byte)(pix)
		for i := 0; i < len(to); i += 4 {
			p := binary.LittleEndian.Uint64(from[2*i : 2*i+8])
			p = (p<<4 | p>>8) & 0x00ff00ff00ff00ff
			p = (p | p>>8) & 0x0000ffff0000ffff
			binary.LittleEndian.PutUint32(to[i:i+4], uint32(p|p>>16))
		}
	}
}
