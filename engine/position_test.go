package engine

import (
	"fmt"
	"strconv"
	"strings"

	"angelpost/engine/component"
)

// A position of the rule tests is text, a line a fact. What it does not name is
// as a standard set-up leaves it (R2.2-R2.9), with empty hands, three dice of
// value 1 a player, nothing on the frigate board and every deck in ascending
// order, top first. The lines, with K a seat, C a colour, X a hex (Q2.2a):
//
//	players N                     1-4, first if it is not 3; 1 is against Hal, who is seat 2; rules advanced, edition first, version 1
//	round N, mover K, advances N, ending spes|ravagers, last-round N
//	strips 1 2b 3 …               nearest first; b is the back
//	hex X [PRINT] [card NNN of K] [ships K …]
//	space, and below it strips as they are drawn, any of them: the running number and five
//	                              hexes, each PRINT with [NNN/K] for K's card and ^KK for ships;
//	                              @ marks the Black Angel's hex and is only for the eye
//	back X PRINT                  the other side of the strip that bears X
//	                              PRINT is orange|gray|green|rock, * a comet, ! an icon: "gray*!"
//	print NNN [vp N] [robots N] [resources N] [ships N] tiles C [C]
//	print NNN location N [die C]
//	location N [damage N] [ravagers NNN …]   topmost last; NNN+1+2: robots of seats 1 and 2 on it
//	supply C damaged N            of the dice left when the players have theirs
//	display T …, slots T …        - is a gap
//	deck C NNN … [...], discards C NNN …, ravager-deck …, ravager-discards …
//	stack C T … [...], tile-discards C T …, advanced-deck T … [...]
//	                              top first; "..." the rest follows, without it the rest is discarded
//	                              (or, if the discards are named too, out of the game)
//	neutral robots C …, neutral dice C N …; hal-deck N … [...], top first
//	seat K vp N, resources N, debris N, ships N, break N, stations N N N
//	seat K dice C N …, secure C N …, hand NNN …, row N NNN, column N NNN
//	seat K space C T, ejected T …, tucked NNN …, owes discard N | owner NNN | keep NNN+NNN, …
//	seat K at R.C T [debris|boost], or seat K grid and three rows drawn below it (t4+ bears
//	                              Debris, t4* lies boost side up)
//
// Facts writes the same language, so that a position can be read back.

// ParsePosition reads a position. The game uses a BenchSet of its own.
func ParsePosition(text string) (*State, error) {
	b := newBench()
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line, _, _ := strings.Cut(lines[i], "#")
		w := strings.Fields(line)
		switch {
		case len(w) == 0:
			continue
		case len(w) == 3 && w[0] == "seat" && w[2] == "grid":
			if i+3 >= len(lines) {
				return nil, fmt.Errorf("%s: three rows must follow", line)
			}
			b.drawnGrid(w[1], lines[i+1:i+4])
			i += 3
		case len(w) == 1 && w[0] == "space":
			for i+1 < len(lines) && b.drawnStrip(strings.Fields(lines[i+1])) {
				i++
			}
		default:
			b.do(w)
		}
		if b.err != nil {
			return nil, fmt.Errorf("line %d %q: %w", i+1, lines[i], b.err)
		}
	}
	b.finish()
	if b.err != nil {
		return nil, b.err
	}
	return &b.s, nil
}

// bench builds a State from facts.
type bench struct {
	s         State
	err       error
	used      map[string]bool     // components that lie somewhere
	decks     map[string][]string // piles named, by keyword
	grids     [MaxPlayers]bool
	displayed bool
	slotted   bool
	robots    bool // neutral robots named
	hal       []string
}

func newBench() *bench {
	b := &bench{used: map[string]bool{}, decks: map[string][]string{}}
	b.s.set = BenchSet()
	b.version(Version)
	b.players(3)
	return b
}

func (b *bench) version(n int) {
	r, err := rulesOf(n)
	if err != nil {
		b.fail("%v", err)
	}
	b.s.rules = r
}

