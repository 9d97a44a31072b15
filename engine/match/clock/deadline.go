// Package clock keeps the time in games: deadlines, grace and what follows a missed turn,
// reminders, pauses, vacations and quiet hours (engine/pace has the arithmetic). Server
// downtime does not count against anyone.
package clock

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/game"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/pace"
	"angelpost/engine/store"
)

// In a game with a clock (pace.Control) every player to move has a deadline. In their own turn
// they have the pace's time and what is left of their bank, whatever else they decide in it;
// for a decision out of turn they have a shorter time and no bank. When a deadline passes, we
// tell all players, and what comes next: after the grace a bot plays that one turn, and the
// bank is then empty. After three of these in a row, or as many as its league says, the bot
// keeps the seat until the player writes `back` or a substitute is found
// (compete/substitute.go). A player who moves again resets the count.

// tick starts, stops or resets a seat's clock after a letter, as the seat's pending decision
// asks.
func tick(u *unit.Unit, t *unit.Game, x *store.Seat, p pace.Control) error {
	if t.Fresh {
		x.Bank = p.Bank
	}
	if t.Moved[x.Place] {
		x.Missed = 0
	}
	was, is := t.Pending[x.Place], unit.PendingDecision{}
	if t.Running() && !x.Unplayed() {
		is = unit.PendingDecisionOf(t.Replay, engine.Seat(x.Seat))
	}
	paused := !t.Row.Paused.IsZero()
	if was == is && (paused || x.Deadline.IsZero() != is.Waits) {
		return nil
	}
	t.Pending[x.Place] = is
	rest := u.RestAt(t, x)
	left := x.Left // of a game that is paused
	if !x.Deadline.IsZero() {
		left = rest.Between(u.At, x.Deadline)
	}
	if was.Own && (left > 0 || !x.Deadline.IsZero()) {
		x.Bank = p.BankAfter(x.Bank, left)
	}
	x.Left = 0
	if !is.Waits || paused {
		u.Unschedule(x)
		return nil
	}
	if err := schedule(u, x, p, rest, allotted(p, is, x.Bank)); err != nil {
		return err
	}
	if by := heldFor(u, x.Player); by > 0 {
		shift(u, x, by)
	}
	return nil
}

// allotted is the time for a decision.
func allotted(p pace.Control, is unit.PendingDecision, bank time.Duration) time.Duration {
	if is.Own {
		return p.Turn + bank
	}
	return p.OutOfTurn()
}

// schedule gives a seat time left, from now on.
func schedule(u *unit.Unit, x *store.Seat, p pace.Control, r pace.Calendar, left time.Duration) error {
	return scheduleAt(u, x, p, r, left, r.AfterQuietHours(r.After(u.At, left)))
}

// scheduleAt sets a seat's deadline, with its reminders and what happens after it. left is how
// much time the player has until then; the reminders depend on it.
func scheduleAt(u *unit.Unit, x *store.Seat, p pace.Control, r pace.Calendar, left time.Duration, deadline time.Time) error {
	u.Unschedule(x)
	x.Deadline = deadline
	add := func(kind string, at time.Time) error {
		u.Check(u.Tx.AddDue(&store.Due{At: at, Kind: kind, Game: x.Game, Place: x.Place}))
		return nil
	}
	last := u.At
	for _, before := range pace.Reminders(left, r.Reminders) {
		at := r.After(u.At, left-before)
		if late := r.AfterQuietHours(at); late.Before(x.Deadline) {
			at = late
		} else { // it would be too late: before quiet hours
			at = r.BeforeQuietHours(at)
		}
		if at.Before(x.Deadline) && at.After(last) {
			if err := add(store.DueRemind, at); err != nil {
				return err
			}
			last = at
		}
	}
	if p.Grace > 0 {
		if err := add(store.DueLate, x.Deadline); err != nil {
			return err
		}
	}
	return add(store.DueMissed, r.After(x.Deadline, p.Grace))
}

