package engine

import "angelpost/engine/component"

// Boosts (section 14): Technology tiles come boost side up; using the boost, or
// activating the tile, turns it to its standard side.

// The kinds of boost, B1-B4.
const (
	boostVP      = 1 + iota // 2 VP for performing the printed action
	boostThree              // a die of the colour counts as 3
	boostColor              // a die of the colour counts as another colour
	boostReserve            // in B a die of the colour is reserved free
)

// boostOf returns the print of the tile on cell c of p's grid if it is boost side up and
// has that kind of boost. ok is false for any other tile.
func (s *State) boostOf(p *player, c Cell, kind uint8) (t component.Tile, ok bool) {
	if !p.grid[c-1].boost {
		return t, false
	}
	t = s.set.Tiles[p.grid[c-1].tile]
	return t, t.Boost == kind
}

// standard turns a tile to its standard side: activated, it gives its boost up
// (R14.1, Q14.1).
func (s *State) standard(seat Seat, c Cell, t *Tale) {
	if on := &s.p[seat-1].grid[c-1]; on.boost {
		on.boost = false
		t.add(Event{Kind: EvTurned, Seat: seat, Cell: c, Tile: on.tile})
	}
}

// A kit is the boosts a seat has for a die, as sets of colours: bit c tells
// that a tile can make a die of colour c a 3, or another colour.
type kit struct{ three, color uint8 }

// kit returns the boosts of the tiles that are boost side up on the grid, without the tile
// at cell without (0: none).
func (s *State) kit(p *player, without Cell) (k kit) {
	for i, c := range p.grid {
		if !c.boost || Cell(i+1) == without {
			continue
		}
		switch t := s.set.Tiles[c.tile]; t.Boost {
		case boostThree:
			k.three |= 1 << t.For
		case boostColor:
			k.color |= 1 << t.For
		}
	}
	return k
}

const allColors = 1<<None - 1

// reach is what a die of colour c and value v can count as by boosts: the
// colours it can have as it is, and those it can have as a 3. A boost looks at
// the colour the die then has (Q14.2): to count as a 3 of another colour it may
// first take on the colour for which a tile makes it a 3. Each tile serves
// once, but no way needs two of a kind and colour.
func (k kit) reach(c Color, v uint8) (same, three uint8) {
	same = 1 << c
	if k.color&same != 0 {
		same = allColors
	}
	if v == 3 {
		return same, 0
	}
	for d := Orange; d <= Green; d++ {
		if same&k.three>>d&1 == 0 {
			continue
		}
		three |= 1 << d
		if k.color>>d&1 == 1 {
			three = allColors
		}
	}
	return same, three
}

// boosted is pairsFor for all that a die can count as by boosts.
func (s *State) boosted(seat Seat, k kit, c Color, v uint8, res, deb uint16) (out pairs) {
	same, three := k.reach(c, v)
	for d := Orange; d <= Green; d++ {
		if same>>d&1 == 1 {
			out |= s.pairsFor(seat, d, v, res, deb)
		}
		if three>>d&1 == 1 {
			out |= s.pairsFor(seat, d, 3, res, deb)
		}
	}
	return out
}

// boostable reports whether boosts make a die of colour c and value v useful.
func (s *State) boostable(seat Seat, k kit, c Color, v uint8, res, deb uint16) bool {
	return k != (kit{}) && s.boosted(seat, k, c, v, res, deb) != 0
}

// pledged is the pairs that are left once a B1 was turned for an action: its
// alone. Without one, all of them.
func (s *State) pledged(action component.Action, do pairs) pairs {
	if action == component.NoAction {
		return do
	}
	var of pairs
	for loc := 1; loc <= 6; loc++ {
		if s.set.Locs[loc].Action == action {
			of |= 1 << (loc - 1)
		}
	}
	return do & of
}

