package draw

import (
	"bytes"
	"sync"
	"testing"
)

// Of each of five positions four viewers want the picture, twice and at once.
func TestAPictureIsDrawnOnce(t *testing.T) {
	p := NewPictures(4 << 20)
	seen := map[bandKey]bool{}
	for i := range 5 {
		for viewer := range 4 {
			e := new(encoder)
			s := newScene(makeView(4, viewer, i))
			s.letter()
			e.sort(s)
			for n := range s.bands() {
				seen[e.key(s, n)] = true
			}
		}
		for range 2 {
			for viewer := range 4 {
				var wait sync.WaitGroup
				for range 2 {
					wait.Go(func() {
						v := makeView(4, viewer, i)
						if !bytes.Equal(p.PNG(v), PNG(v)) {
							t.Errorf("position %d, viewer %d: another picture", i, viewer)
						}
					})
				}
				wait.Wait()
			}
			if p.bands.drawn != len(seen) {
				t.Errorf("%d bands drawn of %d", p.bands.drawn, len(seen))
			}
		}
	}
}

// A step of a game leaves most of the picture as it was.
func TestLittleIsDrawnAnew(t *testing.T) {
	v := makeView(4, 1, 2)
	p := NewPictures(1 << 20)
	p.PNG(v)
	drawn := p.bands.drawn
	v.Players[0].Resources++
	v.Locs[2].Damage++
	p.PNG(v)
	if n := p.bands.drawn - drawn; n < 2 || n > drawn/3 {
		t.Errorf("%d bands of %d drawn anew", n, drawn)
	}
}

func TestPicturesAreBounded(t *testing.T) {
	const room = 200 << 10
	p := NewPictures(room)
	for i := range 30 {
		p.PNG(makeView(4, 0, i))
	}
	size := 0
	for _, m := range []map[bandKey]*band{p.bands.young, p.bands.old} {
		for _, b := range m {
			size += len(b.blocks) + bandMore
		}
	}
	if size > room || size < room/3 {
		t.Errorf("%d bytes kept, room for %d", size, room)
	}
	drawn := p.bands.drawn
	p.PNG(makeView(4, 0, 29))
	if p.bands.drawn != drawn {
		t.Error("the youngest was not kept")
	}
	p.PNG(makeView(4, 0, 0))
	if p.bands.drawn == drawn {
		t.Error("the oldest was kept")
	}
	if none := NewPictures(0); !bytes.Equal(none.PNG(makeView(2, 0, 0)), PNG(makeView(2, 0, 0))) || len(none.bands.young) != 0 {
		t.Error("without room")
	}
}

// BenchmarkKnownPNG makes a picture nothing of which must be drawn.
func BenchmarkKnownPNG(b *testing.B) {
	v := makeView(4, 1, 0)
	p := NewPictures(1 << 20)
	b.ReportAllocs()
	for b.Loop() {
		p.PNG(v)
	}
}
