package draw

import (
	"bytes"
	"sync"
	"testing"
)

func TestAPictureIsDrawnOnce(t *testing.T) {
	p := NewPictures(1 << 20)
	var wait sync.WaitGroup
	for i := range 40 { // each of five positions for each of four viewers, twice
		wait.Go(func() {
			v := makeView(4, i%4, i/4%5)
			if !bytes.Equal(p.PNG(v), PNG(v)) {
				t.Errorf("position %d, viewer %d: another picture", i/4%5, i%4)
			}
		})
	}
	wait.Wait()
	if p.drawn != 5 {
		t.Errorf("%d pictures drawn of 5 positions", p.drawn)
	}
}

func TestPicturesAreBounded(t *testing.T) {
	const room = 200 << 10
	p := NewPictures(room)
	for i := range 30 {
		p.PNG(makeView(4, 0, i))
	}
	size := 0
	for _, e := range p.kept {
		size += len(e.Value.(*picture).png)
	}
	if size > room || size < room/2 || size+p.room != room || p.used.Len() != len(p.kept) || len(p.drawing) != 0 {
		t.Errorf("%d bytes in %d pictures, room for %d more, %d being drawn", size, len(p.kept), p.room, len(p.drawing))
	}
	drawn := p.drawn
	p.PNG(makeView(4, 0, 29))
	if p.drawn != drawn {
		t.Error("the youngest was not kept")
	}
	p.PNG(makeView(4, 0, 0))
	if p.drawn != drawn+1 {
		t.Error("the oldest was kept")
	}
	if none := NewPictures(0); !bytes.Equal(none.PNG(makeView(2, 0, 0)), PNG(makeView(2, 0, 0))) || len(none.kept) != 0 {
		t.Error("without room")
	}
}
