package draw

import "angelpost/engine"

// board draws a player's board and goods.
func (s *scene) board(p *engine.PlayerView) {
	if isHal(s.v, p.Seat) {
		s.hal(p)
		return
	}
	s.box(ground, 0, 0, width, 0, edge)
	s.header(p)
	s.grid(p, 8, 72)
	s.crew(p, 350, 72)
	s.dice(p, 350, 146)
	s.spaces(p, 350, 230)
	y := s.hand(p, 352)
	y = s.ejected(p, y)
	y = s.tucked(p, y)
	s.height = y + 2
	s.shapes[0].h = int16(s.height)
}

// letter is what the picture of a letter shows: Space, the frigate and the viewer's grid,
// robots and dice. For the public it is the table.
func (s *scene) letter() {
	if n := int(s.v.Viewer); n == 0 || n > len(s.v.Players) {
		s.table()
		return
	}
	p, y := &s.v.Players[s.v.Viewer-1], s.upper()+16
	s.box(seatPaint(p.Seat), 8, y-8, width-16, 3, 1)
	s.grid(p, 8, y+4)
	s.crew(p, 350, y+4)
	s.dice(p, 350, y+78)
	s.height = y + 282
	s.shapes[0].h = int16(s.height)
}

// header is the player's name, VP and storage, 62 high: one thing, for the
// line that names what is pointed at covers it.
func (s *scene) header(p *engine.PlayerView) {
	s.open(func(n *namer, b []byte) []byte {
		b = n.pair(append(n.who(b, p.Seat), ": "...), TermVP, p.VP)
		if s.v.Finished {
			b = n.pair(append(b, ", "...), TermFinal, p.Final)
		}
		if isHal(s.v, p.Seat) {
			return b
		}
		return n.goods(append(b, "; "...), p)
	}, s.aboutPlayer(p))
	s.token(iconDisc, p.Seat, 26, 32, 36)
	s.text(left, bright, 58, 32, num(p.VP)+" VP")
	for i, g := range [...]struct {
		icon icon
		n    int
	}{{iconDart, p.Ships}, {iconGem, p.Resources}, {iconCube, p.Debris}} {
		if isHal(s.v, p.Seat) {
			break
		}
		x := 376 + i*120
		s.icon(g.icon, bright, x, 32, 30)
		s.text(left, bright, x+26, 32, num(g.n))
	}
	s.close()
	s.box(seatPaint(p.Seat), 8, 62, width-16, 3, 1)
}

// grid draws the 3 by 3 tiles with the card slots at its left and lower edge,
// 340 by 276.
func (s *scene) grid(p *engine.PlayerView, x, y int) {
	s.section(func(n *namer, b []byte) []byte { return append(b, n.term(TermGrid)...) })
	for row := range 3 {
		s.open(func(n *namer, b []byte) []byte { return n.slot(b, TermRow, row, p.Rows[row], true) }, AboutRow)
		s.card(p.Rows[row], x, y+row*76+4, 60, 60)
		s.close()
		for column := range 3 {
			c := &p.Grid[row*3+column]
			var kinds [3]About
			s.open(func(n *namer, b []byte) []byte { return n.cell(b, row*3+column, c) }, aboutCell(kinds[:0], c)...)
			s.tile(c.Tile, x+68+column*88, y+row*76, *c)
			s.close()
		}
	}
	for column := range 3 {
		s.open(func(n *namer, b []byte) []byte { return n.slot(b, TermColumn, column, p.Columns[column], true) }, AboutColumn)
		s.card(p.Columns[column], x+68+column*88, y+230, 82, 40)
		s.close()
	}
	s.close()
}

// card draws a card, its back or an empty place.
func (s *scene) card(c engine.Card, x, y, w, h int) {
	switch {
	case c == 0:
		s.frame(line, ground, x, y, w, h, 8, 2)
	case c.Ravager():
		s.box(red, x, y, w, h, 8)
		if c.Hidden() {
			s.icon(iconRavager, paper, x+w/2, y+h/2, 28)
			return
		}
		s.numbered(iconRavager, paper, cardName(c), x, y, w, h)
	default:
		s.box(colorPaint(c.Color()), x, y, w, h, 8)
		if c.Hidden() {
			s.frame(ink, colorPaint(c.Color()), x+5, y+5, w-10, h-10, 5, 2)
			s.icon(species(c.Color()), ink, x+w/2, y+h/2, 20)
			return
		}
		s.numbered(species(c.Color()), ink, cardName(c), x, y, w, h)
	}
}

