package league

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
)

// secret returns the source of all draws in season n: HMAC-SHA256(seed, "season/n"), n in
// decimal. One season's secret reveals nothing about another's.
func (s *State) secret(season int) [32]byte {
	if s.told != nil {
		return s.told[season]
	}
	return derive(s.seed, fmt.Sprintf("season/%d", season))
}

// knows reports whether the state knows a season's secret.
func (s *State) knows(season int) bool {
	_, told := s.told[season]
	return s.told == nil || told
}

func derive(key [32]byte, of string) (out [32]byte) {
	m := hmac.New(sha256.New, key[:])
	m.Write([]byte(of))
	m.Sum(out[:0])
	return out
}

// Secret returns the secret of a season in hexadecimal, which is published when the season
// has ended; "" before that, or if it is not known (ReplayTold).
func (s *State) Secret(season int) string {
	if season < 1 || season > len(s.Seasons) || s.Seasons[season-1].Running() || !s.knows(season) {
		return ""
	}
	key := s.secret(season)
	return hex.EncodeToString(key[:])
}

// begin begins a season with the divisions that the line has.
func (s *State) begin(l Line) error {
	r := s.Rules
	if s.Closed || s.running() != nil || l.Counting < 0 || l.Counting > Counting || r.Seasons > 0 && len(s.Seasons) >= r.Seasons || len(l.Divisions) == 0 || r.Kind != Divisions && len(l.Divisions) > 1 {
		return ErrSeason
	}
	n := len(s.Seasons) + 1
	key := s.secret(n)
	sum := sha256.Sum256(key[:])
	x := Season{N: n, Rules: r, Began: l.At, Ends: l.At.Add(r.Season), Counting: l.Counting, placed: s.placed}
	if s.knows(n) {
		x.Commitment = hex.EncodeToString(sum[:])
	}
	seen := map[int64]bool{}
	for i, plan := range l.Divisions {
		d := Division{N: i + 1, Season: n}
		for _, p := range plan.Players {
			d.add(p)
			if q := s.Player(p); seen[p] || q == nil || !q.In() {
				return ErrPlayer
			}
			seen[p] = true
		}
		if len(plan.Players) > MaxDivision && r.Kind == Divisions || len(plan.Players) == 0 {
			return ErrTables
		}
		if err := d.check(plan.Tables); err != nil {
			return err
		}
		x.Divisions = append(x.Divisions, d)
	}
	s.Seasons, s.later, s.starts, s.placed = append(s.Seasons, x), 0, time.Time{}, nil
	for i, plan := range l.Divisions {
		s.schedule(&s.Season().Divisions[i], plan.Tables)
	}
	return nil
}

// check reports whether tables can belong to a division.
func (d *Division) check(tables []Pairing) error {
	for _, t := range tables {
		if len(t.Players) < 1 || len(t.Players) > MaxTable || t.Round < 1 {
			return ErrTables
		}
		for i, p := range t.Players {
			if !slices.Contains(d.Players, p) || d.gone(p) != nil || slices.Contains(t.Players[:i], p) {
				return ErrTables
			}
		}
	}
	return nil
}

// schedule makes fixtures from tables.
func (s *State) schedule(d *Division, tables []Pairing) {
	at := map[int]int{}
	for _, t := range tables {
		at[t.Round]++
		f := &Fixture{ID: len(s.Fixtures) + 1, Season: d.Season, Division: d.N, Round: t.Round, Table: at[t.Round],
			Match: t.Match, Leg: t.Leg, Players: slices.Clone(t.Players), seats: slices.Clone(t.Players)}
		f.Bye = len(t.Players) == 1 && s.rulesOf(d.Season).Kind != Solo
		d.Fixtures = append(d.Fixtures, f)
		s.Fixtures = append(s.Fixtures, f)
	}
	d.Design = measure(d.Players, d.Fixtures)
}

// nextRound begins a round of the season that runs.
func (s *State) nextRound(l Line) error {
	x := s.running()
	if x == nil || x.Rules.Kind == Divisions || x.Round >= MaxRounds {
		return ErrSeason
	}
	d := &x.Divisions[0]
	if err := d.check(l.Tables); err != nil {
		return err
	}
	if len(l.Tables) == 0 && x.Rules.Kind != Ladder { // where all may be busy
		return ErrTables
	}
	for _, t := range l.Tables {
		if t.Round != x.Round+1 || x.Counting > 0 && x.Rules.Kind == Knockout && (t.Match < 1 || t.Match > len(d.Players)) {
			return ErrTables
		}
	}
	x.Round, x.RoundBegan, s.starts = x.Round+1, l.At, time.Time{}
	s.schedule(d, l.Tables)
	return nil
}

