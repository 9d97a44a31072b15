// Package turns plays a player's turn: the order lines of a letter, plans for the turn to
// come, standing orders, hints, bots, and the planner of the page, which tries lines the
// same way. No one but their player ever sees a plan or a standing order.
package turns

import (
	"errors"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// Orderly reports whether an item is part of the block of orders: a clause, an
// undo, or a line that can only have been meant for one.
func Orderly(w *unit.Sender, it order.Item) bool {
	switch {
	case it.Problem != nil:
		return it.Problem.Of == order.NoWord && strings.HasPrefix(it.Problem.Code, "order-")
	case it.Word.Kind == order.Refuse: // "decline": an invitation, or an owner's activation
		return it.Clause != nil && !w.Invited() && !Asked(w)
	case it.Word.Kind == order.Undo:
		return true
	}
	return it.Clause != nil
}

// Asked reports whether a letter answers a question that concerns no game.
func Asked(w *unit.Sender) bool { return w.Token != nil && w.Token.Confirm != 0 && w.Game == nil }

// A Block is the order lines of one letter (engine/order/ORDERS.md 1): tried on a copy, and
// kept if all could be played or something new became known before one could
// not.
type Block struct {
	table         *unit.Game
	names         []string // of the players, as its writer read them; nil: as they are now
	place         int
	seat          engine.Seat
	trial         bool         // preview
	Cur           *game.Replay // nil until the first line
	start         int          // length of the log before the letter
	turn          int          // how many turns the seat had ended before it
	Lines         []notice.LineResult
	wants         []wish
	listed        int  // one more than the line of the last reservation list played
	news          bool // something new became known
	fail          bool
	stop          bool     // preview: at a step that would make something known
	chance        string   // preview: that step; it is not taken
	steps         []string // preview: the orders tried
	asked         []int    // preview: for each of them and chance, the line that asked for it; 0: none
	standing      *Standing
	stood         map[int]int // lines of the log that standing orders made, by index
	passed, undid int
	bad           int          // fail: the item at fault
	at            *game.Replay // the position in which that was refused; else below the last item
	mended        bool         // a yes plays it without its typos
	beside        string       // what else the letter says: stop before what can't be undone
	Held          []order.Item // what then waits for a yes
}

// A wish answers a decision that the game has not reached yet (engine/order/ORDERS.md 1).
type wish struct {
	clause order.Clause
	line   int // index into lines
}

// Fails reports whether an order of the block was refused.
func (b *Block) Fails() bool { return b.fail }

// Orders plays the clauses of a letter, in order; undo among them is nil.
func Orders(u *unit.Unit, w *unit.Sender, items []order.Item, trial bool) (*Block, error) {
	code, args := MayOrder(u, w)
	if code == "" {
		if _, err := StandingOf(u, w.Game, w.Seat); err != nil {
			return nil, err
		}
		if beside := besides(items); beside != "" && !trial {
			return careful(w, items, beside)
		}
		return newBlock(w.Game, w.Seat, w.Names, w.Token.Step, items, trial)
	}
	b := &Block{table: w.Game, trial: trial}
	for _, it := range items {
		b.Lines = append(b.Lines, notice.LineResult{N: it.Line, Text: it.Text, Status: notice.LineRefused, Problem: &notice.Problem{Code: code, Args: args}})
	}
	b.fail = len(items) > 0
	return b, nil
}

// newBlock plays clauses and undo for a seat of a running game. The players are named
// as in the letter that the items answer; nil: as now. seen is the length of the log that
// the writer knew.
func newBlock(t *unit.Game, x *store.Seat, names []string, seen int, items []order.Item, trial bool) (*Block, error) {
	return playBlock(t, x, names, seen, items, trial, "")
}

// playBlock is newBlock for a letter in which other words may take its orders back: `beside` has
// those words, "" if there are none.
func playBlock(t *unit.Game, x *store.Seat, names []string, seen int, items []order.Item, trial bool, beside string) (*Block, error) {
	b := &Block{beside: beside, table: t, names: names, trial: trial, place: x.Place, seat: engine.Seat(x.Seat), Cur: t.Replay.Copy(), start: t.Replay.Step(), turn: t.Replay.Turns[x.Seat],
		standing: aheadOf(t).standing[x.Place], stood: map[int]int{}}
	if i := unreadable(items); i >= 0 {
		b.refuseUnread(items, i)
		return b, nil
	}
	skip := b.resent(items, seen)
	for i, it := range items {
		first := len(b.Lines)
		switch {
		case i < skip:
			b.Lines = append(b.Lines, notice.LineResult{N: it.Line, Text: it.Text, Status: notice.LinePassed})
			b.passed++
		case b.fail || b.stop:
			b.Lines = append(b.Lines, notice.LineResult{N: it.Line, Text: it.Text, Status: notice.LineUnread})
		case it.Clause == nil:
			b.undo(it)
		default:
			if err := b.clause(it); err != nil {
				return nil, err
			}
		}
		if b.stop && !b.trial {
			b.hold(items, i, first)
			break
		}
		if !b.fail {
			b.bad = i + 1
		}
	}
	b.at = b.Cur
	if err := b.finish(); err != nil {
		return nil, err
	}
	return b, nil
}

// MayOrder returns why the writer may give no orders here, "" if they may.
func MayOrder(u *unit.Unit, w *unit.Sender) (code string, args map[string]string) {
	switch {
	case w.Words:
		return notice.ProblemToken, nil
	case w.Game == nil:
		return notice.ProblemNoGame, nil
	case w.Seat != nil && w.Seat.Player == w.ID && w.Seat.Stage == store.SeatAbsent && w.Game.Running():
		return notice.ProblemAbsent, nil
	case w.Game.Row.State == store.GameFinished:
		return notice.ProblemOver, nil
	case !w.Game.Running() && w.Game.Row.State != store.GameInvited:
		return notice.ProblemOff, nil
	case w.Seat == nil || w.Seat.Player != w.ID || w.Seat.Bot != "":
		return w.Unseated(), nil
	case w.Game.Row.State == store.GameInvited:
		return notice.ProblemUnbegun, map[string]string{"names": w.Game.WaitingFor()}
	case !Open(w):
		return Stale(w), nil
	}
	return "", nil
}

// Stale returns why the token's turn can no longer be played: it is over, or a ruling took the
// game back to before it.
func Stale(w *unit.Sender) string {
	p := w.Game.Replay
	if w.Token.Step < p.Rolled && w.Token.Turn >= p.Turns[w.Seat.Seat] {
		return notice.ProblemRolled
	}
	return notice.ProblemTurnOver
}

// Open reports whether the token's turn is not over: a token is good until its seat has ended
// that turn, and after it for decisions that the seat still owes (Q3.3).
func Open(w *unit.Sender) bool {
	if w.Token == nil {
		return false
	}
	if w.Game == nil || w.Game.Replay == nil || w.Seat == nil || w.Invited() {
		return true
	}
	seat := engine.Seat(w.Seat.Seat)
	p := w.Game.Replay
	if w.Token.Step < p.Rolled { // it was issued for what was taken back
		return false
	}
	if w.Token.Turn == p.Turns[seat] {
		return true
	}
	return debt(p.State.Asked(seat)) && w.Token.Turn+1 == p.Turns[seat]
}

// unreadable returns the index of the first clause that cannot mean any step, or -1. With one
// of those no part of a letter is played.
func unreadable(items []order.Item) int {
	for i, it := range items {
		if it.Problem != nil || it.Clause != nil && !it.Clause.Readable() {
			return i
		}
	}
	return -1
}

func (b *Block) refuseUnread(items []order.Item, bad int) {
	b.fail, b.bad = true, bad
	legal := b.Cur.State.Legal(b.seat, nil)
	for i, it := range items {
		r := notice.LineResult{N: it.Line, Text: it.Text, Status: notice.LineDropped}
		if i > bad {
			r.Status = notice.LineUnread
		}
		switch {
		case it.Problem != nil:
			r.Status, r.Problem = notice.LineRefused, Problem(it.Problem)
		case it.Clause != nil && !it.Clause.Readable():
			_, p := order.Match(*it.Clause, legal, b.table.Context(b.seat, b.names))
			r.Status, r.Problem = notice.LineRefused, Problem(p)
		}
		b.Lines = append(b.Lines, r)
	}
	b.Cur = nil
}

// Problem is a Problem of the order language as a letter says it.
func Problem(p *order.Problem) *notice.Problem {
	if p == nil {
		return nil
	}
	out := notice.Refuse(p.Code)
	switch {
	case p.Word != "":
		out.Args = map[string]string{"word": p.Word}
	case p.Code == order.BadWord || p.Code == order.BadStanding: // which tell the word
		out.Args = map[string]string{"then": "none"}
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
	return out
}

// clause plays one clause.
func (b *Block) clause(it order.Item) error {
	c := *it.Clause
	b.Lines = append(b.Lines, notice.LineResult{N: it.Line, Text: it.Text})
	at := len(b.Lines) - 1
	for {
		asked := b.Cur.State.Asked(b.seat)
		if asked == engine.AskReserve && b.Cur.Step() > b.start && b.Cur.Options.Rules == "advanced" {
			if list, _ := c.List(); list { // the player must see all lists first (Q6.2b)
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
		legal := b.Cur.State.Legal(b.seat, nil)
		if len(legal) == 0 {
			switch {
			case b.spare(c):
				b.skip(at)
			case c.Wish:
				b.wants = append(b.wants, wish{c, at})
			default:
				b.refuse(at, b.notAsked())
			}
			return nil
		}
		ctx := b.context()
		steps, p := order.Match(c, legal, ctx)
		switch {
		case len(steps) == 1:
			return b.play(at, steps[0], notice.LineApplied)
		case p == nil: // it says how to begin what has begun
			b.Lines[at].Status = notice.LineApplied
			return nil
		}
		if c.Wish && !wishFits(asked, p) {
			b.wants = append(b.wants, wish{c, at})
			return nil
		}
		if c.Wish {
			list, _ := c.List()
			if step, ok := c.Choose(legal, ctx); ok && (!list || step.Kind != engine.Done || b.news) {
				return b.grant(at, step, list)
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
			b.Lines[at].Status = notice.LineUnread
			return nil
		case played:
			continue
		case b.spare(c):
			b.skip(at)
			return nil
		}
		q := Problem(p)
		if p.Code == order.NotLegal {
			b.why(q, p.Step)
		}
		b.refuse(at, q)
		return nil
	}
}

// spare reports whether a clause only ends a turn that has already ended since the letter's
// first line.
func (b *Block) spare(c order.Clause) bool {
	return c.Ends() && b.Cur.Turns[b.seat] > b.turn
}

func (b *Block) skip(at int) {
	b.Lines[at].Status, b.Lines[at].Problem = notice.LineSkipped, notice.Refuse(notice.ProblemSpare)
}

// sink moves the line at index at to after the forced steps played for it.
func (b *Block) sink(at int) int {
	line := b.Lines[at]
	b.Lines = append(append(b.Lines[:at], b.Lines[at+1:]...), line)
	return len(b.Lines) - 1
}

func (b *Block) context() order.Context {
	ctx := b.table.Reading(b.names)
	ctx.View = b.Cur.State.Project(b.seat)
	return ctx
}

// wishFits reports whether a wish that does not match was meant for the current decision, so
// that we refuse it rather than keep it for later.
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
func (b *Block) why(q *notice.Problem, step engine.Step) {
	var ill *engine.Illegal
	if errors.As(b.Cur.Copy().Try(b.seat, step), &ill) {
		q.Code, q.Rule = notice.ProblemIllegal, ill.Rule
		q.Args = map[string]string{"reason": ill.Code}
	}
}

// notAsked returns why a line is refused when the seat has nothing to decide.
func (b *Block) notAsked() *notice.Problem {
	switch {
	case b.Cur.State.Finished():
		return notice.Refuse(notice.ProblemOver)
	case b.Cur.Step() > b.start:
		return notice.Refuse(notice.ProblemEnded)
	}
	return notice.Refuse(notice.ProblemTurn, "names", b.table.NamesOf(b.Cur.ToAct()))
}

func (b *Block) refuse(at int, p *notice.Problem) {
	b.Lines[at].Status, b.Lines[at].Problem = notice.LineRefused, p
	b.fail = true
}

// play takes one step for the line at index at.
func (b *Block) play(at int, step engine.Step, status notice.Status) error {
	before := b.Cur
	if b.trial || b.beside != "" {
		b.Cur = b.Cur.Copy()
	}
	events, err := b.Cur.Do(b.seat, game.ByPlayer, step)
	if err != nil {
		return err
	}
	line := order.Print(step)
	l := &b.Lines[at]
	for _, e := range events {
		b.news = b.news || e.New()
	}
	if b.beside != "" && b.final() {
		b.Cur, b.stop, b.news = before, true, false
		return nil
	}
	l.As, l.Status = append(l.As, line), status
	if b.trial {
		l.Status = notice.LineTried
		b.asked = append(b.asked, l.N)
		if b.news { // never shows what chance would give
			b.Cur, b.chance, b.stop, b.news = before, line, true, false
			return nil
		}
		b.steps = append(b.steps, line)
	}
	return nil
}

// forced plays the only possible step in the middle of the seat's own turn.
func (b *Block) forced() (bool, error) {
	switch b.Cur.State.Asked(b.seat) {
	case engine.NoDecision, engine.AskTurn, engine.AskReserveFree, engine.AskDiscard, engine.AskOwner, engine.AskKeep:
		return false, nil
	}
	if len(b.Cur.Active) == b.Cur.TurnAt { // the turn has not begun
		return false, nil
	}
	legal := b.Cur.State.Legal(b.seat, nil)
	if len(legal) != 1 {
		return false, nil
	}
	b.Lines = append(b.Lines, notice.LineResult{Status: notice.LineForced})
	return true, b.play(len(b.Lines)-1, legal[0], notice.LineForced)
}

// always plays what a standing order says about the present decision, but not for a player who
// takes something back: they decide themselves.
func (b *Block) always() (bool, error) {
	if b.undid > 0 {
		return false, nil
	}
	step, i, ok := b.standing.choose(b.Cur, b.seat)
	if !ok {
		return false, nil
	}
	b.Lines = append(b.Lines, notice.LineResult{Text: b.standing.Orders[i].Line})
	b.stood[i] = b.Cur.Step() + 1
	return true, b.play(len(b.Lines)-1, step, notice.LineAlways)
}

// wish plays the first wish that answers the current decision.
func (b *Block) wish() (bool, error) {
	switch b.Cur.State.Asked(b.seat) {
	case engine.AskReserve, engine.AskReserveFree, engine.AskDiscard, engine.AskRavagerDiscard, engine.AskOwner, engine.AskKeep:
	default:
		return false, nil
	}
	legal := b.Cur.State.Legal(b.seat, nil)
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
			b.unmet(want.line)
			k = -1
			continue
		}
		if list {
			b.listed = want.line + 1
		}
		return true, b.grant(want.line, step, list)
	}
	return false, nil
}

// grant plays the step of a wish.
func (b *Block) grant(at int, step engine.Step, list bool) error {
	err := b.play(at, step, notice.LineWish)
	if list && step.Kind == engine.Done && !b.trial {
		b.unmet(at)
	}
	return err
}

// unmet reports in the answer that none of the dice of a reservation list was there (Q6.2b).
func (b *Block) unmet(at int) {
	b.Lines[at].Status, b.Lines[at].Problem = notice.LineUnmet, notice.Refuse(notice.ProblemNoDie)
}

// first returns the index of the k-th wish to try, from 0: reservation lists for boosts come
// before all others (Q6.2b).
func (b *Block) first(k int) int {
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
func (b *Block) lists() (n int) {
	for _, want := range b.wants {
		if list, _ := want.clause.List(); list {
			n++
		}
	}
	return n
}

// undo takes back what can be taken back.
func (b *Block) undo(it order.Item) {
	b.Lines = append(b.Lines, notice.LineResult{N: it.Line, Text: it.Text})
	at := len(b.Lines) - 1
	to, ok := b.Cur.Undoable(b.seat)
	if !ok {
		b.refuse(at, notice.Refuse(notice.ProblemUndo))
		return
	}
	before := len(b.Cur.Active)
	if err := b.Cur.Undo(b.seat, game.ByPlayer, to); err != nil {
		b.refuse(at, notice.Refuse(notice.ProblemUndo))
		return
	}
	b.undid = before - len(b.Cur.Active)
	b.Lines[at].Status = notice.LineApplied
	b.Lines[at].As = []string{b.Cur.Lines[len(b.Cur.Lines)-1].Order}
	if b.trial {
		b.Lines[at].Status = notice.LineTried
		b.steps, b.asked = append(b.steps, b.Lines[at].As[0]), append(b.asked, it.Line)
	}
}

// finish plays what needs no more lines, and settles the outcome of the block.
func (b *Block) finish() error {
	for !b.fail && !b.stop && b.Cur.Step() > b.start {
		played, err := b.wish()
		if err == nil && !played {
			played, err = b.forced()
		}
		if err != nil {
			return err
		}
		if !played && b.listed > 0 && b.Cur.State.Asked(b.seat) == engine.AskReserve { // the B named all reservations
			played, err = true, b.play(b.listed-1, engine.Step{Kind: engine.Done}, notice.LineWish)
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
		l := &b.Lines[want.line]
		l.Status = notice.LineVoid
		legal := b.Cur.State.Legal(b.seat, nil)
		if len(legal) == 0 {
			continue
		}
		if _, p := order.Match(want.clause, legal, b.context()); p != nil {
			l.Problem = Problem(p)
		}
	}
	if b.fail && !b.news { // we play none of it
		b.Cur = nil
		var kept []notice.LineResult
		for _, l := range b.Lines {
			switch l.Status {
			case notice.LineApplied, notice.LineWish, notice.LineTried, notice.LineVoid, notice.LineUnmet, notice.LineSkipped:
				l.Status, l.Problem = notice.LineDropped, nil
			case notice.LineForced, notice.LineAlways:
				continue
			}
			kept = append(kept, l)
		}
		b.Lines = kept
	}
	return nil
}

// resent counts the letter's leading clauses that repeat what the seat has played in its turn
// already (engine/order/ORDERS.md 1). The first must repeat the turn's first step; decisions
// owed before it don't have to be repeated. Of all steps that begin a turn, only a flip of the
// first edition may be legal again (R17.1): flips alone, of which the writer knew that they had
// been played, are new ones.
func (b *Block) resent(items []order.Item, seen int) int {
	n, at := b.repeated(items)
	p := b.table.Replay
	if n == 0 || at <= 0 || at > seen {
		return n
	}
	if steps, _ := order.Match(*items[0].Clause, p.State.Legal(b.seat, nil), b.context()); len(steps) == 1 {
		return 0
	}
	return n
}

// repeated counts what resent counts, without regard to what is legal now. flip is the number
// of the line of the log that the last of them repeats; not positive if not all are flips.
func (b *Block) repeated(items []order.Item) (count, flip int) {
	p := b.table.Replay
	done := p.Active[min(p.TurnAt, len(p.Active)):]
	if p.State.Asked(b.seat) == engine.NoDecision {
		return 0, 0
	}
	shadow := p.TurnState
	src := p.Chance()
	ctx := b.table.Reading(b.names)
	n := 0
	for i, it := range items {
		if it.Clause == nil {
			return i, flip
		}
		for said := false; !said; n++ {
			if n == len(done) {
				return i, flip
			}
			l := p.Lines[done[n]-1]
			seat := engine.Seat(l.Seat)
			step, err := order.Parse(l.Order)
			if err != nil {
				return 0, 0
			}
			if seat == b.seat {
				legal := shadow.Legal(seat, nil)
				ctx.View = shadow.Project(seat)
				steps, q := order.Match(*it.Clause, legal, ctx)
				said = len(steps) == 1 && steps[0] == step
				switch {
				case said && step.Kind == engine.FlipDie && flip >= 0:
					flip = done[n]
				case said:
					flip = -1
				}
				if !said && len(steps) == 0 && q == nil && i > 0 { // how to begin what has begun
					n--
					said = true
					continue
				}
				if !said && !debt(shadow.Asked(seat)) && (i == 0 || len(legal) != 1) { // not even a forced step between
					return i, flip
				}
			}
			if err := shadow.Apply(seat, step, src, nil); err != nil {
				return 0, 0
			}
		}
	}
	return len(items), flip
}

// debt reports whether a decision is one of those that a seat owes (Q3.3).
func debt(asked engine.Decision) bool {
	return asked == engine.AskDiscard || asked == engine.AskOwner || asked == engine.AskKeep
}

// Keep makes the block's steps part of the game.
func (b *Block) Keep() bool {
	if b.Cur == nil || b.trial || b.Cur.Step() == b.start {
		return false
	}
	b.table.Replay = b.Cur
	b.table.Moved[b.place] = true
	for i, line := range b.stood {
		b.standing.Orders[i].Last = line
	}
	return true
}

// Remark adds the outcome of the block as a whole to a letter.
func (b *Block) Remark(d *unit.Draft) {
	if b.beside != "" && b.Cur != nil && b.Cur.Step() > b.start {
		d.Say(notice.SayBeside, "remark", naming.Clean(b.beside, false))
	}
	if b.passed > 0 {
		d.Say(notice.SayResent, "n", strconv.Itoa(b.passed))
	}
	switch {
	case b.trial:
		if b.stop {
			d.Say(notice.SayPreviewNew, "order", b.chance)
		}
		if b.Cur != nil {
			d.Answer.Preview = b.steps
		}
	case b.fail && b.Cur == nil:
		dropped := false
		for _, l := range b.Lines {
			dropped = dropped || l.Status == notice.LineDropped
		}
		if dropped && !b.mended {
			d.Say(notice.SayNothing)
		}
	case b.fail:
		d.Say(notice.SayStood)
	case b.undid > 0:
		d.Say(notice.SayUndone, "n", strconv.Itoa(b.undid))
	}
}
