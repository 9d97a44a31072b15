package match

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/pace"
	"angelpost/engine/store"
)

// When a player is gone from a game of a league, its substitutes come. If the player
// missed their very first turn, they were never there: the game is void and begins anew
// with the first substitute in their seat. A player who resigns, or whose seat a bot
// keeps later, is replaced by the first substitute who accepts: the server asks one
// after the other, with some time to answer; the substitute takes the seat with its
// whole history. Until then the bot plays on, and an absent player may come back. Once
// it has asked all, it asks those then free, every day.

// leagueSubstitutes sees to the seats of leagues' games.
type leagueSubstitutes struct{}

func (leagueSubstitutes) stepsIn(s *unit, t *table, x *store.Seat) (int64, error) {
	return s.stepsIn(t, x)
}
func (leagueSubstitutes) noShow(s *unit, t *table, x *store.Seat) (bool, error) {
	return s.noShow(t, x)
}
func (leagueSubstitutes) vacated(s *unit, t *table, x *store.Seat) error  { return s.vacate(t, x) }
func (leagueSubstitutes) declined(s *unit, t *table, x *store.Seat) error { return s.seekNext(t, x) }

// Bounds of the time that a substitute has to answer: half of a turn's, within
// these.
const (
	minAnswer = 12 * time.Hour
	maxAnswer = 48 * time.Hour
	askAgain  = 24 * time.Hour // when no one is free
)

// maxMissedIn is how many turns in a row a bot plays for a player of the game before it
// keeps their seat.
func (s *unit) maxMissedIn(t *table) (int, error) {
	if t.row.League == "" {
		return maxMissed, nil
	}
	c, err := s.league(t.row.League)
	if s.cache.without(t.row.League, err) {
		return maxMissed, nil
	}
	if err != nil {
		return 0, err
	}
	return max(c.rules().Missed, 1), nil
}

// substitute is the first of the list of a game's league who can be asked to take a
// seat of it: none of those who were asked, have ever sat there, play for places in the
// same division, have as many games as the league lets them, or cannot be reached; 0:
// no one.
func (s *unit) substitute(t *table, asked []int64) (int64, error) {
	c, f, err := s.fixture(t)
	if s.cache.without(t.row.League, err) {
		return 0, nil
	}
	if f == nil || f.Void || err != nil || !c.rules().Substitutes || len(t.seats) < 2 {
		return 0, err
	}
	stints, err := s.tx.Tenures(append([]string{t.row.ID}, f.Earlier...))
	if err != nil {
		return 0, err
	}
	for _, id := range c.state.Substitutes() {
		sat := t.of(id) != nil || c.rival(f, id) || slices.Contains(asked, id)
		for _, of := range stints {
			sat = sat || slices.ContainsFunc(of, func(x game.Tenure) bool { return x.Player == id })
		}
		if sat {
			continue
		}
		if free, err := s.free(id, t.row.League, c.rules().AtOnce); free || err != nil {
			return id, err
		}
	}
	return 0, nil
}

// rival reports whether a player plays for places in the division of a fixture.
func (c *leagueUnit) rival(f *league.Fixture, player int64) bool {
	return slices.Contains(c.state.Seasons[f.Season-1].Divisions[f.Division-1].In(), player) || slices.Contains(f.Players, player)
}

