package match

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

// A play is a game replayed: the position after its log, and what happened on
// the way. It only ever grows, so a copy may be kept while another goes on.
type play struct {
	set     *component.Set
	options Options
	chance  chance
	src     engine.Random // of this play alone

	state  engine.State
	lines  []Line
	events [][]engine.Event           // by line; [0] is the setup
	active []int                      // numbers of the decision lines in force
	turns  [engine.MaxPlayers + 1]int // turns completed, by seat
	begun  bool                       // somebody took a step of the first turn
	opened int                        // length of active before that step
	rolled int                        // the last rollback's line, 0 none
	stops  []engine.State             // the positions after every stopEvery-th line; [0] is the setup
	open   bool                       // a past of a game that is over: nothing is hidden any more

	// The turn in progress: where it began, and the positions an undo may go
	// back to, oldest first: all since something new became known.
	turnState engine.State
	turnAt    int // length of active when it began
	marks     []mark
}

// A mark is the position before a line that can be undone.
type mark struct {
	active int // length of active before it
	seat   engine.Seat
	state  engine.State
}

// A chance makes a game's Random: each play draws from one of its own, and all
// draw the same.
type chance func() engine.Random

// chance is what the game of a header draws from.
func (h Header) chance() engine.Random { return engine.NewChance(h.Seed, h.message()) }

// newPlay sets a game up. It fails for options the rules do not play.
func newPlay(set *component.Set, o Options, c chance) (*play, error) {
	p := &play{set: set, options: o, chance: c, src: c()}
	var tale engine.Tale
	s, err := engine.New(set, o.Engine(), p.src, &tale)
	if err != nil {
		return nil, fmt.Errorf("set up: %w", err)
	}
	p.state, p.turnState, p.stops = s, s, []engine.State{s}
	p.events = append(p.events, tale.Events)
	return p, nil
}

// copy is an independent copy: going on with either leaves the other alone.
func (p *play) copy() *play {
	q := *p
	q.src = p.chance()
	q.lines = slices.Clip(q.lines)
	q.events = slices.Clip(q.events)
	q.active = slices.Clip(q.active)
	q.marks = slices.Clip(q.marks)
	q.stops = slices.Clip(q.stops)
	return &q
}

// scratch is a copy to look ahead with: what happened so far is not in it, so
// that going on costs the same however long the game is.
func (p *play) scratch() *play {
	q := p.copy()
	q.lines, q.events, q.active, q.marks, q.stops = nil, nil, nil, nil, nil
	return q
}

// do takes a step for a seat and logs it. An illegal one changes nothing and
// returns an *engine.Illegal.
func (p *play) do(seat engine.Seat, by By, step engine.Step) ([]engine.Event, error) {
	if seat < 1 || int(seat) > p.options.Players {
		return nil, fmt.Errorf("seat %d does not play", seat)
	}
	before := p.state
	asked := p.state.Asked(seat)
	var tale engine.Tale
	if err := p.state.Apply(seat, step, p.src, &tale); err != nil {
		return nil, err
	}
	if by != ByPlayer || len(p.marks) > 0 && p.marks[0].seat != seat {
		p.marks = nil
	}
	if by == ByPlayer {
		p.marks = append(p.marks, mark{len(p.active), seat, before})
	}
	if asked != engine.AskReserveFree && !p.begun {
		p.begun, p.opened = true, len(p.active)
	}
	p.add(Line{Seat: int(seat), By: by, Order: order.Print(step), Told: told(tale.Events)}, tale.Events)
	p.active = append(p.active, len(p.lines))
	for _, e := range tale.Events {
		switch {
		case e.Kind == engine.EvTurnEnded:
			p.turns[e.Seat]++
			p.turnState, p.turnAt = p.state, len(p.active)
			p.marks = nil
		case e.New():
			p.marks = nil
		}
	}
	return tale.Events, nil
}

// add appends a line and gives it its number.
func (p *play) add(l Line, events []engine.Event) {
	l.N = len(p.lines) + 1
	p.lines = append(p.lines, l)
	p.events = append(p.events, events)
	if l.N%stopEvery == 0 {
		p.stops = append(p.stops, p.state)
	}
}

