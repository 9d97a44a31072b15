package draw

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"angelpost/engine"
	"angelpost/engine/component"
)

// Bounds, in runes, of what others bring into a text.
const (
	maxName   = 40  // a player's name
	maxEffect = 160 // what a card or tile does
)

// A namer says what things are called. Its methods append to b; they build the lines of
// Text. The form is terse and regular, so that a program can read it back:
// "c4 orange, comet; Mission 023 gray owner Ann; ships Ann, Bob".
type namer struct {
	v       *engine.View
	set     *component.Set
	words   Words
	players [engine.MaxPlayers + 1]string
}

func newNamer(v *engine.View, words Words) namer {
	n := namer{v: v, set: v.Set, words: words}
	if n.set == nil {
		n.set = &component.Set{}
	}
	for s := engine.Seat(1); s <= engine.MaxPlayers; s++ {
		if n.players[s] = string(clean(nil, words.Player(s), maxName)); n.players[s] == "" {
			n.players[s] = n.term(TermSeat) + " " + num(int(s))
		}
	}
	return n
}

// clean appends s without control characters, bars (which listed orders own)
// and leading blanks, cut to max runes.
func clean(b []byte, s string, max int) []byte {
	blank := true
	for _, r := range s {
		if max == 0 {
			break
		}
		if r == '|' || r == utf8.RuneError || !unicode.IsGraphic(r) {
			r = ' '
		}
		if unicode.IsSpace(r) {
			r = ' '
			if blank {
				continue
			}
		}
		blank = r == ' '
		b = utf8.AppendRune(b, r)
		max--
	}
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return b
}

func (n *namer) term(t Term) string {
	if s := n.words.Term(t); s != "" {
		return s
	}
	return terms[t]
}

func (n *namer) color(c engine.Color) string {
	if c > engine.Green {
		return n.term(TermNone)
	}
	return n.term(TermOrange + Term(c))
}

func (n *namer) action(a component.Action) string {
	if a < component.Discover || a > component.Command {
		return n.term(TermNone)
	}
	return n.term(TermDiscover + Term(a-component.Discover))
}

func (n *namer) player(s engine.Seat) string {
	switch {
	case s == engine.Neutral:
		return n.term(TermNeutral)
	case s < 1 || s > engine.MaxPlayers:
		return n.term(TermNone)
	}
	return n.players[s]
}

func (n *namer) seats(b []byte, seats []engine.Seat) []byte {
	for i, s := range seats {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, n.player(s)...)
	}
	return b
}

// pair appends "term number".
func (n *namer) pair(b []byte, t Term, v int) []byte {
	b = append(b, n.term(t)...)
	b = append(b, ' ')
	return strconv.AppendInt(b, int64(v), 10)
}

// hex: "c4 orange, comet, Ravager icon, Black Angel; Mission 023 gray, owner Ann; ships Ann, Bob".
func (n *namer) hex(b []byte, h *engine.HexView, full bool) []byte {
	b = append(b, hexName(h.At)...)
	b = append(b, ' ')
	switch {
	case h.Spes:
		b = append(b, n.term(TermSpes)...)
	case h.Asteroid || h.Color > engine.Green:
		b = append(b, n.term(TermAsteroids)...)
	default:
		b = append(b, n.color(h.Color)...)
	}
	if h.Comet && n.v.Options.Hal != engine.NoHal { // it is Hal's alone (R15.10)
		b = append(append(b, ", "...), n.term(TermComet)...)
	}
	if h.Icons > 0 {
		b = append(append(b, ", "...), n.term(TermIcon)...)
		if h.Icons > 1 {
			b = append(append(b, ' '), num(h.Icons)...)
		}
	}
	if h.At != 0 && h.At == n.v.BlackAngel {
		b = append(append(b, ", "...), n.term(TermBlackAngel)...)
	}
	if h.Card != 0 {
		b = n.owned(append(b, "; "...), h.Card, h.Owner, full)
	}
	if len(h.Ships) > 0 {
		b = append(append(b, "; "...), n.term(TermShips)...)
		b = n.seats(append(b, ' '), h.Ships)
	}
	return b
}

