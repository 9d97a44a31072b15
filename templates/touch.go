package templates

import (
	"strings"

	"angelpost/engine"
	"angelpost/engine/match/turns"
	"angelpost/engine/order"
	"angelpost/templates/touch"
	"angelpost/templates/words"
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
		x.choose(options, p.Plan, "")
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

// touchable makes the links of the pieces. From a beginning, pieces that begin something
// else lead there.
func (x *PlanPage) touchable(options []turns.Option, steps []engine.Step, t *touch.Table, from string) {
	x.link(options, steps, t, from, false)
	if all, ok := touch.New(steps, x.View, ""); ok && all.Begun != t.Begun {
		x.link(options, steps, all, from, true)
	}
}

func (x *PlanPage) link(options []turns.Option, steps []engine.Step, t *touch.Table, from string, other bool) {
	most := 1
	for _, key := range t.Keys() {
		e, _ := t.At(key)
		most = max(most, gainVP(options, e))
	}
	for _, key := range t.Keys() {
		if _, taken := x.touches[key]; !taken {
			e, _ := t.At(key)
			x.touches[key] = Touch{Href: from + on(x.prefix(options)+e.Text), Label: x.label(options, steps, e), Best: gainVP(options, e) == most, Other: other}
		}
	}
}

// prefix is what the lines of a WhatIf have before the order.
func (x *PlanPage) prefix(options []turns.Option) string {
	if !x.whatIf || len(options) == 0 {
		return ""
	}
	line := options[0].Line()
	return strings.TrimSuffix(line, options[0].Order)
}

// gainVP is the most VP that an entry's orders gain.
func gainVP(options []turns.Option, e *touch.Entry) (most int) {
	for _, o := range e.Options {
		most = max(most, options[o].Gain.VP)
	}
	return most
}

// label says what an entry does, as the name of a link.
func (x *PlanPage) label(options []turns.Option, steps []engine.Step, e *touch.Entry) string {
	step := steps[e.Options[0]]
	if !e.Complete() {
		return heading(x.Voice.Begin(e.Part, begunStep(e.Text, step)))
	}
	s := heading(x.Voice.Step(step))
	if d := x.detail(step); d != "" {
		s += " (" + d + ")"
	}
	if does := x.does(options[e.Options[0]]); does != "" {
		s += ": " + does
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

// heading is a clause with a big first letter.
func heading(s string) string { return strings.TrimSuffix(words.Sentence(s), ".") }

// detail is what the card or tile of a step does.
func (x *PlanPage) detail(s engine.Step) string {
	switch {
	case s.Kind == engine.PlayCard, s.Kind == engine.UseCard, s.Kind == engine.Place, s.Kind == engine.Keep:
		return x.Voice.CardShort(s.Card)
	case s.Kind == engine.Act:
		return x.Voice.Location(x.View.Set, int(s.Loc))
	case s.Kind == engine.TakeTiles && s.Tiles[1] == 0:
		return x.Voice.TileEffect(s.Tiles[0], x.View.Options.Advanced)
	case s.Kind == engine.Inject:
		return x.Voice.TileEffect(s.Tile, x.View.Options.Advanced)
	}
	return ""
}

// does tells what an order does for certain, and that chance decides the rest.
func (x *PlanPage) does(o turns.Option) string { return x.gain(o.Gain) }
