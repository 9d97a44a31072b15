package touch

import (
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/order"
)

// Mark ends a beginning: "card 045~" is the beginning of the orders that play that card.
// No order ends so.
const Mark = "~"

// An Entry is one way to go on: with an order, or with a beginning of several.
type Entry struct {
	Text    string   // a canonical order, or a beginning with its Mark
	Part    string   // of a beginning: what it names last, for words: "card", "ship" …
	Options []int    // the orders that it leads to, by index
	Keys    []string // the pieces that lead there
	more    [][]string
}

// Complete reports whether the entry is an order.
func (e *Entry) Complete() bool { return !strings.HasSuffix(e.Text, Mark) }

// A Table is how a plan can go on.
type Table struct {
	Begun   string   // the beginning that Entries go on from, with what had no choice added; "" none
	Part    string   // what it names last, as an Entry's
	Used    []string // the pieces that it names
	Entries []Entry  // in the order of the options
	Ends    []Entry  // orders that a single piece completes, besides: the hex that only one ship reaches
	at      map[string]*Entry
}

// At is the entry of a piece.
func (t *Table) At(key string) (*Entry, bool) {
	e, ok := t.at[key]
	return e, ok
}

// Keys are the keys of all pieces that can be touched.
func (t *Table) Keys() []string {
	out := make([]string, 0, len(t.at))
	for k := range t.at {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// New arranges the steps that are legal for v's viewer: those that go on from a
// beginning, split at their next part. ok is false if begun is the beginning of none.
//
// A piece belongs to the first of: the entry that it names; an entry that it names, too;
// the one order whose last part it is.
func New(steps []engine.Step, v *engine.View, begun string) (t *Table, ok bool) {
	if begun != "" && !strings.HasSuffix(begun, Mark) {
		return nil, false
	}
	all := make([]int, len(steps))
	for i := range all {
		all[i] = i
	}
	t = &Table{Begun: begun, at: map[string]*Entry{}}
	entries := split(steps, all, v, begun)
	if begun != "" && len(entries) == 0 {
		return nil, false
	}
	for len(entries) == 1 && len(entries[0].Options) > 1 { // no choice
		t.Begun = entries[0].Text
		entries = split(steps, entries[0].Options, v, t.Begun)
	}
	if t.Begun != "" {
		t.Part, t.Used = named(&steps[entries[0].Options[0]], v, t.Begun)
	}
	for _, e := range entries {
		for !e.Complete() {
			if len(e.Options) == 1 {
				e.Text, e.Part = order.Print(steps[e.Options[0]]), ""
				break
			}
			next := split(steps, e.Options, v, e.Text)
			if len(next) != 1 {
				break
			}
			e.Text, e.Part = next[0].Text, next[0].Part
		}
		if i := slices.IndexFunc(t.Entries, func(x Entry) bool { return x.Text == e.Text }); i >= 0 { // tiles named in another order
			t.Entries[i].more = append(t.Entries[i].more, e.Keys)
			continue
		}
		e.more = [][]string{e.Keys}
		t.Entries = append(t.Entries, e)
	}
	t.claim()
	t.shortcuts(steps, v)
	return t, true
}

// claim gives the pieces to the entries.
func (t *Table) claim() {
	for i := range t.Entries {
		t.Entries[i].Keys = nil
	}
	for _, first := range []bool{true, false} {
		for i := range t.Entries {
			e := &t.Entries[i]
			for _, keys := range e.more {
				for n, key := range keys {
					if t.at[key] == nil && (n == 0 || !first) {
						t.at[key] = e
						e.Keys = append(e.Keys, key)
					}
				}
			}
		}
	}
}

// shortcuts lets a piece that ends only one order, and begins none, select that order.
func (t *Table) shortcuts(steps []engine.Step, v *engine.View) {
	ends := map[string]int{} // the order that a piece ends; -1: several
	for i := range t.Entries {
		if t.Entries[i].Complete() {
			continue
		}
		for _, o := range t.Entries[i].Options {
			c := chain(&steps[o], v)
			for _, key := range c[len(c)-1].keys {
				if was, again := ends[key]; again && was != o {
					o = -1
				}
				ends[key] = o
			}
		}
	}
	for key, o := range ends {
		if t.at[key] == nil && o >= 0 && !strings.HasPrefix(key, "choice ") {
			t.Ends = append(t.Ends, Entry{Text: order.Print(steps[o]), Options: []int{o}, Keys: []string{key}})
		}
	}
	slices.SortFunc(t.Ends, func(a, b Entry) int { return strings.Compare(a.Keys[0], b.Keys[0]) })
	for i := range t.Ends {
		t.at[t.Ends[i].Keys[0]] = &t.Ends[i]
	}
}

// Used are the keys of the pieces that a step uses, and of what it leaves where it goes.
func Used(s engine.Step, v *engine.View) (out []string) {
	add := func(keys ...string) {
		for _, k := range keys {
			if !strings.HasPrefix(k, "choice ") && !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	for _, p := range chain(&s, v) {
		add(p.keys...)
	}
	for _, p := range set(&s, v) {
		add(p.keys...)
	}
	if s.Kind == engine.MoveShip || s.Use == engine.Move {
		add(Ship(s.To))
	}
	return out
}

// split puts together the steps of the options that go on from a beginning alike.
func split(steps []engine.Step, options []int, v *engine.View, begun string) (out []Entry) {
	at := map[string]int{}
	for _, o := range options {
		for _, p := range next(&steps[o], v, begun) {
			i, ok := at[p.text]
			if !ok {
				i = len(out)
				at[p.text] = i
				out = append(out, Entry{Text: p.text, Part: p.name, Keys: p.keys})
			}
			out[i].Options = append(out[i].Options, o)
		}
	}
	return out
}

// A part is the text of a step up to one of its choices: a beginning with its Mark, or
// the whole order.
type part struct {
	text, name string
	keys       []string // the piece that makes the choice, then others that may
}

// next is how a step goes on from a beginning, nothing if it does not begin so.
func next(s *engine.Step, v *engine.View, begun string) []part {
	if all := set(s, v); len(all) > 0 {
		return nextOf(all, order.Print(*s), begun)
	}
	c := chain(s, v)
	if begun == "" {
		return c[:1]
	}
	for i := range c[:len(c)-1] {
		if c[i].text == begun {
			return c[i+1 : i+2]
		}
	}
	return nil
}

// named are the pieces that a beginning of a step names, and what the last of them is.
func named(s *engine.Step, v *engine.View, begun string) (name string, keys []string) {
	if all := set(s, v); len(all) > 0 {
		for _, it := range all {
			if strings.Contains(strings.TrimSuffix(begun, Mark)+" ", " "+it.text+" ") {
				name, keys = sets[it.name].part, append(keys, it.keys...)
			}
		}
		return name, keys
	}
	for _, p := range chain(s, v) {
		name, keys = p.name, append(keys, p.keys...)
		if p.text == begun {
			break
		}
	}
	return name, keys
}

// chain is a step's choices one after the other; those of a set are left out.
func chain(s *engine.Step, v *engine.View) []part {
	whole := order.Print(*s)
	done := func(keys ...string) part { return part{text: whole, keys: keys} }
	switch s.Kind {
	case engine.Discard, engine.Keep:
		return []part{done(Card(s.Card))}
	case engine.Decline:
		return []part{done(Decline)}
	case engine.PlayCard:
		return []part{begin("card", "card "+s.Card.String(), Card(s.Card)), done(Slot(s.Slot))}
	case engine.Activate:
		return effect(nil, "activate "+s.Cell.String(), s)
	case engine.FlipDie:
		return []part{done(Flip(s.Color, s.Value, 0, s.Secure))}
	case engine.TakeDie:
		if die := Die(s.Color, s.Value, s.Seller, s.Secure); !s.Flip {
			return []part{done(die)}
		} else {
			return []part{done(Flip(s.Color, s.Value, s.Seller, s.Secure), die)}
		}
	case engine.Boost:
		if s.Use == engine.AsColor {
			return []part{begin("boost", "boost "+s.Cell.String(), Cell(s.Cell)), done(Supply(s.Color))}
		}
		return []part{done(Cell(s.Cell))}
	case engine.Act:
		return []part{done(Room(s.Loc))}
	case engine.UseCard:
		return []part{done(append([]string{Card(s.Card)}, under(s.Card, v)...)...)}
	case engine.Inject:
		tile := "inject " + s.Tile.String()
		first := begin("inject", tile, Tile(s.Tile))
		if s.Space != 0 {
			return []part{first, begin("inject-slot", tile+" "+s.Slot.String(), Slot(s.Slot)), done(Space(engine.Color(s.Space - 1)))}
		}
		return []part{first, done(Slot(s.Slot))}
	case engine.Cube:
		from, key := "cube ", ""
		if s.Loc >= engine.DieLoc {
			c := engine.Color(s.Loc - engine.DieLoc)
			from, key = from+c.String(), Supply(c)
		} else {
			from, key = from+string('0'+rune(s.Loc)), Room(s.Loc)
		}
		first := begin("cube", from, key)
		if s.Cell == 0 {
			return []part{first, done(Storage)}
		}
		return effect([]part{first}, from+" on "+s.Cell.String(), s)
	case engine.MoveShip:
		return move(nil, "", s)
	case engine.Place:
		return []part{begin("place", "place "+s.Card.String(), Card(s.Card)), done(Hex(s.To))}
	case engine.Collect:
		return []part{done(append(used(v), Collect)...)}
	case engine.Done:
		return []part{done(Done)}
	case engine.Reroll:
		return []part{done(Reroll)}
	case engine.Reserve:
		die := s.Color.String() + " " + string('0'+rune(s.Value))
		first := begin("reserve", "reserve "+die, Die(s.Color, s.Value, 0, false))
		if s.Cell != 0 {
			return []part{first, done(Cell(s.Cell))}
		}
		return []part{first, done(Storage)}
	case engine.Pass:
		return []part{done(Pass)}
	}
	return []part{done()}
}

func begin(name, text string, keys ...string) part {
	return part{text: text + Mark, name: name, keys: keys}
}

// effect is the choices within the effect of the tile at a step's cell, after text.
func effect(c []part, text string, s *engine.Step) []part {
	at := s.Cell
	if s.Via != 0 {
		c = append(c, begin("cell", text, Cell(at)))
		text += " on " + s.Via.String()
		at = s.Via
	}
	whole := part{text: order.Print(*s)}
	name := "cell"
	if s.Via != 0 {
		name = "via"
	}
	if s.Use == engine.NoUse {
		whole.keys = []string{Cell(at)}
		return append(c, whole)
	}
	c = append(c, begin(name, text, Cell(at)))
	switch s.Use {
	case engine.TakeGood:
		whole.keys = []string{Good(s.Good)}
	case engine.Move:
		return move(c, text+" ", s)
	case engine.ToStation:
		c = append(c, begin("robot", text+" robot to", Break))
		whole.keys = []string{Station(s.Color)}
	case engine.FromStation:
		whole.keys = []string{Station(s.Color)}
	case engine.Draw:
		whole.keys = []string{Deck(s.Color)}
	}
	return append(c, whole)
}

func move(c []part, text string, s *engine.Step) []part {
	first := begin("launch", text+"launch", Launch)
	if s.From != 0 {
		first = begin("ship", text+"ship "+s.From.String(), Ship(s.From))
	}
	return append(c, first, part{text: order.Print(*s), keys: []string{Hex(s.To)}})
}

// under is the hex of a Mission card.
func under(c engine.Card, v *engine.View) []string {
	if v != nil {
		for i := range v.Strips {
			for _, h := range v.Strips[i].Hexes {
				if h.Card == c {
					return []string{Hex(h.At)}
				}
			}
		}
	}
	return nil
}

// used returns the keys of the Mission card whose activation the player decides on, and of
// its hex.
func used(v *engine.View) []string {
	if v == nil {
		return nil
	}
	c := v.Using
	if len(v.Owed) > 0 && v.Owed[0].Ask == engine.AskOwner {
		c = v.Owed[0].Card
	}
	if c == 0 {
		return nil
	}
	return append([]string{Card(c)}, under(c, v)...)
}

// An item is one of the things that a step names as a set: their order does not matter.
type item struct {
	text, name string // name is of the set
	keys       []string
}

// set is what a step names in any order: tiles to take, locations, a price.
func set(s *engine.Step, v *engine.View) (out []item) {
	switch s.Kind {
	case engine.TakeTiles:
		for _, t := range s.Tiles {
			if t != 0 {
				out = append(out, item{t.String(), "take", []string{Tile(t)}})
			}
		}
	case engine.Locations:
		for n := range uint8(6) {
			if s.Locs>>n&1 != 0 {
				out = append(out, item{string('1' + rune(n)), "locations", []string{Room(n + 1)}})
			}
		}
	case engine.Collect:
		for _, t := range s.Tiles {
			if t != 0 {
				out = append(out, item{t.String(), "collect with", append(inGrid(t, v), Tile(t))})
			}
		}
		for _, c := range [2]engine.Card{s.Card, s.Card2} {
			if c != 0 {
				out = append(out, item{c.String(), "collect with", []string{Card(c)}})
			}
		}
	}
	return out
}

// inGrid is the cell of the viewer's grid that has a tile.
func inGrid(t engine.Tile, v *engine.View) []string {
	if v != nil && v.Viewer > 0 && int(v.Viewer) <= len(v.Players) {
		for i, c := range v.Players[v.Viewer-1].Grid {
			if c.Tile == t {
				return []string{Cell(engine.Cell(i + 1))}
			}
		}
	}
	return nil
}

// sets are the orders that name a set: what their beginnings are called, and the choice
// that ends them.
var sets = map[string]struct{ part, enough string }{"take": {"take", Take}, "locations": {"locations", Beat}, "collect with": {"collect-with", Collect}}

// nextOf is how an order that names a set goes on: with one more of it, or, if all are
// named, as it is.
func nextOf(all []item, whole, begun string) (out []part) {
	name := all[0].name
	var chosen []string
	if begun != "" {
		list, ok := strings.CutPrefix(strings.TrimSuffix(begun, Mark), name+" ")
		if !ok {
			return nil
		}
		chosen = strings.Split(list, " ")
	}
	// with is the beginning that names what is chosen, and one more.
	with := func(more int) string {
		text := name
		for i := range all {
			if i == more || slices.Contains(chosen, all[i].text) {
				text += " " + all[i].text
			}
		}
		return text + Mark
	}
	switch {
	case begun != "" && with(-1) != begun:
		return nil
	case len(chosen) == len(all):
		return []part{{text: whole, keys: []string{sets[name].enough}}}
	}
	for i := range all {
		if !slices.Contains(chosen, all[i].text) {
			out = append(out, part{with(i), sets[name].part, all[i].keys})
		}
	}
	return out
}
