package draw

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"sync"

	"angelpost/engine"
)

// PNG is Space and the frigate as a picture of 720 pixels width with at most
// 16 colours and letters of 22 pixels, for a letter. The same View gives the
// same bytes.
func PNG(v *engine.View) []byte {
	s := newScene(v, nil)
	defer s.free()
	s.table()
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.canvas.reset(s.height)
	e.canvas.draw(s)
	return e.png(s.height)
}

// An encoder writes canvases as PNG (RFC 2083) with four bits a pixel and no
// filter. image/png does the same, but knows only three levels of compression:
// the one between its first two makes the picture a fifth smaller in half the time.
type encoder struct {
	canvas canvas
	rows   []byte // packed, each behind its filter byte
	out    bytes.Buffer
	zip    *zlib.Writer
}

var encoders = sync.Pool{New: func() any {
	e := &encoder{}
	e.zip, _ = zlib.NewWriterLevel(&e.out, 4) // 4 is a level, so there is no error
	return e
}}

func (e *encoder) png(height int) []byte {
	e.rows = e.rows[:0]
	for p := e.canvas.pix; len(p) >= width; p = p[width:] {
		e.rows = append(e.rows, 0)
		for x := 0; x < width; x += 2 {
			e.rows = append(e.rows, p[x]<<4|p[x+1])
		}
	}
	e.out.Reset()
	e.out.WriteString("\x89PNG\r\n\x1a\n")
	var head [13]byte
	binary.BigEndian.PutUint32(head[0:], width)
	binary.BigEndian.PutUint32(head[4:], uint32(height))
	head[8], head[9] = 4, 3 // bits a pixel; colours from a palette
	e.chunk("IHDR", func() { e.out.Write(head[:]) })
	e.chunk("PLTE", func() {
		for _, c := range dark {
			e.out.Write([]byte{byte(c >> 16), byte(c >> 8), byte(c)})
		}
	})
	e.chunk("IDAT", func() {
		// Writes to memory do not fail.
		e.zip.Reset(&e.out)
		e.zip.Write(e.rows)
		e.zip.Close()
	})
	e.chunk("IEND", func() {})
	return bytes.Clone(e.out.Bytes())
}

// chunk writes what body writes as a chunk of the given type.
func (e *encoder) chunk(kind string, body func()) {
	start := e.out.Len()
	e.out.WriteString("\x00\x00\x00\x00")
	e.out.WriteString(kind)
	body()
	b := e.out.Bytes()[start:]
	binary.BigEndian.PutUint32(b, uint32(len(b)-8))
	var sum [4]byte
	binary.BigEndian.PutUint32(sum[:], crc32.ChecksumIEEE(b[4:]))
	e.out.Write(sum[:])
}
