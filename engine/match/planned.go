package match

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/order"
)

// A player may plan his coming turn: blocks of orders, each with guards, which
// are tried in order the moment the turn comes, as a letter with them would be.
// Nobody else learns of a plan, not even that there is one, until it is played;
// then it is a turn like any other. It is for that one turn. What became of it
// is told in the player's next letter about the game.

// A PlanRow is a player's plan for a coming turn, and what became of the one
// before it until he was told.
type PlanRow struct {
	Game   string
	Place  int
	Player int64
	Turn   int    // turns the seat will have completed when it is tried
	Step   int    // length of the log when it was made
	Lines  string // of its letter, as order.Ahead.Text gives them; "" none
	Told   string // JSON of a Planned; "" none
}

// A Planned is what a letter says of a plan: codes, and lines of its reader's own.
type Planned struct {
	State  string         `json:"state"`
	Blocks []PlannedBlock `json:"blocks,omitempty"`
}

// States of a Planned.
const (
	PlanKept    = "kept"    // stored; where blocks have a Status, they were tried in the position as it is
	PlanTried   = "tried"   // the same, but not stored
	PlanAsked   = "asked"   // there is this one
	PlanNone    = "none"    // there is none
	PlanDropped = "dropped" // there is none any more
	PlanPlayed  = "played"  // the last block, which fits, was played
	PlanPart    = "part"    // its beginning was played: chance spoke, then a line was refused
	PlanFailed  = "failed"  // no block could be played
	PlanVoid    = "void"    // the position it was made for was taken back
)

// A PlannedBlock is a block of a plan and what came of trying it.
type PlannedBlock struct {
	Guards []string     `json:"guards,omitempty"` // canonical
	Orders []string     `json:"orders"`           // as written
	Status string       `json:"status,omitempty"` // "" not tried
	Guard  string       `json:"guard,omitempty"`  // the first that did not hold
	Lines  []LineResult `json:"lines,omitempty"`  // what became of its orders
	Random string       `json:"chance,omitempty"` // the order that rolls or draws, at which a trial ended
}

// Statuses of a PlannedBlock.
const (
	BlockFits  = "fits"
	BlockGuard = "guard"
	BlockLine  = "line"
)

// plans are those at a table in a sitting.
type plans struct {
	read  bool
	tried bool      // one was tried in this sitting
	rows  []PlanRow // by place where there is one
	saved []PlanRow // as loaded
}

// plansOf loads the plans at a table once.
func (s *sitting) plansOf(t *table) error {
	if t.plans.read {
		return nil
	}
	rows, err := s.tx.Plans(t.row.ID)
	if err != nil {
		return err
	}
	t.plans.read, t.plans.rows, t.plans.saved = true, rows, slices.Clone(rows)
	return nil
}

// of is the plan of a place, made if there is none.
func (p *plans) of(x *SeatRow) *PlanRow {
	for i := range p.rows {
		if p.rows[i].Place == x.Place {
			return &p.rows[i]
		}
	}
	p.rows = append(p.rows, PlanRow{Game: x.Game, Place: x.Place, Player: x.Player})
	return &p.rows[len(p.rows)-1]
}

// planned tells whether whoever plays a seat has a plan.
func (s *sitting) planned(t *table, x *SeatRow) (bool, error) {
	err := s.plansOf(t)
	return slices.ContainsFunc(t.plans.rows, func(r PlanRow) bool { return r.Place == x.Place && r.Player == x.Player && r.Lines != "" }), err
}

// savePlans writes back what changed; of a game that is over nothing stays.
func (s *sitting) savePlans(t *table) error {
	over := t.play != nil && t.row.State != GameRunning
	if over {
		if err := s.plansOf(t); err != nil {
			return err
		}
	}
	for _, r := range t.plans.rows {
		if over {
			r.Lines, r.Told = "", ""
		}
		there := func(o PlanRow) bool { return o.Place == r.Place }
		if slices.Contains(t.plans.saved, r) || r.Lines == "" && r.Told == "" && !slices.ContainsFunc(t.plans.saved, there) {
			continue
		}
		if err := s.tx.SavePlan(r); err != nil {
			return err
		}
	}
	return nil
}

