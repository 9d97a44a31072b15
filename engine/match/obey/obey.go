// Package obey does what one letter says: it finds out who wrote it and whether they may,
// carries out its words and orders, lets the games go on as far as they can without
// letters, and closes the unit of work.
package obey

import (
	"slices"
	"strconv"

	"angelpost/engine/game"
	"angelpost/engine/match/gate"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// obeyPart carries out what a letter says about one game: its orders as one block, at the place
// of the first of them, and its words in the order written. It asks last about what is in
// doubt. With trial it changes nothing.
func obeyPart(u *unit.Unit, w *unit.Sender, items []order.Item, trial bool) error {
	if trial {
		w.Answer.Say(notice.SayPreview)
	}
	if err := sure(u, w, items, trial); err != nil {
		return err
	}
	var block []order.Item
	for _, it := range items {
		if turns.Orderly(w, it) && it.Doubt == "" {
			block = append(block, it)
		}
	}
	var doubtful doubts
	var tried *game.Replay // where a preview has led to
	began := false
	hint := -1 // its line among the answer's
	var plans []order.Item
	for _, it := range items {
		if it.Doubt != "" {
			line, _ := order.Unmarked(u.Command.Lines[it.Line-1])
			doubtful.add(&w.Answer.Answer, it, line)
			continue
		}
		if it.Problem == nil && it.Word.Kind == order.Plan { // after the letter's orders, wherever it stands
			plans = append(plans, it)
			continue
		}
		if turns.Orderly(w, it) {
			if began {
				continue
			}
			began = true
			b, err := turns.Orders(u, w, block, trial)
			if err != nil {
				return err
			}
			if w.Game == nil {
				if err := gate.NoticeAgain(u, w); err != nil {
					return err
				}
			}
			if b.Keep(); trial {
				tried = b.Cur
			}
			mended, err := b.Mend(w, block)
			if err != nil {
				return err
			}
			w.Answer.Answer.Lines = append(w.Answer.Answer.Lines, b.Lines...)
			b.Remark(w.Answer)
			doubtful.hold(b)
			if mended != nil && !trial {
				if err := askTypos(u, w, mended); err != nil {
					return err
				}
			}
			continue
		}
		line := notice.LineResult{N: it.Line, Text: it.Text, Status: notice.LineWord}
		if it.Problem == nil && it.Word.Kind == order.Hint { // about what the letter's orders have led to
			if hint < 0 {
				hint = len(w.Answer.Answer.Lines)
			}
			w.Answer.Answer.Lines = append(w.Answer.Answer.Lines, line)
			continue
		}
		c := &unit.Call{Sender: w, Word: it.Word, Line: &line, Trial: trial}
		if err := c.Refused(obeyWord(u, c, it)); err != nil {
			return err
		}
		saysOver(c)
		w.Answer.Answer.Lines = append(append(w.Answer.Answer.Lines, line), c.More...)
	}
	if hint >= 0 {
		c := &unit.Call{Sender: w, Line: &w.Answer.Answer.Lines[hint]}
		if err := c.Refused(turns.Hint(u, c)); err != nil {
			return err
		}
	}
	for _, it := range plans {
		at := len(w.Answer.Answer.Lines)
		w.Answer.Answer.Lines = append(w.Answer.Answer.Lines, notice.LineResult{N: it.Line, Text: it.Text, Status: notice.LineWord})
		line := w.Answer.Answer.Lines[at]
		c := &unit.Call{Sender: w, Word: it.Word, Line: &line}
		if err := c.Refused(turns.PlanTurn(u, c, trial, len(block) > 0)); err != nil {
			return err
		}
		w.Answer.Answer.Lines[at] = line
	}
	if code, _ := turns.MayOrder(u, w); code != "" {
		tried = nil
	} else if tried == nil {
		tried = w.Game.Replay
	}
	if err := askMeant(u, w, &doubtful, tried, trial); err != nil {
		return err
	}
	refused := func(code string) bool {
		return slices.ContainsFunc(w.Answer.Answer.Lines, func(l notice.LineResult) bool { return l.Problem != nil && l.Problem.Code == code })
	}
	if rolled := refused(notice.ProblemRolled); rolled || refused(notice.ProblemTurnOver) {
		if rolled {
			w.Answer.Say(notice.SayRolled, "n", strconv.Itoa(w.Game.Replay.RolledTo()))
		} else {
			a := &w.Answer.Answer
			w.Answer.Say(notice.SayTurnOver, "orders", strconv.FormatBool(len(block) > 0), "sent", strconv.FormatBool(len(a.Sent) > 0), "answered", strconv.FormatBool(len(a.Sections) > 0))
		}
		if t := w.Game; t != nil && t.Replay != nil && w.Seat != nil { // their plan may have played it
			if err := turns.PlansOf(u, t); err != nil {
				return err
			}
			if err := turns.TellPlan(u, t, w.Seat); err != nil {
				return err
			}
		}
	}
	if w.Seat != nil && w.Seat.MutedBy(w.ID) && w.Game.Moved[w.Seat.Place] { // players who move want letters
		seating.Unmute(u, w)
	}
	judge(u, w)
	return nil
}

// moot are problems that the end of the game explains better.
var moot = []string{notice.ProblemNotNow, notice.ProblemTurnOver, notice.ProblemRolled, notice.ProblemNobody, notice.ProblemNoClock, notice.ProblemOwnClock, notice.ProblemExtend,
	notice.ProblemTakeBack, notice.ProblemTakeBackRated, notice.ProblemTakeBackAlone, notice.ProblemAlone, notice.ProblemSpent, notice.ProblemHints, notice.ProblemLeagueGame, notice.ProblemUndo, notice.ProblemSeat, notice.ProblemResigned, notice.ProblemSeatPlayed}

// saysOver makes a refused word say that the game is over, if that is the reason.
func saysOver(c *unit.Call) {
	t, p := c.Sender.Game, c.Line.Problem
	if t == nil || p == nil || t.Running() || t.Row.State == store.GameInvited || !slices.Contains(moot, p.Code) {
		return
	}
	code := notice.ProblemOff
	if t.Row.State == store.GameFinished {
		code = notice.ProblemOver
	}
	c.Refuse(code)
}

// judge sets the result of the letter as a whole.
func judge(u *unit.Unit, w *unit.Sender) {
	did, refused := false, false
	for _, l := range w.Answer.Answer.Lines {
		switch l.Status {
		case notice.LineApplied, notice.LineWish, notice.LineForced, notice.LineAlways, notice.LineUnmet:
			did = true
		case notice.LineRefused:
			refused = true
		case notice.LineAsked:
			refused = refused || l.Problem != nil
		case notice.LineVoid:
			refused = refused || l.Problem != nil
		}
	}
	switch {
	case did && refused:
		w.Answer.Result = notice.Partial
	case did:
		w.Answer.Result = notice.Applied
	case refused:
		w.Answer.Result = notice.Refused
	}
}
