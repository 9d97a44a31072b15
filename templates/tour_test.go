package templates

import (
	"testing"
	"time"

	"angelpost/engine"
	"angelpost/templates/draw"
)

// The tour shows a card, a flight, a Mission placed and a Ravager, and its pictures are
// small.
func TestTour(t *testing.T) {
	before := time.Now()
	tour := theTour()
	if tour == nil {
		t.Fatal("no game has such a turn")
	}
	t.Logf("found in %v", time.Since(before))
	if !has(tour.told[1], engine.EvMoved) || !has(tour.told[2], engine.EvPlaced) || !has(tour.told[2], engine.EvAttack) {
		t.Error("nothing flies, is placed or attacks")
	}
	p := draw.NewPictures(1 << 20)
	for i, v := range tour.views {
		if n := len(p.Space(v)); n > 25_000 {
			t.Errorf("picture %d has %d bytes", i, n)
		}
	}
}