// reschedule moves the deadlines of a player whose time off has changed, so that they have as
// much time left as before. Without move it changes only the reminders: a setting that players
// can change at any time must give no one time.
func reschedule(u *unit.Unit, p *store.Player, old pace.Calendar, move bool) error {
	rows, err := u.Tx.GamesOf(p.ID, true)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.Options.Clock == "" || row.State != store.GameRunning {
			continue
		}
		t, err := u.Game(row.ID)
		if err != nil && !errors.Is(err, replays.ErrUnreadable) {
			return err
		}
		x := t.Of(p.ID)
		if x == nil || x.Player != p.ID || !x.Deadline.After(u.At) {
			continue
		}
		r, at := t.Rests(pace.NewCalendar(p.Settings)), x.Deadline
		left := t.Rests(old).Between(u.At, at)
		if move {
			at = r.After(u.At, left) // it has seen to quiet hours when it was set
		}
		if err := scheduleAt(u, x, t.Pace(), r, left, at); err != nil {
			return err
		}
	}
	return nil
}

// Late handles the end of a seat's time; its grace begins.
func Late(u *unit.Unit, row store.Due) error {
	t, err := u.Game(row.Game)
	if err != nil {
		return err
	}
	x := t.Place(row.Place)
	if x == nil || x.Unplayed() || !u.Past(x.Deadline) {
		return nil
	}
	then, err := afterGrace(u, t, x)
	if err != nil {
		return err
	}
	d := u.DraftFor(x.Player, t, notice.KindTurn)
	d.Since, d.Again = x.Seen, true
	if err := SayLate(u, t, x, d); err != nil {
		return err
	}
	until := u.RestAt(t, x).After(x.Deadline, t.Pace().Grace)
	u.TellAllTime(t, x.Player, notice.TellLateAll, until, append(then, "name", x.Name)...)
	return nil
}

// SayLate adds to a letter that the player's time is over.
func SayLate(u *unit.Unit, t *unit.Game, x *store.Seat, d *unit.Draft) error {
	then, err := afterGrace(u, t, x)
	if err != nil {
		return err
	}
	u.SayTime(d, notice.TellLate, u.RestAt(t, x).After(x.Deadline, t.Pace().Grace), then...)
	return nil
}

// afterGrace returns, as arguments for letters, what happens when a seat's grace is over. None:
// a bot plays one turn.
func afterGrace(u *unit.Unit, t *unit.Game, x *store.Seat) (args []string, err error) {
	if id, err := u.Substitutes.StepsIn(u, t, x); err != nil || id != 0 {
		return []string{"then", "anew"}, err
	}
	if most, err := leagues.MaxMissedIn(u, t); err != nil || x.Missed+1 >= most {
		return []string{"then", "keeps"}, err
	}
	return nil, nil
}

// Missed lets a bot play a missed turn, and keep the seat if the player has missed too many.
func Missed(u *unit.Unit, row store.Due) error {
	t, err := u.Game(row.Game)
	if err != nil {
		return err
	}
	x := t.Place(row.Place)
	if x == nil || x.Unplayed() || !t.Running() || !u.Past(x.Deadline) || !u.Past(x.Deadline.Add(t.Pace().Grace)) {
		return nil
	}
	if wait, err := mayBeDone(u, x, row); wait || err != nil {
		return err
	}
	if begun, err := u.Substitutes.NoShow(u, t, x); begun || err != nil {
		return err
	}
	most, err := leagues.MaxMissedIn(u, t)
	if err != nil {
		return err
	}
	u.Check(u.Tx.SaveStoodIn(store.StoodIn{Game: t.Row.ID, Place: x.Place, Turn: t.Replay.Turns[x.Seat], Until: u.RestAt(t, x).After(x.Deadline, t.Pace().Grace), Step: t.Replay.Step()}))
	x.Missed++
	x.Bank, x.Deadline = 0, time.Time{} // what a bot plays fills no bank
	you, all := notice.TellMissed, notice.TellMissedAll
	args := []string{"name", x.Name, "n", strconv.Itoa(x.Missed), "of", strconv.Itoa(most)}
	// Their letter and the news to all come before the bot plays: they go on with what
	// it does.
	if x.Missed >= most {
		you, all = notice.TellAbsent, notice.TellAbsentAll
	}
	d := u.DraftFor(x.Player, t, notice.KindInfo)
	d.Since, d.Asked = x.Seen, true // muted or not: their seat is at stake
	d.Say(you, args...)
	u.TellAll(t, x.Player, func(_ *store.Seat, d *unit.Draft) { d.Say(all, args...) })
	if x.Missed < most {
		t.Waited[x.Place] = false // if it waits for them again, that is another turn
		return standIn(u, t, engine.Seat(x.Seat))
	}
	x.Bot, x.Stage = store.ResignBot, store.SeatAbsent
	turns.NowPlays(u, t, x, game.ByClock, game.TenureAbsent)
	t.Vacated = append(t.Vacated, x.Place)
	return nil
}

