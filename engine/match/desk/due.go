package desk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"angelpost/engine/match/clock"
	"angelpost/engine/match/compete"
	"angelpost/engine/match/gate"
	"angelpost/engine/match/obey"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/rulings"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/store"
)

// NextDue returns when Due has something to do; zero if nothing waits.
func (d *Desk) NextDue(ctx context.Context) (next time.Time, err error) {
	err = d.Store.View(ctx, func(tx store.Tx) error {
		next, err = tx.NextDue()
		return err
	})
	return next, err
}

// Due carries out what has fallen due, each in its own transaction, and returns how many there
// were. It puts off by an hour what fails, which does not hold up the rest. Nothing that
// concerns a player falls due while mail does not flow, or before we have read the mailbox once
// after its time: the answer may be there.
func (d *Desk) Due(ctx context.Context) (n int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var rows []store.Due
	var stopped time.Time
	now := d.Now()
	if err := d.Store.View(ctx, func(tx store.Tx) (err error) {
		if stopped, err = tx.MailStopped(); err != nil {
			return err
		}
		rows, err = tx.DueBefore(now, 1000)
		return err
	}); err != nil {
		return 0, fmt.Errorf("what is due: %w", err)
	}
	still := !stopped.IsZero() && now.Sub(stopped) >= maxSilence
	d.waitsForMail = false
	var failed []error
	for _, row := range rows {
		if !silent[row.Kind] && (still || !d.Flowed(row.At)) {
			d.waitsForMail = true
			continue
		}
		var u *unit.Unit
		err := d.update(ctx, func(s *unit.Unit) error {
			u = s
			s.Check(s.Tx.DropDue(row.ID))
			do, ok := dues[row.Kind]
			if !ok {
				return fmt.Errorf("kind %q", row.Kind)
			}
			if err := do(s, row); err != nil {
				return err
			}
			return obey.Close(s)
		})
		if bad := replays.UnreadableIn(err); bad != nil {
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
		d.regained = append(d.regained, u.Regained...)
		n++
	}
	return n, errors.Join(failed...)
}

// silent are the kinds that concern no player, so that they don't wait for mail.
var silent = map[string]bool{store.DueTidy: true, store.DueUnread: true}

// WaitsForMail reports whether the last Due has left something that waits until mail flows, or
// until the mailbox has been read.
func (d *Desk) WaitsForMail() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.waitsForMail
}

// dues has the function for each kind of row that falls due.
var dues = map[string]func(*unit.Unit, store.Due) error{
	store.DueRemind:  clock.RemindDue,
	store.DueLate:    clock.Late,
	store.DueMissed:  clock.Missed,
	store.DueExpire:  seating.Expire,
	store.DueCollect: gate.Collected,
	store.DueConfirm: obey.Lapse,
	store.DueDigest:  gate.DigestDue,
	store.DueSeat:    compete.SeatDue,
	store.DuePlace:   compete.PlaceDue,
	store.DueLeague:  compete.Due,
	store.DueNews:    gate.NewsDue,
	store.DueReport:  compete.ReportDue,
	store.DueRenamed: compete.RenamedDue,
	store.DueUrgent:  compete.UrgentDue,
	store.DueUnread:  unreadDue,
	store.DueTidy:    tidy,
	store.DueHeld:    clock.HeldDue,
	store.DueErase:   obey.EraseDue,
	store.DueReveal:  rulings.RevealDue,
	store.DueBehind:  func(u *unit.Unit, _ store.Due) error { return putBack(u, time.Time{}) },
}

// Undeliverable tells the desk that the sender of letters has given one up.
func (d *Desk) Undeliverable(ctx context.Context, recipe int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.update(ctx, func(u *unit.Unit) error {
		r, err := u.Tx.Message(recipe)
		if err != nil {
			return err
		}
		if err := obey.Unreached(u, r); err != nil {
			return err
		}
		return obey.Close(u)
	})
}
