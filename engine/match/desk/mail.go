package desk

import (
	"context"
	"time"

	"angelpost/engine/match/clock"
	"angelpost/engine/match/obey"
	"angelpost/engine/match/unit"
	"angelpost/engine/store"
)

// Clocks run only while mail flows both ways: players who get no letters, or whose letters we
// do not get, lose no time. The reader of the mailbox and the sender of letters find out
// whether it flows (cmd/internal/server/flow.go). A row has the time since when it does not,
// because that outlives a restart. After maxSilence nothing falls due; when mail flows again,
// all timers move by the whole time, as after a gap.

// MailStops records that mail has not flowed since a time; an earlier time stays.
func (d *Desk) MailStops(ctx context.Context, since time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.update(ctx, func(u *unit.Unit) error {
		stopped, err := u.Tx.MailStopped()
		if err != nil || !stopped.IsZero() {
			return err
		}
		if now := d.Now(); since.After(now) {
			since = now
		}
		return u.Tx.SetMailStopped(since)
	})
}

// MailCatchesUp is MailFlows before we know whether mail flows: a letter is about to go to a
// server that took none, and must say what will be true once the server takes it.
func (d *Desk) MailCatchesUp(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, err := d.catchUp(ctx, d.Now())
	return err
}

// MailFlows records that mail flows again. If it had stopped for maxSilence or longer, it moves
// all timers by that time, which it returns, and delayed letters are tried at once.
func (d *Desk) MailFlows(ctx context.Context) (away time.Duration, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.catchUp(ctx, time.Time{})
}

// catchUp moves all timers by the time without mail. From then on that time counts from from;
// zero: mail flows.
func (d *Desk) catchUp(ctx context.Context, from time.Time) (away time.Duration, err error) {
	return away, d.update(ctx, func(u *unit.Unit) error {
		away = 0
		stopped, err := u.Tx.MailStopped()
		if err != nil || stopped.IsZero() {
			return err
		}
		now := d.Now()
		if away = now.Sub(stopped); away < maxSilence {
			if away = 0; from.IsZero() {
				u.Check(u.Tx.SetMailStopped(from))
			}
			return nil
		}
		if err := putOff(u, away); err != nil {
			return err
		}
		u.Check(u.Tx.SetMailStopped(from))
		return u.Tx.Hurry(now)
	})
}

// `Anew` checks a letter out that has waited, before it goes to the mail server, and reports
// whether it can go as it is (`obey.Anew`).
func (d *Desk) Anew(ctx context.Context, id int64, given func(id int64) bool) (still bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return still, d.update(ctx, func(u *unit.Unit) (err error) {
		if still, err = obey.Anew(u, id, given); err != nil {
			return err
		}
		return obey.Close(u)
	})
}

// Refused records that the mail server has refused a letter for now, because of its recipient.
func (d *Desk) Refused(ctx context.Context, id int64, why string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.update(ctx, func(u *unit.Unit) error {
		stopped, err := u.Tx.MailStopped()
		if err != nil || !stopped.IsZero() && u.At.Sub(stopped) >= maxSilence {
			return err // nothing falls due for anyone
		}
		if err := clock.Refused(u, id, why); err != nil {
			return err
		}
		return obey.Close(u)
	})
}

// MailStopped returns since when mail does not flow both ways; zero: it does.
func (d *Desk) MailStopped(ctx context.Context) (since time.Time, err error) {
	err = d.Store.View(ctx, func(tx store.Tx) (err error) {
		since, err = tx.MailStopped()
		return err
	})
	return since, err
}
