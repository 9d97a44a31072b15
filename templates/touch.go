package templates

import (
	"angelpost/engine/match/turns"
	"angelpost/engine/order"
	"angelpost/templates/touch"
)

// A Touch is a link from a piece of the table to the plan that goes on with it. Package
// touch lists the keys of the pieces.
type Touch = touch.Touch

// Touch is the link of a piece; ok is false if touching it does nothing.
func (x *PlanPage) Touch(key string) (t Touch, ok bool) {
	t, ok = x.touches[key]
	return t, ok
}

// Touches are the links from the pieces on a player's own page into their plan, which is
// at p.Plan; none if there is nothing to decide.
func (p *Page) Touches() map[string]Touch {
	x := planPage(p, 0, "", "")
	options := make([]turns.Option, len(p.Legal))
	for i, line := range p.Legal {
		options[i] = turns.Option{Seat: int(p.Viewer()), Order: line}
	}
	if len(options) > 0 && p.Plan != "" {
		c := newChooser(x, options, p.Plan, "")
		if t, ok := touch.New(c.steps, p.View, ""); ok {
			c.link(t, false)
		}
	}
	return x.touches
}

// Chosen is the number of the plan's last step that uses a piece, from 1, that of the
// order that is begun included; 0 if none does.
func (x *PlanPage) Chosen(key string) int { return x.chosen[key] }

// use notes the pieces of the plan's n-th step.
func (x *PlanPage) use(n int, line string) {
	if step, err := order.Parse(line); err == nil {
		for _, key := range touch.Used(step, x.View) {
			x.chosen[key] = n
		}
	}
}
