package order

import (
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
)

// What is wrong with a line that cannot be read, and whether it was meant for
// an order at all.

// vocabulary has the words of orders besides verbs and colours, spelled out.
var vocabulary = words(`row rows column columns col line slot tile tiles cell technology technologies tech advanced adv starting start
	launch draw robot robots resource resources debris ship ships vp vps point points storage location locations loc locs cube cubes damage
	damaged space station workstation mission missions ravager ravagers card cards secure secured reserved standard security own mine neutral
	seat player boost flip flipped turned none nothing reservation star stars times twice thrice once free area hex die dice sequence seq
	zero one two three bought face down black angel action more by with from to at on in into or`)

// spelled reports whether a word is spelled out, not shortened.
func spelled(w string) bool {
	if vocabulary[w] || isVerb(w) {
		return true
	}
	for _, c := range colorWords {
		if c.name == w {
			return true
		}
	}
	return false
}

// isVerb reports whether a clause may begin with the word, spelled out.
func isVerb(w string) bool {
	if synonyms[w] != "" && len(w) > 1 {
		return true
	}
	for _, v := range verbs {
		if v.name == w {
			return true
		}
	}
	return false
}

func (t tok) counts() bool {
	return t.kind == numTok || t.kind == cellTok || t.kind == codeTok || t.kind == timesTok
}

// sure reports whether a clause says too much to be an initial, a name or a number in a
// signature: two things, at least one of them spelled out. "di green" says less than "die
// green".
func sure(toks []tok) bool {
	written, counts, first := 0, 0, true
	for _, t := range toks {
		switch {
		case t.counts():
			counts++
		case t.kind != wordTok || prepositions[t.s]:
			continue
		case spelled(t.s):
			written++
		case first: // an abbreviated verb
			first = false
			continue
		}
		first = false
	}
	codes := 0
	for _, t := range toks {
		if t.kind == cellTok || t.kind == codeTok {
			codes++
		}
	}
	return written > 1 || written == 1 && counts > 0 || codes > 1
}

// unspelled reports whether a line has only letters and shortened words, as a signature
// has.
func unspelled(line string) bool {
	toks := lex(line)
	for _, t := range toks {
		if t.counts() || t.kind == wordTok && spelled(t.s) {
			return false
		}
	}
	return len(toks) > 0
}

// fault returns the clause of a line that cannot be read from this point on.
func (p *reader) fault() Clause {
	c := Clause{Text: clip(p.line, MaxLine), code: Unreadable, word: p.at(0).s}
	if t := p.at(0); t.counts() {
		c.word = p.line[t.start:t.end]
	}
	unknown, counts, slot := 0, 0, false
	first := ""
	for i, t := range p.toks {
		switch {
		case t.counts():
			counts++
			slot = slot || i > 0 && t.kind == numTok && sides[p.toks[i-1].s] && p.toks[i-1].kind == wordTok
		case t.kind == wordTok && !prepositions[t.s]:
			if first == "" && counts == 0 {
				first = t.s
			}
			if !known(t.s) {
				unknown++
			}
		}
	}
	if first == "" && !slices.ContainsFunc(p.toks, func(t tok) bool {
		return t.kind != numTok && t.kind != sepTok && t.kind != breakTok && strings.Trim(t.s, "0123456789") != ""
	}) {
		return c // a number to call
	}
	code, word := p.outside()
	if code != "" && (len(p.out) > 0 || unknown == 0) {
		c.code, c.word, c.like = code, word, true
	}
	for _, o := range p.out {
		c.like = c.like || o.sure
	}
	verb := first != "" && !stops[first] && (isVerb(first) || nearVerb(first, 4)) && unknown <= 2 && counts > 0
	c.few = unknown <= 1 && (c.like || verb)
	c.like = c.like || verb || slot && unknown <= 2 || p.within()
	c.near = len(p.toks) == 1 && nearVerb(first, 5)
	return c
}

// within reports whether a step that is sure occurs anywhere in the line.
func (p *reader) within() bool {
	q := reader{line: p.line, toks: p.toks}
	for i, t := range p.toks {
		if t.kind != wordTok || len(t.s) < 3 || stops[t.s] || !isVerb(t.s) {
			continue
		}
		q.i, q.new = i, true
		if q.verbClauses() != nil && q.i > i && sure(p.toks[i:q.i]) {
			return true
		}
	}
	return false
}

// hasTerms reports whether a line has a number or a word of orders that is rare in everyday
// text: "gray two", not "take care of it".
func hasTerms(line string) bool {
	return slices.ContainsFunc(wordsIn(Key(line)), func(w string) bool {
		return strings.ContainsAny(w, "0123456789") || spelled(w) && !stops[w] && !common[w] || nearVerb(w, 5)
	})
}

// common are words of orders that are common in everyday text, too.
var common = words("take keep play turn move send pay use put lay more own mine free times black angel seat player")

// stops are synonyms with which sentences begin.
var stops = words("no none nothing enough stop by with from to at on in into or one two three once more")

// known reports whether a word could be one of an order.
func known(w string) bool {
	if spelled(w) {
		return true
	}
	for _, v := range verbs {
		if strings.HasPrefix(v.name, w) {
			return true
		}
	}
	for _, c := range colorWords {
		if len(w) >= 3 && strings.HasPrefix(c.name, w) {
			return true
		}
	}
	return false
}

// nearVerb reports whether a word is one letter away from a verb: one too many, one
// missing, a wrong one, or two swapped.
func nearVerb(w string, least int) bool {
	for _, v := range verbs {
		if len(v.name) >= least && nearly(w, v.name) {
			return true
		}
	}
	return false
}

