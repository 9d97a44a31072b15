package templates

import (
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/templates/words"
)

// planned tells of its reader's plan for a coming turn: its lines behind bars,
// and what came of them, or would come.
func (c *content) planned(p *notice.Planned) {
	s := c.begin(c.Say("ahead.head"))
	s.say(c.Say("ahead." + words.Clean(p.State, 20)))
	told := false
	switch p.State {
	case notice.PlanPlayed, notice.PlanPart, notice.PlanFailed:
		told = true
	case notice.PlanKept, notice.PlanTried, notice.PlanAsked:
		s.add(piece{kind: orders, lines: c.SpellAll(planLines(p))})
		if p.State != notice.PlanTried {
			s.say(c.Say("ahead.how"))
		}
		if len(p.Blocks) > 0 && p.Blocks[0].Status != "" {
			s.say(c.Say("ahead.promise"))
		}
	}
	for i := range p.Blocks {
		c.plannedBlock(s, &p.Blocks[i], i+1, told)
	}
}

func (c *content) plannedBlock(s *section, b *notice.PlannedBlock, n int, told bool) {
	guard, line := "ahead.cannot-guard", "ahead.cannot-line"
	if told {
		guard, line = "ahead.was-guard", "ahead.was-line"
	}
	var lines []notice.LineResult
	switch b.Status {
	case notice.BlockGuard:
		s.say(c.Say(guard, "n", n, "guard", c.Spell(b.Guard)))
	case notice.BlockLine:
		s.say(c.Say(line, "n", n))
		for _, l := range b.Lines {
			if l.Problem != nil {
				lines = append(lines, l)
			}
		}
	case notice.BlockFits:
		switch {
		case told:
			s.say(c.Say("ahead.was-played", "n", n))
			lines = b.Lines
		case b.Random != "":
			s.say(c.Say("ahead.can-chance", "n", n, "order", c.Spell(b.Random)))
		default:
			s.say(c.Say("ahead.can", "n", n))
		}
	}
	c.lineResults(s, lines)
}

// planLines are the lines of a letter that plans so.
func planLines(p *notice.Planned) []string {
	out := []string{"plan"}
	for i, b := range p.Blocks {
		if i > 0 {
			out = append(out, order.Otherwise)
		}
		out = append(append(out, b.Guards...), b.Orders...)
	}
	return out
}