// boostSteps lists the boosts that fit the die taken and leave something it can
// do (Q14.2, Q4.7). A B1 names the action that the die is then used for; after
// it the die keeps its colour. A boost that would change nothing does not fit.
func (s *State) boostSteps(seat Seat, buf []Step) []Step {
	p := &s.p[seat-1]
	res, deb := p.resources, p.debris
	for c := Cell(1); c <= 9; c++ {
		if !p.grid[c-1].boost {
			continue
		}
		t := s.set.Tiles[p.grid[c-1].tile]
		if t.For != s.hue {
			continue
		}
		st := Step{Kind: Boost, Cell: c}
		k := s.kit(p, c)
		switch t.Boost {
		case boostVP:
			if s.pledge != component.NoAction && s.pledge != t.Action {
				continue
			}
			if s.pledged(t.Action, s.inColor(seat, k, s.dieValue, res, deb)) != 0 {
				buf = append(buf, st)
			}
		case boostThree:
			if s.dieValue == 3 {
				continue
			}
			do := s.pledged(s.pledge, s.inColor(seat, k, 3, res, deb))
			if s.pledge == component.NoAction {
				do = s.boosted(seat, k, s.hue, 3, res, deb)
			}
			if do != 0 {
				buf = append(buf, st)
			}
		case boostColor:
			if s.pledge != component.NoAction {
				continue
			}
			st.Use = AsColor
			for _, d := range s.hue.Others() {
				if s.boosted(seat, k, d, s.dieValue, res, deb) != 0 {
					st.Color = d
					buf = append(buf, st)
				}
			}
		}
	}
	return buf
}

// inColor is what the die taken, with value v, can do in the colour it has now,
// as it is or made a 3.
func (s *State) inColor(seat Seat, k kit, v uint8, res, deb uint16) pairs {
	do := s.pairsFor(seat, s.hue, v, res, deb)
	if v < 3 && k.three>>s.hue&1 == 1 {
		do |= s.pairsFor(seat, s.hue, 3, res, deb)
	}
	return do
}

// boost turns a tile for its boost (R14.2).
func (s *State) boost(seat Seat, st Step, t *Tale) {
	on := &s.p[seat-1].grid[st.Cell-1]
	on.boost = false
	switch tile := s.set.Tiles[on.tile]; tile.Boost {
	case boostVP:
		s.pledge = tile.Action
		s.pledges++
	case boostThree:
		s.dieValue = 3
	case boostColor:
		s.hue = st.Color
	}
	t.add(Event{Kind: EvBoosted, Seat: seat, Cell: st.Cell, Tile: on.tile, Color: s.hue, Value: s.dieValue})
}

// reserveSteps lists, in B, the reservation that is paid for, unless that is
// made, and one for each B4 (R6.2, R14.2, Q14.2).
func (s *State) reserveSteps(seat Seat, buf []Step) []Step {
	p := &s.p[seat-1]
	if !s.did && p.resources > 0 {
		buf = s.reservations(seat, buf)
	}
	if !s.advanced {
		return buf
	}
	for c := Cell(1); c <= 9; c++ {
		t, ok := s.boostOf(p, c, boostReserve)
		if !ok {
			continue
		}
		for v, n := range p.std[t.For] {
			if n > 0 {
				buf = append(buf, Step{Kind: Reserve, Color: t.For, Value: uint8(v), Cell: c})
			}
		}
	}
	return buf
}

// canReserve reports whether reserveSteps lists anything: the game does not ask players who
// can reserve nothing (Q6.2b).
func (s *State) canReserve(seat Seat) bool {
	p := &s.p[seat-1]
	if !s.did && p.resources > 0 && p.std != [3][4]uint8{} {
		return true
	}
	if !s.advanced {
		return false
	}
	for c := Cell(1); c <= 9; c++ {
		if t, ok := s.boostOf(p, c, boostReserve); ok && p.std[t.For] != [4]uint8{} {
			return true
		}
	}
	return false
}