// numbered writes a card's number beside its sign, or below where it is narrow.
func (s *scene) numbered(i icon, p paint, number string, x, y, w, h int) {
	if w >= 68 {
		s.icon(i, p, x+15, y+h/2, 16)
		s.text(middle, p, x+w/2+9, y+h/2, number)
		return
	}
	s.icon(i, p, x+w/2, y+h/2-14, 18)
	s.text(middle, p, x+w/2, y+h/2+10, number)
}

// crew draws the robots, 360 by 66.
func (s *scene) crew(p *engine.PlayerView, x, y int) {
	s.open(func(n *namer, b []byte) []byte {
		if isHal(s.v, p.Seat) {
			return n.halRobots(b, p)
		}
		return n.robots(b, p)
	}, s.aboutCrew(p))
	s.box(panel, x, y, 362, 70, 10)
	s.icon(iconHead, seatPaint(p.Seat), x+24, y+20, 30)
	s.text(left, bright, x+46, y+21, num(p.Break))
	for c := engine.Orange; c <= engine.Green; c++ {
		cx := x + 140 + int(c)*84
		s.sign(c, cx, y+20, 32, "")
		s.icon(iconHead, ink, cx, y+20+int(c)/2*3, 16)
		s.text(left, bright, cx+22, y+21, num(p.Stations[c]))
	}
	for i, g := range [...]struct {
		icon icon
		n    int
	}{{iconCards, p.RobotSupply}, {iconShip, p.Pilots}, {iconCard, p.OnCards}, {iconRavager, p.Trapped}} {
		if isHal(s.v, p.Seat) && g.icon != iconCard {
			continue
		}
		cx := x + 24 + i*86
		if isHal(s.v, p.Seat) {
			cx = x + 24
		}
		s.icon(g.icon, line, cx, y+51, 28)
		s.text(left, bright, cx+22, y+51, num(g.n))
	}
	s.close()
}

// dice draws the compartment: the standard area, and beneath it the
// high-security area behind a lock.
func (s *scene) dice(p *engine.PlayerView, x, y int) {
	for i, area := range [2][]engine.DieView{p.Standard, p.Secure} {
		term := TermStandard + Term(i)
		s.open(func(n *namer, b []byte) []byte {
			b = append(append(b, n.term(term)...), ' ')
			b = append(append(b, n.term(TermDice)...), ": "...)
			return n.dice(b, area)
		}, AboutStandard+About(i))
		y := y + i*40
		s.box(panel, x, y, 362, 38, 10)
		at := x + 22
		if i == 1 {
			s.icon(iconLock, line, x+22, y+19, 24)
			at += 38
		}
		pitch := min(38, 330/max(len(area), 1))
		for j, d := range area[:min(len(area), 18)] {
			s.die(d, at+j*pitch, y+19, 32)
		}
		s.close()
	}
}

// spaces draws the Advanced tiles on the three coloured spaces, and beside
// each how many cards of that colour are tucked.
func (s *scene) spaces(p *engine.PlayerView, x, y int) {
	s.section(func(n *namer, b []byte) []byte { return append(b, n.term(TermSpaces)...) })
	for c := engine.Orange; c <= engine.Green; c++ {
		cx := x + int(c)*123
		s.open(func(n *namer, b []byte) []byte { return n.space(b, p, c) }, AboutSpace)
		s.box(fieldPaint(c), cx, y, 116, 112, 10)
		s.icon(species(c), colorPaint(c), cx+98, y+22, 22)
		s.tile(p.Spaces[c], cx+4, y+4, engine.CellView{})
		s.icon(iconTuck, colorPaint(c), cx+22, y+92, 24)
		s.text(left, bright, cx+42, y+92, num(len(p.Tucked[c])))
		s.close()
	}
	s.close()
}