// undoable tells whether seat has something to take back, and the number of
// the line it would go back to (0: the setup).
func (p *play) undoable(seat engine.Seat) (to int, ok bool) {
	if len(p.marks) == 0 || p.marks[0].seat != seat {
		return 0, false
	}
	if n := p.marks[0].active; n > 0 {
		to = p.active[n-1]
	}
	return to, true
}

// undo takes back the seat's steps down to line to, one of those between
// undoable's and the last. The lines stay in the log.
func (p *play) undo(seat engine.Seat, by By, to int) error {
	for i, m := range p.marks {
		at := 0
		if m.active > 0 {
			at = p.active[m.active-1]
		}
		if at == to && m.seat == seat {
			p.state, p.active, p.marks = m.state, p.active[:m.active:m.active], p.marks[:i:i]
			p.begun = p.begun && len(p.active) > p.opened
			p.add(Line{Seat: int(seat), By: by, Order: "undo " + strconv.Itoa(to)}, nil)
			return nil
		}
	}
	return errUndo
}

var errUndo = errors.New("nothing that can be undone lies there")

// note logs a line that is no decision: resign, replace.
func (p *play) note(seat engine.Seat, by By, text string) {
	p.marks = nil // an undo never reaches across
	p.add(Line{Seat: int(seat), By: by, Order: text}, nil)
}

// replay goes on with a stored line. What it told is not compared; that is
// Verify's task.
func (p *play) replay(l Line) error {
	seat := engine.Seat(l.Seat)
	if l.Seat < 0 || l.Seat > p.options.Players {
		return fmt.Errorf("seat %d", l.Seat)
	}
	word, arg, _ := strings.Cut(l.Order, " ")
	switch word {
	case "undo":
		to, err := strconv.Atoi(arg)
		if err != nil || arg != strconv.Itoa(to) {
			return fmt.Errorf("undo %q: no line", arg)
		}
		return p.undo(seat, l.By, to)
	case "rollback":
		to, ok := l.back()
		if !ok || l.Seat != 0 || l.By != ByDirector || l.Order != rollback(to) {
			return fmt.Errorf("rollback %q: no line", arg)
		}
		return p.rollback(to)
	case "resign", "replace":
		p.note(seat, l.By, l.Order)
		return nil
	}
	step, err := order.Parse(l.Order)
	if err != nil {
		return err
	}
	if _, err = p.do(seat, l.By, step); err != nil {
		return err
	}
	p.lines[p.step()-1].Bot = l.Bot
	return nil
}

// replayAll replays lines, at most up to the position after line n.
func (p *play) replayAll(lines []Line, n int) error {
	for _, l := range lines[:min(n, len(lines))] {
		if err := p.replay(l); err != nil {
			return fmt.Errorf("line %d: %w", l.N, err)
		}
	}
	return nil
}

// step is the length of the log.
func (p *play) step() int { return len(p.lines) }

// undone tells for each line (by number) whether a later undo took it back.
func (p *play) undone() []bool {
	out := make([]bool, len(p.lines)+1)
	live := make([]bool, len(p.lines)+1)
	for _, n := range p.active {
		live[n] = true
	}
	for _, l := range p.lines {
		out[l.N] = !live[l.N] && !l.meta()
	}
	return out
}

// meta tells whether the line is no decision.
func (l Line) meta() bool {
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

// toAct lists the seats that owe a decision.
func (p *play) toAct() []engine.Seat {
	var out []engine.Seat
	for s := engine.Seat(1); int(s) <= p.options.Players; s++ {
		if p.state.ToAct(s) {
			out = append(out, s)
		}
	}
	return out
}

// owes tells whether all that seat must decide now is something the game does
// not wait for (Q3.3); waits is its opposite among seats to act. In the seat's
// own turn, and at the end of the game, what it owes is waited for.
func (p *play) owes(seat engine.Seat) bool {
	if p.onTurn() == seat || p.options.Players == 1 { // Q3.3c
		return false
	}
	switch p.state.Asked(seat) {
	case engine.AskDiscard, engine.AskKeep:
		return true
	case engine.AskOwner:
		return p.onTurn() != 0
	}
	return false
}

// waits tells whether the game waits for the seat.
func (p *play) waits(seat engine.Seat) bool { return p.state.ToAct(seat) && !p.owes(seat) }

// onTurn is the seat whose turn it is, 0 in the setup and after the last turn.
func (p *play) onTurn() engine.Seat { return p.state.Project(0).Seat }