func (b *bench) players(n int) {
	s := &b.s
	s.players, s.nstrips, s.neutralSeat, s.solo, s.level = uint8(n), 7, n == 2, n == 1, NoHal
	if n == 1 {
		s.level = Standard
	}
	if n <= 2 {
		s.nstrips = 5
	}
	for i := range s.strip {
		s.strip[i] = 0
		if i < int(s.nstrips) {
			s.strip[i] = uint8(2 * i)
		}
	}
	s.round, s.turn = 1, 0
	s.begin(1)
	for i := range s.p {
		p := &s.p[i]
		*p = player{}
		if s.solo && Seat(i+1) == Hal {
			p.vp, p.by[BySetup], p.station = 5, 5, [3]uint8{1, 1, 1}
			for c := range p.std {
				p.std[c][1] = 1
			}
		}
		if i >= n {
			continue
		}
		p.vp, p.by[BySetup] = 5, 5
		p.resources, p.debris, p.ships = 1, 1, 1
		p.brk, p.station = 5, [3]uint8{1, 1, 1}
		for c := range p.std {
			p.std[c][1] = 1
		}
		for c, at := range s.set.Start {
			p.grid[at].tile = FirstStart + Tile(c)
		}
	}
}

func (b *bench) fail(format string, a ...any) {
	if b.err == nil {
		b.err = fmt.Errorf(format, a...)
	}
}

func (b *bench) num(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		b.fail("%q is no number", s)
		return 1
	}
	return n
}

func (b *bench) color(s string) Color {
	for _, c := range component.Colors {
		if c.String() == s {
			return c
		}
	}
	b.fail("%q is no colour", s)
	return Orange
}

// once notes that a component lies where the line says.
func (b *bench) once(name string) {
	if b.used[name] {
		b.fail("%s lies in two places", name)
	}
	b.used[name] = true
}

func (b *bench) card(s string) Card {
	n, err := strconv.Atoi(s)
	if err != nil || len(s) != 3 || n < 1 || n > 90 {
		b.fail("%q is no card", s)
		return 1
	}
	b.once(s)
	return Card(n)
}

// tile reads a tile; starting tiles exist once a player and are not counted.
func (b *bench) tile(s string) Tile {
	if s == "-" {
		return 0
	}
	for t := Tile(1); t <= LastTile; t++ {
		if t.String() == s {
			if !t.Starting() {
				b.once(s)
			}
			return t
		}
	}
	b.fail("%q is no tile", s)
	return 1
}

// ParseHex reads a hex's name.
func ParseHex(s string) (Hex, bool) {
	if len(s) < 2 || s[0] < 'a' || s[0] > 'e' {
		return 0, false
	}
	n, err := strconv.Atoi(s[1:])
	if err != nil || n < 1 || n > 30 {
		return 0, false
	}
	return HexAt(n, int(s[0]-'a')), true
}

func (b *bench) hex(s string) int {
	h, ok := ParseHex(s)
	if i := b.s.index(h); ok && i >= 0 {
		return i
	}
	b.fail("%q is not on the board", s)
	return 0
}

func (b *bench) do(w []string) {
	s := &b.s
	rest := w[1:]
	arg := ""
	if len(rest) > 0 {
		arg = rest[0]
	}
	switch w[0] {
	case "asked", "finished": // of the turn in progress; a position begins a turn
	case "players":
		if n := b.num(arg); n >= 1 && n <= 4 {
			b.players(n)
		}
	case "edition":
		s.first = arg == "first"
	case "version":
		b.version(b.num(arg))
	case "rules":
		s.advanced = arg == "advanced"
	case "round":
		s.round = uint16(b.num(arg))
	case "mover":
		s.begin(Seat(b.num(arg)))
	case "advances":
		s.advances = uint8(b.num(arg))
	case "ending":
		s.ending = NotEnded
		for _, e := range []Ending{BySpes, ByRavagers} {
			if e.String() == arg {
				s.ending = e
			}
		}
	case "last-round":
		s.endRound = uint16(b.num(arg))
	case "strips":
		for i, f := range rest {
			f, back := strings.CutSuffix(f, "b")
			s.strip[i] = uint8(2 * (b.num(f) - 1))
			if back {
				s.strip[i]++
			}
		}
	case "hex":
		b.hexLine(rest)
	case "back":
		i := b.hex(arg)
		id := s.strip[i/5] ^ 1
		b.paint(&s.set.Strips[id/2][id%2][i%5], rest[1])
	case "print":
		b.print(rest)
	case "location":
		b.location(rest)
	case "supply":
		if rest[1] == "damaged" {
			s.damaged[b.color(arg)] = uint8(b.num(rest[2]))
		}
	case "display":
		b.displayed = true
		for i, t := range rest {
			s.display[i] = b.tile(t)
		}
	case "slots":
		b.slotted = true
		for i, t := range rest {
			s.slots[i] = b.tile(t)
		}
	case "deck", "discards", "stack", "tile-discards":
		b.color(arg)
		b.decks[w[0]+" "+arg] = b.pile(rest[1:])
	case "hal-deck":
		b.hal = rest
	case "ravager-deck", "ravager-discards", "advanced-deck":
		b.decks[w[0]] = b.pile(rest)
	case "neutral":
		if arg == "robots" {
			b.robots = true
			for _, c := range rest[1:] {
				if c != "-" {
					s.neutral[b.color(c)] = true
				}
			}
			break
		}
		for i := 1; i+1 < len(rest); i += 2 {
			s.neutralDie[b.color(rest[i])] = uint8(b.num(rest[i+1])) + 1
		}
	case "seat":
		k := b.num(arg)
		if k < 1 || k > int(s.lastSeat()) || len(rest) < 2 {
			b.fail("no such seat")
			return
		}
		b.seat(k-1, rest[1], rest[2:])
	default:
		b.fail("unknown fact")
	}
}

