package templates

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/match/turns"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/templates/table"
	"angelpost/templates/touch"
	"angelpost/templates/words"
)

// The pages of a plan lie one in another: each step is a segment of the address,
// blanks written as "_", so that going on is a short link and going back "../".

// maxMail bounds a mailto: link, in bytes; some mail programs take no more.
const maxMail = 2000

// A PlanPage is a turn being planned, or a finished game being played on. Its
// Page shows the position that the steps lead to.
type PlanPage struct {
	*Page
	whatIf   bool
	ahead    bool   // a plan for the turn to come
	at       int    // WhatIf: the step played on from
	home     string // address of the game's page
	first    int    // segments of the address that are given
	earlier  int    // segments of the address that are of earlier tries
	tries    []planTry
	other    string // address of a plan with one more try; ""
	guards   []givenLine
	standing []givenLine
	wrong    string // a line that could not be read as one of those
	lines    int    // segments of the address
	begun    string // beginning of an order, with which the address ends; ""
	touches  map[string]Touch
	chosen   map[string]int // by key of a piece, the number of the step that used it
	ask      string         // what to decide, in a sentence; "" nothing
	steps    []planStep
	sum      string // what they gain in all
	passed   int
	refused  *notice.LineResult
	mend     string // address of the plan without the refused line and what follows it
	groups   []planGroup
	last     string // the order that chance decides, as people read it
	forced   bool   // the viewer did not choose it
	may      []string
	lastDoes string // what it does for certain, and what chance decides then
	lists    []planList
	later    []string
	undo     string // address of the plan that takes back first; ""
	done     string // a sentence: the plan is complete
	text     []string
	mail     string // mailto: link; ""
	mailto   string // the same, however long
	post     string // address of the demo\'s post room with the letter filled in; ""
	open     bool   // a letter can be written
}

// May is what the order that chance decides may bring, in words.
func (x *PlanPage) May() []string { return x.may }

type planStep struct {
	order, text, gain string
	back              string // address of the plan up to here; "" where it is this
	forced            bool
}

type planDie struct{ die, href string }

type planList struct {
	head   string
	wanted string
	clear  string // address without the list
	dice   []planDie
	skip   string // address that reserves none; ""
}

// board is the table, whose pieces lead on.
func (x *PlanPage) board() *table.Table {
	t := x.Page.table()
	t.Touch, t.Chosen = x.Touch, x.Chosen
	return t
}

// up leads n steps back.
func up(n int) string {
	if n <= 0 {
		return "./"
	}
	return strings.Repeat("../", n)
}

// on leads on by lines.
func on(lines ...string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(url.PathEscape(strings.ReplaceAll(l, " ", "_")))
		b.WriteByte('/')
	}
	return b.String()
}

// told leads to the news of a page of a plan: without the script a page begins there.
func told(path string) string { return path + "#told" }

// PlanPath is the address of a plan with these lines, below that of an empty one.
func PlanPath(lines ...string) string { return on(lines...) }

// PlanLines are the lines of a plan in an address: those that its letter has besides
// (Given), those that Plan and WhatIf take, and the beginning of an order with which it
// ends, "" if none does.
func PlanLines(path string) (given, lines []string, begun string) {
	return partLines(planSegments(path))
}

func planSegments(path string) []string {
	if path = strings.TrimSuffix(path, "/"); path == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(path, "_", " "), "/")
}

func partLines(lines []string) (given, orders []string, begun string) {
	n := givenFirst(lines)
	given, lines = lines[:n:n], lines[n:]
	if last := len(lines) - 1; last >= 0 && strings.HasSuffix(lines[last], touch.Mark) {
		return given, lines[:last], lines[last]
	}
	return given, lines, ""
}

// planPage is a page of a plan of so many lines, with the beginning of one more.
func planPage(p *Page, lines int, begun, home string) *PlanPage {
	x := &PlanPage{Page: p, begun: begun, home: home, lines: lines, touches: map[string]Touch{}, chosen: map[string]int{}}
	if begun != "" {
		x.lines++
	}
	return x
}