// mayBeDone puts off the end of a grace while a letter of the player's waits for
// bots to think: it may have come in time.
func mayBeDone(u *unit.Unit, x *store.Seat, row store.Due) (wait bool, err error) {
	p := u.Player(x.Player)
	if !u.Waits(p.Address) {
		return false, nil
	}
	row.At = u.At.Add(time.Minute)
	u.Check(u.Tx.AddDue(&row))
	return true, nil
}

// standIn lets the default bot decide for a seat.
func standIn(u *unit.Unit, t *unit.Game, seat engine.Seat) error {
	known, err := bot.New(store.ResignBot, u.Commitment(t))
	if err != nil {
		return err
	}
	b := &turns.Bots{Play: t.Replay, Log: u.Log, Game: t.Row.ID}
	b.Seats[seat], b.Names[seat] = known, store.ResignBot
	for was, n := unit.PendingDecisionOf(t.Replay, seat), 0; unit.PendingDecisionOf(t.Replay, seat) == was && n < turns.BotSteps; n++ {
		if err := b.Do(b.Choose(seat)); err != nil {
			return err
		}
	}
	return nil
}

// Back returns to a player the seat that a bot kept for them, unless a director took it from them.
func Back(u *unit.Unit, c *unit.Call) error {
	w, t := c.Sender, c.Sender.Game
	switch {
	case t == nil:
		return notice.Refuse(notice.ProblemNoGame)
	case w.Seat == nil || w.Seat.Player != w.ID || w.Seat.Stage != store.SeatAbsent && w.Seat.Stage != store.SeatResigned || !t.Running() || t.Emptied(w.Seat, game.ByDirector):
		return backNot(u, w)
	}
	x := w.Seat
	Regain(u, t, x)
	c.Done()
	w.Answer.Say(notice.SayBack)
	w.Answer.Since, w.Answer.Whole, w.Answer.Answer.Board = x.Seen, true, true
	u.TellAll(t, w.ID, func(_ *store.Seat, d *unit.Draft) { d.Say(notice.TellBack, "name", x.Name) })
	return nil
}

// Regain gives a seat that a bot kept to its player again.
func Regain(u *unit.Unit, t *unit.Game, x *store.Seat) {
	if x.Heir != 0 { // the heir is no longer needed
		d := u.DraftFor(x.Heir, t, notice.KindInfo)
		d.Say(notice.TellBack, "name", x.Name)
	}
	x.Bot, x.Stage, x.Heir, x.Missed = "", store.SeatJoined, 0, 0
	for _, kind := range []string{store.DueExpire, store.DueSeat} { // of offers to others
		u.Check(u.Tx.ClearDue(kind, t.Row.ID, x.Place))
	}
	turns.NowPlays(u, t, x, game.ByPlayer, game.TenureBack)
}

