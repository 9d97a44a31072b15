package league

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// A Standing is one row of a division's table.
type Standing struct {
	Player int64
	Rank   int // from 1; shared while the season runs and nothing decides
	Games  int // scheduled for the player
	Played int
	Points Figure   // in a knock-out the rounds won
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
	Terms   []Term // summed, they are Value; none for Lot
	Decides bool   // it ranks the player behind the one just above
}

// A Term is what one game, or one player met in it, adds to a figure.
type Term struct {
	Fixture  int
	Game     string
	Round    int
	Opponent int64    // Head and Berger: who was met
	Place    int      // the player's, shared with Shared-1 others; 0 for a bye
	Shared   int      //
	Score    int      // Share: the player's
	Best     int      // Share: the winner's
	Turns    int      // of the seat that the player took, of All, if others played on it, too;
	All      int      // BotTurns: those of bots
	Left     bool     // the player lost or left the seat, or did not come
	Worth    Rational // Points: of the place; Berger: the opponent's points
	Value    Rational
}

func (f *Figure) add(t Term) {
	f.Terms = append(f.Terms, t)
	f.Value = f.Value.Plus(t.Value)
}

// Standings is how a division stands, by rank.
func (s *State) Standings(season, division int) []Standing {
	d := s.division(season, division)
	if d == nil {
		return nil
	}
	t := s.table(d)
	groups := t.order()
	x := &s.Seasons[season-1]
	var rows []Standing
	for _, group := range groups {
		for _, i := range group {
			t.rows[i].Rank = len(rows) + 1
			if len(rows) > 0 && group[0] != i { // still equal
				t.rows[i].Rank = rows[len(rows)-1].Rank
			}
			rows = append(rows, t.rows[i])
		}
	}
	if t.r.Kind == Divisions {
		move(rows, t.r, d.N, len(x.Divisions))
	}
	return rows
}

// move puts in who goes up and who down.
func move(rows []Standing, r *Rules, division, divisions int) {
	in := 0
	for _, row := range rows {
		if !row.Left {
			in++
		}
	}
	up, down := 0, 0
	if division > 1 {
		up = min(r.Up, in)
	}
	if division < divisions {
		down = min(r.Down, in-up)
	}
	for i := range up {
		rows[i].Move = Up
	}
	for i := in - down; i < in; i++ {
		rows[i].Move = Down
	}
}

// A ranking is a division's table while it is made.
type ranking struct {
	s        *State
	r        *Rules
	d        *Division
	meetings []meeting
	rows     []Standing
	row      map[int64]int
	mine     [][]entry // by row, what the player played
	stages   []stage   // of a knock-out
}

// An entry is one player's in a meeting.
type entry struct{ meeting, at int }

func (s *State) table(d *Division) *ranking {
	t := &ranking{s: s, r: s.rulesOf(d.Season), d: d, row: map[int64]int{}, mine: make([][]entry, len(d.Players))}
	t.meetings, _ = s.meetings(d)
	for i, p := range d.Players {
		t.row[p] = i
		t.rows = append(t.rows, Standing{Player: p, Left: d.gone(p) != nil, Points: Figure{Of: Points}})
	}
	for _, f := range d.Fixtures {
		if f.Void || f.Bye {
			continue
		}
		for _, list := range [][]int64{f.Players, f.Absent} {
			for _, p := range list {
				if i, ok := t.row[p]; ok {
					t.rows[i].Games++
				}
			}
		}
	}
	for k, c := range t.meetings {
		for j, e := range c {
			if i, ok := t.row[e.player]; ok {
				t.mine[i] = append(t.mine[i], entry{k, j})
				if !e.away {
					t.rows[i].Played++
				}
			}
		}
	}
	for i := range t.rows {
		t.points(i)
	}
	return t
}

