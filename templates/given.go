package templates

import (
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/match/turns"
	"angelpost/engine/order"
)

// maxGiven bounds the lines that a plan's address begins with besides its steps.
const maxGiven = 2 * order.MaxGuards

// Given reads a line that a plan's letter may have besides its orders: a condition of a
// plan for the coming turn, or a standing order. It returns the canonical line.
func Given(line string, c order.Context) (canonical string, ok bool) {
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

// Give adds the lines to a plan's letter. Conditions are for a turn to come alone.
func Give(plan *turns.Plan, lines []string) {
	var conditions []string
	for _, l := range lines {
		if IsCondition(l) {
			conditions = append(conditions, l)
		} else {
			plan.Standing = append(plan.Standing, l)
		}
	}
	if !plan.Ahead {
		return
	}
	for _, g := range plan.Guards {
		if !slices.Contains(conditions, g) {
			conditions = append(conditions, g)
		}
	}
	plan.Guards = conditions[:min(len(conditions), order.MaxGuards)]
}

// A givenLine is a line of Given's on the page of a plan.
type givenLine struct {
	text string
	drop string // address of the plan without it
}

// give arranges the lines that the address begins with, and where others can be added;
// rest is what follows them in it.
func (x *PlanPage) give(lines, rest []string) {
	x.first = len(lines)
	for i, l := range lines {
		without := append(slices.Clone(lines[:i]), lines[i+1:]...)
		x.given = append(x.given, givenLine{x.Voice.Spell(l), up(len(lines)+len(rest)) + on(append(without, rest...)...)})
	}
}

// conditions are some that may be useful, as people write them.
func (x *PlanPage) conditions() (out []string) {
	add := func(g order.Guard) { out = append(out, x.Voice.Spell(g.String())) }
	v := x.View
	for i := range v.Players {
		p := &v.Players[i]
		if p.Seat == v.Viewer {
			continue
		}
		for k, d := range p.Standard {
			if k == 0 || d != p.Standard[k-1] {
				add(order.Guard{Fact: order.DieThere, Color: d.Color, Value: d.Value, Seat: p.Seat})
			}
		}
	}
	for _, t := range append(slices.Clone(v.Display), v.Slots[:]...) {
		if t != 0 {
			add(order.Guard{Fact: order.TileThere, Tile: t})
		}
	}
	for i := range v.Strips {
		for _, h := range v.Strips[i].Hexes {
			if h.Card != 0 && h.Owner != v.Viewer {
				add(order.Guard{Fact: order.InSpace, Card: h.Card})
			}
		}
	}
	for loc := range uint8(6) {
		if len(v.Locs[loc+1].Ravagers) == 0 {
			add(order.Guard{Fact: order.Ravagers, Loc: loc + 1, Most: true})
		}
	}
	add(order.Guard{Fact: order.Round, N: v.Round + 1})
	add(order.Guard{Fact: order.LastRound})
	return out
}

// standing are examples of standing orders.
func (x *PlanPage) standing() []string {
	out := []string{"always forced", "always activate", "never activate", "never reserve", "always keep activation", "always keep neutralization"}
	for value := 3; value > 1; value-- {
		out = append(out, "always reserve "+strconv.Itoa(value))
	}
	if p := own(x.View); p != nil {
		for _, c := range p.Cards {
			if c.Color() <= engine.Green {
				out = append(out, "always discard "+c.String())
			}
		}
	}
	return out
}

// Wrong notes a line that Given could not read.
func (x *PlanPage) Wrong(line string) { x.wrong = line }