// A flow puts things of one width side by side, behind a label, in as many
// lines as they need.
type flow struct{ x, y, step, from, line int }

func newFlow(y, step, line int) flow { return flow{x: 56, y: y, step: step, from: 56, line: line} }

// next is the place of the next thing.
func (f *flow) next() (x, y int) {
	if f.x+f.step > width {
		f.x, f.y = f.from, f.y+f.line
	}
	x, y = f.x, f.y
	f.x += f.step
	return
}

// hand draws the hand: the cards where the viewer knows them, or their backs.
func (s *scene) hand(p *engine.PlayerView, y int) int {
	f := newFlow(y, 82, 46)
	s.section(func(n *namer, b []byte) []byte {
		b = append(append(b, n.term(TermHand)...), ": "...)
		return n.hand(b, p)
	})
	s.icon(iconCards, bright, 28, y+20, 32)
	if p.Cards != nil {
		for _, c := range p.Cards {
			x, y := f.next()
			kind := AboutMissionCard
			if c.Ravager() {
				kind = AboutRavagerCard
			}
			s.open(func(n *namer, b []byte) []byte { return n.card(b, c, true) }, kind)
			s.card(c, x, y, 78, 40)
			s.close()
		}
	} else {
		s.open(func(n *namer, b []byte) []byte {
			b = append(append(b, n.term(TermHand)...), ": "...)
			return n.hand(b, p)
		}, AboutHand)
		for i, k := range [4]int{p.Hand[0], p.Hand[1], p.Hand[2], p.Ravagers} {
			x, y := f.next()
			s.card(engine.BackOrange+engine.Card(i), x, y, 44, 40)
			s.text(left, bright, x+50, y+20, num(k))
		}
		s.close()
	}
	s.close()
	return f.y + 48
}

// ejected draws the tiles beside the board, if any.
func (s *scene) ejected(p *engine.PlayerView, y int) int {
	if len(p.Ejected) == 0 {
		return y
	}
	f := newFlow(y, 88, 72)
	s.section(func(n *namer, b []byte) []byte { return append(b, n.term(TermEjected)...) })
	s.icon(iconEject, bright, 28, y+24, 28)
	for _, t := range p.Ejected {
		x, y := f.next()
		s.open(func(n *namer, b []byte) []byte { return n.tile(b, t) }, AboutEjected)
		s.tile(t, x, y, engine.CellView{})
		s.close()
	}
	s.close()
	return f.y + 74
}

// tucked draws the cards tucked beneath the board, if any.
func (s *scene) tucked(p *engine.PlayerView, y int) int {
	if len(p.Tucked[0])+len(p.Tucked[1])+len(p.Tucked[2]) == 0 {
		return y
	}
	f := newFlow(y, 82, 46)
	s.section(func(n *namer, b []byte) []byte { return append(b, n.term(TermTucked)...) })
	s.icon(iconTuck, bright, 28, y+20, 28)
	for c := range p.Tucked {
		for _, card := range p.Tucked[c] {
			x, y := f.next()
			s.open(func(n *namer, b []byte) []byte { return n.card(b, card, true) }, AboutTucked)
			s.card(card, x, y, 78, 40)
			s.close()
		}
	}
	s.close()
	return f.y + 48
}

func (s *scene) aboutPlayer(p *engine.PlayerView) About {
	if isHal(s.v, p.Seat) {
		return AboutHal
	}
	return AboutGoods
}

func (s *scene) aboutCrew(p *engine.PlayerView) About {
	if isHal(s.v, p.Seat) {
		return AboutHalRobots
	}
	return AboutRobots
}

// aboutCell are the kinds of what lies on a cell of the grid.
func aboutCell(kinds []About, c *engine.CellView) []About {
	switch {
	case c.Tile == 0:
		kinds = append(kinds, AboutCell)
	case c.Tile.Advanced():
		kinds = append(kinds, AboutAdvanced)
	default:
		kinds = append(kinds, AboutTechnology)
	}
	if c.Boost {
		kinds = append(kinds, AboutBoost)
	}
	if c.Debris {
		kinds = append(kinds, AboutDebris)
	}
	return kinds
}
