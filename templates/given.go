package templates

import (
	"slices"
	"strings"

	"angelpost/engine/match/turns"
	"angelpost/engine/order"
)

// maxGiven bounds the lines that a plan's address begins with besides its steps.
const maxGiven = 3 * order.MaxGuards

// without leaves a condition out of a plan that would have it.
const without = "without "

// Given reads a line, other than an order, in a plan's address: a condition of a plan for the
// coming turn, a condition that the plan leaves out, or a standing order. It returns the
// canonical line.
func Given(line string, c order.Context) (canonical string, ok bool) {
	if out, ok := strings.CutPrefix(line, without); ok && IsCondition(out) {
		canonical, ok = Given(out, c)
		return without + canonical, ok
	}
	if s, ok := order.ParseStanding(line); ok {
		return s.String(), true
	}
	if !IsCondition(strings.ToLower(line)) || strings.ContainsAny(line, "\r\n;") {
		return "", false
	}
	a := order.ReadAhead([]string{line, "B"})
	if a.Problem() >= 0 || len(a.Blocks) != 1 || len(a.Blocks[0].Guards) != 1 || !slices.Equal(a.Blocks[0].Orders, []string{"B"}) {
		return "", false
	}
	g, p := a.Blocks[0].Guards[0].Named(c)
	if p != nil {
		return "", false
	}
	return g.String(), true
}

// IsCondition reports whether a line of Given's is a condition, and no standing order.
func IsCondition(line string) bool {
	return strings.HasPrefix(line, "if ") || strings.HasPrefix(line, "unless ")
}

// givenFirst counts the lines at the beginning of an address that Given returns.
func givenFirst(lines []string) int {
	for i, l := range lines {
		if canonical, ok := Given(l, order.Context{}); !ok || canonical != l || i == maxGiven {
			return i
		}
	}
	return len(lines)
}

// A PlanAddress is what the address of a plan has. A plan for a turn to come may have
// several tries, of which the first that can be will be played.
type PlanAddress struct {
	Earlier []string // the tries before this one, each with the segment "else" at its end
	Given   []string // what Given returns
	Lines   []string // orders
	Begun   string   // the beginning of an order, with which it ends; ""
}

// ReadPlan reads the address of a plan, below that of an empty one.
func ReadPlan(path string) (at PlanAddress) {
	segments := planSegments(path)
	for i, s := range slices.Backward(segments) {
		if s == order.Otherwise {
			at.Earlier, segments = segments[:i+1:i+1], segments[i+1:]
			break
		}
	}
	at.Given, at.Lines, at.Begun = partLines(segments)
	return at
}

// Tries are the addresses of the earlier tries.
func (at PlanAddress) Tries() (out []PlanAddress) {
	from := 0
	for i, s := range at.Earlier {
		if s == order.Otherwise {
			x := PlanAddress{Earlier: at.Earlier[:from:from]}
			x.Given, x.Lines, x.Begun = partLines(at.Earlier[from:i:i])
			out, from = append(out, x), i+1
		}
	}
	return out
}

// Segments are all parts of the address.
func (at PlanAddress) Segments() []string {
	out := slices.Concat(at.Earlier, at.Given, at.Lines)
	if at.Begun != "" {
		out = append(out, at.Begun)
	}
	return out
}

// Give adds what an address has besides its orders to a plan's letter. Conditions are for
// a turn to come alone.
func Give(plan *turns.Plan, lines []string) {
	var conditions []string
	for _, l := range lines {
		switch {
		case strings.HasPrefix(l, without):
		case IsCondition(l):
			conditions = append(conditions, l)
		case !slices.Contains(plan.Standing, l):
			plan.Standing = append(plan.Standing, l)
		}
	}
	if !plan.Ahead {
		return
	}
	for _, g := range plan.Guards {
		if !slices.Contains(conditions, g) && !slices.Contains(lines, without+g) {
			conditions = append(conditions, g)
		}
	}
	plan.Guards = conditions[:min(len(conditions), order.MaxGuards)]
}

// GiveEarlier adds an earlier try to a plan's letter.
func GiveEarlier(plan, earlier *turns.Plan, lines []string) {
	Give(earlier, lines)
	for _, l := range earlier.Standing {
		if !slices.Contains(plan.Standing, l) {
			plan.Standing = append(plan.Standing, l)
		}
	}
	plan.Earlier = append(plan.Earlier, earlier.Block())
}

// A givenLine is a line of Given's on the page of a plan.
type givenLine struct {
	text string
	href string // address of the plan without it; of a condition left out, with it
	out  bool   // it is left out
}

// A planTry is an earlier try on the page of a plan.
type planTry struct {
	lines []string
	drop  string // address of the plan without it
}

// give arranges what the address has besides orders, and what the plan adds to that.
func (x *PlanPage) give(at PlanAddress, plan *turns.Plan) {
	x.first, x.earlier = len(at.Given), len(at.Earlier)
	root := up(len(at.Segments()))
	to := func(y PlanAddress) string { return root + on(y.Segments()...) + AtBesides }
	drop := func(l string) string {
		y := at
		y.Given = slices.DeleteFunc(slices.Clone(at.Given), func(g string) bool { return g == l })
		return to(y)
	}
	for _, l := range at.Given {
		if out, ok := strings.CutPrefix(l, without); ok && plan.Ahead {
			x.guards = append(x.guards, givenLine{x.Voice.Spell(out), drop(l), true})
		} else if !ok && !IsCondition(l) {
			x.standing = append(x.standing, givenLine{text: x.Voice.Spell(l), href: drop(l)})
		}
	}
	var guards []givenLine
	for _, g := range plan.Guards {
		if slices.Contains(at.Given, g) {
			guards = append(guards, givenLine{text: x.Voice.Spell(g), href: drop(g)})
			continue
		}
		y := at
		y.Given = append(slices.Clip(at.Given), without+g)
		guards = append(guards, givenLine{text: x.Voice.Spell(g), href: to(y)})
	}
	x.guards = append(guards, x.guards...)
	from := 0
	for i, s := range at.Earlier {
		if s == order.Otherwise && len(x.tries) < len(plan.Earlier) {
			y := at
			y.Earlier = slices.Concat(at.Earlier[:from], at.Earlier[i+1:])
			x.tries = append(x.tries, planTry{x.Voice.SpellAll(plan.Earlier[len(x.tries)]), to(y)})
			from = i + 1
		}
	}
}

// AtBesides is where a page has conditions and standing orders.
const AtBesides = "#besides"

// Wrong notes a line that Given could not read.
func (x *PlanPage) Wrong(line string) { x.wrong = line }
