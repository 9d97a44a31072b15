package rating

import (
	"cmp"
	"slices"
)

// A Who is somebody with a rating: a person, or a bot, which is rated by its name.
type Who struct {
	Player int64
	Bot    string // "" a person
}

// A Leaving is how somebody left his seat.
type Leaving string

// The leavings.
const (
	Stayed   Leaving = ""
	Walked   Leaving = "walked"   // by himself: he resigned, or was absent for good
	Replaced Leaving = "replaced" // by another's will
)

// A Part is what somebody played of a seat.
type Part struct {
	Who
	Turns int // of the seat that he took
	Held  int // of the seat since he came to it, by anyone
	Left  Leaving
	By    Who // by whose will he was replaced; the zero Who: nobody's whom the game rates
}

// A Seat of a finished game and where it came in.
type Seat struct {
	Place int
	Parts []Part // nobody twice
}

// A Change is what a game did to somebody's rating.
type Change struct {
	Who
	Before, After Rating
	Place         int // of his seat, or the best of his seats
	Turns, Of     int // turns that he took in his seats, of all turns of these
	Left          Leaving
}

// Seats is what a game does to the ratings of all who played in it, in the order
// of Who. before tells what is believed of somebody; who is new has m.Start. The
// order of the seats makes no difference.
//
// A seat is a team; each who played it has the share of its turns that he took. A
// bot gains and loses by its share. Of a person:
//   - he gains by the share he took, and loses by the share he answers for: all
//     turns since he came. So a substitute loses by his share at most, and who lets
//     bots play his turns gains less and loses as much.
//   - who left, or let others play turns that were his, is taken to have had his
//     seat alone, if that is worse for him: a weak bot's company is no excuse.
//   - who left never gains. If it was his own doing his seat is taken to have come
//     last, wherever it came; if it was another's, where it did.
//   - who had somebody replaced does not gain from that seat: he is taken to have
//     played without it, if that is worse for him.
func (m Model) Seats(seats []Seat, before func(Who) Rating) []Change {
	if len(seats) < 2 {
		return nil
	}
	teams := make([]Team, len(seats))
	for i, s := range seats {
		teams[i] = Team{Place: s.Place, Members: members(s, before)}
	}
	pulls := m.pulls(teams)
	moves := map[Who]*sums{}
	for i, s := range seats {
		of := turns(s)
		for _, p := range s.Parts {
			if p.Turns == 0 && p.Held == 0 && p.Left == Stayed && len(s.Parts) > 1 {
				continue // he came when all was over
			}
			was := before(p.Who)
			x := moves[p.Who]
			if x == nil {
				x = &sums{Change: Change{Who: p.Who, Before: was, After: was, Place: s.Place}}
				moves[p.Who] = x
			}
			after := m.part(teams, pulls[i], i, p, of, was)
			if rest, at := without(seats, teams, i, p.Who); len(rest) < len(teams) {
				if fair := m.part(rest, m.pulls(rest)[at], at, p, of, was); fair.Mu < after.Mu {
					after = fair
				}
			}
			x.means = append(x.means, after.Mu-was.Mu)
			x.shrinks = append(x.shrinks, after.Sigma/was.Sigma)
			x.Turns, x.Of = x.Turns+p.Turns, x.Of+of
			x.Place, x.Left = min(x.Place, s.Place), max(x.Left, p.Left) // "walked" is the last in order
		}
	}
	out := make([]Change, 0, len(moves))
	for _, x := range moves {
		x.After.Mu += sum(x.means)
		slices.Sort(x.shrinks)
		for _, f := range x.shrinks {
			x.After.Sigma = float64(x.After.Sigma * f)
		}
		out = append(out, x.Change)
	}
	slices.SortFunc(out, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Player, b.Player), cmp.Compare(a.Bot, b.Bot))
	})
	return out
}

// sums are a change in pieces: a bot may have several seats of a game.
type sums struct {
	Change
	means, shrinks []float64
}

// part is what is believed of one who played part of seat i, of so many turns,
// after the game.
func (m Model) part(teams []Team, pulled pull, i int, p Part, of int, was Rating) Rating {
	took, held := 1.0, 1.0
	if of > 0 {
		took, held = float64(p.Turns)/float64(of), float64(p.Held)/float64(of)
	}
	if p.Bot != "" {
		return m.moved(was, pulled, took, took)
	}
	if p.Left == Walked {
		pulled = m.last(teams, i)
	}
	if p.Left != Stayed || p.Held > p.Turns {
		alone := slices.Clone(teams)
		alone[i].Members = []Member{{was, 1}}
		own := m.pulls(alone)[i]
		if p.Left == Walked {
			own = m.last(alone, i)
		}
		if own.mu < pulled.mu {
			pulled = own
		}
	}
	switch {
	case pulled.mu < 0:
		return m.moved(was, pulled, held, took)
	case p.Left != Stayed:
		return was
	}
	return m.moved(was, pulled, took, took)
}

// without are the teams of a game but for the seats in which others were replaced by
// the will of somebody in seat i, and where his is among them.
func without(seats []Seat, teams []Team, i int, who Who) (rest []Team, at int) {
	for j, s := range seats {
		if j != i && who != (Who{}) && slices.ContainsFunc(s.Parts, func(p Part) bool { return p.By == who }) {
			continue
		}
		if j == i {
			at = len(rest)
		}
		rest = append(rest, teams[j])
	}
	return rest, at
}

// last is the pull on a team if it had come last.
func (m Model) last(teams []Team, i int) pull {
	teams = slices.Clone(teams)
	for _, t := range teams {
		teams[i].Place = max(teams[i].Place, t.Place+1)
	}
	return m.pulls(teams)[i]
}

// turns are a seat's.
func turns(s Seat) (n int) {
	for _, p := range s.Parts {
		n += p.Turns
	}
	return n
}

// members are a seat's with their shares of its turns. Of a seat without a turn
// it is who had it at the end.
func members(s Seat, before func(Who) Rating) (out []Member) {
	of := turns(s)
	for i, p := range s.Parts {
		switch {
		case p.Turns > 0:
			out = append(out, Member{before(p.Who), float64(p.Turns) / float64(of)})
		case of == 0 && i == len(s.Parts)-1:
			out = append(out, Member{before(p.Who), 1})
		}
	}
	return out
}