// card: "Mission 023 gray", "Ravager 061", in full with what it does.
func (n *namer) card(b []byte, c engine.Card, full bool) []byte { return n.owned(b, c, 0, full) }

// owned: "Mission 023 gray, owner Ann".
func (n *namer) owned(b []byte, c engine.Card, owner engine.Seat, full bool) []byte {
	if c == 0 {
		return append(b, n.term(TermEmpty)...)
	}
	if c.Ravager() {
		b = append(b, n.term(TermRavager)...)
	} else {
		b = append(b, n.term(TermMission)...)
	}
	if !c.Hidden() {
		b = append(append(b, ' '), cardName(c)...)
	}
	if !c.Ravager() {
		b = append(append(b, ' '), n.color(c.Color())...)
	}
	if owner != 0 {
		b = append(append(b, ", "...), n.term(TermOwner)...)
		b = append(append(b, ' '), n.player(owner)...)
	}
	if !full || c.Hidden() {
		return b
	}
	if !c.Ravager() && c <= component.Missions {
		b = n.mission(b, &n.set.Missions[c])
	}
	if e := n.words.Card(n.set, c); e != "" {
		b = clean(append(b, ": "...), e, maxEffect)
	}
	return b
}

// mission: " (reward ship 1, VP 1; tiles orange, gray)".
func (n *namer) mission(b []byte, m *component.Mission) []byte {
	b = append(append(b, " ("...), n.term(TermReward)...)
	some := false
	for _, g := range [...]struct {
		t Term
		v uint8
	}{{TermVP, m.Reward.VP}, {TermRobots, m.Reward.Robots}, {TermResources, m.Reward.Resources}, {TermShips, m.Reward.Ships}} {
		if g.v == 0 {
			continue
		}
		if some {
			b = append(b, ',')
		}
		b, some = n.pair(append(b, ' '), g.t, int(g.v)), true
	}
	if !some {
		b = append(append(b, ' '), n.term(TermNone)...)
	}
	b = append(append(b, "; "...), n.term(TermTiles)...)
	for i, c := range m.Tiles {
		if c > engine.Green {
			break
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, ' '), n.color(c)...)
	}
	return append(b, ')')
}

// tile: "t12 orange: 1 VP"; "a4: K3".
func (n *namer) tile(b []byte, t engine.Tile) []byte { return n.side(b, t, false) }

// side is tile with the side that faces up: "t12 orange: B2; 1 VP".
func (n *namer) side(b []byte, t engine.Tile, boost bool) []byte {
	if t == 0 {
		return append(b, n.term(TermEmpty)...)
	}
	b = append(b, tileName(t)...)
	if int(t) < len(n.set.Tiles) {
		b = append(append(b, ' '), n.color(n.set.Tiles[t].Color)...)
	} else {
		b = append(append(b, ' '), n.term(TermAdvanced)...)
	}
	e := ""
	if boost {
		e = n.words.BoostSide(n.set, t)
	} else {
		e = n.words.Tile(n.set, t)
	}
	if e != "" {
		b = clean(append(b, ": "...), e, maxEffect)
	}
	return b
}

// location: "3 gray repair, Damage 1 to 2; Ravagers 061 (robots Ann), 077; on top 077: V3". It
// says what the topmost Ravager does, because only that one counts (R4.7).
func (n *namer) location(b []byte, i int) []byte {
	l := &n.v.Locs[i]
	b = strconv.AppendInt(b, int64(i), 10)
	b = append(append(b, ' '), n.color(l.Color)...)
	b = append(append(b, ' '), n.action(l.Action)...)
	b = n.pair(append(b, ", "...), TermDamage, l.Damage)
	if len(l.Ravagers) == 0 {
		return b
	}
	b = append(append(b, "; "...), n.term(TermRavagers)...)
	for j := range l.Ravagers {
		r := &l.Ravagers[j]
		if j > 0 {
			b = append(b, ',')
		}
		b = append(append(b, ' '), cardName(r.Card)...)
		if len(r.Robots) > 0 {
			b = append(append(b, " ("...), n.term(TermRobots)...)
			b = append(n.seats(append(b, ' '), r.Robots), ')')
		}
	}
	top := l.Ravagers[len(l.Ravagers)-1].Card
	b = append(append(b, "; "...), n.term(TermTop)...)
	b = append(append(b, ' '), cardName(top)...)
	if e := n.words.Card(n.set, top); e != "" {
		b = clean(append(b, ": "...), e, maxEffect)
	}
	return b
}

