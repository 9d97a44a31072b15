package draw

import (
	"angelpost/engine"
	"angelpost/engine/component"
)

// edge is how round the corners of a scene are.
const edge = 14

// table is what everyone shares: Space, status, frigate and the tiles for
// sale. Its height follows from the number of strips.
func (s *scene) table() {
	y := s.upper()
	y = s.shop(y + 8)
	s.height = y + 6
	s.shapes[0].h = int16(s.height)
}

// upper draws Space, status and frigate, and returns where they end.
func (s *scene) upper() int {
	s.box(ground, 0, 0, width, 0, edge) // the ground; its height comes last
	s.space()
	y := fieldOf(len(s.v.Strips)).bottom()
	s.status(y)
	return s.frigate(y + 68)
}

// A field is the geometry of Space: strips from left to right, away from the
// frigate, the tip of every chevron pointing back at it (C1).
type field struct{ w, x, y, rise int }

func fieldOf(strips int) field {
	w := 88
	switch {
	case strips <= 5:
		w = 112
	case strips > 7:
		w = (width - 16) / (strips + 1)
	}
	radius := (w*577 + 500) / 1000
	return field{w: w, x: (width - (strips+1)*w) / 2, y: 16 + radius, rise: (w*866 + 500) / 1000}
}

// at is the centre of the hex of a strip's place (from 0) and lane (0-4).
func (f field) at(strip, lane int) (x, y int) {
	p := lane - 2
	if p < 0 {
		p = -p
	}
	return f.x + f.w/2 + strip*f.w + p*f.w/2, f.y + lane*f.rise
}

// bottom is where Space ends.
func (f field) bottom() int { return f.y + 4*f.rise + (f.w*577+500)/1000 + 8 }

// space draws all strips.
func (s *scene) space() {
	v := s.v
	f := fieldOf(len(v.Strips))
	s.section(func(n *namer, b []byte) []byte { return append(b, n.term(TermSpace)...) })
	s.corners(f)
	for i := range v.Strips {
		strip := &v.Strips[i]
		s.section(func(n *namer, b []byte) []byte { return n.pair(b, TermStrip, strip.Number) })
		for lane := range strip.Hexes {
			x, y := f.at(i, lane)
			s.hex(&strip.Hexes[lane], f.w, x, y, v.SpesToken != 0 && v.SpesToken == strip.Number)
		}
		if v.SpesToken != 0 && v.SpesToken == strip.Number {
			x, y := f.at(i, 0)
			s.open(func(n *namer, b []byte) []byte {
				b = append(append(b, n.term(TermSpesToken)...), ", "...)
				return n.pair(b, TermStrip, strip.Number)
			}, AboutSpesToken)
			s.icon(iconDisc, bright, x-f.w/2, y-f.w/2, 30)
			s.text(middle, ground, x-f.w/2, y-f.w/2, "S")
			s.close()
		}
		s.close()
	}
	s.close()
}

// corners fills what the chevrons leave free: the Ravager deck whose end ends
// the game, the round, and the way to go.
func (s *scene) corners(f field) {
	v := s.v
	s.open(func(n *namer, b []byte) []byte {
		b = append(append(b, n.term(TermRavager)...), ' ')
		b = append(append(b, n.term(TermDeck)...), ": "...)
		return n.pile(b, v.Decks[engine.PileRavager])
	}, AboutRavagerDeck)
	s.icon(iconRavager, red, 30, 34, 34)
	s.text(left, bright, 52, 34, num(v.Decks[engine.PileRavager].Left))
	s.close()
	y := f.y + 4*f.rise
	s.open(func(n *namer, b []byte) []byte { return n.round(b) }, AboutRound)
	s.text(left, bright, 12, y+20, "R"+num(v.Round))
	s.close()
	y = f.y + 2*f.rise
	s.icon(iconRight, line, width-40, y, 30)
}

