package engine

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"angelpost/engine/component"
)

// Facts writes the whole position, a line a fact, in the language of
// ParsePosition, with what the turn in progress adds (asked, finished).
func Facts(s *State) []string {
	var out []string
	add := func(format string, a ...any) { out = append(out, fmt.Sprintf(format, a...)) }
	add("players %d", s.players)
	add("version %d", s.rules.version)
	add("rules %s", map[bool]string{false: "base", true: "advanced"}[s.advanced])
	add("edition %s", map[bool]string{false: "revised", true: "first"}[s.first])
	add("round %d", s.round)
	add("mover %d", s.seat)
	add("asked %s", orDash(s.ask.String()))
	add("advances %d", s.advances)
	add("ending %s", orDash(s.ending.String()))
	add("last-round %d", s.endRound)
	add("finished %v", s.finished)
	var strips []string
	for _, id := range s.strip[:s.nstrips] {
		strips = append(strips, fmt.Sprint(id/2+1)+strings.Repeat("b", int(id%2)))
	}
	add("strips %s", strings.Join(strips, " "))
	for i := range int(s.nstrips) * 5 {
		add("hex %s %s", s.hex(i), printHex(s.print(i)))
		if s.card[i] == 0 {
			add("hex %s card -", s.hex(i))
		} else {
			add("hex %s card %s of %d", s.hex(i), s.card[i], s.owner[i])
		}
		add("hex %s ships %s", s.hex(i), orDash(s.shipsAt(i)))
	}
	for l := range 6 {
		add("location %d damage %d", l+1, s.damage[l])
		add("location %d ravagers %s", l+1, orDash(s.ravagersAt(l)))
	}
	for c, col := range component.Colors {
		add("supply %s dice %d", col, s.dice[c]+s.damaged[c])
		add("supply %s damaged %d", col, s.damaged[c])
	}
	add("display %s", list(s.display[:len(s.set.Costs)]))
	add("slots %s", list(s.slots[:]))
	add("advanced-deck %s", list(top(s.advDeck[:s.nadv])))
	for c, col := range component.Colors {
		add("deck %s %s", col, list(top(s.deck[c][:s.ndeck[c]])))
		add("discards %s %s", col, list(bitCards(uint64(s.discard[c]), 20*c+1)))
		add("stack %s %s", col, list(top(s.stack[c][:s.nstack[c]])))
		add("tile-discards %s %s", col, list(bitTiles(s.tdisc[c], 1)))
	}
	add("ravager-deck %s", list(top(s.rdeck[:s.nrdeck])))
	add("ravager-discards %s", list(bitCards(uint64(s.rdisc), 61)))
	if s.neutralSeat {
		var r, d []string
		for c, col := range component.Colors {
			if s.neutral[c] {
				r = append(r, col.String())
			}
			if s.neutralDie[c] > 0 {
				d = append(d, fmt.Sprintf("%s %d", col, s.neutralDie[c]-1))
			}
		}
		add("neutral robots %s", orDash(strings.Join(r, " ")))
		add("neutral dice %s", orDash(strings.Join(d, " ")))
	}
	if s.solo {
		var deck []string
		for _, n := range top(s.hal[:s.nhal]) {
			deck = append(deck, fmt.Sprint(n))
		}
		add("hal-deck %s", orDash(strings.Join(deck, " ")))
	}
	for i := range int(s.lastSeat()) {
		for _, f := range s.p[i].facts() {
			add("seat %d %s", i+1, f)
		}
	}
	return out
}

func (p *player) facts() (out []string) {
	add := func(format string, a ...any) { out = append(out, fmt.Sprintf(format, a...)) }
	add("vp %d", p.vp)
	for src, n := range p.by {
		add("by %s %d", Source(src), n)
	}
	add("resources %d", p.resources)
	add("debris %d", p.debris)
	add("ships %d", p.ships)
	add("break %d", p.brk)
	add("stations %d %d %d", p.station[0], p.station[1], p.station[2])
	add("robots %d", p.robots)
	add("dice %s", printDice(p.std))
	add("secure %s", printDice(p.sec))
	add("hand %s", list(append(bitCards(p.hand, 0), bitCards(uint64(p.ravs), 61)...)))
	for i, c := range p.slot {
		if c == 0 {
			add("%s -", Slot(i+1))
		} else {
			add("%s %s", Slot(i+1), c)
		}
	}
	for i, c := range p.grid {
		switch {
		case c.debris:
			add("at %s %s debris", Cell(i+1), c.tile)
		case c.boost:
			add("at %s %s boost", Cell(i+1), c.tile)
		default:
			add("at %s %s", Cell(i+1), c.tile)
		}
	}
	for c, t := range p.space {
		add("space %s %s", Color(c), t)
	}
	add("ejected %s", list(append(bitTiles(p.ejected, 1), bitTiles(uint64(p.ejectedAdv), FirstAdvanced)...)))
	var tucked []Card
	for c := range p.tucked {
		tucked = append(tucked, bitCards(uint64(p.tucked[c]), 20*c+1)...)
	}
	add("tucked %s", list(tucked))
	var owes []string
	for _, d := range p.debts[:p.ndebts] {
		switch d.Ask {
		case AskDiscard:
			owes = append(owes, fmt.Sprintf("discard %d", d.N))
		case AskKeep:
			owes = append(owes, fmt.Sprintf("keep %s+%s", d.Card, d.Card2))
		default:
			owes = append(owes, fmt.Sprintf("%s %s", d.Ask, d.Card))
		}
	}
	add("owes %s", orDash(strings.Join(owes, ", ")))
	return out
}