// NewPlan arranges the plan of an address. p shows the position that it leads to; home is
// the address of the player's page, to the address that a letter goes to, "" if none can be
// written.
func NewPlan(p *Page, plan *turns.Plan, at PlanAddress, home, to string) *PlanPage {
	begun, lines := at.Begun, at.Lines
	x := planPage(p, len(lines), begun, home)
	x.give(at, plan)
	x.passed, x.last, x.open, x.ahead = plan.Passed, p.Voice.Spell(plan.Last), to != "", plan.Ahead
	var sum turns.Gain
	for i, s := range plan.Steps {
		x.step(s, i == len(plan.Steps)-1 && begun == "")
		sum = sum.Plus(s.Gain)
	}
	sum = sum.Plus(plan.Sure.Gain).Plus(plan.Sure.Then)
	if len(plan.Steps) > 0 {
		if x.sum = x.gain(sum); x.sum == "" {
			x.sum = x.Voice.Say("plan.even")
		}
	}
	if plan.Refused != nil {
		x.refuse(plan.Refused)
		return x
	}
	// Links continue from the last line that the plan accepted, and spell out forced steps, so
	// that each line keeps its meaning.
	var ahead []string
	for _, s := range plan.Steps[max(0, len(plan.Steps)-plan.Forced):] {
		ahead = append(ahead, s.Order)
	}
	if plan.Last != "" && plan.Forced > 0 {
		ahead = ahead[len(ahead)-(plan.Forced-1):]
		ahead = append(ahead, plan.Last)
		x.forced = true
	}
	from := strings.TrimPrefix(up(x.lines-plan.Used), "./") + on(ahead...)
	if x.choose(plan.Options, from, ""); x.refused != nil {
		return x
	}
	legal := make([]string, len(plan.Options))
	for i, o := range plan.Options {
		legal[i] = o.Order
	}
	x.ask = p.question(legal)
	if plan.Last != "" {
		x.use(len(plan.Steps)+1, plan.Last)
	}
	if plan.Last != "" {
		x.lastDoes = words.Sentence(x.Voice.Order(plan.Last))
		if does := x.does(plan.Sure); does != "" {
			x.lastDoes = words.Sentence(strings.TrimSuffix(x.lastDoes, ".") + ": " + does)
		}
	}
	for _, m := range plan.May {
		x.may = append(x.may, x.mayText(m))
	}
	for i := range plan.Lists {
		x.list(plan, i, from)
	}
	x.later = p.Voice.SpellAll(plan.Wishes)
	if plan.Ahead && len(plan.Steps)+len(plan.Last) > 0 && begun == "" && len(plan.Earlier)+1 < order.MaxBlocks {
		x.other = told(from + on(append(plan.Later(), order.Otherwise)...))
	}
	if plan.Undo && len(lines) == 0 {
		x.undo = told(on("undo"))
	}
	if plan.Complete {
		x.done = x.Voice.Say("plan.complete")
		if p.View.Turn > 0 && len(plan.Steps) > 0 && !endsTurn(plan.Steps, p.View.Viewer) {
			x.done = x.Voice.Say("plan.complete-owed")
		}
	}
	voice := p.Voice
	if plan.Token == "" || !slices.Equal(plan.Names, p.Names) { // the letter's names, if it has any, are not the page's
		voice = voice.Unnamed()
	}
	if x.text = voice.SpellAll(plan.Text()); len(x.text) > 0 {
		x.mailto = MailTo(to, p.Game, x.text)
		if len(x.mailto) <= maxMail {
			x.mail = x.mailto
		}
	}
	return x
}

// Post adds a link that writes the plan's letter in a post room, whose address compose
// makes of the mailto: link.
func (x *PlanPage) Post(compose func(mailto string) string) {
	if x.mailto != "" {
		x.post = compose(x.mailto)
	}
}

// endsTurn reports whether the steps end the turn of a seat.
func endsTurn(steps []turns.Tried, seat engine.Seat) bool {
	for _, s := range steps {
		for _, e := range s.Events {
			if e.Kind == engine.EvTurnEnded && e.Seat == seat {
				return true
			}
		}
	}
	return false
}

// NewWhatIf arranges a finished game that is played on otherwise from step at.
func NewWhatIf(p *Page, w *turns.WhatIf, lines int, begun string, at int, home string) *PlanPage {
	x := planPage(p, lines, begun, home)
	x.whatIf, x.at = true, at
	for i, s := range w.Steps {
		x.step(s, i == len(w.Steps)-1 && begun == "")
	}
	if w.Refused != nil {
		x.refuse(w.Refused)
		return x
	}
	from := ""
	if begun != "" {
		from = up(1)
	}
	if x.choose(w.Options, from, w.Was); x.refused != nil {
		return x
	}
	if w.Next == 0 {
		x.done = x.Voice.Say("what-if.over")
	}
	return x
}

