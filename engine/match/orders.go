package match

import (
	"errors"
	"strconv"

	"angelpost/engine"
	"angelpost/engine/order"
)

// A block is the order lines of one letter (ORDERS.md 1): tried on a copy, and
// kept if all could be played or something new became known before one could
// not.
type block struct {
	table         *table
	place         int
	seat          engine.Seat
	trial         bool  // preview
	cur           *play // nil until the first line
	start         int   // length of the log before the letter
	lines         []LineResult
	wants         []wish
	listed        int  // one more than the line of the last reservation list played
	news          bool // something new became known
	fail          bool
	stop          bool     // preview: at a step that would make something known
	chance        string   // preview: that step; it is not taken
	steps         []string // preview: the orders tried
	asked         []int    // preview: for each of them and chance, the line that asked for it; 0: none
	standing      *standing
	stood         map[int]int // lines of the log that standing orders made, by index
	passed, undid int
}

// A wish answers a decision that is not asked yet (ORDERS.md 1).
type wish struct {
	clause order.Clause
	line   int // index into lines
}

// orders plays the clauses of a letter, in order; undo among them is nil.
func (s *sitting) orders(w *writer, items []order.Item, trial bool) (*block, error) {
	code, args := s.mayOrder(w)
	if code == "" {
		if _, err := s.standingOf(w.table, w.seat); err != nil {
			return nil, err
		}
		return newBlock(w.table, w.seat, items, trial)
	}
	b := &block{table: w.table, trial: trial}
	for _, it := range items {
		b.lines = append(b.lines, LineResult{N: it.Line, Text: it.Text, Status: LineRefused, Problem: &Problem{Code: code, Args: args}})
	}
	b.fail = len(items) > 0
	return b, nil
}

// newBlock plays clauses and undo for a seat of a running game.
func newBlock(t *table, x *SeatRow, items []order.Item, trial bool) (*block, error) {
	b := &block{table: t, trial: trial, place: x.Place, seat: engine.Seat(x.Seat), cur: t.play.copy(), start: t.play.step(),
		standing: t.standing[x.Place], stood: map[int]int{}}
	if i := unreadable(items); i >= 0 {
		b.refuseUnread(items, i)
		return b, nil
	}
	skip := b.resent(items)
	for i, it := range items {
		switch {
		case i < skip:
			b.lines = append(b.lines, LineResult{N: it.Line, Text: it.Text, Status: LinePassed})
			b.passed++
		case b.fail || b.stop:
			b.lines = append(b.lines, LineResult{N: it.Line, Text: it.Text, Status: LineUnread})
		case it.Clause == nil:
			b.undo(it)
		default:
			if err := b.clause(it); err != nil {
				return nil, err
			}
		}
	}
	if err := b.finish(); err != nil {
		return nil, err
	}
	return b, nil
}

// mayOrder tells why the writer may give no orders here, "" if he may.
func (s *sitting) mayOrder(w *writer) (code string, args map[string]string) {
	switch {
	case w.words:
		return ProblemToken, nil
	case w.table == nil:
		return ProblemNoGame, nil
	case w.seat != nil && w.seat.Player == w.ID && w.seat.Stage == SeatAbsent && w.table.running():
		return ProblemAbsent, nil
	case w.seat == nil || w.seat.Player != w.ID || w.seat.Bot != "":
		return ProblemSeat, nil
	case w.table.row.State == GameInvited:
		return ProblemUnbegun, map[string]string{"names": w.table.waitingFor()}
	case w.table.row.State == GameFinished:
		return ProblemOver, nil
	case w.table.row.State != GameRunning:
		return ProblemOff, nil
	case !w.open():
		return ProblemTurnOver, nil
	}
	return "", nil
}

// open tells whether the token's turn is still to be played: it is good until
// its seat has ended that turn, and after it for what the seat then owes (Q3.3).
func (w *writer) open() bool {
	if w.token == nil {
		return false
	}
	if w.table == nil || w.table.play == nil || w.seat == nil || w.invited() {
		return true
	}
	seat := engine.Seat(w.seat.Seat)
	p := w.table.play
	if w.token.Step < p.rolled { // it was issued for what was taken back
		return false
	}
	if w.token.Turn == p.turns[seat] {
		return true
	}
	return debt(p.state.Asked(seat)) && w.token.Turn+1 == p.turns[seat]
}

// unreadable is the first clause that could mean no step at all, or -1. With
// one of those nothing of a letter is played.
func unreadable(items []order.Item) int {
	for i, it := range items {
		if it.Problem != nil || it.Clause != nil && !it.Clause.Readable() {
			return i
		}
	}
	return -1
}

