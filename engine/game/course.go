package game

import "angelpost/engine"

// A Milestone is a line of the log that ended a turn, with every player's VP by source at
// that point. The first of a game is the setup; the last may be a turn in progress, or the
// end with its scoring.
type Milestone struct {
	N     int         // of the line; 0: the setup
	Round int         // of the turn; 0: the setup
	Seat  engine.Seat // whose turn ended; 0: no one's, the last line so far
	By    [][engine.Sources]int
}

// VP is what a player had.
func (m *Milestone) VP(seat engine.Seat) (sum int) {
	for _, n := range m.By[seat-1] {
		sum += n
	}
	return sum
}

// Course is how a game went, turn by turn, told by its story from the setup on:
// what anyone may know. seats counts Hal.
func Course(story []Told, seats int) []Milestone {
	by := make([][engine.Sources]int, seats)
	var out []Milestone
	add := func(n, round int, seat engine.Seat) {
		out = append(out, Milestone{n, round, seat, append([][engine.Sources]int(nil), by...)})
	}
	last, round := 0, 0
	for i := range story {
		t := &story[i]
		if t.Undone {
			continue
		}
		ended := engine.Seat(0)
		for _, e := range t.Events {
			if e.Kind == engine.EvTurnEnded && ended == 0 {
				round, ended = int(e.N), e.Seat
			}
			if e.Seat < 1 || int(e.Seat) > seats {
				continue
			}
			switch e.Kind {
			case engine.EvStartGoods:
				by[e.Seat-1][engine.BySetup] += engine.StartVP
			case engine.EvHalStarts:
				by[e.Seat-1][engine.BySetup] += int(e.N)
			case engine.EvVP:
				by[e.Seat-1][e.Source] += int(e.N)
			}
		}
		last = t.N
		if ended != 0 || t.N == 0 {
			add(t.N, round, ended)
		}
	}
	if n := len(out); n > 0 && out[n-1].N < last {
		add(last, round, 0)
	}
	return out
}

// Course is the play's, without cutting its story: what Course reads is public.
func (p *Replay) Course() []Milestone {
	undone := p.undone()
	story := make([]Told, 1, len(p.Lines)+1)
	story[0].Events = p.Events[0]
	for _, l := range p.Lines {
		story = append(story, Told{N: l.N, Undone: undone[l.N], Events: p.Events[l.N]})
	}
	return Course(story, max(p.Options.Players, int(engine.Hal)))
}
