package game

import (
	"slices"

	"angelpost/engine"
	"angelpost/engine/order"
)

// fingerprints are of a log as each viewer may read it: [0] of what everyone may, the
// others of what only that seat may besides.
type fingerprints [engine.MaxPlayers + 1]uint64

// Seen is a fingerprint of the first n lines of the log as viewer may read them: two logs
// with the same one are the same to them. It tells a viewer nothing that they do not see.
func (p *Replay) Seen(viewer engine.Seat, n int) uint64 {
	if n <= 0 || n > len(p.seen) {
		return 0
	}
	f := p.seen[n-1]
	if viewer == 0 {
		return f[0]
	}
	return mix(f[0], []byte{byte(f[viewer]), byte(f[viewer] >> 8), byte(f[viewer] >> 16), byte(f[viewer] >> 24),
		byte(f[viewer] >> 32), byte(f[viewer] >> 40), byte(f[viewer] >> 48), byte(f[viewer] >> 56)})
}

// fingerprints are those of the log so far.
func (p *Replay) fingerprints() fingerprints {
	if len(p.seen) == 0 {
		return fingerprints{}
	}
	return p.seen[len(p.seen)-1]
}

// with adds a line that a viewer may read.
func (f fingerprints) with(viewer engine.Seat, l Line) fingerprints {
	var room [256]byte
	f[viewer] = mix(f[viewer], HashLine(room[:0], l))
	return f
}

// hide notes that something in the last line, which took a step, is hidden from someone.
func (p *Replay) hide(step engine.Step, events []engine.Event) {
	last := len(p.Lines) - 1
	p.hides[last] = true
	f := fingerprints{}
	if last > 0 {
		f = p.seen[last-1]
	}
	public := p.Lines[last]
	public.Order, public.Told = order.Print(step.Masked()), toldTo(0, events)
	f = f.with(0, public)
	for seat := engine.Seat(1); int(seat) <= p.Options.Players; seat++ {
		own := p.Lines[last]
		if own.Seat != int(seat) {
			own.Order = public.Order
		}
		own.Told = toldTo(seat, events)
		if own.Order != public.Order || !slices.Equal(own.Told, public.Told) {
			f = f.with(seat, own)
		}
	}
	p.seen[last] = f
}

func toldTo(viewer engine.Seat, events []engine.Event) (out []string) {
	for _, e := range events {
		if t, ok := order.Told(e.For(viewer)); ok {
			out = append(out, t)
		}
	}
	return out
}

// mix is FNV-1a (64 bits).
func mix(h uint64, b []byte) uint64 {
	if h == 0 {
		h = 14695981039346656037
	}
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}