func (x *PlanPage) step(s turns.Tried, last bool) {
	p := planStep{order: x.Voice.Spell(s.Order), text: x.Voice.Told(&s.Told), gain: x.gain(s.Gain), forced: s.Line == 0}
	if x.whatIf {
		p.order = x.Name(engine.Seat(s.Seat)) + ": " + p.order
	}
	if s.Line > 0 && !last {
		p.back = told(up(x.lines - s.Line))
	}
	x.steps = append(x.steps, p)
	x.use(len(x.steps), s.Order)
}

func (x *PlanPage) refuse(l *notice.LineResult) {
	x.refused = l
	x.mend = told(up(x.lines - (l.N - 1)))
}

// list arranges the plan's i-th reservation list.
func (x *PlanPage) list(plan *turns.Plan, i int, from string) {
	r := plan.Lists[i]
	var wanted []string
	for _, d := range r.Wanted {
		wanted = append(wanted, x.die(d))
	}
	l := planList{head: x.Voice.Say("plan.list"), wanted: x.Voice.List(wanted)}
	if r.Boost != "" {
		l.head = x.Voice.Say("plan.list-boost", "cell", r.Boost)
	}
	with := func(wanted []string) string {
		q := *plan
		q.Lists = append([]turns.Reservation(nil), plan.Lists...)
		q.Lists[i].Wanted = wanted
		if s := from + on(q.Later()...); s != "" {
			return told(s)
		}
		return told("./")
	}
	for _, d := range r.Dice {
		if !contains(r.Wanted, d) {
			l.dice = append(l.dice, planDie{die: x.die(d), href: with(append(r.Wanted[:len(r.Wanted):len(r.Wanted)], d))})
		}
	}
	if len(r.Wanted) > 0 {
		l.clear = with(nil)
	} else if i == len(plan.Lists)-1 && !contains(plan.Wishes, skipList) {
		q := *plan
		q.Wishes = append(q.Wishes[:len(q.Wishes):len(q.Wishes)], skipList)
		l.skip = told(from + on(q.Later()...))
	}
	x.lists = append(x.lists, l)
}

// die is what a list's die is called.
func (x *PlanPage) die(d string) string {
	if st, err := order.Parse("reserve " + d); err == nil {
		return x.Voice.Die(st.Color, st.Value)
	}
	return d
}

// skipList is the order that reserves none.
const skipList = "reserve none"

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// gain is what a step gains, in words; "" for nothing.
func (x *PlanPage) gain(g turns.Gain) string {
	var out []string
	v := x.Voice
	for _, n := range []struct {
		n     int
		goods func(n int) string
	}{
		{g.VP, func(n int) string { return v.Goods(engine.VP, n) }},
		{g.Resources, func(n int) string { return v.Goods(engine.Resource, n) }},
		{g.Ships, func(n int) string { return v.Goods(engine.Ship, n) }},
		{g.Robots, func(n int) string { return v.Goods(engine.Robot, n) }},
		{g.Debris, func(n int) string { return v.Goods(engine.Debris, n) }},
		{g.Tiles, func(n int) string { return v.Say("plan.tiles", "n", n) }},
		{g.Ravagers, func(n int) string { return v.Say("plan.ravagers", "n", n) }},
	} {
		switch {
		case n.n > 0:
			out = append(out, v.Say("plan.gain", "goods", n.goods(n.n)))
		case n.n < 0:
			out = append(out, v.Say("plan.loss", "goods", n.goods(-n.n)))
		}
	}
	return strings.Join(out, ", ")
}

