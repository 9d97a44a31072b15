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
)

// clock sets and clears what falls due in a game under way. Without a clock
// that is a reminder, RemindAfter the game began to wait for a player.
func (s *sitting) clock(t *table) error {
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
		waits := t.running() && !x.nobody() && t.play.waits(engine.Seat(x.Seat))
		was := t.waited[x.Place]
		if was && (!waits || t.moved[x.Place]) {
			if err := s.tx.ClearDue(DueRemind, t.row.ID, x.Place); err != nil {
				return err
			}
		}
		if waits && (!was || t.moved[x.Place]) {
			due := &DueRow{At: s.now.Add(s.RemindAfter), Kind: DueRemind, Game: t.row.ID, Place: x.Place, Step: t.play.step()}
			if err := s.tx.AddDue(due); err != nil {
				return err
			}
		}
	}
	return nil
}

// finishGame keeps the result of a game that is over.
func (s *sitting) finishGame(t *table) error {
	o := t.play.outcome(t.names())
	var err error
	if o.Parts, err = s.parts(t); err != nil {
		return err
	}
	result, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("result: %w", err)
	}
	t.row.State, t.row.Ended, t.row.Result = GameFinished, s.now, string(result)
	return nil
}

// NextDue is when Due has something to do; zero if nothing waits.
func (d *Desk) NextDue(ctx context.Context) (next time.Time, err error) {
	err = d.Store.View(ctx, func(tx Tx) error {
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
	var rows []DueRow
	if err := d.Store.View(ctx, func(tx Tx) error {
		var err error
		rows, err = tx.DueBefore(d.Now(), 1000)
		return err
	}); err != nil {
		return 0, fmt.Errorf("what is due: %w", err)
	}
	var failed []error
	for _, row := range rows {
		err := d.update(ctx, func(s *sitting) error {
			if err := s.tx.DropDue(row.ID); err != nil {
				return err
			}
			if err := s.fallDue(row); err != nil {
				return err
			}
			return s.close()
		})
		if err != nil {
			failed = append(failed, fmt.Errorf("due %s of game %q: %w", row.Kind, row.Game, err))
			failed = append(failed, d.Store.Update(ctx, func(tx Tx) error {
				if err := tx.DropDue(row.ID); err != nil {
					return err
				}
				row.At = d.Now().Add(time.Hour)
				return tx.AddDue(&row)
			}))
			continue
		}
		n++
	}
	return n, errors.Join(failed...)
}

func (s *sitting) fallDue(row DueRow) error {
	switch row.Kind {
	case DueRemind:
		return s.remindDue(row)
	case DueLate:
		return s.late(row)
	case DueMissed:
		return s.missed(row)
	case DueExpire:
		return s.expire(row)
	case DueCollect:
		return s.collected(row)
	case DueConfirm:
		return s.lapse(row)
	case DueSeat:
		return s.seatDue(row)
	case DuePlace:
		return s.placeDue(row)
	case DueLeague:
		return s.leagueDue(row)
	}
	return fmt.Errorf("kind %q", row.Kind)
}

// remindDue reminds a player who has been silent.
func (s *sitting) remindDue(row DueRow) error {
	t, err := s.table(row.Game)
	if err != nil {
		return err
	}
	x := t.place(row.Place)
	if x == nil || !t.running() || x.nobody() || !t.play.waits(engine.Seat(x.Seat)) {
		return nil
	}
	if row.Ref == givenUp {
		return s.giveUp(t, x)
	}
	lost := time.Time{} // when the game is, if nothing comes
	if t.row.Visibility == Listed && x.Deadline.IsZero() && t.alone() {
		lost = s.now.Add(maxIdle)
		if err := s.tx.AddDue(&DueRow{At: lost, Kind: DueRemind, Game: t.row.ID, Place: x.Place, Ref: givenUp}); err != nil {
			return err
		}
	}
	if x.muted(x.Player) {
		return nil
	}
	d, err := s.draftFor(x.Player, t, KindTurn)
	if err != nil {
		return err
	}
	d.since, d.again = x.Seen, true
	if !x.Deadline.IsZero() {
		zone, err := s.zoneOf(x.Player)
		if err != nil {
			return err
		}
		rest, err := s.restAt(t, x)
		if err != nil {
			return err
		}
		then, err := s.then(t, x)
		if err != nil {
			return err
		}
		return s.sayTime(d, TellRunsOut, x.Deadline, append(then, "next", when(rest.after(x.Deadline, t.pace().Grace), zone))...)
	}
	args := []string{"days", strconv.Itoa(int(s.RemindAfter / (24 * time.Hour)))}
	if !lost.IsZero() {
		args = append(args, "then", "lost", "date", lost.Format(time.DateOnly))
	}
	d.say(TellReminder, args...)
	return nil
}

// A listed game that somebody plays with bots alone waits for him for so long
// after the reminder, if it has no clock; then it is as if he had resigned. Or
// nobody would ever lose one.
const (
	maxIdle = 60 * 24 * time.Hour
	givenUp = "given-up" // DueRow.Ref
)

func (s *sitting) giveUp(t *table, x *SeatRow) error {
	if t.row.Visibility != Listed || !t.alone() { // by now
		return nil
	}
	d, err := s.draftFor(x.Player, t, KindInfo)
	if err != nil {
		return err
	}
	d.asked = true // muted or not: his rating is at stake
	d.say(TellGivenUp)
	x.Bot, x.Stage = ResignBot, SeatResigned
	s.nowPlays(t, x, ByClock, StintAbsent)
	return nil
}

// expire cancels a game whose invitations lapsed.
func (s *sitting) expire(row DueRow) error {
	t, err := s.table(row.Game)
	if err != nil {
		return err
	}
	if row.Place != 0 {
		return s.heirLapses(t, t.place(row.Place))
	}
	if t.row.State != GameInvited {
		return nil
	}
	var absent []string
	for i := range t.seats {
		x := &t.seats[i]
		if x.Stage == SeatInvited || x.Stage == SeatOpen {
			x.Stage = SeatExpired
		}
		if x.Stage != SeatJoined {
			absent = append(absent, x.Name)
		}
	}
	names := strings.Join(absent, ", ")
	if err := s.tellAll(t, 0, func(_ *SeatRow, d *draft) { d.say(TellExpired, "names", names) }); err != nil {
		return err
	}
	if x := t.of(t.row.Organiser); x == nil || x.Stage != SeatJoined && x.Stage != SeatBounced { // not among those who are told
		if err := s.tellOrganiser(t, 0, TellExpired, "names", names); err != nil {
			return err
		}
	}
	return s.over(t, GameCancelled)
}

// heirLapses ends an invitation to take a seat over.
func (s *sitting) heirLapses(t *table, x *SeatRow) error {
	if x == nil || x.Heir == 0 || !t.running() {
		return nil
	}
	p, err := s.player(x.Heir)
	if err != nil {
		return err
	}
	x.Heir = 0
	return s.tellOfferer(t, 0, TellHeirExpired, "name", x.Name, "address", p.Address)
}

// collected sends the answers beyond a day's bound in one letter.
func (s *sitting) collected(row DueRow) error {
	id, err := strconv.ParseInt(row.Ref, 10, 64)
	if err != nil {
		return fmt.Errorf("collected letter: %w", err)
	}
	p, err := s.player(id)
	if err != nil {
		return err
	}
	recipes, err := s.tx.CollectedFor(p.Address)
	if err != nil || len(recipes) == 0 {
		return err
	}
	var t *table
	ids := make([]int64, len(recipes))
	for i, r := range recipes {
		ids[i] = r.ID
		if r.Game != "" {
			if t, err = s.table(r.Game); err != nil {
				return err
			}
		}
	}
	d, err := s.draftFor(id, t, KindAnswer)
	if err != nil {
		return err
	}
	for _, r := range recipes {
		d.answer.Collected = append(d.answer.Collected, r.Answer)
	}
	d.say(SayCollected, "n", strconv.Itoa(len(recipes)))
	if t != nil {
		d.since, d.again = recipes[0].Since, true
	}
	return s.tx.SetOutState(ids, OutMerged)
}

// lapse closes a question nobody answered.
func (s *sitting) lapse(row DueRow) error {
	id, err := strconv.ParseInt(row.Ref, 10, 64)
	if err != nil {
		return fmt.Errorf("confirmation: %w", err)
	}
	c, err := s.tx.Confirm(id)
	if err != nil || !c.Open {
		return err
	}
	c.Open = false
	if err := s.tx.SaveConfirm(c); err != nil {
		return err
	}
	return s.dropHeld(c)
}

// bounces marks the addresses that our letters did not reach and tells the
// organisers. Only a report that names a letter of ours counts: anybody can
// write one.
func (s *sitting) bounces(list []Bounce) error {
	for _, b := range list[:min(len(list), 20)] {
		if !b.Permanent || b.MessageID == "" {
			continue
		}
		r, err := s.tx.RecipeByMessageID(b.MessageID)
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
func (s *sitting) unreached(r Recipe) error {
	row, err := s.address(r.To)
	if err != nil {
		return err
	}
	if row.Bounced.IsZero() {
		row.Bounced = s.now
		if err := s.tx.SaveAddress(row); err != nil {
			return err
		}
	}
	if r.Game == "" {
		return s.unreachedIn(leagueID(r.Answer.League), r.Player, row.Bounced)
	}
	t, err := s.table(r.Game)
	if err != nil {
		return err
	}
	x := t.of(r.Player)
	if x == nil || t.row.State != GameInvited && t.row.State != GameRunning {
		return nil
	}
	if t.row.State == GameInvited && x.Stage == SeatInvited {
		x.Stage = SeatBounced
	}
	// Told once for each time that the address went dead.
	n, err := s.tx.Bump("bounce/"+t.row.ID+"/"+strconv.Itoa(x.Place)+"/"+strconv.FormatInt(r.Player, 10), row.Bounced.Format(time.DateOnly))
	if err != nil || n > 1 {
		return err
	}
	if !s.registered(r.Player) && (t.row.State == GameInvited || x.Heir == r.Player) { // the organiser gave the address himself
		return s.tellHelper(t, r.Player, TellBounced, TellBouncedAll, "name", x.Name, "address", r.To)
	}
	return s.tellHelper(t, r.Player, TellBounced, TellBouncedAll, "name", x.Name)
}

// Undeliverable tells the desk that the sender of letters has given one up.
func (d *Desk) Undeliverable(ctx context.Context, recipe int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.update(ctx, func(s *sitting) error {
		r, err := s.tx.Recipe(recipe)
		if err != nil {
			return err
		}
		if err := s.unreached(r); err != nil {
			return err
		}
		return s.close()
	})
}
