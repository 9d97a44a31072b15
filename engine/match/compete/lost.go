package compete

import (
	"errors"
	"slices"

	"angelpost/engine/league"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/rulings"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// When a player has left a league and no one takes their place, its log says what becomes of
// their games (league.Forfeit), and we tell all players concerned. Games they have begun go on
// and count; a bot or a substitute plays for them. Only at tables of two, unfinished games may
// no longer count (league.State.Annuls). Such a game, if it is running, goes on outside the
// league for those who like. It ends once only one person plays it, who has won: so no one
// escapes a rating loss, and no one plays for nothing.

// placeLost records that a player's place is lost, and tells all players of their
// division what becomes of the games.
func placeLost(u *unit.Unit, c *unit.League, l league.Line) (bool, error) {
	d := openPlace(c, l.Player)
	if d == nil {
		u.AppendOrLog(c, l)
		return false, nil
	}
	then := whenLost(c, d, l.Player)
	var counted []int // their games that have counted so far
	for _, f := range d.Fixtures {
		if slices.Contains(f.Players, l.Player) && !f.Void {
			counted = append(counted, f.ID)
		}
	}
	if !u.AppendOrLog(c, l) {
		return false, nil
	}
	names := u.LeagueNames(c)
	tellForfeit(u, c, l.Player, counted, append(then, "name", names[l.Player]))
	for _, id := range counted {
		f := c.State.Fixture(id)
		if !f.Void || f.Game == "" {
			continue
		}
		t, err := u.Game(f.Game)
		if errors.Is(err, replays.ErrUnreadable) { // it goes on as it is
			continue
		}
		if err != nil {
			return false, err
		}
		if err := countsNoMore(u, t, names[l.Player]); err != nil {
			return false, err
		}
	}
	return true, nil
}

// tellForfeit tells all players of a division that the place of one who left is lost,
// and those who had games with that player what becomes of each; those of a solo league
// have none.
func tellForfeit(u *unit.Unit, c *unit.League, left int64, counted []int, args []string) {
	if c.Rules().Kind == league.Solo {
		return
	}
	d := divisionOf(c.State.Season(), left)
	u.LoadPlayers(d.In())
	for _, p := range d.In() {
		letter := tellLeague(u, c, p, notice.TellForfeit, args...)
		if len(counted) == 0 {
			continue
		}
		tale := tale(u, c, p)
		gamesInto(u, c, tale, p, counted...)
		if len(tale.Games) > 0 {
			letter.Asked = true // muted or not: it is about their games
			letter.Answer.Sections = append(letter.Answer.Sections, notice.Section{Kind: "forfeit", League: tale})
		}
	}
}

// countsNoMore tells the players of a running game that it no longer counts for its league, or
// that it ends.
func countsNoMore(u *unit.Unit, t *unit.Game, name string) error {
	if !t.Running() {
		return nil
	}
	if err := Forfeited(u, t); err != nil || !t.Running() {
		return err
	}
	u.TellAll(t, 0, func(_ *store.Seat, d *unit.Draft) {
		d.Asked = true // muted or not
		d.Say(notice.TellUncounted, "name", name)
	})
	return nil
}

// Forfeited ends a game that no longer counts for its league once only one person plays
// it, unless that person has left the league too.
func Forfeited(u *unit.Unit, t *unit.Game) error {
	if !t.Running() || t.Row.League == "" || len(t.Seats) < 2 {
		return nil
	}
	var winner, gone *store.Seat
	for i := range t.Seats {
		switch x := &t.Seats[i]; {
		case x.Unplayed():
			gone = x
		case winner != nil:
			return nil
		default:
			winner = x
		}
	}
	if winner == nil {
		return nil
	}
	if yes, err := leagues.Counts(u, t); yes || err != nil {
		return err
	}
	c, err := u.League(t.Row.League)
	if err != nil {
		return err
	}
	if p := c.State.Player(winner.Player); p != nil && !p.Left.IsZero() {
		return nil
	}
	scores := make([]int, len(t.Seats))
	scores[winner.Seat-1] = 1
	r := &rulings.Decision{S: u, T: t, End: true, Done: notice.Ruling{At: u.At, Kind: order.RuleAdjudicate, RulingArgs: notice.RulingArgs{
		Seat: gone.Seat, Name: gone.Name, Scores: scores, Code: rulings.Forfeit}}}
	rulings.BreakOff(u, t, store.GameAdjudicated)
	r.Says(notice.TellForfeited, "name", gone.Name, "who", winner.Name)
	return r.Settle()
}
