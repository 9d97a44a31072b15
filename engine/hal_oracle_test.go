package engine

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"angelpost/engine/component"
	"angelpost/engine/component/settest"
)

// TestPropertyHalOracle lets a second account of section 15 take Hal's turn in
// positions of random solo games, most of them spoilt at random so that the rare
// branches come up, and holds the whole State after it to the engine's. What a
// player's turn does alike (a roll, an attack, a tile that appears, the Black
// Angel's advance) is the engine's own.
func TestPropertyHalOracle(t *testing.T) {
	seen := map[string]int{}
	for game := range 60 {
		rng := rand.New(rand.NewPCG(15, uint64(game)))
		src := NewChance(sha256.Sum256(fmt.Appendf(nil, "hal/%d", game)), "")
		set := component.Default()
		switch game % 3 {
		case 0:
			set = BenchSet()
		case 1:
			set = settest.Unusual(uint64(game))
		}
		o := Options{Players: 1, Hal: Easy + Level(game%4), Advanced: game%2 == 1, First: game/2%2 == 1}
		s, err := New(set, o, src, nil)
		if err != nil {
			t.Fatal(err)
		}
		for step := 0; !s.finished && step < 2000; step++ {
			if s.ask == AskTurn {
				for k := range 8 {
					m := halModel{s: s, src: src, seen: seen}
					if k > 0 {
						spoilForHal(&m.s, rng)
					}
					m.s.seat, m.s.ask = Hal, NoDecision
					m.s.clearTurn()
					m.s.lower = rng.IntN(2) == 0
					before, got := m.s, m.s
					got.halTurn(src, nil)
					m.turn()
					m.s.p[1].by = got.p[1].by
					if m.s != got {
						t.Fatalf("game %d, step %d, card %d, lower half first %t\n%s\nHal leaves\n%s\nsection 15 leaves\n%s",
							game, step, before.hal[max(before.nhal, 1)-1], before.lower, Drawing(&before), Drawing(&got), Drawing(&m.s))
					}
				}
			}
			legal := s.Legal(1, nil)
			st := legal[rng.IntN(len(legal))]
			if st.Kind == Reroll && rng.IntN(3) > 0 {
				st = legal[rng.IntN(len(legal))]
			}
			s.Do(1, st, src, nil)
		}
	}
	for _, what := range []string{
		"rolls", "rolls and advances", "first half", "second half", "no die", "his die", "my die", "shuffled",
		"a star", "Damage makes 0", "V1", "V2", "V1 or V2 on Command", "no tile", "a cost-1 tile", "an Advanced tile", "both",
		"the Advanced tile alone", "tiles for want of an Advanced one", "tiles only", "no cube", "cubes", "dice's cubes",
		"no Ravager", "Ravagers", "a robot caught", "no card", "no hex", "a neutralization", "an activation", "a comet",
		"one of two", "a comet alone in first", "ejected", "a ship on his card",
	} {
		if seen[what] < 10 {
			t.Errorf("%q came up %d times", what, seen[what])
		}
	}
	t.Log(seen)
}

// spoilForHal changes what Hal's decisions depend on; nothing is accounted for.
func spoilForHal(s *State, rng *rand.Rand) {
	often := func() bool { return rng.IntN(3) > 0 }
	for q := range 2 {
		p := &s.p[q]
		p.std, p.sec = [3][4]uint8{}, [3][4]uint8{}
		for c := range 3 {
			if often() {
				p.std[c][rng.IntN(4)]++
			}
			if q == 0 && rng.IntN(3) == 0 {
				p.sec[c][rng.IntN(4)]++
			}
			if q == 0 && rng.IntN(3) == 0 {
				p.std[c][rng.IntN(4)]++
			}
		}
	}
	if rng.IntN(6) == 0 {
		s.p[1].std = [3][4]uint8{}
	}
	for c := range 3 {
		s.dice[c], s.damaged[c] = uint8(rng.IntN(3)), 0
		if rng.IntN(3) == 0 {
			s.damaged[c] = uint8(rng.IntN(3))
		}
		if rng.IntN(10) == 0 {
			s.ndeck[c] = 0
			if often() {
				s.discard[c] = 0
			}
		}
	}
	sparse := rng.IntN(3)
	for l := range 6 {
		s.damage[l], s.nrav[l] = 0, 0
		s.rav[l], s.trapped[l] = [3]Card{}, [3][MaxPlayers]uint8{}
		if rng.IntN(3) >= sparse {
			s.damage[l] = uint8(rng.IntN(3))
		}
		for k := range rng.IntN(4 - sparse) {
			s.rav[l][k] = component.FirstRaider + Card(rng.IntN(30))
			s.nrav[l]++
			if rng.IntN(4) == 0 {
				s.trapped[l][k][0] = uint8(rng.IntN(3))
			}
		}
	}
	for i := range s.display {
		if rng.IntN(3) >= sparse {
			s.display[i] = 0
		}
	}
	for i := range s.slots {
		if rng.IntN(4) == 0 {
			s.slots[i] = 0
		}
	}
	if rng.IntN(6) == 0 {
		s.slots = [4]Tile{}
	}
	if rng.IntN(4) == 0 {
		s.nadv = min(s.nadv, uint8(rng.IntN(3)))
	}
	full := rng.IntN(4)
	for i := range 5 * int(s.nstrips) {
		if c := s.print(i).Color; c != None && i != s.spes() && rng.IntN(4) < full && s.cards>>i&1 == 0 {
			s.cards |= 1 << i
			s.card[i], s.owner[i] = Card(20*int(c)+1+rng.IntN(20)), Seat(1+rng.IntN(2))
		}
		if rng.IntN(8) == 0 && s.cards>>i&1 == 1 {
			s.fleet[0] |= 1 << i
		}
	}
	if rng.IntN(8) == 0 {
		s.nhal = 0
	}
	if rng.IntN(6) == 0 && s.ending == NotEnded {
		s.ending, s.endRound = BySpes, s.round+uint16(rng.IntN(2))
	}
	s.first = rng.IntN(2) == 0
}

