// Package scorer is a second program for a league's tables, which shares no line with
// package league: written from LEAGUES.md alone, it knows the fixtures, their results and the
// log, and computes points, brackets, tiebreaks, ladders, guests, who wins, who goes up and down,
// and what the years came to,
// in its own way. Tests hold the tables against it.
package scorer

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"angelpost/engine/league"
)

// A chair is what one player was at one table.
type chair struct {
	who                int64
	place              int // 0: the last, as the seat does not count
	vp                 int64
	share              *big.Rat // of the seat's turns
	played, left, idle bool
	came               bool
	bots               int64
}

func ratio(a, b int64) *big.Rat { return big.NewRat(a, b) }

func times(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

func plus(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }

// chairs are a fixture's: those who came, then those who did not.
func chairs(f *league.Fixture) (out []chair) {
	for _, x := range f.Result.Seats {
		c := chair{who: x.Player, place: x.Place, vp: int64(x.Score), share: ratio(1, 1), played: true, came: true}
		var own, bots, all int64
		held := len(x.Parts) == 0
		for _, p := range x.Parts {
			all += int64(p.Turns)
			switch {
			case p.Player == 0:
				bots += int64(p.Turns)
			case p.Player == x.Player:
				own += int64(p.Turns)
				held = held || !p.Left
			}
		}
		if all > 0 {
			c.share, c.bots, c.left, c.idle = ratio(own, all), bots, !held, bots > all-bots
			c.played = own >= all-own
		}
		out = append(out, c)
	}
	for _, p := range f.Absent {
		out = append(out, chair{who: p, share: new(big.Rat), left: true, idle: true})
	}
	return out
}

// A table is one game that counts, or a round of a solo league.
type table struct {
	chairs []chair
	points []int // of its places
}

// ranked gives the table its places: those of the seats that count, then the last.
func (t table) ranked(solo bool) {
	before := func(a, b chair) bool {
		if solo {
			return a.vp > b.vp
		}
		return a.place < b.place
	}
	places := make([]int, len(t.chairs))
	for i, a := range t.chairs {
		places[i] = 1
		for _, b := range t.chairs {
			if a.idle || !b.idle && before(b, a) {
				places[i]++
			}
		}
		if a.idle {
			places[i] = 0
		}
	}
	for i := range places {
		t.chairs[i].place = places[i]
	}
}

func (t table) pays(place int) int64 {
	if place >= 1 && place <= len(t.points) {
		return int64(t.points[place-1])
	}
	return 0
}

// points are what a player has from the table.
func (t table) pointsOf(c chair) *big.Rat {
	if !c.came {
		return new(big.Rat)
	}
	last := ratio(t.pays(len(t.chairs)), 1)
	worth := last
	if !c.idle {
		var sum, n int64
		for _, o := range t.chairs {
			if o.place == c.place {
				sum += t.pays(c.place + int(n))
				n++
			}
		}
		if worth = ratio(sum, n); c.left && worth.Cmp(last) > 0 {
			worth = last
		}
	}
	return times(worth, c.share)
}

// ahead is 1, 0 or -1 as one came before, with or behind another.
func ahead(a, b chair) int64 {
	key := func(c chair) int {
		switch {
		case c.idle:
			return 1000000
		case c.left:
			return 10000 + c.place
		}
		return c.place
	}
	switch ka, kb := key(a), key(b); {
	case ka < kb:
		return 1
	case ka > kb:
		return -1
	}
	return 0
}

// A score is a player's row.
type score struct {
	points         *big.Rat
	ties           map[league.Tie]*big.Rat
	over, played   int
	left, unplayed bool
}

// scored are the rows of a division.
func scored(s *league.State, d *league.Division) map[int64]*score {
	r := s.Seasons[d.Season-1].Rules
	rows := map[int64]*score{}
	for _, p := range d.Players {
		rows[p] = &score{points: new(big.Rat), ties: map[league.Tie]*big.Rat{}}
		for _, g := range d.Left {
			rows[p].left = rows[p].left || g.Player == p
		}
	}
	var tables []table
	weeks := map[int]int{}
	for _, f := range d.Fixtures {
		switch {
		case f.Void:
		case f.Bye:
			var sum int64
			for _, n := range r.Points[r.Table] {
				sum += int64(n)
			}
			rows[f.Players[0]].points = plus(rows[f.Players[0]].points, ratio(sum, int64(r.Table)))
		case f.Result == nil:
		case r.Kind == league.Solo:
			if _, ok := weeks[f.Round]; !ok {
				weeks[f.Round] = len(tables)
				tables = append(tables, table{points: r.Points[1]})
			}
			t := &tables[weeks[f.Round]]
			t.chairs = append(t.chairs, chairs(f)...)
		default:
			c := chairs(f)
			tables = append(tables, table{c, r.Points[len(c)]})
		}
	}
	for _, t := range tables {
		t.ranked(r.Kind == league.Solo)
		for _, c := range t.chairs {
			if row := rows[c.who]; row != nil {
				if row.over++; c.played && c.came {
					row.played++
				}
				row.points = plus(row.points, t.pointsOf(c))
			}
		}
	}
	if r.Kind == league.Knockout {
		won, _ := bracket(s, d)
		for p, row := range rows {
			if row.points = won[p]; row.points == nil {
				row.points = new(big.Rat)
			}
		}
	}
	for p, row := range rows {
		row.unplayed = row.over > 0 && row.played == 0
		for _, tie := range r.Ties {
			row.ties[tie] = tieOf(s, d, tie, p, rows, tables)
		}
	}
	return rows
}

// tieOf is a tiebreak but for head, which needs those who are equal so far.
func tieOf(s *league.State, d *league.Division, tie league.Tie, p int64, rows map[int64]*score, tables []table) *big.Rat {
	sum := new(big.Rat)
	for _, t := range tables {
		var me *chair
		var best, firsts int64
		for i, c := range t.chairs {
			if c.who == p {
				me = &t.chairs[i]
			}
			if c.place == 1 {
				firsts++
				best = c.vp
			}
		}
		if me == nil {
			continue
		}
		switch {
		case tie == league.BotTurns:
			sum = plus(sum, ratio(me.bots, 1))
		case me.left:
		case tie == league.Share && me.place == 1:
			sum = plus(sum, me.share)
		case tie == league.Share && best > 0 && me.vp > 0:
			part := ratio(me.vp, best)
			if me.idle && me.vp > best {
				part = ratio(1, 1)
			}
			sum = plus(sum, times(part, me.share))
		case tie == league.Wins && me.place == 1:
			sum = plus(sum, times(ratio(1, firsts), me.share))
		case tie == league.Berger:
			for _, o := range t.chairs {
				if won := ahead(*me, o); o.who != p && won >= 0 && rows[o.who] != nil {
					sum = plus(sum, times(times(rows[o.who].points, ratio(1+won, 2)), me.share))
				}
			}
		}
	}
	if tie == league.Lot && !s.Seasons[d.Season-1].Running() {
		secret, _ := hex.DecodeString(s.Secret(d.Season))
		m := hmac.New(sha256.New, secret)
		fmt.Fprintf(m, "lot/%d", p)
		sum.SetInt(new(big.Int).SetBytes(m.Sum(nil)[:6]))
	}
	return sum
}

// headOf is how many of a group a player beat, minus how many beat them.
func headOf(d *league.Division, p int64, group []int64, solo bool) int64 {
	if len(group) > 60 {
		return 0
	}
	var sum int64
	weeks := map[int][]chair{}
	for _, f := range d.Fixtures {
		if f.Result == nil || f.Void || f.Bye {
			continue
		}
		at := f.ID
		if solo {
			at = f.Round
		}
		weeks[at] = append(weeks[at], chairs(f)...)
	}
	for _, c := range weeks {
		table{chairs: c}.ranked(solo)
		for _, me := range c {
			for _, o := range c {
				if me.who == p && me.played && me.came && o.who != p && slices.Contains(group, o.who) {
					sum += ahead(me, o)
				}
			}
		}
	}
	return sum
}

// Compare holds the standings of all divisions against the second scorer.
func Compare(t testing.TB, s *league.State) {
	t.Helper()
	for _, x := range s.Seasons {
		moves(t, s, &x)
		solo := x.Rules.Kind == league.Solo
		for i := range x.Divisions {
			d := &x.Divisions[i]
			guests(t, s, d)
			want, got := scored(s, d), s.Standings(x.N, d.N)
			if len(got) != len(want) {
				t.Fatalf("%d rows of %d players", len(got), len(want))
			}
			var before, first []*big.Rat // what ranks the row before, and the first who can win
			var won []int64
			rank := 0
			for n, row := range got {
				w := want[row.Player]
				if row.Points.Value.String() != w.points.RatString() || row.Left != w.left || row.Unplayed != w.unplayed || row.Played != w.played {
					t.Fatalf("player %d: %+v, want %+v\n%s", row.Player, row, w, x.Rules)
				}
				class := int64(0)
				switch {
				case w.left:
					class = -2
				case w.unplayed:
					class = -1
				}
				key := []*big.Rat{ratio(class, 1), w.points}
				for k, tie := range x.Rules.Ties {
					if tie == league.Head {
						w.ties[tie] = ratio(headOf(d, row.Player, equals(got, n, k), solo), 1)
						if x.Rules.Kind == league.Ladder { // no one is equal to another on it
							w.ties[tie] = new(big.Rat)
						}
					}
					if have := row.Ties[k].Value.String(); have != w.ties[tie].RatString() {
						t.Fatalf("player %d: %s %s, want %s, %d terms, group %d\n%s", row.Player, tie, have, w.ties[tie].RatString(), len(row.Ties[k].Terms), len(equals(got, n, k)), x.Rules)
					}
					v := w.ties[tie]
					if tie == league.BotTurns {
						v = new(big.Rat).Neg(v)
					}
					key = append(key, v)
				}
				ladder := x.Rules.Kind == league.Ladder // Order has its order
				differs := slices.CompareFunc(key, before, (*big.Rat).Cmp)
				if !ladder && differs > 0 && n > 0 {
					t.Fatalf("player %d is behind a worse one\n%s", row.Player, x.Rules)
				}
				if n == 0 || ladder || differs != 0 {
					rank = n + 1
				}
				if row.Rank != rank {
					t.Fatalf("player %d has rank %d, want %d\n%s", row.Player, row.Rank, rank, x.Rules)
				}
				before = key
				if class == 0 && (first == nil || !ladder && slices.CompareFunc(key, first, (*big.Rat).Cmp) == 0) {
					first, won = key, append(won, row.Player)
				}
			}
			if i == 0 {
				wins(t, s, &x, won)
			}
		}
	}
}

// Order holds the order of each season of a ladder against one computed from the
// league's log: who began, who came to the end or took another's place, and the results in
// the order in which they came.
func Order(t testing.TB, s *league.State, log []league.Line) {
	t.Helper()
	type step struct {
		player, instead int64
		fixture         int
	}
	steps := map[int][]step{} // by season
	season, running := 0, false
	game := map[string]int{} // the fixture that it is played for
	over := map[int]bool{}   // fixtures that need no result any more
	drop := func(f int) {
		steps[season] = slices.DeleteFunc(steps[season], func(x step) bool { return x.fixture == f })
	}
	result := func(f int) {
		if !slices.ContainsFunc(steps[s.Fixture(f).Season], func(x step) bool { return x.fixture == f }) {
			steps[s.Fixture(f).Season] = append(steps[s.Fixture(f).Season], step{fixture: f})
		}
		over[f] = true
	}
	has := func(p int64) bool {
		return slices.ContainsFunc(steps[season], func(x step) bool { return x.player == p })
	}
	for _, l := range log {
		switch l.Kind {
		case league.Begin:
			season, running = season+1, true
			for _, p := range l.Divisions[0].Players {
				steps[season] = append(steps[season], step{player: p})
			}
		case league.End:
			running = false
		case league.Begun:
			game[l.Game] = l.Fixture
		case league.Played:
			f := game[l.Game]
			if !over[f] && s.Fixture(f) != nil {
				result(f)
			}
		case league.Ruled:
			f := l.Fixture
			if l.Game != "" {
				f = game[l.Game]
			}
			switch l.Ruling {
			case league.Void:
				drop(f)
				over[f] = true
			case league.Again:
				drop(f)
				delete(game, l.Game)
				over[f] = false
			case league.Adjudicate, league.Correct:
				result(f)
			}
		case league.Takeover:
			steps[season] = append(steps[season], step{player: l.Player, instead: l.For})
		case league.Join, league.Here:
			if running && !l.No && !has(l.Player) && slices.Contains(s.Seasons[season-1].Divisions[0].Players, l.Player) {
				steps[season] = append(steps[season], step{player: l.Player})
			}
		}
	}
	for _, x := range s.Seasons {
		if x.Rules.Kind != league.Ladder {
			continue
		}
		var order []int64
		for _, st := range steps[x.N] {
			at := slices.Index(order, st.instead)
			switch {
			case st.fixture > 0:
				climb(order, s.Fixture(st.fixture))
			case at >= 0:
				order[at] = st.player
				order = append(order, st.instead)
			default:
				order = append(order, st.player)
			}
		}
		d := &x.Divisions[0]
		gone := func(p int64) bool {
			return slices.ContainsFunc(d.Left, func(g league.Gone) bool { return g.Player == p })
		}
		slices.SortStableFunc(order, func(a, b int64) int {
			switch {
			case gone(a) == gone(b):
				return 0
			case gone(b):
				return -1
			}
			return 1
		})
		var got []int64
		for i, row := range s.Standings(x.N, 1) {
			if got = append(got, row.Player); row.Rank != i+1 {
				t.Fatalf("place %d has rank %d", i+1, row.Rank)
			}
		}
		if !slices.Equal(got, order) {
			t.Fatalf("the ladder of season %d is %v, want %v", x.N, got, order)
		}
	}
}

// climb shares out the places that the players of a game held: the better comes higher, and
// those who are equal keep their order.
func climb(order []int64, f *league.Fixture) {
	if f.Result == nil || f.Void || f.Bye {
		return
	}
	all := chairs(f)
	table{chairs: all}.ranked(false)
	all = slices.DeleteFunc(all, func(c chair) bool { return !c.came })
	var places []int
	for at, p := range order {
		if slices.ContainsFunc(all, func(c chair) bool { return c.who == p }) {
			places = append(places, at)
		}
	}
	for i, c := range all { // by insertion, as the ladder stands
		for j := i; j > 0 && slices.Index(order, all[j-1].who) > slices.Index(order, c.who); j-- {
			all[j-1], all[j] = all[j], all[j-1]
		}
	}
	for i, c := range all {
		for j := i; j > 0 && ahead(c, all[j-1]) > 0; j-- {
			all[j-1], all[j] = all[j], all[j-1]
		}
	}
	for i, at := range places {
		order[at] = all[i].who
	}
}

// guests holds what substitutes have from a division: their share of what the seat's place
// is worth, or of what the last is worth to those who left it again.
func guests(t testing.TB, s *league.State, d *league.Division) {
	t.Helper()
	r := s.Seasons[d.Season-1].Rules
	want := map[int64]*big.Rat{}
	for _, f := range d.Fixtures {
		if f.Result == nil || f.Void || f.Bye || r.Kind == league.Solo {
			continue
		}
		all := chairs(f)
		tb := table{all, r.Points[len(all)]}
		tb.ranked(false)
		for i, x := range f.Result.Seats {
			var turns int64
			for _, p := range x.Parts {
				turns += int64(p.Turns)
			}
			for _, p := range x.Parts {
				if p.Player == 0 || p.Player == x.Player || p.Turns == 0 {
					continue
				}
				c := tb.chairs[i]
				c.share, c.left = ratio(int64(p.Turns), turns), p.Left
				if want[p.Player] == nil {
					want[p.Player] = new(big.Rat)
				}
				want[p.Player] = plus(want[p.Player], tb.pointsOf(c))
			}
		}
	}
	rows := s.Guests(d.Season, d.N)
	if len(rows) != len(want) {
		t.Fatalf("%d guests, want %d", len(rows), len(want))
	}
	for _, row := range rows {
		if w := want[row.Player]; w == nil || row.Points.Value.String() != w.RatString() {
			t.Fatalf("guest %d has %s, want %v", row.Player, row.Points.Value, w)
		}
	}
}

// wins holds who has won a season: first are those at the top of its first table who can
// win, but in a knock-out those who go on from its last round have.
func wins(t testing.TB, s *league.State, x *league.Season, first []int64) {
	t.Helper()
	if x.Rules.Kind == league.Knockout {
		_, first = bracket(s, &x.Divisions[0])
		needed(t, s, &x.Divisions[0])
	}
	if x.Running() {
		first = nil
	}
	got := s.Winners(x.N)
	slices.Sort(got)
	slices.Sort(first)
	if !slices.Equal(got, first) {
		t.Fatalf("season %d: %v have won, want %v\n%s", x.N, got, first, x.Rules)
	}
}

// moves holds who goes up and down after a season of divisions: no one if no other follows.
func moves(t testing.TB, s *league.State, x *league.Season) {
	t.Helper()
	follows := x.N < len(s.Seasons) || !s.Closed && (s.Rules.Seasons == 0 || x.N < s.Rules.Seasons)
	if x.Rules.Kind != league.Divisions || !follows {
		for i := range x.Divisions {
			for _, row := range s.Standings(x.N, i+1) {
				if row.Move != league.Stays {
					t.Fatalf("season %d, division %d: player %d goes %s, and no season follows", x.N, i+1, row.Player, row.Move)
				}
			}
		}
		return
	}
	if x.Running() {
		return
	}
	ups := make([]int, len(x.Divisions)+1) // who go up from a division
	in := make([]int, len(x.Divisions)+1)
	for i := range x.Divisions {
		for _, row := range s.Standings(x.N, i+1) {
			if row.Left {
				continue
			}
			if in[i]++; i > 0 && !row.Unplayed && ups[i] < x.Rules.Up {
				ups[i]++
			}
		}
	}
	for i := range x.Divisions {
		downs := 0
		if i+1 < len(x.Divisions) {
			downs = min(max(0, x.Rules.Down-(min(x.Rules.Up, in[i+1])-ups[i+1])), in[i]-ups[i])
		}
		for n, row := range s.Standings(x.N, i+1) {
			want := league.Stays
			switch {
			case n < ups[i]:
				want = league.Up
			case n >= in[i]-downs && n < in[i]:
				want = league.Down
			}
			if row.Move != want {
				t.Fatalf("season %d, division %d, place %d: %q, want %q", x.N, i+1, n+1, row.Move, want)
			}
		}
	}
}

// equals are the players who are equal to row n by points and the first k tiebreaks.
func equals(rows []league.Standing, n, k int) (out []int64) {
	for _, row := range rows {
		same := row.Left == rows[n].Left && (row.Left || row.Unplayed == rows[n].Unplayed) && row.Points.Value.Cmp(rows[n].Points.Value) == 0
		for i := range k {
			same = same && row.Ties[i].Value.Cmp(rows[n].Ties[i].Value) == 0
		}
		if same {
			out = append(out, row.Player)
		}
	}
	return out
}

// AtOnce holds that no one plays more games of the season that runs than its file allows.
func AtOnce(t testing.TB, s *league.State) {
	t.Helper()
	x := s.Season()
	if x == nil || !x.Running() {
		return
	}
	busy := map[int64]int{}
	for i := range x.Divisions {
		for _, f := range x.Divisions[i].Fixtures {
			if f.Game == "" || f.Result != nil || f.Void || f.Hidden {
				continue
			}
			for _, p := range f.Players {
				if busy[p]++; busy[p] > x.Rules.AtOnce {
					t.Fatalf("player %d plays %d games at once", p, busy[p])
				}
			}
		}
	}
}

// Fair holds what no season may break: a seat that bots played is before no one's who
// played theirs, and no table gives more than its places are worth.
func Fair(t testing.TB, s *league.State) {
	t.Helper()
	for _, x := range s.Seasons {
		for i := range x.Divisions {
			d := &x.Divisions[i]
			for _, f := range d.Fixtures {
				if f.Result == nil || f.Void || f.Bye {
					continue
				}
				all := s.Outcomes(f)
				for _, a := range all {
					for _, b := range all {
						if !a.Counts && b.Counts && len(all) > 1 && a.Place <= b.Place {
							t.Fatalf("a bot is before a player: %+v", all)
						}
					}
				}
			}
			idle := false
			given := map[int]*big.Rat{}
			for _, row := range s.Standings(x.N, d.N) {
				if x.Rules.Kind != league.Ladder && idle && !row.Unplayed && !row.Left {
					t.Fatalf("player %d is behind one who played nothing", row.Player)
				}
				if idle = idle || row.Unplayed && !row.Left; row.Unplayed && row.Move == league.Up {
					t.Fatalf("player %d goes up and played nothing", row.Player)
				}
				if x.Rules.Kind != league.Knockout {
					spent(given, row)
				}
			}
			for _, row := range s.Guests(x.N, d.N) {
				if x.Rules.Kind != league.Knockout {
					spent(given, row)
				}
			}
			within(t, x.Rules, d, given)
			if x.Rules.Kind == league.Knockout {
				through(t, s, d)
			}
		}
		for _, p := range s.Winners(x.N) {
			for _, row := range s.Standings(x.N, 1) {
				if row.Player == p && (row.Unplayed || x.Rules.Kind != league.Ladder && row.Rank != 1) {
					t.Fatalf("player %d has won: %+v", p, row)
				}
			}
		}
	}
}

// through holds that no one is in a round of a knock-out who came there by a seat that
// bots played, or by none, but for matches that were ruled on.
func through(t testing.TB, s *league.State, d *league.Division) {
	t.Helper()
	ruled := map[int]bool{}
	for _, r := range s.Rulings {
		if f := s.Of(r.Game); f != nil {
			ruled[f.ID] = true
		}
	}
	for _, f := range d.Fixtures {
		for _, p := range f.Players {
			came, played, unsure := f.Round == 1, false, false
			for _, g := range d.Fixtures {
				i := slices.IndexFunc(g.Players, func(q int64) bool { return s.Holder(d, q) == s.Holder(d, p) })
				if g.Round != f.Round-1 || i < 0 {
					continue
				}
				came, unsure = true, unsure || ruled[g.ID] || g.Void
				if g.Bye {
					played = true
				}
				if out := s.Outcomes(g); len(out) > i {
					held := len(out[i].Parts) == 0 || out[i].By != out[i].Player
					for _, part := range out[i].Parts {
						held = held || part.Player == out[i].Player && !part.Left
					}
					played = played || out[i].Counts && held
				}
			}
			if f.Round > 1 && !unsure && (!came || !played) {
				t.Fatalf("player %d is in round %d and finished no seat before: %+v", p, f.Round, f)
			}
		}
	}
}

// spent adds what a row has from each round's games.
func spent(given map[int]*big.Rat, row league.Standing) {
	for _, term := range row.Points.Terms {
		if given[term.Fixture] == nil {
			given[term.Fixture] = new(big.Rat)
		}
		v, _ := new(big.Rat).SetString(term.Value.String())
		given[term.Fixture] = plus(given[term.Fixture], v)
	}
}

func within(t testing.TB, r *league.Rules, d *league.Division, given map[int]*big.Rat) {
	t.Helper()
	for _, f := range d.Fixtures {
		if r.Kind == league.Solo || given[f.ID] == nil || f.Bye {
			continue
		}
		var most int64
		bots := false
		for _, n := range r.Points[len(f.Players)+len(f.Absent)] {
			most += int64(n)
		}
		for _, x := range f.Result.Seats {
			bots = bots || len(x.Parts) > 0
		}
		switch c := given[f.ID].Cmp(ratio(most, 1)); {
		case c > 0:
			t.Fatalf("fixture %d gives %s of %d points", f.ID, given[f.ID], most)
		case c < 0 && !bots && len(f.Absent) == 0:
			t.Fatalf("fixture %d gives only %s of %d points", f.ID, given[f.ID], most)
		}
	}
}