// free reports whether a substitute can be reached, and may play one more game of a
// league in which one may play so many at once, 0 any number.
func (s *unit) free(player int64, league string, most int) (bool, error) {
	p := s.player(player)
	a := s.address(p.Address)
	if !a.Bounced.IsZero() {
		return false, nil
	}
	if none := s.wantsNone(p.Address); none || most == 0 {
		return !none, nil
	}
	games, err := s.tx.GamesOf(player, true)
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
func (t *table) cameNever(x *store.Seat) bool {
	return t.play.Turns[x.Seat] == 0 && !slices.ContainsFunc(t.play.Lines, func(l game.Line) bool { return l.Seat == x.Seat })
}

// stepsIn is the substitute with whom a game of a league begins anew where the
// player of a seat never came; 0: there is none, or the player was there.
func (s *unit) stepsIn(t *table, x *store.Seat) (int64, error) {
	if t.row.League == "" || t.row.Sealed || !t.cameNever(x) {
		return 0, nil
	}
	if yes, err := s.playsAgain(t); err != nil || !yes {
		if s.cache.without(t.row.League, err) {
			err = nil
		}
		return 0, err
	}
	return s.substitute(t, nil)
}

// noShow begins a game of a league anew with a substitute for a player who never
// came; false: there is none, or the player was there.
func (s *unit) noShow(t *table, x *store.Seat) (bool, error) {
	id, err := s.stepsIn(t, x)
	if err != nil || id == 0 {
		return false, err
	}
	p := s.player(id)
	r := &rule{s: s, t: t, end: true, done: notice.Ruling{At: s.now, Kind: order.RuleReplay, RulingArgs: notice.RulingArgs{Seat: x.Seat, Name: x.Name, Code: notice.RulingNoShow}}}
	s.breakOff(t, store.GameVoid)
	now, err := s.leagueAgain(t, r.done)
	if err != nil {
		return false, err
	}
	if !now {
		r.says(notice.TellNoShowLater, "name", x.Name)
		return true, r.settle()
	}
	next, err := s.again(t, func(seat int, y *store.Seat) {
		if seat == x.Seat {
			*y = store.Seat{Player: p.ID, Stage: store.SeatJoined, Name: p.Name}
		}
	})
	if err != nil {
		return false, err
	}
	heir := next.bySeat(engine.Seat(x.Seat))
	r.done.Game = next.row.ID
	r.told = func(y *store.Seat, d *draft) error {
		code := notice.TellNoShowAll
		if y == x {
			code = notice.TellNoShow
		}
		d.say(code, "name", x.Name, "heir", heir.Name, "game", next.row.ID)
		return nil
	}
	c, err := s.league(t.row.League)
	if err != nil {
		return false, err
	}
	d := s.draftFor(p.ID, next, notice.KindStart)
	d.say(notice.TellStepIn, "league", c.rules().Name, "name", x.Name)
	if err := s.leagueBegun(t, next); err != nil {
		return false, err
	}
	return true, r.settle()
}

// vacate sees to a seat of a game of a league whose player is gone.
func (s *unit) vacate(t *table, x *store.Seat) error {
	if t.row.League == "" {
		return nil
	}
	if yes, err := s.counts(t); err != nil || !yes { // it ends, or goes on as any game does
		return err
	}
	heir := x.Heir
	if err := s.seek(t, x, nil); err != nil {
		return err
	}
	switch x.Heir {
	case 0:
		return s.nobodyFree(t, x)
	case heir: // all know that an heir is asked
		return nil
	}
	s.tellAll(t, x.Player, func(_ *store.Seat, d *draft) { d.say(notice.TellSeatOpen, "name", x.Name) })
	return nil
}

// nobodyFree says that there is no substitute for a vacant seat.
func (s *unit) nobodyFree(t *table, x *store.Seat) error {
	if _, err := s.tellRulers(t, notice.TellSeatRuler, "name", x.Name, "game", t.row.ID); err != nil {
		return err
	}
	s.tellAll(t, x.Player, func(_ *store.Seat, d *draft) { d.say(notice.TellSeatNobody, "name", x.Name) })
	return nil
}

// seek asks the next substitute to take a vacant seat.
func (s *unit) seek(t *table, x *store.Seat, asked []int64) error {
	s.check(s.tx.ClearDue(store.DueSeat, t.row.ID, x.Place))
	if t.row.League == "" || !t.running() || !x.Vacant() {
		return nil
	}
	due := &store.Due{At: s.now.Add(askAgain), Kind: store.DueSeat, Game: t.row.ID, Place: x.Place, Ref: idsWritten(asked)}
	free, err := s.substitute(t, asked)
	if err != nil {
		return err
	}
	if free == 0 || x.Heir != 0 { // or the director has asked an heir
		s.check(s.tx.AddDue(due))
		return nil
	}
	p := s.player(free)
	c, err := s.league(t.row.League)
	if err != nil {
		return err
	}
	rest := t.rests(pace.NewCalendar(p.Settings))
	due.At, due.Ref = rest.AfterQuietHours(rest.After(s.now, min(max(t.pace().Turn/2, minAnswer), maxAnswer))), idsWritten(append(asked, p.ID))
	s.check(s.tx.AddDue(due))
	x.Heir = p.ID
	q := &store.Confirm{Kind: store.ConfirmSeat, Player: p.ID, Address: p.Address, Game: t.row.ID, Lines: strconv.Itoa(x.Place)}
	s.ask(p.Address, p.ID, t, q, notice.AskSeat, "name", x.Name, "names", strings.Join(t.names(), ", "), "league", c.rules().Name,
		"time", when(due.At, rest.Zone), "n", strconv.Itoa(t.play.State.Project(0).Round))
	return err
}

// seatDue is the end of a substitute's time to answer, or another try.
func (s *unit) seatDue(row store.Due) error {
	t, err := s.table(row.Game)
	if err != nil {
		return err
	}
	x := t.place(row.Place)
	if x == nil || !t.running() || !x.Vacant() {
		return nil
	}
	asked := askedOf(row.Ref)
	if n := len(asked); n > 0 && x.Heir == asked[n-1] {
		x.Heir = 0
		return s.seekOn(t, x, asked)
	}
	return s.seek(t, x, asked)
}

// seekOn asks the next when one has not taken the seat, and says so if there is
// none.
func (s *unit) seekOn(t *table, x *store.Seat, asked []int64) error {
	if err := s.seek(t, x, asked); err != nil || x.Heir != 0 || !t.running() || !x.Vacant() {
		return err
	}
	return s.nobodyFree(t, x)
}

// seekNext asks the next substitute when one has said no.
func (s *unit) seekNext(t *table, x *store.Seat) error {
	rows, err := s.tx.DuesOf(store.DueSeat, t.row.ID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.Place == x.Place {
			return s.seekOn(t, x, askedOf(row.Ref))
		}
	}
	return nil
}

// seatYes takes the seat that a substitute was asked to take. A late yes counts as long
// as no one plays the seat and no one else is asked.
func (s *unit) seatYes(w *writer, q store.Confirm) error {
	t, x := s.seatAsked(w, q)
	if x == nil || !t.running() || !x.Vacant() || x.Heir != 0 && x.Heir != w.ID {
		return s.seatGone(w, q)
	}
	if err := s.mayTake(t, w.ID); err != nil {
		if x.Heir != w.ID || notice.AsProblem(err) == nil {
			return err
		}
		x.Heir = 0
		return cmp.Or(s.seekNext(t, x), err)
	}
	name, _, err := s.comesAs(t, x, w.Player, order.Word{Kind: order.Join}, s.cmd.Name)
	if err != nil { // not of a name: the letter gives none
		return err
	}
	w.seat, w.answer.table, w.answer.place = x, t, x.Place
	s.takeOver(w, t, x, name)
	return nil
}

// seatAsked is the seat that a question is about.
func (s *unit) seatAsked(w *writer, q store.Confirm) (*table, *store.Seat) {
	place, err := strconv.Atoi(q.Lines)
	if w.table == nil || err != nil {
		return nil, nil
	}
	return w.table, w.table.place(place)
}

// mayTake is why a substitute cannot have a vacant seat, though they were asked: they
// play at its table or in its division by now.
func (s *unit) mayTake(t *table, player int64) error {
	c, f, err := s.fixture(t)
	if s.cache.without(t.row.League, err) {
		return nil
	}
	if c == nil || err != nil {
		return err
	}
	if f != nil && c.rival(f, player) || slices.ContainsFunc(t.seats, func(y store.Seat) bool { return y.Player == player }) {
		return c.problem(notice.ProblemSeatRival)
	}
	return nil
}

// seatGone is why a substitute cannot have a seat any more that they were offered.
func (s *unit) seatGone(w *writer, q store.Confirm) error {
	t, x := s.seatAsked(w, q)
	if x == nil || !t.running() {
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

// seatNo leaves it to the next.
func (s *unit) seatNo(w *writer, _ store.Confirm) error {
	if w.table == nil || w.seat == nil || w.seat.Heir != w.ID {
		return nil
	}
	w.seat.Heir = 0
	return s.seekNext(w.table, w.seat)
}

// idsWritten are the players who were asked, as a due row keeps them.
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