func (b *block) refuseUnread(items []order.Item, bad int) {
	b.fail = true
	legal := b.cur.state.Legal(b.seat, nil)
	for i, it := range items {
		r := LineResult{N: it.Line, Text: it.Text, Status: LineDropped}
		if i > bad {
			r.Status = LineUnread
		}
		switch {
		case it.Problem != nil:
			r.Status, r.Problem = LineRefused, problem(it.Problem, legal)
		case it.Clause != nil && !it.Clause.Readable():
			_, p := order.Match(*it.Clause, legal, b.table.context(b.seat))
			r.Status, r.Problem = LineRefused, problem(p, legal)
		}
		b.lines = append(b.lines, r)
	}
	b.cur = nil
}

// problem is a Problem of the order language as a letter says it. What is
// legal stands in it if the language had nothing nearer.
func problem(p *order.Problem, legal []engine.Step) *Problem {
	if p == nil {
		return nil
	}
	out := &Problem{Code: p.Code}
	if p.Word != "" {
		out.Args = map[string]string{"word": p.Word}
	}
	if p.Step.Kind != engine.NoStep {
		out.Read = order.Print(p.Step)
	}
	for _, c := range p.Choices {
		if p.Code == order.Ambiguous {
			out.Candidates = append(out.Candidates, order.Print(c))
		} else {
			out.Suggestions = append(out.Suggestions, order.Print(c))
		}
	}
	if len(p.Choices) == 0 {
		for _, c := range legal[:min(len(legal), order.MaxChoices)] {
			out.Suggestions = append(out.Suggestions, order.Print(c))
		}
	}
	return out
}

// clause plays one clause.
func (b *block) clause(it order.Item) error {
	c := *it.Clause
	b.lines = append(b.lines, LineResult{N: it.Line, Text: it.Text})
	at := len(b.lines) - 1
	for {
		asked := b.cur.state.Asked(b.seat)
		if asked == engine.AskReserve && b.cur.step() > b.start && b.cur.options.Rules == "advanced" {
			if list, _ := c.List(); list { // all lists are to be seen first (Q6.2b)
				b.wants = append(b.wants, wish{c, at})
				return nil
			}
			if played, err := b.wish(); played || err != nil {
				if err != nil || b.stop {
					return err
				}
				continue
			}
		}
		legal := b.cur.state.Legal(b.seat, nil)
		if len(legal) == 0 {
			if c.Wish {
				b.wants = append(b.wants, wish{c, at})
				return nil
			}
			b.refuse(at, b.notAsked())
			return nil
		}
		ctx := b.context()
		steps, p := order.Match(c, legal, ctx)
		switch {
		case len(steps) == 1:
			return b.play(at, steps[0], LineApplied)
		case p == nil: // it says how to begin what has begun
			b.lines[at].Status = LineApplied
			return nil
		}
		if c.Wish && !wishFits(asked, p) {
			b.wants = append(b.wants, wish{c, at})
			return nil
		}
		if c.Wish {
			if step, ok := c.Choose(legal, ctx); ok {
				return b.play(at, step, LineWish)
			}
		}
		played, err := b.wish()
		if err == nil && !played {
			if played, err = b.always(); err == nil && !played {
				played, err = b.forced()
			}
			if played {
				at = b.sink(at)
			}
		}
		switch {
		case err != nil:
			return err
		case b.stop: // a preview ends with that step
			b.lines[at].Status = LineUnread
			return nil
		case played:
			continue
		}
		q := problem(p, legal)
		if p.Code == order.NotLegal {
			b.why(q, p.Step)
		}
		b.refuse(at, q)
		return nil
	}
}

// sink moves the line at index at behind the forced steps played for it.
func (b *block) sink(at int) int {
	line := b.lines[at]
	b.lines = append(append(b.lines[:at], b.lines[at+1:]...), line)
	return len(b.lines) - 1
}

func (b *block) context() order.Context {
	return order.Context{Names: b.table.names(), View: b.cur.state.Project(b.seat)}
}

// wishFits tells whether a wish that does not match was meant for what is asked
// now, so that it is to be refused rather than kept for later.
func wishFits(asked engine.Decision, p *order.Problem) bool {
	if p.Code == order.Ambiguous {
		return true
	}
	switch p.Step.Kind {
	case engine.Discard:
		return asked == engine.AskDiscard || asked == engine.AskRavagerDiscard
	case engine.Keep:
		return asked == engine.AskKeep
	case engine.Reserve:
		return asked == engine.AskReserve || asked == engine.AskReserveFree
	case engine.Decline:
		return asked == engine.AskOwner
	}
	return asked == engine.AskReserve || asked == engine.AskReserveFree // a list has no one step
}

// why asks the rules for the reason.
func (b *block) why(q *Problem, step engine.Step) {
	var ill *engine.Illegal
	if errors.As(b.cur.copy().try(b.seat, step), &ill) {
		q.Code, q.Rule = ProblemIllegal, ill.Rule
		q.Args = map[string]string{"reason": ill.Code}
	}
}

