package bot

import (
	"math/bits"

	"angelpost/engine"
	"angelpost/engine/component"
)

// point is what 1 VP counts in a mind's estimates.
const point = 10

// A mind is what greedy works out once for a choice. Everything it estimates is
// in tenths of a VP, by rules of thumb: they order steps sensibly and claim no
// more.
type mind struct {
	set   *component.Set
	seat  engine.Seat
	me    engine.Standing
	sky   engine.Sky
	table engine.Table
	late  bool // the last round: goods hardly count

	advances int // of the Black Angel still to come, if nothing else ends the game
	space

	best [engine.None][4]struct {
		done bool
		w    int
	} // bestUse, by colour and value: cached because it is called again and again
}

func (m *mind) look(s *engine.State, set *component.Set, seat engine.Seat) {
	*m = mind{set: set, seat: seat, me: s.Standing(seat), sky: s.Sky(), table: s.Table(seat)}
	m.late, m.advances = m.sky.Last, m.sky.Advances
	m.space.look(&m.sky, &m.me, &m.table, seat)
}

// worth returns what a step seems to be worth besides the VP it wins at once, in tenths of
// a VP.
func (m *mind) worth(s *engine.Step) int {
	switch s.Kind {
	case engine.PlayCard:
		return m.playWorth(s)
	case engine.Activate:
		return m.effectWorth(s) + 1
	case engine.FlipDie: // then to be taken
		turned := *s
		turned.Value ^= 2
		return m.dieWorth(&turned) - m.goodWorth(engine.Debris) - 2
	case engine.TakeDie:
		return m.dieWorth(s)
	case engine.Boost:
		return m.boostWorth(s)
	case engine.Act:
		return m.actWorth(s.Loc, int(m.table.Die.Value))
	case engine.UseCard:
		return m.useWorth(s.Card, int(m.table.Die.Value))
	case engine.TakeTiles:
		w := 0
		for _, t := range s.Tiles {
			w += m.tileWorth(t)
		}
		return w
	case engine.Inject:
		return m.injectWorth(s)
	case engine.Cube:
		return m.cubeWorth(s)
	case engine.MoveShip:
		return m.siteWorth(s.To, m.table.Die.Color)
	case engine.Place:
		return m.placeWorth(s.Card, m.index(s.To))
	case engine.Locations:
		return bits.OnesCount8(s.Locs) + m.destroyWorth(s.Locs)
	case engine.Collect:
		return m.collectWorth(m.table.Card) - m.priceOf(s)
	case engine.Reroll:
		return m.rerollWorth()
	case engine.Reserve:
		return m.reserveWorth(s)
	case engine.Discard:
		return -m.cardWorth(s.Card)
	case engine.Keep:
		return m.cardWorth(s.Card)
	}
	return 0 // Done, Decline, Pass
}

// goodWorth is what one more of a good is worth to someone who has n.
func (m *mind) goodWorth(g engine.Good) int {
	if m.late {
		if g == engine.Debris {
			return 1
		}
		return point / 2
	}
	n, first, later := 0, 0, 0
	switch g {
	case engine.Ship:
		n, first, later = m.me.Ships, 9, 5
	case engine.Resource:
		n, first, later = m.me.Resources, 8, 4
	case engine.Robot:
		n, first, later = m.me.Break/2, 9, 6
	case engine.Debris:
		n, first, later = m.me.Debris, 5, 3
	}
	if n < 2 {
		return first
	}
	return later
}

// cardWorth is what holding a card is worth.
func (m *mind) cardWorth(c engine.Card) int {
	if c.Ravager() {
		return 7
	}
	w := m.missionWorth(c)
	if bits.OnesCount64(m.me.Hand&cardsOf(c.Color())) == 1 {
		w += 3 // the last of its colour
	}
	return w
}

// holds counts the hand.
func (m *mind) holds() int { return bits.OnesCount64(m.me.Hand) + bits.OnesCount32(m.me.Ravagers) }

func cardsOf(c engine.Color) uint64 { return (1<<20 - 1) << (20*c + 1) }

