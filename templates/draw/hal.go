package draw

import "angelpost/engine"

// Hal has no board (R15.1): what stands for it shows his VP, robots, dice and
// cards, and what things are worth to him (C6).

// isHal reports whether a seat is Hal's.
func isHal(v *engine.View, seat engine.Seat) bool {
	return v.Options.Hal != engine.NoHal && seat == engine.Hal
}

// hal draws what Hal has.
func (s *scene) hal(p *engine.PlayerView) {
	s.box(ground, 0, 0, width, 0, edge)
	s.header(p)
	s.crew(p, 8, 72)
	s.open(func(n *namer, b []byte) []byte { return n.halCards(b) }, AboutHalDeck)
	s.box(panel, 378, 72, 334, 70, 10)
	d := s.v.Decks[engine.PileHal]
	s.icon(iconCards, bright, 408, 107, 34)
	s.text(left, bright, 434, 108, num(d.Left))
	s.icon(iconCard, line, 514, 107, 34)
	s.text(left, bright, 540, 108, num(d.Discarded))
	s.close()
	s.open(func(n *namer, b []byte) []byte {
		b = append(append(b, n.term(TermDice)...), ": "...)
		return n.dice(b, p.Standard)
	}, AboutHalDie)
	s.box(panel, 8, 150, width-16, 42, 10)
	for i, d := range p.Standard[:min(len(p.Standard), 18)] {
		s.die(d, 30+i*38, 171, 34)
	}
	s.close()
	s.open(func(n *namer, b []byte) []byte { return n.halWorth(b) }, AboutHalWorth)
	s.box(panel, 8, 200, width-16, 42, 10)
	s.text(left, bright, 20, 221, "VP")
	for i, w := range s.worth() {
		x := 82 + i*92
		s.icon([...]icon{iconDart, iconGem, iconHead, iconCube, iconRavager, iconTile, iconPlus}[i], bright, x, 221, 28)
		s.text(left, bright, x+22, 221, num(w))
	}
	s.close()
	s.height = 250
	s.shapes[0].h = int16(s.height)
}

// worth is what a ship, a resource, a robot, a Debris, a Ravager, a Technology
// and an Advanced tile are to Hal.
func (n *namer) worth() [7]int {
	if n.set == nil {
		return [7]int{}
	}
	w := &n.set.Weights
	return [...]int{int(w.Ship), int(w.Resource), int(w.Robot), int(w.Debris), int(w.Ravager), int(w.Technology), int(w.Advanced)}
}

func (s *scene) worth() [7]int { return s.namer.worth() }

// halWorth: "VP: ship 1, resource 1, …, Advanced 4".
func (n *namer) halWorth(b []byte) []byte {
	b = append(append(b, n.term(TermVP)...), ": "...)
	for i, w := range n.worth() {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = n.pair(b, [...]Term{TermShip, TermResource, TermRobot, TermDebris, TermRavager, TermTiles, TermAdvanced}[i], w)
	}
	return b
}

// halCards: "deck: left 11, discarded 1".
func (n *namer) halCards(b []byte) []byte {
	b = append(append(b, n.term(TermDeck)...), ": "...)
	return n.pile(b, n.v.Decks[engine.PileHal])
}

// halRobots: "break room 12; workstation orange 1, gray 1, green 1; on Missions 1".
func (n *namer) halRobots(b []byte, p *engine.PlayerView) []byte {
	b = n.pair(b, TermBreakRoom, p.Break)
	b = append(append(b, "; "...), n.term(TermWorkstation)...)
	for c, k := range p.Stations {
		if c > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, ' '), n.color(engine.Color(c))...), ' ')
		b = append(b, num(k)...)
	}
	return n.pair(append(b, "; "...), TermOnCards, p.OnCards)
}

// halDie: "Hal: orange 3", what he has of a colour, next to its supply.
func (n *namer) halDie(b []byte, c engine.Color) []byte {
	b = append(n.who(b, engine.Hal), ": "...)
	return n.dice(b, n.halDice(c))
}

func (n *namer) halDice(c engine.Color) (out []engine.DieView) {
	if len(n.v.Players) < int(engine.Hal) {
		return nil
	}
	for _, d := range n.v.Players[engine.Hal-1].Standard {
		if d.Color == c {
			out = append(out, d)
		}
	}
	return out
}

// hal is what Text says of Hal.
func (t *texts) hal(p *engine.PlayerView) {
	t.label(TermDice)
	t.line = t.dice(t.line, p.Standard)
	t.flush(4)
	t.label(TermRobots)
	t.line = t.halRobots(t.line, p)
	t.flush(4)
	t.line = t.halCards(t.line)
	t.flush(4)
	t.line = t.halWorth(t.line)
	t.flush(4)
}
