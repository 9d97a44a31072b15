package match

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/incoming"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// clock sets and clears what falls due in a game under way. Without a clock
// that is a reminder, RemindAfter the game began to wait for a player.
func (s *unit) clock(t *table) error {
	pace := t.pace()
	for i := range t.seats {
		x := &t.seats[i]
		if x.Seat == 0 {
			continue
		}
		if pace.Turn > 0 {
			if err := s.tick(t, x, pace); err != nil {
				return err
			}
			continue
		}
		waits := t.running() && !x.Unplayed() && t.play.Waits(engine.Seat(x.Seat))
		was := t.waited[x.Place]
		if was && (!waits || t.moved[x.Place]) {
			s.check(s.tx.ClearDue(store.DueRemind, t.row.ID, x.Place))
		}
		if waits && (!was || t.moved[x.Place]) {
			due := &store.Due{At: s.now.Add(s.RemindAfter), Kind: store.DueRemind, Game: t.row.ID, Place: x.Place, Step: t.play.Step()}
			s.check(s.tx.AddDue(due))
		}
	}
	return nil
}

// finishGame keeps the result of a game that is over.
func (s *unit) finishGame(t *table) error {
	o := t.play.Outcome(t.names())
	var err error
	if o.Parts, err = s.parts(t); err != nil {
		return err
	}
	result, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("result: %w", err)
	}
	t.row.State, t.row.Ended, t.row.Result = store.GameFinished, s.now, string(result)
	return nil
}

// NextDue is when Due has something to do; zero if nothing waits.
func (d *Desk) NextDue(ctx context.Context) (next time.Time, err error) {
	err = d.Store.View(ctx, func(tx store.Tx) error {
		next, err = tx.NextDue()
		return err
	})
	return next, err
}

// Due does what has fallen due, each in a transaction of its own, and tells
// how many there were. What fails is put off by an hour and does not hold up
// the rest.
func (d *Desk) Due(ctx context.Context) (n int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var rows []store.Due
	if err := d.Store.View(ctx, func(tx store.Tx) error {
		var err error
		rows, err = tx.DueBefore(d.Now(), 1000)
		return err
	}); err != nil {
		return 0, fmt.Errorf("what is due: %w", err)
	}
	var failed []error
	for _, row := range rows {
		var u *unit
		err := d.update(ctx, func(s *unit) error {
			u = s
			s.check(s.tx.DropDue(row.ID))
			do, ok := dues[row.Kind]
			if !ok {
				return fmt.Errorf("kind %q", row.Kind)
			}
			if err := do(s, row); err != nil {
				return err
			}
			return s.close()
		})
		if bad := unreadableIn(err); bad != nil {
			failed = append(failed, d.putOffUnread(ctx, row, bad))
			continue
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("due %s of game %q: %w", row.Kind, row.Game, err))
			failed = append(failed, d.Store.Update(ctx, func(tx store.Tx) error {
				if err := tx.DropDue(row.ID); err != nil {
					return err
				}
				row.At = d.Now().Add(time.Hour)
				return tx.AddDue(&row)
			}))
			continue
		}
		d.regained = append(d.regained, u.regained...)
		n++
	}
	return n, errors.Join(failed...)
}

// dues has what is done when a row of each kind falls due.
var dues = map[string]func(*unit, store.Due) error{
	store.DueRemind:  (*unit).remindDue,
	store.DueLate:    (*unit).late,
	store.DueMissed:  (*unit).missed,
	store.DueExpire:  (*unit).expire,
	store.DueCollect: (*unit).collected,
	store.DueConfirm: (*unit).lapse,
	store.DueSeat:    (*unit).seatDue,
	store.DuePlace:   (*unit).placeDue,
	store.DueLeague:  (*unit).leagueDue,
	store.DueUnread:  (*unit).unreadDue,
}

