package compete

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/match/gate"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// A player who leaves a league while its season runs leaves a place in it: the games that have
// not begun. The server offers it to the substitutes who do not play in the season, then to
// those who wait for the next, one after the other. If no one accepts in time, those games are
// lost (league.Forfeit). Games that have begun go on with a bot or a substitute in the seat.

// answerFor is how long a substitute has to answer the offer of a place.
const answerFor = 48 * time.Hour

// whenLost returns, as arguments for letters, what follows if no one takes the place of a
// player who left a division. None: games that have not begun are lost, the rest goes on and
// counts. "bots": the same, and only bots can play for the player. "annul": at tables of two, no
// unfinished game counts (league.State.Annuls).
func whenLost(c *unit.League, d *league.Division, player int64) []string {
	switch {
	case d != nil && c.State.Annuls(d, player):
		return []string{"then", "annul"}
	case !c.Rules().TakesSubstitutes():
		return []string{"then", "bots"}
	}
	return nil
}

// leftLeague tells the others of a player's division that the player has left, and looks
// for a replacement.
func leftLeague(u *unit.Unit, c *unit.League, player int64, d *league.Division) error {
	return gone(u, c, player, d, notice.TellLeft, append(whenLost(c, d, player), "name", u.LeagueNames(c)[player])...)
}

// gone carries out leftLeague and tells the others with code.
func gone(u *unit.Unit, c *unit.League, player int64, d *league.Division, code string, args ...string) error {
	if d == nil {
		return nil
	}
	u.LoadPlayers(d.In())
	for _, p := range d.In() {
		tellLeague(u, c, p, code, args...)
	}
	return seekPlace(u, c, player, nil)
}

// openPlace returns the division in which a player who has left has a place not yet
// taken, nil if there is none any more.
func openPlace(c *unit.League, left int64) *league.Division {
	x := c.State.Season()
	if x == nil || !x.Running() {
		return nil
	}
	for i := range x.Divisions {
		for _, g := range x.Divisions[i].Left {
			if g.Player == left && g.To == 0 && !g.Settled {
				return &x.Divisions[i]
			}
		}
	}
	return nil
}

// freePlace is openPlace, but nil if no game is left to play in the place.
func freePlace(c *unit.League, left int64) *league.Division {
	d := openPlace(c, left)
	if d == nil {
		return nil
	}
	if to := c.State.ToCome(d, left); to.Games == 0 && !to.Rounds {
		return nil
	}
	return d
}

// worthAsking reports whether a place has anything left to play. In games that have begun a
// substitute takes the seat, not the place. If a bot already plays the only game of a match,
// the place is worth nothing: the player who finishes that game gets the place with it.
func worthAsking(u *unit.Unit, c *unit.League, d *league.Division, left int64) (bool, error) {
	to := c.State.ToCome(d, left)
	if to.Match == nil || c.State.Season().Rules.BestOf > 1 {
		return to.Games > 0 || to.Rounds, nil
	}
	t, err := u.Game(to.Match.Game)
	if errors.Is(err, replays.ErrUnreadable) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	x := t.Of(left)
	return x != nil && !x.Unplayed(), nil
}

// seekPlace asks the next substitute whether they take a place.
func seekPlace(u *unit.Unit, c *unit.League, left int64, asked []int64) error {
	d := openPlace(c, left)
	if d == nil || !c.Rules().TakesSubstitutes() {
		return nil
	}
	if yes, err := worthAsking(u, c, d, left); !yes || err != nil {
		return err
	}
	rows, err := u.Tx.DuesOf(store.DuePlace, c.Row.ID)
	if err != nil {
		return err
	}
	for _, row := range rows { // they have left before, and a substitute may still answer
		if of, _, err := placeRead(row.Ref); of == left || err != nil {
			return err
		}
	}
	for _, id := range c.State.Candidates() {
		if slices.Contains(asked, id) || divisionOf(c.State.Season(), id) != nil {
			continue
		}
		free := u.Reachable(id) && gate.Room(u, c, id)
		if asked = append(asked, id); !free {
			continue
		}
		askPlace(u, c, d, left, id, asked)
		return nil
	}
	tellVain(u, c, d, left)
	return nil
}