func nearly(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch {
	case len(b)-len(a) > 1 || a == b:
		return false
	case len(b) > len(a):
		return a[i:] == b[i+1:]
	case a[i+1:] == b[i+1:]:
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

var sides = words("row rows column columns col r c")

// outside returns what does not exist at the point where reading stopped: row 9, hex b77.
// It returns the code of a Problem and what was written, "" if that is not the fault.
func (p *reader) outside() (code, word string) {
	t, before := p.at(0), tok{kind: breakTok}
	if p.i > 0 {
		before = p.toks[p.i-1]
	}
	written := func(from tok, to tok) string { return clip(p.line[from.start:to.end], MaxName) }
	last := engine.NoStep
	if n := len(p.out); n > 0 {
		last = p.out[n-1].kind()
		if len(p.out[n-1].readings) > 0 && last == engine.NoStep {
			last = p.out[n-1].readings[0].step.Kind
		}
	}
	next := p.at(1)
	switch {
	case p.i >= len(p.toks):
	case t.kind == wordTok && sides[t.s] && next.kind == numTok && (next.n < 1 || next.n > 3):
		return NoSlot, written(t, next)
	case t.kind == codeTok && t.s == "c" && t.n > 3 && (last == engine.Inject || last == engine.PlayCard):
		return NoSlot, written(t, t)
	case t.kind == codeTok && t.s >= "a" && t.s <= "e" && t.n >= 1 && t.n <= maxStrip && last == engine.MoveShip && p.launched():
		return LaunchFrom, written(p.hexBefore(), p.hexBefore())
	case t.kind == codeTok && (t.s == "t" || t.s == "s" || t.s == "a" && last != engine.MoveShip) && tileOf(t.s[0], t.n) == 0:
		return NoTile, written(t, t)
	case t.kind == codeTok && (t.n < 1 || t.n > maxStrip),
		t.kind == wordTok && len(t.s) == 1 && t.s > "e" && t.s <= "z" && next.kind == numTok && next.start == t.start && last == engine.MoveShip:
		return NoHex, written(t, t)
	case t.kind == wordTok && isCell(t.s):
		return NoCell, written(t, t)
	case t.kind != numTok:
	case (last == engine.TakeDie || last == engine.Reserve || last == engine.FlipDie) && before.kind == wordTok && t.n > 3 && p.colored():
		return NoValue, written(t, t)
	case (last == engine.Act || last == engine.Locations || last == engine.Cube) && t.digits == 1 && (t.n < 1 || t.n > 6):
		return NoLocation, written(t, t)
	case t.digits == 3 && (t.n < 1 || t.n > component.LastRaider):
		return NoCard, written(t, t)
	}
	return "", ""
}

// missing returns what a condition or a standing order names that does not exist: tile t99,
// card 199, location 7. It returns the code of a Problem and what was written, "" if all
// exists.
func missing(line string) (code, word string) {
	line = clip(strings.ToValidUTF8(line, "\ufffd"), MaxLine)
	var before, above tok // the token before, and the one before that
	for _, t := range lex(line) {
		onHex := before.s == "hex" || before.s == "ship" || before.s == "ships"
		tile := t.s == "t" || t.s == "s" || t.s == "a" && !onHex
		code := ""
		switch {
		case t.kind == codeTok && tile && tileOf(t.s[0], t.n) == 0 && !(t.s == "a" && t.n >= 1 && t.n <= maxStrip),
			t.kind == codeTok && !tile && !(t.s >= "a" && t.s <= "e") && !onHex && t.s != "c" && t.s != "r":
			code = NoTile
		case t.kind == codeTok && !tile && (onHex || t.s >= "a" && t.s <= "e") && (t.s > "e" || t.n < 1 || t.n > maxStrip):
			code = NoHex
		case t.kind == wordTok && isCell(t.s):
			code = NoCell
		case t.kind != numTok:
		case len(before.s) == 1 && before.start == t.start && (above.s == "hex" || above.s == "ship"): // "f3"
			code = NoHex
		case t.digits == 3 && before.s != "least" && before.s != "most" && (t.n < 1 || t.n > component.LastRaider):
			code = NoCard
		case before.kind == wordTok && isColor(before.s) && t.digits == 1 && t.n > 3:
			code = NoValue
		case (before.s == "location" || before.s == "loc" || before.s == "damage" || before.s == "damaged" || before.s == "ravagers") && (t.n < 1 || t.n > 6):
			code = NoLocation
		}
		if code != "" {
			return code, clip(line[t.start:t.end], MaxName)
		}
		above, before = before, t
	}
	return "", ""
}

// isColor reports whether a word is a die's colour, spelled out.
func isColor(w string) bool {
	for _, c := range colorWords {
		if c.name == w {
			return true
		}
	}
	return false
}

// launched reports whether the last clause launched a ship to a hex.
func (p *reader) launched() bool {
	for _, r := range p.out[len(p.out)-1].readings {
		if r.has&(hasFrom|hasTo) == hasFrom|hasTo && r.step.From == 0 {
			return true
		}
	}
	return false
}

// hexBefore returns the token of the last hex before the current token, or the current one
// if there is none.
func (p *reader) hexBefore() tok {
	for i := p.i - 1; i >= 0; i-- {
		if p.toks[i].kind == codeTok {
			return p.toks[i]
		}
	}
	return p.at(0)
}

// colored reports whether the last clause named a colour.
func (p *reader) colored() bool {
	for _, r := range p.out[len(p.out)-1].readings {
		if r.has&hasColor != 0 && r.has&hasValue == 0 {
			return true
		}
	}
	return false
}

// isCell reports whether a word is two numbers with a point between them.
func isCell(w string) bool {
	a, b, ok := strings.Cut(w, ".")
	_, left := number(a)
	_, right := number(b)
	return ok && left && right
}
