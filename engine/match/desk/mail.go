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
// do not get, lose no time. Whether it flows is found out by what reads the mailbox and by what
// sends letters (cmd/internal/server/flow.go); since when it does not is a row, because it
// outlives a restart. From maxSilence on nothing falls due, and when mail flows again, all that
// waits is moved by the whole time, as after a gap.

// MailStops notes that mail has not flowed since a time; an earlier time stays.
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

// MailCatchesUp is MailFlows but that mail is not known to flow yet: a letter is about to be
// given to a server that took none, and is to say what will be true once it does.
func (d *Desk) MailCatchesUp(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, err := d.catchUp(ctx, d.Now())
	return err
}

// MailFlows notes that mail flows again. If it had not for maxSilence or longer, what waits is
// put off by that time, which is returned, and letters that were put off are tried at once.
func (d *Desk) MailFlows(ctx context.Context) (away time.Duration, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.catchUp(ctx, time.Time{})
}

// catchUp moves what waits by the time without mail, which from then on counts from a time, zero:
// it flows.
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

// Refused notes that the mail server has refused a letter for now, because of its recipient.
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

// MailStopped is since when mail does not flow both ways; zero: it does.
func (d *Desk) MailStopped(ctx context.Context) (since time.Time, err error) {
	err = d.Store.View(ctx, func(tx store.Tx) (err error) {
		since, err = tx.MailStopped()
		return err
	})
	return since, err
}