// tellVain tells the director that no substitute who can play takes a place with games still to
// play.
func tellVain(u *unit.Unit, c *unit.League, d *league.Division, left int64) {
	if len(c.State.Candidates()) == 0 { // then the place is lost at once
		return
	}
	n := c.State.ToCome(d, left).Games
	letter := urge(u, c, notice.TellPlaceVain, "name", u.LeagueNames(c)[left], "n", strconv.Itoa(n))
	if letter != nil {
		letter.Offer(notice.CommandSubstitutes, "league", c.Rules().Name)
	}
}

// offerPlaces asks a player who has just begun to wait for the next season to take a
// free place that all other candidates have declined.
func offerPlaces(u *unit.Unit, c *unit.League, player int64) error {
	x := c.State.Season()
	if x == nil || !x.Running() || !c.Rules().TakesSubstitutes() || !slices.Contains(c.State.Waiting(), player) || divisionOf(x, player) != nil {
		return nil
	}
	rows, err := u.Tx.DuesOf(store.DuePlace, c.Row.ID)
	if err != nil {
		return err
	}
	for i := range x.Divisions {
		for _, g := range x.Divisions[i].Left {
			asks := false // another substitute; then the player waits their turn
			for _, row := range rows {
				left, _, err := placeRead(row.Ref)
				if err != nil {
					return err
				}
				asks = asks || left == g.Player
			}
			if g.To != 0 || g.Settled || asks {
				continue
			}
			yes, err := worthAsking(u, c, &x.Divisions[i], g.Player)
			if err != nil {
				return err
			}
			if yes {
				others := slices.DeleteFunc(c.State.Candidates(), func(id int64) bool { return id == player })
				askPlace(u, c, &x.Divisions[i], g.Player, player, append(others, player))
				return nil
			}
		}
	}
	return nil
}

func askPlace(u *unit.Unit, c *unit.League, d *league.Division, left, id int64, asked []int64) {
	names := u.LeagueNames(c)
	p := u.Player(id)
	due := &store.Due{At: u.At.Add(answerFor), Kind: store.DuePlace, Game: c.Row.ID, Ref: placeWritten(left, asked)}
	u.Check(u.Tx.AddDue(due))
	zone := u.ZoneOf(id)
	q := &store.Confirm{Kind: store.ConfirmPlace, Player: id, Address: p.Address, Game: c.Row.ID, Lines: strconv.FormatInt(left, 10)}
	to := c.State.ToCome(d, left)
	args := []string{"league", c.Rules().Name, "name", names[left], "n", strconv.Itoa(to.Games), "time", unit.When(due.At, zone)}
	then := plays(to)
	if in := c.State.Player(id); in.In() {
		then = strings.Trim("waits-"+then, "-")
	}
	if then != "" {
		args = append(args, "then", then)
	}
	l := u.Ask(p.Address, id, nil, q, notice.AskPlace, args...)
	l.About(c)
}

// plays returns, for letters, when the holder of a place plays: "" in games that have not
// begun, "rounds" from the next round on, "match" the same if a match that is being played is
// won.
func plays(to league.ToCome) string {
	switch {
	case to.Games > 0:
		return ""
	case to.Match != nil:
		return "match"
	}
	return "rounds"
}

// placeWritten encodes for a due row the player who left a place and those asked to
// take it.
func placeWritten(left int64, asked []int64) string {
	out := []string{strconv.FormatInt(left, 10)}
	for _, id := range asked {
		out = append(out, strconv.FormatInt(id, 10))
	}
	return strings.Join(out, " ")
}

func placeRead(ref string) (left int64, asked []int64, err error) {
	for i, word := range strings.Fields(ref) {
		id, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return 0, nil, fmt.Errorf("place in a league: %w", err)
		}
		if i == 0 {
			left = id
		} else {
			asked = append(asked, id)
		}
	}
	return left, asked, nil
}

// PlaceDue handles the end of a substitute's time to answer.
func PlaceDue(u *unit.Unit, row store.Due) error {
	c, err := u.League(row.Game)
	if err != nil {
		return err
	}
	left, asked, err := placeRead(row.Ref)
	if err != nil {
		return err
	}
	if !c.State.Paused.IsZero() { // their time does not run, and the place waits for their answer
		row.At = u.At.Add(askAgain)
		return u.Tx.AddDue(&row)
	}
	return seekPlace(u, c, left, asked)
}

