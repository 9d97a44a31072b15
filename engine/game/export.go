package game

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/order"
)

// A Header is what a record says about a game besides its log.
type Header struct {
	Game    string
	Options Options
	Seed    [32]byte
	Entropy []string // in invitation order; nil: none was mixed in
	Invited []int    // by seat: place in invitation order, from 1; nil if seats were not drawn
	Names   []string // by seat
}

// Message returns the input of the HMAC besides the seed.
func (h Header) Message() string { return strings.Join(h.Entropy, "\n") }

// A Game is a game replayed from its record, for those that have no server:
// show, verify, sim. It is not safe for concurrent use.
type Game struct {
	Head  Header
	Play  *Replay
	parts [][]Share // as its record has them
}

// New sets a game up that begins at once.
func New(set *component.Set, h Header) (*Game, error) {
	p, err := NewReplay(set, h.Options, h.Chance)
	if err != nil {
		return nil, err
	}
	return &Game{Head: h, Play: p}, nil
}

// Open replays a record's log up to the position after line at; -1 is its end.
// It needs the seed, so the record of a running game cannot be opened.
func Open(set *component.Set, rec *Record, at int) (*Game, error) {
	if why := rec.seedless(); why != "" {
		return nil, fmt.Errorf("%w: it has no seed, because %s", ErrRecord, why)
	}
	seed, err := ParseSeed(rec.Seed)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrRecord, err)
	}
	if err := rec.fits(set); err != nil {
		return nil, err
	}
	if err := rec.playable(); err != nil {
		return nil, err
	}
	if at < 0 {
		at = len(rec.Log)
	}
	if at > len(rec.Log) {
		return nil, fmt.Errorf("%w: it has %d lines", ErrRecord, len(rec.Log))
	}
	g, err := New(set, Header{Game: rec.Game, Options: rec.Options, Seed: seed, Entropy: rec.Entropy, Invited: rec.Invited, Names: rec.Names})
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrRecord, err)
	}
	if err := g.Play.ReplayAll(rec.Log, at); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrRecord, err)
	}
	if rec.Result != nil {
		g.parts = rec.Result.Parts
	}
	return g, nil
}

// Do takes a step and logs it. Tests of several packages play games with it; sim has DoBot.
func (g *Game) Do(seat engine.Seat, by By, step engine.Step) ([]engine.Event, error) {
	return g.Play.Do(seat, by, step)
}

// DoBot is Do for the bot of that name.
func (g *Game) DoBot(seat engine.Seat, name string, step engine.Step) ([]engine.Event, error) {
	events, err := g.Play.Do(seat, ByBot, step)
	if err == nil {
		g.Play.Lines[g.Play.Step()-1].Bot = name
	}
	return events, err
}

// View is the position as viewer sees it.
func (g *Game) View(viewer engine.Seat) *engine.View { return g.Play.State.Project(viewer) }

// Finished reports whether the game is over and scored.
func (g *Game) Finished() bool { return g.Play.State.Finished() }

// Steps is the length of the log.
func (g *Game) Steps() int { return g.Play.Step() }

// Log returns the log so far, which must not be changed. Tests of several packages
// read it; Record is what others get.
func (g *Game) Log() []Line { return g.Play.Lines }

// Story is what happened after line since, redacted for viewer; since -1 begins with
// the setup.
func (g *Game) Story(viewer engine.Seat, since int) []Told { return g.Play.Story(viewer, since) }

// Record is the game redacted for viewer: everything once it is finished.
func (g *Game) Record(viewer engine.Seat) *Record {
	r := g.Play.Record(g.Head, viewer)
	r.Seal()
	return r
}

// ViewJSON is view.json of the position for viewer; latest is the length of
// the whole log.
func (g *Game) ViewJSON(viewer engine.Seat, latest int) *ViewJSON {
	v := NewViewJSON(g.View(viewer), g.Head.Game, g.Head.Options, g.Head.Names, g.Steps(), latest)
	if g.Finished() && g.Steps() == latest {
		v.Parts = g.parts
	}
	return v
}

