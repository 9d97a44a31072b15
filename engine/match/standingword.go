package match

import (
	"strconv"

	"angelpost/engine"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// standingWord obeys always and never, standing, and forget.
func (s *unit) standingWord(c *call) error {
	w, t := c.w, c.w.table
	if code, args := s.mayOrder(w); code != "" && !(c.word.Kind == order.Standings && (code == notice.ProblemTurnOver || code == notice.ProblemRolled)) {
		c.line.Status, c.line.Problem = notice.LineRefused, &notice.Problem{Code: code, Args: args}
		return nil
	}
	st, err := s.standingOf(t, w.seat)
	if err != nil {
		return err
	}
	switch c.word.Kind {
	case order.Standings:
		w.answer.answer.Sections = append(w.answer.answer.Sections, st.section())
	case order.Forget:
		st.forget(c)
	default:
		st.add(c, t.play.State.Project(engine.Seat(w.seat.Seat)))
	}
	return nil
}

// section lists the orders for a letter.
func (st *standing) section() notice.Section {
	out := notice.Section{Kind: "standing"}
	for _, o := range st.Orders {
		out.Standing = append(out.Standing, notice.StandingOrder{N: o.N, Line: o.Line, Off: o.Off})
	}
	return out
}

// add makes an order, or arms one anew. What it contradicts goes.
func (st *standing) add(c *call, v *engine.View) {
	o := standingOrder{Standing: c.word.Standing, Line: c.word.Standing.String()}
	if o.Never && o.About == order.Forced {
		st.drop(c, func(old *standingOrder) bool { return old.About == order.Forced })
		c.done()
		return
	}
	o.Ground = o.groundIn(v)
	switch {
	case o.Paid.Kind != engine.NoStep && !o.Ground.Paid:
		c.refuse(notice.ProblemNotThere, "word", o.Line)
		return
	case o.Boost != 0 && o.Ground.Boost == 0:
		c.refuse(notice.ProblemNotThere, "word", o.Line)
		return
	}
	for i := range st.Orders {
		if old := &st.Orders[i]; old.Line == o.Line {
			o.N = old.N
			*old = o
			c.done()
			c.w.answer.say(notice.SayStanding, "n", strconv.Itoa(o.N), "order", o.Line)
			return
		}
	}
	st.drop(c, func(old *standingOrder) bool { return o.replaces(old) })
	if len(st.Orders) == maxStanding {
		c.refuse(notice.ProblemStanding, "n", strconv.Itoa(maxStanding))
		return
	}
	st.Next++
	o.N = st.Next
	st.Orders = append(st.Orders, o)
	c.done()
	c.w.answer.say(notice.SayStanding, "n", strconv.Itoa(o.N), "order", o.Line)
}

// replaces reports whether an order is said in the place of an older one: both
// would answer the same question.
func (o *standingOrder) replaces(old *standingOrder) bool {
	if o.About != old.About {
		return false
	}
	switch o.About {
	case order.Activating:
		return o.Card == old.Card
	case order.Reserving:
		return o.Never || old.Never || o.Boost == old.Boost
	}
	return o.Never == old.Never
}

// forget takes orders off the list.
func (st *standing) forget(c *call) {
	n := c.word.N
	if n > 0 && !st.drop(c, func(o *standingOrder) bool { return o.N == n }) {
		c.refuse(notice.ProblemNoSuch, "n", strconv.Itoa(n))
		return
	}
	c.done()
	if n == 0 {
		st.Orders = nil
		c.w.answer.say(notice.SayStandingNone)
	}
}

// drop takes off the list what is said to be, and reports whether there was any.
func (st *standing) drop(c *call, which func(*standingOrder) bool) (some bool) {
	kept := st.Orders[:0:0]
	for i := range st.Orders {
		o := &st.Orders[i]
		if !which(o) {
			kept = append(kept, *o)
			continue
		}
		some = true
		c.w.answer.say(notice.SayStandingGone, "n", strconv.Itoa(o.N), "order", o.Line)
	}
	st.Orders = kept
	return some
}

// sayStanding writes into a letter to a player what their standing orders have done,
// and that they could have some where one could answer the present decision.
func (s *unit) sayStanding(t *table, x *store.Seat, r *notice.Message) error {
	if t.play == nil || x.Seat == 0 || x.Player == 0 {
		return nil
	}
	st, err := s.standingOf(t, x)
	if err != nil {
		return err
	}
	r.Answer.Remarks = append(r.Answer.Remarks[:len(r.Answer.Remarks):len(r.Answer.Remarks)], st.Untold...)
	st.Untold = nil
	if code, args := st.tip(t, x); code != "" {
		n := s.bump("tip/"+strconv.FormatInt(x.Player, 10), s.day())
		if n > 1 {
			return nil
		}
		st.Tips++
		r.Answer.Remarks = append(r.Answer.Remarks, notice.Remark{Code: code, Args: args})
	}
	return nil
}

// tip returns what to say of standing orders to a player who has none and faces a
// decision that one could answer, "" nothing.
func (st *standing) tip(t *table, x *store.Seat) (code string, args map[string]string) {
	if !t.running() || x.Bot != "" || st.Tips >= maxTips || len(st.Orders) > 0 {
		return "", nil
	}
	seat := engine.Seat(x.Seat)
	switch t.play.State.Asked(seat) {
	case engine.AskTurn:
		if len(t.play.State.Legal(seat, nil)) == 1 {
			return notice.TipForced, nil
		}
	case engine.AskReserve:
		return notice.TipReserve, nil
	case engine.AskKeep:
		return notice.TipKeep, nil
	case engine.AskDiscard:
		return notice.TipDiscard, nil
	case engine.AskOwner:
		return notice.TipOwner, map[string]string{"card": t.play.State.Project(seat).Owed[0].Card.String()}
	}
	return "", nil
}
