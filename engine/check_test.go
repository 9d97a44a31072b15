package engine

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// SamePosition reports whether two positions at the start of a turn are alike
// in everything Facts prints.
func SamePosition(a, b *State) bool {
	return slices.Equal(Facts(a), Facts(b))
}

// Check holds a position to what is conserved and limited.
func Check(s *State) error {
	n := int(s.lastSeat())
	for i := range n {
		if err := s.checkPlayer(i); err != nil {
			return fmt.Errorf("seat %d: %w", i+1, err)
		}
	}
	if err := s.checkBoard(); err != nil {
		return err
	}
	return s.checkCards()
}

// checkBoard looks at the dice, the ships and the frigate.
func (s *State) checkBoard() error {
	n := int(s.lastSeat())
	for c := range 3 {
		dice := int(s.dice[c] + s.damaged[c])
		for i := range n {
			for v := range 4 {
				dice += int(s.p[i].std[c][v] + s.p[i].sec[c][v])
			}
		}
		if s.neutralDie[c] > 0 {
			dice++
		}
		if s.dieColor == Color(c) && s.seat != 0 && !s.finished {
			dice++
		}
		if want := n + 2; dice != want {
			return fmt.Errorf("R1.2: %d %s dice, not %d", dice, Color(c), want)
		}
	}
	var fleets [64]int
	for i := range n {
		for m := s.fleet[i]; m != 0; m &= m - 1 {
			h := bits.TrailingZeros64(m)
			if fleets[h]++; fleets[h] > 2 {
				return fmt.Errorf("R5.5: %d ships on %s", fleets[h], s.hex(h))
			}
		}
	}
	for l := range 6 {
		if s.damage[l] > 2 || s.nrav[l] > 3 {
			return fmt.Errorf("R5.5: location %d has %d Damage, %d Ravagers", l+1, s.damage[l], s.nrav[l])
		}
	}
	return nil
}

func (s *State) checkPlayer(i int) error {
	p := &s.p[i]
	robots := int(p.brk+p.robots+p.station[0]+p.station[1]+p.station[2]) + bits.OnesCount64(s.fleet[i])
	for h := range s.card {
		if s.card[h] != 0 && int(s.owner[h]) == i+1 {
			robots++
		}
	}
	for l := range s.trapped {
		for k := range s.trapped[l] {
			robots += int(s.trapped[l][k][i])
		}
	}
	if robots != 16 {
		return fmt.Errorf("R1.3: %d robots", robots)
	}
	if p.vp < 0 {
		return fmt.Errorf("R9.1: %d VP", p.vp)
	}
	sum := 0
	for _, n := range p.by {
		sum += int(n)
	}
	if sum != int(p.vp) {
		return fmt.Errorf("VP by source sum to %d, not %d", sum, p.vp)
	}
	limit := 6
	for _, d := range p.debts[:p.ndebts] {
		if d.Ask == AskDiscard {
			limit += int(d.N)
		}
	}
	if hand := bits.OnesCount64(p.hand); hand > limit && s.seat != Seat(i+1) && s.seat != 0 {
		return fmt.Errorf("R3.2: %d Mission cards in hand", hand)
	}
	for k, c := range p.grid {
		if c.debris && (c.tile == 0 || c.tile.Advanced()) {
			return fmt.Errorf("R5.4: Debris on %s at %s", c.tile, Cell(k+1))
		}
		if c.boost && (c.tile == 0 || c.tile.Advanced() || c.tile.Starting() || c.debris || !s.advanced) {
			return fmt.Errorf("R14.1: %s at %s lies boost side up", c.tile, Cell(k+1))
		}
	}
	return nil
}

// checkCards finds every card and tile in at most one place, and all those a
// game of New has; positions of tests may have lost some (out of the game).
func (s *State) checkCards() error {
	seen := map[string]string{}
	var err error
	put := func(name, place string) {
		if was, ok := seen[name]; ok && err == nil {
			err = fmt.Errorf("R1.4: %s lies in %s and in %s", name, was, place)
		}
		seen[name] = place
	}
	for _, f := range append(Facts(s), "injection "+list(s.inject[:])) {
		for _, n := range components(f) {
			if n[0] != 's' {
				put(n, f)
			}
		}
	}
	return err
}

// components are the cards and tiles a fact names.
func components(fact string) (out []string) {
	w := strings.Fields(fact)
	if w[0] == "hex" {
		w = w[2:] // lane a would pass for an Advanced tile
	}
	for _, f := range w {
		name, second, _ := strings.Cut(strings.TrimSuffix(f, ","), "+")
		if strings.Contains(fact, " owes ") { // cards to choose from lie nowhere else
			if len(second) == 3 {
				out = append(out, name, second)
			}
			continue
		}
		if isComponent(name) {
			out = append(out, name)
		}
	}
	return out
}

// Count is how many cards and Technology tiles the game still knows.
func Count(s *State) (missions, ravagers, technology, advanced int) {
	for _, f := range append(Facts(s), "injection "+list(s.inject[:])) {
		for _, name := range components(f) {
			switch {
			case name[0] == 't':
				technology++
			case name[0] == 'a':
				advanced++
			case name[0] == 's':
			case name >= "061":
				ravagers++
			default:
				missions++
			}
		}
	}
	return missions, ravagers, technology, advanced
}

func isComponent(w string) bool {
	if len(w) < 2 || strings.Trim(w[1:], "0123456789") != "" {
		return false
	}
	return strings.Contains("tsa", w[:1]) || len(w) == 3 && w[0] <= '0'+9 && w[0] >= '0'
}

// ShareSet gives s the very component set of t, so that what is made of them
// can be compared; positions parsed have a set each.
func ShareSet(s, t *State) { s.set = t.set }

// Streams is how many streams of chance there are.
const Streams = int(streams)
