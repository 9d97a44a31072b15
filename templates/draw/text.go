package draw

import (
	"unicode/utf8"

	"angelpost/engine"
)

// Columns is the width of Text in letters.
const Columns = 72

// Text writes the whole view in lines of at most Columns letters, self-contained and in an
// order that a screen reader can follow: the state of the game, Space strip by strip away from
// the frigate, the frigate, what is for sale, the viewer's own board with their hand, the
// others'. It is plain ASCII except for what words adds. No line begins with a bar (|), which
// marks listed orders. Lines end in "\n". words nil means Plain.
func Text(v *engine.View, words Words) string {
	if words == nil {
		words = Plain
	}
	t := texts{namer: newNamer(v, words), columns: Columns}
	t.head()
	t.space()
	t.frigate()
	t.shop()
	for i := range v.Players {
		if v.Players[i].Seat == v.Viewer {
			t.player(&v.Players[i])
		}
	}
	for i := range v.Players {
		if v.Players[i].Seat != v.Viewer {
			t.player(&v.Players[i])
		}
	}
	return string(t.out)
}

// A texts collects lines.
type texts struct {
	namer
	columns int
	out     []byte
	line    []byte
}

// flush wraps t.line after column t.columns, further lines indented by indent,
// and appends it.
func (t *texts) flush(indent int) {
	col, word := 0, 0 // letters in the line; where the word begins
	for word < len(t.line) {
		end := word
		for end < len(t.line) && t.line[end] != ' ' {
			end++
		}
		w := t.line[word:end]
		n := utf8.RuneCount(w)
		switch {
		case word == 0:
		case col+1+n > t.columns:
			t.out = append(t.out, '\n')
			for col = 0; col < indent; col++ {
				t.out = append(t.out, ' ')
			}
		default:
			t.out = append(t.out, ' ')
			col++
		}
		for col+n > t.columns { // a word longer than a line
			cut := 0
			for i := 0; i < t.columns-col; i++ {
				_, size := utf8.DecodeRune(w[cut:])
				cut += size
			}
			t.out = append(append(t.out, w[:cut]...), '\n')
			w, n = w[cut:], n-(t.columns-col)
			for col = 0; col < indent; col++ {
				t.out = append(t.out, ' ')
			}
		}
		t.out = append(t.out, w...)
		col += n
		word = end + 1
	}
	t.out = append(t.out, '\n')
	t.line = t.line[:0]
}

// title begins a part.
func (t *texts) title(b []byte) {
	if len(t.out) > 0 {
		t.out = append(t.out, '\n')
	}
	t.line = append(t.line, b...)
	t.flush(2)
}

// upper turns ASCII letters to capitals.
func upper(b []byte) []byte {
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return b
}

// label begins a line with "term: ".
func (t *texts) label(term Term) {
	t.line = append(append(t.line, t.term(term)...), ": "...)
}

func (t *texts) head() {
	v := t.v
	t.title(upper(t.round(nil)))
	for i := range v.Players {
		p := &v.Players[i]
		t.line = append(t.who(t.line, p.Seat), ": "...)
		t.line = t.pair(t.line, TermVP, p.VP)
		if v.Finished {
			t.line = t.pair(append(t.line, ", "...), TermFinal, p.Final)
		}
		if v.Seat == p.Seat {
			t.line = append(append(t.line, ", "...), t.term(TermTurn)...)
		}
		t.flush(2)
	}
	if t.line = t.now(t.line); len(t.line) > 0 {
		t.flush(2)
	}
}

func (t *texts) space() {
	v := t.v
	t.title(upper([]byte(t.term(TermSpace))))
	t.label(TermBlackAngel)
	t.line = append(t.line, hexName(v.BlackAngel)...)
	switch {
	case v.SpesHex != 0:
		t.line = append(append(append(t.line, "; "...), t.term(TermSpes)...), ": "...)
		t.line = append(t.line, hexName(v.SpesHex)...)
	case v.SpesToken != 0:
		t.line = append(append(append(t.line, "; "...), t.term(TermSpesToken)...), ": "...)
		t.line = t.pair(t.line, TermStrip, v.SpesToken)
	}
	t.flush(2)
	for i := range v.Strips {
		s := &v.Strips[i]
		t.line = t.pair(t.line, TermStrip, s.Number)
		t.line = append(t.line, ':')
		t.flush(2)
		for lane := range s.Hexes {
			t.line = append(t.line, "  "...)
			t.line = t.hex(t.line, &s.Hexes[lane], true)
			t.flush(6)
		}
	}
}

