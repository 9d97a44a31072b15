package game

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/order"
)

// A Replay is a game replayed: the position after its log, and what happened on
// the way. It only ever grows, so a copy may be kept while another goes on.
type Replay struct {
	set     *component.Set
	Options Options
	Chance  Chance
	Src     engine.Random // of this play alone

	State  engine.State
	Lines  []Line
	Events [][]engine.Event           // by line; [0] is the setup
	hides  []bool                     // by line, from 0: someone may not read all of it
	seen   []fingerprints             // by line, from 0: of the log up to it
	Active []int                      // numbers of the decision lines in force
	Turns  [engine.MaxPlayers + 1]int // turns completed, by seat
	Begun  bool                       // a player has taken a step of the first turn
	opened int                        // length of active before that step
	Rolled int                        // the last rollback's line, 0 none
	stops  []engine.State             // the positions after every stopEvery-th line; [0] is the setup
	Open   bool                       // a past of a game that is over: nothing is hidden any more

	// The turn in progress: where it began, and the positions an undo may go
	// back to, oldest first: all since something new became known.
	TurnState engine.State
	TurnAt    int // length of active when it began
	marks     []mark
}

// A mark is the position before a line that can be undone.
type mark struct {
	active int // length of active before it
	seat   engine.Seat
	state  engine.State
}

// A Chance makes a game's Random: each play draws from one of its own, and all
// draw the same.
type Chance func() engine.Random

// Chance is what the game of a header draws from.
func (h Header) Chance() engine.Random { return engine.NewChance(h.Seed, h.Message()) }

// NewReplay sets a game up. It fails for options the rules do not play, and with an
// *engine.UnknownVersion for rules that this program does not know.
func NewReplay(set *component.Set, o Options, c Chance) (*Replay, error) {
	if err := o.known(); err != nil {
		return nil, err
	}
	p := &Replay{set: set, Options: o, Chance: c, Src: c()}
	var tale engine.Tale
	s, err := engine.New(set, o.Engine(), p.Src, &tale)
	if err != nil {
		return nil, fmt.Errorf("set up: %w", err)
	}
	p.State, p.TurnState, p.stops = s, s, []engine.State{s}
	p.Events = append(p.Events, tale.Events)
	return p, nil
}

// Copy is an independent copy: going on with either leaves the other alone.
func (p *Replay) Copy() *Replay {
	q := *p
	q.Src = p.Chance()
	q.Lines = slices.Clip(q.Lines)
	q.Events = slices.Clip(q.Events)
	q.hides = slices.Clip(q.hides)
	q.seen = slices.Clip(q.seen)
	q.Active = slices.Clip(q.Active)
	q.marks = slices.Clip(q.marks)
	q.stops = slices.Clip(q.stops)
	return &q
}

// Scratch is a copy to look ahead with: what happened so far is not in it, so
// that going on costs the same however long the game is.
func (p *Replay) Scratch() *Replay {
	q := p.Copy()
	q.Lines, q.Events, q.hides, q.seen, q.Active, q.marks, q.stops = nil, nil, nil, nil, nil, nil, nil
	return q
}

// Do takes a step for a seat and logs it. An illegal one changes nothing and
// returns an *engine.Illegal.
func (p *Replay) Do(seat engine.Seat, by By, step engine.Step) ([]engine.Event, error) {
	if seat < 1 || int(seat) > p.Options.Players {
		return nil, fmt.Errorf("seat %d does not play", seat)
	}
	before := p.State
	asked := p.State.Asked(seat)
	var tale engine.Tale
	if err := p.State.Apply(seat, step, p.Src, &tale); err != nil {
		return nil, err
	}
	if by != ByPlayer || len(p.marks) > 0 && p.marks[0].seat != seat {
		p.marks = nil
	}
	if by == ByPlayer {
		p.marks = append(p.marks, mark{len(p.Active), seat, before})
	}
	if asked != engine.AskReserveFree && !p.Begun {
		p.Begun, p.opened = true, len(p.Active)
	}
	p.add(Line{Seat: int(seat), By: by, Order: order.Print(step), Told: told(tale.Events)}, tale.Events)
	if step.Masked() != step || slices.ContainsFunc(tale.Events, engine.Event.Hides) {
		p.hide(step, tale.Events)
	}
	p.Active = append(p.Active, len(p.Lines))
	for _, e := range tale.Events {
		switch {
		case e.Kind == engine.EvTurnEnded:
			p.Turns[e.Seat]++
			p.TurnState, p.TurnAt = p.State, len(p.Active)
			p.marks = nil
		case e.New():
			p.marks = nil
		}
	}
	return tale.Events, nil
}