// hex draws one hex of width w around x y.
func (s *scene) hex(h *engine.HexView, w, x, y int, token bool) {
	v := s.v
	f := func(n int) int { return n * w / 88 }
	var kinds [6]About
	s.open(func(n *namer, b []byte) []byte { return n.hex(b, h, true) }, s.aboutHex(kinds[:0], h)...)
	defer s.close()

	angel := h.At != 0 && h.At == v.BlackAngel
	border, rim := line, 2
	if token {
		border = bright
	}
	if angel {
		border, rim = bright, 5
	}
	fill, name := fieldPaint(h.Color), bright
	if h.Asteroid || h.Spes {
		fill = ground
	}
	s.icon(iconHex, border, x, y, w-1)
	s.icon(iconHex, fill, x, y, w-1-2*rim)
	if angel {
		s.icon(iconAngel, bright, x, y, w-2)
		name = ground
	}
	if h.At != 0 { // else it is a printed hex, on no board
		s.text(middle, name, x, y-f(31), hexName(h.At))
	}

	switch {
	case h.Spes:
		s.icon(iconDisc, bright, x, y+f(10), f(64))
		s.text(middle, ground, x, y+f(6), "SPES")
	case h.Card != 0:
		s.placed(h, x, y, w)
	default:
		if h.Asteroid || h.Color > engine.Green {
			s.icon(iconRocks, line, x, y, f(46))
		} else {
			s.icon(iconPlanet+icon(h.Color), colorPaint(h.Color), x, y, f(37))
		}
		if h.Comet {
			s.icon(iconComet, bright, x-f(31), y+f(1), f(20))
		}
		if h.Icons > 0 {
			s.icon(iconRavager, red, x+f(31), y+f(1), f(20))
			if h.Icons > 1 {
				s.text(middle, bright, x+f(31), y+f(22), num(h.Icons))
			}
		}
	}
	below := f(29)
	if h.Card != 0 {
		below = f(34)
	}
	switch len(h.Ships) {
	case 0:
	case 1:
		s.ship(h.Ships[0], x, y+below, f(28))
	default:
		s.ship(h.Ships[0], x-f(15), y+below, f(28))
		s.ship(h.Ships[1], x+f(15), y+below, f(28))
	}
}

// ship draws a ship. On a page the viewer's own have an edge, so that they stand
// out; letters share their pictures.
func (s *scene) ship(seat engine.Seat, x, y, size int) {
	if seat != 0 && seat == s.v.Viewer && s.namer.words != nil {
		s.icon(iconShip, bright, x-size/20, y, size*5/4)
	}
	s.token(iconShip, seat, x, y, size)
}

// placed draws a Mission card on a hex: its number, its owner, and below its
// colour's sign, whether it is used by dice or works when it is ejected, and
// its reward.
func (s *scene) placed(h *engine.HexView, x, y, w int) {
	f := func(n int) int { return n * w / 88 }
	c := h.Card.Color()
	s.box(colorPaint(c), x-f(42), y-f(19), f(84), f(41), f(6))
	s.text(left, ink, x-f(39), y-f(7), cardName(h.Card))
	s.token(iconDisc, h.Owner, x+f(27), y-f(6), f(25))
	s.icon(species(c), ink, x-f(31), y+f(12), f(15))
	if s.v.Set == nil || h.Card > component.Missions {
		return
	}
	m := &s.v.Set.Missions[h.Card]
	kind := iconEject
	if m.Activation() {
		kind = iconBolt
	}
	s.icon(kind, ink, x-f(12), y+f(12), f(16))
	var row []icon
	units := 0
	for _, g := range [...]struct {
		n    uint8
		icon icon
	}{{m.Reward.Ships, iconDart}, {m.Reward.Resources, iconGem}, {m.Reward.Robots, iconHead}, {m.Reward.VP, iconVP}} {
		for range min(g.n, 2) {
			row = append(row, g.icon)
		}
		units += int(g.n)
	}
	if units > 2 { // there is room for two; the card's words say all
		row = []icon{row[0], iconPlus}
	}
	for i, g := range row {
		s.icon(g, ink, x+f(11+19*i), y+f(12), f(16))
	}
}

// aboutHex are the kinds of what lies on a hex.
func (s *scene) aboutHex(kinds []About, h *engine.HexView) []About {
	switch {
	case h.Spes:
		kinds = append(kinds, AboutSpes)
	case h.Asteroid || h.Color > engine.Green:
		kinds = append(kinds, AboutAsteroids)
	case h.Card == 0:
		kinds = append(kinds, AboutPlanet+About(h.Color))
	case s.v.Set != nil && h.Card <= component.Missions && !s.v.Set.Missions[h.Card].Activation():
		kinds = append(kinds, AboutNeutralization)
	default:
		kinds = append(kinds, AboutActivation)
	}
	if h.Comet {
		kinds = append(kinds, AboutComet)
	}
	if h.Icons > 0 {
		kinds = append(kinds, AboutIcon)
	}
	if h.At != 0 && h.At == s.v.BlackAngel {
		kinds = append(kinds, AboutBlackAngel)
	}
	if len(h.Ships) > 0 {
		kinds = append(kinds, AboutShips)
	}
	return kinds
}

