package match

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A player may plan their coming turn: blocks of orders, each with guards, which are
// tried in order the moment the turn comes, as a letter with them would be. No one else
// learns of a plan, not even that there is one, until it is played; then it is a turn
// like any other. It is for that one turn. The player's next letter about the game
// tells what became of it.

// plans are those at a table in a unit of work.
type plans struct {
	read  bool
	tried bool         // one was tried in this transaction
	rows  []store.Plan // by place where there is one
	saved []store.Plan // as loaded
}

// plansOf loads the plans at a table once.
func (s *unit) plansOf(t *table) error {
	if aheadOf(t).plans.read {
		return nil
	}
	rows, err := s.tx.Plans(t.row.ID)
	if err != nil {
		return err
	}
	aheadOf(t).plans.read, aheadOf(t).plans.rows, aheadOf(t).plans.saved = true, rows, slices.Clone(rows)
	return nil
}

// of is the plan of a place, made if there is none.
func (p *plans) of(x *store.Seat) *store.Plan {
	for i := range p.rows {
		if p.rows[i].Place == x.Place {
			return &p.rows[i]
		}
	}
	p.rows = append(p.rows, store.Plan{Game: x.Game, Place: x.Place, Player: x.Player})
	return &p.rows[len(p.rows)-1]
}

// planned reports whether a seat's player has a plan.
func (s *unit) planned(t *table, x *store.Seat) (bool, error) {
	err := s.plansOf(t)
	return slices.ContainsFunc(aheadOf(t).plans.rows, func(r store.Plan) bool { return r.Place == x.Place && r.Player == x.Player && r.Lines != "" }), err
}

// savePlans writes back what changed; of a game that is over nothing stays.
func (s *unit) savePlans(t *table) error {
	over := t.play != nil && t.row.State != store.GameRunning
	if over {
		if err := s.plansOf(t); err != nil {
			return err
		}
	}
	for _, r := range aheadOf(t).plans.rows {
		if over {
			r.Lines, r.Told = "", ""
		}
		there := func(o store.Plan) bool { return o.Place == r.Place }
		if slices.Contains(aheadOf(t).plans.saved, r) || r.Lines == "" && r.Told == "" && !slices.ContainsFunc(aheadOf(t).plans.saved, there) {
			continue
		}
		s.check(s.tx.SavePlan(r))
	}
	return nil
}

// planWord keeps, shows or drops the writer's plan. trial: nothing is kept;
// ordered: the letter has orders, too.
func (s *unit) planWord(c *call, trial, ordered bool) error {
	w, t := c.w, c.w.table
	code, args := s.mayOrder(w)
	turn, ok := 0, false
	if code == "" || code == notice.ProblemTurnOver || code == notice.ProblemRolled {
		if turn, ok = w.planTurn(ordered); ok {
			code = ""
		} else {
			code = w.stale()
		}
	}
	if code != "" {
		c.line.Status, c.line.Problem = notice.LineRefused, &notice.Problem{Code: code, Args: args}
		if w.words {
			return s.noticeAgain(w)
		}
		return nil
	}
	if err := s.plansOf(t); err != nil {
		return err
	}
	row := aheadOf(t).plans.of(w.seat)
	if row.Player != w.ID {
		*row = store.Plan{Game: t.row.ID, Place: w.seat.Place, Player: w.ID}
	}
	a := c.word.Ahead
	switch {
	case c.word.Arg == "none" && trial:
		return notice.Refuse(notice.ProblemPreview, "word", c.word.Kind.String())
	case c.word.Arg == "none":
		state := notice.PlanNone
		if row.Lines != "" {
			state = notice.PlanDropped
		}
		row.Lines = ""
		c.done()
		w.answer.plan(&notice.Planned{State: state})
		return nil
	case a == nil:
		if row.Lines == "" {
			w.answer.plan(&notice.Planned{State: notice.PlanNone})
			return nil
		}
		a = order.ReadAhead(strings.Split(row.Lines, "\n"))
		w.answer.plan(s.tryNow(t, w.seat, a, notice.PlanAsked))
		return nil
	}
	if bad := t.resolve(w.seat, a); bad != nil {
		w.answer.answer.Lines = append(w.answer.answer.Lines, bad...)
		c.line.Status = notice.LineRefused
		w.answer.say(notice.SayNotPlanned)
		return nil
	}
	if trial {
		w.answer.plan(s.tryNow(t, w.seat, a, notice.PlanTried))
		return nil
	}
	c.done()
	row.Player, row.Turn, row.Step, row.Lines = w.ID, turn, t.play.Step(), strings.Join(a.Text(), "\n")
	if t.play.OnTurn() != engine.Seat(w.seat.Seat) || turn > t.play.Turns[w.seat.Seat] {
		w.answer.plan(s.tryNow(t, w.seat, a, notice.PlanKept))
	}
	return nil
}