// missionWorth returns what a Mission card may bring once it is in Space, without its
// reward.
func (m *mind) missionWorth(c engine.Card) int {
	k := m.set.Missions[c].Kind
	others := c.Color().Others()
	switch {
	case k <= 4:
		return 9
	case k <= 12:
		return 10
	case k <= 14:
		return 12
	case k <= 16:
		return 20
	case k <= 18:
		return 8 + 12*m.own[others[k-17]]
	default:
		return 8 + 12*m.me.Tucked[others[k-19]]
	}
}

// placeWorth returns what placing a Mission card on hex i is worth, besides VP. If i < 0
// the hex is not known yet.
func (m *mind) placeWorth(c engine.Card, i int) int {
	k := m.set.Missions[c]
	w := m.missionWorth(c) - m.goodWorth(engine.Robot) - 4
	w += int(k.Reward.Robots)*m.goodWorth(engine.Robot) + int(k.Reward.Resources)*m.goodWorth(engine.Resource) + int(k.Reward.Ships)*m.goodWorth(engine.Ship)
	if i < 0 {
		return w
	}
	away := i / component.Lanes // advances that pass before the card is ejected
	switch {
	case !k.Activation() && away >= m.advances:
		return w - m.missionWorth(c)
	case !k.Activation():
		return w - 2*away
	}
	return w + min(2*away, 6)
}

// bestPlace is the best Mission card of a colour to place on hex i, its
// reward's VP included; 0 if none.
func (m *mind) bestPlace(c engine.Color, i int) int {
	best := 0
	for h := m.me.Hand & cardsOf(c); h != 0; h &= h - 1 {
		card := engine.Card(bits.TrailingZeros64(h))
		best = max(best, m.placeWorth(card, i)+point*int(m.set.Missions[card].Reward.VP))
	}
	return best
}

// playWorth is what placing a card at a slot is worth: what its activations may
// give, less the card.
func (m *mind) playWorth(s *engine.Step) int {
	gives := 0
	for i := range 3 {
		cell := int(s.Slot-1)*3 + i
		if s.Slot > 3 {
			cell = i*3 + int(s.Slot) - 4
		}
		t := m.me.Grid[cell].Tile
		if t == 0 || t.Advanced() || !s.Card.Ravager() && m.set.Tiles[t].Color != s.Card.Color() {
			continue
		}
		gives += m.activationWorth(m.set.Tiles[t])
	}
	if gives == 0 {
		return -point
	}
	cost := m.cardWorth(s.Card) / 2
	if m.late || m.holds() > 6 {
		cost = 0
	}
	return turnFirst + gives - cost
}

// turnFirst lifts what comes before the die, if it is worth anything, above
// every die.
const turnFirst = 200

// activationWorth is what activating a tile is worth, VP included.
func (m *mind) activationWorth(t component.Tile) int {
	good := engine.Good(engine.Ship)
	switch t.Color {
	case engine.Gray:
		good = engine.Resource
	case engine.Green:
		good = engine.Robot
	}
	switch t.Effect {
	case component.Ta:
		return point
	case component.Tb, component.Start:
		return m.goodWorth(good)
	case component.Tc:
		if t.Color == engine.Gray {
			return m.goodWorth(engine.Debris)
		}
		return 3
	}
	return 6 // Td
}

// effectWorth returns what an activation, with its choice, is worth besides VP.
func (m *mind) effectWorth(s *engine.Step) int {
	switch s.Use {
	case engine.TakeGood:
		return m.goodWorth(s.Good)
	case engine.Move:
		return m.driftWorth(s)
	case engine.ToStation:
		if m.late || m.me.Break < 3 {
			return -5
		}
		return 12 - 4*int(m.me.Stations[s.Color])
	case engine.FromStation:
		if m.me.Break > 0 || m.me.Stations[s.Color] < 2 {
			return -8
		}
		return 2
	case engine.Draw:
		if m.holds() >= 8 || m.late {
			return 0
		}
		return 6 - bits.OnesCount64(m.me.Hand&cardsOf(s.Color))
	}
	cell := s.Cell
	if s.Via != 0 {
		cell = s.Via
	}
	t := m.me.Grid[cell-1].Tile
	if t == 0 || m.set.Tiles[t].Effect == component.Ta {
		return 0 // its VP are counted elsewhere
	}
	return m.activationWorth(m.set.Tiles[t])
}

