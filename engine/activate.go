package engine

import (
	"math/bits"

	"angelpost/engine/component"
)

// tileAt returns the Technology tile at a cell that can be activated. ok is false if the
// cell is empty or has an Advanced tile (R4.2).
func (p *player) tileAt(c Cell) (Tile, bool) {
	t := p.grid[c-1].tile
	return t, t != 0 && !t.Advanced()
}

// neighbours are the cells an orange Td (above, below) or a gray one (left,
// right) at c may reach; 0 where there is none.
func neighbours(c Cell, color Color) [2]Cell {
	var out [2]Cell
	if color == Orange {
		if c.Row() > 1 {
			out[0] = c - 3
		}
		if c.Row() < 3 {
			out[1] = c + 3
		}
		return out
	}
	if c.Column() > 1 {
		out[0] = c - 1
	}
	if c.Column() < 3 {
		out[1] = c + 1
	}
	return out
}

// chains reports whether the tile is an orange or gray Td (Q12.1).
func (s *State) chains(t Tile) bool {
	k := s.set.Tiles[t]
	return k.Effect == component.Td && k.Color != Green
}

// effects appends, for the tile at cell, every choice of its effect (section
// 12) as a copy of base with the choice filled in; nothing if the effect has
// no legal choice.
func (s *State) effects(seat Seat, cell Cell, base Step, buf []Step) []Step {
	p := &s.p[seat-1]
	tile, ok := p.tileAt(cell)
	if !ok {
		return buf
	}
	k := s.set.Tiles[tile]
	base.Cell = cell
	if k.Effect != component.Td || k.Color == Green {
		return s.choices(seat, k, base, buf)
	}
	for _, via := range neighbours(cell, k.Color) {
		if via == 0 {
			continue
		}
		if t, ok := p.tileAt(via); ok && !s.chains(t) {
			base.Via = via
			buf = s.choices(seat, s.set.Tiles[t], base, buf)
		}
	}
	return buf
}

// choices appends the choices of one tile's own effect.
func (s *State) choices(seat Seat, k component.Tile, base Step, buf []Step) []Step {
	p := &s.p[seat-1]
	add := func(st Step) { buf = append(buf, st) }
	switch k.Effect {
	case component.Ta, component.Tb:
		add(base)
		return buf
	case component.Td: // green: any colour may be named (Q4.9b)
		base.Use = Draw
		for _, c := range component.Colors {
			base.Color = c
			add(base)
		}
		return buf
	case component.Start: // Tb or Tc
		st := base
		st.Use, st.Good = TakeGood, goodX[k.Color]
		add(st)
	}
	switch k.Color {
	case Orange:
		return s.moves(seat, 2, true, base, buf)
	case Gray:
		if k.Effect == component.Start {
			base.Use, base.Good = TakeGood, Debris
		}
		add(base)
	case Green:
		for _, c := range component.Colors {
			base.Color = c
			if p.brk > 0 {
				base.Use = ToStation
				add(base)
			}
			if p.station[c] > 0 {
				base.Use = FromStation
				add(base)
			}
		}
	}
	return buf
}

// moves appends every move and launch of seat with v steps (R5.5 step 1); zero
// counts them from 0 (Q12.2).
func (s *State) moves(seat Seat, v int, zero bool, base Step, buf []Step) []Step {
	if base.Kind != MoveShip {
		base.Use = Move
	}
	for m := s.mine(seat); m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		base.From = s.hex(i)
		for d := s.destinations(seat, i, v, zero); d != 0; d &= d - 1 {
			base.To = s.hex(bits.TrailingZeros64(d))
			buf = append(buf, base)
		}
	}
	if p := &s.p[seat-1]; p.ships > 0 && p.brk > 0 {
		base.From = 0
		for d := s.destinations(seat, -1, v, zero); d != 0; d &= d - 1 {
			base.To = s.hex(bits.TrailingZeros64(d))
			buf = append(buf, base)
		}
	}
	return buf
}

// activations appends what the card played may still activate (R4.2).
func (s *State) activations(seat Seat, buf []Step) []Step {
	for m := s.allowed; m != 0; m &= m - 1 {
		buf = s.effects(seat, Cell(bits.TrailingZeros16(m)+1), Step{Kind: Activate}, buf)
	}
	return buf
}

// activate carries out the effect a step names for the tile at its Cell.
func (s *State) activate(seat Seat, st Step, cause uint8, src Random, t *Tale) {
	p := &s.p[seat-1]
	cell := st.Cell
	tile := p.grid[cell-1].tile
	s.standard(seat, cell, t)
	t.add(Event{Kind: EvActivated, Seat: seat, Cell: cell, Tile: tile, Cause: cause})
	if st.Via != 0 {
		tile = p.grid[st.Via-1].tile
		s.standard(seat, st.Via, t)
		t.add(Event{Kind: EvActivated, Seat: seat, Cell: st.Via, Tile: tile, Via: cell, Cause: cause})
	} else if s.chains(tile) {
		return // put on a Td that reaches nothing (Q5.4a)
	}
	k := s.set.Tiles[tile]
	switch st.Use {
	case TakeGood:
		s.gain(seat, st.Good, 1, ByTile, t)
	case Move:
		from := -1
		if st.From != 0 {
			from = s.index(st.From)
		}
		s.move(seat, from, s.index(st.To), t)
	case ToStation:
		p.brk--
		p.station[st.Color]++
		t.add(Event{Kind: EvRobotMoved, Seat: seat, Color: st.Color, Flag: true})
		if s.neutral[st.Color] { // R13.4
			s.neutral[st.Color] = false
			t.add(Event{Kind: EvNeutralOut, Seat: seat, Color: st.Color})
		}
	case FromStation:
		p.station[st.Color]--
		p.brk++
		t.add(Event{Kind: EvRobotMoved, Seat: seat, Color: st.Color})
	case Draw:
		if s.advanced || s.first {
			s.drawTwo(seat, st.Color, src, t)
		} else {
			s.drawMission(seat, st.Color, src, t)
		}
	case NoUse:
		switch {
		case k.Effect == component.Ta:
			s.gain(seat, VP, 1, ByTile, t)
		case k.Effect == component.Tb:
			s.gain(seat, goodX[k.Color], 1, ByTile, t)
		case k.Effect == component.Tc && k.Color == Gray:
			s.gain(seat, Debris, 1, ByTile, t)
		}
	}
}
