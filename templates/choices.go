package templates

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/match/turns"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/templates/touch"
	"angelpost/templates/words"
)

// maxWhole is how many orders a plan's page lists whole; more are split into their parts,
// as they are touched.
const maxWhole = 20

type planGroup struct {
	head  string
	items []planChoice
}

func (g *planGroup) count() string {
	n := 0
	for range g.all() {
		n++
	}
	if n == 1 {
		return g.head
	}
	return g.head + " (" + strconv.Itoa(n) + ")"
}

// all are the group's links, those in rows one by one.
func (g *planGroup) all() iter.Seq[planChoice] {
	return func(yield func(planChoice) bool) {
		for _, c := range g.items {
			one := c.row
			if one == nil {
				one = []planChoice{c}
			}
			for _, c := range one {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// fewHexes is from how many hexes on they are a row instead of a line each.
const fewHexes = 4

// rows puts choices that differ in nothing but the hex where a ship goes into one row, in
// the first one's place.
func (c *chooser) rows(items []planChoice, entries []*touch.Entry) (out []planChoice) {
	type like struct {
		step            engine.Step
		text, does, why string
	}
	liked, at := make([]like, len(items)), map[like][]int{}
	for i, e := range entries {
		s := c.steps[e.Options[0]]
		text, ok := strings.CutSuffix(items[i].text, " "+s.To.String())
		if !ok || !e.Complete() || s.To == 0 || items[i].was {
			continue
		}
		s.To = 0
		liked[i] = like{s, text, items[i].does, items[i].why}
		at[liked[i]] = append(at[liked[i]], i)
	}
	for i, l := range liked {
		of := at[l]
		switch {
		case len(of) < fewHexes:
			out = append(out, items[i])
		case of[0] == i:
			row := items[i]
			row.text, row.row = l.text, make([]planChoice, len(of))
			for n, k := range of {
				row.row[n] = items[k]
				row.row[n].text, row.row[n].lead = c.steps[entries[k].Options[0]].To.String(), c.label(entries[k])
			}
			out = append(out, row)
		}
	}
	return out
}

// A planChoice is a link to the plan that goes on with an order, or with a beginning.
type planChoice struct {
	href  string
	order string // as people read it; "" of a beginning
	lead  string // what the link's group says already, for those who hear the link alone
	text  string
	does  string       // what it does for certain, and what chance decides then
	why   string       // why it gives nothing now; "" if it gives something
	more  int          // of a beginning: the orders that begin so
	row   []planChoice // where a ship may go, if nothing else differs: the choice has no link then
	was   bool
	draws bool // chance decides some of it
}

// fewVain is how many choices that give nothing are listed with the others.
const fewVain = 2

// split separates the choices that give nothing from the others, if they are many.
func split(items []planChoice) (of, vain []planChoice) {
	n := len(items)
	for n > 0 && items[n-1].why != "" {
		n--
	}
	if n == 0 || len(items)-n <= fewVain {
		return items, nil
	}
	return items[:n], items[n:]
}

// choose lists options in groups, and links the pieces of the table; links go on from an
// address. was is the option that was chosen in the game. From a beginning, its own
// options alone are listed.
func (x *PlanPage) choose(options []turns.Option, from, was string) {
	found := x.begun == ""
	for i := 0; i < len(options); {
		n := i
		for n < len(options) && options[n].Seat == options[i].Seat {
			n++
		}
		c := newChooser(x, options[i:n], from, was)
		found = c.choose(i == 0) || found
		i = n
	}
	if !found {
		x.refuse(&notice.LineResult{N: x.lines, Text: x.begun, Problem: notice.Refuse(order.NotLegal)})
	}
}

// A chooser arranges what one seat can go on with.
type chooser struct {
	*PlanPage
	options []turns.Option
	steps   []engine.Step
	from    string // address that links go on from
	before  string // what a line has before the order: the seat, in a WhatIf
	was     string
}

func newChooser(x *PlanPage, options []turns.Option, from, was string) *chooser {
	c := &chooser{PlanPage: x, options: options, steps: make([]engine.Step, len(options)), from: from, was: was}
	for i, o := range options {
		c.steps[i], _ = order.Parse(o.Order)
	}
	if x.whatIf {
		c.before = strings.TrimSuffix(options[0].Line(), options[0].Order)
	}
	return c
}

// choose lists the options, and reports whether any begins as the address does. The
// pieces of the first seat's are links.
func (c *chooser) choose(first bool) bool {
	begun, of := strings.CutPrefix(c.begun, c.before)
	t, ok := touch.New(c.steps, c.View, begun)
	if !ok || !of && c.begun != "" {
		return false
	}
	if first || c.begun != "" {
		c.link(t, false)
		if all, ok := touch.New(c.steps, c.View, ""); ok && all.Begun != t.Begun {
			c.link(all, true)
		}
		for _, key := range t.Used {
			c.chosen[key] = len(c.PlanPage.steps) + 1
		}
	}
	switch {
	case c.begun != "":
		c.list(t.Entries, c.beginning(t.Begun, t.Part, t.Entries[0].Options[0]))
	case len(c.options) > maxWhole:
		c.list(t.Entries, "")
	default:
		whole := make([]touch.Entry, len(c.options))
		for i, o := range c.options {
			whole[i] = touch.Entry{Text: o.Order, Options: []int{i}}
		}
		c.list(whole, "")
	}
	return true
}

// link makes the links of the pieces; other says that they drop what is begun.
func (c *chooser) link(t *touch.Table, other bool) {
	most := 1
	for _, key := range t.Keys() {
		e, _ := t.At(key)
		most = max(most, c.gainVP(e))
	}
	for _, key := range t.Keys() {
		if _, taken := c.touches[key]; taken {
			continue
		}
		e, _ := t.At(key)
		why := c.useless(e)
		best := c.gainVP(e) == most || slices.ContainsFunc(e.Options, func(o int) bool { return len(c.options[o].Fits) > 0 })
		c.touches[key] = Touch{Href: c.href(e), Label: c.label(e), Best: best && why == "", Why: why, Other: other}
	}
}

func (c *chooser) href(e *touch.Entry) string { return told(c.from + on(c.before+e.Text)) }

// gainVP is the most VP that an entry's orders gain.
func (c *chooser) gainVP(e *touch.Entry) (most int) {
	for _, o := range e.Options {
		most = max(most, c.options[o].Gain.VP)
	}
	return most
}

// list adds entries in groups: all in one with a heading, or by what they do, in the order
// in which one thinks of it.
func (c *chooser) list(entries []touch.Entry, head string) {
	var out []planGroup
	at := map[string]int{}
	members := [][]int{}
	var ranks []int
	for i := range entries {
		e := &entries[i]
		step := c.steps[e.Options[0]]
		h := head
		if h == "" {
			h = c.Voice.Group(step)
		}
		g, ok := at[h]
		if !ok {
			g = len(out)
			at[h] = g
			out, members, ranks = append(out, planGroup{head: h}), append(members, nil), append(ranks, rank(step))
		}
		members[g] = append(members[g], i)
	}
	for g := range out {
		alike := ""
		if head == "" {
			alike = c.alike(entries, members[g])
		}
		if alike != "" {
			out[g].head = alike
		}
		var items []planChoice
		var of []*touch.Entry
		for _, i := range members[g] {
			items, of = append(items, c.item(&entries[i], out[g].head, alike != "" || head != "")), append(of, &entries[i])
		}
		out[g].items = c.rows(items, of)
		slices.SortStableFunc(out[g].items, func(a, b planChoice) int { return cmp.Compare(min(len(a.why), 1), min(len(b.why), 1)) })
		if c.whatIf {
			out[g].head = c.Name(engine.Seat(c.options[0].Seat)) + ": " + out[g].head
		}
	}
	order := make([]int, len(out))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranks[a], ranks[b]) })
	for _, g := range order {
		c.groups = append(c.groups, out[g])
	}
}

// rank is where one thinks of an order: of a card, then of tiles, a die, what it does.
func rank(s engine.Step) int {
	switch s.Kind {
	case engine.PlayCard:
		return 1
	case engine.Activate:
		return 2
	case engine.TakeDie:
		switch {
		case s.Seller != 0:
			return 6
		case s.Flip:
			return 4
		}
		return 3
	case engine.FlipDie:
		return 5
	case engine.Act:
		return 7
	case engine.UseCard:
		return 8
	case engine.Boost:
		return 9
	case engine.Reroll:
		return 11
	case engine.Pass, engine.Done, engine.Decline:
		return 12
	}
	return 10
}

// alike is what all members of a group begin with, as a heading; "" if there is no such
// thing, or it is one order alone.
func (c *chooser) alike(entries []touch.Entry, members []int) string {
	var steps []engine.Step
	for _, i := range members {
		for _, o := range entries[i].Options {
			steps = append(steps, c.steps[o])
		}
	}
	t, ok := touch.New(steps, c.View, "")
	if !ok || t.Begun == "" || len(t.Entries) != len(members) {
		return ""
	}
	return words.Heading(c.Voice.Begin(t.Part, begunStep(t.Begun, steps[0])))
}

// item is an entry of a group; short says that the heading tells its beginning.
func (c *chooser) item(e *touch.Entry, head string, short bool) planChoice {
	out := planChoice{href: c.href(e), text: words.Heading(c.words(e)), why: c.useless(e)}
	if !e.Complete() {
		out.more = len(e.Options)
		return out
	}
	i := e.Options[0]
	o := c.options[i]
	if short {
		what, _, _ := strings.Cut(head, ": ")
		out.lead, out.text = what+": ", words.Heading(c.Voice.Short(c.steps[i]))
	} else if d := c.detail(c.steps[i]); d != "" {
		out.text += " (" + d + ")"
	}
	out.order, out.does, out.draws, out.was = c.Voice.Spell(o.Order), c.does(o), o.Draws, c.was != "" && o.Line() == c.was
	return out
}

// words say what an entry is: an order's own, or those of a beginning.
func (c *chooser) words(e *touch.Entry) string {
	if e.Complete() {
		return c.Voice.Step(c.steps[e.Options[0]])
	}
	return c.beginning(e.Text, e.Part, e.Options[0])
}

func (c *chooser) beginning(text, part string, option int) string {
	s := words.Heading(c.Voice.Begin(part, begunStep(text, c.steps[option])))
	if d := c.detail(c.steps[option]); d != "" && part != "take" {
		what, choose, _ := strings.Cut(s, ": ")
		return what + " (" + d + "): " + choose
	}
	return s
}

// begunStep is what a beginning says of one of its steps: some of a set's things.
func begunStep(begun string, first engine.Step) engine.Step {
	if s, err := order.Parse(strings.TrimSuffix(begun, touch.Mark)); err == nil && s.Kind == first.Kind {
		return s
	}
	return first
}

// label says what an entry does, as the whole name of a link.
func (c *chooser) label(e *touch.Entry) string {
	s := words.Heading(c.words(e))
	if !e.Complete() {
		return s
	}
	if d := c.detail(c.steps[e.Options[0]]); d != "" {
		s += " (" + d + ")"
	}
	if does := c.does(c.options[e.Options[0]]); does != "" {
		s += ": " + does
	}
	return s
}

// detail is what the card or tile of a step does.
func (c *chooser) detail(s engine.Step) string {
	switch {
	case s.Kind == engine.PlayCard && s.Card.Ravager():
		return ""
	case s.Kind == engine.PlayCard, s.Kind == engine.UseCard, s.Kind == engine.Place, s.Kind == engine.Keep:
		return c.Voice.CardShort(s.Card)
	case s.Kind == engine.TakeTiles && s.Tiles[1] == 0:
		return c.Voice.TileEffect(s.Tiles[0], c.View.Options.Advanced)
	case s.Kind == engine.Inject:
		return c.Voice.TileEffect(s.Tile, c.View.Options.Advanced)
	}
	return ""
}

// useless is why none of an entry's orders gives anything now; "" if one does.
func (c *chooser) useless(e *touch.Entry) (why string) {
	for _, i := range e.Options {
		if why = c.vain(c.steps[i], c.options[i]); why == "" {
			return ""
		}
	}
	if s := c.steps[e.Options[0]]; s.Kind == engine.PlayCard && len(e.Options) > 1 {
		return c.Voice.Say("does.vain-card-anywhere")
	}
	return why
}

// vain is why an order gives nothing now; "" if it may give something.
func (c *chooser) vain(s engine.Step, o turns.Option) string {
	switch {
	case o.Draws || o.Events == nil && o.Gain == (turns.Gain{}):
		return "" // not known
	case s.Kind == engine.PlayCard && o.Works == 0 && s.Card.Ravager():
		return c.Voice.Say("does.vain-ravager")
	case s.Kind == engine.PlayCard && o.Works == 0:
		return c.Voice.Say("does.vain-card", "color", c.Color(s.Card.Color()))
	case s.Kind == engine.Activate && s.Use == engine.Move && s.From == s.To:
		return c.Voice.Say("does.vain-move")
	case s.Kind == engine.Activate && (s.Use == engine.NoUse || s.Use == engine.TakeGood) && o.Gain == (turns.Gain{}):
		return c.Voice.Say("does.vain-tile")
	}
	return ""
}
