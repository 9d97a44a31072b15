package compete

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/rulings"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/pace"
	"angelpost/engine/store"
)

// When a player leaves a league game, a substitute replaces them. If the player missed their
// very first turn, they were never there: the game is void and starts again with the first
// substitute in their seat. A player who resigns, or whose seat a bot keeps later, is replaced
// by the first substitute who accepts: the server asks one after the other, with some time to
// answer; the substitute takes the seat with its whole history. Until then the bot plays on,
// and an absent player may come back. Once it has asked all, it asks those then free, every
// day.

// Substitutes implements unit.Substitutes for the games of leagues.
type Substitutes struct{}

// A substitute has half of a turn's time to answer, within these bounds.
const (
	minAnswer = 12 * time.Hour
	maxAnswer = 48 * time.Hour
	askAgain  = 24 * time.Hour // when no one is free
)

// substitute returns the first player on the list of the game's league who can take a seat in
// it; 0 if there is none. It skips those in asked, and players who have ever held the seat, who
// play for places in the same division, who have as many games as the league allows, or who
// can't be reached.
func substitute(u *unit.Unit, t *unit.Game, asked []int64) (int64, error) {
	c, f, err := leagues.Fixture(u, t)
	if u.Replays.Without(t.Row.League, err) {
		return 0, nil
	}
	if f == nil || f.Void || err != nil || !c.Rules().TakesSubstitutes() || len(t.Seats) < 2 {
		return 0, err
	}
	tenures, err := u.Tx.Tenures(append([]string{t.Row.ID}, f.Earlier...))
	if err != nil {
		return 0, err
	}
	for _, id := range c.State.Substitutes() {
		sat := t.Of(id) != nil || rival(c, f, id) || slices.Contains(asked, id)
		for _, of := range tenures {
			sat = sat || slices.ContainsFunc(of, func(x game.Tenure) bool { return x.Player == id })
		}
		if sat {
			continue
		}
		if free, err := free(u, id, t.Row.League, c.Rules().AtOnce); free || err != nil {
			return id, err
		}
	}
	return 0, nil
}

// rival reports whether a player plays for places in the division of a fixture.
func rival(c *unit.League, f *league.Fixture, player int64) bool {
	return slices.Contains(c.State.Seasons[f.Season-1].Divisions[f.Division-1].In(), player) || slices.Contains(f.Players, player)
}

// free reports whether we can reach a substitute, and whether they may play one more game of a
// league. most is how many games a player may play in it at a time, 0 any number.
func free(u *unit.Unit, player int64, league string, most int) (bool, error) {
	p := u.Player(player)
	a := u.AddressOf(p.Address)
	if !a.Bounced.IsZero() {
		return false, nil
	}
	if none := u.WantsNone(p.Address); none || most == 0 {
		return !none, nil
	}
	games, err := u.Tx.GamesOf(player, true)
	n := 0
	for _, g := range games {
		if g.League == league && g.State == store.GameRunning {
			n++
		}
	}
	return n < most, err
}

// cameNever reports whether the player of a seat missed their first turn in the game
// and never did anything in it.
func cameNever(t *unit.Game, x *store.Seat) bool {
	return t.Replay.Turns[x.Seat] == 0 && !slices.ContainsFunc(t.Replay.Lines, func(l game.Line) bool { return l.Seat == x.Seat })
}

// StepsIn returns the substitute with which a league game starts again because the player of a
// seat never came; 0 if there is none, or the player was there.
func (Substitutes) StepsIn(u *unit.Unit, t *unit.Game, x *store.Seat) (int64, error) {
	if t.Row.League == "" || t.Row.Sealed || !cameNever(t, x) {
		return 0, nil
	}
	if yes, err := leagues.PlaysAgain(u, t); err != nil || !yes {
		if u.Replays.Without(t.Row.League, err) {
			err = nil
		}
		return 0, err
	}
	return substitute(u, t, nil)
}

// NoShow starts a league game again with a substitute for a player who never came. It returns
// false if there is none, or the player was there.
func (s Substitutes) NoShow(u *unit.Unit, t *unit.Game, x *store.Seat) (bool, error) {
	id, err := s.StepsIn(u, t, x)
	if err != nil || id == 0 {
		return false, err
	}
	p := u.Player(id)
	r := &rulings.Decision{S: u, T: t, End: true, Done: notice.Ruling{At: u.At, Kind: order.RuleReplay, RulingArgs: notice.RulingArgs{Seat: x.Seat, Name: x.Name, Code: notice.RulingNoShow}}}
	rulings.BreakOff(u, t, store.GameVoid)
	now, err := rulings.LeagueAgain(u, t, r.Done)
	if err != nil {
		return false, err
	}
	if !now {
		r.Says(notice.TellNoShowLater, "name", x.Name)
		return true, r.Settle()
	}
	next, err := rulings.Again(u, t, func(seat int, y *store.Seat) {
		if seat == x.Seat {
			*y = store.Seat{Player: p.ID, Stage: store.SeatJoined, Name: cmp.Or(inLeague(u, t, p), p.Name)}
		}
	})
	if err != nil {
		return false, err
	}
	heir := next.BySeat(engine.Seat(x.Seat))
	r.Done.Game = next.Row.ID
	r.Told = func(y *store.Seat, d *unit.Draft) error {
		code := notice.TellNoShowAll
		if y == x {
			code = notice.TellNoShow
		}
		d.Say(code, "name", x.Name, "heir", heir.Name, "game", next.Row.ID)
		return nil
	}
	c, err := u.League(t.Row.League)
	if err != nil {
		return false, err
	}
	d := u.DraftFor(p.ID, next, notice.KindStart)
	d.Say(notice.TellStepIn, "league", c.Rules().Name, "name", x.Name)
	if err := rulings.LeagueBegun(u, t, next); err != nil {
		return false, err
	}
	return true, r.Settle()
}

