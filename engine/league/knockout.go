package league

import (
	"cmp"
	"slices"
)

// A match is a table of a knock-out: its games and players.
type match struct {
	n       int
	players []int64 // in the order of the draw
	legs    []*Fixture
}

// A stage is one round of a knock-out.
type stage struct {
	round   int
	places  int     // in the draw of the next round, at tables of two
	in      []int64 // players of the round, and those with a bye, in the order of the draw
	matches []match // by number; a bye is one of one player
}

// stages returns the rounds of a knock-out that have begun, and the draw after the last of
// them, with 0 for places from which no one advanced (vacancies).
func (s *State) stages(d *Division) (all []stage, next []int64) {
	next = slices.Clone(d.Players)
	places := 0
	byRound := map[int][]*Fixture{}
	last := 0
	for _, f := range d.Fixtures {
		byRound[f.Round] = append(byRound[f.Round], f)
		last = max(last, f.Round)
	}
	for round := 1; round <= last; round++ {
		st := stage{round: round}
		match := map[int64]int{} // player -> place of the player's match
		at := map[int]int{}      // number -> place
		for _, f := range byRound[round] {
			i, ok := at[f.Match]
			if !ok {
				i = len(st.matches)
				at[f.Match] = i
				st.matches = append(st.matches, newMatch(f.Match))
			}
			m := &st.matches[i]
			m.legs = append(m.legs, f)
			for _, p := range f.seats {
				match[s.Holder(d, p)] = i
			}
			places = max(places, min(f.Match, len(d.Players)))
		}
		if len(all) > 0 { // half as many matches as places
			places = (len(next) + 1) / 2
		}
		st.places = places
		// The fixtures name the players, even if a later ruling has changed the round
		// before.
		for _, f := range byRound[round] {
			next = append(next, f.seats...)
		}
		for _, p := range next {
			if p = d.heir(s.Holder(d, p), match); slices.Contains(st.in, p) {
				continue
			}
			if i, ok := match[p]; ok {
				st.in = append(st.in, p)
				st.matches[i].players = append(st.matches[i].players, p)
			}
		}
		next = s.through(d, st)
		all = append(all, st)
	}
	return all, next
}

// heir returns the player who has taken p's place, if that player is in the list, or
// else p.
func (d *Division) heir(p int64, list map[int64]int) int64 {
	for q := p; ; {
		if _, ok := list[q]; ok {
			return q
		}
		g := d.gone(q)
		if g == nil || g.To == 0 {
			return p
		}
		q = g.To
	}
}

// Holder returns the player who now holds the place of player p, in a season that counts
// places and not players; in other seasons, p.
func (s *State) Holder(d *Division, p int64) int64 {
	if s.counting(d.Season) == 0 {
		return p
	}
	for range d.Left {
		g := d.gone(p)
		if g == nil || g.To == 0 {
			break
		}
		p = g.To
	}
	return p
}

func newMatch(n int) match { return match{n: n} }

// vacancies reports whether the draw keeps the places of matches of which no one went
// on, so that the next opponents have byes.
func (s *State) vacancies(d *Division) bool {
	return s.counting(d.Season) > 0 && s.rulesOf(d.Season).Table == 2
}

// through returns the players who advance from a stage, in the order of the next draw. The
// places of a match's players go to those of them who advance, the best first.
func (s *State) through(d *Division, st stage) []int64 {
	at := map[int64]int{}
	for i, p := range st.in {
		at[p] = i
	}
	keep := s.vacancies(d)
	next := make([]int64, len(st.in))
	if keep {
		next = make([]int64, st.places)
	}
	for _, m := range st.matches {
		v := s.judge(d, m)
		if !v.over {
			continue
		}
		for i, p := range v.order[:min(v.fit, s.goOn(d, st, m))] {
			switch {
			case !keep:
				next[at[m.players[i]]] = p
			case m.n >= 1 && m.n <= len(next):
				next[m.n-1] = p
			}
		}
	}
	if keep {
		return next
	}
	return slices.DeleteFunc(next, func(p int64) bool { return p == 0 })
}