// halModel takes Hal's turn on a State of its own, clause by clause.
type halModel struct {
	s    State
	src  Random
	seen map[string]int
}

func (m *halModel) note(what string) { m.seen[what]++ }
func (m *halModel) vp(n int)         { m.s.p[1].vp += int16(n) }

// three is what he gets for nothing done.
func (m *halModel) three(why string) {
	m.note(why)
	m.vp(3)
}

func (m *halModel) turn() {
	s := &m.s
	s.turn++
	dice := 0
	for c := range 3 {
		for v := range 4 {
			dice += int(s.p[1].std[c][v])
		}
	}
	if dice == 0 {
		m.rolls()
	} else {
		m.reveals()
	}
	s.nextRound(nil)
}

// rolls is R15.4, and R15.11 for the cards that the advance ejects.
func (m *halModel) rolls() {
	s := &m.s
	m.note("rolls")
	for c := range 3 {
		for range s.p[1].station[c] {
			if s.dice[c] > 0 {
				s.dice[c]--
			} else if s.damaged[c] > 0 {
				s.damaged[c]--
			} else {
				continue
			}
			s.p[1].std[c][s.roll(Hal, Color(c), m.src, nil)]++
		}
	}
	if s.ending != NotEnded {
		return
	}
	m.note("rolls and advances")
	own := 0
	for i := range 5 * int(s.nstrips) {
		if s.card[i] == 0 || s.owner[i] != Hal {
			continue
		}
		if i >= 5 {
			own++
			continue
		}
		m.note("ejected")
		m.vp(3)
		if s.fleet[0]>>i&1 == 1 && !s.set.Missions[s.card[i]].Activation() {
			m.note("a ship on his card")
			m.shipOn(s.card[i])
		}
		s.discard[s.card[i].Color()] |= 1 << ((s.card[i] - 1) % 20)
		s.cards &^= 1 << i
		s.card[i], s.owner[i] = 0, 0
	}
	s.advance(nil)
	s.p[1].brk = uint8(max(0, 13-own))
}

// shipOn is what section 7 gives the player for a ship on the card.
func (m *halModel) shipOn(card Card) {
	s := &m.s
	k := s.set.Missions[card]
	first := [3]Color{Gray, Orange, Orange}[k.Color]
	second := [3]Color{Green, Green, Gray}[k.Color]
	space, tucked := map[Color]int{}, map[Color]int{}
	for i := 5; i < 5*int(s.nstrips); i++ { // not strip 1 (Q6.4a)
		if s.card[i] != 0 && s.owner[i] == 1 {
			space[s.card[i].Color()]++
		}
	}
	for c := range 3 {
		for bit := range 20 {
			tucked[Color(c)] += int(s.p[0].tucked[c] >> bit & 1)
		}
	}
	switch k.Kind {
	case 13, 14:
		s.gain(1, [3]Good{Ship, Resource, Robot}[k.Color], 3, ByNeutralization, nil)
	case 15, 16:
		s.gain(1, VP, 3, ByNeutralization, nil)
	case 17:
		s.gain(1, VP, 3*space[first], ByNeutralization, nil)
	case 18:
		s.gain(1, VP, 3*space[second], ByNeutralization, nil)
	case 19:
		s.gain(1, VP, 3*tucked[first], ByNeutralization, nil)
	case 20:
		s.gain(1, VP, 3*tucked[second], ByNeutralization, nil)
	}
}

