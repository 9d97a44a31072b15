package match

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/pace"
	"angelpost/engine/store"
)

// In a game with a clock (Pace) every player to move has a deadline. Their own turn has
// the pace's time and what is left of their bank, whatever else they decide in it; a
// decision out of turn has a shorter time and no bank. When a deadline passes, all
// players hear of it, and of what comes next: after the grace a bot plays that one
// turn, with an empty bank, and after maxMissed of these in a row, or as many as its
// league says, it keeps the seat, until its player writes `back` or a substitute is
// found (substitute.go). A player who moves again resets the count.

// maxMissed is how many turns in a row a bot plays for a player before it keeps their
// seat.
const maxMissed = 3

// pace is the game's clock.
func (t *table) pace() pace.Control {
	if t.row.Options.Clock == "" {
		return pace.Control{}
	}
	p, err := pace.Parse(t.row.Options.Clock)
	if err != nil { // it was printed by a Pace
		return pace.Control{}
	}
	return p
}

// A pendingDecision is what the game waits for a seat to do with one deadline.
type pendingDecision struct {
	waits, own bool // its own turn
	turn       int  // turns completed
}

func pendingDecisionOf(p *game.Replay, seat engine.Seat) pendingDecision {
	if p == nil || !p.Waits(seat) {
		return pendingDecision{}
	}
	return pendingDecision{true, p.OnTurn() == seat, p.Turns[seat]}
}

// tick lets a seat's clock go on, stop or begin anew.
func (s *unit) tick(t *table, x *store.Seat, p pace.Control) error {
	if t.fresh {
		x.Bank = p.Bank
	}
	if t.moved[x.Place] {
		x.Missed = 0
	}
	was, is := t.pending[x.Place], pendingDecision{}
	if t.running() && !x.Unplayed() {
		is = pendingDecisionOf(t.play, engine.Seat(x.Seat))
	}
	paused := !t.row.Paused.IsZero()
	if was == is && (paused || x.Deadline.IsZero() != is.waits) {
		return nil
	}
	t.pending[x.Place] = is
	rest := s.restAt(t, x)
	left := x.Left // of a game that is paused
	if !x.Deadline.IsZero() {
		left = rest.Between(s.now, x.Deadline)
	}
	if was.own && (left > 0 || !x.Deadline.IsZero()) {
		x.Bank = p.BankAfter(x.Bank, left)
	}
	x.Left = 0
	if !is.waits || paused {
		s.unschedule(x)
		return nil
	}
	return s.schedule(x, p, rest, allotted(p, is, x.Bank))
}

// allotted is the time for a decision.
func allotted(p pace.Control, is pendingDecision, bank time.Duration) time.Duration {
	if is.own {
		return p.Turn + bank
	}
	return p.OutOfTurn()
}

// restAt is the calendar of a seat's player.
func (s *unit) restAt(t *table, x *store.Seat) pace.Calendar {
	if x.Player == 0 {
		return pace.Calendar{Zone: time.UTC}
	}
	p := s.player(x.Player)
	return t.rests(pace.NewCalendar(p.Settings))
}

// rests returns a player's rest as far as the game allows it.
func (t *table) rests(r pace.Calendar) pace.Calendar {
	if t.row.Options.Present {
		r.Away = nil
	}
	return r
}

// unschedule stops a seat's clock.
func (s *unit) unschedule(x *store.Seat) {
	x.Deadline = time.Time{}
	for _, kind := range []string{store.DueRemind, store.DueLate, store.DueMissed} {
		s.check(s.tx.ClearDue(kind, x.Game, x.Place))
	}
}

// schedule gives a seat so much time from now on.
func (s *unit) schedule(x *store.Seat, p pace.Control, r pace.Calendar, left time.Duration) error {
	return s.scheduleAt(x, p, r, left, r.AfterQuietHours(r.After(s.now, left)))
}

