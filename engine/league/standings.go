package league

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// A Standing is one row of a division's table.
type Standing struct {
	Player int64
	Rank   int      // from 1; shared while the season runs and nothing decides
	Games  int      // scheduled for the player
	Played int      // that are over and of which the player took at least half of the turns; in seasons of version 0 all that are over
	Points Figure   // in a knock-out the rounds won
	Ties   []Figure // in the order of Rules.Ties
	Move   Move
	Left   bool // has left; ranked behind all others
	// Unplayed reports that games of the player are over and they played none of them:
	// they do not go up and win nothing, and only a ladder ranks them before others.
	Unplayed bool
}

// A Move is where a player goes after a season, by the current standings.
type Move string

// The moves.
const (
	Stays Move = ""
	Up    Move = "up"
	Down  Move = "down"
)

// A Figure is a number of a standing and its parts.
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

// Standings returns the table of a division, by rank. After a league's last season no one
// goes up or down.
func (s *State) Standings(season, division int) []Standing {
	rows := s.ranked(season, division)
	if _, more := s.opens(); !more && season == len(s.Seasons) {
		for i := range rows {
			rows[i].Move = Stays
		}
	}
	return rows
}

// ranked returns Standings with everyone's move as if another season followed.
func (s *State) ranked(season, division int) []Standing {
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
	switch {
	case t.r.Kind != Divisions:
	case x.Running():
		s.moveSure(d, rows)
	default:
		s.move(d, rows)
	}
	return rows
}

// moves are how many of a division are in it, and go up and down: as many fewer go down as
// come up from below because players there played none of their games.
func (s *State) moves(d *Division) (in, up, down int) {
	x := &s.Seasons[d.Season-1]
	in = len(d.In())
	if d.N > 1 {
		up = min(x.Rules.Up, s.worthy(d))
	}
	if d.N < len(x.Divisions) {
		below := &x.Divisions[d.N]
		none := min(x.Rules.Up, len(below.In())) - min(x.Rules.Up, s.worthy(below)) // who come up from there
		down = min(max(0, x.Rules.Down-none), in-up)
	}
	return in, up, down
}

// worthy is how many players of a division may go up: they have not left, and played
// a game, or the season is over and none of their games counts.
func (s *State) worthy(d *Division) (n int) {
	over, played := map[int64]bool{}, map[int64]bool{}
	for _, f := range d.Fixtures {
		for _, e := range s.entrants(f) {
			over[e.player] = true
			played[e.player] = played[e.player] || e.played()
		}
	}
	for _, p := range d.In() {
		if played[p] || s.counting(d.Season) == 0 || !s.Seasons[d.Season-1].Running() && !over[p] {
			n++
		}
	}
	return n
}

// move puts in who goes up and who down after a season.
func (s *State) move(d *Division, rows []Standing) {
	in, up, down := s.moves(d)
	for i := range up {
		rows[i].Move = Up
	}
	for i := in - down; i < in; i++ {
		rows[i].Move = Down
	}
}

// moveSure is move during the season: it fills in moves that no remaining game can change.
// A player who leaves, or a ruling, still can.
func (s *State) moveSure(d *Division, rows []Standing) {
	_, up, down := s.moves(d)
	if up == 0 && down == 0 {
		return
	}
	r := s.rulesOf(d.Season)
	over, open := true, map[int64]int{} // what a player can still win
	for _, f := range d.Fixtures {
		if f.Over() {
			continue
		}
		over = false
		if points := r.Points[min(len(f.Players)+len(f.Absent), MaxTable)]; len(points) > 0 {
			for _, p := range f.Players {
				open[p] += points[0]
			}
		}
	}
	var least, most []Rational
	in := make([]bool, len(rows)) // or may be again: a place that someone can still take
	for i, row := range rows {
		if in[i] = !row.Left; row.Left {
			if g := d.gone(row.Player); g.To == 0 && !g.Settled {
				if g.Annuls {
					return
				}
				in[i], over = true, false
			}
		}
		least, most = append(least, row.Points.Value), append(most, row.Points.Value.Plus(Whole(open[row.Player])))
	}
	ahead := func(a, b int) bool {
		switch {
		case rows[a].Left || s.counting(d.Season) > 0 && rows[a].Played == 0:
			return false
		case over:
			return rows[a].Rank < rows[b].Rank
		}
		return least[a].Cmp(most[b]) > 0
	}
	for i := range rows {
		mayUp, mayDown := 0, 0 // others who may come before, and behind
		for k := range rows {
			if k != i && in[k] {
				if !ahead(i, k) {
					mayUp++
				}
				if !ahead(k, i) {
					mayDown++
				}
			}
		}
		switch {
		case rows[i].Left:
		case mayUp < up:
			rows[i].Move = Up
		case mayDown < down:
			rows[i].Move = Down
		}
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
	counts := t.counts()
	for k, c := range t.meetings {
		for j, e := range c {
			if i, ok := t.row[e.player]; ok {
				t.mine[i] = append(t.mine[i], entry{k, j})
				if counts && e.played() || !counts && !e.away {
					t.rows[i].Played++
				}
				t.rows[i].Unplayed = counts
			}
		}
	}
	for i := range t.rows {
		t.rows[i].Unplayed = t.rows[i].Unplayed && t.rows[i].Played == 0
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

// order returns the rows by rank, equal ones together; players who played none of their
// games come behind all others but those who left.
func (t *ranking) order() [][]int {
	var in, idle, out []int
	for i := range t.rows {
		switch row := &t.rows[i]; {
		case row.Left:
			out = append(out, i)
		case row.Unplayed && t.r.Kind != Ladder:
			idle = append(idle, i)
		default:
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
	for _, g := range [][]int{in, idle, out} {
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

// counts reports whether the season counts seats (Counting).
func (t *ranking) counts() bool { return t.s.counting(t.d.Season) > 0 }

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
				case e.place == 1 && !e.idle:
					x.Value = e.part()
				case e.best > 0 && e.score > 0:
					if x.Value = Ratio(e.score, e.best); e.idle && e.score > e.best {
						x.Value = Whole(1)
					}
					x.Value = x.Value.Times(e.part())
				}
			})
		case Wins:
			t.each(i, &f, func(_ meeting, e entrant, x *Term) {
				if e.place == 1 && !e.left && !e.idle {
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
			t.opponents(i, &f, func(e, o entrant, x *Term) bool {
				j, ok := t.row[o.player]
				beats := e.beats(o)
				if !ok || beats < 0 || t.counts() && e.left {
					return false
				}
				x.Worth = t.rows[j].Points.Value
				x.Value = x.Worth.Times(Ratio(1+beats, 2))
				if t.counts() && e.turns != e.all {
					x.Turns, x.All = e.turns, e.all
					x.Value = x.Value.Times(e.part())
				}
				return true
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
		if t.counts() && !e.played() {
			continue
		}
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

// opponents calls do for each opponent in the games of a row, and adds the term if do
// returns true.
func (t *ranking) opponents(i int, f *Figure, do func(e, o entrant, x *Term) bool) {
	for _, m := range t.mine[i] {
		c := t.meetings[m.meeting]
		e := c[m.at]
		for j, o := range c {
			x := Term{Fixture: e.fixture.ID, Game: e.fixture.Game, Round: e.fixture.Round, Opponent: o.player, Place: e.place, Shared: e.shared, Left: e.left}
			if j != m.at && do(e, o, &x) {
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
