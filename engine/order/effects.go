package order

import (
	"strings"

	"angelpost/engine"
)

// activateVerb reads a cell and the choice within its tile's effect.
func activateVerb(p *reader) []Clause {
	p.words("tile", "cell", "the")
	start := p.i
	if c, ok := p.cell(); ok {
		r := reading{step: engine.Step{Kind: engine.Activate, Cell: c}, has: hasCell}
		return one(p.effect(r)...)
	}
	if n := p.times(); p.i > start { // "activate x3": a Mission card
		return p.repeat(n, start)
	}
	if t := p.at(0); t.kind == wordTok && (t.s == "mission" || t.s == "card") || t.kind == numTok && t.digits == 3 {
		if c, ok := p.card(); ok {
			return one(reading{step: engine.Step{Kind: engine.UseCard, Card: c}, has: hasCard})
		}
	}
	p.i = start
	return one(reading{step: engine.Step{Kind: engine.Activate}}, reading{step: engine.Step{Kind: engine.Collect}})
}

// effect reads what may follow a cell: the tile that a Td activates and the choice. It
// returns every possible reading.
func (p *reader) effect(r reading) []reading {
	start := p.i
	p.words("on", "onto", "via", "for", "through", "activate", "activating", "activates", "at", "to", "tile")
	if c, ok := p.cell(); ok && p.i > start+1 {
		r.step.Via = c
		r.has |= hasVia
	} else {
		p.i = start
	}
	if p.at(0).kind == sepTok && !p.sep(p.effectWord) {
		return []reading{r}
	}
	start = p.i
	p.words("for", "take", "gain", "get", "gives", "a", "one")
	n := p.at(0)
	if n.kind == numTok && n.n == 1 {
		p.i++
	}
	move := func() []reading {
		r.setUse(engine.Move)
		p.path(&r)
		return []reading{r}
	}
	switch {
	case p.begins("launch"):
		r.has |= hasFrom
		return move()
	case p.word("move", "fly"):
		p.words("a", "my")
		if p.begins("robot", "robots") {
			return p.robot(r)
		}
		p.words("ship")
		return move()
	case p.begins("draw"):
		p.words("a", "one", "mission", "card")
		r.setUse(engine.Draw)
		if m := p.color(); m != 0 {
			r.setColor(m)
		}
		p.words("card", "mission")
		return []reading{r}
	case p.begins("robot", "robots"):
		return p.robot(r)
	case p.begins("resource", "resources"):
		return []reading{p.good(r, engine.Resource)}
	case p.begins("debris"):
		return []reading{p.good(r, engine.Debris)}
	case p.word("vp", "vps", "point", "points"):
		return []reading{p.good(r, engine.VP)}
	case p.begins("ship", "ships"):
		end := p.i
		if rs := move(); rs[0].has&(hasFrom|hasTo) != 0 {
			return rs
		}
		p.i = end
		r.has &^= hasUse
		g := p.good(r, engine.Ship)
		g.uses |= 1 << engine.Move
		return []reading{g}
	}
	if n.kind == wordTok && len(n.s) == 1 { // "2.1 r"
		for g := engine.Ship; g <= engine.Debris; g++ {
			if strings.HasPrefix(g.String(), n.s) {
				r.goods |= 1 << g
				r.step.Good = g
			}
		}
		if r.goods != 0 && n.s != "d" {
			p.i++
			r.setUse(engine.TakeGood)
			return []reading{r}
		}
		r.goods, r.step.Good = 0, 0
	}
	p.i = start
	if m := p.color(); m != 0 {
		r.setUse(engine.Draw, engine.ToStation, engine.FromStation)
		r.setColor(m)
		return []reading{r}
	}
	p.words("to", "from")
	if _, ok := p.hex(); ok {
		p.i = start
		return move()
	}
	p.words("to", "from", "in", "into")
	if m := p.color(); m != 0 {
		p.i = start
		return p.robot(r)
	}
	p.i = start
	return []reading{r}
}

// effectWord reports whether a word of an effect comes next, after a comma.
func (p *reader) effectWord() bool {
	start := p.i
	p.words("take", "gain", "a", "one")
	ok := p.begins("launch", "draw", "robot", "resource", "debris", "ship", "vp")
	p.i = start
	return ok
}

func (p *reader) good(r reading, g engine.Good) reading {
	r.setUse(engine.TakeGood)
	r.step.Good, r.goods = g, 1<<g
	return r
}

// robot reads "to gray" or "from gray" after the word robot. The word alone may mean taking
// a robot.
func (p *reader) robot(r reading) []reading {
	start := p.i
	uses := []engine.Use{engine.ToStation, engine.FromStation}
	switch {
	case p.word("to", "into", "in", "onto"):
		uses = uses[:1]
	case p.word("from", "off", "out"):
		uses = uses[1:]
		p.words("of")
	}
	p.words("a", "my")
	m := p.color()
	if m == 0 {
		p.i = start
		r = p.good(r, engine.Robot)
		r.uses |= 1<<engine.ToStation | 1<<engine.FromStation
		return []reading{r}
	}
	p.words("workstation", "station")
	if p.word("to") && !p.word("break") { // "from gray to break room"
		p.i--
	}
	p.words("room")
	r.setUse(uses...)
	r.setColor(m)
	return []reading{r}
}

// path reads a ship's way: "c4 to b5", "to b5", "b5".
func (p *reader) path(r *reading) {
	start := p.i
	p.words("a", "my", "ship", "from", "at")
	from := p.i > start && p.toks[p.i-1].s == "from"
	to := p.word("to")
	h, ok := p.hex()
	if !ok {
		p.i = start
		return
	}
	if to || r.has&hasFrom != 0 {
		r.step.To = h
		r.has |= hasTo
		return
	}
	end := p.i
	p.words("to", "-")
	if h2, ok := p.hex(); ok {
		r.step.From, r.step.To = h, h2
		r.has |= hasFrom | hasTo
		return
	}
	p.i = end
	if from {
		r.step.From = h
		r.has |= hasFrom
		return
	}
	r.step.To = h
	r.has |= hasTo
}

// moveVerb reads a ship's move or launch in Command.
func moveVerb(launch bool) func(*reader) []Clause {
	return func(p *reader) []Clause {
		r := reading{step: engine.Step{Kind: engine.MoveShip}}
		p.words("a", "my", "ship")
		if launch || p.begins("launch") {
			r.has |= hasFrom
		}
		p.path(&r)
		return one(r)
	}
}