// dieWorth is what taking a die is worth: the best it could do, less what it
// costs. The player's own dice go first, as those left at B cost VP.
func (m *mind) dieWorth(s *engine.Step) int {
	v := int(s.Value)
	cost := 0
	if s.Flip {
		v = [4]int{2, 3, 0, 1}[v] // opposite faces (R1.2)
		cost += m.goodWorth(engine.Debris) + 1
	}
	if s.Seller != 0 {
		cost += m.goodWorth(engine.Resource) + 4
	} else {
		v0 := int(s.Value)
		cost -= v0 // or it is lost at B
	}
	if s.Secure {
		cost += 3 // it may wait
	}
	return max(0, m.bestUse(s.Color, v), m.bestBoost(s.Color, v)) - cost
}

// bestUse is the best that a die of colour c and value v could do, at least 0.
func (m *mind) bestUse(c engine.Color, v int) int {
	known := &m.best[c][v]
	if !known.done {
		known.done, known.w = true, m.reckonUse(c, v)
	}
	return known.w
}

func (m *mind) reckonUse(c engine.Color, v int) int {
	best := 0
	for loc := uint8(1); loc <= 6; loc++ {
		if m.set.Locs[loc].Color == c {
			best = max(best, m.actWorth(loc, v))
		}
	}
	if v > 0 {
		for on := m.sky.Cards & (m.mine | m.ships); on != 0; on &= on - 1 {
			card := m.sky.Card[bits.TrailingZeros64(on)]
			if card.Color() == c && m.set.Missions[card].Activation() {
				best = max(best, m.useWorth(card, v))
			}
		}
	}
	return best
}

// boostCost is what turning a tile for its boost costs: it serves but once.
const boostCost = 6

// bestBoost is the best that a die could do by one boost of the grid; 0 if
// there is none for it.
func (m *mind) bestBoost(c engine.Color, v int) int {
	best := 0
	for i, on := range m.me.Grid {
		if t := m.set.Tiles[min(int(on.Tile), len(m.set.Tiles)-1)]; on.Boost && t.For == c {
			best = max(best, m.boostWorth(&engine.Step{Kind: engine.Boost, Cell: engine.Cell(i + 1), Use: engine.AsColor, Color: c.Others()[0], Value: uint8(v)}))
		}
	}
	return best
}

// boostWorth is what a boost is worth for the die in use, or for one of the
// step's value that is only thought of.
func (m *mind) boostWorth(s *engine.Step) int {
	t := m.set.Tiles[m.me.Grid[s.Cell-1].Tile]
	v := int(s.Value)
	if m.table.Die.Color != engine.None {
		v = int(m.table.Die.Value)
	}
	switch t.Boost {
	case 1:
		best := 0
		for loc := uint8(1); loc <= 6; loc++ {
			if l := m.set.Locs[loc]; l.Color == t.For && l.Action == t.Action {
				best = max(best, m.actWorth(loc, v))
			}
		}
		return best + 2*point - boostCost/2
	case 2:
		if v == 3 {
			return 0
		}
		return m.bestUse(t.For, 3) - boostCost
	case 3:
		return m.bestUse(s.Color, v) - boostCost
	}
	return 0
}

// rerollWorth is what sequence B seems worth, the VP it costs or wins not
// counted: it brings new dice, when few are left.
func (m *mind) rerollWorth() int {
	w := 6
	for _, dice := range m.me.Standard {
		for v, n := range dice {
			w -= 3 * v * int(n)
		}
	}
	return w
}

func (m *mind) reserveWorth(s *engine.Step) int {
	w := 4*int(s.Value) - 7
	if s.Cell != 0 {
		return w + 7 - boostCost
	}
	if m.table.Asked == engine.AskReserveFree {
		return w + 7
	}
	if m.me.Resources < 2 {
		w -= 6
	}
	return w
}