// PlaceYes and PlaceNo are placeSaid.
func PlaceYes(u *unit.Unit, w *unit.Sender, q store.Confirm) error { return placeSaid(u, w, q, true) }

func PlaceNo(u *unit.Unit, w *unit.Sender, q store.Confirm) error { return placeSaid(u, w, q, false) }

// placeSaid handles a substitute's answer; a yes can come too late.
func placeSaid(u *unit.Unit, w *unit.Sender, q store.Confirm, yes bool) error {
	c, left, err := placeAsked(u, q)
	if err != nil {
		return err
	}
	rows, err := u.Tx.DuesOf(store.DuePlace, c.Row.ID)
	if err != nil {
		return err
	}
	d := freePlace(c, left)
	busy := divisionOf(c.State.Season(), w.ID) != nil // they have got a place since we asked: this one goes to the next
	for _, row := range rows {
		of, asked, err := placeRead(row.Ref)
		if err != nil {
			return err
		}
		if of != left || d == nil || len(asked) == 0 || (!yes || busy) && asked[len(asked)-1] != w.ID {
			continue
		}
		u.Check(u.Tx.DropDue(row.ID))
		if !yes || busy {
			if err := seekPlace(u, c, left, asked); err != nil {
				return err
			}
			break
		}
	}
	if !yes {
		return nil
	}
	if busy || d == nil {
		return PlaceGone(u, w, q)
	}
	return placeTaken(u, w, c, left)
}

// placeAsked returns the league of a question, and the player who left it.
func placeAsked(u *unit.Unit, q store.Confirm) (*unit.League, int64, error) {
	c, err := u.League(q.Game)
	if err != nil {
		return nil, 0, err
	}
	left, err := strconv.ParseInt(q.Lines, 10, 64)
	if err != nil {
		return nil, 0, fmt.Errorf("place in a league: %w", err)
	}
	return c, left, nil
}

// PlaceGone returns why a substitute can no longer have a place that we offered them.
func PlaceGone(u *unit.Unit, w *unit.Sender, q store.Confirm) error {
	c, left, err := placeAsked(u, q)
	if err != nil {
		return err
	}
	names := u.LeagueNames(c)
	p := Problem(c, notice.ProblemPlaceGone)
	p.Args["name"] = names[left]
	x := c.State.Season()
	if x == nil || !x.Running() {
		p.Code = notice.ProblemPlaceOver
		return p
	}
	if d := divisionOf(x, left); d != nil {
		for _, g := range d.Left {
			switch {
			case g.Player != left:
			case g.To == w.ID:
				p.Code = notice.ProblemPlaceYour
				return p
			case g.To != 0:
				p.Code, p.Args["who"] = notice.ProblemPlaceHeir, names[g.To]
				return p
			}
		}
		if c.State.Division(left) == d {
			p.Code, p.Args["who"] = notice.ProblemPlaceHeir, names[left]
			return p
		}
	}
	switch {
	case divisionOf(x, w.ID) != nil:
		p.Code = notice.ProblemPlaceBusy
	case freePlace(c, left) != nil: // they have said no
		return notice.Refuse(notice.ProblemLapsed)
	}
	return p
}

// placeTaken gives a place in a league to a substitute.
func placeTaken(u *unit.Unit, w *unit.Sender, c *unit.League, left int64) error {
	to := c.State.ToCome(openPlace(c, left), left)
	if err := u.Enter(c, league.Line{Kind: league.Takeover, By: w.ID, Player: w.ID, For: left}); err != nil {
		return err
	}
	names := u.LeagueNames(c)
	t := tale(u, c, w.ID)
	gamesInto(u, c, t, w.ID)
	w.Answer.About(c)
	t.Aside = false // the remark says when they play
	w.Answer.Say(notice.SayPlaceTaken, "league", c.Rules().Name, "name", names[left], "then", plays(to))
	w.Answer.Answer.Sections = append(w.Answer.Answer.Sections, notice.Section{Kind: "schedule", League: t})
	for _, p := range divisionOf(c.State.Season(), left).In() {
		if p == w.ID {
			continue
		}
		tellLeague(u, c, p, notice.TellPlaceTaken, "name", names[w.ID], "old", names[left], "then", plays(to))
	}
	return nil
}