// end ends the season that runs.
func (s *State) end(l Line) error {
	x := s.running()
	if x == nil {
		return ErrSeason
	}
	for _, d := range x.Divisions {
		for _, f := range d.Fixtures {
			if !f.Over() {
				return ErrFixture
			}
		}
	}
	x.Ended, s.starts = l.At, time.Time{}
	s.Stops = slices.DeleteFunc(s.Stops, func(l Line) bool { return l.Division > 0 })
	s.unasked()
	return nil
}

// begun notes the game that is played for a fixture.
func (s *State) begun(l Line) error {
	f := s.Fixture(l.Fixture)
	if f == nil || f.Over() || f.Game != "" || l.Game == "" || s.game[l.Game] != nil {
		return ErrFixture
	}
	f.Game, f.Began = l.Game, l.At
	s.game[l.Game] = f
	return nil
}

// played records how a game ended. A result that comes after the director has decided
// otherwise changes nothing.
func (s *State) played(l Line) error {
	f := s.game[l.Game]
	if f == nil {
		return ErrFixture
	}
	if f.Game != l.Game || f.Over() {
		return nil
	}
	seats, err := f.inOrder(l.Seats)
	if err != nil {
		return err
	}
	s.decide(f, Result{Seats: seats, Line: l.N}, l)
	return nil
}

// decide gives a fixture its result.
func (s *State) decide(f *Fixture, r Result, l Line) {
	f.Result, f.Ended, f.Void = &r, l.At, false
	s.inherit(f, l.At)
	s.settle(f)
}

// settle updates everything that depends on a fixture's result.
func (s *State) settle(f *Fixture) {
	d := s.division(f.Season, f.Division)
	switch s.rulesOf(f.Season).Kind {
	case Knockout:
		s.needed(d, f.Round, f.Match)
	case Ladder:
		s.reclimb(d, f)
	}
}

// inOrder returns the seats of a result in the fixture's order.
func (f *Fixture) inOrder(given []Seat) ([]Seat, error) {
	if len(given) != len(f.Players) {
		return nil, ErrResult
	}
	var seats []Seat
	for _, p := range f.Players {
		i := slices.IndexFunc(given, func(x Seat) bool { return x.Player == p })
		if i < 0 {
			return nil, ErrResult
		}
		seats = append(seats, given[i])
	}
	for _, x := range seats { // 1, 2, 2, 4
		before := 0
		for _, y := range seats {
			if y.Place < x.Place {
				before++
			}
		}
		if x.Place != before+1 {
			return nil, ErrResult
		}
		for _, part := range x.Parts {
			if part.Turns < 0 || part.Turns > 10000 || part.Player < 0 {
				return nil, ErrResult
			}
		}
	}
	return seats, nil
}

// ruled records a director's ruling and carries it out.
func (s *State) ruled(l Line) error {
	f := s.Fixture(l.Fixture)
	if l.Game != "" {
		f = s.game[l.Game]
	}
	u := Ruling{Line: l}
	if f != nil {
		u.Season, u.Division = f.Season, f.Division
	}
	switch l.Ruling {
	case Void, Again, Adjudicate, Correct:
		if f == nil || l.Game != f.Game {
			return ErrFixture
		}
	}
	switch l.Ruling {
	case Void:
		f.Void, f.Result, f.Ended = true, nil, l.At
		s.settle(f)
	case Again:
		if f.Game == "" || !s.Seasons[f.Season-1].Running() {
			return ErrFixture
		}
		f.Earlier = append(f.Earlier, f.Game)
		f.Game, f.Result, f.Void, f.Began, f.Ended = "", nil, false, time.Time{}, time.Time{}
		s.settle(f)
		s.miss(s.division(f.Season, f.Division), f, l)
	case Adjudicate, Correct:
		if (l.Ruling == Correct) != (f.Result != nil) || f.Bye || f.Unneeded {
			return ErrResult
		}
		seats, err := f.inOrder(l.Seats)
		if err != nil {
			return err
		}
		for i := range seats { // who played does not change by it
			if seats[i].Parts == nil && f.Result != nil {
				seats[i].Parts = f.Result.Seats[i].Parts
			}
		}
		s.decide(f, Result{Seats: seats, Ruling: l.Ruling, Line: l.N}, l)
	}
	s.Rulings = append(s.Rulings, u)
	return nil
}

// GameSeed returns the seed that a fixture's game must have, the same for all
// players in a round of a solo league: HMAC-SHA256(secret, "solo/ROUND"). If ok is
// false the game has one of its own. No one may learn it before the round is over.
func (s *State) GameSeed(f *Fixture) (seed [32]byte, ok bool) {
	if s.Rules.Kind != Solo {
		return seed, false
	}
	return derive(s.secret(f.Season), fmt.Sprintf("solo/%d", f.Round)), true
}
