package engine

import (
	"math/bits"

	"angelpost/engine/component"
)

// A pairs set is what one die can be used for: bit n-1 for the action at
// location n, bit 8+i for the Mission card at hex index i.
type pairs uint64

const missionPairs = 8

// pairsFor is what a die of colour c and value v, after flip and purchase, can
// do for seat with res resources and deb Debris left in storage. Legality is
// judged after the Ravager's effect (Q4.7); at least one activation must be
// possible (R4.6).
func (s *State) pairsFor(seat Seat, c Color, v uint8, res, deb uint16) pairs {
	var out pairs
	for loc := uint8(1); loc <= 6; loc++ {
		if s.set.Locs[loc].Color == c && s.canAct(seat, loc, v) {
			out |= 1 << (loc - 1)
		}
	}
	if v > 0 {
		for m := s.cards & s.chart.color[c]; m != 0; m &= m - 1 {
			if i := bits.TrailingZeros64(m); s.canUse(seat, i, res, deb) {
				out |= 1 << (missionPairs + i)
			}
		}
	}
	return out
}

// topmost is the Ravager on top at loc, 0 if there is none (R4.7).
func (s *State) topmost(loc uint8) Card {
	if n := s.nrav[loc-1]; n > 0 {
		return s.rav[loc-1][n-1]
	}
	return 0
}

// value is what a die of value v counts at loc (R4.7).
func (s *State) value(loc, v uint8) uint8 {
	if s.damage[loc-1] == 2 && v > 0 {
		return v - 1
	}
	return v
}

// canAct reports whether the action at loc can be chosen with a die of value v:
// whether, after the Ravager's effect, something legal would be left (Q4.7).
func (s *State) canAct(seat Seat, loc, v uint8) bool {
	at := s.set.Locs[loc]
	if s.first && v > 0 && (at.Action != component.Command || s.value(loc, v) == 0) {
		return true // though nothing may come of it (R17.1)
	}
	v = s.value(loc, v)
	p := &s.p[seat-1]
	if v == 0 && at.Action != component.Command {
		return false
	}
	switch at.Action {
	case component.Discover: // R5.1
		for i, cost := range s.set.Costs {
			if s.display[i] != 0 && cost <= v {
				return true
			}
		}
		return v >= 2 && s.slots != [4]Tile{}
	case component.Repair: // R5.4
		return s.cubes() > 0 || s.cubeFrom(s.topmost(loc))
	case component.Destroy: // R5.7
		for _, n := range s.nrav {
			if n > 0 && n <= v {
				return true
			}
		}
		return false
	}
	brk, effect := p.brk, s.set.Ravagers[s.topmost(loc)].Effect
	if effect == 5 && brk > 0 {
		brk--
	}
	if v > 0 {
		return s.canMove(seat, int(v), brk)
	}
	own := p.missionsOf(at.Color)
	if effect == 3 && own == p.missions() {
		own-- // V3 takes one of this very colour
	}
	return own > 0 && brk > 0 && s.sites(seat, at.Color) != 0
}

// something tells, once the action's value is fixed, whether anything of it can
// be done.
func (s *State) something(seat Seat) bool {
	switch s.set.Locs[s.loc].Action {
	case component.Discover:
		for i, cost := range s.set.Costs {
			if s.display[i] != 0 && cost <= s.left {
				return true
			}
		}
		return s.left >= 2 && s.slots != [4]Tile{}
	case component.Repair:
		return s.left > 0 && s.cubes() > 0
	case component.Destroy:
		for _, n := range s.nrav {
			if n > 0 && n <= s.left {
				return true
			}
		}
		return false
	}
	p := &s.p[seat-1]
	return s.left > 0 || p.brk > 0 && p.hand&handMask[s.hue] != 0 && s.sites(seat, s.hue) != 0
}

// cubes counts the Damage cubes on actions and dice.
func (s *State) cubes() int {
	n := 0
	for _, d := range s.damage {
		n += int(d)
	}
	for _, d := range s.damaged {
		n += int(d)
	}
	return n
}

// cubeFrom reports whether the permanent effect of a Ravager would place a cube,
// where there is none so far (V1, V2).
func (s *State) cubeFrom(card Card) bool {
	r := s.set.Ravagers[card]
	return r.Effect == 1 || r.Effect == 2 && s.dice[r.Die] > 0
}

// canUse reports whether seat may use a die of its colour on the Mission card at
// index i: activation kind, its robot (as owner) or a ship on it, and one
// activation can be paid (R5.6, R4.6).
func (s *State) canUse(seat Seat, i int, res, deb uint16) bool {
	if s.owner[i] != seat && s.mine(seat)>>i&1 == 0 {
		return false
	}
	if s.first { // R17.1
		return s.set.Missions[s.card[i]].Activation()
	}
	return s.payable(seat, s.card[i], res, deb)
}

