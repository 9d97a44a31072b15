package turns

import (
	"strconv"

	"angelpost/engine"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// StandingWord obeys always and never, standing, and forget.
func StandingWord(u *unit.Unit, c *unit.Call) error {
	w, t := c.Sender, c.Sender.Game
	if code, args := MayOrder(u, w); code != "" && !(c.Word.Kind == order.Standings && (code == notice.ProblemTurnOver || code == notice.ProblemRolled)) {
		c.Line.Status, c.Line.Problem = notice.LineRefused, &notice.Problem{Code: code, Args: args}
		return nil
	}
	st, err := StandingOf(u, t, w.Seat)
	if err != nil {
		return err
	}
	switch c.Word.Kind {
	case order.Standings:
		w.Answer.Answer.Sections = append(w.Answer.Answer.Sections, st.section())
	case order.Forget:
		st.forget(c)
	default:
		st.add(c, t.Replay.State.Project(engine.Seat(w.Seat.Seat)))
	}
	return nil
}

// section lists the orders for a letter.
func (st *Standing) section() notice.Section {
	out := notice.Section{Kind: "standing"}
	for _, o := range st.Orders {
		out.Standing = append(out.Standing, notice.StandingOrder{N: o.N, Line: o.Line, Off: o.Off})
	}
	return out
}

// add adds an order, or arms it again. It removes orders that it contradicts.
func (st *Standing) add(c *unit.Call, v *engine.View) {
	o := standingOrder{Standing: c.Word.Standing, Line: c.Word.Standing.String()}
	if o.Never && o.About == order.Forced {
		st.drop(c, func(old *standingOrder) bool { return old.About == order.Forced })
		c.Done()
		return
	}
	o.Ground = o.groundIn(v)
	switch {
	case o.Paid.Kind != engine.NoStep && !o.Ground.Paid:
		c.Refuse(notice.ProblemNotThere, "word", o.Line)
		return
	case o.Boost != 0 && o.Ground.Boost == 0:
		c.Refuse(notice.ProblemNotThere, "word", o.Line)
		return
	}
	for i := range st.Orders {
		if old := &st.Orders[i]; old.Line == o.Line {
			o.N = old.N
			*old = o
			c.Done()
			c.Sender.Answer.Say(notice.SayStanding, "n", strconv.Itoa(o.N), "order", o.Line)
			return
		}
	}
	st.drop(c, func(old *standingOrder) bool { return o.replaces(old) })
	if len(st.Orders) == maxStanding {
		c.Refuse(notice.ProblemStanding, "n", strconv.Itoa(maxStanding))
		return
	}
	st.Next++
	o.N = st.Next
	st.Orders = append(st.Orders, o)
	c.Done()
	c.Sender.Answer.Say(notice.SayStanding, "n", strconv.Itoa(o.N), "order", o.Line)
}

// replaces reports whether an order takes the place of an older one, because both would answer
// the same question.
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

// forget removes orders from the list.
func (st *Standing) forget(c *unit.Call) {
	n := c.Word.N
	if n > 0 && !st.drop(c, func(o *standingOrder) bool { return o.N == n }) {
		c.Refuse(notice.ProblemNoSuch, "n", strconv.Itoa(n))
		return
	}
	c.Done()
	if n == 0 {
		st.Orders = nil
		c.Sender.Answer.Say(notice.SayStandingNone)
	}
}

// drop removes the orders for which which is true, and reports whether there were any.
func (st *Standing) drop(c *unit.Call, which func(*standingOrder) bool) (some bool) {
	kept := st.Orders[:0:0]
	for i := range st.Orders {
		o := &st.Orders[i]
		if !which(o) {
			kept = append(kept, *o)
			continue
		}
		some = true
		c.Sender.Answer.Say(notice.SayStandingGone, "n", strconv.Itoa(o.N), "order", o.Line)
	}
	st.Orders = kept
	return some
}

// SayStanding adds to a letter what the player's standing orders have done. It also mentions
// standing orders to a player without any, if one could answer the present decision.
func SayStanding(u *unit.Unit, t *unit.Game, x *store.Seat, r *notice.Message) error {
	if t.Replay == nil || x.Seat == 0 || x.Player == 0 {
		return nil
	}
	st, err := StandingOf(u, t, x)
	if err != nil {
		return err
	}
	r.Answer.Remarks = append(r.Answer.Remarks[:len(r.Answer.Remarks):len(r.Answer.Remarks)], st.Untold...)
	st.Untold = nil
	if code, args := st.tip(t, x); code != "" {
		n := u.Bump("tip/"+strconv.FormatInt(x.Player, 10), u.Day())
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
func (st *Standing) tip(t *unit.Game, x *store.Seat) (code string, args map[string]string) {
	if !t.Running() || x.Bot != "" || st.Tips >= maxTips || len(st.Orders) > 0 {
		return "", nil
	}
	seat := engine.Seat(x.Seat)
	switch t.Replay.State.Asked(seat) {
	case engine.AskTurn:
		if len(t.Replay.State.Legal(seat, nil)) == 1 {
			return notice.TipForced, nil
		}
	case engine.AskReserve:
		return notice.TipReserve, nil
	case engine.AskKeep:
		return notice.TipKeep, nil
	case engine.AskDiscard:
		return notice.TipDiscard, nil
	case engine.AskOwner:
		return notice.TipOwner, map[string]string{"card": t.Replay.State.Project(seat).Owed[0].Card.String()}
	}
	return "", nil
}

// StandingOrders returns how many standing orders a player has in a game.
func StandingOrders(u *unit.Unit, game string, player int64) (int, error) {
	for _, t := range u.Games {
		if x := t.Of(player); x != nil && t.Row.ID == game && x.Player == player {
			st, err := StandingOf(u, t, x)
			if err != nil {
				return 0, err
			}
			return len(st.Orders), nil
		}
	}
	rows, err := u.Tx.Standing(game)
	if err != nil {
		return 0, err
	}
	for _, row := range rows {
		if row.Player == player {
			return len(openStanding(row, u.Log).Orders), nil
		}
	}
	return 0, nil
}
