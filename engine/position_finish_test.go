package engine

import (
	"math/bits"
	"slices"
	"strconv"

	"angelpost/engine/component"
)

// finish puts what the position does not name where a set-up would leave it.
func (b *bench) finish() {
	s := &b.s
	if s.neutralSeat && !b.robots {
		s.neutral = [3]bool{true, true, true}
	}
	s.draw()
	b.finishDice()
	b.finishRobots()
	for c, col := range component.Colors {
		deck, disc := b.split("deck "+col.String(), "discards "+col.String(), names[Card](20*c+1, 20), 20)
		for i, f := range deck {
			s.deck[c][len(deck)-1-i] = Card(b.num(f))
		}
		s.ndeck[c] = uint8(len(deck))
		for _, f := range disc {
			s.discard[c] |= 1 << ((b.num(f) - 1) % 20)
		}
	}
	out := map[uint8]int{1: 12, 2: 12, 3: 6, 4: 0}[s.players]
	deck, disc := b.split("ravager-deck", "ravager-discards", names[Card](61, 30), 30-out)
	for i, f := range deck {
		s.rdeck[len(deck)-1-i] = Card(b.num(f))
	}
	s.nrdeck = uint8(len(deck))
	for _, f := range disc {
		s.rdisc |= ravBit(Card(b.num(f)))
	}
	b.finishTiles()
	b.finishHal()
}

// finishHal lays Hal's deck: the cards named on top, then all others; without
// "..." the others are revealed already.
func (b *bench) finishHal() {
	s := &b.s
	if !s.solo {
		return
	}
	s.halRobots()
	named, rest := b.hal, b.hal == nil
	if n := len(named); n > 0 && named[n-1] == "..." {
		named, rest = named[:n-1], true
	}
	if len(named) == 1 && named[0] == "-" {
		named = nil
	}
	deck := slices.Clone(named)
	for i := 1; i <= 12 && rest; i++ {
		if f := strconv.Itoa(i); !slices.Contains(named, f) {
			deck = append(deck, f)
		}
	}
	for i, f := range deck {
		s.hal[len(deck)-1-i] = uint8(b.num(f))
	}
	s.nhal = uint8(len(deck))
}

// names are the printed names of n components from the first on.
func names[T interface {
	~uint8
	String() string
}](first, n int) (out []string) {
	for i := range n {
		out = append(out, T(first+i).String())
	}
	return out
}

func (b *bench) finishDice() {
	s := &b.s
	for c := range s.dice {
		n := max(int(s.players), 2) + 2 - int(s.damaged[c])
		for i := range s.p {
			for v := range 4 {
				n -= int(s.p[i].std[c][v] + s.p[i].sec[c][v])
			}
		}
		if s.neutralDie[c] > 0 {
			n--
		}
		if n < 0 {
			b.fail("%d dice too many of %s", -n, Color(c))
			return
		}
		s.dice[c] = uint8(n)
	}
}

func (b *bench) finishRobots() {
	s := &b.s
	for i := range int(s.players) {
		p := &s.p[i]
		n := 16 - int(p.brk) - int(p.station[0]) - int(p.station[1]) - int(p.station[2]) - bits.OnesCount64(s.fleet[i])
		for h := range s.card {
			if s.card[h] != 0 && int(s.owner[h]) == i+1 {
				n--
			}
		}
		for l := range s.trapped {
			for k := range s.trapped[l] {
				n -= int(s.trapped[l][k][i])
			}
		}
		if n < 0 {
			b.fail("seat %d has %d robots too many", i+1, -n)
			return
		}
		p.robots = uint8(n)
	}
}

func (b *bench) finishTiles() {
	s := &b.s
	all := func(c int) []string { return names[Tile](16*c+1, 16) }
	if !b.displayed {
		for c := range 3 {
			for n := 12; n >= 0; n-- { // a Ta of the colour, if there is one
				if f := all(c)[n]; !b.used[f] {
					s.display[c] = b.tile(f)
					break
				}
			}
		}
	}
	for c, col := range component.Colors {
		stack, disc := b.split("stack "+col.String(), "tile-discards "+col.String(), all(c), 16)
		for i, f := range stack {
			s.stack[c][len(stack)-1-i] = Tile(b.num(f[1:]))
		}
		s.nstack[c] = uint8(len(stack))
		for _, f := range disc {
			s.tdisc[c] |= 1 << (b.num(f[1:]) - 1)
		}
	}
	advanced := names[Tile](int(FirstAdvanced), 16)
	for i := 0; !b.slotted && i < 4; {
		for _, f := range advanced {
			if !b.used[f] {
				s.slots[i] = b.tile(f)
				break
			}
		}
		i++
	}
	deck, _ := b.split("advanced-deck", "", advanced, 16)
	for i, f := range deck {
		s.advDeck[len(deck)-1-i] = FirstAdvanced + Tile(b.num(f[1:])) - 1
	}
	s.nadv = uint8(len(deck))
}

// split deals the components not yet placed to a pile (top first) and its
// discards; beyond most they are out of the game (R2.6).
func (b *bench) split(deckKey, discKey string, all []string, most int) (deck, disc []string) {
	spec, named := b.decks[deckKey]
	disc, discNamed := b.decks[discKey]
	free := slices.DeleteFunc(slices.Clone(all), func(f string) bool { return b.used[f] })
	if n := most - (len(all) - len(free)); n < len(free) {
		free = free[:max(n, 0)]
	}
	switch {
	case !named:
		return free, disc
	case len(spec) > 0 && spec[len(spec)-1] == "...":
		return append(slices.Clone(spec[:len(spec)-1]), free...), disc
	case discNamed || discKey == "":
		return spec, disc
	}
	return spec, free
}