// Record cuts the play to a viewer. It is still to be sealed.
func (p *Replay) Record(h Header, viewer engine.Seat) *Record {
	over := p.Over()
	r := &Record{
		Schema: RecordSchema, Game: h.Game, Options: h.Options, Set: p.set.Name, SetHash: p.set.Hash,
		Commitment: engine.Commitment(h.Seed), Entropy: h.Entropy, Invited: h.Invited, Names: h.Names,
		Viewer: int(viewer), Finished: p.State.Finished(), Log: make([]Line, len(p.Lines)),
	}
	if r.Entropy == nil {
		r.Entropy = []string{}
	}
	if r.Names == nil {
		r.Names = []string{}
	}
	for i, l := range p.Lines {
		if !over {
			l = p.Redact(l, viewer)
		}
		if l.Told == nil {
			l.Told = []string{}
		}
		r.Log[i] = l
	}
	if over {
		r.Seed = hex.EncodeToString(h.Seed[:])
		r.Result = p.Outcome(h.Names)
	}
	return r
}

// BrokenOff says in the record of a game that did not reach its end how it ended instead.
func (r *Record) BrokenOff(ended string) {
	if r.Result == nil {
		r.Schema, r.Ended = BrokenSchema, ended
	}
}

// Redact returns a line as viewer may read it: cards of another seat's hand show their
// backs, both in the order and in its events (Q1.5a, Q1.5c).
func (p *Replay) Redact(l Line, viewer engine.Seat) Line {
	if !p.hides[l.N-1] {
		return l
	}
	if l.Seat != int(viewer) {
		if step, err := order.Parse(l.Order); err == nil && step.Masked() != step {
			l.Order = order.Print(step.Masked())
		}
	}
	if !slices.ContainsFunc(p.Events[l.N], func(e engine.Event) bool { return e.For(viewer) != e }) {
		return l // its events hide nothing
	}
	l.Told = nil
	for _, e := range p.Events[l.N] {
		if t, ok := order.Told(e.For(viewer)); ok {
			l.Told = append(l.Told, t)
		}
	}
	return l
}

// Story is what happened after line since, each line redacted for viewer. Once the
// game is finished nothing is hidden.
func (p *Replay) Story(viewer engine.Seat, since int) []Told {
	var out []Told
	over := p.Over()
	undone := p.undone()
	if since < 0 {
		out = append(out, Told{Events: RedactEvents(p.Events[0], viewer, over)})
	}
	for _, l := range p.Lines[min(max(since, 0), len(p.Lines)):] {
		t := Told{N: l.N, Seat: l.Seat, By: l.By, Undone: undone[l.N], Order: l.Order, Events: RedactEvents(p.Events[l.N], viewer, over)}
		if !over {
			t.Order = p.Redact(l, viewer).Order
		}
		out = append(out, t)
	}
	return out
}

// RedactEvents returns the events as a viewer may know them: all of them once the game is over.
func RedactEvents(events []engine.Event, viewer engine.Seat, over bool) []engine.Event {
	out := make([]engine.Event, len(events))
	for i, e := range events {
		if !over {
			e = e.For(viewer)
		}
		out[i] = e
	}
	return out
}

// Outcome is the result, nil before the end.
func (p *Replay) Outcome(names []string) *Outcome {
	if !p.State.Finished() {
		return nil
	}
	v := p.State.Project(0)
	o := &Outcome{Ending: v.Ending.String(), Scores: Scores(v, names), LogHash: LogHash(p.Lines), Winners: []int{}}
	for _, s := range p.State.Winners() {
		o.Winners = append(o.Winners, int(s))
	}
	return o
}

// Scores lists each seat's VP by source. While the game runs they sum to vp;
// once finished to final.
func Scores(v *engine.View, names []string) []Score {
	out := make([]Score, len(v.Players))
	for i, p := range v.Players {
		s := Score{Seat: i + 1, Name: nameOf(v, names, i), VP: p.VP, By: map[string]int{}}
		for src := range engine.Sources {
			s.By[src.String()] = p.By[src]
		}
		if v.Finished {
			final := p.Final
			s.Final = &final
			s.VP = final - p.By[engine.ByAdvanced] - p.By[engine.ByGoods]
		}
		out[i] = s
	}
	return out
}
