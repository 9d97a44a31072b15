package order

import (
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
)

// A verb reads one clause, or several of a kind, from the text after its word; nil if that
// text does not fit.
type verb struct {
	name string
	read func(p *reader) []Clause
}

// verbs are the words that may begin a clause. A player may shorten one to any beginning
// that fits no other as well; synonyms need all their letters.
var verbs = []verb{
	{"card", cardVerb(engine.PlayCard)},
	{"play", cardVerb(engine.PlayCard, engine.Place)},
	{"place", cardVerb(engine.Place)},
	{"mission", cardVerb(engine.UseCard, engine.Place)},
	{"activate", activateVerb},
	{"die", dieVerb(false)},
	{"buy", dieVerb(true)},
	{"flip", flipVerb},
	{"boost", boostVerb},
	{"discover", actVerb(component.Discover)},
	{"repair", actVerb(component.Repair)},
	{"destroy", actVerb(component.Destroy)},
	{"command", actVerb(component.Command)},
	{"use", useVerb},
	{"take", takeVerb},
	{"inject", injectVerb},
	{"cube", cubeVerb},
	{"ship", moveVerb(false)},
	{"launch", moveVerb(true)},
	{"locations", locationsVerb},
	{"collect", collectVerb},
	{"done", doneVerb},
	{"discard", wishCards(engine.Discard)},
	{"keep", wishCards(engine.Keep)},
	{"decline", decline},
	{"reroll", rerollVerb},
	{"reserve", reserveVerb},
	{"pass", passVerb},
}

var synonyms = map[string]string{
	"put": "play", "lay": "play", "dice": "die", "turn": "flip", "purchase": "buy", "insert": "inject", "fly": "ship", "move": "ship", "send": "ship",
	"discovery": "discover", "remove": "cube", "loc": "locations", "locs": "locations", "location": "locations",
	"b": "reroll", "roll": "reroll", "stop": "done", "finish": "done", "finished": "done", "skip": "done",
	"none": "done", "nothing": "done", "enough": "done", "no": "done", "reservation": "reserve", "pay": "collect", "research": "discover",
}

func one(r ...reading) []Clause { return []Clause{{readings: r}} }

// rerollVerb reads B and the words in which people repeat what it does: "B (reroll)", "B: roll
// new dice", "roll B".
func rerollVerb(p *reader) []Clause {
	for {
		start := p.i
		if p.at(0).kind == sepTok && p.at(0).s == ":" {
			p.i++
		}
		if !p.word("b", "reroll", "roll", "rolling", "new", "dice", "anew", "again", "all", "sequence", "this", "turn", "time") {
			p.i = start
			return one(reading{step: engine.Step{Kind: engine.Reroll}})
		}
	}
}

// passVerb reads "pass" and "pass this turn".
func passVerb(p *reader) []Clause {
	p.words("this", "turn", "round", "time")
	return one(reading{step: engine.Step{Kind: engine.Pass}})
}

func decline(*reader) []Clause {
	return []Clause{{Wish: true, readings: []reading{{step: engine.Step{Kind: engine.Decline}}}}}
}

// clauses reads the text at the reader: a clause with its verb, or details that continue
// the clause before it. It reads nothing if the text is neither.
func (p *reader) clauses() []Clause {
	if cs := p.details(); cs != nil {
		return cs
	}
	cs := p.verbClauses()
	if cs == nil && p.new {
		cs = p.bare()
	}
	if len(cs) > 0 {
		c := cs[len(cs)-1]
		p.last, p.act = c.kind(), component.NoAction
		if p.last == engine.NoStep && len(c.readings) > 0 && c.readings[0].step.Kind == engine.UseCard {
			p.last = engine.UseCard
		}
		if p.last == engine.Act {
			p.act = c.readings[0].step.Action
		}
	}
	return cs
}

// verbClauses reads a clause that begins with a verb. If a short word may begin several
// verbs, those win that leave the least unread; the position decides between the rest.
func (p *reader) verbClauses() []Clause {
	t := p.at(0)
	if t.kind != wordTok {
		return nil
	}
	if t.s == "sequence" || t.s == "seq" {
		if n := p.at(1); n.kind == wordTok && n.s == "b" {
			p.i += 2
			return one(reading{step: engine.Step{Kind: engine.Reroll}})
		}
		return nil
	}
	name, exact := t.s, false
	if s, ok := synonyms[name]; ok {
		name = s
	}
	for _, v := range verbs {
		exact = exact || v.name == name || v.name == "locations" && name == "locations"
	}
	if name == "ravager" || name == "ravagers" { // "ravager 075 at column 1"
		return cardVerb(engine.PlayCard)(p)
	}
	start, end, fit := p.i, 0, 0
	var best []Clause
	for _, v := range verbs {
		if v.name != name && (exact || !strings.HasPrefix(v.name, name)) {
			continue
		}
		if p.i = start + 1; p.at(0).kind == sepTok && p.at(0).s == ":" {
			p.i++
		}
		cs := v.read(p)
		switch {
		case cs == nil || p.i < end:
		case p.i > end:
			best, end, fit = cs, p.i, 1
		case len(cs) == 1 && len(best) == 1:
			fit++
			best[0].readings = append(best[0].readings, cs[0].readings...)
			best[0].Wish = best[0].Wish && cs[0].Wish
		}
	}
	p.i = end
	if best == nil {
		p.i = start
	}
	if !exact && fit > 1 {
		for i := range best {
			for j := range best[i].readings {
				best[i].readings[j].prefix = true
			}
		}
	}
	return best
}

