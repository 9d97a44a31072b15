package rating

import (
	"cmp"
	"slices"
)

// A Who has a rating: a person, or a bot, which is rated by its name.
type Who struct {
	Player int64
	Bot    string // "" a person
}

// A Leaving is how a player left a seat.
type Leaving string

// The leavings.
const (
	Stayed   Leaving = ""
	Walked   Leaving = "walked"   // by choice: resigned, or was absent for good
	Replaced Leaving = "replaced" // by another's will
)

// A Part is what a person or bot played of a seat.
type Part struct {
	Who
	Turns int // of the seat, taken by Who
	Held  int // of the seat since Who came to it, by anyone
	Left  Leaving
	By    Who // who had Who replaced; the zero Who: no one the game rates
}

// A Seat of a finished game and where it came in.
type Seat struct {
	Place int
	Parts []Part // each Who once
}

// A Change is what a game did to a rating.
type Change struct {
	Who
	Before, After Rating
	Place         int // of the player's seat, or the best of their seats
	Turns, Of     int // turns taken in these seats, of all their turns
	Left          Leaving
}

// Seats returns what a game does to the ratings of all who played in it, in the order of
// Who. before returns the rating before the game; new players have m.Start. The order of
// the seats makes no difference.
//
// A seat is a team; each member's share is the share of its turns they took. A bot gains
// and loses by its share. For people:
//   - They gain by the share they took, and lose by the share they answer for: all turns
//     since they came. So substitutes lose by their share at most, and players who let bots
//     play their turns gain less and lose as much.
//   - Players who left, or let others play their turns, are rated as if they had had the
//     seat alone, if that is worse for them: a weak bot's company does not excuse them.
//   - Players who left never gain. If they chose to leave, their seat counts as last,
//     wherever it came; if another player replaced them, where it came.
//   - Players who had another replaced do not gain from that seat: they are rated as if
//     they had played without it, if that is worse for them.
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
				continue // came when all was over
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

// part returns the rating after the game of a player who played part p of seat i,
// which had so many turns.
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

// without returns the teams of a game except the seats in which who, a player of seat
// i, had others replaced, and the index of seat i among them.
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
