package desk

import (
	"context"
	"time"

	"angelpost/engine/match/obey"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// A Trouble is the result of a check for one kind of alarm.
type Trouble struct {
	Kind    string // notice.AlarmMailbox and so on
	Why     string // "": nothing, unless it passes
	Command string // that helps
	Passes  bool   // it does not last: db.DB.Raise records it, the host gets one letter, and the alarm ends after a day
	Mail    bool   // while there is such trouble, no letter can be sent
}

// The host gets a letter about the same kind of trouble this often at most.
const alarmEvery = 24 * time.Hour

// Alarm records the results of the checks, and writes to the host (an address; "" for no
// letters) when trouble begins, once a day while it lasts, and when it is over. It writes
// nothing while no letter can be sent: then the host has only the log, the page and the
// monitoring.
func (d *Desk) Alarm(ctx context.Context, host string, found []Trouble) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	news := func(tx store.Tx, now time.Time) (out []alarmNews, err error) {
		rows, err := tx.Alarms()
		return alarmed(rows, found, now, host != ""), err
	}
	var due []alarmNews
	err := d.Store.View(ctx, func(tx store.Tx) (err error) {
		due, err = news(tx, d.Now())
		return err
	})
	if err != nil || len(due) == 0 {
		return err
	}
	return d.update(ctx, func(u *unit.Unit) error {
		due, err := news(u.Tx, u.At)
		if err != nil {
			return err
		}
		for _, n := range due {
			u.Check(u.Tx.SaveAlarm(n.row))
			if n.say == "" {
				continue
			}
			letter := &unit.Draft{Kind: notice.KindInfo, To: u.Address(host), Result: notice.None, Since: unit.NoStory}
			letter.Say(n.say, "time", unit.When(n.since, time.UTC), "until", unit.When(u.At, time.UTC), "why", n.row.Why, "command", n.command)
			u.Drafts = append(u.Drafts, letter)
		}
		return obey.Close(u)
	})
}

// alarmNews is an alarm that has changed, and the code of the letter to the host; "" for no
// letter.
type alarmNews struct {
	row     store.Alarm
	say     string
	since   time.Time
	command string
}

// alarmed returns the rows that change with the troubles found, and what to tell the host.
func alarmed(rows []store.Alarm, found []Trouble, now time.Time, letters bool) (out []alarmNews) {
	was := map[string]store.Alarm{}
	for _, a := range rows {
		was[a.Kind] = a
	}
	mute := !letters
	for _, f := range found {
		mute = mute || f.Mail && f.Why != ""
	}
	for _, f := range found {
		a := was[f.Kind]
		old := a
		a.Kind = f.Kind
		switch {
		case f.Why != "" && a.Since.IsZero():
			a.Since, a.Why = now, f.Why
		case f.Why != "" || !f.Passes:
			a.Why = f.Why // "": it is over
		}
		if a.Since.IsZero() {
			continue
		}
		n := alarmNews{since: a.Since, command: f.Command}
		told := !a.Told.IsZero() && !a.Told.Before(a.Since)
		may := !mute && (a.Told.IsZero() || now.Sub(a.Told).Abs() >= alarmEvery)
		switch {
		case a.Why == "":
			if told && !mute || f.Mail && may {
				n.say = f.Kind + notice.AlarmOver
			}
			if f.Mail && may {
				a.Told = now
			}
			if n.say != "" || !told || !letters {
				a.Since = time.Time{}
			}
		case may && !(f.Passes && told):
			n.say, a.Told = f.Kind, now
		case f.Passes && (told || !letters) && now.Sub(a.Since).Abs() >= alarmEvery:
			a.Since = time.Time{}
		}
		if a != old {
			n.row = a
			out = append(out, n)
		}
	}
	return out
}
