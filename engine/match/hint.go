package match

import (
	"math"
	"slices"
	"strconv"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// maxHints bounds the hints to a player a day, UTC.
const maxHints = 20

// hint answers with the planner's proposal for the writer's turn. It is kept in
// the answer, so that the answer stays the same with a planner that has learnt.
// How often a player may ask is bounded.
func (s *unit) hint(c *call) error {
	w := c.w
	if code, args := s.mayOrder(w); code != "" {
		c.line.Status, c.line.Problem = notice.LineRefused, &notice.Problem{Code: code, Args: args}
		if w.words {
			return s.noticeAgain(w)
		}
		return nil
	}
	t := w.table
	if !t.row.Options.Hints {
		return notice.Refuse(notice.ProblemHints)
	}
	v := t.play.State.Project(engine.Seat(w.seat.Seat))
	if !slices.Contains(v.ToAct, v.Viewer) {
		return notice.Refuse(notice.ProblemTurn, "names", t.namesOf(v.ToAct))
	}
	n := s.bump("hint/"+strconv.FormatInt(w.ID, 10), s.day())
	if n > maxHints {
		return notice.Refuse(notice.ProblemMany, "word", order.Hint.String(), "n", strconv.Itoa(maxHints))
	}
	b, err := bot.New(s.Adviser, s.commitment(t))
	if err != nil {
		return err
	}
	about := jobKey{game: t.row.ID, step: t.play.Step(), seat: v.Viewer, state: t.play.State}
	p, err := ponder(s, about, func() (bot.Plan, bool) {
		return b.(bot.Adviser).Advise(v, about.step), true // New has seen to it
	})
	if err != nil {
		return err
	}
	h := &notice.Hint{Whole: p.Whole, VP: v.Players[v.Viewer-1].VP, Lead: int(math.Round(p.Lead)), Less: int(math.Round(p.Less))}
	if len(p.Steps) > order.MaxClauses {
		p.Steps, h.Whole = p.Steps[:order.MaxClauses], false
	}
	for _, st := range p.Steps {
		h.Orders = append(h.Orders, order.Print(st))
	}
	if p.Other.Kind != engine.NoStep {
		h.Other = order.Print(p.Other)
	}
	w.answer.answer.Sections = append(w.answer.answer.Sections, notice.Section{Kind: "hint", Hint: h})
	return nil
}