// goOn returns how many players of a match advance.
func (s *State) goOn(d *Division, st stage, m match) int {
	r := s.rulesOf(d.Season)
	switch {
	case len(m.players) == 1:
		return 1
	case len(st.matches) == 1: // the final
		return 1
	}
	return min(r.Advance, len(m.players)-1)
}

// A verdict is the decision of a match of a knock-out, or what it would be at this point.
type verdict struct {
	order  []int64 // its players, who did best first
	fit    int     // how many of them can go on
	over   bool
	points map[int64]Rational
	score  map[int64]int
}

// What decides a match between two of its players.
const (
	ByPoints = "points"
	ByScore  = "score" // of all games together, as the points are equal
	ByDraw   = "draw"  // the higher place, as both are equal
)

// by returns what decides between two players.
func (v *verdict) by(a, b int64) string {
	switch {
	case v.points[a].Cmp(v.points[b]) != 0:
		return ByPoints
	case v.score[a] != v.score[b]:
		return ByScore
	}
	return ByDraw
}

// judge decides a match: by points, then by total score, then by the players' places in the
// draw. Players who cannot advance come last: players who left, and those who finished no
// seat that counts.
func (s *State) judge(d *Division, m match) verdict {
	r := s.rulesOf(d.Season)
	v := verdict{order: slices.Clone(m.players), fit: len(m.players), points: map[int64]Rational{}, score: map[int64]int{}}
	away := map[int64]bool{}
	left := 0
	counts := s.counting(d.Season) > 0
	finished := map[int64]bool{} // a seat that counts; false: seats that do not
	for _, f := range m.legs {
		switch {
		case f.Bye:
			v.over = true
			return v
		case f.Result == nil && !f.Void:
			left++
		}
		for _, e := range s.meeting(f, r) {
			if counts {
				s.scored(d, e, v.points, v.score, finished)
				continue
			}
			v.points[e.player] = v.points[e.player].Plus(e.value(e.worth))
			v.score[e.player] += e.score
			away[e.player] = away[e.player] || e.away
		}
	}
	for p, yes := range finished {
		away[p] = !yes
	}
	slices.SortStableFunc(v.order, func(a, b int64) int {
		if away[a] != away[b] {
			return map[bool]int{true: 1, false: -1}[away[a]]
		}
		return cmp.Or(v.points[b].Cmp(v.points[a]), v.score[b]-v.score[a])
	})
	if s.past(d, m.legs[0].Round) { // others play on already, whatever was ruled since
		left = 0
	}
	if left > 0 && len(v.order) == 2 && left < len(m.legs) {
		// What the second could still win is not enough.
		most := v.points[v.order[1]].Plus(Whole(left * r.Points[2][0]))
		if v.points[v.order[0]].Cmp(most) > 0 {
			left = 0
		}
	}
	for counts && v.fit > 0 && away[v.order[v.fit-1]] {
		v.fit--
	}
	v.over = left == 0
	return v
}

// scored adds what a seat of a match comes to: who finished it has all points of its
// place, and its score, if it counts.
func (s *State) scored(d *Division, e entrant, points map[int64]Rational, score map[int64]int, finished map[int64]bool) {
	p := s.Holder(d, e.player)
	heir := int64(0)
	if !e.away {
		heir = e.fixture.Result.Seats[slices.Index(e.fixture.Players, e.player)].Heir()
	}
	if e.idle || e.left && (heir == 0 || heir != p) {
		finished[p] = finished[p] || false
		return
	}
	points[p] = points[p].Plus(e.worth)
	score[p] += e.score
	finished[p] = true
}

// past reports whether a round of a knock-out can no longer affect anything: another has
// begun, or the season is over.
func (s *State) past(d *Division, round int) bool {
	x := &s.Seasons[d.Season-1]
	return round < x.Round || !x.Running()
}

// needed updates which games of a match that have not begun are still needed.
func (s *State) needed(d *Division, round, n int) {
	if s.past(d, round) {
		return
	}
	stages, _ := s.stages(d)
	for _, st := range stages {
		for _, m := range st.matches {
			if st.round != round || m.n != n {
				continue
			}
			over := s.judge(d, m).over
			for _, f := range m.legs {
				if f.Game == "" && f.Result == nil && !f.Void {
					f.Unneeded = over
				}
			}
		}
	}
}