// backNot returns why a player cannot come back to a seat.
func backNot(u *unit.Unit, w *unit.Sender) error {
	t, x := w.Game, w.Seat
	if x == nil { // another's by now
		tenures, err := u.Tx.Tenures([]string{t.Row.ID})
		if err != nil {
			return err
		}
		for _, n := range slices.Backward(tenures[t.Row.ID]) {
			if n.Player == w.ID {
				x = t.Place(n.Place)
				break
			}
		}
	}
	p := &notice.Problem{}
	switch {
	case t.Row.State == store.GameVoid:
		p.Code = notice.ProblemVoid
	case t.Row.State == store.GameFinished, t.Row.State == store.GameAdjudicated:
		p.Code = notice.ProblemOver
	case t.Row.State == store.GameInvited:
		p.Code, p.Args = notice.ProblemUnbegun, map[string]string{"names": t.WaitingFor()}
	case !t.Running():
		p.Code = notice.ProblemOff
	case x == nil:
		p.Code, p.Args = notice.ProblemNotNow, map[string]string{"word": order.Back.String()}
	case x.Player == w.ID && x.Bot == "":
		p.Code = notice.ProblemSeatYours
	case x.Bot != "":
		p.Code, p.Args = notice.ProblemSeatBot, map[string]string{"name": x.Name}
	default:
		p.Code, p.Args = notice.ProblemSeatTaken, map[string]string{"name": x.Name}
	}
	return p
}

// DeadlineMoved tells players that their deadline was moved.
func DeadlineMoved(u *unit.Unit, row store.Due) error {
	t, err := u.Game(row.Game)
	if errors.Is(err, replays.ErrUnreadable) {
		return nil
	}
	if err != nil {
		return err
	}
	x := t.Place(row.Place)
	if x == nil || x.Deadline.IsZero() || x.Unplayed() {
		return nil
	}
	d := u.DraftFor(x.Player, t, notice.KindInfo)
	u.SayTime(d, notice.TellClockMoved, x.Deadline)
	return nil
}

// Revise updates the revision times of the deadlines in a game that this transaction has
// changed.
func Revise(u *unit.Unit, t *unit.Game) {
	for i := range t.Seats {
		x, was := &t.Seats[i], t.Stored[i]
		if x.Deadline.Equal(was.Deadline) {
			continue
		}
		if x.Revised = was.Revised.Add(time.Second); x.Revised.Before(u.At) {
			x.Revised = u.At
		}
	}
}

// SayEvent sets the calendar event in a letter, or updates it. An answer that does not change
// the reader's deadline leaves the event alone.
func SayEvent(t *unit.Game, d *unit.Draft, r *notice.Message) {
	for i := range t.Seats {
		x, was := &t.Seats[i], &t.Stored[i]
		changes := r.Answer.Event != nil || !x.Revised.Equal(was.Revised)
		switch {
		case d.Player == 0:
		case x.Player == d.Player && !x.Deadline.IsZero():
			if changes || r.Kind != notice.KindAnswer {
				r.Answer.Event = &notice.Event{Seat: x.Seat, At: x.Deadline.Unix(), Revised: x.Revised.Unix()}
			}
		case was.Player == d.Player && changes:
			r.Answer.Event = &notice.Event{Seat: was.Seat, Revised: x.Revised.Unix()}
		}
	}
}

// SayDeadlines adds to a letter the deadlines of the players to move.
func SayDeadlines(u *unit.Unit, t *unit.Game, d *unit.Draft, r *notice.Message) {
	if t.Row.Options.Clock == "" {
		return
	}
	zone := u.ZoneOf(d.Player)
	r.Answer.Paused = t.Running() && !t.Row.Paused.IsZero()
	for _, x := range t.Seats {
		if x.Deadline.IsZero() || !t.Running() {
			continue
		}
		one := notice.Deadline{Seat: x.Seat, Time: unit.When(x.Deadline, zone), Left: int64(x.Deadline.Sub(u.At) / time.Second), Late: !x.Deadline.After(u.At)}
		if unit.PendingDecisionOf(t.Replay, engine.Seat(x.Seat)).Own {
			one.Bank = int64(x.Bank / time.Second)
		}
		r.Answer.Deadlines = append(r.Answer.Deadlines, one)
	}
}
