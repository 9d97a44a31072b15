package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/order"
)

// stopEvery is the number of lines between two positions that a Replay keeps. It finds any
// other past position by replaying from the one before it.
const stopEvery = 16

// Over reports whether nothing is hidden any more.
func (p *Replay) Over() bool { return p.Open || p.State.Finished() }

// View is the position as viewer sees it now.
func (p *Replay) View(viewer engine.Seat) *engine.View {
	if p.Over() {
		return p.State.Reveal(viewer)
	}
	return p.State.Project(viewer)
}

// Past returns the game as it was after line n, read-only: it cannot go on. If the game is
// over, nothing is hidden.
func (p *Replay) Past(n int) (*Replay, error) {
	if n == p.Step() {
		return p, nil
	}
	state, err := p.stateAt(n)
	if err != nil {
		return nil, err
	}
	return &Replay{
		set: p.set, Options: p.Options, Chance: p.Chance, State: state, Open: p.Over(),
		Lines: p.Lines[:n:n], Events: p.Events[: n+1 : n+1], hides: p.hides[:n:n], seen: p.seen[:n:n], Active: InForce(p.Lines[:n]),
	}, nil
}

// stateAt is the position after line n.
func (p *Replay) stateAt(n int) (engine.State, error) {
	if n == p.Step() {
		return p.State, nil
	}
	var steps []int // what leads there from the nearest stop, the last first
	for n%stopEvery != 0 || n/stopEvery >= len(p.stops) {
		l := p.Lines[n-1]
		if to, ok := l.Back(); ok {
			n = to
			continue
		}
		if !l.Meta() {
			steps = append(steps, n)
		}
		n--
	}
	s := p.stops[n/stopEvery]
	src := p.Chance()
	for _, n := range slices.Backward(steps) {
		l := p.Lines[n-1]
		step, err := order.Parse(l.Order)
		if err == nil {
			err = s.Apply(engine.Seat(l.Seat), step, src, nil)
		}
		if err != nil {
			return s, fmt.Errorf("line %d: %w", l.N, err)
		}
	}
	return s, nil
}

// Back is the line that an undo or a rollback goes back to; ok reports whether l is
// one.
func (l Line) Back() (to int, ok bool) {
	arg, ok := strings.CutPrefix(l.Order, "undo ")
	if !ok {
		arg, ok = strings.CutPrefix(l.Order, "rollback ")
	}
	if !ok {
		return 0, false
	}
	to, err := strconv.Atoi(arg)
	return to, err == nil && to >= 0 && to < l.N
}

// InForce are the numbers of the decisions among lines that none of them took
// back.
func InForce(lines []Line) []int {
	var out []int
	for _, l := range lines {
		if to, ok := l.Back(); ok {
			for len(out) > 0 && out[len(out)-1] > to {
				out = out[:len(out)-1]
			}
			continue
		}
		if !l.Meta() {
			out = append(out, l.N)
		}
	}
	return out
}
