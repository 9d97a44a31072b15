package league

import (
	"slices"
	"time"
)

// Players who leave during a season leave their place and the games they have not
// begun to a substitute, if one comes within patience; games they have begun go on
// and count. If no one comes, the others at the table play the games not begun, as if
// the leaver had come last. At tables of two the other has won; but if the leaver has
// played fewer than half of their games of a division when they leave, none of them counts
// (as chess federations have it).

// patience is how long an abandoned place waits for a substitute.
const patience = 7 * day

// leave takes a player out of the league and, where a season runs, out of their
// division.
func (s *State) leave(l Line) error {
	p := s.Player(l.Player)
	if p == nil || !p.In() {
		return ErrPlayer
	}
	d := s.Division(l.Player)
	s.goes(p, l.At)
	if d != nil {
		annuls := s.counting(d.Season) > 0 && s.Annuls(d, l.Player)
		d.Left = append(d.Left, Gone{Player: l.Player, At: l.At, Annuls: annuls})
	}
	return nil
}

// takeover gives a player the place of another who has left, or is removed by the director.
func (s *State) takeover(l Line) error {
	var d *Division
	if x := s.running(); x != nil {
		for i := range x.Divisions {
			if slices.Contains(x.Divisions[i].Players, l.For) {
				d = &x.Divisions[i]
			}
		}
	}
	if d == nil || l.Player <= 0 || slices.Contains(d.Players, l.Player) || s.Division(l.Player) != nil {
		return ErrPlayer
	}
	g := d.gone(l.For)
	if g != nil && g.To != 0 {
		return ErrPlayer
	}
	if g == nil {
		if p := s.Player(l.For); p.In() {
			s.goes(p, l.At)
		}
		d.Left = append(d.Left, Gone{Player: l.For, At: l.At})
		g = d.gone(l.For)
	}
	g.To = l.Player
	if p := s.Player(l.Player); p == nil || !p.In() {
		s.comes(l.Player, l.At)
	}
	s.Player(l.Player).here()
	d.add(l.Player)
	if s.rulesOf(d.Season).Kind == Ladder {
		d.climbed[len(d.climbed)-1].instead = l.For
		s.reclimb(d, nil)
	}
	d.passes(l.For, l.Player)
	return nil
}

// passes gives the games that a player has not begun to another player.
func (d *Division) passes(from, to int64) {
	for _, f := range d.Fixtures {
		if f.Game == "" && !f.Over() {
			f.replace(from, to)
		}
	}
}

// inherit gives the places in the bracket of players who left their seats in a game of a
// knock-out to the substitutes who finished them.
func (s *State) inherit(f *Fixture, at time.Time) {
	d := s.division(f.Season, f.Division)
	if s.counting(f.Season) == 0 || s.rulesOf(f.Season).Kind != Knockout || s.past(d, f.Round) {
		return
	}
	for _, x := range f.Result.Seats {
		heir, g := x.Heir(), d.gone(x.Player)
		if heir == 0 || !x.Counts() || slices.Contains(d.Players, heir) || g != nil && g.To != 0 {
			continue
		}
		if g == nil {
			d.Left = append(d.Left, Gone{Player: x.Player, At: at})
			g = d.gone(x.Player)
		}
		g.To = heir
		if p := s.Player(heir); p == nil || !p.In() {
			s.comes(heir, at)
		}
		s.Player(heir).here()
		d.add(heir)
		d.passes(x.Player, heir)
	}
}

// replace gives a player's seat to another.
func (f *Fixture) replace(from, to int64) {
	i := slices.Index(f.seats, from)
	if i < 0 {
		return
	}
	f.seats[i] = to
	f.Absent = slices.DeleteFunc(f.Absent, func(p int64) bool { return p == from })
	f.sit()
}

// sit sets the players of the fixture to those who have not left.
func (f *Fixture) sit() {
	f.Players = slices.DeleteFunc(slices.Clone(f.seats), func(p int64) bool { return slices.Contains(f.Absent, p) })
}

// forfeit settles the games that a player who has left has not begun.
func (s *State) forfeit(l Line) error {
	x := s.running()
	if x == nil {
		return ErrSeason
	}
	for i := range x.Divisions {
		d := &x.Divisions[i]
		if g := d.gone(l.Player); g != nil && g.To == 0 && !g.Settled {
			g.Settled = true
			s.lose(d, l)
			return nil
		}
	}
	return ErrPlayer
}