func (t *texts) frigate() {
	v := t.v
	t.title(upper([]byte(t.term(TermFrigate))))
	for n := 1; n <= 6; n++ {
		t.line = t.location(append(append(t.line, t.term(TermLocation)...), ' '), n)
		t.flush(4)
	}
	for c := engine.Orange; c <= engine.Green; c++ {
		t.line = t.supply(t.line, c)
		t.flush(4)
	}
	if v.Neutral != nil {
		for c := engine.Orange; c <= engine.Green; c++ {
			t.line = t.neutral(t.line, c)
			t.flush(4)
		}
	}
	for p, name := range [...]Term{TermMission, TermMission, TermMission, TermRavager} {
		t.line = append(append(t.line, t.term(name)...), ' ')
		if p < 3 {
			t.line = append(append(t.line, t.color(engine.Color(p))...), ' ')
		}
		t.line = append(append(t.line, t.term(TermDeck)...), ": "...)
		t.line = t.pile(t.line, v.Decks[p])
		t.flush(4)
	}
}

func (t *texts) shop() {
	v := t.v
	t.title(upper([]byte(t.term(TermDisplay))))
	for i, tile := range v.Display {
		cost := 1
		if i < len(t.set.Costs) {
			cost = int(t.set.Costs[i])
		}
		t.line = t.namer.shop(t.line, TermDisplay, i+1, cost, tile)
		t.flush(4)
	}
	for i, tile := range v.Slots {
		t.line = t.namer.shop(t.line, TermAdvanced, i+1, 2, tile)
		t.flush(4)
	}
	t.line = append(append(t.line, t.term(TermAdvanced)...), ' ')
	t.label(TermDeck)
	t.line = t.pair(t.line, TermLeft, v.AdvancedLeft)
	t.flush(4)
	for c := engine.Orange; c <= engine.Green; c++ {
		t.line = append(append(t.line, t.color(c)...), ' ')
		t.label(TermStack)
		t.line = append(t.side(t.line, v.TopTile[c], t.boosted(v.TopTile[c])), "; "...)
		t.line = t.pile(t.line, v.Decks[engine.PileTileOrange+engine.Pile(c)])
		t.flush(4)
	}
}

func (t *texts) player(p *engine.PlayerView) {
	b := append(upper([]byte(t.term(TermBoard))), ": "...)
	t.title(t.pair(append(t.who(b, p.Seat), ": "...), TermVP, p.VP))
	if isHal(t.v, p.Seat) {
		t.hal(p)
		return
	}
	t.line = t.goods(t.line, p)
	t.flush(4)
	t.label(TermRobots)
	t.line = t.robots(t.line, p)
	t.flush(4)
	for i, area := range [2][]engine.DieView{p.Standard, p.Secure} {
		t.line = append(append(t.line, t.term(TermStandard+Term(i))...), ' ')
		t.label(TermDice)
		t.line = t.dice(t.line, area)
		t.flush(4)
	}
	t.label(TermHand)
	t.line = t.hand(t.line, p)
	t.flush(4)
	for _, c := range p.Cards {
		t.line = t.card(append(t.line, "  "...), c, true)
		t.flush(6)
	}
	t.label(TermGrid)
	t.flush(4)
	for i := range p.Grid {
		t.line = t.cell(append(t.line, "  "...), i, &p.Grid[i])
		t.flush(6)
	}
	t.label(TermSlots)
	some := false
	for i, c := range [6]engine.Card{p.Rows[0], p.Rows[1], p.Rows[2], p.Columns[0], p.Columns[1], p.Columns[2]} {
		if c == 0 {
			continue
		}
		if some {
			t.line = append(t.line, ", "...)
		}
		some = true
		t.line = t.slot(t.line, TermRow+Term(i/3), i%3, c, false)
	}
	if !some {
		t.line = append(t.line, t.term(TermEmpty)...)
	}
	t.flush(4)
	for c := engine.Orange; c <= engine.Green; c++ {
		t.line = append(append(t.line, t.term(TermSpaces)...), ' ')
		t.line = append(append(t.line, t.color(c)...), ": "...)
		t.line = t.tile(t.line, p.Spaces[c])
		t.flush(4)
	}
	t.label(TermEjected)
	t.line = t.list(t.line, p.Ejected)
	t.flush(4)
	t.label(TermTucked)
	for c := engine.Orange; c <= engine.Green; c++ {
		if c > engine.Orange {
			t.line = append(t.line, "; "...)
		}
		t.line = t.tucked(t.line, c, p.Tucked[c])
	}
	t.flush(4)
}
