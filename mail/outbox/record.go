package outbox

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"
)

// maxUnrecorded bounds how many letters are recorded at once. As many again may
// wait for that before no more are sent: those may go out again after a crash.
const maxUnrecorded = 8

// recordDelay is how long a record waits at most for letters that are being
// sent, to be made with theirs.
const recordDelay = 10 * time.Millisecond

// flush records what was accepted, several letters at once while others are
// being sent. It does not go on before the Queue has taken a record, for a
// letter that is sent and still due would be sent again.
func (s *Sender) flush(now time.Time) {
	if s.recording || len(s.accepted) == 0 {
		return
	}
	if len(s.accepted) < maxUnrecorded && now.Before(s.flushAt) && s.awaits() && !s.stopping {
		return
	}
	group := s.accepted[:min(len(s.accepted), maxUnrecorded)]
	s.accepted = s.accepted[len(group):]
	s.flushAt = now.Add(recordDelay)
	s.recording = true
	s.spawn(func() func() {
		s.record(group[0].ID, math.MaxInt, func(ctx context.Context) error { return s.Queue.Sent(ctx, group) })
		for range group {
			s.At("sent")
		}
		return func() {
			s.recording = false
			for _, a := range group {
				delete(s.unrecorded, a.ID)
			}
		}
	})
}

// awaits reports whether a letter is under way that may be accepted soon.
func (s *Sender) awaits() bool {
	for _, t := range s.sending {
		if !t.stoodIn && !t.began.IsZero() {
			return true
		}
	}
	return false
}

// putOff records a try that failed for now.
func (s *Sender) putOff(l Letter, cause error, why Delay) {
	now := s.Now()
	if s.tooOld(l, now) {
		s.fail(l, fmt.Sprintf("given up after %v: %v", s.GiveUp, cause))
		return
	}
	wait := Backoff(l.Attempts + 1)
	if s.refusing {
		wait = min(wait, maxRefusing)
	}
	next := now.Add(wait)
	why.Cause = cause.Error()
	s.Log.Warn("outbox: letter put off", "letter", logged(l.ID), "attempt", l.Attempts+1, "next", next, "err", cause)
	s.note(l, func(ctx context.Context) error { return s.Queue.Retry(ctx, l.ID, next, why) })
}

// fail records that a letter will not be tried again.
func (s *Sender) fail(l Letter, cause string) {
	s.Log.Error("outbox: letter failed", "letter", logged(l.ID), "attempts", l.Attempts+1, "cause", cause)
	at := s.Now()
	s.note(l, func(ctx context.Context) error { return s.Queue.Failed(ctx, l.ID, at, cause) })
}

// note has it recorded what became of one letter.
func (s *Sender) note(l Letter, write func(context.Context) error) {
	s.unrecorded[l.ID] = true
	s.spawn(func() func() {
		s.record(l.ID, maxRecords, write)
		return func() {
			delete(s.unrecorded, l.ID)
			s.unread = true // it may be due again, some time
		}
	})
}

const (
	firstRecordPause = time.Second
	maxRecordPause   = 30 * time.Second
	maxRecords       = 10 // tries, of what does little harm if it is not recorded
	lastRecord       = 3 * time.Second
)

// record has a result written down, of one letter or of the first of several:
// until it is, they are due and would be tried again at once. When the Sender is
// to stop it makes one last try of lastRecord.
func (s *Sender) record(id int64, tries int, write func(context.Context) error) {
	pause := firstRecordPause
	for ; tries > 0 && s.ctx.Err() == nil; tries-- {
		err := write(s.ctx)
		if err == nil {
			return
		}
		if s.ctx.Err() == nil {
			s.Log.Error("outbox: cannot write to the queue", "letter", logged(id), "again_in", pause, "err", err)
		}
		sleep(s.ctx, pause)
		pause = min(2*pause, maxRecordPause)
	}
	if s.ctx.Err() == nil {
		return
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), lastRecord)
	defer cancel()
	if err := write(last); err != nil {
		s.Log.Error("outbox: what became of a letter was not recorded: it will be tried again", "letter", logged(id), "err", err)
	}
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// logged is the id of a letter in the log.
func logged(letter int64) string { return "out" + strconv.FormatInt(letter, 10) }
