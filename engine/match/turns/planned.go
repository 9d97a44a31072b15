package turns

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/match/gate"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// Players may plan their coming turn: blocks of orders with guards. The moment the turn comes,
// the server tries the blocks in order, like a letter. No one else learns of a plan, not even
// that there is one, until it is played; then it is a turn like any other. A plan is only for
// that one turn. The player's next letter about the game reports its result.

// plans are the plans of a game in a unit of work.
type plans struct {
	read  bool
	tried bool         // one was tried in this transaction
	rows  []store.Plan // by place where there is one
	saved []store.Plan // as loaded
}

// PlansOf loads the plans at a table once.
func PlansOf(u *unit.Unit, t *unit.Game) error {
	if aheadOf(t).plans.read {
		return nil
	}
	rows, err := u.Tx.Plans(t.Row.ID)
	if err != nil {
		return err
	}
	aheadOf(t).plans.read, aheadOf(t).plans.rows, aheadOf(t).plans.saved = true, rows, slices.Clone(rows)
	return nil
}

// of returns the plan of a place, an empty one if there is none.
func (p *plans) of(x *store.Seat) *store.Plan {
	for i := range p.rows {
		if p.rows[i].Place == x.Place {
			return &p.rows[i]
		}
	}
	p.rows = append(p.rows, store.Plan{Game: x.Game, Place: x.Place, Player: x.Player})
	return &p.rows[len(p.rows)-1]
}

// Planned reports whether a seat's player has a plan.
func Planned(u *unit.Unit, t *unit.Game, x *store.Seat) (bool, error) {
	err := PlansOf(u, t)
	return slices.ContainsFunc(aheadOf(t).plans.rows, func(r store.Plan) bool { return r.Place == x.Place && r.Player == x.Player && r.Lines != "" }), err
}

