package league

import "slices"

// A Change is something we told a player about a season that is no longer true.
type Change struct {
	Player   int64
	Division int
	Was, Now Move
	Open     bool    // the season runs: that the player goes up or down is not certain any more
	Won      bool    // the player has won the season now
	Lost     bool    // the player had won it
	Ruling   *Ruling // that has changed it; nil: a player has left
}

// Changes returns what was true of the last season in was, as we told the players, and is
// different now: promotions, relegations and the winners. It leaves out what a finished
// game has decided.
func Changes(was, now *State) (all []Change) {
	x := was.Season()
	if x == nil || len(now.Seasons) != len(was.Seasons) {
		return nil
	}
	y := now.Season()
	var ruling *Ruling
	if n := len(now.Rulings); n > len(was.Rulings) {
		ruling = &now.Rulings[n-1]
	}
	for i := range x.Divisions {
		// Relegation depends on the division below, too.
		if !x.Divisions[i].differs(&y.Divisions[i]) && (i+1 == len(x.Divisions) || !x.Divisions[i+1].differs(&y.Divisions[i+1])) {
			continue
		}
		before := map[int64]Move{}
		for _, row := range was.Standings(x.N, i+1) {
			before[row.Player] = row.Move
		}
		first := was.Winners(x.N)
		for _, row := range now.Standings(y.N, i+1) {
			c := Change{Player: row.Player, Division: i + 1, Now: row.Move, Ruling: ruling}
			if i == 0 && !x.Running() {
				won := slices.Contains(now.Winners(y.N), row.Player)
				c.Won, c.Lost = won && !slices.Contains(first, row.Player), !won && slices.Contains(first, row.Player)
			}
			move, known := before[row.Player]
			moved := known && move != row.Move && (move != Stays || !x.Running())
			if !row.Left && (moved || c.Won || c.Lost) {
				c.Was, c.Open = move, x.Running() && row.Move == Stays
				all = append(all, c)
			}
		}
	}
	return all
}

// differs reports whether players have left a division, or results have changed in it.
func (d *Division) differs(o *Division) bool {
	return !slices.Equal(d.Left, o.Left) || !slices.EqualFunc(d.Fixtures, o.Fixtures, func(f, g *Fixture) bool { return f.Result == g.Result && f.Void == g.Void })
}

// Displaced returns the players of the running season who are in another division than the
// table of the last season said, because others have left or joined since. It leaves out
// players whose division the director has chosen.
func (s *State) Displaced() (players []int64) {
	x := s.running()
	if x == nil || x.N < 2 || x.Rules.Kind != Divisions {
		return nil
	}
	for i := range s.Seasons[x.N-2].Divisions {
		for _, row := range s.Standings(x.N-1, i+1) {
			said := i + map[Move]int{Up: 0, Stays: 1, Down: 2}[row.Move]
			if d := s.Division(row.Player); d != nil && !row.Left && d.N != said && x.placed[row.Player] == 0 {
				players = append(players, row.Player)
			}
		}
	}
	return players
}