// add appends a line and gives it its number.
func (p *Replay) add(l Line, events []engine.Event) {
	l.N = len(p.Lines) + 1
	p.Lines = append(p.Lines, l)
	p.Events = append(p.Events, events)
	p.hides = append(p.hides, false)
	p.seen = append(p.seen, p.fingerprints().with(0, l))
	if l.N%stopEvery == 0 {
		p.stops = append(p.stops, p.State)
	}
}

// Undoable reports whether seat has something to take back, and the number of
// the line it would go back to (0: the setup).
func (p *Replay) Undoable(seat engine.Seat) (to int, ok bool) {
	if len(p.marks) == 0 || p.marks[0].seat != seat {
		return 0, false
	}
	if n := p.marks[0].active; n > 0 {
		to = p.Active[n-1]
	}
	return to, true
}

// Undos returns how many steps an undo of seat would take back.
func (p *Replay) Undos(seat engine.Seat) int {
	if _, ok := p.Undoable(seat); !ok {
		return 0
	}
	return len(p.Active) - p.marks[0].active
}

// Undo takes back the seat's steps down to line to, one of those between
// undoable's and the last. The lines stay in the log.
func (p *Replay) Undo(seat engine.Seat, by By, to int) error {
	for i, m := range p.marks {
		at := 0
		if m.active > 0 {
			at = p.Active[m.active-1]
		}
		if at == to && m.seat == seat {
			p.State, p.Active, p.marks = m.state, p.Active[:m.active:m.active], p.marks[:i:i]
			p.Begun = p.Begun && len(p.Active) > p.opened
			p.add(Line{Seat: int(seat), By: by, Order: "undo " + strconv.Itoa(to)}, nil)
			return nil
		}
	}
	return errUndo
}

var errUndo = errors.New("there is nothing to undo there")

// Note logs a line that is not a decision: resign, replace.
func (p *Replay) Note(seat engine.Seat, by By, text string) {
	p.marks = nil // an undo never reaches across
	p.add(Line{Seat: int(seat), By: by, Order: text}, nil)
}

// Replay goes on with a stored line. What it told is not compared; that is
// Verify's task.
func (p *Replay) Replay(l Line) error {
	seat := engine.Seat(l.Seat)
	if l.Seat < 0 || l.Seat > p.Options.Players {
		return fmt.Errorf("seat %d", l.Seat)
	}
	if !slices.Contains(everyBy, l.By) {
		return fmt.Errorf("by %.40q", l.By)
	}
	word, arg, _ := strings.Cut(l.Order, " ")
	switch word {
	case "undo":
		to, err := strconv.Atoi(arg)
		if err != nil || arg != strconv.Itoa(to) {
			return fmt.Errorf("undo %q: no line", arg)
		}
		return p.Undo(seat, l.By, to)
	case "rollback":
		to, ok := l.Back()
		ruled, agreed := l.Seat == 0 && l.By == ByDirector, l.Seat > 0 && l.By == ByPlayer
		if !ok || !ruled && !agreed || l.Order != rollback(to) {
			return fmt.Errorf("rollback %q: no line", arg)
		}
		return p.rollBack(seat, l.By, to)
	case "resign", "replace":
		if by, ok := strings.CutPrefix(l.Order, "replace seat "+strconv.Itoa(l.Seat)+" by "); l.Order != "resign" && (!ok || strings.TrimSpace(by) != by || by == "") {
			return fmt.Errorf("%q: no such line", l.Order)
		}
		p.Note(seat, l.By, l.Order)
		return nil
	}
	step, err := order.Parse(l.Order)
	if err != nil {
		return err
	}
	if _, err = p.Do(seat, l.By, step); err != nil {
		return err
	}
	p.Lines[p.Step()-1].Bot = l.Bot
	return nil
}