// status is the score, the Mission decks and the turn in progress, 62 units
// high.
func (s *scene) status(y int) {
	v := s.v
	s.section(func(n *namer, b []byte) []byte { return append(b, n.term(TermPlayers)...) })
	for i := range v.Players[:min(len(v.Players), engine.MaxPlayers)] {
		p := &v.Players[i]
		x := 12 + i*178
		s.open(func(n *namer, b []byte) []byte { return n.standing(b, p) }, AboutVP)
		if v.Seat == p.Seat {
			s.frame(bright, ground, x-4, y, 172, 30, 8, 2)
		}
		s.token(iconDisc, p.Seat, x+14, y+15, 24)
		s.text(left, bright, x+32, y+15, num(p.VP)+" VP")
		if !isHal(v, p.Seat) {
			s.text(right, bright, x+136, y+15, num(p.Hand[0]+p.Hand[1]+p.Hand[2]))
			s.icon(iconCard, bright, x+150, y+15, 22)
		}
		s.close()
	}
	for c := engine.Orange; c <= engine.Green; c++ {
		x := 12 + int(c)*88
		d := v.Decks[engine.PileOrange+engine.Pile(c)]
		s.open(func(n *namer, b []byte) []byte { return n.deck(b, TermMission, c, d) }, AboutMissionDeck)
		s.icon(iconCard, colorPaint(c), x+14, y+46, 28)
		s.icon(species(c), ink, x+14, y+46, 12)
		s.text(left, bright, x+32, y+46, num(d.Left))
		s.close()
	}
	if v.Die.Color <= engine.Green {
		s.open((*namer).now, AboutDie)
		s.turn(300, y+46)
		s.close()
	}
	s.close()
}

// turn is the turn in progress: the die taken, what is left of it, the tiles
// to inject.
func (s *scene) turn(x, y int) {
	v := s.v
	s.die(v.Die, x, y, 34)
	x += 26
	if v.Using != 0 {
		s.card(v.Using, x, y-16, 78, 32)
		x += 84
	}
	if v.Left > 0 {
		s.icon(iconCross, line, x+8, y, 14)
		s.text(left, bright, x+18, y, num(v.Left))
		x += 44
	}
	for _, t := range v.ToInject[:min(len(v.ToInject), 4)] {
		s.text(left, bright, x+2, y, tileName(t))
		x += 50
	}
}

// clockwise is where the six locations stand, three above three (C8).
var clockwise = [2][3]int{{1, 2, 3}, {6, 5, 4}}

// frigate draws the locations around the dice supplies and returns where it ends.
func (s *scene) frigate(y int) int {
	s.section(func(n *namer, b []byte) []byte { return append(b, n.term(TermFrigate)...) })
	for row, locs := range clockwise {
		for i, l := range locs {
			s.location(l, 8+i*236, y+row*158)
		}
	}
	for c := engine.Orange; c <= engine.Green; c++ {
		s.supply(c, 8+int(c)*236, y+112)
	}
	s.close()
	return y + 158 + 108
}

// location draws one action location, 232 by 108.
func (s *scene) location(n, x, y int) {
	l := &s.v.Locs[n]
	kinds := []About{AboutDiscover, AboutDamage, AboutRavagers}
	if l.Action >= component.Discover && l.Action <= component.Command {
		kinds[0] += About(l.Action - component.Discover)
	}
	if len(l.Ravagers) == 0 {
		kinds = kinds[:2]
	}
	s.open(func(nm *namer, b []byte) []byte { return nm.location(b, n) }, kinds...)
	defer s.close()
	border := line
	if s.v.Acting == uint8(n) {
		border = bright
	}
	s.frame(border, fieldPaint(l.Color), x, y, 232, 108, 10, 2)
	s.sign(l.Color, x+24, y+22, 34, num(n))
	s.text(left, bright, x+48, y+22, l.Action.String())
	for i := range 2 {
		dx := x + 172 + i*28
		s.frame(line, ground, dx, y+9, 25, 25, 4, 2)
		if i < l.Damage {
			s.box(red, dx, y+9, 25, 25, 4)
			s.icon(iconCross, paper, dx+12, y+21, 17)
		}
	}
	for i := range l.Ravagers[:min(len(l.Ravagers), 3)] {
		r := &l.Ravagers[i]
		cx := x + 8 + i*73
		if i == len(l.Ravagers)-1 {
			s.box(bright, cx, y+40, 70, 34, 6) // the topmost counts (R4.7)
		}
		s.box(red, cx+2, y+42, 66, 30, 5)
		s.icon(iconRavager, paper, cx+15, y+57, 20)
		s.text(right, paper, cx+65, y+57, cardName(r.Card))
		for j, seat := range r.Robots {
			if j == 2 && len(r.Robots) > 3 {
				s.text(right, bright, cx+71, y+90, "+"+num(len(r.Robots)-2))
				break
			}
			s.token(iconRobot, seat, cx+12+j*22, y+90, 23)
		}
	}
}

