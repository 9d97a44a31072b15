package match

import (
	"errors"
	"slices"
	"strconv"

	"angelpost/engine"
)

// A rollback is an undo across turns and seats, by who rules over the game: the
// decisions after a line are out of force, all lines stay in the log. Chance does
// not change by it: what is drawn follows from the position, so the same orders
// give the same again. Who sits where is as it was before the rollback.

// rollback is the line of a rollback to line to.
func rollback(to int) string { return "rollback " + strconv.Itoa(to) }

var (
	errOver     = errors.New("the game is over")
	errRollback = errors.New("no decision in force lies there")
)

// rollbackTo is the decision in force that led to the position after line n, 0
// if that is the setup; ok is false if there is none, for that position was taken
// back itself, or nothing was decided since.
func (p *play) rollbackTo(n int) (to int, ok bool) {
	if n < 0 || n > p.step() {
		return 0, false
	}
	if then := InForce(p.lines[:n]); len(then) > 0 {
		to = then[len(then)-1]
	}
	at := p.inForce(to)
	return to, at >= 0 && at < len(p.active)
}

// inForce is how many decisions are in force up to line to, one of them or 0; -1
// if it is neither.
func (p *play) inForce(to int) int {
	if to == 0 {
		return 0
	}
	i, ok := slices.BinarySearch(p.active, to)
	if !ok {
		return -1
	}
	return i + 1
}

// rollback goes back to the position after line to, a decision in force or 0. The
// lines stay in the log.
func (p *play) rollback(to int) error {
	at := p.inForce(to)
	switch {
	case p.state.Finished():
		return errOver
	case at < 0 || at == len(p.active):
		return errRollback
	}
	state, err := p.stateAt(to)
	if err != nil {
		return err
	}
	p.active = p.active[:at:at]
	p.begun = p.begun && at > p.opened
	p.turns, p.turnAt = [engine.MaxPlayers + 1]int{}, 0
	for i, n := range p.active {
		for _, e := range p.events[n] {
			if e.Kind == engine.EvTurnEnded {
				p.turns[e.Seat]++
				p.turnAt = i + 1
			}
		}
	}
	began := 0 // the line with which the turn before ended
	if p.turnAt > 0 {
		began = p.active[p.turnAt-1]
	}
	if p.turnState, err = p.stateAt(began); err != nil {
		return err
	}
	p.state, p.marks = state, nil
	p.add(Line{Seat: 0, By: ByDirector, Order: rollback(to)}, nil)
	p.rolled = p.step()
	return nil
}
