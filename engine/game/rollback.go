package game

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/order"
)

// A rollback is an undo across turns and seats, by the host or a director, or by a player
// if all others agree. Decisions after a line no longer apply, but all lines stay in the
// log. It does not change chance: draws follow from the position, so the same orders give
// the same results again. It does not change which player has which seat.

// rollback is the line of a rollback to line to.
func rollback(to int) string { return "rollback " + strconv.Itoa(to) }

var (
	errOver     = errors.New("the game is over")
	errRollback = errors.New("there is no decision in force there")
)

// RollbackTo is the decision in force that led to the position after line n, 0
// if that is the setup; ok is false if there is none, for that position was taken
// back itself, or nothing was decided since.
func (p *Replay) RollbackTo(n int) (to int, ok bool) {
	if n < 0 || n > p.Step() {
		return 0, false
	}
	if then := InForce(p.Lines[:n]); len(then) > 0 {
		to = then[len(then)-1]
	}
	at := p.InForce(to)
	return to, at >= 0 && at < len(p.Active)
}

// InForce is how many decisions are in force up to line to, one of them or 0; -1
// if it is neither.
func (p *Replay) InForce(to int) int {
	if to == 0 {
		return 0
	}
	i, ok := slices.BinarySearch(p.Active, to)
	if !ok {
		return -1
	}
	return i + 1
}

// BeforeTurn is the decision in force with which a seat's last turn had not begun, 0 if
// that is the setup; ok is false if it has taken no step of a turn yet. What others owed
// and decided before the seat's first step stays.
func (p *Replay) BeforeTurn(seat engine.Seat) (to int, ok bool) {
	if !p.Begun {
		return 0, false
	}
	first, last := -1, -1 // the seat's first step since a turn ended, and that of its last turn
	for i := p.opened; i < len(p.Active); i++ {
		n := p.Active[i]
		if first < 0 && p.Lines[n-1].Seat == int(seat) && !p.Lines[n-1].debt() {
			first = i
		}
		for _, e := range p.Events[n] {
			if e.Kind != engine.EvTurnEnded {
				continue
			}
			if e.Seat == seat && first >= 0 {
				last = first
			}
			first = -1
		}
	}
	if p.OnTurn() == seat && first >= 0 {
		last = first
	}
	switch {
	case last < 0:
		return 0, false
	case last == 0:
		return 0, true
	}
	return p.Active[last-1], true
}

// debt reports whether the line may be a step that was owed (Q3.3).
func (l Line) debt() bool {
	step, err := order.Parse(l.Order)
	return err == nil && debtStep(step.Kind)
}

// Rollback goes back to the position after line to, a decision in force or 0, by a ruling.
// The lines stay in the log.
func (p *Replay) Rollback(to int) error { return p.rollBack(0, ByDirector, to) }

// TakeBack is a Rollback that a seat has asked for, and all have agreed to.
func (p *Replay) TakeBack(seat engine.Seat, to int) error { return p.rollBack(seat, ByPlayer, to) }

func (p *Replay) rollBack(seat engine.Seat, by By, to int) error {
	at := p.InForce(to)
	switch {
	case p.State.Finished():
		return errOver
	case at < 0 || at == len(p.Active):
		return errRollback
	}
	state, err := p.stateAt(to)
	if err != nil {
		return err
	}
	p.Active = p.Active[:at:at]
	p.Begun = p.Begun && at > p.opened
	p.Turns, p.TurnAt = [engine.MaxPlayers + 1]int{}, 0
	for i, n := range p.Active {
		for _, e := range p.Events[n] {
			if e.Kind == engine.EvTurnEnded {
				p.Turns[e.Seat]++
				p.TurnAt = i + 1
			}
		}
	}
	began := 0 // the line with which the turn before ended
	if p.TurnAt > 0 {
		began = p.Active[p.TurnAt-1]
	}
	if p.TurnState, err = p.stateAt(began); err != nil {
		return err
	}
	p.State, p.marks = state, nil
	p.add(Line{Seat: int(seat), By: by, Order: rollback(to)}, nil)
	p.Rolled = p.Step()
	return nil
}

// RolledTo is the line to which the last rollback went back, 0 if that is the setup.
func (p *Replay) RolledTo() int {
	if p.Rolled == 0 {
		return 0
	}
	_, to, _ := strings.Cut(p.Lines[p.Rolled-1].Order, " ")
	n, _ := strconv.Atoi(to)
	return n
}