func (s *State) lose(d *Division, l Line) {
	r := s.rulesOf(d.Season)
	own, annul := s.stakes(d, l.Player)
	for _, f := range own {
		switch {
		case annul && f.Result != nil && s.counting(d.Season) > 1: // what is over stays
		case annul:
			f.Void = true
		case f.Game != "" || f.Over():
		case r.Kind == Solo:
			f.Void = true
		default:
			s.absent(f, l.Player, l)
		}
	}
}

// stakes returns a player's games of a division that count, and whether losing their
// place would annul them.
func (s *State) stakes(d *Division, player int64) (own []*Fixture, annul bool) {
	played := 0
	for _, f := range d.Fixtures {
		if slices.Contains(f.Players, player) && !f.Void && !f.Bye {
			own = append(own, f)
			if f.Result != nil && (s.counting(d.Season) == 0 || f.entrant(slices.Index(f.Players, player)).played()) {
				played++
			}
		}
	}
	if g := d.gone(player); g != nil && s.counting(d.Season) > 0 {
		return own, g.Annuls
	}
	r := s.rulesOf(d.Season)
	return own, r.Kind == Divisions && r.Table == 2 && 2*played < len(own)
}

// Annuls reports whether a player's games of a division that are not over count for no one,
// if they have left and no one takes their place. Before version 2 no others count either.
func (s *State) Annuls(d *Division, player int64) bool {
	_, annul := s.stakes(d, player)
	return annul
}

// absent takes a player who does not come out of a fixture that has not begun. A
// player left alone has won.
func (s *State) absent(f *Fixture, player int64, l Line) {
	f.Absent = append(f.Absent, player)
	f.sit()
	switch len(f.Players) {
	case 0:
		f.Void = true
	case 1:
		s.decide(f, Result{Seats: []Seat{{Player: f.Players[0], Place: 1}}, Ruling: Forfeit, Line: l.N}, l)
	}
}

// miss updates a fixture that must be replayed: it replaces, or counts as absent, players
// who have left in the meantime.
func (s *State) miss(d *Division, f *Fixture, l Line) {
	for i := 0; i < len(f.Players); i++ {
		p := f.Players[i]
		switch g := d.gone(p); {
		case g == nil:
		case g.To != 0:
			f.replace(p, g.To)
			i = -1
		case g.Settled:
			s.absent(f, p, l)
			i = -1
		}
	}
}

// A ToCome is what a place in a division has still to play.
type ToCome struct {
	Games  int      // that have not begun
	Rounds bool     // rounds follow in which its holder would play
	Match  *Fixture // of a knock-out: the running game on whose match all of it hangs, nil if nothing does
}

// ToCome returns what a player's place in a division has still to play.
func (s *State) ToCome(d *Division, player int64) (to ToCome) {
	var running *Fixture
	for _, f := range d.Fixtures {
		switch {
		case !slices.Contains(f.Players, player) || f.Over():
		case f.Game == "":
			to.Games++
		default:
			running = f
		}
	}
	switch x, r := s.running(), s.rulesOf(d.Season); {
	case x == nil || d.Season != x.N || r.Kind == Divisions:
	case r.Kind == Knockout:
		stages, next := s.stages(d)
		final := len(stages) > 0 && len(stages[len(stages)-1].matches) == 1
		through := slices.Contains(next, player)
		to.Rounds = !final && (running != nil || to.Games > 0 || through)
		if to.Rounds && to.Games == 0 && !through {
			to.Match = running
		}
	default:
		to.Rounds = x.Round < r.Rounds
	}
	return to
}

// Candidates returns the players who may get an offer of an abandoned place: the
// substitutes, then those who wait for the next season.
func (s *State) Candidates() []int64 {
	all := s.Substitutes()
	for _, p := range s.Waiting() {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// lost returns the players who have left and whose games no one has taken over in
// time, and when there will be more.
func (s *State) lost(now time.Time) (lost []int64, next time.Time) {
	for _, d := range s.running().Divisions {
		for _, g := range d.Left {
			if g.To != 0 || g.Settled {
				continue
			}
			at := g.At
			if p := s.Player(g.Player); p.Expelled || s.Rules.TakesSubstitutes() && len(s.Candidates()) > 0 { // a director may let them in again
				at = at.Add(patience + g.paused)
			}
			if now.Before(at) {
				next = earliest(next, at)
			} else {
				lost = append(lost, g.Player)
			}
		}
	}
	return lost, next
}

// earliest returns the earlier of two times; zero means none.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
