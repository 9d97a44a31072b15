package order

import (
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
)

// A reader walks along the tokens of one line. A method named for a thing reads it if it
// comes next and reports whether it did.
type reader struct {
	line string
	toks []tok
	i    int
	out  []Clause
	new  bool             // at the beginning of the line, or after a comma or semicolon
	last engine.Kind      // kind of the clause just read, which details may follow
	act  component.Action // the action, if that was an Act
}

// prepositions may come between clauses and between a clause's details.
var prepositions = map[string]bool{
	"at": true, "in": true, "into": true, "on": true, "onto": true, "of": true, "for": true, "to": true, "by": true,
	"with": true, "using": true, "a": true, "as": true, "do": true, "my": true, "your": true, "action": true, "from": true,
}

func (p *reader) at(k int) tok {
	if p.i+k < len(p.toks) {
		look(1 + len(p.toks[p.i+k].s))
		return p.toks[p.i+k]
	}
	return tok{kind: breakTok}
}

// text returns the text from token start to the current one.
func (p *reader) text(start int) string {
	if p.i == 0 || start >= p.i {
		return ""
	}
	return strings.TrimSpace(p.line[p.toks[start].start:p.toks[p.i-1].end])
}

// word reads one of the words, spelled out.
func (p *reader) word(words ...string) bool {
	t := p.at(0)
	if t.kind != wordTok {
		return false
	}
	for _, w := range words {
		if t.s == w {
			p.i++
			return true
		}
	}
	return false
}

// words skips any of the words.
func (p *reader) words(ws ...string) {
	for p.word(ws...) {
	}
}

// begins reads a word that is the beginning of one of the names, with at least three
// letters.
func (p *reader) begins(names ...string) bool {
	t := p.at(0)
	if t.kind != wordTok {
		return false
	}
	for _, n := range names {
		if t.s == n || len(t.s) >= 3 && strings.HasPrefix(n, t.s) {
			p.i++
			return true
		}
	}
	return false
}

// sep skips commas and colons if ok then reads something; otherwise it does not move.
func (p *reader) sep(ok func() bool) bool {
	start := p.i
	for p.at(0).kind == sepTok {
		p.i++
	}
	if ok() {
		return true
	}
	p.i = start
	return false
}

var colorWords = []struct {
	name string
	c    engine.Color
}{
	{"orange", engine.Orange}, {"gray", engine.Gray}, {"grey", engine.Gray}, {"green", engine.Green},
	{"meluriens", engine.Orange}, {"xhavits", engine.Gray}, {"tsoths", engine.Green},
}

// color reads a colour. It returns the mask of those that the word may begin.
func (p *reader) color() (mask uint8) {
	t := p.at(0)
	if t.kind != wordTok || t.s == "or" {
		return 0
	}
	for _, w := range colorWords {
		if t.s == w.name || strings.HasPrefix(w.name, t.s) && (len(t.s) >= 3 || w.name[0] == 'o' || w.name[0] == 'g') {
			mask |= 1 << w.c
		}
	}
	if mask != 0 {
		p.i++
	}
	return mask
}

// digit reads a number from low to high.
func (p *reader) digit(low, high int) (uint8, bool) {
	t := p.at(0)
	if t.kind == numTok && t.digits == 1 && t.n >= low && t.n <= high {
		p.i++
		return uint8(t.n), true
	}
	if t.kind == wordTok && low <= 3 {
		for n, w := range [4]string{"zero", "one", "two", "three"} {
			if t.s == w && n >= low && n <= high {
				p.i++
				return uint8(n), true
			}
		}
	}
	return 0, false
}

// face reads the face of a die: a number up to 3, or the star, which is 0.
func (p *reader) face() (uint8, bool) {
	if p.word(starWord, "stars", "★") {
		return 0, true
	}
	return p.digit(0, 3)
}

// card reads a card's number, or the description of its back.
func (p *reader) card() (engine.Card, bool) {
	start := p.i
	p.words("a", "no")
	mask, back := uint8(0), engine.Card(0)
	for {
		if p.word("card", "cards", "mission", "missions") {
			continue
		}
		if p.word("ravager", "ravagers") {
			back = engine.BackRavager
			continue
		}
		if m := p.color(); m != 0 {
			mask = m
			continue
		}
		break
	}
	if t := p.at(0); t.kind == numTok && t.n >= 1 && t.n <= component.LastRaider {
		c := engine.Card(t.n)
		if (mask == 0 || c.Color() != engine.None && mask&(1<<c.Color()) != 0) && (back == 0 || c.Ravager()) {
			p.i++
			return c, true
		}
		p.i = start
		return 0, false
	}
	if c, ok := single(mask); ok && back == 0 {
		return engine.BackOrange + engine.Card(c), true
	}
	if back != 0 && mask == 0 {
		return back, true
	}
	p.i = start
	return 0, false
}