// Ahead is what the player whose page the key opens has planned for their coming turn,
// as the lines of a letter; none if nothing. Errors are Look's.
func (h *Host) Ahead(ctx context.Context, id, key string) (lines []string, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		seats, err := tx.Seats(id)
		if err != nil {
			return err
		}
		x, err := holder(tx, seats, id, key)
		if err != nil {
			return err
		}
		rows, err := tx.Plans(id)
		for _, r := range rows {
			if r.Place == x.Place && r.Player == x.Player && r.Lines != "" {
				lines = append([]string{order.Plan.String()}, strings.Split(r.Lines, "\n")...)
			}
		}
		return err
	})
	return lines, err
}

// plan adds what is said of a plan.
func (d *draft) plan(p *notice.Planned) {
	d.answer.Sections = append(d.answer.Sections, notice.Section{Kind: "plan", Plan: p})
}

// planTurn is the turn of the writer's seat that a plan in their letter is for: the
// next that has not begun. A plan written in answer to a turn's notice may arrive when
// that turn is over; ok is false where it is older, or could be for either of two.
func (w *writer) planTurn(ordered bool) (turn int, ok bool) {
	p, seat := w.table.play, engine.Seat(w.seat.Seat)
	done, then := p.Turns[seat], w.token.Turn
	if w.token.Step < p.Rolled { // of turns that were taken back
		return done, false
	}
	if p.OnTurn() == seat && (p.InTurn(seat) || ordered && then == done) {
		return done + 1, then == done
	}
	return done, then == done || then == done-1
}

// resolve finds whom the guards of a plan name. Where something in it cannot be
// read, it returns what became of every line.
func (t *table) resolve(x *store.Seat, a *order.Ahead) []notice.LineResult {
	ctx := t.context(engine.Seat(x.Seat))
	bad := a.Problem() >= 0
	for i := range a.Blocks {
		for k, g := range a.Blocks[i].Guards {
			named, p := g.Named(ctx)
			a.Blocks[i].Guards[k], bad = named, bad || p != nil
		}
	}
	if !bad {
		return nil
	}
	legal := t.play.State.Legal(engine.Seat(x.Seat), nil)
	var out []notice.LineResult
	for _, it := range a.Lines {
		l := notice.LineResult{N: it.Line, Text: it.Text, Status: notice.LineDropped}
		switch {
		case it.Problem != nil:
			l.Status, l.Problem = notice.LineRefused, problem(it.Problem)
		case it.Clause != nil && !it.Clause.Readable():
			_, p := order.Match(*it.Clause, legal, ctx)
			l.Status, l.Problem = notice.LineRefused, problem(p)
		case it.Guard != nil:
			if _, p := it.Guard.Named(ctx); p != nil {
				l.Status, l.Problem = notice.LineRefused, problem(p)
			}
		}
		out = append(out, l)
	}
	return out
}

// tryNow tries the blocks of a plan in the position as it is, as if the seat's
// turn began now. That promises nothing.
func (s *unit) tryNow(t *table, x *store.Seat, a *order.Ahead, state string) *notice.Planned {
	out := &notice.Planned{State: state}
	shadow := *t
	var can bool
	shadow.play, can = t.play.AsIf(engine.Seat(x.Seat))
	for i := range a.Blocks {
		b := notice.PlannedBlock{Guards: texts(a.Blocks[i].Guards), Orders: a.Blocks[i].Orders}
		if can {
			s.tryBlock(&shadow, x, &a.Blocks[i], &b, true)
		}
		out.Blocks = append(out.Blocks, b)
	}
	return out
}

func texts(guards []order.Guard) (out []string) {
	for _, g := range guards {
		out = append(out, g.String())
	}
	return out
}

// tryBlock tries a block where the game stands, and writes into out what came of
// it. It returns the block if it can be kept.
func (s *unit) tryBlock(t *table, x *store.Seat, blk *order.Block, out *notice.PlannedBlock, trial bool) *block {
	v := t.play.State.Project(engine.Seat(x.Seat))
	for _, g := range blk.Guards {
		if !g.Holds(v) {
			out.Status, out.Guard = notice.BlockGuard, g.String()
			return nil
		}
	}
	out.Status = notice.BlockLine
	items := order.ReadLines(blk.Orders).Items
	for i := range items {
		if items[i].Word = (order.Word{}); items[i].Clause == nil && items[i].Problem == nil { // it could be read once
			items[i].Problem = &order.Problem{Code: order.PlanWord, Line: items[i].Line, Text: items[i].Text}
		}
	}
	var b *block
	err := unlessPanic(func() (err error) {
		b, err = newBlock(t, x, items, trial)
		return err
	})
	if err != nil { // its writer's fault or ours, not the present letter's
		s.Log.Error("a plan could not be tried", "game", t.row.ID, "place", x.Place, "err", err)
		return nil
	}
	out.Lines, out.Random = b.lines, b.chance
	for i := range out.Lines {
		if p := out.Lines[i].Problem; p != nil {
			q := *p
			q.Suggestions = nil // the letter lists what is legal
			out.Lines[i].Problem = &q
		}
	}
	if b.cur == nil || b.cur.Step() == b.start && b.chance == "" {
		return nil
	}
	out.Status = notice.BlockFits
	return b
}

