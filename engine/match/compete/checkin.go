package compete

import (
	"slices"
	"strconv"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/gate"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/pace"
	"angelpost/engine/store"
)

// Check-in (LEAGUES.md): we ask players who have played no turn lately, once and by letter,
// whether they are still there. A yes, a turn in any game or `join league` is an answer. The
// league's log records the questions and the answers.

// NotePlayed records the day for players who have decided something in a game; lines are the
// new lines of its log.
func NotePlayed(u *unit.Unit, t *unit.Game, lines []game.Line) {
	var players []int64
	for _, l := range lines {
		if l.By != game.ByPlayer || len(l.Told) == 0 { // resigning does not count as a turn
			continue
		}
		if x := t.BySeat(engine.Seat(l.Seat)); x != nil && x.Player != 0 && x.Bot == "" && !slices.Contains(players, x.Player) {
			players = append(players, x.Player)
		}
	}
	for _, id := range players {
		u.Bump(played(id), u.Day())
	}
}

func played(player int64) string { return "played/" + strconv.FormatInt(player, 10) }

// playedSince reports whether a player has played a turn on a day or since.
func playedSince(u *unit.Unit, player int64, since time.Time) bool {
	n, err := u.Tx.Sum(played(player), since.UTC().Format(time.DateOnly), u.Day())
	u.Check(err)
	return n > 0
}

// away reports whether a player has booked a vacation for a day between two times.
func away(u *unit.Unit, player int64, from, to time.Time) bool {
	first, last := from.Format(time.DateOnly), to.Format(time.DateOnly)
	return slices.ContainsFunc(pace.NewCalendar(u.Player(player).Settings).Away, func(v pace.Vacation) bool { return v.From <= last && first <= v.To })
}

// askThere asks the players of an act whether they are still there. It skips those who have
// played a turn lately or are on vacation, unless they answered the last question with no: that
// answer counts only for that question.
func askThere(u *unit.Unit, c *unit.League, l league.Line) bool {
	by, since := c.State.CheckIn(u.At), c.State.Lately(u.At)
	running := c.State.Season() != nil && c.State.Season().Running()
	u.LoadPlayers(l.Players)
	l.Players = slices.DeleteFunc(l.Players, func(p int64) bool {
		return !c.State.Player(p).Declined && (playedSince(u, p, since) || away(u, p, u.At.Add(-league.Recent), by)) || running && !gate.Room(u, c, p)
	})
	if !u.AppendOrLog(c, l) {
		return false
	}
	for _, id := range l.Players {
		if !u.Reachable(id) {
			continue
		}
		p := u.Player(id)
		args := []string{"league", c.Rules().Name, "time", unit.When(by, u.ZoneOf(id))}
		if running {
			args = append(args, "then", "round")
		}
		q := &store.Confirm{Kind: store.ConfirmHere, Player: id, Address: p.Address, Game: c.Row.ID}
		u.Ask(p.Address, id, nil, q, notice.AskHere, args...).About(c)
	}
	return true
}

// takenOff removes a player who has twice not answered.
func takenOff(u *unit.Unit, c *unit.League, l league.Line) bool {
	if !u.AppendOrLog(c, l) {
		return false
	}
	if u.Reachable(l.Player) {
		d := tellLeague(u, c, l.Player, notice.TellTakenOff)
		d.Asked = true // muted or not: they are in it no more
	}
	return true
}

// unanswered returns the names of players who have not yet answered whether they are still
// there.
func unanswered(u *unit.Unit, c *unit.League) (out []string) {
	names := u.LeagueNames(c)
	for _, p := range c.State.Players {
		if p.In() && p.Silent() && !p.Declined {
			out = append(out, names[p.ID])
		}
	}
	return out
}

// seesPlayed records in the log that players are there if they have played a turn since the
// check-in question. It reports whether there were any.
func seesPlayed(u *unit.Unit, c *unit.League) (any bool) {
	for _, p := range slices.Clone(c.State.Players) {
		if p.In() && p.Silent() && !p.Declined && playedSince(u, p.ID, p.Asked) {
			any = u.AppendOrLog(c, league.Line{Kind: league.Here, Player: p.ID}) || any
		}
	}
	return any
}

// seats reports whether an act seats players, or removes those who were silent.
func seats(a league.Act) bool {
	return slices.Contains([]string{league.Begin, league.NextRound, league.End, league.Leave}, a.Line.Kind)
}

// overdue reports whether the next season should have begun.
func overdue(u *unit.Unit, c *unit.League) bool {
	at, ok := c.State.Opens()
	x := c.State.Season()
	return ok && c.State.Paused.IsZero() && !at.IsZero() && !at.After(u.At) && (x == nil || !x.Running())
}

// HereYes and HereNo carry out a player's answer to the check-in question. Players may change
// their mind, and be late.
func HereYes(u *unit.Unit, w *unit.Sender, q store.Confirm) error {
	c, err := askedHere(u, w, q)
	if err != nil {
		return err
	}
	return here(u, c, w.Player, w.Answer)
}

// HereNo carries out a no: the player will not play.
func HereNo(u *unit.Unit, w *unit.Sender, q store.Confirm) error {
	c, err := askedHere(u, w, q)
	if err != nil {
		return err
	}
	if err := u.Enter(c, league.Line{Kind: league.Here, By: w.ID, Player: w.ID, No: true}); err != nil {
		return err
	}
	w.Answer.About(c)
	w.Answer.Say(notice.SayHereNot, "league", c.Rules().Name)
	return nil
}

// askedHere returns the league of a question; it is an error if its player has left it.
func askedHere(u *unit.Unit, w *unit.Sender, q store.Confirm) (*unit.League, error) {
	c, err := u.League(q.Game)
	if none, err := unit.Missing(err); err != nil {
		return nil, err
	} else if none { // it has been deleted
		return nil, notice.Refuse(notice.ProblemLapsed)
	}
	if p := c.State.Player(w.ID); p == nil || !p.In() {
		return nil, Problem(c, notice.ProblemNoMember)
	}
	return c, nil
}

// here records that a player is there, and tells them when they begin to play.
func here(u *unit.Unit, c *unit.League, p *store.Player, d *unit.Draft) error {
	if c.State.Player(p.ID).Silent() {
		if err := u.Enter(c, league.Line{Kind: league.Here, By: p.ID, Player: p.ID}); err != nil {
			return err
		}
	}
	sayLeague(u, c, p, d, notice.SayHere, whenPlays(u, c, p, false)...)
	return offerPlaces(u, c, p.ID)
}
