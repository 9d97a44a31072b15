package match

import (
	"fmt"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/order"
)

// stopEvery is how many lines lie between two positions that a play keeps: a
// past one is found by playing on from the one before it.
const stopEvery = 16

// over tells whether nothing is hidden any more.
func (p *play) over() bool { return p.open || p.state.Finished() }

// view is the position as viewer sees it now.
func (p *play) view(viewer engine.Seat) *engine.View {
	if p.over() {
		return p.state.Reveal(viewer)
	}
	return p.state.Project(viewer)
}

// past is the play as it was after line n, to be looked at: it cannot go on.
// Of a game that is over it is open.
func (p *play) past(n int) (*play, error) {
	if n == p.step() {
		return p, nil
	}
	state, err := p.stateAt(n)
	if err != nil {
		return nil, err
	}
	return &play{
		set: p.set, options: p.options, chance: p.chance, state: state, open: p.over(),
		lines: p.lines[:n:n], events: p.events[: n+1 : n+1], active: inForce(p.lines[:n]),
	}, nil
}

// stateAt is the position after line n.
func (p *play) stateAt(n int) (engine.State, error) {
	if n == p.step() {
		return p.state, nil
	}
	at := min(n/stopEvery, len(p.stops)-1)
	s := p.stops[at]
	src := p.chance()
	for _, l := range p.lines[at*stopEvery : n] {
		if to, ok := l.undo(); ok {
			var err error
			if s, err = p.stateAt(to); err != nil {
				return s, err
			}
			continue
		}
		if l.meta() {
			continue
		}
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

// undo is the line that an undo goes back to; ok tells whether l is one.
func (l Line) undo() (to int, ok bool) {
	arg, ok := strings.CutPrefix(l.Order, "undo ")
	if !ok {
		return 0, false
	}
	to, err := strconv.Atoi(arg)
	return to, err == nil && to >= 0 && to < l.N
}

// inForce are the numbers of the decisions among lines that none of them took
// back.
func inForce(lines []Line) []int {
	var out []int
	for _, l := range lines {
		if to, ok := l.undo(); ok {
			for len(out) > 0 && out[len(out)-1] > to {
				out = out[:len(out)-1]
			}
			continue
		}
		if !l.meta() {
			out = append(out, l.N)
		}
	}
	return out
}