// details reads what may follow the last clause without a verb of its own.
func (p *reader) details() []Clause {
	start := p.i
	undo := func() []Clause { p.i = start; return nil }
	switch p.last {
	case engine.PlayCard, engine.Activate:
		if p.at(0).kind == cellTok {
			return activateVerb(p)
		}
	case engine.Boost:
		if p.at(0).kind == cellTok {
			return boostVerb(p)
		}
	case engine.Cube:
		if p.at(0).kind == numTok || p.colorHere() {
			return cubeVerb(p)
		}
	case engine.Inject:
		if l, ok := p.tile(); ok {
			if p.arrow(&reading{}) && l.n > 0 {
				p.i = start
				return injectVerb(p)
			}
		}
	case engine.Discard:
		if p.at(0).kind == numTok {
			return wishCards(engine.Discard)(p)
		}
	case engine.UseCard, engine.Collect:
		n := p.times()
		if n > 1 || p.i > start {
			return p.repeat(n, start)
		}
		if p.word("with", "paying", "spending", "pay", "spend") {
			p.i = start
			return collectVerb(p)
		}
	case engine.MoveShip:
		if t := p.at(0); t.kind == numTok && t.digits == 3 {
			return cardVerb(engine.Place)(p)
		}
	case engine.Reroll:
		if p.colorHere() {
			return reserveVerb(p)
		}
	case engine.TakeDie: // "die gray 2 at 4"
		if p.word("at", "on", "to", "in") {
			p.words("location", "loc", "action")
			if n, ok := p.digit(1, 6); ok {
				p.last = engine.Act
				return one(reading{step: engine.Step{Kind: engine.Act, Loc: n}, has: hasLoc})
			}
		}
	case engine.Act:
		act := p.act
		p.words("at", "from", "locations", "location", "tile", "tiles", "cube", "cubes")
		var cs []Clause
		switch t := p.at(0); {
		case act == component.Discover && (t.kind == numTok || t.kind == codeTok):
			p.i = start
			cs = takeVerb(p)
		case act == component.Repair && (t.kind == numTok || p.colorHere()):
			cs = cubeVerb(p)
		case act == component.Destroy && t.kind == numTok:
			cs = locationsVerb(p)
		case act == component.Command && t.kind == codeTok:
			p.i = start
			cs = moveVerb(false)(p)
		}
		if cs != nil {
			p.last = cs[len(cs)-1].kind()
			return cs
		}
	}
	return undo()
}

func (p *reader) colorHere() bool {
	start := p.i
	m := p.color()
	p.i = start
	return m != 0
}

// bare reads text that begins without a verb and can still mean only one thing in its
// place: "2.1 resource", "c4 to b5", "gray 2", "2 4", "027".
func (p *reader) bare() []Clause {
	start := p.i
	switch t := p.at(0); {
	case t.kind == cellTok:
		return activateVerb(p)
	case t.kind == codeTok || t.kind == numTok:
		if l, ok := p.tile(); ok && l.n > 0 {
			if p.arrow(&reading{}) && t.kind == codeTok {
				p.i = start
				return injectVerb(p)
			}
		}
		p.i = start
		switch {
		case t.kind == codeTok && t.s >= "a" && t.s <= "e":
			cs := moveVerb(false)(p)
			if end := p.i; cs != nil && t.s == "a" && end == start+1 {
				cs[0].readings = append(cs[0].readings, reading{
					step: engine.Step{Kind: engine.TakeTiles, Tiles: [3]engine.Tile{tileOf('a', t.n)}}, has: hasTiles, tiles: []loose{{'a', t.n}}})
			}
			return cs
		case t.kind == codeTok:
			return takeVerb(p)
		case t.digits >= 2:
			return cardVerb(engine.UseCard, engine.Place)(p)
		}
		cs := locationsVerb(p)
		if p.i == start+1 {
			p.i = start
			if cubes := cubeVerb(p); len(cubes) == 1 && p.i == start+1 {
				cs[0].readings = append(cs[0].readings, cubes[0].readings...)
			} else if cubes != nil {
				cs = cubes
			}
		}
		return cs
	case p.colorHere():
		if n := p.at(1); n.kind == wordTok && n.s == "cube" {
			cs := cubeVerb(p)
			p.i = start + 2
			return cs
		}
		cs := dieVerb(false)(p)
		r := cs[0].readings[0]
		if r.has&^(hasColor|hasValue) == 0 && !r.step.Flip {
			r.step.Kind = engine.Reserve
			cs[0].readings = append(cs[0].readings, r)
			if r.has == hasColor {
				p.i = start
				cs[0].readings = append(cs[0].readings, cubeVerb(p)[0].readings...)
			}
		}
		return cs
	}
	return nil
}
