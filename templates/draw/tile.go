package draw

import (
	"angelpost/engine"
	"angelpost/engine/component"
)

// tile draws a tile or its empty place, 82 by 68, with what lies on it.
func (s *scene) tile(t engine.Tile, x, y int, on engine.CellView) {
	if t == 0 || t > engine.LastTile {
		s.frame(line, ground, x, y, 82, 68, 8, 2)
		return
	}
	if t.Advanced() {
		s.frame(bright, ground, x, y, 82, 68, 8, 3)
		s.text(left, bright, x+10, y+19, tileName(t))
		s.icon(iconPlus, bright, x+67, y+18, 14)
		if s.v.Set != nil {
			s.text(middle, bright, x+41, y+48, "K"+num(int(s.v.Set.Advanced[t-engine.FirstAdvanced+1])))
		}
		return
	}
	var p component.Tile
	if s.v.Set != nil {
		p = s.v.Set.Tiles[t]
	}
	s.frame(colorPaint(p.Color), fieldPaint(p.Color), x, y, 82, 68, 8, 3)
	s.text(left, bright, x+9, y+19, tileName(t))
	s.icon(species(p.Color), colorPaint(p.Color), x+65, y+18, 20)
	switch {
	case on.Boost: // its other side lies up (R14.1)
		s.boostSide(p, x, y)
	case on.Debris && p.Effect == component.Start && p.Color <= engine.Green: // less room: no stroke between
		s.icon(tbIcon[p.Color], bright, x+16, y+47, 18)
		s.icon(tcIcon[p.Color], bright, x+37, y+47, 18)
	case on.Debris:
		s.effect(p, x+27, y+47)
	default:
		s.effect(p, x+41, y+47)
	}
	if on.Debris {
		s.box(red, x+50, y+34, 28, 28, 5)
		s.icon(iconCube, paper, x+64, y+48, 22)
	}
}

// boostSide draws a boost as a plate of the colour that it is for, which no
// standard side has: 2 VP, "counts as 3", "any colour", a free reservation
// (R14.2). Where that is not the tile's colour, the plate begins with its sign.
func (s *scene) boostSide(p component.Tile, x, y int) {
	s.box(colorPaint(p.For), x+5, y+33, 72, 30, 15)
	mid := x + 41
	if p.For != p.Color && p.Boost < 4 {
		s.icon(species(p.For), ink, x+17, y+48, 14)
		mid = x + 50
	}
	switch p.Boost {
	case 1:
		if mid > x+41 {
			s.text(middle, ink, mid, y+48, "+2")
		} else {
			s.text(middle, ink, mid, y+48, "+2VP")
		}
	case 2:
		s.text(middle, ink, mid, y+48, "= 3")
	case 3:
		if mid > x+41 {
			s.icon(iconRight, ink, x+32, y+48, 12)
		}
		for c := engine.Orange; c <= engine.Green; c++ {
			at, size := x+21+int(c)*20, 16
			if mid > x+41 {
				at, size = x+44+int(c)*13, 11
			}
			s.icon(species(c), ink, at, y+48, size)
		}
	case 4:
		s.icon(iconLock, ink, x+29, y+48, 22)
		s.icon(species(p.For), ink, x+53, y+48, 16)
	}
}

// effect draws what a tile does (section 12) around x y, about 60 wide.
func (s *scene) effect(p component.Tile, x, y int) {
	c := p.Color
	if c > engine.Green {
		return
	}
	switch p.Effect {
	case component.Ta:
		s.text(middle, bright, x, y, "1VP")
	case component.Tb:
		s.icon(tbIcon[c], bright, x, y, 28)
	case component.Tc:
		s.tc(c, x, y)
	case component.Td:
		switch c {
		case engine.Orange:
			s.icon(iconUpDown, bright, x, y, 30)
		case engine.Gray:
			s.icon(iconLeftRight, bright, x, y, 30)
		case engine.Green:
			s.icon(iconPlus, bright, x-11, y, 16)
			s.icon(iconCard, bright, x+9, y, 26)
		}
	case component.Start:
		s.icon(tbIcon[c], bright, x-20, y, 20)
		s.text(middle, bright, x-5, y, "/")
		if c == engine.Orange {
			s.icon(iconRight, bright, x+10, y, 16)
			s.text(left, bright, x+20, y, "2")
			break
		}
		s.icon(tcIcon[c], bright, x+15, y, 22)
	}
}

// tbIcon are the goods Tb takes.
var tbIcon = [3]icon{iconDart, iconGem, iconHead}

// tcIcon are Tc in one sign: a ship that moves, Debris, a robot that walks.
var tcIcon = [3]icon{iconRight, iconCube, iconLeftRight}

func (s *scene) tc(c engine.Color, x, y int) {
	switch c {
	case engine.Orange:
		s.icon(iconDart, bright, x-20, y, 22)
		s.icon(iconRight, bright, x+3, y, 18)
		s.text(left, bright, x+16, y, "2")
	case engine.Gray:
		s.icon(iconCube, bright, x, y, 28)
	case engine.Green:
		s.icon(iconHead, bright, x-15, y, 26)
		s.icon(iconLeftRight, bright, x+14, y, 24)
	}
}