// try tells why a step is illegal.
func (p *play) try(seat engine.Seat, step engine.Step) error {
	_, err := p.do(seat, ByPlayer, step)
	return err
}

// notAsked is why a line is refused when the seat has nothing to decide.
func (b *block) notAsked() *Problem {
	switch {
	case b.cur.state.Finished():
		return &Problem{Code: ProblemOver}
	case b.cur.step() > b.start:
		return &Problem{Code: ProblemEnded}
	}
	return &Problem{Code: ProblemTurn, Args: map[string]string{"names": b.table.namesOf(b.cur.toAct())}}
}

func (b *block) refuse(at int, p *Problem) {
	b.lines[at].Status, b.lines[at].Problem = LineRefused, p
	b.fail = true
}

// play takes one step for the line at index at.
func (b *block) play(at int, step engine.Step, status Status) error {
	before := b.cur
	if b.trial {
		b.cur = b.cur.copy()
	}
	events, err := b.cur.do(b.seat, ByPlayer, step)
	if err != nil {
		return err
	}
	line := order.Print(step)
	l := &b.lines[at]
	l.As, l.Status = append(l.As, line), status
	for _, e := range events {
		b.news = b.news || e.New()
	}
	if b.trial {
		l.Status = LineTried
		b.asked = append(b.asked, l.N)
		if b.news { // never shows what chance would give
			b.cur, b.chance, b.stop, b.news = before, line, true, false
			return nil
		}
		b.steps = append(b.steps, line)
	}
	return nil
}

// forced plays the only possible step in the middle of the seat's own turn.
func (b *block) forced() (bool, error) {
	switch b.cur.state.Asked(b.seat) {
	case engine.NoDecision, engine.AskTurn, engine.AskReserveFree, engine.AskDiscard, engine.AskOwner, engine.AskKeep:
		return false, nil
	}
	if len(b.cur.active) == b.cur.turnAt { // the turn has not begun
		return false, nil
	}
	legal := b.cur.state.Legal(b.seat, nil)
	if len(legal) != 1 {
		return false, nil
	}
	b.lines = append(b.lines, LineResult{Status: LineForced})
	return true, b.play(len(b.lines)-1, legal[0], LineForced)
}

// always plays what a standing order says about what is asked now. Whoever takes
// something back decides himself.
func (b *block) always() (bool, error) {
	if b.undid > 0 {
		return false, nil
	}
	step, i, ok := b.standing.choose(b.cur, b.seat)
	if !ok {
		return false, nil
	}
	b.lines = append(b.lines, LineResult{Text: b.standing.Orders[i].Line})
	b.stood[i] = b.cur.step() + 1
	return true, b.play(len(b.lines)-1, step, LineAlways)
}

// wish plays the first wish that answers what is asked now.
func (b *block) wish() (bool, error) {
	switch b.cur.state.Asked(b.seat) {
	case engine.AskReserve, engine.AskReserveFree, engine.AskDiscard, engine.AskRavagerDiscard, engine.AskOwner, engine.AskKeep:
	default:
		return false, nil
	}
	legal := b.cur.state.Legal(b.seat, nil)
	ctx := b.context()
	for k := 0; k < len(b.wants); k++ {
		i := b.first(k)
		want := b.wants[i]
		step, ok := want.clause.Choose(legal, ctx)
		if !ok {
			continue
		}
		b.wants = append(b.wants[:i:i], b.wants[i+1:]...)
		list, _ := want.clause.List()
		if list && step.Kind == engine.Done && b.lists() > 0 { // the next list may find a die (Q6.2b)
			b.lines[want.line].Status = LineWish
			k = -1
			continue
		}
		if list {
			b.listed = want.line + 1
		}
		return true, b.play(want.line, step, LineWish)
	}
	return false, nil
}

// first is the k-th wish to be tried, from 0: reservation lists for boosts come
// before all others (Q6.2b).
func (b *block) first(k int) int {
	for _, boosts := range []bool{true, false} {
		for i, want := range b.wants {
			if _, boost := want.clause.List(); boost == boosts {
				if k == 0 {
					return i
				}
				k--
			}
		}
	}
	return 0
}

// lists counts the reservation lists that are left.
func (b *block) lists() (n int) {
	for _, want := range b.wants {
		if list, _ := want.clause.List(); list {
			n++
		}
	}
	return n
}