// ReplayAll replays lines, at most up to the position after line n.
func (p *Replay) ReplayAll(lines []Line, n int) error {
	for _, l := range lines[:min(n, len(lines))] {
		if err := p.Replay(l); err != nil {
			return fmt.Errorf("line %d: %w", l.N, err)
		}
	}
	return nil
}

// Step is the length of the log.
func (p *Replay) Step() int { return len(p.Lines) }

// undone tells for each line (by number) whether a later undo took it back.
func (p *Replay) undone() []bool {
	out := make([]bool, len(p.Lines)+1)
	live := make([]bool, len(p.Lines)+1)
	for _, n := range p.Active {
		live[n] = true
	}
	for _, l := range p.Lines {
		out[l.N] = !live[l.N] && !l.Meta()
	}
	return out
}

// Meta reports whether the line is something other than a decision.
func (l Line) Meta() bool {
	word, _, _ := strings.Cut(l.Order, " ")
	return word == "undo" || word == "resign" || word == "replace" || word == "rollback"
}

// told is what a log line keeps of what the rules told.
func told(events []engine.Event) []string {
	var out []string
	for _, e := range events {
		if t, ok := order.Told(e); ok {
			out = append(out, t)
		}
	}
	return out
}

// ToAct lists the seats that owe a decision.
func (p *Replay) ToAct() []engine.Seat {
	var out []engine.Seat
	for s := engine.Seat(1); int(s) <= p.Options.Players; s++ {
		if p.State.ToAct(s) {
			out = append(out, s)
		}
	}
	return out
}

// Owes reports whether all that seat must decide now is something the game does
// not wait for (Q3.3); waits is its opposite among seats to act. In the seat's
// own turn, and at the end of the game, what it owes is waited for.
func (p *Replay) Owes(seat engine.Seat) bool {
	if p.OnTurn() == seat || p.Options.Players == 1 { // Q3.3c
		return false
	}
	switch p.State.Asked(seat) {
	case engine.AskDiscard, engine.AskKeep:
		return true
	case engine.AskOwner:
		return p.OnTurn() != 0
	}
	return false
}

// Waits reports whether the game waits for the seat.
func (p *Replay) Waits(seat engine.Seat) bool { return p.State.ToAct(seat) && !p.Owes(seat) }

// OnTurn is the seat whose turn it is, 0 in the setup and after the last turn.
func (p *Replay) OnTurn() engine.Seat { return p.State.Project(0).Seat }

// At is the position after line n.
func (p *Replay) At(n int) (*Replay, error) {
	if n == p.Step() {
		return p, nil
	}
	q, err := NewReplay(p.set, p.Options, p.Chance)
	if err != nil {
		return nil, err
	}
	return q, q.ReplayAll(p.Lines, n)
}

// Finals returns the VP of a finished game by seat from 1 at [0]. In a solo game, Hal's
// come after the player's.
func (p *Replay) Finals() (vp []int) {
	for _, x := range p.State.Project(0).Players {
		vp = append(vp, x.Final)
	}
	return vp
}

// Try tells why a step is illegal.
func (p *Replay) Try(seat engine.Seat, step engine.Step) error {
	_, err := p.Do(seat, ByPlayer, step)
	return err
}

// InTurn reports whether the seat, whose turn it is, has taken a step of it; what
// it owed before is none.
func (p *Replay) InTurn(seat engine.Seat) bool {
	for _, n := range p.Active[min(p.TurnAt, len(p.Active)):] {
		if l := p.Lines[n-1]; l.Seat == int(seat) && !l.debt() {
			return true
		}
	}
	return false
}

// debtStep reports whether a step may be one that was owed (Q3.3).
func debtStep(k engine.Kind) bool {
	return k == engine.Discard || k == engine.Keep || k == engine.Decline || k == engine.Collect
}

// AsIf is a copy of the game in which the seat's turn begins now; nothing of
// what was is in it. ok is false where the seat has no turn to come.
func (p *Replay) AsIf(seat engine.Seat) (q *Replay, ok bool) {
	state, ok := p.State.AsIf(seat)
	if !ok {
		return nil, false
	}
	q = p.Scratch()
	q.State, q.TurnState, q.TurnAt = state, state, 0
	q.Events = make([][]engine.Event, 1)
	return q, true
}
