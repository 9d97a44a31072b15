package league

import (
	"cmp"
	"slices"
)

// Counting is the version of the rules by which seasons that begin now count seats and
// tie-breaks. A season keeps its version (Line.Counting of its first line), so that no
// table that players have seen changes with the program. Version 0 had no rule for
// seats that bots played; in version 1, a player who left too early took games with them that
// were over (State.lose).
const Counting = 2

// counting is the version by which a season counts.
func (s *State) counting(season int) int { return s.Seasons[season-1].Counting }

// Counts reports whether a seat counts: its player and substitutes took at least half of
// its turns, bots the others. A seat that does not count comes last and is ahead of no
// one, whatever its score.
func (x Seat) Counts() bool {
	bots, all := 0, 0
	for _, p := range x.Parts {
		if all += p.Turns; p.Player == 0 {
			bots += p.Turns
		}
	}
	return 2*bots <= all
}

// Heir returns the substitute who finished a seat that its player had left, 0 if there
// is none.
func (x Seat) Heir() (heir int64) {
	for _, p := range x.Parts {
		switch {
		case p.Left || p.Player == 0:
		case p.Player == x.Player:
			return 0
		default:
			heir = p.Player
		}
	}
	return heir
}

// An Outcome is the result of a seat of a game for its league.
type Outcome struct {
	Seat
	Place  int   // that counts; Seat.Place is the game's
	Counts bool  // as Seat.Counts has it; always in seasons of version 0
	By     int64 // who has the seat: its player, or the substitute who had it at the end
	Left   bool  // the player had left it before the end, and a bot finished it: it is behind all that were finished
}

// Won reports whether a seat has won its game for the league.
func (o Outcome) Won() bool { return o.Counts && !o.Left && o.Place == 1 }

// Own reports whether the seat's own player finished it, and it counts.
func (o Outcome) Own() bool { return o.Counts && !o.Left && o.By == o.Player && o.Player != 0 }

// Outcomes returns those of a fixture's seats, in the order of its players; nil if it has
// no result. Games of a solo league are compared in their round, not here.
func (s *State) Outcomes(f *Fixture) (all []Outcome) {
	for i, e := range s.entrants(f) {
		if e.away {
			break
		}
		x := f.Result.Seats[i]
		heir := x.Heir()
		all = append(all, Outcome{Seat: x, Place: e.place, Counts: !e.idle, By: cmp.Or(heir, x.Player), Left: e.left && heir == 0})
	}
	return all
}

// Winners returns the players who have won a season: those who are first in its top
// division, or the last in a knock-out. A player who played none of their games cannot win.
// It returns none while the season runs.
func (s *State) Winners(season int) (won []int64) {
	if season < 1 || season > len(s.Seasons) || s.Seasons[season-1].Running() {
		return nil
	}
	return s.winners(season, s.Standings(season, 1))
}

func (s *State) winners(season int, rows []Standing) (won []int64) {
	if s.rulesOf(season).Kind == Knockout && s.counting(season) > 0 {
		d := &s.Seasons[season-1].Divisions[0]
		return slices.DeleteFunc(s.remaining(d), func(p int64) bool { return d.gone(p) != nil })
	}
	rank := 0
	for _, row := range rows {
		if row.Left || row.Unplayed || rank > 0 && row.Rank != rank {
			continue
		}
		won, rank = append(won, row.Player), row.Rank
	}
	return won
}
