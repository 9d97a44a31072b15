package game

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
)

// A rollback is an undo across turns and seats, by the host or a director: the
// decisions after a line are out of force, all lines stay in the log. It does not
// change chance: what is drawn follows from the position, so the same orders
// give the same again. It does not change who sits where.

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

// Rollback goes back to the position after line to, a decision in force or 0. The
// lines stay in the log.
func (p *Replay) Rollback(to int) error {
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
	p.add(Line{Seat: 0, By: ByDirector, Order: rollback(to)}, nil)
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