// supply draws the dice of a colour, 232 by 42, and what the neutral player
// has of it (R13.1).
func (s *scene) supply(c engine.Color, x, y int) {
	d := s.v.Supply[c]
	s.open(func(n *namer, b []byte) []byte { return n.supply(b, c) }, AboutSupply)
	s.frame(line, ground, x, y, 232, 42, 10, 2)
	pitch := min(36, 216/max(d.Dice, 1))
	solo := s.v.Options.Hal != engine.NoHal
	if s.v.Neutral != nil || solo {
		pitch = min(32, 140/max(d.Dice, 1))
	}
	for i := range min(d.Dice, 12) {
		dx := x + 26 + i*pitch
		s.icon(species(c), colorPaint(c), dx, y+21, 28)
		if i >= d.Dice-d.Damaged {
			s.box(red, dx+1, y+20, 17, 17, 4)
			s.icon(iconCross, paper, dx+9, y+28, 12)
		}
	}
	s.close()
	if solo { // Hal's dice are for sale (R15.5)
		s.open(func(n *namer, b []byte) []byte { return n.halDie(b, c) }, AboutHalDie)
		s.token(iconRobot, engine.Hal, x+174, y+21, 32)
		for _, d := range s.namer.halDice(c) {
			s.die(d, x+210, y+21, 34)
		}
		s.close()
	}
	if s.v.Neutral == nil {
		return
	}
	s.open(func(n *namer, b []byte) []byte { return n.neutral(b, c) }, AboutNeutral)
	s.box(line, x+152, y+8, 2, 26, 0)
	if s.v.Neutral.Robots[c] {
		s.token(iconRobot, engine.Neutral, x+174, y+21, 32)
	}
	for _, d := range s.v.Neutral.Dice {
		if d.Color == c {
			s.die(d, x+210, y+21, 34)
		}
	}
	s.close()
}

// shop draws the display, the Advanced tiles and the tops of the stacks.
func (s *scene) shop(y int) int {
	v := s.v
	s.section(func(n *namer, b []byte) []byte { return append(b, n.term(TermDisplay)...) })
	for i, t := range v.Display[:min(len(v.Display), 8)] {
		cost := s.cost(i)
		x := 10 + i*88
		s.open(func(n *namer, b []byte) []byte { return n.shop(b, TermDisplay, i+1, cost, t) }, AboutDisplay)
		s.tile(t, x, y, engine.CellView{Boost: s.boosted(t)})
		s.price(x+42, y+76, cost)
		s.close()
	}
	y += 98
	for i, t := range v.Slots {
		x := 10 + i*88
		s.open(func(n *namer, b []byte) []byte { return n.shop(b, TermAdvanced, i+1, 2, t) }, AboutAdvancedSlot)
		s.tile(t, x, y, engine.CellView{})
		s.price(x+42, y+76, 2)
		s.close()
	}
	for c := engine.Orange; c <= engine.Green; c++ {
		x := 10 + (5+int(c))*88
		d := v.Decks[engine.PileTileOrange+engine.Pile(c)]
		s.open(func(n *namer, b []byte) []byte {
			b = append(append(b, n.color(c)...), ' ')
			b = append(append(b, n.term(TermStack)...), ": "...)
			return n.pile(append(n.side(b, v.TopTile[c], n.boosted(v.TopTile[c])), "; "...), d)
		}, AboutStack)
		s.box(line, x+6, y+8, 78, 62, 8)
		s.tile(v.TopTile[c], x, y, engine.CellView{Boost: s.boosted(v.TopTile[c])})
		s.icon(iconCards, line, x+28, y+80, 20)
		s.text(left, bright, x+44, y+80, num(d.Left))
		s.close()
	}
	s.open(func(n *namer, b []byte) []byte {
		b = append(append(b, n.term(TermAdvanced)...), ' ')
		b = append(append(b, n.term(TermDeck)...), ": "...)
		return n.pair(b, TermLeft, v.AdvancedLeft)
	}, AboutAdvancedDeck)
	s.icon(iconCards, line, 380, y+32, 26)
	s.text(left, bright, 398, y+32, num(v.AdvancedLeft))
	s.close()
	s.close()
	return y + 92
}

// boosted reports whether a tile of display or stack lies boost side up (R2.3).
func (s *scene) boosted(t engine.Tile) bool { return s.namer.boosted(t) }

// cost of display space i, from 0 (C8).
func (s *scene) cost(i int) int {
	if s.v.Set == nil || i >= len(s.v.Set.Costs) {
		return 1
	}
	return int(s.v.Set.Costs[i])
}

func (s *scene) price(x, y, cost int) {
	for i := range min(cost, 4) {
		s.icon(iconDisc, bright, x-9*(cost-1)+18*i, y+4, 12)
	}
}
