package order

import "angelpost/engine"

// cardVerb reads a card and its target. A slot means that the card is played, a hex that it
// is placed; without either, the step is one of kinds.
func cardVerb(kinds ...engine.Kind) func(*reader) []Clause {
	return func(p *reader) []Clause {
		var r reading
		if c, ok := p.card(); ok {
			r.step.Card, r.has = c, hasCard
		} else if kinds[0] == engine.UseCard && p.word("none", "no", "nothing") {
			return one(reading{step: engine.Step{Kind: engine.Done}})
		}
		p.words("card", "mission", "ravager")
		after := p.i
		p.words("face", "down")
		if s, ok := p.slot(); ok {
			r.step.Kind, r.step.Slot = engine.PlayCard, s
			r.has |= hasSlot
			if c, ok := p.cardBehind(r.has); ok {
				r.step.Card = c
				r.has |= hasCard
			}
			return one(r)
		}
		p.words("at", "on", "to", "in")
		if h, ok := p.hex(); ok {
			play := r
			r.step.Kind, r.step.To = engine.Place, h
			r.has |= hasTo
			if n := h.Strip(); h.Lane() == 2 && n <= 3 { // c2 may be short for column 2
				play.step.Kind, play.step.Slot = engine.PlayCard, engine.Slot(n+3)
				play.has |= hasSlot
				return one(r, play)
			}
			return one(r)
		}
		p.i = after
		var rs []reading
		for _, k := range kinds {
			r.step.Kind = k
			rs = append(rs, r)
		}
		return one(rs...)
	}
}

// cardBehind reads a card named after its slot: "row 2 013".
func (p *reader) cardBehind(has fields) (engine.Card, bool) {
	start := p.i
	if t := p.at(0); has&hasCard == 0 && t.kind == numTok && t.digits == 3 {
		if c, ok := p.card(); ok {
			return c, true
		}
	}
	p.i = start
	return 0, false
}

// wishCards reads the cards to discard or to keep, as one clause for each.
func wishCards(k engine.Kind) func(*reader) []Clause {
	return func(p *reader) (cs []Clause) {
		p.words("a", "my")
		for {
			start := p.i
			if !p.sep(func() bool {
				if c, ok := p.card(); ok {
					cs = append(cs, Clause{Wish: true, Text: "", readings: []reading{{step: engine.Step{Kind: k, Card: c}, has: hasCard}}})
					return true
				}
				return false
			}) {
				p.i = start
				break
			}
			p.words("card", "mission", "ravager")
			if k == engine.Keep {
				break
			}
		}
		if cs == nil {
			cs = []Clause{{Wish: true, readings: []reading{{step: engine.Step{Kind: k}}}}}
		}
		p.name(cs)
		return cs
	}
}

// name gives each of several clauses from one text its own text.
func (p *reader) name(cs []Clause) {
	if len(cs) < 2 {
		return
	}
	for i := range cs {
		cs[i].Text = Print(cs[i].readings[0].step)
	}
}

// reserveVerb reads a reservation list, the most wanted die first (Q6.2b), with the tile
// whose boost it uses, or that the player wants none.
func reserveVerb(p *reader) []Clause {
	c := Clause{Wish: true, list: true}
	p.words("a", "die", "dice")
	if p.word("none", "nothing", "no") {
		p.words("die")
		return []Clause{{Wish: true, readings: []reading{{step: engine.Step{Kind: engine.Done}}}}}
	}
	for len(c.readings) < MaxWish {
		if !p.sep(func() bool {
			p.words("or", "else", "otherwise", "a", "die", "dice")
			r := reading{step: engine.Step{Kind: engine.Reserve}}
			if !p.dieDetails(&r) {
				return false
			}
			c.readings = append(c.readings, r)
			return true
		}) {
			break
		}
	}
	if len(c.readings) == 0 {
		c.readings = []reading{{step: engine.Step{Kind: engine.Reserve}}}
	}
	start := p.i
	p.words("free", "by", "with", "using", "the", "boost", "tile", "of", "at")
	if cell, ok := p.cell(); ok {
		for i := range c.readings {
			c.readings[i].step.Cell = cell
			c.readings[i].has |= hasCell
		}
	} else {
		p.i = start
	}
	return []Clause{c}
}

// dieDetails reads a colour and a value in either order, the word die among them.
func (p *reader) dieDetails(r *reading) bool {
	some := false
	for {
		if m := uint8(0); r.has&hasColor == 0 {
			if m = p.color(); m != 0 {
				r.setColor(m)
				some = true
				continue
			}
		}
		if r.has&hasValue == 0 {
			if v, ok := p.face(); ok {
				r.step.Value = v
				r.has |= hasValue
				some = true
				continue
			}
		}
		if some && p.word("die") {
			continue
		}
		return some
	}
}

// collectVerb reads activations of a Mission card with the payment for each.
func collectVerb(p *reader) []Clause {
	start := p.i
	if n := p.times(); p.i > start {
		return p.repeat(n, start)
	}
	paid := p.word("with", "paying", "pay", "for", "spending", "spend", "using", "by")
	p.words("paying", "spending", "a", "my")
	r := reading{step: engine.Step{Kind: engine.Collect}}
	var rs []reading
	begin := p.i
	c, isCard := p.card()
	end := p.i
	if isCard {
		r.step.Card, r.has = c, hasCard
		if p.sep(func() bool {
			t := p.at(0)
			if c2, ok := p.card(); ok && t.kind == numTok && t.digits == 3 && c.Ravager() && c2.Ravager() {
				r.step.Card, r.step.Card2 = min(c, c2), max(c, c2)
				return true
			}
			return false
		}) {
			end = p.i
		} else {
			p.i = end
			p.words("card", "mission", "ravager")
			end = p.i
		}
		rs = append(rs, r)
		if !paid { // "collect mission 013" may name the Mission itself
			rs = append(rs, reading{step: engine.Step{Kind: engine.UseCard, Card: c}, has: hasCard})
		}
	}
	p.i = begin
	if ls := p.tiles(2); ls != nil && p.i >= end {
		if p.i > end {
			rs = nil
		}
		rs = append(rs, reading{step: engine.Step{Kind: engine.Collect, Tiles: tilesOf(ls)}, has: hasTiles, tiles: ls})
		end = p.i
	}
	if rs == nil {
		if paid {
			p.i = start
			return nil
		}
		rs = append(rs, reading{step: engine.Step{Kind: engine.Collect}})
	}
	p.i = end
	return one(rs...)
}

// repeat returns n activations of the Mission card in use, as written from token start on.
func (p *reader) repeat(n, start int) []Clause {
	cs := make([]Clause, n)
	for i := range cs {
		cs[i] = Clause{Text: p.text(start), readings: []reading{{step: engine.Step{Kind: engine.Collect}}}}
	}
	return cs
}

// doneVerb reads an order to stop, to take no card or to reserve nothing. No other words
// may follow ("no pass").
func doneVerb(p *reader) []Clause {
	wish := false
	for {
		switch {
		case p.word("reservation", "reserve", "reserving", "reservations"):
			wish = true
		case p.word("more", "mission", "card", "missions", "cards", "activation", "activations", "here", "with", "further"):
		default:
			if k := p.at(0).kind; k != sepTok && k != breakTok {
				return nil
			}
			return []Clause{{Wish: wish, readings: []reading{{step: engine.Step{Kind: engine.Done}}}}}
		}
	}
}
