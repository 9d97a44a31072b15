package bot

import (
	"math/bits"

	"angelpost/engine"
	"angelpost/engine/component"
)

// actWorth is what an action with a die of value v is worth at a location.
func (m *mind) actWorth(loc uint8, v int) int {
	at := &m.set.Locs[loc]
	if m.table.Damage[loc-1] == 2 {
		v = max(v-1, 0)
	}
	w := 0
	switch at.Action {
	case component.Discover:
		w = m.discoverWorth(v)
	case component.Repair:
		w = m.repairWorth(v)
	case component.Destroy:
		w = m.destroyWorth(m.bestLocations(v))
	case component.Command:
		w = m.commandWorth(at.Color, v)
	}
	return w - m.ravagerCost(loc)
}

// ravagerCost is what the topmost Ravager takes before the action (R4.7).
func (m *mind) ravagerCost(loc uint8) int {
	top := m.table.Top[loc-1]
	if top == 0 {
		return 0
	}
	switch m.set.Ravagers[top].Effect {
	case 3:
		return 8
	case 4:
		return 9
	case 5:
		return 7
	}
	return 1
}

// tileWorth is what having a tile on the grid is worth.
func (m *mind) tileWorth(t engine.Tile) int {
	switch {
	case t == 0:
		return 0
	case t.Advanced():
		return m.advancedWorth(t)
	case m.late:
		return 2
	}
	return 6 + m.activationWorth(m.set.Tiles[t])/2
}

// advancedWorth is what another Advanced tile is worth: its VP (R8.6) as things
// stand, and half of what is missing from four.
func (m *mind) advancedWorth(t engine.Tile) int {
	kind := m.set.Advanced[t-engine.FirstAdvanced+1]
	n := m.elements(kind)
	m.eachAdvanced(func(own engine.Tile) {
		if own != t && m.set.Advanced[own-engine.FirstAdvanced+1] == kind {
			n -= 2 // tiles of a kind need different elements
		}
	})
	n = max(n, 0)
	if n >= 2 {
		return 4*point + 2*min(n-2, 2)
	}
	if m.late {
		return 2 * point * n
	}
	return 2*point*n + point*(2-n)
}

// elements counts what Advanced tiles of a kind score (R8.6).
func (m *mind) elements(kind uint8) int {
	n := 0
	switch kind {
	case 1, 2, 3:
		for _, c := range m.me.Grid {
			if c.Tile != 0 && !c.Tile.Advanced() && m.set.Tiles[c.Tile].Color == engine.Color(kind-1) {
				n++
			}
		}
	case 4:
		n = bits.OnesCount64(m.me.Ejected)
	case 5:
		n = m.me.Debris
		for _, c := range m.me.Grid {
			if c.Debris {
				n++
			}
		}
	case 6:
		n = bits.OnesCount32(m.me.Ravagers)
	case 7:
		n = 1
		m.eachAdvanced(func(engine.Tile) { n++ })
	case 8:
		n = m.own[0] + m.own[1] + m.own[2]
	}
	return n
}

func (m *mind) eachAdvanced(do func(engine.Tile)) {
	for _, c := range m.me.Grid {
		if c.Tile.Advanced() {
			do(c.Tile)
		}
	}
	for _, t := range m.me.Spaces {
		if t != 0 {
			do(t)
		}
	}
	for all := m.me.EjectedAdvanced; all != 0; all &= all - 1 {
		do(engine.FirstAdvanced + engine.Tile(bits.TrailingZeros16(all)))
	}
}

// discoverWorth is what a Discover of value v could take, estimated by tiles
// and not by sets.
func (m *mind) discoverWorth(v int) int {
	w := 0
	advanced, cheap := 0, 0
	for _, t := range m.table.Slots {
		advanced = max(advanced, m.tileWorth(t))
	}
	for i, cost := range m.set.Costs {
		if m.table.Display[i] != 0 && cost == 1 {
			cheap++
		}
	}
	if v >= 2 && advanced > 2*10 {
		w += advanced
		v -= 2
	}
	n := min(v, cheap)
	w += 10 * n
	if v-n >= 2 {
		w += 10
	}
	return w
}

// repairWorth is what removing v cubes is worth.
func (m *mind) repairWorth(v int) int {
	cubes := 0
	for _, n := range m.table.Damage {
		cubes += int(n)
	}
	for _, n := range m.table.Damaged {
		cubes += int(n)
	}
	spots := 0
	for _, c := range m.me.Grid {
		if c.Tile != 0 && !c.Tile.Advanced() && !c.Debris {
			spots++
		}
	}
	n := min(v, cubes)
	return 4*n + 8*min(n, spots)
}

// cubeWorth prefers cubes that hurt and tiles that give most.
func (m *mind) cubeWorth(s *engine.Step) int {
	w := 0
	if s.Loc <= 6 && m.table.Damage[s.Loc-1] == 2 {
		w = 2
	}
	if s.Cell == 0 {
		return w + m.goodWorth(engine.Debris)
	}
	return w + 2 + m.effectWorth(s)
}

