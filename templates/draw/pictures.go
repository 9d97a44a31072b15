package draw

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"golang.org/x/sync/singleflight"

	"angelpost/engine"
)

// Pictures makes PNGs out of bands and keeps these as long as there is room, so
// that what is wanted again, for another player, at another try or in the next
// position, is not drawn again. What is kept is known by what is drawn: players
// who see the same share it. It is safe for concurrent use.
type Pictures struct {
	bands   bands
	drawing singleflight.Group // by scene: callers who want the same picture share it
}

// A bandKey is a hash over all that is drawn.
type bandKey [sha256.Size]byte

// NewPictures keeps bands of at most so many bytes together.
func NewPictures(room int) *Pictures {
	return &Pictures{bands: bands{room: room / 2}}
}

// PNG returns Space, the rooms and the viewer's own board, for the public without it, as a
// picture of 720 pixels width with at most 16 colours and letters of 24 pixels, for a
// letter. The same View gives the same bytes, which must not be changed.
func (p *Pictures) PNG(v *engine.View) []byte { return p.draw(v, (*scene).letter) }

// Space is PNG of Space alone.
func (p *Pictures) Space(v *engine.View) []byte {
	return p.draw(v, func(s *scene) { s.height = s.space() })
}

func (p *Pictures) draw(v *engine.View, draw func(s *scene)) []byte {
	s := newScene(v)
	defer s.free()
	draw(s)
	png, _, _ := p.drawing.Do(s.key(), func() (any, error) { return s.png(&p.bands), nil })
	return png.([]byte)
}

// key tells scenes of other shapes apart.
func (s *scene) key() string {
	b := make([]byte, 0, 24*len(s.shapes))
	b = binary.LittleEndian.AppendUint32(b, uint32(s.height))
	for i := range s.shapes {
		b = s.shapes[i].key(b, 0)
	}
	sum := sha256.Sum256(b)
	return string(sum[:])
}

// key appends all that is drawn of a shape, its place counted from top.
func (sh *shape) key(b []byte, top int) []byte {
	b = append(b, byte(sh.op), byte(sh.paint), byte(sh.symbol), byte(sh.align), sh.r)
	for _, n := range [...]int16{sh.x, sh.y - int16(top), sh.w, sh.h, int16(len(sh.s))} {
		b = binary.LittleEndian.AppendUint16(b, uint16(n))
	}
	return append(b, sh.s...)
}

// bands are those wanted lately, by their keys: the younger, and perhaps as
// many again that are older. They are safe for concurrent use.
type bands struct {
	room int // bytes of the younger

	mu         sync.Mutex
	young, old map[bandKey]*band
	size       int // of the younger
	drawn      int // how many ever
}

// get is the band of a key, nil if it is not kept.
func (s *bands) get(key bandKey) *band {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.young[key]; b != nil {
		return b
	}
	b := s.old[key]
	if b != nil {
		s.add(key, b)
	}
	return b
}

// put keeps a band that was drawn.
func (s *bands) put(key bandKey, b *band) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drawn++
	s.add(key, b)
}

func (s *bands) add(key bandKey, b *band) {
	size := len(b.blocks) + bandMore
	if size > s.room {
		return
	}
	if s.size += size; s.size > s.room || s.young == nil {
		s.young, s.old, s.size = map[bandKey]*band{}, s.young, size
	}
	s.young[key] = b
}

// bandMore is what a band takes in a map besides its bits, in bytes.
const bandMore = 150