// Drawing is a position for people, for the message of a test that fails.
func Drawing(s *State) string {
	var b strings.Builder
	line := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	line("round %d, seat %d %s, ending %q in round %d", s.round, s.seat, orDash(s.ask.String()), s.ending, s.endRound)
	line("space")
	for pos := int(s.nstrips) - 1; pos >= 0; pos-- {
		row := fmt.Sprintf("%3d", int(s.advances)+1+pos)
		for lane := range 5 {
			i := pos*5 + lane
			f := printHex(s.print(i))
			if s.card[i] != 0 {
				f += fmt.Sprintf("[%s/%d]", s.card[i], s.owner[i])
			}
			if ships := s.shipsAt(i); ships != "" {
				f += "^" + strings.ReplaceAll(ships, " ", "")
			}
			if i == s.angel() {
				f += "@"
			}
			row += fmt.Sprintf(" %-14s", f)
		}
		line("%s", row)
	}
	for l := range 6 {
		line("%d: damage %d, ravagers %s", l+1, s.damage[l], orDash(s.ravagersAt(l)))
	}
	line("supply %d %d %d, damaged %d %d %d, neutral dice %v", s.dice[0], s.dice[1], s.dice[2], s.damaged[0], s.damaged[1], s.damaged[2], s.neutralDie)
	line("display %s, slots %s", list(s.display[:len(s.set.Costs)]), list(s.slots[:]))
	for i := range int(s.lastSeat()) {
		p := &s.p[i]
		line("seat %d: %d VP, resources %d, debris %d, ships %d, break %d, stations %v, supply %d", i+1, p.vp, p.resources, p.debris, p.ships, p.brk, p.station, p.robots)
		line("  dice %s, secure %s, hand %s", printDice(p.std), printDice(p.sec), list(append(bitCards(p.hand, 0), bitCards(uint64(p.ravs), 61)...)))
		for r := range 3 {
			row := fmt.Sprintf("  %4s |", orDash(p.slot[r].String()))
			for c := range 3 {
				f := p.grid[r*3+c].tile.String()
				if p.grid[r*3+c].debris {
					f += "+"
				}
				if p.grid[r*3+c].boost {
					f += "*"
				}
				row += fmt.Sprintf(" %-4s", f)
			}
			line("%s", row)
		}
		line("         %-4s %-4s %-4s  spaces %s, ejected %s", p.slot[3], p.slot[4], p.slot[5], list(p.space[:]),
			list(append(bitTiles(p.ejected, 1), bitTiles(uint64(p.ejectedAdv), FirstAdvanced)...)))
	}
	return b.String()
}

func orDash(s string) string {
	if s == "" || s == "000" {
		return "-"
	}
	return s
}

func (s *State) shipsAt(i int) string {
	var w []string
	for k, f := range s.fleet {
		if f>>i&1 == 1 {
			w = append(w, fmt.Sprint(k+1))
		}
	}
	return strings.Join(w, " ")
}

func (s *State) ravagersAt(l int) string {
	var w []string
	for k := range s.nrav[l] {
		f := s.rav[l][k].String()
		for i, n := range s.trapped[l][k] {
			f += strings.Repeat(fmt.Sprintf("+%d", i+1), int(n))
		}
		w = append(w, f)
	}
	return strings.Join(w, " ")
}

func printHex(h component.Hex) string {
	s := "rock"
	if h.Color != None {
		s = h.Color.String()
	}
	if h.Comet {
		s += "*"
	}
	return s + strings.Repeat("!", int(h.Ravagers))
}

func printDice(d [3][4]uint8) string {
	var w []string
	for c := range d {
		for v, n := range d[c] {
			for range n {
				w = append(w, fmt.Sprintf("%s %d", Color(c), v))
			}
		}
	}
	return orDash(strings.Join(w, " "))
}

func list[T fmt.Stringer](items []T) string {
	var w []string
	for _, x := range items {
		w = append(w, x.String())
	}
	return orDash(strings.Join(w, " "))
}

// top is a pile as it is printed: its top is its last place.
func top[T any](items []T) []T {
	items = slices.Clone(items)
	slices.Reverse(items)
	return items
}

func bitCards(set uint64, first int) (cards []Card) {
	for ; set != 0; set &= set - 1 {
		cards = append(cards, Card(first+bits.TrailingZeros64(set)))
	}
	return cards
}

func bitTiles(set uint64, first Tile) (tiles []Tile) {
	for ; set != 0; set &= set - 1 {
		tiles = append(tiles, first+Tile(bits.TrailingZeros64(set)))
	}
	return tiles
}