// scheduleAt gives a seat time up to a deadline, so much of it its player's.
func (s *unit) scheduleAt(x *store.Seat, p pace.Control, r pace.Calendar, left time.Duration, deadline time.Time) error {
	s.unschedule(x)
	x.Deadline = deadline
	add := func(kind string, at time.Time) error {
		s.check(s.tx.AddDue(&store.Due{At: at, Kind: kind, Game: x.Game, Place: x.Place}))
		return nil
	}
	last := s.now
	for _, before := range pace.Reminders(left, r.Reminders) {
		at := r.After(s.now, left-before)
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

// reschedule moves the deadlines of a player whose rest has changed, so that they have
// as much time left as before. Without move only the reminders change: a setting that
// can be changed at will gives no one time.
func (s *unit) reschedule(p *store.Player, old pace.Calendar, move bool) error {
	rows, err := s.tx.GamesOf(p.ID, true)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.Options.Clock == "" || row.State != store.GameRunning {
			continue
		}
		t, err := s.table(row.ID)
		if err != nil && !errors.Is(err, ErrUnreadable) {
			return err
		}
		x := t.of(p.ID)
		if x == nil || x.Player != p.ID || !x.Deadline.After(s.now) {
			continue
		}
		r, at := t.rests(pace.NewCalendar(p.Settings)), x.Deadline
		left := t.rests(old).Between(s.now, at)
		if move {
			at = r.After(s.now, left) // it has seen to quiet hours when it was set
		}
		if err := s.scheduleAt(x, t.pace(), r, left, at); err != nil {
			return err
		}
	}
	return nil
}

// past reports whether a deadline is over: what fell due with others may be about
// one that was met, or moved, while they were seen to.
func (s *unit) past(deadline time.Time) bool {
	return !deadline.IsZero() && deadline.Before(s.now.Add(time.Second)) // now is without its fraction
}

// late is the end of a seat's time; its grace begins.
func (s *unit) late(row store.Due) error {
	t, err := s.table(row.Game)
	if err != nil {
		return err
	}
	x := t.place(row.Place)
	if x == nil || x.Unplayed() || !s.past(x.Deadline) {
		return nil
	}
	rest := s.restAt(t, x)
	then, err := s.afterGrace(t, x)
	if err != nil {
		return err
	}
	until := rest.After(x.Deadline, t.pace().Grace)
	d := s.draftFor(x.Player, t, notice.KindTurn)
	d.since, d.again = x.Seen, true
	s.sayTime(d, notice.TellLate, until, then...)
	s.tellAllTime(t, x.Player, notice.TellLateAll, until, append(then, "name", x.Name)...)
	return nil
}

// afterGrace says for letters what comes when a seat's grace is over, as things stand;
// nothing: a bot plays one turn.
func (s *unit) afterGrace(t *table, x *store.Seat) (args []string, err error) {
	if id, err := s.subs.stepsIn(s, t, x); err != nil || id != 0 {
		return []string{"then", "anew"}, err
	}
	if most, err := s.maxMissedIn(t); err != nil || x.Missed+1 >= most {
		return []string{"then", "keeps"}, err
	}
	return nil, nil
}

// missed lets a bot play what a player did not, and keep the seat if that was
// once too often.
func (s *unit) missed(row store.Due) error {
	t, err := s.table(row.Game)
	if err != nil {
		return err
	}
	x := t.place(row.Place)
	if x == nil || x.Unplayed() || !t.running() || !s.past(x.Deadline) || !s.past(x.Deadline.Add(t.pace().Grace)) {
		return nil
	}
	if wait, err := s.mayBeDone(x, row); wait || err != nil {
		return err
	}
	if begun, err := s.subs.noShow(s, t, x); begun || err != nil {
		return err
	}
	most, err := s.maxMissedIn(t)
	if err != nil {
		return err
	}
	x.Missed++
	x.Bank, x.Deadline = 0, time.Time{} // what a bot plays fills no bank
	you, all := notice.TellMissed, notice.TellMissedAll
	args := []string{"name", x.Name, "n", strconv.Itoa(x.Missed), "of", strconv.Itoa(most)}
	// Their letter and the news to all come before the bot plays: they go on with what
	// it does.
	if x.Missed >= most {
		you, all = notice.TellAbsent, notice.TellAbsentAll
	}
	d := s.draftFor(x.Player, t, notice.KindInfo)
	d.since, d.asked = x.Seen, true // muted or not: their seat is at stake
	d.say(you, args...)
	s.tellAll(t, x.Player, func(_ *store.Seat, d *draft) { d.say(all, args...) })
	if x.Missed < most {
		t.waited[x.Place] = false // if it waits for them again, that is another turn
		return s.standIn(t, engine.Seat(x.Seat))
	}
	if t.row.League == "" && t.row.Organiser != x.Player {
		s.tellOrganiser(t, x.Player, notice.TellAbsentHelp, "name", x.Name)
	}
	x.Bot, x.Stage = store.ResignBot, store.SeatAbsent
	s.nowPlays(t, x, game.ByClock, game.TenureAbsent)
	return s.subs.vacated(s, t, x)
}

// mayBeDone puts off the end of a grace while a letter of the player's waits for
// bots to think: it may have come in time.
func (s *unit) mayBeDone(x *store.Seat, row store.Due) (wait bool, err error) {
	p := s.player(x.Player)
	if !s.waits(p.Address) {
		return false, nil
	}
	row.At = s.now.Add(time.Minute)
	s.check(s.tx.AddDue(&row))
	return true, nil
}

// standIn lets the usual bot do what the game waits for from a seat.
func (s *unit) standIn(t *table, seat engine.Seat) error {
	known, err := bot.New(store.ResignBot, s.commitment(t))
	if err != nil {
		return err
	}
	b := &bots{play: t.play, log: s.Log, game: t.row.ID}
	b.seats[seat], b.names[seat] = known, store.ResignBot
	for was, n := pendingDecisionOf(t.play, seat), 0; pendingDecisionOf(t.play, seat) == was && n < botSteps; n++ {
		if err := b.do(b.choose(seat)); err != nil {
			return err
		}
	}
	return nil
}

// back returns to a player the seat that a bot kept for them.
func (s *unit) back(c *call) error {
	w, t := c.w, c.w.table
	switch {
	case t == nil:
		return notice.Refuse(notice.ProblemNoGame)
	case w.seat == nil || w.seat.Player != w.ID || w.seat.Stage != store.SeatAbsent || !t.running():
		return s.backNot(w)
	}
	x := w.seat
	if x.Heir != 0 { // the heir is no longer needed
		d := s.draftFor(x.Heir, t, notice.KindInfo)
		d.say(notice.TellBack, "name", x.Name)
	}
	x.Bot, x.Stage, x.Heir, x.Missed = "", store.SeatJoined, 0, 0
	for _, kind := range []string{store.DueExpire, store.DueSeat} { // of offers to others
		s.check(s.tx.ClearDue(kind, t.row.ID, x.Place))
	}
	s.nowPlays(t, x, game.ByPlayer, game.TenureBack)
	c.done()
	w.answer.say(notice.SayBack)
	w.answer.since, w.answer.whole = x.Seen, true
	s.tellAll(t, w.ID, func(_ *store.Seat, d *draft) { d.say(notice.TellBack, "name", x.Name) })
	return nil
}

// backNot is why a player cannot come back to a seat.
func (s *unit) backNot(w *writer) error {
	t, x := w.table, w.seat
	if x == nil { // another's by now
		stints, err := s.tx.Tenures([]string{t.row.ID})
		if err != nil {
			return err
		}
		for _, n := range slices.Backward(stints[t.row.ID]) {
			if n.Player == w.ID {
				x = t.place(n.Place)
				break
			}
		}
	}
	p := &notice.Problem{}
	switch {
	case t.row.State == store.GameVoid:
		p.Code = notice.ProblemVoid
	case t.row.State == store.GameFinished, t.row.State == store.GameAdjudicated:
		p.Code = notice.ProblemOver
	case t.row.State == store.GameInvited:
		p.Code, p.Args = notice.ProblemUnbegun, map[string]string{"names": t.waitingFor()}
	case !t.running():
		p.Code = notice.ProblemOff
	case x == nil:
		p.Code, p.Args = notice.ProblemNotNow, map[string]string{"word": order.Back.String()}
	case x.Player == w.ID && x.Stage == store.SeatResigned:
		p.Code = notice.ProblemResigned
	case x.Player == w.ID && x.Bot == "":
		p.Code = notice.ProblemSeatYours
	case x.Bot != "":
		p.Code, p.Args = notice.ProblemSeatBot, map[string]string{"name": x.Name}
	default:
		p.Code, p.Args = notice.ProblemSeatTaken, map[string]string{"name": x.Name}
	}
	return p
}

// zoneOf is the zone in which a player is told times.
func (s *unit) zoneOf(player int64) *time.Location {
	p := s.player(player)
	if zone, err := time.LoadLocation(p.Zone); err == nil {
		return zone
	}
	return time.UTC
}

// when is a time as letters say it.
func when(at time.Time, zone *time.Location) string {
	return at.In(zone).Format("2006-01-02 15:04 MST")
}

// sayTime is say with a time in the reader's zone.
func (s *unit) sayTime(d *draft, code string, at time.Time, args ...string) {
	zone := s.zoneOf(d.player)
	d.say(code, append([]string{"time", when(at, zone)}, args...)...)
}

// tellAllTime is tellAll with a time in each reader's zone.
func (s *unit) tellAllTime(t *table, but int64, code string, at time.Time, args ...string) {
	s.tellAll(t, but, func(_ *store.Seat, d *draft) { s.sayTime(d, code, at, args...) })
}

// deadlineMoved tells a player that their deadline was moved.
func (s *unit) deadlineMoved(row store.Due) error {
	t, err := s.table(row.Game)
	if errors.Is(err, ErrUnreadable) {
		return nil
	}
	if err != nil {
		return err
	}
	x := t.place(row.Place)
	if x == nil || x.Deadline.IsZero() || x.Unplayed() {
		return nil
	}
	d := s.draftFor(x.Player, t, notice.KindInfo)
	s.sayTime(d, notice.TellClockMoved, x.Deadline)
	return nil
}

// sayDeadlines writes into a letter to a player who must move by when.
func (s *unit) sayDeadlines(t *table, d *draft, r *notice.Message) {
	if t.row.Options.Clock == "" {
		return
	}
	zone := s.zoneOf(d.player)
	r.Answer.Paused = t.running() && !t.row.Paused.IsZero()
	for _, x := range t.seats {
		if x.Deadline.IsZero() || !t.running() {
			continue
		}
		one := notice.Deadline{Seat: x.Seat, Time: when(x.Deadline, zone), Left: int64(x.Deadline.Sub(s.now) / time.Second), Late: !x.Deadline.After(s.now)}
		if pendingDecisionOf(t.play, engine.Seat(x.Seat)).own {
			one.Bank = int64(x.Bank / time.Second)
		}
		r.Answer.Deadlines = append(r.Answer.Deadlines, one)
	}
}
