package desk

import (
	"context"

	"angelpost/engine/match/unit"
)

// MaxTogether is for tests of letters that come together.
const MaxTogether = maxTogether

// HandleOne takes one letter in and thinks about it at once, as most tests want it.
func (d *Desk) HandleOne(ctx context.Context, c unit.Command) (outcome string, err error) {
	d.Handle(ctx, []unit.Command{c}, func(_ int, o string, e error) { outcome, err = o, e })
	if outcome != Thinking {
		return outcome, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	thought, done := d.Thought, false
	defer func() { d.Thought = thought }()
	d.Thought = func(of unit.Command, o string) {
		if of.From == c.From {
			outcome, done = o, true
		}
		thought(of, o)
	}
	for !done && ctx.Err() == nil {
		w := d.room.next()
		d.room.back(w, d.attend(ctx, w))
	}
	return outcome, ctx.Err()
}