// Vacated looks for a substitute for a seat in a league game whose player has left.
func (Substitutes) Vacated(u *unit.Unit, t *unit.Game, x *store.Seat) error {
	if t.Row.League == "" {
		return nil
	}
	if yes, err := leagues.Counts(u, t); err != nil || !yes { // it ends, or goes on as any game does
		return err
	}
	heir := x.Heir
	if err := seek(u, t, x, nil); err != nil {
		return err
	}
	switch x.Heir {
	case 0:
		return nobodyFree(u, t, x)
	case heir: // all know that the server waits for an heir's answer
		return nil
	}
	u.TellAll(t, x.Player, func(_ *store.Seat, d *unit.Draft) { d.Say(notice.TellSeatOpen, "name", x.Name) })
	return nil
}

// nobodyFree tells the players and directors that there is no substitute for a vacant seat.
func nobodyFree(u *unit.Unit, t *unit.Game, x *store.Seat) error {
	if err := tellSeatRuler(u, t, x); err != nil {
		return err
	}
	u.TellAll(t, x.Player, func(_ *store.Seat, d *unit.Draft) { d.Say(notice.TellSeatNobody, "name", x.Name) })
	return nil
}

// tellSeatRuler tells the directors who rule over a game that a bot plays a seat in it, and
// that no substitute is free. In a solo league it does not, because they could do nothing.
func tellSeatRuler(u *unit.Unit, t *unit.Game, x *store.Seat) error {
	if len(t.Seats) < 2 {
		return nil
	}
	rulers, err := leagues.Rulers(u, t)
	if err != nil || len(rulers) == 0 {
		return err
	}
	c, err := u.League(t.Row.League)
	if err != nil {
		return err
	}
	for _, p := range rulers {
		d := urgeOne(u, c, p.ID, notice.TellSeatRuler, "name", x.Name, "game", t.Row.Name)
		if d == nil {
			continue
		}
		if t.Row.Options.Clock != "" {
			d.Offer(notice.CommandPause, "game", t.Row.Name)
		}
		if c.Rules().TakesSubstitutes() {
			d.Offer(notice.CommandSubstitutes, "league", c.Rules().Name)
		}
	}
	return nil
}

// seek asks the next substitute to take a vacant seat.
func seek(u *unit.Unit, t *unit.Game, x *store.Seat, asked []int64) error {
	u.Check(u.Tx.ClearDue(store.DueSeat, t.Row.ID, x.Place))
	if t.Row.League == "" || !t.Running() || !x.Vacant() {
		return nil
	}
	due := &store.Due{At: u.At.Add(askAgain), Kind: store.DueSeat, Game: t.Row.ID, Place: x.Place, Ref: idsWritten(asked)}
	free, err := substitute(u, t, asked)
	if err != nil {
		return err
	}
	if free == 0 || x.Heir != 0 { // or the director has asked an heir
		u.Check(u.Tx.AddDue(due))
		return nil
	}
	p := u.Player(free)
	c, err := u.League(t.Row.League)
	if err != nil {
		return err
	}
	rest := t.Rests(pace.NewCalendar(p.Settings))
	due.At, due.Ref = rest.AfterQuietHours(rest.After(u.At, min(max(t.Pace().Turn/2, minAnswer), maxAnswer))), idsWritten(append(asked, p.ID))
	u.Check(u.Tx.AddDue(due))
	x.Heir = p.ID
	q := &store.Confirm{Kind: store.ConfirmSeat, Player: p.ID, Address: p.Address, Game: t.Row.ID, Lines: strconv.Itoa(x.Place)}
	u.Ask(p.Address, p.ID, t, q, notice.AskSeat, "name", x.Name, "names", strings.Join(t.Names(), ", "), "league", c.Rules().Name,
		"time", unit.When(due.At, rest.Zone), "n", strconv.Itoa(t.Replay.State.Project(0).Round))
	return err
}

// SeatDue handles the end of a substitute's time to answer, or tries again to find one.
func SeatDue(u *unit.Unit, row store.Due) error {
	t, err := u.Game(row.Game)
	if err != nil {
		return err
	}
	x := t.Place(row.Place)
	if x == nil || !t.Running() || !x.Vacant() {
		return nil
	}
	asked := askedOf(row.Ref)
	if n := len(asked); n > 0 && x.Heir == asked[n-1] {
		x.Heir = 0
		return seekOn(u, t, x, asked)
	}
	return seek(u, t, x, asked)
}

