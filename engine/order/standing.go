package order

import (
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
)

// About is the decision that a standing order is about.
type About uint8

// The decisions. Standing has the details of each.
const (
	AboutNothing About = iota
	Activating         // the owner's activation of a Mission card (R5.6)
	Reserving          // after the roll of sequence B (R6.2)
	Keeping            // one of two cards drawn (R4.9, green Td)
	Discarding         // down to six (R3.2), and to a Ravager (V3, V4)
	Forced             // the step that is the only legal one
)

var abouts = [...]string{"", "activate", "reserve", "keep", "discard", "forced"}

// CardKind is a kind of Mission card (section 10).
type CardKind uint8

// The kinds.
const (
	AnyKind CardKind = iota
	Activation
	Neutralization
)

var cardKinds = [...]string{"", "activation", "neutralization"}

// A Want is one card, or all those of a kind: a back for those of its colour
// (or the Ravagers), 0 for any.
type Want struct {
	Card engine.Card
	Kind CardKind
}

// Wants reports whether a card that is offered is meant.
func (w Want) Wants(c engine.Card) bool {
	if w.Card != 0 && w.Card != c && w.Card != c.Back() {
		return false
	}
	color := c.Color()
	switch {
	case w.Kind == AnyKind:
		return true
	case c.Hidden() || color > engine.Green:
		return false
	}
	n := int(c) - int(color)*component.Missions/3
	return (n <= firstNeutralization-1) == (w.Kind == Activation)
}

// firstNeutralization is the lowest M of a neutralization card (section 10).
const firstNeutralization = 13

func (w Want) append(b []byte) []byte {
	if w.Card != 0 {
		b = str(b, " ", w.Card.String())
	}
	if w.Kind != AnyKind {
		b = str(b, " ", cardKinds[w.Kind])
	}
	return b
}

// AnyValue is the Value of a WantedDie that may show anything.
const AnyValue = 255

// A WantedDie is a die, any of a colour (AnyValue), or any of a value (None).
type WantedDie struct {
	Color engine.Color
	Value uint8
}

// Wants reports whether the die of a colour and a value is meant.
func (d WantedDie) Wants(c engine.Color, v uint8) bool {
	return (d.Color == engine.None || d.Color == c) && (d.Value == AnyValue || d.Value == v)
}

func (d WantedDie) append(b []byte) []byte {
	if d.Color != engine.None {
		b = str(b, " ", d.Color.String())
	}
	if d.Value != AnyValue {
		b = str(b, " ", strconv.Itoa(int(d.Value)))
	}
	return b
}

// A Standing is what a player wants done whenever the same decision comes up again,
// as written after "always" or "never":
//
//	always activate 009                           Card, or any
//	always activate 009 with t12 leaving 1        Paid, Leaving
//	never activate 009                            decline it
//	always reserve gray 3, orange, 2 leaving 1    Dice, the most wanted first
//	always reserve gray 3 boost 2.1               Boost: without paying (R14.2, B4)
//	never reserve
//	always keep 031, gray neutralization          Cards, the most wanted first
//	never keep 017
//	always discard 013, green, activation         Cards, the least wanted first
//	never discard 031
//	always forced
//
// "never forced" takes "always forced" back.
type Standing struct {
	Never   bool
	About   About
	Card    engine.Card // the Mission to be activated, 0: any
	Paid    engine.Step // Collect: Tiles, or Cards, that pay for it; backs for any such card. NoStep: whatever is the only way
	Leaving int         // of each good paid so many must be left, to 9
	Dice    []WantedDie // at most MaxWish
	Boost   engine.Cell // whose boost reserves the die, 0: it is paid for
	Cards   []Want      // at most MaxWish
}

// String is the canonical line: ParseStanding reads it as it was.
func (s Standing) String() string {
	b := []byte("always ")
	if s.Never {
		b = []byte("never ")
	}
	b = str(b, abouts[s.About])
	if s.Card != 0 {
		b = str(b, " ", s.Card.String())
	}
	if s.Paid.Kind == engine.Collect {
		b = append(b, strings.TrimPrefix(Print(s.Paid), "collect")...)
	}
	for i, d := range s.Dice {
		if i > 0 {
			b = append(b, ',')
		}
		b = d.append(b)
	}
	if s.Boost != 0 {
		b = str(b, " boost ", s.Boost.String())
	}
	for i, w := range s.Cards {
		if i > 0 {
			b = append(b, ',')
		}
		b = w.append(b)
	}
	if s.Leaving > 0 {
		b = str(b, " leaving ", strconv.Itoa(s.Leaving))
	}
	return string(b)
}