// mayText says one thing that chance may bring.
func (x *PlanPage) mayText(m turns.May) string {
	v := x.Page.View
	deck := func(p engine.Pile) int { // what a draw may come from
		d := v.Decks[p]
		if d.Left < m.Most {
			return d.Left + d.Discarded
		}
		return d.Left
	}
	var s string
	switch m.Kind {
	case engine.EvRolled:
		key := "plan.may-die"
		if x.You(m.Seat) {
			key = "plan.may-die-you"
		}
		s = x.Voice.Say(key, "n", m.Most, "color", x.Color(m.Color), "whose", x.Name(m.Seat))
	case engine.EvDrewMission:
		s = x.Voice.Say("plan.may-mission", "n", m.Most, "color", x.Color(m.Color), "left", deck(engine.PileOrange+engine.Pile(m.Color)))
	case engine.EvOffered:
		s = x.Voice.Say("plan.may-offered", "n", m.Most, "color", x.Color(m.Color), "left", deck(engine.PileOrange+engine.Pile(m.Color)))
	case engine.EvRefilled:
		s = x.Voice.Say("plan.may-advanced", "n", m.Most, "left", v.AdvancedLeft)
	case engine.EvAttack:
		s = x.Voice.Say("plan.may-ravager", "n", m.Most, "left", deck(engine.PileRavager))
	case engine.EvTileAppeared:
		s = x.Voice.Say("plan.may-tile", "n", m.Most)
	case engine.EvHalCard:
		s = x.Voice.Say("plan.may-hal", "left", deck(engine.PileHal))
	case engine.EvHalDrew:
		s = x.Voice.Say("plan.may-hal-mission", "n", m.Most, "color", x.Color(m.Color))
	}
	switch {
	case m.Least == 0:
		s = x.Voice.Say("plan.may-up-to", "what", s)
	case m.Least < m.Most:
		s = x.Voice.Say("plan.may-most", "what", s)
	}
	return words.Sentence(s)
}

// say chooses between what a plan and what a WhatIf is called.
func (x *PlanPage) say(plan, whatIf string) string {
	if x.whatIf {
		return x.Voice.Say(whatIf)
	}
	return x.Voice.Say(plan)
}

// title is what is planned.
func (x *PlanPage) title() string {
	if x.ahead {
		return x.Voice.Say("ahead.start")
	}
	return x.say("plan.title", "what-if.title")
}

// status is the game's. Of a turn to come it says that it has not come, and in a finished
// game that is played on that the reader chooses for everyone.
func (x *PlanPage) status() string {
	v := x.View
	if x.ahead {
		return x.Voice.Say("ahead.status", "n", v.Round)
	}
	if !x.whatIf || v == nil || v.Finished || len(v.ToAct) == 0 {
		return x.Status()
	}
	names := make([]string, len(v.ToAct))
	for i, s := range v.ToAct {
		names[i] = x.Voice.Name(s)
	}
	return x.Voice.Say("what-if.status", "n", v.Round, "names", x.Voice.List(names))
}

// next is the heading of the choices: in a WhatIf it says whose move it is.
func (x *PlanPage) next() string {
	if !x.whatIf {
		return x.Voice.Say("plan.next")
	}
	return x.Voice.Say("what-if.next", "name", x.Voice.Name(x.View.Viewer))
}

func (x *PlanPage) intro() string {
	return x.Voice.Say("what-if.intro", "n", strconv.Itoa(x.at))
}

// news says what the last choice did, what followed automatically, and how many choices there
// are: a screen reader says it first.
func (x *PlanPage) news() string {
	var out []string
	say := func(text string, forced bool) {
		if forced {
			text = x.Voice.Say("plan.news-forced", "text", text)
		}
		out = append(out, text)
	}
	switch {
	case x.refused != nil: // the page has an alert for it
		return ""
	case x.begun != "" && len(x.groups) > 0:
		out = append(out, words.Sentence(x.groups[0].head))
	default:
		from := len(x.steps) - 1
		if x.last != "" && !x.forced {
			from = len(x.steps)
		}
		for from > 0 && from < len(x.steps) && x.steps[from].forced {
			from--
		}
		for _, s := range x.steps[max(from, 0):] {
			say(s.text, s.forced)
		}
		if x.last != "" {
			say(x.lastDoes, x.forced)
			out = append(out, x.Voice.Say("plan.news-last"))
		}
	}
	if len(out) == 0 {
		return ""
	}
	n := 0
	for i := range x.groups {
		n += len(x.groups[i].items)
	}
	if n > 0 {
		out = append(out, x.Voice.Say("plan.news-choices", "n", n))
	}
	return strings.TrimSpace(strings.Join(append(out, x.done), " "))
}

// Tab is what the page is called in its browser's tab: the last step, and the title.
func (x *PlanPage) Tab() string {
	step := x.last
	switch {
	case x.begun != "":
		step = strings.TrimSuffix(x.begun, touch.Mark) + " …"
	case step == "" && len(x.steps) > 0:
		step = x.steps[len(x.steps)-1].order
	}
	if step == "" {
		return x.Title
	}
	return x.Voice.Say("plan.tab", "step", words.Clean(step, maxEcho), "title", x.Title)
}