// The goods of section 10: X by colour, and the second good of M3 and M4.
var (
	goodX = [3]Good{Ship, Resource, Robot}
	goodM = [3][2]Good{{Resource, Robot}, {Ship, Robot}, {Resource, Ship}}
)

// payable reports whether seat could pay one activation of the Mission card with
// what it holds, res and deb standing for its storage; false for
// neutralization cards.
func (s *State) payable(seat Seat, card Card, res, deb uint16) bool {
	m := s.set.Missions[card]
	p := &s.p[seat-1]
	x := [3]uint16{p.ships, res, uint16(p.brk)}[m.Color]
	switch {
	case m.Kind <= 4:
		return true
	case m.Kind == 5:
		return x >= 1
	case m.Kind == 6:
		return x >= 2
	case m.Kind == 12:
		return x >= 1 && (p.missions() > 0 || !s.rules.apart && s.choosing(seat)) // Q3.3b
	case m.Kind > 12:
		return false
	}
	var y int
	switch m.Color {
	case Orange:
		y = p.techs()
	case Gray:
		y = int(deb)
	default:
		y = p.ravagers()
	}
	switch m.Kind {
	case 7:
		return y >= 1
	case 8:
		return y >= 2
	case 9:
		return res >= 1 && y >= 1
	case 10:
		return p.brk >= 1 && y >= 1
	default: // 11
		return p.ships >= 1 && y >= 1
	}
}

// A dieChoice is one die seat could take, with what it could then do.
type dieChoice struct {
	step  Step
	plain pairs // what it can do without boosts
}

// eachDie calls yield for every die seat could take in A2: its own, its own
// turned for a Debris (R4.5), and the unreserved ones of others for a resource
// (R4.4, R13.2), each with what it can do as it is; it stops when yield returns
// false. Dice that can do nothing, boosts counted (Q3.1), are left out.
func (s *State) eachDie(seat Seat, yield func(d dieChoice) bool) {
	p := &s.p[seat-1]
	flip := p.debris > 0 && !s.flipped
	var k kit
	if s.advanced {
		k = s.kit(p, 0)
	}
	for c := range p.std {
		if p.std[c] == [4]uint8{} && p.sec[c] == [4]uint8{} {
			continue
		}
		for v := range uint8(4) {
			std, sec := p.std[c][v] > 0, p.sec[c][v] > 0
			if !std && !sec {
				continue
			}
			step := Step{Kind: TakeDie, Color: Color(c), Value: v}
			plain := s.pairsFor(seat, Color(c), v, p.resources, p.debris)
			if plain != 0 || s.boostable(seat, k, Color(c), v, p.resources, p.debris) {
				if std && !yield(dieChoice{step, plain}) {
					return
				}
				step.Secure = true
				if sec && !yield(dieChoice{step, plain}) {
					return
				}
				step.Secure = false
			}
			if !flip {
				continue
			}
			step.Flip = true
			plain = s.pairsFor(seat, Color(c), v^2, p.resources, p.debris-1)
			if plain != 0 || s.boostable(seat, k, Color(c), v^2, p.resources, p.debris-1) {
				if std && !yield(dieChoice{step, plain}) {
					return
				}
				step.Secure = true
				if sec && !yield(dieChoice{step, plain}) {
					return
				}
			}
		}
	}
	if p.resources > 0 {
		s.eachSale(seat, k, yield)
	}
}

// lastSeat is the last seat that has dice: Hal's, if he plays.
func (s *State) lastSeat() Seat {
	if s.solo {
		return Hal
	}
	return Seat(s.players)
}

// eachSale is eachDie's part for the dice of others, by seat, the neutral
// player's last.
func (s *State) eachSale(seat Seat, k kit, yield func(d dieChoice) bool) {
	p := &s.p[seat-1]
	var do [3][4]pairs // what a bought die of colour and value can do as it is
	var able, known [3][4]bool
	sell := func(c Color, v uint8, from Seat) bool {
		if !known[c][v] {
			do[c][v], known[c][v] = s.pairsFor(seat, c, v, p.resources-1, p.debris), true
			able[c][v] = do[c][v] != 0 || s.boostable(seat, k, c, v, p.resources-1, p.debris)
		}
		return !able[c][v] || yield(dieChoice{Step{Kind: TakeDie, Color: c, Value: v, Seller: from}, do[c][v]})
	}
	for other := range uint8(s.lastSeat()) {
		q := &s.p[other]
		if Seat(other+1) == seat || q.std == [3][4]uint8{} {
			continue
		}
		for c := range q.std {
			for v, n := range q.std[c] {
				if n > 0 && !sell(Color(c), uint8(v), Seat(other+1)) {
					return
				}
			}
		}
	}
	for c, v := range s.neutralDie {
		if v > 0 && !sell(Color(c), v-1, Neutral) {
			return
		}
	}
}

// pair reports whether at least one (die, action) pair is legal (Q3.1).
func (s *State) pair(seat Seat) bool {
	any := false
	s.eachDie(seat, func(dieChoice) bool {
		any = true
		return false
	})
	return any
}
