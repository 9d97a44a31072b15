package draw

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"angelpost/engine"
)

// Pictures makes PNGs out of bands and keeps these as long as there is room, so
// that what is wanted again, for another player, at another try or in the next
// position, is not drawn again. What is kept is known by what is drawn: players
// who see the same share it. It is safe for concurrent use.
type Pictures struct {
	bands bands

	mu      sync.Mutex
	drawing map[sceneKey]*drawing
}

// Keys are hashes over all that is drawn.
type (
	sceneKey [sha256.Size]byte
	bandKey  [sha256.Size]byte
)

// A drawing is a picture under way. Whoever wants the same waits for it.
type drawing struct {
	done chan struct{}
	png  []byte // once it is done; nil if that failed
}

// NewPictures keeps bands of at most so many bytes together.
func NewPictures(room int) *Pictures {
	return &Pictures{bands: bands{room: room / 2}, drawing: map[sceneKey]*drawing{}}
}

// PNG is the picture that the function PNG draws. It must not be changed.
func (p *Pictures) PNG(v *engine.View) []byte {
	s := newScene(v, nil)
	defer s.free()
	s.table()
	key := s.key()
	p.mu.Lock()
	if d := p.drawing[key]; d != nil {
		p.mu.Unlock()
		if <-d.done; d.png != nil {
			return d.png
		}
		return s.png(&p.bands)
	}
	d := &drawing{done: make(chan struct{})}
	p.drawing[key] = d
	p.mu.Unlock()
	defer func() { // whatever became of it
		p.mu.Lock()
		delete(p.drawing, key)
		p.mu.Unlock()
		close(d.done)
	}()
	d.png = s.png(&p.bands)
	return d.png
}

// key tells scenes of other shapes apart.
func (s *scene) key() sceneKey {
	b := make([]byte, 0, 24*len(s.shapes))
	b = binary.LittleEndian.AppendUint32(b, uint32(s.height))
	for i := range s.shapes {
		b = s.shapes[i].key(b, 0)
	}
	return sha256.Sum256(b)
}

// key appends all that is drawn of a shape, its place counted from top.
func (sh *shape) key(b []byte, top int) []byte {
	b = append(b, byte(sh.op), byte(sh.paint), byte(sh.icon), byte(sh.align), sh.r)
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
	size := len(b.bits) + bandMore
	if size > s.room {
		return
	}
	if s.size += size; s.size > s.room || s.young == nil {
		s.young, s.old, s.size = map[bandKey]*band{}, s.young, size
	}
	s.young[key] = b
}

// bandMore is what a band takes beside its bits, in a map.
const bandMore = 150