func (b *bench) pile(names []string) []string {
	if len(names) > 0 && names[0] == "-" {
		return []string{}
	}
	for _, n := range names {
		if n != "..." {
			b.once(n)
		}
	}
	return names
}

func (b *bench) paint(h *component.Hex, print string) {
	*h = component.Hex{Ravagers: uint8(strings.Count(print, "!")), Comet: strings.Contains(print, "*")}
	print = strings.Trim(print, "!*")
	if print == "rock" {
		h.Color = None
		return
	}
	h.Color = b.color(print)
}

func (b *bench) hexLine(w []string) {
	i := b.hex(w[0])
	for w = w[1:]; len(w) > 0; {
		switch w[0] {
		case "card":
			if w[1] == "-" {
				w = w[2:]
				continue
			}
			b.s.card[i], b.s.owner[i] = b.card(w[1]), Seat(b.num(w[3]))
			b.s.cards |= 1 << i
			w = w[4:]
		case "ships":
			for _, k := range w[1:] {
				if k != "-" {
					b.s.fleet[b.num(k)-1] |= 1 << i
				}
			}
			w = nil
		default:
			id := b.s.strip[i/5]
			b.paint(&b.s.set.Strips[id/2][id%2][i%5], w[0])
			w = w[1:]
		}
	}
}

func (b *bench) print(w []string) {
	n := b.num(w[0])
	if n >= 61 {
		r := &b.s.set.Ravagers[n]
		for i := 1; i+1 < len(w); i += 2 {
			if w[i] == "die" {
				r.Die = b.color(w[i+1])
			} else {
				r.Location = uint8(b.num(w[i+1]))
			}
		}
		return
	}
	m := &b.s.set.Missions[n]
	m.Reward = component.Reward{}
	for i := 1; i+1 < len(w); i += 2 {
		switch w[i] {
		case "vp":
			m.Reward.VP = uint8(b.num(w[i+1]))
		case "robots":
			m.Reward.Robots = uint8(b.num(w[i+1]))
		case "resources":
			m.Reward.Resources = uint8(b.num(w[i+1]))
		case "ships":
			m.Reward.Ships = uint8(b.num(w[i+1]))
		case "tiles":
			m.Tiles = [2]Color{b.color(w[i+1]), None}
			if i+2 < len(w) {
				m.Tiles[1] = b.color(w[i+2])
			}
			return
		}
	}
}

func (b *bench) location(w []string) {
	n := b.num(w[0])
	if n < 1 || n > 6 {
		b.fail("no such location")
		return
	}
	s := &b.s
	for w = w[1:]; len(w) > 0; {
		if w[0] == "damage" {
			s.damage[n-1] = uint8(b.num(w[1]))
			w = w[2:]
			continue
		}
		for _, f := range w[1:] {
			if f == "-" {
				break
			}
			parts := strings.Split(f, "+")
			k := s.nrav[n-1]
			s.rav[n-1][k] = b.card(parts[0])
			for _, o := range parts[1:] {
				s.trapped[n-1][k][b.num(o)-1]++
			}
			s.nrav[n-1]++
		}
		w = nil
	}
}

func (b *bench) dice(w []string) (d [3][4]uint8) {
	for i := 0; i+1 < len(w); i += 2 {
		v := b.num(w[i+1])
		if v > 3 {
			b.fail("no die shows %d", v)
			return d
		}
		d[b.color(w[i])][v]++
	}
	return d
}

