package league

import (
	"cmp"
	"slices"
	"time"
)

// What a league came to over all its seasons. Only results that the State tells are in it:
// of a State for the public (For) it has nothing of rounds that are still secret.

// TopRecords is how many of each kind Records has at most.
const TopRecords = 5

// A Career is what a player's seasons in a league came to together.
type Career struct {
	Player  Player
	Seasons int
	Titles  int      // seasons won
	Played  int      // games that are over and of which the player took at least half of the turns
	Won     int      // of those, also shared; against Hal in a solo league
	Points  Rational // as the tables have them, without what was earned as a substitute
}

// A Pair is how two players did against each other.
type Pair struct {
	A, B          int64
	Games         int // that both finished
	Ahead, Behind int // games in which A was ahead of B, and B of A
}

// A Record is a game that is outstanding in some way.
type Record struct {
	Fixture *Fixture
	Player  int64         // highest score: who had it
	Lasted  time.Duration // the longest
	Margin  int           // the closest: VP between the best two, or the player and Hal
	Score   int           // the highest
}

// A Streak is a run of games that a player won without losing one between.
type Streak struct {
	Player   int64
	Games    int
	From, To time.Time // when the first and the last ended
	Going    bool      // the player has lost no game since
}

// Records are the outstanding games and runs, the first being the most so.
type Records struct {
	Longest, Closest, Highest []Record
	Streaks                   []Streak // of two games at least
}

// ended are the fixtures of a season, 0 all, that have a result as it was played, in the
// order in which they ended.
func (s *State) ended(season int) (out []*Fixture) {
	for _, f := range s.Fixtures {
		if (season == 0 || f.Season == season) && !f.Void && f.Result != nil && f.Result.Ruling != Forfeit {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b *Fixture) int { return cmp.Or(a.Ended.Compare(b.Ended), cmp.Compare(a.ID, b.ID)) })
	return out
}

// finishers are the players who finished seats of a game themselves, with whether they won,
// in the order of their places. Seats that do not count, or that bots finished, are not among them.
func (s *State) finishers(f *Fixture) (out []Outcome) {
	for _, o := range s.Outcomes(f) {
		if o.Own() {
			out = append(out, o)
		}
	}
	slices.SortStableFunc(out, func(a, b Outcome) int { return cmp.Compare(a.Place, b.Place) })
	return out
}

// victory reports whether an outcome of a game is a win, over Hal where one plays alone.
func victory(f *Fixture, o Outcome) bool {
	if len(f.Players) == 1 {
		return o.Score > o.Hal
	}
	return o.Won()
}

// Records are those of a season, 0 for all.
func (s *State) Records(season int) (r Records) {
	type run struct{ now, best Streak }
	runs := map[int64]*run{}
	for _, f := range s.ended(season) {
		all := s.finishers(f)
		for _, o := range s.Outcomes(f) {
			x := runs[o.Player]
			if x == nil {
				x = &run{}
				runs[o.Player] = x
			}
			if !o.Own() || !victory(f, o) { // nor does a streak outlive a game that was left
				x.now = Streak{}
				continue
			}
			if x.now.Games++; x.now.Games == 1 {
				x.now.Player, x.now.From = o.Player, f.Ended
			}
			if x.now.To = f.Ended; x.now.Games >= x.best.Games {
				x.best = x.now
			}
		}
		if f.Result.Ruling != "" { // no one played so long, or so close
			continue
		}
		if !f.Began.IsZero() && f.Ended.After(f.Began) {
			r.Longest = append(r.Longest, Record{Fixture: f, Lasted: f.Ended.Sub(f.Began)})
		}
		for _, o := range all {
			r.Highest = append(r.Highest, Record{Fixture: f, Player: o.Player, Score: o.Score})
		}
		switch {
		case len(f.Players) == 1 && len(all) == 1:
			r.Closest = append(r.Closest, Record{Fixture: f, Margin: max(all[0].Score-all[0].Hal, all[0].Hal-all[0].Score)})
		case len(all) > 1:
			r.Closest = append(r.Closest, Record{Fixture: f, Margin: max(all[0].Score-all[1].Score, all[1].Score-all[0].Score)})
		}
	}
	first := func(all *[]Record, by func(a, b Record) int) {
		slices.SortStableFunc(*all, by)
		*all = (*all)[:min(len(*all), TopRecords)]
	}
	first(&r.Longest, func(a, b Record) int { return cmp.Compare(b.Lasted, a.Lasted) })
	first(&r.Closest, func(a, b Record) int { return cmp.Compare(a.Margin, b.Margin) })
	first(&r.Highest, func(a, b Record) int { return cmp.Compare(b.Score, a.Score) })
	for _, x := range runs {
		if x.best.Games > 1 {
			x.best.Going = x.now == x.best
			r.Streaks = append(r.Streaks, x.best)
		}
	}
	slices.SortFunc(r.Streaks, func(a, b Streak) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), a.To.Compare(b.To), cmp.Compare(a.Player, b.Player))
	})
	r.Streaks = r.Streaks[:min(len(r.Streaks), TopRecords)]
	return r
}

// AllTime is the table of all players who ever had a place in a season, by titles, then
// points, then games won. standings is Standings, or a cache of it.
func (s *State) AllTime(standings func(season, division int) []Standing) []Career {
	at := map[int64]*Career{}
	var out []*Career
	of := func(p int64) *Career {
		c := at[p]
		if c == nil {
			c = &Career{Player: Player{ID: p}, Points: Whole(0)}
			if x := s.Player(p); x != nil {
				c.Player = *x
			}
			at[p] = c
			out = append(out, c)
		}
		return c
	}
	for i := range s.Seasons {
		x := &s.Seasons[i]
		for j := range x.Divisions {
			for _, row := range standings(x.N, x.Divisions[j].N) {
				c := of(row.Player)
				c.Seasons++
				c.Played += row.Played
				c.Points = c.Points.Plus(row.Points.Value)
			}
		}
		for _, p := range s.Winners(x.N) {
			of(p).Titles++
		}
	}
	for _, f := range s.ended(0) {
		for _, o := range s.finishers(f) {
			if c := at[o.Player]; c != nil && victory(f, o) {
				c.Won++
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *Career) int {
		return cmp.Or(cmp.Compare(b.Titles, a.Titles), b.Points.Cmp(a.Points), cmp.Compare(b.Won, a.Won), cmp.Compare(a.Player.ID, b.Player.ID))
	})
	all := make([]Career, len(out))
	for i, c := range out {
		all[i] = *c
	}
	return all
}

// Pairs are how players did against each other, those who met most often first; of one
// player, if it is not 0, who is then A. There are none in solo leagues.
func (s *State) Pairs(of int64) []Pair {
	type key [2]int64
	at := map[key]*Pair{}
	for _, f := range s.ended(0) {
		all := s.finishers(f)
		for i, a := range all {
			for _, b := range all[i+1:] {
				flip := b.Player == of || of != a.Player && b.Player < a.Player
				x, y := a, b
				if flip {
					x, y = b, a
				}
				if of != 0 && x.Player != of {
					continue
				}
				k := key{x.Player, y.Player}
				p := at[k]
				if p == nil {
					p = &Pair{A: x.Player, B: y.Player}
					at[k] = p
				}
				switch p.Games++; {
				case x.Place < y.Place:
					p.Ahead++
				case y.Place < x.Place:
					p.Behind++
				}
			}
		}
	}
	out := make([]Pair, 0, len(at))
	for _, p := range at {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	return out
}
