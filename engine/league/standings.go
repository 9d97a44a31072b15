package league

import (
	"slices"
)

// A Standing is one row of a division's table.
type Standing struct {
	Player int64
	Rank   int // from 1; shared while the season runs and nothing decides
	Games  int // that are his by the schedule
	Played int
	Points Figure
	Ties   []Figure // in the order of Rules.Ties
	Move   Move
	Left   bool // has left; ranked behind all others
}

// A Move is where a player goes after a season, as it stands.
type Move string

// The moves.
const (
	Stays Move = ""
	Up    Move = "up"
	Down  Move = "down"
)

// A Figure is a number of a standing and what it comes from.
type Figure struct {
	Of      Tie
	Value   Rational
	Terms   []Term // summed, they are Value
	Decides bool   // it ranks him behind whoever stands just above
}

// A Term is what one game, or one player met in it, adds to a figure.
type Term struct {
	Fixture  int
	Game     string
	Opponent int64 `json:",omitempty"` // Head and Berger: who was met
	Place    int   // one's own, shared with Shared-1 others
	Shared   int
	Score    int // Share: one's own
	Best     int // Share: the winner's
	Turns    int // of the seat that were one's own, where others played on it, of All
	All      int
	Worth    Rational // Points: of the place; Berger: the opponent's points
	Value    Rational
}

// Standings is how a division stands, by rank.
func (s *State) Standings(season, division int) []Standing {
	d := s.division(season, division)
	if d == nil {
		return nil
	}
	var rows []Standing
	for _, p := range d.Players {
		row := Standing{Player: p, Points: Figure{Of: Points}}
		for _, f := range d.Fixtures {
			i := slices.Index(f.Players, p)
			if i < 0 || f.Void {
				continue
			}
			row.Games++
			if f.Result == nil {
				continue
			}
			row.Played++
			t := Term{Fixture: f.ID, Game: f.Game, Place: f.Result.Seats[i].Place}
			t.Worth, t.Shared = worth(s.Rules.Points[len(f.Players)], f.Result.Seats, i)
			t.Value = t.Worth
			row.Points.Terms = append(row.Points.Terms, t)
			row.Points.Value = row.Points.Value.Plus(t.Value)
		}
		for _, tie := range s.Rules.Ties {
			row.Ties = append(row.Ties, Figure{Of: tie})
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b Standing) int { return b.Points.Value.Cmp(a.Points.Value) })
	for i := range rows {
		rows[i].Rank = i + 1
	}
	return rows
}

func (s *State) division(season, division int) *Division {
	if season < 1 || season > len(s.Seasons) || division < 1 || division > len(s.Seasons[season-1].Divisions) {
		return nil
	}
	return &s.Seasons[season-1].Divisions[division-1]
}

// worth is what a seat's place is worth: equal seats share what their places
// are worth together.
func worth(points []int, seats []Seat, i int) (Rational, int) {
	sum, n := 0, 0
	for _, x := range seats {
		if x.Place == seats[i].Place {
			if at := x.Place - 1 + n; at < len(points) {
				sum += points[at]
			}
			n++
		}
	}
	return Ratio(sum, n), n
}

// A Duel is one meeting of two players.
type Duel struct {
	Fixture int
	Game    string
	Place   int // of the one
	Other   int // of the other; both 0: not decided yet
}

// Cross is the cross table of a division: for each player in the order of
// Standings, by each other in that order, where they met; nil with himself.
func (s *State) Cross(season, division int) [][][]Duel {
	d := s.division(season, division)
	if d == nil {
		return nil
	}
	rows := s.Standings(season, division)
	cross := make([][][]Duel, len(rows))
	for a := range rows {
		cross[a] = make([][]Duel, len(rows))
		for b := range rows {
			for _, f := range d.Fixtures {
				i, j := slices.Index(f.Players, rows[a].Player), slices.Index(f.Players, rows[b].Player)
				if a == b || i < 0 || j < 0 || f.Void {
					continue
				}
				x := Duel{Fixture: f.ID, Game: f.Game}
				if f.Result != nil {
					x.Place, x.Other = f.Result.Seats[i].Place, f.Result.Seats[j].Place
				}
				cross[a][b] = append(cross[a][b], x)
			}
		}
	}
	return cross
}
