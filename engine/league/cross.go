package league

import "slices"

// A Duel is one meeting of two players.
type Duel struct {
	Fixture int
	Game    string
	Place   int // of the one
	Other   int // of the other; both 0: not decided yet
}

// Cross returns the cross table of a division: for each player in the order of
// Standings, by each other in that order, where they met; the diagonal is empty.
func (s *State) Cross(season, division int) [][][]Duel {
	rows := s.Standings(season, division)
	if rows == nil {
		return nil
	}
	at := map[int64]int{}
	for i, row := range rows {
		at[row.Player] = i
	}
	cross := make([][][]Duel, len(rows))
	for a := range rows {
		cross[a] = make([][]Duel, len(rows))
	}
	for _, f := range s.division(season, division).Fixtures {
		if f.Void {
			continue
		}
		outcomes := s.Outcomes(f)
		for _, p := range f.Players {
			for _, q := range f.Players {
				a, in := at[p]
				b, too := at[q]
				if p == q || !in || !too {
					continue
				}
				x := Duel{Fixture: f.ID, Game: f.Game}
				if outcomes != nil {
					x.Place, x.Other = outcomes[slices.Index(f.Players, p)].Place, outcomes[slices.Index(f.Players, q)].Place
				}
				cross[a][b] = append(cross[a][b], x)
			}
		}
	}
	return cross
}
