package engine

import (
	"testing"
)

// A hex shows the comet and the icons that are in sight there: none beneath a card
// or the planet (Q5.5c, Q5.5e).
func TestWhatIsCoveredIsNotSeen(t *testing.T) {
	for position, want := range map[string]struct {
		comet bool
		icons int
	}{
		"hex c14 gray*!":                       {}, // Spes lies there after seven advances
		"hex b14 gray*!":                       {true, 1},
		"hex b14 gray*!!":                      {true, 2},
		"hex b14 gray*! card 021 of 1":         {},
		"hex b14 gray*! card 021 of 1 ships 1": {},
		"hex b14 gray*! ships 1":               {true, 1},
	} {
		s, err := ParsePosition("advances 7\n" + position + "\n")
		if err != nil {
			t.Fatalf("%s: %v", position, err)
		}
		for _, strip := range s.Project(0).Strips {
			for _, h := range strip.Hexes {
				if h.At.String() == position[4:7] && (h.Comet != want.comet || h.Icons != want.icons) {
					t.Errorf("%s: comet %v, icons %d, want %v", position, h.Comet, h.Icons, want)
				}
			}
		}
	}
}
