package match

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// leagueOptions are the options of a league's games in a division.
func leagueOptions(r *league.Rules, division int) order.Options {
	return order.Options{
		Rules: r.Option("rules"), Edition: r.Option("edition"), Hal: r.Option("hal"), Set: r.Option("set"), Hints: r.Option("hints"),
		Clock: r.Clock(division), Visibility: r.Visibility,
	}
}

// fixtureName is what a game of a league is called: the league, its season, its
// division or round, and which of its games.
func fixtureName(c *leagueUnit, f *league.Fixture) string {
	of, n := f.Round, f.Table
	if c.rules().Kind == league.Divisions {
		of = f.Division
		d := c.state.Seasons[f.Season-1].Divisions[f.Division-1]
		n = slices.IndexFunc(d.Fixtures, func(g *league.Fixture) bool { return g.ID == f.ID }) + 1
	}
	return fmt.Sprintf("%s %d.%d.%d", c.rules().Name, f.Season, of, n)
}

// beginFixture begins a game of a league at once: everybody has joined the
// league, and the seats are the fixture's. So no entropy is mixed in, as in any
// game that begins without invitations. false: it cannot be played now, which is
// no player's fault.
func (s *unit) beginFixture(c *leagueUnit, a league.Act) (bool, error) {
	f := a.Fixture
	r := c.state.Seasons[f.Season-1].Rules // though the file may say otherwise by now
	o := leagueOptions(r, f.Division)
	o.Visibility = c.rules().Visibility
	row, err := s.options(o)
	if err == nil {
		err = seatOptions(&row.Options, len(f.Players), r.Option("hal"))
	}
	if err != nil {
		s.Log.Error("a league's game cannot begin", "league", c.row.ID, "fixture", f.ID, "err", err)
		return false, nil
	}
	row.Name, row.League = fixtureName(c, f), c.row.ID
	row.Options.Hints = r.Option("hints") == "yes"
	row.Options.Present = !r.Absences
	if seed, shared := c.state.GameSeed(f); shared {
		row.Seed, row.Options.Shared = hex.EncodeToString(seed[:]), true
		row.Sealed, row.Visibility = true, store.Private
	}
	seats := make([]store.Seat, len(f.Players))
	for i, id := range f.Players {
		p := s.player(id)
		seats[i] = store.Seat{Player: id, Stage: store.SeatJoined, Name: p.Name}
	}
	t, err := s.lay(row, seats)
	if err != nil {
		return false, err
	}
	if err := s.begin(t); err != nil {
		return false, err
	}
	a.Line.Game = t.row.ID
	return true, s.enter(c, a.Line) // or the game would belong to no league
}

// leagueResult brings what a game came to into its league's log.
func (s *unit) leagueResult(t *table) error {
	c, err := s.league(t.row.League)
	if s.cache.without(t.row.League, err) { // league verify tells what it lacks
		return nil
	}
	if err != nil {
		return err
	}
	f := c.state.Of(t.row.ID)
	if f == nil || f.Game != t.row.ID || f.Over() { // its director has decided otherwise
		return nil
	}
	parts, err := s.parts(t)
	if err != nil {
		return err
	}
	before := c.state.Seasons[f.Season-1].Divisions[f.Division-1].In()
	if !s.appendOrLog(c, league.Line{Kind: league.Played, Game: t.row.ID, Seats: leagueSeats(f, t.play.Finals(), parts)}) {
		return nil
	}
	s.tellLadder(c, t, f, before)
	return nil
}

// tellLadder says in the letters about a game of a ladder that is over where its
// players stand by it, and when they play again. before is how they stood.
func (s *unit) tellLadder(c *leagueUnit, t *table, f *league.Fixture, before []int64) {
	x := &c.state.Seasons[f.Season-1]
	if x.Rules.Kind != league.Ladder {
		return
	}
	now := x.Divisions[f.Division-1].In()
	next, more := c.state.NextRound()
	for _, p := range f.Players {
		old, rank := slices.Index(before, p)+1, slices.Index(now, p)+1
		if y := t.of(p); y == nil || y.Player != p || old == 0 || rank == 0 { // they have left
			continue
		}
		d := s.draftFor(p, t, notice.KindEnd)
		code := notice.TellStays
		switch {
		case rank < old:
			code = notice.TellClimbs
		case rank > old:
			code = notice.TellFalls
		}
		d.say(code, "league", c.rules().Name, "old", strconv.Itoa(old), "rank", strconv.Itoa(rank), "n", strconv.Itoa(len(now)))
		if more && next.After(s.now) && x.Running() {
			zone := s.zoneOf(p)
			d.say(notice.TellNextRound, "time", when(next, zone))
		}
	}
}

// leagueSeats are the seats of a result as a league keeps them: equal VP share a
// place (R8.7).
func leagueSeats(f *league.Fixture, vp []int, parts [][]game.Share) []league.Seat {
	seats := make([]league.Seat, len(f.Players))
	for i, id := range f.Players {
		x := league.Seat{Player: id, Score: vp[i], Place: 1}
		for k := range f.Players {
			if vp[k] > vp[i] {
				x.Place++
			}
		}
		if len(f.Players) == 1 && len(vp) > 1 {
			x.Hal = vp[1]
		}
		if i < len(parts) {
			for _, p := range parts[i] {
				if p.Turns > 0 {
					x.Parts = append(x.Parts, league.Part{Player: p.Player, Turns: p.Turns, Left: p.Left != ""})
				}
			}
		}
		seats[i] = x
	}
	return seats
}

// roundsOver opens the games of the rounds of a solo league that all players have
// finished: it tells their seed, and shows them to those who may see games of the
// league.
func (s *unit) roundsOver(c *leagueUnit) error {
	x := c.state.Season()
	if c.rules().Kind != league.Solo || x == nil {
		return nil
	}
	games := make([][]string, x.Round+1)
	open := make([]bool, x.Round+1) // a game is still running
	for _, f := range x.Divisions[0].Fixtures {
		if open[f.Round] = open[f.Round] || !f.Over(); f.Game != "" {
			games[f.Round] = append(games[f.Round], f.Game)
		}
	}
	for round := 1; round <= x.Round; round++ {
		if open[round] || len(games[round]) == 0 {
			continue
		}
		if err := s.roundOver(c, round, games[round]); err != nil {
			return err
		}
	}
	return nil
}

// roundOver opens the games of a round, if they are not open yet: all are, or none.
func (s *unit) roundOver(c *leagueUnit, round int, games []string) error {
	for i, game := range games {
		opened, err := s.unseal(c, game)
		if err != nil {
			return err
		}
		if i == 0 && !opened {
			return nil
		}
	}
	s.tellRound(c, round)
	return nil
}

// unseal reports whether a game was sealed.
func (s *unit) unseal(c *leagueUnit, game string) (bool, error) {
	row, err := s.tx.Game(game)
	if err != nil || !row.Sealed {
		return false, err
	}
	t, err := s.table(game)
	if errors.Is(err, ErrUnreadable) {
		row.Sealed, row.Visibility = false, c.rules().Visibility
		s.check(s.tx.SaveGame(row))
		return true, nil
	}
	if err != nil || !t.row.Sealed { // opened in this transaction
		return false, err
	}
	t.row.Sealed, t.row.Visibility = false, c.rules().Visibility
	return true, nil
}
