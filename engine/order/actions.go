package order

import (
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
)

// dieVerb reads a die: colour, value, whose it is, the area, a flip.
func dieVerb(buy bool) func(*reader) []Clause {
	return func(p *reader) []Clause {
		r := reading{step: engine.Step{Kind: engine.TakeDie}}
		if buy {
			r.has |= hasBuy
		}
		p.words("a", "die", "dice")
		for p.sep(func() bool { return p.dieDetail(&r) }) {
		}
		return one(r)
	}
}

func (p *reader) dieDetail(r *reading) bool {
	if r.has&(hasColor|hasValue) != hasColor|hasValue && p.dieDetails(r) {
		return true
	}
	start := p.i
	if p.word("from", "in", "of") {
		p.words("my")
	}
	if t := p.at(0); p.i > start && !(t.kind == wordTok && (t.s == "high" || t.s == "secure" || t.s == "standard")) {
		p.i = start
	}
	t := p.at(0)
	switch {
	case p.word("flip", "flipped", "turn", "turned", "flipping", "turning"):
		if r.step.Flip {
			break
		}
		r.step.Flip = true
		p.words("over", "it")
		end := p.i
		if p.words("to", "a", "into"); p.i > end { // "flip to 2": the face opposite, or no reading
			v, ok := p.face()
			if !ok || r.has&hasValue != 0 && v != r.step.Value^2 {
				if ok {
					break
				}
				p.i = end
			}
		}
		return true
	case p.begins("secure", "secured", "reserved") || p.word("high") && p.begins("security"):
		p.words("area")
		r.step.Secure = true
		r.has |= hasSecure
		return true
	case p.begins("standard"):
		p.words("area")
		r.has |= hasSecure
		return true
	case p.word("my", "own", "mine"):
		r.has |= hasSeller
		return true
	case p.word("bought", "buy"):
		r.has |= hasBuy
		return true
	case p.word("from", "of", "by") && r.has&hasSeller == 0 && p.seller(r):
		r.from = t.start
		return true
	case t.kind == wordTok && strings.HasSuffix(t.s, "'s") && r.has&hasSeller == 0:
		p.i = start + 1
		r.seller, r.from, r.end = Key(strings.TrimSuffix(t.s, "'s")), t.start, t.end
		r.has |= hasSeller
		return true
	}
	p.i = start
	return false
}

// seller reads the owner of a die: a seat, the neutral player, the player themselves, or a
// name, which ends at a comma or at the next word of the language.
func (p *reader) seller(r *reading) bool {
	p.words("the")
	r.has |= hasSeller
	switch {
	case p.begins("neutral"):
		p.words("player")
		r.step.Seller = engine.Neutral
		return true
	case p.word("me", "myself", "my", "own", "mine"):
		p.words("own")
		return true
	case p.word("seat", "player"):
		if n, ok := p.digit(1, engine.MaxPlayers); ok {
			r.step.Seller = engine.Seat(n)
			return true
		}
	}
	start := p.i
	for t := p.at(0); t.kind != sepTok && t.kind != breakTok; t = p.at(0) {
		if p.i > start && (reserved[t.s] || prepositions[t.s]) {
			break
		}
		p.i++
	}
	if r.seller = Key(p.text(start)); r.seller != "" {
		r.end = p.toks[p.i-1].end
	}
	return r.seller != ""
}

// reserved are the words at which a player's name ends.
var reserved = map[string]bool{"flip": true, "flipped": true, "secure": true, "discover": true, "repair": true,
	"destroy": true, "command": true, "mission": true, "turned": true, "use": true, "boost": true}

// flipVerb reads a die of the player's own compartment to turn over: in the first edition a
// separate step, otherwise the die taken and turned.
func flipVerb(p *reader) []Clause {
	r := reading{step: engine.Step{Kind: engine.FlipDie}}
	p.words("over", "a", "my", "own", "the", "die", "dice")
	for p.sep(func() bool { return r.has&hasSeller == 0 && !r.step.Flip && p.dieDetail(&r) }) {
	}
	if r.has&(hasColor|hasValue) == 0 {
		return nil
	}
	start := p.i
	if p.word("to", "into") {
		p.words("a")
		if v, ok := p.face(); !ok {
			p.i = start
		} else if r.has&hasValue != 0 && v != r.step.Value^2 {
			return nil // not the face opposite
		}
	}
	take := r
	take.step.Kind, take.step.Flip = engine.TakeDie, true
	return one(r, take)
}

// boostVerb reads the cell of a tile turned for its boost and, for a die that
// counts as another colour, that colour.
func boostVerb(p *reader) []Clause {
	r := reading{step: engine.Step{Kind: engine.Boost}}
	p.words("with", "by", "tile", "cell", "at", "the")
	c, ok := p.cell()
	if !ok {
		return nil
	}
	r.step.Cell = c
	r.has |= hasCell
	start := p.i
	p.words("as", "to", "into", "for", "counts", "a")
	if m := p.color(); m != 0 {
		r.setUse(engine.AsColor)
		r.setColor(m)
	} else {
		p.i = start
	}
	return one(r)
}