// remindDue reminds a player who has been silent.
func (s *unit) remindDue(row store.Due) error {
	t, err := s.table(row.Game)
	if err != nil {
		return err
	}
	x := t.place(row.Place)
	if x == nil || !t.running() || x.Unplayed() || !t.play.Waits(engine.Seat(x.Seat)) {
		return nil
	}
	if row.Ref == givenUp {
		s.giveUp(t, x)
		return nil
	}
	lost := time.Time{} // when the game is, if nothing comes
	if t.row.Visibility == store.Listed && x.Deadline.IsZero() && t.alone() {
		lost = s.now.Add(maxIdle)
		s.check(s.tx.AddDue(&store.Due{At: lost, Kind: store.DueRemind, Game: t.row.ID, Place: x.Place, Ref: givenUp}))
	}
	if x.MutedBy(x.Player) {
		return nil
	}
	d := s.draftFor(x.Player, t, notice.KindTurn)
	d.since, d.again = x.Seen, true
	if !x.Deadline.IsZero() {
		zone := s.zoneOf(x.Player)
		rest := s.restAt(t, x)
		then, err := s.afterGrace(t, x)
		if err != nil {
			return err
		}
		s.sayTime(d, notice.TellRunsOut, x.Deadline, append(then, "next", when(rest.After(x.Deadline, t.pace().Grace), zone))...)
		return nil
	}
	args := []string{"days", strconv.Itoa(int(s.RemindAfter / (24 * time.Hour)))}
	if !lost.IsZero() {
		args = append(args, "then", "lost", "date", lost.Format(time.DateOnly))
	}
	d.say(notice.TellReminder, args...)
	return nil
}

// A listed game of one player and bots waits for that player so long after the
// reminder, if it has no clock; then it counts as resigned. Otherwise no one would ever
// lose one.
const (
	maxIdle = 60 * 24 * time.Hour
	givenUp = "given-up" // DueRow.Ref
)

func (s *unit) giveUp(t *table, x *store.Seat) {
	if t.row.Visibility != store.Listed || !t.alone() { // by now
		return
	}
	d := s.draftFor(x.Player, t, notice.KindInfo)
	d.asked = true // muted or not: their rating is at stake
	d.say(notice.TellGivenUp)
	x.Bot, x.Stage = store.ResignBot, store.SeatResigned
	s.nowPlays(t, x, game.ByClock, game.TenureAbsent)
}

// expire cancels a game whose invitations lapsed.
func (s *unit) expire(row store.Due) error {
	t, err := s.table(row.Game)
	if err != nil {
		return err
	}
	if row.Place != 0 {
		return s.heirLapses(t, t.place(row.Place))
	}
	if t.row.State != store.GameInvited {
		return nil
	}
	var absent []string
	for i := range t.seats {
		x := &t.seats[i]
		if x.Stage == store.SeatInvited || x.Stage == store.SeatOpen {
			x.Stage = store.SeatExpired
		}
		if x.Stage != store.SeatJoined {
			absent = append(absent, x.Name)
		}
	}
	names := strings.Join(absent, ", ")
	s.tellAll(t, 0, func(_ *store.Seat, d *draft) { d.say(notice.TellExpired, "names", names) })
	if x := t.of(t.row.Organiser); x == nil || x.Stage != store.SeatJoined && x.Stage != store.SeatBounced { // not among those who are told
		s.tellOrganiser(t, 0, notice.TellExpired, "names", names)
	}
	s.over(t, store.GameCancelled)
	return nil
}

// heirLapses ends an invitation to take a seat over.
func (s *unit) heirLapses(t *table, x *store.Seat) error {
	if x == nil || x.Heir == 0 || !t.running() {
		return nil
	}
	p := s.player(x.Heir)
	x.Heir = 0
	return s.tellOfferer(t, 0, notice.TellHeirExpired, "name", x.Name, "address", p.Address)
}