// bestLocations is the set of locations whose Ravagers a value of v destroys
// most of.
func (m *mind) bestLocations(v int) uint8 {
	all := uint8(0) // locations with Ravagers
	for l, n := range m.table.Attackers {
		if n > 0 {
			all |= 1 << l
		}
	}
	best, most := uint8(0), 0
	for set := -all & all; set != 0; set = (set - all) & all { // the subsets of all, ascending
		n := 0
		for l := set; l != 0; l &= l - 1 {
			n += int(m.table.Attackers[bits.TrailingZeros8(l)])
		}
		if n <= v && n > most {
			best, most = set, n
		}
	}
	return best
}

func (m *mind) destroyWorth(locs uint8) int {
	w := 0
	for ; locs != 0; locs &= locs - 1 {
		l := bits.TrailingZeros8(locs)
		w += 6*int(m.table.Attackers[l]) + int(m.table.Caught[l])*m.goodWorth(engine.Robot)
	}
	return w
}

// commandWorth is what Command Your Ships with a die of that colour is worth:
// the best card it could place, or moving a ship.
func (m *mind) commandWorth(c engine.Color, v int) int {
	card := m.bestPlace(c, -1)
	if v == 0 {
		if m.ships&m.sky.Free[c] == 0 || m.me.Break == 0 {
			return -point
		}
		return card
	}
	if card > 0 && m.me.Break > 0 && m.reach(m.ships, v)&m.sky.Free[c] != 0 {
		return card
	}
	if m.me.Ships > 0 && m.me.Break > 0 {
		if card > 0 && m.me.Break > 1 && m.reach(1<<m.sky.Angel, v)&m.sky.Free[c] != 0 {
			return card - 2
		}
		if m.ships == 0 {
			return 6
		}
	}
	return 0
}

// collectWorth returns what one activation of a Mission card is worth besides VP and price,
// in tenths of a VP.
func (m *mind) collectWorth(c engine.Card) int {
	if c == 0 || c > component.Missions {
		return 0
	}
	k := m.set.Missions[c]
	own := [...]engine.Good{engine.Ship, engine.Resource, engine.Robot}
	x := own[k.Color]
	third := [...][3]engine.Good{
		3: {engine.Resource, engine.Ship, engine.Resource},
		4: {engine.Robot, engine.Robot, engine.Ship},
	}
	switch k.Kind {
	case 1:
		return 2 * m.goodWorth(x)
	case 2:
		return m.goodWorth(x)
	case 3, 4:
		return m.goodWorth(x) + m.goodWorth(third[k.Kind][k.Color])
	}
	return 0
}

// priceOf is what a Collect step pays beyond the goods its card names: tiles
// and cards are chosen, and the cheapest should go.
func (m *mind) priceOf(s *engine.Step) int {
	w := 0
	for _, t := range s.Tiles {
		if t == 0 {
			continue
		}
		w += 3
		for _, c := range m.me.Grid {
			if c.Tile == t {
				w += m.tileWorth(t)
			}
		}
	}
	for _, c := range [...]engine.Card{s.Card, s.Card2} {
		if c != 0 {
			w += m.cardWorth(c)
		}
	}
	return w
}

// useWorth is what a die of value v on a Mission card in Space is worth, VP
// included, as far as its price can be paid.
func (m *mind) useWorth(c engine.Card, v int) int {
	k := m.set.Missions[c]
	one, times := m.collectWorth(c), v
	have := [...]int{m.me.Ships, m.me.Resources, m.me.Break}
	y := [...]int{m.technologies(), m.me.Debris, bits.OnesCount32(m.me.Ravagers)}
	x, other := have[k.Color], y[k.Color]
	switch k.Kind {
	case 2:
		one += point
	case 5:
		one, times = 2*point-6, min(v, x)
	case 6:
		one, times = 3*point-12, min(v, x/2)
	case 7:
		one, times = 2*point-6, min(v, other)
	case 8:
		one, times = 3*point-12, min(v, other/2)
	case 9:
		one, times = 3*point-11, min(v, m.me.Resources, other)
	case 10:
		one, times = 3*point-13, min(v, m.me.Break, other)
	case 11:
		one, times = 3*point-12, min(v, m.me.Ships, other)
	case 12:
		one, times = 3*point-13, min(v, x, bits.OnesCount64(m.me.Hand))
	}
	return one * times
}

// technologies counts the Technology tiles that could be spent (section 10).
func (m *mind) technologies() int {
	n := bits.OnesCount64(m.me.Ejected)
	for _, c := range m.me.Grid {
		if c.Tile != 0 && !c.Tile.Advanced() {
			n++
		}
	}
	return n
}

// injectWorth prefers arrows that eject nothing, or bring an Advanced tile to a
// space where many cards are tucked.
func (m *mind) injectWorth(s *engine.Step) int {
	cells := [3]int{int(s.Slot-1) * 3, int(s.Slot-1)*3 + 1, int(s.Slot-1)*3 + 2}
	if s.Slot > 3 {
		col := int(s.Slot) - 4
		cells = [3]int{6 + col, 3 + col, col}
	}
	w := 0
	for _, c := range cells {
		if m.me.Grid[c].Tile == 0 {
			return 20
		}
	}
	last := m.me.Grid[cells[2]]
	w -= m.tileWorth(last.Tile) / 2
	if last.Debris {
		w += m.goodWorth(engine.Debris)
	}
	if last.Tile.Advanced() {
		w = 0
		if s.Space > 0 {
			w = 4 + 4*m.me.Tucked[s.Space-1]
		}
	}
	return w
}