// planWord keeps, shows or drops the writer's plan. trial: nothing is kept;
// ordered: the letter has orders, too.
func (s *sitting) planWord(c *saying, trial, ordered bool) error {
	w, t := c.w, c.w.table
	code, args := s.mayOrder(w)
	turn, ok := 0, false
	if code == "" || code == ProblemTurnOver {
		if turn, ok = w.planTurn(ordered); ok {
			code = ""
		} else {
			code = ProblemTurnOver
		}
	}
	if code != "" {
		c.line.Status, c.line.Problem = LineRefused, &Problem{Code: code, Args: args}
		if w.words {
			return s.noticeAgain(w)
		}
		return nil
	}
	if err := s.plansOf(t); err != nil {
		return err
	}
	row := t.plans.of(w.seat)
	if row.Player != w.ID {
		*row = PlanRow{Game: t.row.ID, Place: w.seat.Place, Player: w.ID}
	}
	a := c.word.Ahead
	switch {
	case c.word.Arg == "none" && trial:
		c.refuse(ProblemPreview, "word", c.word.Kind.String())
		return nil
	case c.word.Arg == "none":
		state := PlanNone
		if row.Lines != "" {
			state = PlanDropped
		}
		row.Lines = ""
		c.done()
		w.answer.plan(&Planned{State: state})
		return nil
	case a == nil:
		if row.Lines == "" {
			w.answer.plan(&Planned{State: PlanNone})
			return nil
		}
		a = order.ReadAhead(strings.Split(row.Lines, "\n"))
		w.answer.plan(s.tryNow(t, w.seat, a, PlanAsked))
		return nil
	}
	if bad := t.resolve(w.seat, a); bad != nil {
		w.answer.answer.Lines = append(w.answer.answer.Lines, bad...)
		c.line.Status = LineRefused
		w.answer.say(SayNotPlanned)
		return nil
	}
	if trial {
		w.answer.plan(s.tryNow(t, w.seat, a, PlanTried))
		return nil
	}
	c.done()
	row.Player, row.Turn, row.Step, row.Lines = w.ID, turn, t.play.step(), strings.Join(a.Text(), "\n")
	if t.play.onTurn() != engine.Seat(w.seat.Seat) || turn > t.play.turns[w.seat.Seat] {
		w.answer.plan(s.tryNow(t, w.seat, a, PlanKept))
	}
	return nil
}