// who: "seat 1, Ann", or "seat 1" where no one has a name. A name never begins
// what may be a line: it could look like a quotation.
func (n *namer) who(b []byte, s engine.Seat) []byte {
	b = n.pair(b, TermSeat, int(s))
	if name := n.player(s); name != n.term(TermSeat)+" "+num(int(s)) {
		b = append(append(b, ", "...), name...)
	}
	return b
}

// now is the turn in progress, "die gray 2; acting 3; left 1; inject t12, t30",
// or nothing.
func (n *namer) now(b []byte) []byte {
	v, from := n.v, len(b)
	item := func(t Term) {
		if len(b) > from {
			b = append(b, "; "...)
		}
		b = append(append(b, n.term(t)...), ' ')
	}
	if v.Die.Color <= engine.Green {
		item(TermDie)
		b = n.dice(b, []engine.DieView{v.Die})
	}
	if v.Acting >= 1 && v.Acting <= 6 {
		item(TermActing)
		b = append(b, num(int(v.Acting))...)
	}
	if v.Using != 0 {
		item(TermUsing)
		b = n.card(b, v.Using, false)
	}
	if v.Ship != 0 {
		item(TermShip)
		b = append(b, hexName(v.Ship)...)
	}
	if v.Left > 0 {
		item(TermLeft)
		b = append(b, num(v.Left)...)
	}
	if len(v.ToInject) > 0 {
		item(TermInject)
		b = n.list(b, v.ToInject)
	}
	return b
}

// supply: "orange supply: dice 5, damaged 1".
func (n *namer) supply(b []byte, c engine.Color) []byte {
	s := n.v.Supply[c]
	b = append(append(b, n.color(c)...), ' ')
	b = append(append(b, n.term(TermSupply)...), ": "...)
	b = n.pair(b, TermDice, s.Dice)
	if s.Damaged > 0 {
		b = n.pair(append(b, ", "...), TermDamaged, s.Damaged)
	}
	return b
}

// neutral: "neutral orange: robot; dice orange 2" (R13.1).
func (n *namer) neutral(b []byte, c engine.Color) []byte {
	b = append(append(b, n.term(TermNeutral)...), ' ')
	b = append(append(b, n.color(c)...), ": "...)
	if n.v.Neutral.Robots[c] {
		b = append(append(b, n.term(TermRobot)...), "; "...)
	}
	b = append(append(b, n.term(TermDice)...), ' ')
	some := false
	for i, d := range n.v.Neutral.Dice {
		if d.Color == c {
			if some {
				b = append(b, ", "...)
			}
			b, some = n.dice(b, n.v.Neutral.Dice[i:i+1]), true
		}
	}
	if !some {
		b = append(b, n.term(TermNone)...)
	}
	return b
}

// round: "round 4, turn 13, last round".
func (n *namer) round(b []byte) []byte {
	b = n.pair(b, TermRound, n.v.Round)
	b = n.pair(append(b, ", "...), TermTurn, n.v.Turn)
	switch {
	case n.v.Finished:
		b = append(append(b, ", "...), n.term(TermOver)...)
	case n.v.LastRound:
		b = append(append(b, ", "...), n.term(TermLastRound)...)
	}
	return b
}

// dice: "orange 3, gray 0 (star)".
func (n *namer) dice(b []byte, dice []engine.DieView) []byte {
	if len(dice) == 0 {
		return append(b, n.term(TermNone)...)
	}
	for i, d := range dice {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(append(b, n.color(d.Color)...), ' ')
		b = append(b, num(int(d.Value))...)
		if d.Value == 0 {
			b = append(append(append(b, " ("...), n.term(TermStar)...), ')')
		}
	}
	return b
}

// pile: "left 12, discarded 3".
func (n *namer) pile(b []byte, d engine.DeckView) []byte {
	b = n.pair(b, TermLeft, d.Left)
	if d.Discarded > 0 {
		b = n.pair(append(b, ", "...), TermDiscarded, d.Discarded)
	}
	return b
}

