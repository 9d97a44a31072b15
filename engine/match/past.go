package match

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
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
		lines: p.lines[:n:n], events: p.events[: n+1 : n+1], active: InForce(p.lines[:n]),
	}, nil
}

// stateAt is the position after line n.
func (p *play) stateAt(n int) (engine.State, error) {
	if n == p.step() {
		return p.state, nil
	}
	var steps []int // what leads there from the nearest stop, the last first
	for n%stopEvery != 0 || n/stopEvery >= len(p.stops) {
		l := p.lines[n-1]
		if to, ok := l.back(); ok {
			n = to
			continue
		}
		if !l.meta() {
			steps = append(steps, n)
		}
		n--
	}
	s := p.stops[n/stopEvery]
	src := p.chance()
	for _, n := range slices.Backward(steps) {
		l := p.lines[n-1]
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

// back is the line that an undo or a rollback goes back to; ok tells whether l is
// one.
func (l Line) back() (to int, ok bool) {
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
		if to, ok := l.back(); ok {
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

// A tagKey is the log of a game as cut to a viewer at some length.
type tagKey struct {
	game   string
	viewer engine.Seat
	steps  int
	over   bool
}

const maxTags = 4096 // kept

// logTag is the hash of p's whole log as cut to viewer.
func (h *Host) logTag(game string, p *play, viewer engine.Seat) [sha256.Size]byte {
	key := tagKey{game, viewer, p.step(), p.over()}
	h.mu.Lock()
	tag, ok := h.tags[key]
	h.mu.Unlock()
	if ok {
		return tag
	}
	sum := sha256.New()
	var b []byte
	for _, l := range p.lines {
		if !p.over() {
			l = p.cut(l, viewer)
		}
		b = append(hashLine(b[:0], l), l.By...)
		sum.Write(append(b, '\n'))
	}
	sum.Sum(tag[:0])
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.tags == nil || len(h.tags) >= maxTags {
		h.tags = map[tagKey][sha256.Size]byte{}
	}
	h.tags[key] = tag
	return tag
}

// Tag is a hash of the whole log as cut to the glance's viewer, and of all else
// that a Glance tells: where it is the same, every page of the game is, but for
// the address to which an answer goes.
func (g *Glance) Tag() string {
	h := sha256.New()
	if g.whole != nil {
		log := g.host.logTag(g.Row.ID, g.whole, g.Viewer)
		h.Write(log[:])
	}
	r := &g.Row
	fmt.Fprintf(h, "%q %d %q %q %q %v %q %q %v %d %d %v %v", r.ID, g.Viewer, r.State, r.Name, r.Visibility, r.Options, r.Seed, g.Names, r.Joined,
		r.Started.Unix(), r.Changed.Unix(), r.Deadlines, r.Paused)
	if r.League != nil {
		fmt.Fprintf(h, " %v", *r.League)
	}
	return hex.EncodeToString(h.Sum(nil))
}
