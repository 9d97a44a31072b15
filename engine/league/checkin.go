package league

import (
	"slices"
	"time"
)

// Check-in: before a season, and before a round if they were silent in the last one, we ask
// players whether they are there. Players who do not answer get no seat, and leave the
// league if they do not answer before a second season either. The log says which players we
// asked (the caller knows which of them play elsewhere or are on vacation) and which
// answered, so that everyone can see why a player has a seat.

// Recent is how recently a player must have joined, or played a turn, for us not to ask
// them.
const Recent = 14 * day

// Silent reports whether a player has not yet confirmed, since we asked, that they play.
func (p *Player) Silent() bool { return !p.Asked.IsZero() }

// here records that a player is there.
func (p *Player) here() { p.Asked, p.Declined = time.Time{}, false }

// unasked takes back, between seasons, open questions to players if the file has no
// check-in: no one will ask them again. Players who declined the next season sit it out.
func (s *State) unasked() {
	x := s.Season()
	for i := range s.Players {
		if p := &s.Players[i]; s.Rules.CheckIn == 0 && (!p.Declined || x != nil && p.Asked.Before(x.Ended)) {
			p.here()
		}
	}
}

// ask records the players we asked before the next season or round, or at the end of a
// fixture's game.
func (s *State) ask(l Line) error {
	x := s.running()
	f := s.Fixture(l.Fixture)
	if l.Fixture != 0 && (f == nil || x == nil || f.Season != x.N || f.asked) {
		return ErrFixture
	}
	for _, id := range l.Players {
		if p := s.Player(id); p == nil || !p.In() {
			return ErrPlayer
		}
	}
	for _, id := range l.Players {
		p := s.Player(id)
		p.Asked, p.Declined, p.paused = l.At, false, 0
	}
	switch {
	case f != nil:
		f.asked = true
	case x != nil:
		s.asked = [2]int{x.N, x.Round}
	default:
		s.asked = [2]int{len(s.Seasons) + 1, 0}
	}
	return nil
}

// answer records a player's answer: they are there or, with No, not this time. A player who
// is there after all enters the running season, if it still takes them.
func (s *State) answer(l Line) error {
	p := s.Player(l.Player)
	if p == nil || !p.In() {
		return ErrPlayer
	}
	if l.No {
		p.Asked, p.Declined = l.At, true
		return nil
	}
	p.here()
	if s.Division(p.ID) == nil {
		s.enter(p.ID)
	}
	return nil
}

// here returns the players of a division who have not left and are there.
func (s *State) here(d *Division) []int64 {
	return slices.DeleteFunc(d.In(), func(p int64) bool { return s.Player(p).Silent() })
}

// answered returns the deadline for the answers of all these players; zero: no one has to
// answer.
func (s *State) answered(players []int64, within time.Duration) (at time.Time) {
	for _, id := range players {
		if p := s.Player(id); p.In() && p.Silent() && !p.Declined {
			if by := p.Asked.Add(within + p.paused); by.After(at) {
				at = by
			}
		}
	}
	return at
}

// CheckIn returns the deadline for players to answer if we ask them now, before the next
// season or round.
func (s *State) CheckIn(now time.Time) time.Time {
	x := s.running()
	if x == nil {
		by := now.Add(s.Rules.CheckIn)
		if at, _ := s.opens(); at.After(by) {
			by = at
		}
		return by
	}
	by, day := now.Add(x.Rules.CheckIn), x.RoundBegan.Add(x.Rules.Round)
	if x.Rules.Kind != Swiss || day.After(by) {
		by = day
	}
	return by
}

// Lately returns since when a turn shows that a player is there: before a round, no later than
// the games of the last one began.
func (s *State) Lately(now time.Time) time.Time {
	since := now.Add(-Recent)
	if x := s.running(); x != nil && x.Round > 0 {
		for _, f := range x.Divisions[0].Fixtures { // RoundBegan moves with more time
			if f.Round == x.Round && f.Game != "" && f.Began.Before(since) {
				since = f.Began
			}
		}
	}
	return since
}

// took reports whether a player took a turn in a fixture's game, once that has ended.
func (f *Fixture) took(player int64) bool {
	if f.Game == "" || f.Result == nil {
		return false
	}
	i := slices.Index(f.Players, player)
	return i >= 0 && f.entrant(i).turns > 0
}

// askSeason returns what is due at the start of the check-in (Rules.CheckIn) before a
// season that opens at opens. Players who have not answered since before the last season
// began leave; then we ask the others. It returns nil if we have asked already or no player
// needs a question; next is when that is due.
func (s *State) askSeason(opens, now time.Time) (acts []Act, next time.Time) {
	at := opens.Add(-s.Rules.CheckIn)
	x := s.Season()
	switch {
	case s.Rules.CheckIn == 0 || x == nil && s.Rules.Start.IsZero() || s.asked == [2]int{len(s.Seasons) + 1, 0}:
		return nil, time.Time{}
	case now.Before(at):
		return nil, at
	}
	l := Line{At: now, Kind: Ask}
	for _, p := range s.byJoined() {
		switch {
		case p.Silent() && !p.Declined && x != nil && p.Asked.Before(x.Began):
			acts = append(acts, Act{Line: Line{At: now, Kind: Leave, Player: p.ID, No: true}})
		case (!p.Silent() || p.Declined) && !now.Before(p.Joined.Add(Recent)):
			l.Players = append(l.Players, p.ID)
		}
	}
	return append(acts, Act{Line: l}), time.Time{}
}

// askRound is askSeason for the next round of the running season. In a Swiss league we ask
// players who took no turn in their game of the round, when that game has ended. In ladders
// and solo leagues, whose rounds start on fixed days, we ask players who took no turn in a
// game of the round, as long before the next one as the check-in lasts. The caller leaves
// out those who have played a turn since the round began (Lately).
func (s *State) askRound(x *Season, now time.Time) (*Act, time.Time) {
	r, d := x.Rules, &x.Divisions[0]
	if r.CheckIn == 0 || x.Round == 0 || x.Round >= r.Rounds {
		return nil, time.Time{}
	}
	here := s.here(d)
	switch r.Kind {
	case Swiss:
		for _, f := range d.Fixtures {
			if f.Round != x.Round || f.Game == "" || f.Result == nil || f.asked {
				continue
			}
			l := Line{At: now, Kind: Ask, Fixture: f.ID}
			for i, p := range f.Players {
				if e := f.entrant(i); e.all > 0 && e.turns == 0 && slices.Contains(here, p) {
					l.Players = append(l.Players, p)
				}
			}
			if l.Players != nil {
				return &Act{Line: l}, time.Time{}
			}
		}
	case Ladder, Solo:
		begins := x.RoundBegan.Add(r.Round)
		at := begins.Add(-min(r.CheckIn, r.Round))
		switch {
		case s.asked == [2]int{x.N, x.Round} || !now.Before(begins):
			return nil, time.Time{}
		case now.Before(at):
			return nil, at
		}
		l := Line{At: now, Kind: Ask}
		for _, p := range here {
			if slices.ContainsFunc(d.Fixtures, func(f *Fixture) bool {
				return f.Game != "" && (f.Round == x.Round || !f.Over()) && slices.Contains(f.Players, p)
			}) && !slices.ContainsFunc(d.Fixtures, func(f *Fixture) bool { return f.Round == x.Round && f.took(p) }) {
				l.Players = append(l.Players, p)
			}
		}
		return &Act{Line: l}, time.Time{}
	}
	return nil, time.Time{}
}