// each calls do with a term for each meeting of a row, in the order of fixtures,
// and adds what do leaves in it.
func (t *ranking) each(i int, f *Figure, do func(c meeting, e entrant, x *Term)) {
	for _, m := range t.mine[i] {
		c := t.meetings[m.meeting]
		e := c[m.at]
		x := Term{Fixture: e.fixture.ID, Game: e.fixture.Game, Round: e.fixture.Round, Place: e.place, Shared: e.shared, Left: e.left}
		if e.turns != e.all {
			x.Turns, x.All = e.turns, e.all
		}
		do(c, e, &x)
		f.add(x)
	}
}

// points puts in a row's points.
func (t *ranking) points(i int) {
	f := &t.rows[i].Points
	if t.r.Kind == Knockout {
		t.progress(i)
		return
	}
	t.each(i, f, func(_ meeting, e entrant, x *Term) {
		x.Worth, x.Value = e.worth, e.value(e.worth)
	})
	for _, b := range t.d.Fixtures { // a bye is worth the mean of a table
		if b.Bye && !b.Void && b.Players[0] == t.rows[i].Player {
			sum := 0
			for _, n := range t.r.Points[t.r.Table] {
				sum += n
			}
			mean := Ratio(sum, t.r.Table)
			f.add(Term{Fixture: b.ID, Round: b.Round, Worth: mean, Value: mean})
		}
	}
}

// order returns the rows by rank, equal ones together; players who left come last.
func (t *ranking) order() [][]int {
	var in, out []int
	for i := range t.rows {
		if t.rows[i].Left {
			out = append(out, i)
		} else {
			in = append(in, i)
		}
	}
	if t.r.Kind == Ladder { // as they stand
		all := append(in, out...)
		t.figures(all)
		var groups [][]int
		for _, i := range all {
			groups = append(groups, []int{i})
		}
		return groups
	}
	var groups [][]int
	for _, g := range [][]int{in, out} {
		if len(g) > 0 {
			groups = append(groups, t.split(g, func(i int) *Figure { return &t.rows[i].Points }, false)...)
		}
	}
	for n, tie := range t.r.Ties {
		var next [][]int
		for _, g := range groups {
			t.tie(tie, g)
			next = append(next, t.split(g, func(i int) *Figure { return &t.rows[i].Ties[n] }, tie == BotTurns)...)
		}
		groups = next
	}
	return groups
}

// split is a group in groups of equals by a figure, the best first.
func (t *ranking) split(group []int, of func(int) *Figure, least bool) (parts [][]int) {
	group = slices.Clone(group)
	compare := func(a, b int) int {
		c := of(b).Value.Cmp(of(a).Value)
		if least {
			return -c
		}
		return c
	}
	slices.SortStableFunc(group, compare)
	for k, i := range group {
		if k == 0 || compare(group[k-1], i) != 0 {
			of(i).Decides = k > 0
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], i)
	}
	return parts
}

// figures puts in all tie-breaks of rows none of which is equal to another.
func (t *ranking) figures(rows []int) {
	for _, tie := range t.r.Ties {
		for _, i := range rows {
			t.tie(tie, []int{i})
		}
	}
}

// tie puts in a tie-break of rows that are equal up to there.
func (t *ranking) tie(tie Tie, group []int) {
	var met map[int][]int // by meeting, where rows of the group are in it
	if tie == Head && len(group) > 1 && len(group) <= MaxDivision {
		met = map[int][]int{}
		for _, i := range group {
			for _, m := range t.mine[i] {
				met[m.meeting] = append(met[m.meeting], m.at)
			}
		}
	}
	for _, i := range group {
		f := Figure{Of: tie}
		switch tie {
		case Share:
			t.each(i, &f, func(_ meeting, e entrant, x *Term) {
				x.Score, x.Best = e.score, e.best
				switch {
				case e.left:
				case e.place == 1:
					x.Value = e.part()
				case e.best > 0 && e.score > 0:
					x.Value = Ratio(e.score, e.best).Times(e.part())
				}
			})
		case Wins:
			t.each(i, &f, func(_ meeting, e entrant, x *Term) {
				if e.place == 1 && !e.left {
					x.Value = Ratio(1, e.shared).Times(e.part())
				}
			})
		case BotTurns:
			t.each(i, &f, func(_ meeting, e entrant, x *Term) {
				x.Turns, x.All = e.bots, e.all
				x.Value = Whole(e.bots)
			})
		case Head:
			t.heads(i, met, &f)
		case Berger:
			t.opponents(i, &f, func(o entrant, beats int, x *Term) bool {
				j, ok := t.row[o.player]
				if ok && beats >= 0 {
					x.Worth = t.rows[j].Points.Value
					x.Value = x.Worth.Times(Ratio(1+beats, 2))
				}
				return ok && beats >= 0
			})
		case Lot:
			f.Value = t.s.lot(t.d.Season, t.rows[i].Player)
		}
		t.rows[i].Ties = append(t.rows[i].Ties, f)
	}
}

