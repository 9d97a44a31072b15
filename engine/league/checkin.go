package league

import (
	"slices"
	"time"
)

// Check-in: before a season, and before a round if they were silent in the last one,
// players are asked whether they are there. Who does not answer is not seated, and leaves the
// league once that is so for a second season. The log has who was asked (the caller knows who
// plays elsewhere or is on vacation) and who answered, so that everyone can follow who was
// seated.

// Recent is how long ago a player may have joined, or played a turn, and need not be asked.
const Recent = 14 * day

// Silent reports whether a player has been asked and has not said since that they play.
func (p *Player) Silent() bool { return !p.Asked.IsZero() }

// here notes that a player is there.
func (p *Player) here() { p.Asked, p.Declined = time.Time{}, false }

// unasked takes back, between seasons, what players were asked if the file has no check-in:
// no one will ask them again. Players who said no to the season that comes sit it out.
func (s *State) unasked() {
	x := s.Season()
	for i := range s.Players {
		if p := &s.Players[i]; s.Rules.CheckIn == 0 && (!p.Declined || x != nil && p.Asked.Before(x.Ended)) {
			p.here()
		}
	}
}

// ask notes who was asked before the next season or round, or when a fixture's game had ended.
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

// answer notes what a player said: they are there, or, with No, not this time. Who is there
// after all enters the season that runs, if it still takes them.
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

// answered is when the time to answer of all these players is over; zero: no one has to.
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

// CheckIn returns until when players who are asked now, before the next season or round,
// have time to answer.
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

// askSeason is what is done so long before a season that opens at a time: players who have
// not answered since before the last one began leave, then the others are asked. It is nil if
// that has been done or no one need be asked; next is when it is to be done.
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

// askRound is askSeason for the next round of the season that runs. In a Swiss league
// players are asked when their game of the round has ended and they took no turn in it; in
// ladders and solo leagues, whose rounds wait for no one, so long before the round's day:
// those who took no turn in a game of the round that has ended. The caller does not ask
// those who have played a turn since the round began (Lately).
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
