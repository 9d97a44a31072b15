package draw

import (
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"angelpost/engine"
)

// Pictures keeps PNGs as long as there is room, so that one that is wanted
// again, by another player or at another try, is not drawn again. What is kept
// is known by what is drawn: players who see the same share it. It is safe for
// concurrent use.
type Pictures struct {
	room int // bytes of PNGs that may still be kept

	mu      sync.Mutex
	kept    map[sceneKey]*list.Element // of *picture
	used    list.List                  // the last used first
	drawing map[sceneKey]chan struct{} // closed when it is drawn
	drawn   int                        // how many ever
}

type sceneKey [sha256.Size]byte

type picture struct {
	key sceneKey
	png []byte
}

// NewPictures keeps PNGs of at most so many bytes together.
func NewPictures(room int) *Pictures {
	return &Pictures{room: room, kept: map[sceneKey]*list.Element{}, drawing: map[sceneKey]chan struct{}{}}
}

// PNG is the picture that the function PNG draws. It must not be changed.
func (p *Pictures) PNG(v *engine.View) []byte {
	s := newScene(v, nil)
	defer s.free()
	s.table()
	key := s.key()
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		if e := p.kept[key]; e != nil {
			p.used.MoveToFront(e)
			return e.Value.(*picture).png
		}
		other := p.drawing[key]
		if other == nil {
			return p.draw(key, s)
		}
		p.mu.Unlock()
		<-other
		p.mu.Lock()
	}
}

// draw draws a picture and keeps it. p.mu is let go of meanwhile.
func (p *Pictures) draw(key sceneKey, s *scene) []byte {
	done := make(chan struct{})
	p.drawing[key] = done
	p.drawn++
	p.mu.Unlock()
	defer func() { // whatever became of the drawing
		p.mu.Lock()
		delete(p.drawing, key)
		close(done)
	}()
	png := s.png()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept[key] = p.used.PushFront(&picture{key, png})
	for p.room -= len(png); p.room < 0; {
		old := p.used.Remove(p.used.Back()).(*picture)
		delete(p.kept, old.key)
		p.room += len(old.png)
	}
	return png
}

// key tells scenes of other shapes apart.
func (s *scene) key() sceneKey {
	b := make([]byte, 0, 24*len(s.shapes))
	b = binary.LittleEndian.AppendUint32(b, uint32(s.height))
	for i := range s.shapes {
		sh := &s.shapes[i]
		b = append(b, byte(sh.op), byte(sh.paint), byte(sh.icon), byte(sh.align), sh.r)
		for _, n := range [...]int16{sh.x, sh.y, sh.w, sh.h, int16(len(sh.s))} {
			b = binary.LittleEndian.AppendUint16(b, uint16(n))
		}
		b = append(b, sh.s...)
	}
	return sha256.Sum256(b)
}