// ParseStanding reads a line as "always" or "never" with a standing order after it, as
// leniently as orders are read. ok is false if the line is something else.
func ParseStanding(line string) (s Standing, ok bool) {
	if len(line) > MaxLine {
		return s, false
	}
	line = strings.ToValidUTF8(line, "\ufffd")
	p := reader{line: line, toks: lex(line)}
	switch {
	case p.word("always"):
	case p.word("never"):
		s.Never = true
	default:
		return s, false
	}
	for p.at(0).kind == sepTok {
		p.i++
	}
	if !p.about(&s) || !p.subject(&s) {
		return Standing{}, false
	}
	if p.word("leaving", "leave") {
		p.words("at", "least")
		n, ok := p.digit(1, 9)
		if !ok || s.Never || s.About != Activating && s.About != Reserving || s.Boost != 0 {
			return Standing{}, false
		}
		p.words("left", "of", "each")
		s.Leaving = int(n)
	}
	for p.i < len(p.toks) {
		if k := p.at(0).kind; k != sepTok && k != breakTok {
			return Standing{}, false
		}
		p.i++
	}
	return s, true
}

// about reads the decision.
func (p *reader) about(s *Standing) bool {
	switch {
	case p.word("decline") && !s.Never:
		s.Never, s.About = true, Activating
	case p.word("activate", "collect", "activation"):
		s.About = Activating
	case p.word("reserve", "reservation"):
		s.About = Reserving
	case p.word("keep"):
		s.About = Keeping
	case p.word("discard"):
		s.About = Discarding
	default:
		p.words("play", "do")
		s.About = Forced
		if !p.word("forced") {
			return false
		}
		p.words("turn", "turns", "step", "steps")
	}
	return true
}

// subject reads the details of the decision.
func (p *reader) subject(s *Standing) bool {
	switch s.About {
	case Activating:
		p.words("any", "owner", "my", "own")
		if c, ok := p.card(); ok {
			if c.Hidden() || c.Ravager() {
				return false
			}
			s.Card = c
		}
		p.words("mission", "card", "cards", "missions")
		return !p.word("with", "paying", "for", "spending") || !s.Never && p.paid(s)
	case Reserving:
		p.words("a", "die", "dice")
		if s.Never {
			return true
		}
		for len(s.Dice) < MaxWish && p.sep(func() bool { return p.wantedDie(s) }) {
		}
		if start := p.i; !p.boost(s) {
			p.i = start
		}
		return len(s.Dice) > 0
	case Keeping, Discarding:
		for len(s.Cards) < MaxWish && p.sep(func() bool { return p.want(s) }) {
		}
		return len(s.Cards) > 0
	}
	return true
}

// paid reads what is paid for an activation.
func (p *reader) paid(s *Standing) bool {
	s.Paid.Kind = engine.Collect
	p.words("a", "my")
	start := p.i
	if ls := p.tiles(2); len(ls) > 0 && !(p.toks[start].kind == numTok && p.toks[start].digits == 3) {
		for _, l := range ls {
			if t := l.tile(); t == 0 || t.Advanced() {
				return false
			}
		}
		s.Paid.Tiles = tilesOf(ls)
		return s.Paid.Tiles[1] == 0 || s.Paid.Tiles[0] != s.Paid.Tiles[1]
	}
	if p.i = start; p.word("ravager") && p.sep(func() bool { return p.word("ravager") }) && p.at(0).kind != numTok {
		s.Paid.Card, s.Paid.Card2 = engine.BackRavager, engine.BackRavager
		return true
	}
	p.i = start
	c, ok := p.card()
	if !ok {
		return false
	}
	s.Paid.Card = c
	p.sep(func() bool {
		d, ok := p.card()
		if !ok || !c.Ravager() || !d.Ravager() || c.Hidden() != d.Hidden() || c == d && !c.Hidden() {
			return false
		}
		s.Paid.Card, s.Paid.Card2 = min(c, d), max(c, d)
		return true
	})
	return true
}

// wantedDie reads a die of a reservation list, of which the colour or the value
// may be left out.
func (p *reader) wantedDie(s *Standing) bool {
	p.words("or", "else", "a", "any", "die", "dice")
	d, r := WantedDie{engine.None, AnyValue}, reading{}
	if !p.dieDetails(&r) {
		return false
	}
	if r.has&hasColor != 0 {
		c, ok := single(r.colors)
		if !ok {
			return false
		}
		d.Color = c
	}
	if r.has&hasValue != 0 {
		d.Value = r.step.Value
	}
	s.Dice = append(s.Dice, d)
	return true
}

// boost reads by which tile's boost a die is reserved.
func (p *reader) boost(s *Standing) (ok bool) {
	p.words("free", "by", "with", "using", "the", "boost", "tile", "of", "at")
	s.Boost, ok = p.cell()
	return ok
}

// want reads a card or a kind of cards.
func (p *reader) want(s *Standing) bool {
	p.words("or", "else", "a", "any", "my")
	var w Want
	if c, ok := p.card(); ok {
		w.Card = c
	}
	p.words("card", "cards", "mission", "missions")
	if w.Card == 0 || w.Card.Hidden() && !w.Card.Ravager() {
		switch {
		case p.begins(cardKinds[Activation]):
			w.Kind = Activation
		case p.begins(cardKinds[Neutralization]):
			w.Kind = Neutralization
		}
		p.words("card", "cards", "mission", "missions")
	}
	if w == (Want{}) || s.About == Keeping && w.Card.Ravager() {
		return false
	}
	s.Cards = append(s.Cards, w)
	return true
}
