package compete

import (
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/rulings"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
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
func fixtureName(c *unit.League, f *league.Fixture) string {
	return c.Rules().Name + " " + leagues.Number(c.State, f)
}

// beginFixture begins a league game at once: everyone has joined the league, and the fixture
// has the seats. So it mixes in no entropy, like any game that begins without invitations. It
// returns false if the game cannot be played now, through no player's fault.
func beginFixture(u *unit.Unit, c *unit.League, a league.Act) (bool, error) {
	f := a.Fixture
	r := c.State.Seasons[f.Season-1].Rules // though the file may say otherwise by now
	o := leagueOptions(r, f.Division)
	o.Visibility = c.Rules().Visibility
	row, err := seating.Options(u, o)
	if err == nil {
		err = seating.SeatOptions(&row.Options, len(f.Players), r.Option("hal"))
	}
	if err != nil {
		u.Log.Error("a league's game cannot begin", "league", c.Row.ID, "fixture", f.ID, "err", err)
		tellUnbegun(u, c, f)
		return false, nil
	}
	row.Name, row.League = fixtureName(c, f), c.Row.ID
	row.Options.Hints = r.Option("hints") == "yes"
	row.Options.Present = !r.Absences
	if seed, shared := c.State.GameSeed(f); shared {
		row.Seed, row.Options.Shared = hex.EncodeToString(seed[:]), true
		row.Sealed, row.Visibility = true, store.Private
	}
	seats := make([]store.Seat, len(f.Players))
	names := u.LeagueNames(c) // or two players of one name would have it in different games
	for i, id := range f.Players {
		seats[i] = store.Seat{Name: names[id], Player: id, Stage: store.SeatJoined}
	}
	t, err := seating.Lay(u, row, seats)
	if err != nil {
		return false, err
	}
	if err := seating.Begin(u, t); err != nil {
		return false, err
	}
	a.Line.Game = t.Row.ID
	return true, u.Enter(c, a.Line) // or the game would belong to no league
}

// tellUnbegun tells the director, once a week, of a game that this server can't begin: its set
// or its rules are no longer there. Every hour tries again.
func tellUnbegun(u *unit.Unit, c *unit.League, f *league.Fixture) {
	key, day := "unbegun/"+c.Row.ID, u.At.Truncate(7*24*time.Hour).Format(time.DateOnly)
	if u.Counted(key, day) == 0 && urge(u, c, notice.TellUnbegun, "game", fixtureName(c, f)) != nil {
		u.Bump(key, day)
	}
}

// Result enters the result of a game into its league's log.
func Result(u *unit.Unit, t *unit.Game) error {
	c, err := u.League(t.Row.League)
	if u.Replays.Without(t.Row.League, err) { // league verify tells what it lacks
		return nil
	}
	if err != nil {
		return err
	}
	f := c.State.Of(t.Row.ID)
	if f == nil || f.Game != t.Row.ID || f.Over() { // its director has decided otherwise
		return nil
	}
	parts, err := u.Parts(t)
	if err != nil {
		return err
	}
	before := c.State.Seasons[f.Season-1].Divisions[f.Division-1].In()
	if !u.AppendOrLog(c, league.Line{Kind: league.Played, Game: t.Row.ID, Seats: rulings.Seats(f, t.Replay.Finals(), parts)}) {
		return nil
	}
	tellResult(u, c, t, c.State.Of(t.Row.ID), before, notice.KindEnd)
	return nil
}

// Ruled tells the players of a game what a ruling means for its league, if it gives a result or
// makes the game void, as the end of the game would have. If the season is over, tellChanges
// does that.
func Ruled(u *unit.Unit, t *unit.Game) error {
	c, err := u.League(t.Row.League)
	if u.Replays.Without(t.Row.League, err) {
		return nil
	}
	if err != nil {
		return err
	}
	f := c.State.Of(t.Row.ID)
	if f == nil || f.Game != t.Row.ID || !f.Over() || !c.State.Seasons[f.Season-1].Running() {
		return nil
	}
	tellResult(u, c, t, f, c.Before().Seasons[f.Season-1].Divisions[f.Division-1].In(), notice.KindInfo)
	return nil
}

// tellResult adds to the letters about a game what its result means for its league. before has
// the players of its division in their order without it.
func tellResult(u *unit.Unit, c *unit.League, t *unit.Game, f *league.Fixture, before []int64, kind notice.Kind) {
	if !f.Void {
		tellOutcome(u, c, t, f, inherited(c, f, before))
		tellLadder(u, c, t, f, before, kind)
	}
	tellTable(u, c, t, f, kind)
}

// inherited returns the players who have taken over a place in the bracket by a fixture's
// result, by the player who had it. before are the earlier holders.
func inherited(c *unit.League, f *league.Fixture, before []int64) map[int64]int64 {
	heirs := map[int64]int64{}
	for _, g := range c.State.Seasons[f.Season-1].Divisions[f.Division-1].Left {
		if g.To != 0 && slices.Contains(f.Players, g.Player) && !slices.Contains(before, g.To) {
			heirs[g.Player] = g.To
		}
	}
	return heirs
}

// tellLadder adds to the letters about a finished ladder game each player's rank in the ladder,
// and when they play again. before has the ranks before the game.
func tellLadder(u *unit.Unit, c *unit.League, t *unit.Game, f *league.Fixture, before []int64, kind notice.Kind) {
	x := &c.State.Seasons[f.Season-1]
	if x.Rules.Kind != league.Ladder {
		return
	}
	now := x.Divisions[f.Division-1].In()
	next, more := c.State.NextRound()
	for _, p := range f.Players {
		old, rank := slices.Index(before, p)+1, slices.Index(now, p)+1
		if y := t.Of(p); y == nil || y.Player != p || old == 0 || rank == 0 { // they have left
			continue
		}
		d := u.DraftFor(p, t, kind)
		code := notice.TellStays
		switch {
		case rank < old:
			code = notice.TellClimbs
		case rank > old:
			code = notice.TellFalls
		}
		d.Say(code, "league", c.Rules().Name, "old", strconv.Itoa(old), "rank", strconv.Itoa(rank), "n", strconv.Itoa(len(now)), "open", strconv.Itoa(open(x, f)))
		if more && next.After(u.At) && x.Running() {
			zone := u.ZoneOf(p)
			d.Say(notice.TellNextRound, "time", unit.When(next, zone))
		}
	}
}

// roundsOver opens the games of the rounds of a solo league that all players have
// finished: it tells their seed, and shows them to those who may see games of the
// league.
func roundsOver(u *unit.Unit, c *unit.League) error {
	x := c.State.Season()
	if c.Rules().Kind != league.Solo || x == nil {
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
		if err := roundOver(u, c, round, games[round]); err != nil {
			return err
		}
	}
	return nil
}

// roundOver opens the games of a round, if they are not open yet: all are, or none.
func roundOver(u *unit.Unit, c *unit.League, round int, games []string) error {
	for i, game := range games {
		opened, err := unseal(u, c, game)
		if err != nil {
			return err
		}
		if i == 0 && !opened {
			return nil
		}
	}
	tellRound(u, c, round)
	return nil
}

// unseal reports whether a game was sealed.
func unseal(u *unit.Unit, c *unit.League, game string) (bool, error) {
	row, err := u.Tx.Game(game)
	if err != nil || !row.Sealed {
		return false, err
	}
	t, err := u.Game(game)
	if errors.Is(err, replays.ErrUnreadable) {
		row.Sealed, row.Visibility = false, c.Rules().Visibility
		u.Check(u.Tx.SaveGame(row))
		return true, nil
	}
	if err != nil || !t.Row.Sealed { // opened in this transaction
		return false, err
	}
	t.Row.Sealed, t.Row.Visibility = false, c.Rules().Visibility
	return true, nil
}