func (b *bench) drawnGrid(seat string, rows []string) {
	for r, line := range rows {
		row := strings.Fields(line)
		if len(row) != 3 {
			b.fail("row %d has %d cells", r+1, len(row))
			return
		}
		for c, t := range row {
			t, debris := strings.CutSuffix(t, "+")
			t, boost := strings.CutSuffix(t, "*")
			w := []string{"seat", seat, "at", CellAt(r+1, c+1).String(), t}
			if debris {
				w = append(w, "debris")
			}
			if boost {
				w = append(w, "boost")
			}
			b.do(w)
		}
	}
}

// drawnStrip reads a strip as Drawing writes it; false if it is another line.
func (b *bench) drawnStrip(w []string) bool {
	if len(w) != 6 {
		return false
	}
	if _, err := strconv.Atoi(w[0]); err != nil {
		return false
	}
	for lane, token := range w[1:] {
		f, ships, _ := strings.Cut(strings.TrimSuffix(token, "@"), "^")
		f, card, _ := strings.Cut(f, "[")
		line := []string{"hex", string(rune('a'+lane)) + w[0], f}
		if card != "" {
			line = append(line, "card", card[:3], "of", strings.Trim(card[3:], "/]"))
		}
		if ships != "" {
			line = append(append(line, "ships"), strings.Split(ships, "")...)
		}
		b.do(line)
	}
	return true
}

func (b *bench) seat(k int, key string, w []string) {
	p := &b.s.p[k]
	arg := ""
	if len(w) > 0 {
		arg = w[0]
	}
	if len(w) == 1 && arg == "-" {
		w = nil
	}
	switch key {
	case "vp":
		p.vp, p.by = int16(b.num(arg)), [Sources]int16{BySetup: int16(b.num(arg))}
	case "by":
		for src := range p.by {
			if Source(src).String() == arg {
				n, err := strconv.Atoi(w[1])
				if err != nil {
					b.fail("%q is no number", w[1])
				}
				p.by[src] = int16(n)
			}
		}
	case "robots": // what is left of 16, always
	case "resources":
		p.resources = uint16(b.num(arg))
	case "debris":
		p.debris = uint16(b.num(arg))
	case "ships":
		p.ships = uint16(b.num(arg))
	case "break":
		p.brk = uint8(b.num(arg))
	case "stations":
		for c := range p.station {
			p.station[c] = uint8(b.num(w[c]))
		}
	case "dice":
		p.std = b.dice(w)
	case "secure":
		p.sec = b.dice(w)
	case "hand":
		for _, f := range w {
			if c := b.card(f); c.Ravager() {
				p.ravs |= ravBit(c)
			} else {
				p.hand |= missionBit(c)
			}
		}
	case "row", "column":
		if w[1] == "-" {
			return
		}
		i := b.num(arg) - 1
		if key == "column" {
			i += 3
		}
		p.slot[i] = b.card(w[1])
	case "at":
		if !b.grids[k] {
			b.grids[k], p.grid = true, [9]cell{}
		}
		for c := Cell(1); c <= 9; c++ {
			if c.String() == arg {
				p.grid[c-1] = cell{tile: b.tile(w[1]), debris: len(w) > 2 && w[2] == "debris", boost: len(w) > 2 && w[2] == "boost"}
				return
			}
		}
		b.fail("no such cell")
	case "space":
		p.space[b.color(arg)] = b.tile(w[1])
	case "ejected":
		for _, f := range w {
			if t := b.tile(f); t.Advanced() {
				p.ejectedAdv |= 1 << (t - FirstAdvanced)
			} else {
				p.ejected |= 1 << (t - 1)
			}
		}
	case "tucked":
		for _, f := range w {
			c := b.card(f)
			p.tucked[c.Color()] |= 1 << ((c - 1) % 20)
		}
	case "owes":
		for i := 0; i+1 < len(w); i += 2 {
			first, second, _ := strings.Cut(strings.TrimSuffix(w[i+1], ","), "+")
			n := b.num(strings.TrimLeft(first, "0"))
			d := Debt{Ask: AskOwner, Card: Card(n)}
			switch w[i] {
			case "discard":
				d = Debt{Ask: AskDiscard, N: uint8(n)}
			case "keep":
				d = Debt{Ask: AskKeep, Card: b.card(first), Card2: b.card(second)}
			}
			p.debts[p.ndebts] = d
			p.ndebts++
		}
	default:
		b.fail("a seat has no %s", key)
	}
}