// Ahead is what the player whose page the key opens has planned for his turn to
// come, as the lines of a letter; none if nothing. Errors are Look's.
func (h *Host) Ahead(ctx context.Context, id, key string) (lines []string, err error) {
	err = h.Store.View(ctx, func(tx Tx) error {
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
func (d *draft) plan(p *Planned) {
	d.answer.Sections = append(d.answer.Sections, Section{Kind: "plan", Plan: p})
}

// planTurn is the turn of the writer's seat that a plan of his letter is for:
// the next that has not begun. A plan written in answer to a turn's notice may
// arrive when that turn is over; ok is false where it is older, or could be for
// either of two.
func (w *writer) planTurn(ordered bool) (turn int, ok bool) {
	p, seat := w.table.play, engine.Seat(w.seat.Seat)
	done, then := p.turns[seat], w.token.Turn
	if w.token.Step < p.rolled { // of turns that were taken back
		return done, false
	}
	if p.onTurn() == seat && (p.inTurn(seat) || ordered && then == done) {
		return done + 1, then == done
	}
	return done, then == done || then == done-1
}

// inTurn tells whether the seat, whose turn it is, has taken a step of it; what
// it owed before is none.
func (p *play) inTurn(seat engine.Seat) bool {
	for _, n := range p.active[min(p.turnAt, len(p.active)):] {
		if l := p.lines[n-1]; l.Seat == int(seat) {
			if step, err := order.Parse(l.Order); err != nil || !debtStep(step.Kind) {
				return true
			}
		}
	}
	return false
}

// debtStep tells whether a step may be one that was owed (Q3.3).
func debtStep(k engine.Kind) bool {
	return k == engine.Discard || k == engine.Keep || k == engine.Decline || k == engine.Collect
}

// resolve finds whom the guards of a plan name. Where something in it cannot be
// read, it returns what became of every line.
func (t *table) resolve(x *SeatRow, a *order.Ahead) []LineResult {
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
	legal := t.play.state.Legal(engine.Seat(x.Seat), nil)
	var out []LineResult
	for _, it := range a.Lines {
		l := LineResult{N: it.Line, Text: it.Text, Status: LineDropped}
		switch {
		case it.Problem != nil:
			l.Status, l.Problem = LineRefused, problem(it.Problem, nil)
		case it.Clause != nil && !it.Clause.Readable():
			_, p := order.Match(*it.Clause, legal, ctx)
			l.Status, l.Problem = LineRefused, problem(p, nil)
		case it.Guard != nil:
			if _, p := it.Guard.Named(ctx); p != nil {
				l.Status, l.Problem = LineRefused, problem(p, nil)
			}
		}
		out = append(out, l)
	}
	return out
}

// tryNow tries the blocks of a plan in the position as it is, as if the seat's
// turn began now. That promises nothing.
func (s *sitting) tryNow(t *table, x *SeatRow, a *order.Ahead, state string) *Planned {
	out := &Planned{State: state}
	shadow := *t
	var can bool
	shadow.play, can = t.play.asIf(engine.Seat(x.Seat))
	for i := range a.Blocks {
		b := PlannedBlock{Guards: texts(a.Blocks[i].Guards), Orders: a.Blocks[i].Orders}
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

// asIf is a copy of the game in which the seat's turn begins now; nothing of
// what was is in it. ok is false where the seat has no turn to come.
func (p *play) asIf(seat engine.Seat) (q *play, ok bool) {
	state, ok := p.state.AsIf(seat)
	if !ok {
		return nil, false
	}
	q = p.scratch()
	q.state, q.turnState, q.turnAt = state, state, 0
	q.events = make([][]engine.Event, 1)
	return q, true
}

// tryBlock tries a block where the game stands, and writes into out what came of
// it. It returns the block if it can be kept.
func (s *sitting) tryBlock(t *table, x *SeatRow, blk *order.Block, out *PlannedBlock, trial bool) *block {
	v := t.play.state.Project(engine.Seat(x.Seat))
	for _, g := range blk.Guards {
		if !g.Holds(v) {
			out.Status, out.Guard = BlockGuard, g.String()
			return nil
		}
	}
	out.Status = BlockLine
	items := order.ReadLetter(blk.Orders).Items
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
	if err != nil { // its writer's fault or ours, but not his whose letter it is
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
	if b.cur == nil || b.cur.step() == b.start && b.chance == "" {
		return nil
	}
	out.Status = BlockFits
	return b
}

// playPlan plays the plan of whoever's turn has come.
func (s *sitting) playPlan(t *table) (moved bool, err error) {
	if t.play.step() == t.from && !t.plans.read && !t.fresh {
		return false, nil // it was tried when the turn came
	}
	x := t.bySeat(t.play.onTurn())
	if x == nil || x.nobody() {
		return false, nil
	}
	if err := s.plansOf(t); err != nil {
		return false, err
	}
	i := slices.IndexFunc(t.plans.rows, func(r PlanRow) bool { return r.Place == x.Place && r.Player == x.Player && r.Lines != "" })
	if i < 0 || t.plans.rows[i].Turn != t.play.turns[x.Seat] || !t.play.waits(engine.Seat(x.Seat)) {
		return false, nil
	}
	if _, err := s.standingOf(t, x); err != nil { // what the plan leaves open may be said once for all
		return false, err
	}
	row := &t.plans.rows[i]
	a := order.ReadAhead(strings.Split(row.Lines, "\n"))
	done := Planned{State: PlanFailed}
	for i := range a.Blocks {
		out := PlannedBlock{Guards: texts(a.Blocks[i].Guards), Orders: a.Blocks[i].Orders}
		b := s.tryBlock(t, x, &a.Blocks[i], &out, false)
		done.Blocks = append(done.Blocks, out)
		if b == nil {
			continue
		}
		if done.State = PlanPlayed; b.fail {
			done.State = PlanPart
		}
		turns := t.play.turns[x.Seat]
		moved = b.keep()
		if p := t.pace(); t.play.turns[x.Seat] > turns && t.row.Paused.IsZero() { // his clock never ran
			x.Bank = p.spend(x.Bank, p.Turn+x.Bank)
		}
		break
	}
	row.Lines = ""
	t.plans.tried = true
	return moved, row.tell(&done)
}

// tell notes what became of a plan, for the player's next letter.
func (r *PlanRow) tell(p *Planned) error {
	text, err := json.Marshal(p)
	r.Told = string(text)
	return err
}

// dropPlans drops the plans of those who left their seats, and those made for a
// position that was taken back.
func (s *sitting) dropPlans(t *table) error {
	if t.play.step() == t.from {
		return nil
	}
	if err := s.plansOf(t); err != nil {
		return err
	}
	for i := range t.plans.rows {
		r := &t.plans.rows[i]
		x := t.place(r.Place)
		if x == nil || x.nobody() || x.Player != r.Player {
			r.Lines, r.Told = "", ""
			continue
		}
		if r.Lines == "" {
			continue
		}
		void := r.Turn < t.play.turns[x.Seat]
		for _, l := range t.play.lines[t.from:] {
			if to, ok := l.back(); ok && l.N > r.Step && to < r.Step && (l.Seat == 0 || l.Seat == x.Seat) {
				void = true
			}
		}
		if void {
			r.Lines = ""
			if err := r.tell(&Planned{State: PlanVoid}); err != nil {
				return err
			}
		}
	}
	return nil
}

// tellPlan says in a letter that tells its reader what happened what became of
// his plan.
func (s *sitting) tellPlan(t *table, x *SeatRow) error {
	i := slices.IndexFunc(t.plans.rows, func(r PlanRow) bool { return r.Place == x.Place && r.Player == x.Player && r.Told != "" })
	if i < 0 {
		return nil
	}
	for _, d := range s.drafts {
		if d.player != x.Player || d.table != t || d.confirm != 0 && !d.reply || d.since == noStory && !d.reply || !d.reply && !d.asked && x.muted(d.player) {
			continue
		}
		p := &Planned{}
		if err := json.Unmarshal([]byte(t.plans.rows[i].Told), p); err != nil {
			return fmt.Errorf("what became of a plan: %w", err)
		}
		d.answer.Sections = slices.DeleteFunc(d.answer.Sections, func(sec Section) bool { return sec.Plan != nil && sec.Plan.State == PlanKept }) // it came at once
		d.plan(p)
		t.plans.rows[i].Told = ""
		return nil
	}
	return nil
}
