package order

import (
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
)

// A Clause is one thing a player wrote, read as far as the text alone allows:
// the detail of one step, or a wish that answers a decision still to come.
type Clause struct {
	Line int    // line of the letter, from 1; 0 from Expand
	Text string // as it was written
	Wish bool   // keep, discard, decline, a reservation list: may come before the game asks for it

	code     string      // why it cannot be read: a Problem's Code, or ""
	word     string      // the word at fault
	readings []reading   // all it may mean; a list's in order of preference
	list     bool        // a reservation list (Q6.2b)
	next     engine.Kind // the next clause is a detail of this one's action: its kind
	sure     bool        // it says more than a letter, a number or a short word (place.go)
	like     bool        // unreadable, but clearly meant as an order
	few      bool        // unreadable: for one word at most
	near     bool        // unreadable: one word, a verb's but for a letter
}

// Readable reports whether the clause could mean a step at all. Match refuses an unreadable
// one in any position, so a letter with one can be refused before any of its lines is
// played.
func (c Clause) Readable() bool { return c.code == "" }

// fields says which details of a step a reading names.
type fields uint32

const (
	hasCard fields = 1 << iota
	hasSlot
	hasCell
	hasVia
	hasUse // uses and goods are masks
	hasColor
	hasValue
	hasSeller // step.Seller, or a name
	hasBuy    // another player's
	hasSecure
	hasAction
	hasLoc
	hasLocs
	hasFrom
	hasTo
	hasTile
	hasSpace
	hasTiles
)

// A loose tile is a tile as the player wrote it: kind 0 if they wrote only the number.
type loose struct {
	kind byte
	n    int
}

func (l loose) is(t engine.Tile) bool {
	if l.kind != 0 {
		return tileOf(l.kind, l.n) == t
	}
	return tileOf('t', l.n) == t || tileOf('a', l.n) == t || tileOf('s', l.n) == t
}

// tile returns the tile that the words name, 0 if they leave its kind open.
func (l loose) tile() engine.Tile {
	if l.kind == 0 {
		return tileOf('t', l.n)
	}
	return tileOf(l.kind, l.n)
}

// A reading is one thing a clause may mean: a step with only some of its
// details named. Details that are not named are zero in step.
type reading struct {
	step   engine.Step
	has    fields
	prefix bool    // its verb was not spelled out
	colors uint8   // bit per colour the word may mean
	spaces uint8   // the same for Space
	uses   uint16  // bit per Use
	goods  uint8   // bit per Good, where the Use is TakeGood
	seller string  // a name, as Key gives it
	from   int     // where in the line the name and its "from" begin
	end    int     // and end
	tiles  []loose // Tile, or Tiles
}

func (r *reading) setColor(mask uint8) {
	r.has |= hasColor
	r.colors = mask
	if c, ok := single(mask); ok {
		r.step.Color = c
	}
}

func (r *reading) setUse(uses ...engine.Use) {
	r.has |= hasUse
	r.uses = 0
	for _, u := range uses {
		r.uses |= 1 << u
	}
	r.step.Use = uses[0]
}

// single is the only colour of a mask.
func single(mask uint8) (engine.Color, bool) {
	for c := engine.Orange; c <= engine.Green; c++ {
		if mask == 1<<c {
			return c, true
		}
	}
	return 0, false
}

// Expand reads a line of orders as Clauses in order: steps separated by semicolons, or a
// shorthand for several ("card 013 at row 2: 2.1, 2.3 resource"). A barred line yields
// none. If it cannot read one word of the line, it returns the whole line as a single
// unreadable Clause: half a line is never played.
func Expand(line string) []Clause {
	if Barred(line) {
		return nil
	}
	look(len(line))
	line = strings.ToValidUTF8(line, "\ufffd")
	if len(line) > MaxLine {
		return []Clause{{Text: clip(line, MaxLine), code: TooLong, like: startsOrder(line)}}
	}
	p := reader{line: line, toks: lex(line), new: true}
	if !p.read() {
		return []Clause{p.fault()}
	}
	if len(p.out) > MaxClauses {
		return []Clause{{Text: clip(line, MaxLine), code: TooMany, like: true}}
	}
	for i := range p.out[:max(len(p.out)-1, 0)] {
		p.out[i].next = p.out[i].leadsTo(p.out[i+1].kind())
	}
	return p.out
}

// startsOrder reports whether a line too long for orders begins with an order, or with a
// condition of a plan. If so it is a list of orders, not prose.
func startsOrder(line string) bool {
	line = clip(strings.ToValidUTF8(line, "\ufffd"), MaxLine)
	first, rest := cutWord(line[opening(line):])
	if isElse(first) {
		line = rest
	}
	if guards(line) {
		return true
	}
	p := reader{line: line, toks: lex(line), new: true}
	p.read()
	return slices.ContainsFunc(p.out, func(c Clause) bool { return c.sure })
}

// read reads clauses up to the end of the line, or until there are more than MaxClauses. It
// returns false if it stops at a word that it cannot read.
func (p *reader) read() bool {
	for p.i < len(p.toks) {
		if k := p.at(0).kind; k == sepTok || k == breakTok {
			if k == breakTok {
				p.last, p.act = engine.NoStep, 0
			}
			p.i++
			p.new = true
			continue
		}
		start := p.i
		if cs := p.clauses(); len(cs) > 0 && p.i > start {
			for j := range cs {
				if cs[j].Text == "" {
					cs[j].Text = p.text(start)
				}
				cs[j].sure = sure(p.toks[start:p.i])
			}
			if p.out = append(p.out, cs...); len(p.out) > MaxClauses {
				return true
			}
			p.new = false
			continue
		}
		if p.i = start; p.at(0).kind == wordTok && prepositions[p.at(0).s] && start+1 < len(p.toks) {
			p.i++
			continue
		}
		return false
	}
	return true
}

// details are the kinds of step that belong to an action.
var details = map[component.Action]engine.Kind{component.Discover: engine.TakeTiles, component.Repair: engine.Cube,
	component.Destroy: engine.Locations, component.Command: engine.MoveShip}

// leadsTo returns next if next is a detail of the action or Mission that the clause names.
// If the game already asks for that detail, the clause adds nothing.
func (c Clause) leadsTo(next engine.Kind) engine.Kind {
	for _, r := range c.readings {
		switch {
		case r.step.Kind == engine.Act && next != engine.NoStep && details[r.step.Action] == next,
			r.step.Kind == engine.UseCard && next == engine.Collect:
			return next
		}
	}
	return engine.NoStep
}

// kind is the kind of step the clause means, NoStep if that is open.
func (c Clause) kind() engine.Kind {
	k := engine.NoStep
	for _, r := range c.readings {
		if k != engine.NoStep && r.step.Kind != k {
			return engine.NoStep
		}
		k = r.step.Kind
	}
	return k
}

// clip cuts s to n bytes without splitting a rune.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}
