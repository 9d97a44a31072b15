package words

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/order"
)

// maxName bounds a player's name, in runes.
const maxName = 40

// A Voice tells one reader of one game what happens in it.
type Voice struct {
	*Catalogue
	set    *component.Set
	reader engine.Seat
	solo   bool // seat 2 is Hal (section 15)
	names  [engine.MaxPlayers + 1]string
	given  []string // names as they were given, with which orders are read
	you    string
	colors [component.None + 1]string
}

// For returns the voice for a reader (0: the public). Names go by seat from index
// 0; a player without one is called by their seat, and seat 2 Hal where there is
// but one name (section 15). The set may be nil: then cards are only numbers.
func (c *Catalogue) For(set *component.Set, reader engine.Seat, names []string) *Voice {
	if set == nil {
		set = &component.Set{}
	}
	v := &Voice{Catalogue: c, set: set, reader: reader, solo: len(names) == 1, given: names, you: c.Say("term.you")}
	for k := range v.colors {
		v.colors[k] = c.Say("term." + engine.Color(k).String())
	}
	for s := 1; s <= engine.MaxPlayers; s++ {
		if s <= len(names) {
			v.names[s] = Clean(names[s-1], maxName)
		}
		if v.names[s] == "" && s == int(engine.Hal) && v.solo {
			v.names[s] = c.Say("term.hal")
		}
		if v.names[s] == "" {
			v.names[s] = c.Say("term.seat", "n", s)
		}
	}
	return v
}

// WithoutAddresses returns what a player wrote on one line, without email addresses.
func WithoutAddresses(text string) string {
	fields := strings.Fields(text)
	for i, f := range fields {
		if strings.Contains(f, "@") {
			fields[i] = "…"
		}
	}
	return Clean(strings.Join(fields, " "), 500)
}

// Clean is s on one line: without control, formatting and bidirectional
// characters and bars, blanks merged, at most max runes.
func Clean(s string, max int) string {
	var b strings.Builder
	gap := false
	for _, r := range s {
		switch {
		case r == '|' || r == utf8.RuneError || unicode.IsSpace(r) || !unicode.IsGraphic(r):
			gap = b.Len() > 0
			continue
		case max <= 0:
			return b.String()
		}
		if gap {
			b.WriteByte(' ')
			gap = false
			if max--; max <= 0 {
				return b.String()
			}
		}
		b.WriteRune(r)
		max--
	}
	return b.String()
}

// Name is what a seat's player is called, for any reader.
func (v *Voice) Name(seat engine.Seat) string {
	switch {
	case seat == engine.Neutral:
		return v.Say("term.neutral")
	case seat == 0 || seat > engine.MaxPlayers:
		return v.Say("term.nobody")
	}
	return v.names[seat]
}

// Spell returns a canonical order, or another line that order.Context.Spell knows, as
// people read it: "die orange 1 from Beta", "die green star". It reads back as the same
// order in an answer to a letter with the names of this Voice.
func (v *Voice) Spell(line string) string {
	return Clean(order.Context{Names: v.given}.Spell(line), order.MaxLine)
}

// Unnamed returns the voice for orders that are not of its game: Spell prints seats.
func (v *Voice) Unnamed() *Voice {
	out := *v
	out.given = nil
	return &out
}

// SpellAll returns lines as Spell does.
func (v *Voice) SpellAll(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = v.Spell(l)
	}
	return out
}

// `Who` returns Name, or "you" for the reader.
func (v *Voice) Who(seat engine.Seat) string {
	if v.You(seat) {
		return v.you
	}
	return v.Name(seat)
}

// You reports whether the seat is the reader's.
func (v *Voice) You(seat engine.Seat) bool { return seat != 0 && seat == v.reader }

// Whose are the names of seats as prose.
func (v *Voice) Whose(seats []engine.Seat) string {
	names := make([]string, len(seats))
	for i, s := range seats {
		names[i] = v.Who(s)
	}
	return v.List(names)
}

// Heading makes a heading of a clause: its first letter big.
func Heading(s string) string {
	if s == "" {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// Sentence makes a sentence of a clause: its first letter big, a full stop.
func Sentence(s string) string {
	s = Heading(s)
	if s == "" {
		return s
	}
	if last := s[len(s)-1]; last != '.' && last != '?' && last != '!' {
		s += "."
	}
	return s
}

// Color is a colour's word.
func (v *Voice) Color(c engine.Color) string { return v.colors[min(c, component.None)] }

var goodKeys = [...]string{"", "good.ship", "good.resource", "good.robot", "good.debris", "good.VP"}

// Goods is a number of a good: "2 ships".
func (v *Voice) Goods(g engine.Good, n int) string {
	if g == engine.NoGood || int(g) >= len(goodKeys) {
		return strconv.Itoa(n)
	}
	return v.Say(goodKeys[g], "n", n)
}

// Die is a die: "gray 2", "orange star".
func (v *Voice) Die(c engine.Color, value uint8) string {
	if value == 0 {
		return v.Say("step.die-star", "color", v.Color(c))
	}
	return v.Say("step.die-name", "color", v.Color(c), "value", int(value))
}

// Action is an action's word.
func (v *Voice) Action(a component.Action) string {
	if a < component.Discover || a > component.Command {
		return v.Say("term.none")
	}
	return v.Say("action." + a.String())
}

// Decision is what a view's reader must decide, "" if nothing.
func (v *Voice) Decision(view *engine.View) string {
	d := view.Decision
	if d == engine.NoDecision {
		return ""
	}
	key := "decision." + d.String()
	if d == engine.AskPlace && view.Ship == 0 {
		key += "-star"
	}
	args := func(name string) (any, bool) {
		switch name {
		case "die":
			return v.Die(view.Die.Color, view.Die.Value), true
		case "color":
			return v.Color(view.Die.Color), true
		case "vowel":
			return view.Die.Color == engine.Orange, true
		case "loc":
			return int(view.Acting), true
		case "left":
			return view.Left, true
		case "hex":
			return view.Ship.String(), true
		case "tiles":
			out := make([]string, len(view.ToInject))
			for i, t := range view.ToInject {
				out[i] = v.TileName(t)
			}
			return v.List(out), true
		case "card", "effect", "n":
			return v.owed(view, name), true
		}
		return nil, false
	}
	return v.SayArgs(key, args)
}

// owed is the card or number a decision is about.
func (v *Voice) owed(view *engine.View, name string) any {
	card, n := view.Using, 0
	if view.Decision != engine.AskCollect && len(view.Owed) > 0 {
		card, n = view.Owed[0].Card, int(view.Owed[0].N)
	}
	switch name {
	case "card":
		return v.CardName(card)
	case "effect":
		return v.Card(v.set, card)
	}
	return n
}

// Wanted is a decision in a word or two, for a subject line.
func (v *Voice) Wanted(d engine.Decision) string {
	if d == engine.NoDecision {
		return v.Say("wanted.nothing")
	}
	return v.Say("wanted." + d.String())
}

// Asked tells what another seat is deciding; "" for nothing.
func (v *Voice) Asked(seat engine.Seat, d engine.Decision) string {
	if d == engine.NoDecision || seat == 0 {
		return ""
	}
	return v.Say("asked."+d.String(), "who", v.Name(seat))
}
