package bot

import (
	"math/bits"

	"angelpost/engine"
	"angelpost/engine/component"
)

// space is what a mind knows of Space besides its Sky, hexes as sets by position*5+lane.
type space struct {
	n     int    // hexes
	mine  uint64 // hexes with a card of mine
	ships uint64 // hexes with a ship of mine
	full  uint64 // where no ship of mine may end
	own   [3]int // cards of mine in Space
}

func (m *space) look(sky *engine.Sky, me *engine.Standing, table *engine.Table, seat engine.Seat) {
	m.n = sky.Strips * component.Lanes
	for c := sky.Cards; c != 0; c &= c - 1 {
		if i := bits.TrailingZeros64(c); sky.Owner[i] == seat {
			m.mine |= 1 << i
			m.own[sky.Card[i].Color()]++
		}
	}
	m.ships, m.full = me.Fleet, me.Fleet|table.Full
}

func (m *mind) index(h engine.Hex) int { return (h.Strip()-m.sky.First)*component.Lanes + h.Lane() }

// reach is where ships on the set from may end after at most v hexes.
func (m *mind) reach(from uint64, v int) uint64 {
	seen, edge, near := from, from, &component.BoardOf(m.sky.Strips).Mask
	for range v {
		var next uint64
		for e := edge; e != 0; e &= e - 1 {
			next |= near[bits.TrailingZeros64(e)]
		}
		edge = next & m.sky.Open &^ seen
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
	if m.sky.Free[c]>>i&1 == 1 && m.me.Break > 0 {
		w += m.bestPlace(c, i)
	}
	return w + m.berthWorth(i)
}

// berthWorth is what a ship's standing on a hex may bring later.
func (m *mind) berthWorth(i int) int {
	c := m.sky.Card[i]
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
func (m *mind) driftWorth(s *engine.Step) int {
	to := m.index(s.To)
	if to < 0 || to >= m.n {
		return 0
	}
	worth := func(i int) int {
		w := m.berthWorth(i)
		for c := range engine.None {
			if m.sky.Free[c]>>i&1 == 1 && m.me.Hand&cardsOf(c) != 0 {
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
