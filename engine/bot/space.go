package bot

import (
	"math/bits"

	"angelpost/engine"
	"angelpost/engine/component"
)

// space is what a mind knows of Space, hexes as sets by position*5+lane.
type space struct {
	n     int // hexes
	first int // running number of the nearest strip
	board *component.Board
	cards [component.MaxHexes]engine.Card
	mine  uint64    // hexes with a card of mine
	ships uint64    // hexes with a ship of mine
	full  uint64    // where no ship of mine may end
	open  uint64    // hexes a ship may pass
	free  [3]uint64 // hexes of a colour without card
	angel uint64
	own   [3]int // cards of mine in Space
}

func (m *space) look(v *engine.View) {
	m.board = component.BoardOf(len(v.Strips))
	m.n = len(v.Strips) * component.Lanes
	m.first = v.Strips[0].Number
	for i := range m.n {
		h := &v.Strips[i/component.Lanes].Hexes[i%component.Lanes]
		bit := uint64(1) << i
		if h.At == v.BlackAngel {
			m.angel = bit
		}
		if !h.Asteroid || h.At == v.BlackAngel {
			m.open |= bit
		}
		m.cards[i] = h.Card
		if h.Card != 0 && h.Owner == v.Viewer {
			m.mine |= bit
			m.own[h.Card.Color()]++
		}
		if h.Card == 0 && h.Color != engine.None && !h.Covered {
			m.free[h.Color] |= bit
		}
		for _, q := range h.Ships {
			if q == v.Viewer {
				m.ships |= bit
			}
		}
		if len(h.Ships) >= 2 {
			m.full |= bit
		}
	}
	m.full |= m.ships
}

// mayUse tells whether a die could use the Mission card on hex i (R5.6).
func (m *mind) mayUse(i int) bool {
	return (m.mine|m.ships)>>i&1 == 1 && m.set.Missions[m.cards[i]].Activation()
}

func (m *mind) index(h engine.Hex) int { return (h.Strip()-m.first)*component.Lanes + h.Lane() }

// reach is where ships on the set from may end after at most v hexes.
func (m *mind) reach(from uint64, v int) uint64 {
	seen, edge := from, from
	for range v {
		var next uint64
		for e := edge; e != 0; e &= e - 1 {
			next |= m.board.Mask[bits.TrailingZeros64(e)]
		}
		edge = next & m.open &^ seen
		seen |= edge
	}
	return seen &^ m.full
}

// siteWorth is what having a ship on a hex is worth when a Mission card of
// colour c may be placed there.
func (m *mind) siteWorth(at engine.Hex, c engine.Color) int {
	i := m.index(at)
	if i < 0 || i >= m.n {
		return 0
	}
	w := 0
	if m.free[c]>>i&1 == 1 && m.me.Break > 0 {
		w += m.bestPlace(c, i)
	}
	return w + m.berthWorth(i)
}

// berthWorth is what a ship's standing on a hex may bring later.
func (m *mind) berthWorth(i int) int {
	c := m.cards[i]
	if c == 0 {
		return 0
	}
	k := m.set.Missions[c]
	switch {
	case !k.Activation() && i/component.Lanes >= m.advances:
		return 0
	case !k.Activation():
		return 8 - i/component.Lanes
	case m.mine>>i&1 == 1:
		return 0 // my robot is there already
	}
	return 3
}

// driftWorth is what moving a ship by a tile's effect is worth.
func (m *mind) driftWorth(s engine.Step) int {
	to := m.index(s.To)
	if to < 0 || to >= m.n {
		return 0
	}
	worth := func(i int) int {
		w := m.berthWorth(i)
		for c := range engine.None {
			if m.free[c]>>i&1 == 1 && m.hand&cardsOf(c) != 0 {
				w += 3
			}
		}
		return w
	}
	if s.From == 0 {
		if m.ships != 0 || m.me.Break < 2 {
			return -4
		}
		return worth(to)
	}
	from := m.index(s.From)
	if from < 0 || from >= m.n {
		return 0
	}
	return worth(to) - worth(from)
}
