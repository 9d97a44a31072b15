package draw

import "angelpost/engine"

// Hal has no board (R15.1): Text tells their robots, dice and cards, and what things are
// worth to them (C6).

// isHal reports whether a seat is Hal's.
func isHal(v *engine.View, seat engine.Seat) bool {
	return v.Options.Hal != engine.NoHal && seat == engine.Hal
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
