package outbox

import (
	"slices"
	"time"
)

// Limits are how many letters a mail server takes, 0 for any number. Letters that it
// would refuse wait. Once half of a day's letters are gone, those that are not urgent go
// at half the pace at which a day's letters would be spread evenly, and a tenth of them
// is left to urgent ones.
type Limits struct {
	PerMinute, PerDay int
	// Sent are the times of letters sent in the day before the start, the oldest first.
	Sent []time.Time
}

func (l Limits) any() bool { return l.PerMinute > 0 || l.PerDay > 0 }

const dayLong = 24 * time.Hour

// limit keeps Limits. Its times are those of Config.Now.
type limit struct {
	Limits
	ordinary time.Time // when the last letter went that was not urgent
}

// forget drops times that have left the window. If the clock was set back, letters with times
// after now count as sent now.
func (l *limit) forget(now time.Time) {
	window := dayLong
	if l.PerDay == 0 {
		window = time.Minute
	}
	old := 0
	for i, t := range l.Sent {
		if t.After(now) {
			l.Sent[i] = now
		}
		if now.Sub(t) >= window {
			old = i + 1
		}
	}
	l.Sent = slices.Delete(l.Sent, 0, old)
	if l.ordinary.After(now) {
		l.ordinary = now
	}
}

// wait is how long a letter must wait at now; 0: it may go.
func (l *limit) wait(now time.Time, urgent bool) time.Duration {
	l.forget(now)
	var wait time.Duration
	until := func(t time.Time) { wait = max(wait, t.Sub(now)) }
	n := len(l.Sent)
	// room waits until fewer than most have been sent in the last d.
	room := func(most int, d time.Duration) {
		if n >= most {
			until(l.Sent[n-most].Add(d))
		}
	}
	if l.PerMinute > 0 {
		room(l.PerMinute, time.Minute)
	}
	if l.PerDay == 0 {
		return wait
	}
	room(l.PerDay, dayLong)
	if !urgent {
		room(max(l.PerDay*9/10, 1), dayLong)
		if 2*n >= l.PerDay {
			until(l.ordinary.Add(2 * dayLong / time.Duration(l.PerDay)))
		}
	}
	return wait
}

// note counts a letter that is given to the server; undo takes that back, for the server was
// not given it.
func (l *limit) note(now time.Time, urgent bool) (undo func()) {
	before := l.ordinary
	l.Sent = append(l.Sent, now)
	if !urgent {
		l.ordinary = now
	}
	return func() {
		if n := len(l.Sent); n > 0 {
			l.Sent = l.Sent[:n-1]
		}
		if !urgent && l.ordinary.Equal(now) { // none has gone since
			l.ordinary = before
		}
	}
}

// limited reports whether a letter must wait for the limits, and has the Queue read again when
// that is over.
func (s *Sender) limited(now time.Time, t *try) bool {
	if !s.Limits.any() {
		return false
	}
	wait := s.limit.wait(s.Now(), t.Urgent)
	if wait <= 0 {
		return false
	}
	if at := now.Add(min(max(wait, time.Millisecond), longestSleep)); at.Before(s.readAt) {
		s.readAt = at
	}
	return true
}

// hold forgets letters that must wait for the limits: the Queue has them still, and more
// urgent ones may come.
func (s *Sender) hold(now time.Time) {
	s.waiting = slices.DeleteFunc(s.waiting, func(t *try) bool {
		return (t.stage == waiting || t.stage == ready) && s.limited(now, t)
	})
}

// noteHeld tells the log when the limits begin to hold letters, and when they hold none.
func (s *Sender) noteHeld(held bool) {
	if held == s.held {
		return
	}
	if s.held = held; held {
		s.Log.Warn("outbox: letters wait, because the configuration limits how many are sent", "per_minute", s.Limits.PerMinute, "per_day", s.Limits.PerDay)
	} else {
		s.Log.Info("outbox: no letter waits for the limits any more")
	}
}