// SavePlans writes back what changed; if the game is over, it deletes all plans.
func SavePlans(u *unit.Unit, t *unit.Game) error {
	over := t.Replay != nil && t.Row.State != store.GameRunning
	if over {
		if err := PlansOf(u, t); err != nil {
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
		u.Check(u.Tx.SavePlan(r))
	}
	return nil
}

// PlanTurn keeps, shows or drops the writer's plan. trial: nothing is kept;
// ordered: the letter has orders, too.
func PlanTurn(u *unit.Unit, c *unit.Call, trial, ordered bool) error {
	w, t := c.Sender, c.Sender.Game
	code, args := MayOrder(u, w)
	turn, ok := 0, false
	if code == "" || code == notice.ProblemTurnOver || code == notice.ProblemRolled {
		if turn, ok = planTurn(w, ordered); ok {
			code = ""
		} else {
			code = Stale(w)
		}
	}
	if code != "" {
		c.Line.Status, c.Line.Problem = notice.LineRefused, &notice.Problem{Code: code, Args: args}
		if w.Words {
			return gate.NoticeAgain(u, w)
		}
		return nil
	}
	if err := PlansOf(u, t); err != nil {
		return err
	}
	row := aheadOf(t).plans.of(w.Seat)
	if row.Player != w.ID {
		*row = store.Plan{Game: t.Row.ID, Place: w.Seat.Place, Player: w.ID}
	}
	a := c.Word.Ahead
	switch {
	case c.Word.Arg == "none" && trial:
		return notice.Refuse(notice.ProblemPreview, "word", c.Word.Kind.String())
	case c.Word.Arg == "none":
		state := notice.PlanNone
		if row.Lines != "" {
			state = notice.PlanDropped
		}
		row.Lines = ""
		c.Done()
		sayPlan(w.Answer, &notice.Planned{State: state})
		return nil
	case a == nil:
		if row.Lines == "" {
			sayPlan(w.Answer, &notice.Planned{State: notice.PlanNone})
			return nil
		}
		a = order.ReadAhead(strings.Split(row.Lines, "\n"))
		sayPlan(w.Answer, tryNow(u, t, w.Seat, a, notice.PlanAsked))
		return nil
	}
	if bad := resolve(t, w.Seat, w.Names, a); bad != nil {
		w.Answer.Answer.Lines = append(w.Answer.Answer.Lines, bad...)
		c.Line.Status = notice.LineRefused
		w.Answer.Say(notice.SayNotPlanned)
		return nil
	}
	if trial {
		sayPlan(w.Answer, tryNow(u, t, w.Seat, a, notice.PlanTried))
		return nil
	}
	c.Done()
	row.Player, row.Turn, row.Step, row.Lines = w.ID, turn, t.Replay.Step(), strings.Join(a.Text(), "\n")
	if t.Replay.OnTurn() != engine.Seat(w.Seat.Seat) || turn > t.Replay.Turns[w.Seat.Seat] {
		sayPlan(w.Answer, tryNow(u, t, w.Seat, a, notice.PlanKept))
	}
	return nil
}

// sayPlan adds a section about a plan.
func sayPlan(d *unit.Draft, p *notice.Planned) {
	d.Answer.Sections = append(d.Answer.Sections, notice.Section{Kind: "plan", Plan: p})
}

// planTurn returns the turn for which a plan in the writer's letter is: their next that has not
// begun. A plan in answer to a turn's notice may arrive when that turn is over; ok is false if
// it is older, or could be for either of two turns.
func planTurn(w *unit.Sender, ordered bool) (turn int, ok bool) {
	p, seat := w.Game.Replay, engine.Seat(w.Seat.Seat)
	done, then := p.Turns[seat], w.Token.Turn
	if w.Token.Step < p.Rolled { // of turns that were taken back
		return done, false
	}
	if p.OnTurn() == seat && (p.InTurn(seat) || ordered && then == done) {
		return done + 1, then == done
	}
	return done, then == done || then == done-1
}

// resolve replaces the player names in a plan, read with names (unit.Game.Reading), by seats,
// because players may have other names when the turn comes. If something in the plan cannot be
// read, it returns a result for every line.
func resolve(t *unit.Game, x *store.Seat, names []string, a *order.Ahead) []notice.LineResult {
	ctx := t.Context(engine.Seat(x.Seat), names)
	bad := a.Problem() >= 0
	for i := range a.Blocks {
		for k, g := range a.Blocks[i].Guards {
			named, p := g.Named(ctx)
			a.Blocks[i].Guards[k], bad = named, bad || p != nil
		}
		for _, line := range a.Blocks[i].Orders {
			_, p := ctx.Seated(line)
			bad = bad || p != nil
		}
	}
	if !bad {
		a.Seat(ctx)
		return nil
	}
	legal := t.Replay.State.Legal(engine.Seat(x.Seat), nil)
	var out []notice.LineResult
	for _, it := range a.Lines {
		l := notice.LineResult{N: it.Line, Text: it.Text, Status: notice.LineDropped}
		var p *order.Problem
		switch {
		case it.Problem != nil:
			p = it.Problem
		case it.Clause != nil && !it.Clause.Readable():
			_, p = order.Match(*it.Clause, legal, ctx)
		case it.Clause != nil:
			p = it.Clause.Named(ctx)
		case it.Guard != nil:
			_, p = it.Guard.Named(ctx)
		}
		if p != nil {
			l.Status, l.Problem = notice.LineRefused, Problem(p)
		}
		out = append(out, l)
	}
	return out
}

// tryNow tries the blocks of a plan in the present position, as if the seat's turn began now.
// The real result may differ.
func tryNow(u *unit.Unit, t *unit.Game, x *store.Seat, a *order.Ahead, state string) *notice.Planned {
	out := &notice.Planned{State: state}
	shadow := *t
	var can bool
	shadow.Replay, can = t.Replay.AsIf(engine.Seat(x.Seat))
	for i := range a.Blocks {
		b := notice.PlannedBlock{Guards: texts(a.Blocks[i].Guards), Orders: a.Blocks[i].Orders}
		if can {
			tryBlock(u, &shadow, x, &a.Blocks[i], &b, true)
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

// tryBlock tries a block in the present position, and writes the result into out. It returns
// the block if it can be kept.
func tryBlock(u *unit.Unit, t *unit.Game, x *store.Seat, blk *order.Block, out *notice.PlannedBlock, trial bool) *Block {
	v := t.Replay.State.Project(engine.Seat(x.Seat))
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
	var b *Block
	err := unit.UnlessPanic(func() (err error) {
		b, err = newBlock(t, x, nil, t.Replay.Step(), items, trial)
		return err
	})
	if err != nil { // its writer's fault or ours, not the present letter's
		u.Log.Error("a plan could not be tried", "game", t.Row.ID, "place", x.Place, "err", err)
		return nil
	}
	out.Lines, out.Random = b.Lines, b.chance
	for i := range out.Lines {
		if p := out.Lines[i].Problem; p != nil {
			q := *p
			q.Suggestions = nil // the letter lists what is legal
			out.Lines[i].Problem = &q
		}
	}
	if b.Cur == nil || b.Cur.Step() == b.start && b.chance == "" {
		return nil
	}
	out.Status = notice.BlockFits
	return b
}

// playPlan plays the plan of the player whose turn has come.
func playPlan(u *unit.Unit, t *unit.Game) (moved bool, err error) {
	if t.Replay.Step() == t.From && !aheadOf(t).plans.read && !t.Fresh {
		return false, nil // it was tried when the turn came
	}
	x := t.BySeat(t.Replay.OnTurn())
	if x == nil || x.Unplayed() {
		return false, nil
	}
	if err := PlansOf(u, t); err != nil {
		return false, err
	}
	i := slices.IndexFunc(aheadOf(t).plans.rows, func(r store.Plan) bool { return r.Place == x.Place && r.Player == x.Player && r.Lines != "" })
	if i < 0 || aheadOf(t).plans.rows[i].Turn != t.Replay.Turns[x.Seat] || !t.Replay.Waits(engine.Seat(x.Seat)) {
		return false, nil
	}
	if _, err := StandingOf(u, t, x); err != nil { // standing orders may decide what the plan leaves open
		return false, err
	}
	row := &aheadOf(t).plans.rows[i]
	a := order.ReadAhead(strings.Split(row.Lines, "\n"))
	done := notice.Planned{State: notice.PlanFailed}
	for i := range a.Blocks {
		out := notice.PlannedBlock{Guards: texts(a.Blocks[i].Guards), Orders: a.Blocks[i].Orders}
		b := tryBlock(u, t, x, &a.Blocks[i], &out, false)
		done.Blocks = append(done.Blocks, out)
		if b == nil {
			continue
		}
		if done.State = notice.PlanPlayed; b.fail {
			done.State = notice.PlanPart
		}
		turns := t.Replay.Turns[x.Seat]
		moved = b.Keep()
		if p := t.Pace(); t.Replay.Turns[x.Seat] > turns && t.Row.Paused.IsZero() { // their clock never ran
			x.Bank = p.BankAfter(x.Bank, p.Turn+x.Bank)
		}
		break
	}
	row.Lines = ""
	aheadOf(t).plans.tried = true
	return moved, tellPlan(row, &done)
}

// tellPlan stores the result of a plan for the player's next letter.
func tellPlan(r *store.Plan, p *notice.Planned) error {
	text, err := json.Marshal(p)
	r.Told = string(text)
	return err
}

// DropPlans drops the plans of those who left their seats, and those made for a
// position that was taken back.
func DropPlans(u *unit.Unit, t *unit.Game) error {
	if t.Replay.Step() == t.From {
		return nil
	}
	if err := PlansOf(u, t); err != nil {
		return err
	}
	for i := range aheadOf(t).plans.rows {
		r := &aheadOf(t).plans.rows[i]
		x := t.Place(r.Place)
		if x == nil || x.Unplayed() || x.Player != r.Player {
			r.Lines, r.Told = "", ""
			continue
		}
		if r.Lines == "" {
			continue
		}
		void := r.Turn < t.Replay.Turns[x.Seat]
		for _, l := range t.Replay.Lines[t.From:] {
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

// TellPlan adds the result of a plan to a letter that tells its reader what happened.
func TellPlan(u *unit.Unit, t *unit.Game, x *store.Seat) error {
	i := slices.IndexFunc(aheadOf(t).plans.rows, func(r store.Plan) bool { return r.Place == x.Place && r.Player == x.Player && r.Told != "" })
	if i < 0 {
		return nil
	}
	for _, d := range u.Drafts {
		if d.Player != x.Player || d.Game != t || d.Confirm != 0 && !d.Reply || d.Since == unit.NoStory && !d.Reply || !d.Reply && !d.Asked && x.MutedBy(d.Player) {
			continue
		}
		p := &notice.Planned{}
		if err := json.Unmarshal([]byte(aheadOf(t).plans.rows[i].Told), p); err != nil {
			return fmt.Errorf("what became of a plan: %w", err)
		}
		d.Answer.Sections = slices.DeleteFunc(d.Answer.Sections, func(sec notice.Section) bool { return sec.Plan != nil && sec.Plan.State == notice.PlanKept }) // it came at once
		sayPlan(d, p)
		aheadOf(t).plans.rows[i].Told = ""
		return nil
	}
	return nil
}

// ahead has the plans and standing orders of a game in a unit of work.
type ahead struct {
	standing map[int]*Standing // by place; nil until read
	plans    plans
}

func aheadOf(t *unit.Game) *ahead {
	a, ok := t.Ahead.(*ahead)
	if !ok {
		a = &ahead{}
		t.Ahead = a
	}
	return a
}

// PlanTried reports whether a plan was tried in this transaction.
func PlanTried(t *unit.Game) bool { return aheadOf(t).plans.tried }