// heads records which of its equals a row has met, and beaten. In a round of a
// solo league all players meet: among more than MaxDivision equal players no one
// has beaten another, or it would never come to an end.
func (t *ranking) heads(i int, met map[int][]int, f *Figure) {
	for _, m := range t.mine[i] {
		c := t.meetings[m.meeting]
		e := &c[m.at]
		others := met[m.meeting]
		slices.Sort(others)
		for _, j := range others {
			if j != m.at {
				f.add(Term{Fixture: e.fixture.ID, Game: e.fixture.Game, Round: e.fixture.Round, Opponent: c[j].player, Place: e.place, Shared: e.shared,
					Left: e.left, Value: Whole(e.beats(c[j]))})
			}
		}
	}
}

// opponents calls do for each player whom a row met, and adds the term if it says so.
func (t *ranking) opponents(i int, f *Figure, do func(o entrant, beats int, x *Term) bool) {
	for _, m := range t.mine[i] {
		c := t.meetings[m.meeting]
		e := c[m.at]
		for j, o := range c {
			x := Term{Fixture: e.fixture.ID, Game: e.fixture.Game, Round: e.fixture.Round, Opponent: o.player, Place: e.place, Shared: e.shared, Left: e.left}
			if j != m.at && do(o, e.beats(o), &x) {
				f.add(x)
			}
		}
	}
}

// lot is a player's lot of a season, the first six bytes, big-endian, of
// HMAC-SHA256(secret, "lot/PLAYER"); 0 as long as the season runs. The highest
// comes first.
func (s *State) lot(season int, player int64) Rational {
	if s.Seasons[season-1].Running() {
		return Rational{}
	}
	drawn := derive(s.secret(season), fmt.Sprintf("lot/%d", player))
	return Whole(int(binary.BigEndian.Uint64(drawn[:]) >> 16))
}

// Guests are those who played on seats of others in a division, with what these
// seats brought them: it does not count in their own standings. They come in the
// order of their first game.
func (s *State) Guests(season, division int) []Standing {
	d := s.division(season, division)
	if d == nil {
		return nil
	}
	var rows []Standing
	_, guests := s.meetings(d)
	for _, e := range guests {
		i := slices.IndexFunc(rows, func(r Standing) bool { return r.Player == e.player })
		if i < 0 {
			i = len(rows)
			rows = append(rows, Standing{Player: e.player, Points: Figure{Of: Points}})
		}
		rows[i].Games++
		rows[i].Played++
		rows[i].Points.add(Term{Fixture: e.fixture.ID, Game: e.fixture.Game, Round: e.fixture.Round, Place: e.place, Shared: e.shared,
			Turns: e.turns, All: e.all, Left: e.left, Worth: e.worth, Value: e.value(e.worth)})
	}
	return rows
}

func (s *State) division(season, division int) *Division {
	if season < 1 || season > len(s.Seasons) || division < 1 || division > len(s.Seasons[season-1].Divisions) {
		return nil
	}
	return &s.Seasons[season-1].Divisions[division-1]
}