// collected sends the answers beyond a bound in one letter: the short ones, or those
// of a day.
func (s *unit) collected(row store.Due) error {
	id, err := strconv.ParseInt(row.Ref, 10, 64)
	if err != nil {
		return fmt.Errorf("collected letter: %w", err)
	}
	p := s.player(id)
	brief := row.Step == collectBrief
	recipes, err := s.collectedFor(p.Address, brief)
	if err != nil || len(recipes) == 0 {
		return err
	}
	if brief {
		if ok := s.spend(wordsKey(p.Address), wordsRate); !ok {
			row.At = s.now.Add(slotLength)
			s.check(s.tx.AddDue(&row))
			return nil
		}
	}
	var t *table
	ids := make([]int64, len(recipes))
	for i, r := range recipes {
		ids[i] = r.ID
		if r.Game != "" {
			if t, err = s.table(r.Game); err != nil && !errors.Is(err, ErrUnreadable) {
				return err
			}
		}
	}
	d := s.draftFor(id, t, notice.KindAnswer)
	for _, r := range recipes {
		d.answer.Collected = append(d.answer.Collected, r.Answer)
	}
	if brief {
		d.answer.Brief = true
		d.say(notice.SayCollectedBrief, "n", strconv.Itoa(len(recipes)))
	} else {
		d.say(notice.SayCollected, "n", strconv.Itoa(len(recipes)))
	}
	if t != nil && !brief {
		d.since, d.again = recipes[0].Since, true
	}
	s.check(s.tx.SetOutState(ids, store.OutMerged))
	return nil
}

// lapse closes an unanswered question.
func (s *unit) lapse(row store.Due) error {
	id, err := strconv.ParseInt(row.Ref, 10, 64)
	if err != nil {
		return fmt.Errorf("confirmation: %w", err)
	}
	c, err := s.tx.Confirm(id)
	if err != nil || !c.Open {
		return err
	}
	c.Open = false
	s.check(s.tx.SaveConfirm(c))
	return s.dropHeld(c)
}

// bounces marks the addresses that our letters did not reach and tells the
// organisers. Only a report that names a letter of ours counts: anybody can
// write one.
func (s *unit) bounces(list []incoming.Bounce) error {
	for _, b := range list[:min(len(list), 20)] {
		if !b.Permanent || b.MessageID == "" {
			continue
		}
		r, err := s.tx.MessageByID(b.MessageID)
		if none, err := missing(err); none || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		if a := s.Address(b.Address); a != "" && a != r.To {
			continue
		}
		if err := s.unreached(r); err != nil {
			return err
		}
	}
	return nil
}

// unreached notes that a letter was not delivered.
func (s *unit) unreached(r notice.Message) error {
	var t *table
	var err error
	if r.Game != "" {
		if t, err = s.table(r.Game); errors.Is(err, ErrUnreadable) { // it could not even be rendered
			return nil
		}
		if err != nil {
			return err
		}
	}
	row := s.address(r.To)
	if row.Bounced.IsZero() {
		row.Bounced = s.now
		s.check(s.tx.SaveAddress(row))
	}
	if r.Game == "" {
		return s.unreachedIn(leagueID(r.Answer.League), r.Player, row.Bounced)
	}
	x := t.of(r.Player)
	if x == nil || t.row.State != store.GameInvited && t.row.State != store.GameRunning {
		return nil
	}
	if t.row.State == store.GameInvited && x.Stage == store.SeatInvited {
		x.Stage = store.SeatBounced
	}
	// Told once for each time that the address went dead.
	n := s.bump("bounce/"+t.row.ID+"/"+strconv.Itoa(x.Place)+"/"+strconv.FormatInt(r.Player, 10), row.Bounced.Format(time.DateOnly))
	if n > 1 {
		return nil
	}
	if !s.registered(r.Player) && (t.row.State == store.GameInvited || x.Heir == r.Player) { // the organiser gave the address
		return s.tellHelper(t, r.Player, notice.TellBounced, notice.TellBouncedAll, "name", x.Name, "address", r.To)
	}
	return s.tellHelper(t, r.Player, notice.TellBounced, notice.TellBouncedAll, "name", x.Name)
}

// Undeliverable tells the desk that the sender of letters has given one up.
func (d *Desk) Undeliverable(ctx context.Context, recipe int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.update(ctx, func(s *unit) error {
		r, err := s.tx.Message(recipe)
		if err != nil {
			return err
		}
		if err := s.unreached(r); err != nil {
			return err
		}
		return s.close()
	})
}