// reveals is R15.3.
func (m *halModel) reveals() {
	s := &m.s
	if s.nhal == 0 { // R15.1
		m.note("shuffled")
		for i := range 12 {
			s.hal[i] = uint8(i + 1)
		}
		s.nhal = 12
		shuffle(m.src, StreamHal, &s.chance[StreamHal], s.hal[:])
	}
	s.nhal--
	card := s.set.Hal[s.hal[s.nhal]-1]
	order := []component.Half{card[0], card[1]}
	if s.lower {
		slices.Reverse(order)
	}
	for k, half := range order {
		type die struct {
			value int
			own   bool
		}
		var all []die
		for v := range 4 {
			for range s.p[0].std[half.Color][v] {
				all = append(all, die{v, false})
			}
			for range s.p[1].std[half.Color][v] {
				all = append(all, die{v, true})
			}
		}
		if len(all) == 0 {
			continue
		}
		m.note([]string{"first half", "second half"}[k])
		best := all[0]
		for _, d := range all[1:] { // R15.5
			if d.value > best.value || d.value == best.value && d.own {
				best = d
			}
		}
		if best.own {
			m.note("his die")
			s.p[1].std[half.Color][best.value]--
		} else {
			m.note("my die")
			s.p[0].std[half.Color][best.value]--
			s.p[0].resources++
		}
		m.does(half, best.value)
		s.dice[half.Color]++
		return
	}
	m.note("no die")
	for c := range 3 {
		if Color(c) == card[0].Color || Color(c) == card[1].Color {
			continue
		}
		for v := range 4 {
			if s.p[1].std[c][v] > 0 {
				s.p[1].std[c][v]--
				s.dice[c]++
				break
			}
		}
	}
	m.vp(3)
}

// does is R15.6 and Q15.6.
func (m *halModel) does(half component.Half, die int) {
	s := &m.s
	loc := 0
	for l := 1; l <= 6; l++ {
		if s.set.Locs[l].Action == half.Action && s.set.Locs[l].Color == half.Color {
			loc = l
		}
	}
	v := die
	if s.damage[loc-1] == 2 {
		v = max(0, v-1)
	}
	if half.Action != component.Command {
		if die == 0 {
			m.three("a star")
			return
		}
		if v == 0 {
			m.three("Damage makes 0")
			return
		}
	}
	if n := s.nrav[loc-1]; n > 0 {
		r := s.set.Ravagers[s.rav[loc-1][n-1]]
		if r.Effect <= 2 && half.Action == component.Command {
			m.note("V1 or V2 on Command")
		}
		switch r.Effect {
		case 1:
			m.note("V1")
			next := loc + 1
			if next == 7 {
				next = 1
			}
			s.hit(uint8(next), nil)
		case 2:
			m.note("V2")
			s.hitDie(r.Die, nil)
		}
	}
	switch half.Action {
	case component.Discover:
		m.discovers(half.Mod, v)
	case component.Repair:
		m.repairs(half.Mod, v)
	case component.Destroy:
		m.destroys(half.Mod, v)
	case component.Command:
		m.commands(half.Color)
	}
}

// discovers is R15.7 and Q15.7.
func (m *halModel) discovers(only bool, v int) {
	s := &m.s
	took := 0
	take := func(most, cost int) (n int) { // from the far end, paying as long as he can
		for i := len(s.set.Costs) - 1; i >= 0 && n < most; i-- {
			if c := int(s.set.Costs[i]); s.display[i] != 0 && c <= cost {
				s.tdisc[s.set.Tiles[s.display[i]].Color] |= 1 << (s.display[i] - 1)
				s.display[i] = 0
				cost -= c
				n++
			}
		}
		took += n
		m.vp(n * int(s.set.Weights.Technology))
		return n
	}
	filled := 0
	for _, t := range s.slots {
		if t != 0 {
			filled++
		}
	}
	switch {
	case only:
		m.note("tiles only")
		take(9, v)
	case v == 1:
		m.note("a cost-1 tile")
		take(1, 1)
	case filled == 0:
		m.note("tiles for want of an Advanced one")
		take(9, v)
	default:
		m.advanced()
		took++
		if v == 2 {
			m.note("an Advanced tile")
		} else if take(1, 1) == 1 {
			m.note("both")
		} else {
			m.note("the Advanced tile alone")
		}
	}
	if took == 0 {
		m.three("no tile")
	}
}