// slot reads "row 2", "column 1" or "r2". It leaves "c1" to callers that know it is not a
// hex.
func (p *reader) slot() (engine.Slot, bool) {
	start := p.i
	for p.at(0).kind == sepTok && (p.at(0).s == "," || p.at(0).s == ":") {
		p.i++
	}
	p.words("at", "in", "into", "on", "to", "slot", "from")
	base := engine.Slot(0)
	if n, ok := p.ordinal(); ok {
		switch {
		case p.word("row", "line"):
		case p.word("column", "col"):
			base = 3
		default:
			p.i = start
			return 0, false
		}
		return base + engine.Slot(n), true
	}
	switch {
	case p.word("row", "rows", "line", "r"):
	case p.word("column", "columns", "col", "c"):
		base = 3
	default:
		p.i = start
		return 0, false
	}
	if n, ok := p.digit(1, 3); ok {
		return base + engine.Slot(n), true
	}
	p.i = start
	return 0, false
}

// ordinal reads "3rd" or "third", from 1 to 3.
func (p *reader) ordinal() (int, bool) {
	start := p.i
	if t := p.at(0); t.kind == wordTok && ordinals[t.s] > 0 && ordinals[t.s] <= 3 {
		p.i++
		return ordinals[t.s], true
	}
	if t := p.at(0); t.kind == numTok && t.n >= 1 && t.n <= 3 {
		if p.i++; p.word("st", "nd", "rd", "th") {
			return t.n, true
		}
	}
	p.i = start
	return 0, false
}

// hex reads "b4".
func (p *reader) hex() (engine.Hex, bool) {
	t := p.at(0)
	if t.kind == codeTok && t.s[0] >= 'a' && t.s[0] <= 'e' && t.n >= 1 && t.n <= maxStrip {
		p.i++
		return engine.HexAt(t.n, int(t.s[0]-'a')), true
	}
	if n := p.at(1); t.kind == wordTok && len(t.s) == 1 && t.s[0] >= 'a' && t.s[0] <= 'e' && n.kind == numTok && n.n >= 1 && n.n <= maxStrip {
		p.i += 2
		return engine.HexAt(n.n, int(t.s[0]-'a')), true
	}
	return 0, false
}

// cell reads "2.1".
func (p *reader) cell() (engine.Cell, bool) {
	if t := p.at(0); t.kind == cellTok {
		p.i++
		return engine.Cell(t.n), true
	}
	return 0, false
}

// tile reads "t12", "tile 12", "advanced 4", "a4", "s1" or a bare number.
func (p *reader) tile() (loose, bool) {
	start := p.i
	l := loose{}
	for {
		switch {
		case p.word("tile", "tiles", "a"):
		case p.word("technology", "tech", "t"):
			l.kind = 't'
		case p.word("advanced", "adv"):
			l.kind = 'a'
			p.words("technology")
		case p.word("starting", "start", "s"):
			l.kind = 's'
		default:
			t := p.at(0)
			switch {
			case t.kind == codeTok && strings.Contains("tas", t.s) && (l.kind == 0 || l.kind == t.s[0]):
				l = loose{t.s[0], t.n}
			case t.kind == numTok && t.digits <= 2:
				l.n = t.n
			}
			if l.n > 0 && l.tile() != 0 {
				p.i++
				return l, true
			}
			p.i = start
			return loose{}, false
		}
	}
}

// tiles reads up to max tiles, with commas between them or not.
func (p *reader) tiles(max int) (ls []loose) {
	for len(ls) < max && p.sep(func() bool {
		l, ok := p.tile()
		if ok {
			ls = append(ls, l)
		}
		return ok
	}) {
	}
	return ls
}

// times reads "x3", "3x", "3 times" or "three times". It returns 1 if none of them comes
// next.
func (p *reader) times() int {
	start := p.i
	if t := p.at(0); t.kind == timesTok && t.n >= 1 && t.n <= 3 {
		p.i++
		return t.n
	}
	switch {
	case p.word("once"):
		return 1
	case p.word("twice"):
		return 2
	case p.word("thrice"):
		return 3
	}
	p.words("x")
	if n, ok := p.digit(1, 3); ok && (p.i > start+1 || p.word("times", "x", "time")) {
		return int(n)
	}
	p.i = start
	return 1
}

// tilesOf are the tiles of a step as the words name them, if each names one.
func tilesOf(ls []loose) (ts [3]engine.Tile) {
	for i, l := range ls {
		ts[i] = l.tile()
	}
	n := len(ls)
	for i := range n {
		for j := i + 1; j < n; j++ {
			if ts[j] < ts[i] {
				ts[i], ts[j] = ts[j], ts[i]
			}
		}
	}
	return ts
}
