package match

import (
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A call is one word of a letter being obeyed.
type call struct {
	w     *writer
	word  order.Word
	line  *notice.LineResult
	trial bool                // in a preview: nothing is done
	more  []notice.LineResult // about parts of the word
}

func (c *call) refuse(code string, args ...string) {
	c.line.Status, c.line.Problem = notice.LineRefused, notice.Refuse(code, args...)
}

// refused refuses the word if err is a notice.Problem, and returns any other error.
func (c *call) refused(err error) error {
	if p := notice.AsProblem(err); p != nil {
		c.line.Status, c.line.Problem = notice.LineRefused, p
		return nil
	}
	return err
}

// done marks the word as one that changed something.
func (c *call) done() { c.line.Status = notice.LineApplied }

// obey does what a letter says: its orders as one block where the first of them
// stands, its words in the order written. What is in doubt is asked about last.
func (s *unit) obey(w *writer, items []order.Item) error {
	trial := slices.ContainsFunc(items, func(it order.Item) bool { return it.Word.Kind == order.Preview })
	if trial {
		w.answer.say(notice.SayPreview)
	}
	w.sure(items)
	var block []order.Item
	for _, it := range items {
		if orderly(w, it) && it.Doubt == "" {
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
			doubtful.add(&w.answer.answer, it, s.cmd.Lines[it.Line-1])
			continue
		}
		if it.Problem == nil && it.Word.Kind == order.Plan { // after the letter's orders, wherever it stands
			plans = append(plans, it)
			continue
		}
		if orderly(w, it) {
			if began {
				continue
			}
			began = true
			b, err := s.orders(w, block, trial)
			if err != nil {
				return err
			}
			if w.table == nil {
				if err := s.noticeAgain(w); err != nil {
					return err
				}
			}
			if b.keep(); trial {
				tried = b.cur
			}
			w.answer.answer.Lines = append(w.answer.answer.Lines, b.lines...)
			b.remark(w.answer)
			continue
		}
		line := notice.LineResult{N: it.Line, Text: it.Text, Status: notice.LineWord}
		if it.Problem == nil && it.Word.Kind == order.Hint { // about what the letter's orders have led to
			if hint < 0 {
				hint = len(w.answer.answer.Lines)
			}
			w.answer.answer.Lines = append(w.answer.answer.Lines, line)
			continue
		}
		c := &call{w: w, word: it.Word, line: &line, trial: trial}
		if err := c.refused(s.obeyWord(c, it)); err != nil {
			return err
		}
		w.answer.answer.Lines = append(append(w.answer.answer.Lines, line), c.more...)
	}
	if hint >= 0 {
		c := &call{w: w, line: &w.answer.answer.Lines[hint]}
		if err := c.refused(s.hint(c)); err != nil {
			return err
		}
	}
	for _, it := range plans {
		at := len(w.answer.answer.Lines)
		w.answer.answer.Lines = append(w.answer.answer.Lines, notice.LineResult{N: it.Line, Text: it.Text, Status: notice.LineWord})
		line := w.answer.answer.Lines[at]
		c := &call{w: w, word: it.Word, line: &line}
		if err := c.refused(s.planWord(c, trial, len(block) > 0)); err != nil {
			return err
		}
		w.answer.answer.Lines[at] = line
	}
	if code, _ := s.mayOrder(w); code != "" {
		tried = nil
	} else if tried == nil {
		tried = w.table.play
	}
	if err := s.askMeant(w, &doubtful, tried, trial); err != nil {
		return err
	}
	refused := func(code string) bool {
		return slices.ContainsFunc(w.answer.answer.Lines, func(l notice.LineResult) bool { return l.Problem != nil && l.Problem.Code == code })
	}
	if rolled := refused(notice.ProblemRolled); rolled || refused(notice.ProblemTurnOver) {
		if rolled {
			w.answer.say(notice.SayRolled, "n", strconv.Itoa(w.table.play.RolledTo()))
		} else {
			w.answer.say(notice.SayTurnOver)
		}
		if t := w.table; t != nil && t.play != nil && w.seat != nil { // a plan of theirs may have played it
			if err := s.plansOf(t); err != nil {
				return err
			}
			if err := s.tellPlan(t, w.seat); err != nil {
				return err
			}
		}
	}
	if w.seat != nil && w.seat.MutedBy(w.ID) && w.table.moved[w.seat.Place] { // players who move want letters
		s.unmute(w)
	}
	s.judge(w)
	return nil
}

// orderly reports whether an item is part of the block of orders: a clause, an
// undo, or a line that can only have been meant for one.
func orderly(w *writer, it order.Item) bool {
	switch {
	case it.Problem != nil:
		return strings.HasPrefix(it.Problem.Code, "order-")
	case it.Word.Kind == order.Refuse: // "decline": an invitation, or an owner's activation
		return it.Clause != nil && !w.invited()
	case it.Word.Kind == order.Undo:
		return true
	}
	return it.Clause != nil
}

// invited reports whether the writer's seat still waits for their join or decline.
func (w *writer) invited() bool {
	if w.seat == nil {
		return false
	}
	return w.seat.Heir == w.ID && w.seat.Player != w.ID || w.table.row.State == store.GameInvited
}

// judge sums up what became of the letter.
func (s *unit) judge(w *writer) {
	did, refused := false, false
	for _, l := range w.answer.answer.Lines {
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
		w.answer.result = notice.Partial
	case did:
		w.answer.result = notice.Applied
	case refused:
		w.answer.result = notice.Refused
	}
}

// advance lets the game go on without letters, ends it if it is over, and writes
// to whom it now waits for.
func (s *unit) advance(t *table) error {
	if t.play == nil {
		return nil
	}
	if err := s.forfeited(t); err != nil {
		return err
	}
	if err := s.agreedByRest(t); err != nil {
		return err
	}
	if t.running() {
		if err := s.dropPlans(t); err != nil {
			return err
		}
		if err := s.playAhead(t); err != nil {
			return err
		}
		if t.play.State.Finished() {
			if err := s.finishGame(t); err != nil {
				return err
			}
			t.ended = true
		}
	}
	if err := s.clock(t); err != nil {
		return err
	}
	if t.play.Step() == t.from && !t.ended && !t.fresh && !planTried(t) {
		return nil
	}
	for i := range t.play.Lines[t.from:] {
		for _, e := range t.play.Events[t.from+i+1] {
			if e.Kind == engine.EvTurnEnded {
				t.turned = append(t.turned, e.Seat)
			}
		}
	}
	for i := range t.seats {
		x := &t.seats[i]
		if x.Unplayed() && t.row.State != store.GameFinished || x.Player == 0 {
			continue
		}
		if err := s.notice(t, x); err != nil {
			return err
		}
		if err := s.tellPlan(t, x); err != nil {
			return err
		}
	}
	return nil
}

// tellAhead is after how many turns a player is told that they can plan the next.
const tellAhead = 2

// notice writes to one player what happened, if they must know.
func (s *unit) notice(t *table, x *store.Seat) error {
	seat := engine.Seat(x.Seat)
	p := s.player(x.Player)
	own := s.replyTo(x.Player, t) // the answer they get anyway
	since := x.Seen
	if own != nil && t.moved[x.Place] && !own.whole {
		since = t.from
	}
	switch {
	case t.fresh && t.row.State == store.GameRunning:
		kind := notice.KindStart
		if t.play.Waits(seat) {
			kind = notice.KindTurn
		}
		d := s.draftFor(x.Player, t, kind)
		d.since = -1
		mixed := "no"
		if t.row.Mixed {
			mixed = "yes"
		}
		d.say(notice.TellStarted, "commitment", s.commitment(t), "mixed", mixed)
		if t.row.Options.Hints {
			d.say(notice.TellHints)
		}
		d.wantsName(x)
	case t.row.State == store.GameFinished:
		d := s.draftFor(x.Player, t, notice.KindEnd)
		d.since = since
	case own != nil:
		if t.play.Step() > t.from {
			own.since, own.again = since, !t.moved[x.Place]
		}
		if len(t.moved) > 0 && t.moved[x.Place] && own.kind == notice.KindAnswer {
			if t.play.Turns[seat] > 0 && slices.Contains(t.turned, seat) {
				own.say(notice.SayDone)
				if planned, err := s.planned(t, x); err != nil {
					return err
				} else if t.play.Turns[seat] <= tellAhead && t.running() && !planned {
					own.say(notice.SayPlanAhead)
				}
			} else if t.play.Waits(seat) {
				own.say(notice.SayMore)
			}
			if t.play.State.ToAct(seat) && t.play.Owes(seat) {
				own.say(notice.TellOwe)
			}
		}
	case t.play.Waits(seat) && (!t.waited[x.Place] || t.moved[x.Place]):
		d := s.draftFor(x.Player, t, notice.KindTurn)
		d.since, d.again = since, true
	case p.Every && slices.ContainsFunc(t.turned, func(e engine.Seat) bool { return e != seat }):
		d := s.draftFor(x.Player, t, notice.KindInfo)
		d.since, d.again = since, true
		d.say(notice.TellTurn, "names", t.namesOf(t.turned))
	}
	return nil
}

// replyTo is the answer that is being written to a player about the game.
func (s *unit) replyTo(player int64, t *table) *draft {
	for _, d := range s.drafts {
		if d.player == player && d.table == t && d.reply {
			return d
		}
	}
	return nil
}