// undo takes back what can be taken back.
func (b *block) undo(it order.Item) {
	b.lines = append(b.lines, LineResult{N: it.Line, Text: it.Text})
	at := len(b.lines) - 1
	to, ok := b.cur.undoable(b.seat)
	if !ok {
		b.refuse(at, &Problem{Code: ProblemUndo})
		return
	}
	before := len(b.cur.active)
	if err := b.cur.undo(b.seat, ByPlayer, to); err != nil {
		b.refuse(at, &Problem{Code: ProblemUndo})
		return
	}
	b.undid = before - len(b.cur.active)
	b.lines[at].Status = LineApplied
	b.lines[at].As = []string{b.cur.lines[len(b.cur.lines)-1].Order}
	if b.trial {
		b.lines[at].Status = LineTried
		b.steps, b.asked = append(b.steps, b.lines[at].As[0]), append(b.asked, it.Line)
	}
}

// finish plays what needs no more lines and settles what became of the block.
func (b *block) finish() error {
	for !b.fail && !b.stop && b.cur.step() > b.start {
		played, err := b.wish()
		if err == nil && !played {
			played, err = b.forced()
		}
		if err != nil {
			return err
		}
		if !played && b.listed > 0 && b.cur.state.Asked(b.seat) == engine.AskReserve { // all was said with the B
			played, err = true, b.play(b.listed-1, engine.Step{Kind: engine.Done}, LineWish)
			if err != nil {
				return err
			}
		}
		if !played {
			if played, err = b.always(); err != nil {
				return err
			}
		}
		if !played {
			break
		}
	}
	for _, want := range b.wants {
		l := &b.lines[want.line]
		l.Status = LineVoid
		legal := b.cur.state.Legal(b.seat, nil)
		if len(legal) == 0 {
			continue
		}
		if _, p := order.Match(want.clause, legal, b.context()); p != nil {
			l.Problem = problem(p, legal)
		}
	}
	if b.fail && !b.news { // nothing of it is done
		b.cur = nil
		var kept []LineResult
		for _, l := range b.lines {
			switch l.Status {
			case LineApplied, LineWish, LineTried, LinePassed, LineVoid:
				if l.Status != LinePassed {
					l.Status = LineDropped
				}
			case LineForced, LineAlways:
				continue
			}
			kept = append(kept, l)
		}
		b.lines = kept
	}
	return nil
}

// resent counts the letter's leading clauses that repeat what the seat has
// played in its turn already (ORDERS.md 1). The first must repeat the turn's
// first step, which is never legal twice in a turn; what was owed before it
// need not be repeated.
func (b *block) resent(items []order.Item) int {
	p := b.table.play
	done := p.active[min(p.turnAt, len(p.active)):]
	if p.state.Asked(b.seat) == engine.NoDecision {
		return 0
	}
	shadow := p.turnState
	src := p.chance()
	ctx := order.Context{Names: b.table.names()}
	n := 0
	for i, it := range items {
		if it.Clause == nil {
			return i
		}
		for said := false; !said; n++ {
			if n == len(done) {
				return i
			}
			l := p.lines[done[n]-1]
			seat := engine.Seat(l.Seat)
			step, err := order.Parse(l.Order)
			if err != nil {
				return 0
			}
			if seat == b.seat {
				legal := shadow.Legal(seat, nil)
				ctx.View = shadow.Project(seat)
				steps, q := order.Match(*it.Clause, legal, ctx)
				said = len(steps) == 1 && steps[0] == step
				if !said && len(steps) == 0 && q == nil && i > 0 { // how to begin what has begun
					n--
					said = true
					continue
				}
				if !said && !debt(shadow.Asked(seat)) && (i == 0 || len(legal) != 1) { // not even a forced step between
					return i
				}
			}
			if err := shadow.Apply(seat, step, src, nil); err != nil {
				return 0
			}
		}
	}
	return len(items)
}

// debt tells whether a decision is one of those that a seat owes (Q3.3).
func debt(asked engine.Decision) bool {
	return asked == engine.AskDiscard || asked == engine.AskOwner || asked == engine.AskKeep
}

// keep makes the block's play the game's.
func (b *block) keep() bool {
	if b.cur == nil || b.trial || b.cur.step() == b.start {
		return false
	}
	b.table.play = b.cur
	b.table.moved[b.place] = true
	for i, line := range b.stood {
		b.standing.Orders[i].Last = line
	}
	return true
}

// remark says what became of the block as a whole.
func (b *block) remark(d *draft) {
	if b.passed > 0 {
		d.say(SayResent, "n", strconv.Itoa(b.passed))
	}
	switch {
	case b.trial:
		if b.stop {
			d.say(SayPreviewNew, "order", b.chance)
		}
		d.say(SayPreview)
		if b.cur != nil {
			d.answer.Preview = b.steps
		}
	case b.fail && b.cur == nil:
		dropped := false
		for _, l := range b.lines {
			dropped = dropped || l.Status == LineDropped
		}
		if dropped {
			d.say(SayNothing)
		}
	case b.fail:
		d.say(SayStood)
	case b.undid > 0:
		d.say(SayUndone, "n", strconv.Itoa(b.undid))
	}
}