// seekOn asks the next when one has not taken the seat, and says so if there is
// none.
func seekOn(u *unit.Unit, t *unit.Game, x *store.Seat, asked []int64) error {
	if err := seek(u, t, x, asked); err != nil || x.Heir != 0 || !t.Running() || !x.Vacant() {
		return err
	}
	return nobodyFree(u, t, x)
}

// Declined asks the next substitute when one has said no.
func (Substitutes) Declined(u *unit.Unit, t *unit.Game, x *store.Seat) error {
	rows, err := u.Tx.DuesOf(store.DueSeat, t.Row.ID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.Place == x.Place {
			return seekOn(u, t, x, askedOf(row.Ref))
		}
	}
	return nil
}

// SeatYes gives a substitute the seat that we offered them. A late yes counts as long as no one
// plays the seat and it is not on offer to someone else.
func SeatYes(u *unit.Unit, w *unit.Sender, q store.Confirm) error {
	t, x := seatAsked(u, w, q)
	if x == nil || !t.Running() || !x.Vacant() || x.Heir != 0 && x.Heir != w.ID {
		return SeatGone(u, w, q)
	}
	if err := mayTake(u, t, w.ID); err != nil {
		if x.Heir != w.ID || notice.AsProblem(err) == nil {
			return err
		}
		x.Heir = 0
		return cmp.Or(u.Substitutes.Declined(u, t, x), err)
	}
	name, _, err := seating.ComesAs(u, t, x, w.Player, order.Word{Kind: order.Join}, u.Command.Name)
	if err != nil { // not of a name: the letter gives none
		return err
	}
	if called := inLeague(u, t, w.Player); called != "" && !u.Taken(t, called, x.Place) {
		name = called
	}
	w.Seat, w.Answer.Game, w.Answer.Place = x, t, x.Place
	seating.TakeOver(u, w, t, x, name)
	return nil
}

// inLeague returns the name of a player in a game's league, "" if they are not in it or have
// given no name.
func inLeague(u *unit.Unit, t *unit.Game, p *store.Player) string {
	c, err := u.League(t.Row.League)
	if u.Replays.Without(t.Row.League, err) || err != nil || c.State.Player(p.ID) == nil {
		return ""
	}
	return u.NameIn(c, p)
}

// seatAsked returns the game and the seat of a question.
func seatAsked(u *unit.Unit, w *unit.Sender, q store.Confirm) (*unit.Game, *store.Seat) {
	place, err := strconv.Atoi(q.Lines)
	if w.Game == nil || err != nil {
		return nil, nil
	}
	return w.Game, w.Game.Place(place)
}

// mayTake returns why a substitute can no longer have a vacant seat that we offered them: they
// play at its table or in its division by now.
func mayTake(u *unit.Unit, t *unit.Game, player int64) error {
	c, f, err := leagues.Fixture(u, t)
	if u.Replays.Without(t.Row.League, err) {
		return nil
	}
	if c == nil || err != nil {
		return err
	}
	if f != nil && rival(c, f, player) || slices.ContainsFunc(t.Seats, func(y store.Seat) bool { return y.Player == player }) {
		return Problem(c, notice.ProblemSeatRival)
	}
	return nil
}

// SeatGone returns why a substitute can no longer have a seat that we offered them.
func SeatGone(u *unit.Unit, w *unit.Sender, q store.Confirm) error {
	t, x := seatAsked(u, w, q)
	if x == nil || !t.Running() {
		return notice.Refuse(notice.ProblemSeatOver)
	}
	p := notice.Refuse(notice.ProblemSeatTaken, "name", x.Name)
	switch {
	case x.Player == w.ID && x.Bot == "":
		p.Code = notice.ProblemSeatYours
	case x.Vacant() && x.Heir == w.ID || x.Vacant() && x.Heir == 0:
		p.Code = notice.ProblemLapsed
	case x.Vacant():
		p.Code = notice.ProblemSeatNext
	case x.Bot != "":
		p.Code = notice.ProblemSeatBot
	}
	return p
}

// SeatNo declines the seat; the next substitute gets the offer.
func SeatNo(u *unit.Unit, w *unit.Sender, _ store.Confirm) error {
	if w.Game == nil || w.Seat == nil || w.Seat.Heir != w.ID {
		return nil
	}
	w.Seat.Heir = 0
	return u.Substitutes.Declined(u, w.Game, w.Seat)
}

// idsWritten formats the ids of the players asked, as a due row keeps them.
func idsWritten(asked []int64) string {
	out := make([]string, len(asked))
	for i, id := range asked {
		out[i] = strconv.FormatInt(id, 10)
	}
	return strings.Join(out, " ")
}

func askedOf(ref string) (out []int64) {
	for _, word := range strings.Fields(ref) {
		if id, err := strconv.ParseInt(word, 10, 64); err == nil {
			out = append(out, id)
		}
	}
	return out
}
