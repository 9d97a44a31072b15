package league

import (
	"cmp"
	"slices"
)

// An entrant is one player in one game that counts.
type entrant struct {
	player  int64
	fixture *Fixture
	place   int // shared by shared of them
	shared  int
	worth   Rational // of the place
	last    Rational // of the table's last place
	score   int
	best    int  // the winner's
	turns   int  // that the player took
	all     int  // of the seat; 0: not counted, the player took them all
	bots    int  // turns that bots took
	left    bool // the player no longer held the seat at the end, or never came
	away    bool // the player never came
	idle    bool // the seat does not count (Seat.Counts)
}

// value returns what a number of points is worth to the player: for a seat held to
// the end, the share of its turns they took; otherwise this share of what the last
// place is worth. So no one gains by leaving: players who stay take no smaller share,
// and their place is worth no less than the last.
func (e entrant) value(points Rational) Rational {
	if e.away {
		return Rational{}
	}
	if e.left && points.Cmp(e.last) > 0 {
		points = e.last
	}
	return points.Times(e.part())
}

// part returns the share of the seat's turns that the player took.
func (e entrant) part() Rational {
	if e.all == 0 {
		return Whole(1)
	}
	return Ratio(e.turns, e.all)
}

// played reports whether the player took at least half of the seat's turns.
func (e entrant) played() bool { return !e.away && 2*e.turns >= e.all }

// beats returns 1, 0 or -1 as the player came before, with or behind another of the
// same game. Players who left are behind all who did not, and seats that do not count
// behind all.
func (e entrant) beats(o entrant) int {
	class := func(e entrant) int {
		switch {
		case e.idle:
			return 2
		case e.left:
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(class(o), class(e)), cmp.Compare(o.place, e.place))
}

// A meeting is the players of one game that counts; of a round of a solo league,
// in which all play the same game.
type meeting []entrant

// meetings returns the games of a division that count, and guests who played other players'
// seats.
func (s *State) meetings(d *Division) (all []meeting, guests []entrant) {
	r := s.rulesOf(d.Season)
	rounds := map[int]int{} // solo: round -> its place in all
	for _, f := range d.Fixtures {
		if f.Void || f.Result == nil || f.Bye {
			continue
		}
		if r.Kind == Solo {
			i, ok := rounds[f.Round]
			if !ok {
				i = len(all)
				rounds[f.Round] = i
				all = append(all, nil)
			}
			all[i] = append(all[i], s.entrants(f)...)
			continue
		}
		c := s.meeting(f, r)
		for i, x := range f.Result.Seats {
			for _, part := range x.Parts {
				if part.Player != 0 && part.Player != x.Player && part.Turns > 0 {
					g := c[i]
					g.player, g.turns, g.left = part.Player, part.Turns, part.Left
					guests = append(guests, g)
				}
			}
		}
		all = append(all, c)
	}
	if r.Kind == Solo {
		for _, c := range all {
			c.compare()
			c.place()
			c.rate(r.Points[1])
		}
	}
	return all, guests
}

// entrants returns the players at the table of a fixture that counts and has a result, then
// those who did not come.
func (s *State) entrants(f *Fixture) (c meeting) {
	if f.Result == nil || f.Void || f.Bye {
		return nil
	}
	counting := s.counting(f.Season) > 0
	for i := range f.Players {
		e := f.entrant(i)
		e.idle = counting && !f.Result.Seats[i].Counts()
		c = append(c, e)
	}
	for _, p := range f.Absent {
		c = append(c, entrant{player: p, fixture: f, place: len(f.Players) + 1, left: true, away: true, idle: counting})
	}
	c.place()
	return c
}

// meeting returns the meeting of a fixture, nil as long as it has none.
func (s *State) meeting(f *Fixture, r *Rules) meeting {
	c := s.entrants(f)
	c.rate(r.Points[min(len(c), MaxTable)])
	return c
}

// place gives seats that do not count the last place, and their places to the others.
func (c meeting) place() {
	last := len(c)
	if !slices.ContainsFunc(c, func(e entrant) bool { return e.idle }) {
		return
	}
	var in []*entrant
	for i := range c {
		if e := &c[i]; e.idle {
			e.place = last
		} else {
			in = append(in, e)
		}
	}
	slices.SortStableFunc(in, func(a, b *entrant) int { return a.place - b.place })
	before, place := 0, 0 // places of the one before, as it was and as it is
	for i, e := range in {
		if e.place != before {
			before, place = e.place, i+1
		}
		e.place = place
	}
}

// entrant returns the player in seat i, from 0, of a fixture with a result.
func (f *Fixture) entrant(i int) entrant {
	x := f.Result.Seats[i]
	e := entrant{player: x.Player, fixture: f, place: x.Place, score: x.Score}
	own := false
	for _, p := range x.Parts {
		e.all += p.Turns
		switch p.Player {
		case x.Player:
			e.turns += p.Turns
			own = own || !p.Left
		case 0:
			e.bots += p.Turns
		}
	}
	e.left = e.all > 0 && !own
	return e
}

// compare gives the players of a round of a solo league their places by score.
func (c meeting) compare() {
	slices.SortStableFunc(c, func(a, b entrant) int { return b.score - a.score })
	for i := range c {
		c[i].place = i + 1
		if i > 0 && c[i].score == c[i-1].score {
			c[i].place = c[i-1].place
		}
	}
}

// rate sets what places are worth. Equal players share what their places are worth
// together; a seat that does not count has what the last place is worth.
func (c meeting) rate(points []int) {
	worth := func(place int) int {
		if place <= len(points) {
			return points[place-1]
		}
		return 0
	}
	if len(c) == 0 {
		return
	}
	sum, many := map[int]int{}, map[int]int{}
	best := 0
	for _, e := range c {
		if e.idle {
			continue
		}
		if sum[e.place] += worth(e.place + many[e.place]); e.place == 1 {
			best = e.score
		}
		many[e.place]++
	}
	for i := range c {
		e := &c[i]
		e.best, e.last = best, Whole(worth(len(c)))
		if e.shared, e.worth = 1, e.last; !e.idle {
			e.shared = many[e.place]
			e.worth = Ratio(sum[e.place], e.shared)
		}
	}
}