// alive returns the players of a knock-out who are not out, in the order of the draw; 0 is
// a place from which no player advanced.
func (s *State) alive(d *Division) []int64 {
	stages, next := s.stages(d)
	if len(stages) > 0 && len(stages[len(stages)-1].matches) == 1 && len(next) == 1 {
		return next
	}
	keep := s.vacancies(d) && len(stages) > 0
	in := map[int64]int{}
	for _, p := range d.In() {
		in[p] = 1
	}
	var alive []int64
	for _, p := range next {
		if p = d.heir(p, in); in[p] > 0 && !slices.Contains(alive, p) {
			alive = append(alive, p)
		} else if keep {
			alive = append(alive, 0)
		}
	}
	return alive
}

// remaining returns the players who are alive, without vacant places.
func (s *State) remaining(d *Division) []int64 {
	return slices.DeleteFunc(s.alive(d), func(p int64) bool { return p == 0 })
}

// pairKnockout returns the matches of the next round. At tables of two the draw is folded,
// the first against the last. If its length is not a power of two, the first players have
// byes in the first round, which makes it one. A place from which no player advanced stays
// empty: the player who would have met its player has a bye. At larger tables, players are
// dealt back and forth to as few tables as hold them.
func (s *State) pairKnockout(d *Division, r *Rules, round int) (tables []Pairing) {
	in := s.alive(d)
	var matches [][]int64
	if r.Table == 2 {
		size := 1
		for 2*size <= len(in) {
			size *= 2
		}
		byes := 0
		if size < len(in) {
			byes = 2*size - len(in)
		}
		for _, p := range in[:byes] {
			matches = append(matches, []int64{p})
		}
		for rest := in[byes:]; len(rest) > 1; rest = rest[1 : len(rest)-1] {
			m := []int64{rest[0], rest[len(rest)-1]}
			matches = append(matches, slices.DeleteFunc(m, func(p int64) bool { return p == 0 }))
		}
	} else {
		n := (len(in) + r.Table - 1) / r.Table
		matches = make([][]int64, n)
		for i, p := range in {
			j := i % (2 * n)
			if j >= n {
				j = 2*n - 1 - j
			}
			matches[j] = append(matches[j], p)
		}
	}
	h := newHistory(d)
	for i, m := range matches {
		if len(m) == 0 {
			continue
		}
		if len(m) == 1 {
			tables = append(tables, Pairing{Round: round, Players: m, Match: i + 1, Leg: 1})
			continue
		}
		seats := h.seat(m)
		for leg := range r.BestOf {
			by := leg % len(seats)
			tables = append(tables, Pairing{Round: round, Players: slices.Concat(seats[by:], seats[:by]), Match: i + 1, Leg: leg + 1})
		}
	}
	return tables
}

// progress puts in how far a row got in a knock-out: 1 for each round it got
// through, byes too, and of the match in which it ended the share of those who
// came behind it.
func (t *ranking) progress(i int) {
	f, p := &t.rows[i].Points, t.rows[i].Player
	if t.stages == nil {
		t.stages, _ = t.s.stages(t.d)
	}
	for n, st := range t.stages {
		for _, m := range st.matches {
			if !slices.Contains(m.players, p) {
				continue
			}
			v := t.s.judge(t.d, m)
			if !v.over {
				continue
			}
			x := Term{Fixture: m.legs[0].ID, Game: m.legs[0].Game, Round: st.round, Shared: 1}
			place := slices.Index(v.order, p)
			if len(v.order) > 1 {
				x.Place = place + 1
			}
			through := place < min(v.fit, t.s.goOn(t.d, st, m))
			if t.counts() && n+1 < len(t.stages) && !t.rows[i].Left { // whatever was ruled since
				through = slices.Contains(t.stages[n+1].in, p)
			}
			if through {
				x.Value = Whole(1)
			} else if place < v.fit {
				x.Value = Ratio(len(v.order)-1-place, len(v.order))
			}
			x.Worth = x.Value
			f.add(x)
		}
	}
}
