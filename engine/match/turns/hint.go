package turns

import (
	"math"
	"slices"
	"strconv"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/match/gate"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// maxHints bounds the hints to a player a day, UTC.
const maxHints = 20

// Hint answers with the planner's proposal for the writer's turn. The answer stores it, so that
// it stays the same with a newer planner. The number of hints a day is bounded.
func Hint(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	if code, args := MayOrder(u, w); code != "" {
		c.Line.Status, c.Line.Problem = notice.LineRefused, &notice.Problem{Code: code, Args: args}
		if w.Words {
			return gate.NoticeAgain(u, w)
		}
		return nil
	}
	t := w.Game
	if !t.Row.Options.Hints {
		return notice.Refuse(notice.ProblemHints)
	}
	v := t.Replay.State.Project(engine.Seat(w.Seat.Seat))
	if !slices.Contains(v.ToAct, v.Viewer) {
		return notice.Refuse(notice.ProblemTurn, "names", t.NamesOf(v.ToAct))
	}
	n := u.Bump("hint/"+strconv.FormatInt(w.ID, 10), u.Day())
	if n > maxHints {
		return notice.Refuse(notice.ProblemMany, "word", order.Hint.String(), "n", strconv.Itoa(maxHints))
	}
	b, err := bot.New(u.Adviser, u.Commitment(t))
	if err != nil {
		return err
	}
	about := unit.JobKey{Game: t.Row.ID, Step: t.Replay.Step(), Seat: v.Viewer, State: t.Replay.State}
	p, err := unit.Ponder(u, about, func() (bot.Plan, bool) {
		return b.(bot.Adviser).Advise(v, about.Step), true // New has seen to it
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
	w.Answer.Answer.Sections = append(w.Answer.Answer.Sections, notice.Section{Kind: "hint", Hint: h})
	return nil
}