// playPlan plays the plan of the player whose turn has come.
func (s *unit) playPlan(t *table) (moved bool, err error) {
	if t.play.Step() == t.from && !aheadOf(t).plans.read && !t.fresh {
		return false, nil // it was tried when the turn came
	}
	x := t.bySeat(t.play.OnTurn())
	if x == nil || x.Unplayed() {
		return false, nil
	}
	if err := s.plansOf(t); err != nil {
		return false, err
	}
	i := slices.IndexFunc(aheadOf(t).plans.rows, func(r store.Plan) bool { return r.Place == x.Place && r.Player == x.Player && r.Lines != "" })
	if i < 0 || aheadOf(t).plans.rows[i].Turn != t.play.Turns[x.Seat] || !t.play.Waits(engine.Seat(x.Seat)) {
		return false, nil
	}
	if _, err := s.standingOf(t, x); err != nil { // what the plan leaves open may be said once for all
		return false, err
	}
	row := &aheadOf(t).plans.rows[i]
	a := order.ReadAhead(strings.Split(row.Lines, "\n"))
	done := notice.Planned{State: notice.PlanFailed}
	for i := range a.Blocks {
		out := notice.PlannedBlock{Guards: texts(a.Blocks[i].Guards), Orders: a.Blocks[i].Orders}
		b := s.tryBlock(t, x, &a.Blocks[i], &out, false)
		done.Blocks = append(done.Blocks, out)
		if b == nil {
			continue
		}
		if done.State = notice.PlanPlayed; b.fail {
			done.State = notice.PlanPart
		}
		turns := t.play.Turns[x.Seat]
		moved = b.keep()
		if p := t.pace(); t.play.Turns[x.Seat] > turns && t.row.Paused.IsZero() { // their clock never ran
			x.Bank = p.BankAfter(x.Bank, p.Turn+x.Bank)
		}
		break
	}
	row.Lines = ""
	aheadOf(t).plans.tried = true
	return moved, tellPlan(row, &done)
}

// tellPlan notes what became of a plan, for the player's next letter.
func tellPlan(r *store.Plan, p *notice.Planned) error {
	text, err := json.Marshal(p)
	r.Told = string(text)
	return err
}

// dropPlans drops the plans of those who left their seats, and those made for a
// position that was taken back.
func (s *unit) dropPlans(t *table) error {
	if t.play.Step() == t.from {
		return nil
	}
	if err := s.plansOf(t); err != nil {
		return err
	}
	for i := range aheadOf(t).plans.rows {
		r := &aheadOf(t).plans.rows[i]
		x := t.place(r.Place)
		if x == nil || x.Unplayed() || x.Player != r.Player {
			r.Lines, r.Told = "", ""
			continue
		}
		if r.Lines == "" {
			continue
		}
		void := r.Turn < t.play.Turns[x.Seat]
		for _, l := range t.play.Lines[t.from:] {
			if to, ok := l.Back(); ok && l.N > r.Step && to < r.Step && (l.Seat == 0 || l.Seat == x.Seat) {
				void = true
			}
		}
		if void {
			r.Lines = ""
			if err := tellPlan(r, &notice.Planned{State: notice.PlanVoid}); err != nil {
				return err
			}
		}
	}
	return nil
}

// tellPlan adds to a letter that tells its reader what happened what became of their
// plan.
func (s *unit) tellPlan(t *table, x *store.Seat) error {
	i := slices.IndexFunc(aheadOf(t).plans.rows, func(r store.Plan) bool { return r.Place == x.Place && r.Player == x.Player && r.Told != "" })
	if i < 0 {
		return nil
	}
	for _, d := range s.drafts {
		if d.player != x.Player || d.table != t || d.confirm != 0 && !d.reply || d.since == noStory && !d.reply || !d.reply && !d.asked && x.MutedBy(d.player) {
			continue
		}
		p := &notice.Planned{}
		if err := json.Unmarshal([]byte(aheadOf(t).plans.rows[i].Told), p); err != nil {
			return fmt.Errorf("what became of a plan: %w", err)
		}
		d.answer.Sections = slices.DeleteFunc(d.answer.Sections, func(sec notice.Section) bool { return sec.Plan != nil && sec.Plan.State == notice.PlanKept }) // it came at once
		d.plan(p)
		aheadOf(t).plans.rows[i].Told = ""
		return nil
	}
	return nil
}

// ahead is what players have said beforehand about a game in a unit of work.
type ahead struct {
	standing map[int]*standing // by place; nil until read
	plans    plans
}

func aheadOf(t *table) *ahead {
	a, ok := t.ahead.(*ahead)
	if !ok {
		a = &ahead{}
		t.ahead = a
	}
	return a
}

// planTried reports whether a plan was tried in this transaction.
func planTried(t *table) bool { return aheadOf(t).plans.tried }