// shop: "display 3, cost 1: t12 orange: 1 VP".
func (n *namer) shop(b []byte, t Term, place, cost int, tile engine.Tile) []byte {
	b = n.pair(b, t, place)
	b = n.pair(append(b, ", "...), TermCost, cost)
	return n.side(append(b, ": "...), tile, n.boosted(tile))
}

// boosted reports whether a tile of display or stack is boost side up (R2.3).
func (n *namer) boosted(t engine.Tile) bool { return n.v.Options.Advanced && t != 0 && !t.Advanced() }

// cell: "2.1: t12 orange: 1 VP; Debris".
func (n *namer) cell(b []byte, i int, c *engine.CellView) []byte {
	b = append(b, '1'+byte(i/3), '.', '1'+byte(i%3), ':', ' ')
	b = n.side(b, c.Tile, c.Boost)
	if c.Debris {
		b = append(append(b, "; "...), n.term(TermDebris)...)
	}
	return b
}

// slot: "row 2: Mission 023 gray".
func (n *namer) slot(b []byte, t Term, i int, c engine.Card, full bool) []byte {
	b = n.pair(b, t, i+1)
	return n.card(append(b, ": "...), c, full)
}

// list: "t12, t30", or none.
func (n *namer) list(b []byte, tiles []engine.Tile) []byte {
	if len(tiles) == 0 {
		return append(b, n.term(TermNone)...)
	}
	for i, t := range tiles {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, tileName(t)...)
	}
	return b
}

// tucked: "orange 2: 001, 014".
func (n *namer) tucked(b []byte, c engine.Color, cards []engine.Card) []byte {
	b = append(append(b, n.color(c)...), ' ')
	b = append(b, num(len(cards))...)
	for i, c := range cards {
		if i == 0 {
			b = append(b, ':')
		} else {
			b = append(b, ',')
		}
		b = append(append(b, ' '), cardName(c)...)
	}
	return b
}

// robots: "break room 5; workstation orange 1, gray 1, green 2; robot supply 7; …".
func (n *namer) robots(b []byte, p *engine.PlayerView) []byte {
	b = n.pair(b, TermBreakRoom, p.Break)
	b = append(append(b, "; "...), n.term(TermWorkstation)...)
	for c, k := range p.Stations {
		if c > 0 {
			b = append(b, ',')
		}
		b = append(append(b, ' '), n.color(engine.Color(c))...)
		b = append(append(b, ' '), num(k)...)
	}
	b = n.pair(append(b, "; "...), TermRobotSupply, p.RobotSupply)
	b = n.pair(append(b, ", "...), TermPilots, p.Pilots)
	b = n.pair(append(b, ", "...), TermOnCards, p.OnCards)
	return n.pair(append(b, ", "...), TermOnRavagers, p.Trapped)
}

// goods: "ships 1, resources 2, Debris 0".
func (n *namer) goods(b []byte, p *engine.PlayerView) []byte {
	b = n.pair(b, TermShips, p.Ships)
	b = n.pair(append(b, ", "...), TermResources, p.Resources)
	return n.pair(append(b, ", "...), TermDebris, p.Debris)
}

// hand: "Missions orange 1, gray 2, green 0; Ravagers 1": what everyone knows.
func (n *namer) hand(b []byte, p *engine.PlayerView) []byte {
	for c, k := range p.Hand {
		b = append(append(b, n.color(engine.Color(c))...), ' ')
		b = append(append(b, num(k)...), ", "...)
	}
	return n.pair(b, TermRavagers, p.Ravagers)
}

// The names of everything that has a number, made once.
var (
	cardNames = func() (a [256]string) {
		for i := range a {
			a[i] = engine.Card(i).String()
		}
		return
	}()
	tileNames = func() (a [256]string) {
		for i := range a {
			a[i] = engine.Tile(i).String()
		}
		return
	}()
	hexNames = func() (a [256]string) {
		for i := range a {
			a[i] = engine.Hex(i).String()
		}
		return
	}()
)

func cardName(c engine.Card) string { return cardNames[c] }
func tileName(t engine.Tile) string { return tileNames[t] }
func hexName(h engine.Hex) string   { return hexNames[h] }