// actVerb reads an action of the frigate board, with its location after "at".
func actVerb(a component.Action) func(*reader) []Clause {
	return func(p *reader) []Clause {
		r := reading{step: engine.Step{Kind: engine.Act, Action: a}, has: hasAction}
		switch a {
		case component.Discover:
			p.words("technology", "technologies", "a")
		case component.Repair:
			p.words("the", "black", "angel")
		case component.Destroy:
			p.words("ravager", "ravagers")
		case component.Command:
			p.words("my", "your", "ships")
		}
		p.words("action")
		start := p.i
		at := p.word("at", "in", "on", "location", "loc")
		p.words("location", "loc")
		if n, ok := p.digit(1, 6); ok && (at || a == component.Command) && p.at(0).kind != numTok {
			r.step.Loc = n
			r.has |= hasLoc
		} else {
			p.i = start
		}
		return one(r)
	}
}

// useVerb reads what is used: a die, a Mission card, a tile.
func useVerb(p *reader) []Clause {
	p.words("a", "my", "the")
	switch t := p.at(0); {
	case t.kind == wordTok && t.s == "boost":
		p.i++
		return boostVerb(p)
	case t.kind == wordTok && (t.s == "die" || t.s == "dice"):
		p.i++
		return dieVerb(false)(p)
	case t.kind == wordTok && (t.s == "mission" || t.s == "card"):
		p.i++
		return cardVerb(engine.UseCard)(p)
	case t.kind == numTok && t.digits >= 2:
		return cardVerb(engine.UseCard)(p)
	case t.kind == cellTok:
		return activateVerb(p)
	case p.colorHere() || t.kind == numTok:
		return dieVerb(false)(p)
	case t.kind == wordTok:
		if a := actionName(t.s); a != component.NoAction {
			p.i++
			return actVerb(a)(p)
		}
	}
	return nil
}

// takeVerb reads the tiles of Discover Technology, or a die.
func takeVerb(p *reader) []Clause {
	if t := p.at(0); t.kind == wordTok && (t.s == "die" || t.s == "dice") || p.colorHere() {
		return dieVerb(false)(p)
	}
	r := reading{step: engine.Step{Kind: engine.TakeTiles}}
	if ls := p.tiles(3); ls != nil {
		r.tiles, r.step.Tiles = ls, tilesOf(ls)
		r.has |= hasTiles
		if p.sep(func() bool { _, ok := p.tile(); return ok }) {
			return nil // no one can take four
		}
	}
	return one(r)
}

// injectVerb reads a tile, its arrow and the space for what it ejects.
func injectVerb(p *reader) []Clause {
	r := reading{step: engine.Step{Kind: engine.Inject}}
	if l, ok := p.tile(); ok {
		r.tiles, r.step.Tile = []loose{l}, l.tile()
		r.has |= hasTile
	}
	p.arrow(&r)
	p.sep(func() bool {
		p.words("to", "into", "on", "in", "with", "eject", "ejects", "ejecting")
		p.words("to", "the")
		named := p.word("space")
		m := p.color()
		if m == 0 {
			return false
		}
		if !named {
			p.words("space")
		}
		r.spaces = m
		r.has |= hasSpace
		if c, ok := single(m); ok {
			r.step.Space = 1 + uint8(c)
		}
		return true
	})
	return one(r)
}

// arrow reads where a tile enters: a row, a column, or one of the black arrows
// by its direction (R5.2).
func (p *reader) arrow(r *reading) bool {
	start := p.i
	s, ok := p.slot()
	if !ok {
		p.words("at", "in", "into", "on", "to", "from")
		switch t := p.at(0); {
		case t.kind == codeTok && t.s == "c" && t.n >= 1 && t.n <= 3:
			p.i++
			s = engine.Slot(t.n + 3)
		case p.word("right"):
			s = 3
		case p.word("up"):
			s = 4
		default:
			p.i = start
			return false
		}
	}
	r.step.Slot = s
	r.has |= hasSlot
	return true
}

// cubeVerb reads a cube and, if it goes onto a tile, the tile and its effect.
func cubeVerb(p *reader) []Clause {
	r := reading{step: engine.Step{Kind: engine.Cube}}
	p.words("a", "cube", "cubes", "damage", "from", "at", "of", "location", "loc", "die", "on", "action")
	var locs []uint8
	if n, ok := p.digit(1, 6); ok {
		locs = append(locs, n)
	} else if m := p.color(); m != 0 {
		for c := engine.Orange; c <= engine.Green; c++ {
			if m&(1<<c) != 0 {
				locs = append(locs, engine.DieLoc+uint8(c))
			}
		}
		p.words("die", "dice")
	}
	start := p.i
	p.words("on", "onto", "to", "into", "tile", "at", "put", "in")
	rs := []reading{r}
	switch c, ok := p.cell(); {
	case ok:
		r.step.Cell = c
		r.has |= hasCell
		rs = p.effect(r)
	case p.word("storage"):
		rs[0].has |= hasCell
	default:
		p.i = start
	}
	if locs == nil {
		return one(rs...)
	}
	var all []reading
	for _, n := range locs {
		for _, r := range rs {
			r.step.Loc = n
			r.has |= hasLoc
			all = append(all, r)
		}
	}
	return one(all...)
}

// locationsVerb reads the locations that Destroy clears.
func locationsVerb(p *reader) []Clause {
	r := reading{step: engine.Step{Kind: engine.Locations}}
	p.words("at", "location", "locations", "loc")
	for p.sep(func() bool {
		n, ok := p.digit(1, 6)
		if ok = ok && r.step.Locs>>(n-1)&1 == 0; ok {
			r.step.Locs |= 1 << (n - 1)
			r.has |= hasLocs
		}
		return ok
	}) {
	}
	if p.sep(func() bool { _, ok := p.digit(1, 6); return ok }) {
		return nil // one named twice
	}
	return one(r)
}