// advanced takes the filled slot nearest slot 4; the others close up towards
// it, new ones come to the highest empty slots first.
func (m *halModel) advanced() {
	s := &m.s
	var row []Tile // from slot 4 on
	for i := 3; i >= 0; i-- {
		if s.slots[i] != 0 {
			row = append(row, s.slots[i])
		}
	}
	s.boxed |= 1 << (row[0] - FirstAdvanced)
	row = row[1:]
	for len(row) < 4 && s.nadv > 0 {
		s.nadv--
		row = append(row, s.advDeck[s.nadv])
	}
	s.slots = [4]Tile{}
	for i, t := range row {
		s.slots[3-i] = t
	}
	m.vp(int(s.set.Weights.Advanced))
}

// repairs is R15.8.
func (m *halModel) repairs(down bool, v int) {
	s := &m.s
	order := []int{0, 1, 2, 3, 4, 5}
	if down {
		slices.Reverse(order)
	}
	n := 0
	for _, l := range order {
		for n < v && s.damage[l] > 0 {
			s.damage[l]--
			n++
			m.note("cubes")
		}
	}
	for c := range 3 {
		for n < v && s.damaged[c] > 0 {
			s.damaged[c]--
			s.dice[c]++
			n++
			m.note("dice's cubes")
		}
	}
	m.vp(n * int(s.set.Weights.Debris))
	if n == 0 {
		m.three("no cube")
	}
}

// destroys is R15.9: every set as a list in the card's direction, the largest
// total first, then compared one by one.
func (m *halModel) destroys(down bool, v int) {
	s := &m.s
	var best []int
	most := 0
	place := func(l int) int { // in the card's direction
		if down {
			return 5 - l
		}
		return l
	}
	for set := range 64 {
		var list []int
		total := 0
		for k := range 6 {
			if l := place(k); set>>l&1 == 1 {
				list = append(list, k)
				if total += int(s.nrav[l]); s.nrav[l] == 0 {
					total = 100
				}
			}
		}
		if total > v || total == 0 {
			continue
		}
		if total > most || total == most && slices.Compare(list, best) < 0 {
			best, most = list, total
		}
	}
	for _, k := range best {
		m.note("Ravagers")
		l := place(k)
		for i := range s.nrav[l] {
			s.rdisc |= 1 << (s.rav[l][i] - component.FirstRaider)
			if n := s.trapped[l][i][0]; n > 0 {
				m.note("a robot caught")
				s.p[0].brk += n
			}
		}
		s.nrav[l], s.rav[l], s.trapped[l] = 0, [3]Card{}, [3][MaxPlayers]uint8{}
	}
	m.vp(most * int(s.set.Weights.Ravager))
	if most == 0 {
		m.three("no Ravager")
	}
}

// commands is R15.10, Q15.10 and the comet of R17.1.
func (m *halModel) commands(c Color) {
	s := &m.s
	card := s.topMission(c, m.src, nil)
	if card == 0 {
		m.three("no card")
		return
	}
	k := &s.set.Missions[card]
	for n := range int(s.nstrips) {
		strip := n
		if k.Kind <= 12 {
			strip = int(s.nstrips) - 1 - n
		}
		var free, comets []int
		for lane := range 5 {
			i := 5*strip + lane
			spes := s.advances >= s.nstrips && s.hex(i) == HexAt(2*int(s.nstrips), 2)
			if p := s.print(i); p.Color == c && s.card[i] == 0 && !spes {
				free = append(free, i)
				if p.Comet {
					comets = append(comets, i)
				}
			}
		}
		if len(free) == 0 {
			continue
		}
		m.note(map[bool]string{true: "a neutralization", false: "an activation"}[k.Kind > 12])
		at := free[0]
		if len(comets) > 0 {
			at = comets[0]
			switch {
			case len(free) > 1:
				m.note("one of two")
				m.vp(3)
			case !s.first:
				m.note("a comet")
				m.vp(3)
			default:
				m.note("a comet alone in first")
			}
		}
		s.cards |= 1 << at
		s.card[at], s.owner[at] = card, Hal
		own := 0
		for i := range s.card {
			if s.card[i] != 0 && s.owner[i] == Hal {
				own++
			}
		}
		s.p[1].brk = uint8(max(0, 13-own))
		w, r := s.set.Weights, k.Reward
		m.vp(int(r.VP) + int(r.Ships*w.Ship) + int(r.Resources*w.Resource) + int(r.Robots*w.Robot))
		s.drawRavagers(s.icons(at), m.src, nil)
		for _, tile := range k.Tiles {
			if tile != None {
				s.appear(tile, m.src, nil)
			}
		}
		return
	}
	s.discard[c] |= 1 << ((card - 1) % 20)
	m.three("no hex")
}
