package server

import (
	"context"
	"sync"
	"time"

	"angelpost/cmd/internal/health"
)

// A way is one that mail goes.
type way int

const (
	mailIn  way = iota // the mailbox
	mailOut            // the server that takes letters
)

// A flow knows whether mail flows both ways. The watcher of the mailbox and the sender of
// letters tell it; where nothing is to be sent the server tries (probe). Times are the
// server's clock's. It is safe for concurrent use.
type flow struct {
	now   func() time.Time
	moved chan struct{} // is notified of what changes what may fall due
	ask   chan struct{} // the mailbox is to be looked at
	none  bool          // letters are handed in without a mailbox, in tests

	mu     sync.Mutex
	ways   [2]struct{ worked, failed time.Time } // last; since when it fails, zero: it does not
	looked time.Time                             // when the last full look at the mailbox began
}

func newFlow(now func() time.Time, moved chan struct{}) *flow {
	return &flow{now: now, moved: moved, ask: make(chan struct{}, 1)}
}

// hear notes what an attempt came to; since is when the first like it was made, zero: now.
func (f *flow) hear(w way, since time.Time, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	x := &f.ways[w]
	before := x.failed
	if err == nil {
		x.worked, x.failed = f.now(), time.Time{}
	} else if x.failed.IsZero() {
		if x.failed = since; since.IsZero() {
			x.failed = f.now()
		}
	}
	if !before.Equal(x.failed) || x.worked.IsZero() {
		notify(f.moved)
	}
}

// stopped is since when one of the ways fails, zero: none does; sure reports that both have
// worked since the start.
func (f *flow) stopped() (since time.Time, sure bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	sure = true
	for _, x := range f.ways {
		if !x.failed.IsZero() && (since.IsZero() || x.failed.Before(since)) {
			since = x.failed
		}
		sure = sure && !x.worked.IsZero()
	}
	return since, sure || f.none
}

// look notes that a full look at the mailbox has begun; what it returns, that it is done.
func (f *flow) look() (done func()) {
	began := f.now()
	return func() {
		f.mu.Lock()
		f.looked = began
		f.mu.Unlock()
		notify(f.moved)
	}
}

// hasLooked reports whether a full look at the mailbox has begun since a time and is done, and
// has it looked at if not.
func (f *flow) hasLooked(at time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.none || !f.looked.Before(at) {
		return true
	}
	notify(f.ask)
	return false
}

// outWorked is when letters could last be sent, and since when they can't, zero: they can.
func (f *flow) outWorked() (worked, failed time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ways[mailOut].worked, f.ways[mailOut].failed
}

// watchMail tells the desk whether mail flows. It is called before what is due is looked for.
func (s *Server) watchMail(ctx context.Context) error {
	stopped, err := s.Desk.MailStopped(ctx)
	if err != nil {
		return err
	}
	since, sure := s.flow.stopped()
	switch {
	case stopped.IsZero() && !since.IsZero():
		return s.Desk.MailStops(ctx, since)
	case !stopped.IsZero() && since.IsZero() && sure:
		away, err := s.Desk.MailFlows(ctx)
		if away > 0 {
			s.log.Warn("mail flows again; all pending deadlines move by as much", "away", away.Round(time.Second))
		}
		notify(s.wake)
		return err
	}
	return nil
}

// When a server with nothing to send tries whether it could.
const (
	probeEvery = 5 * time.Minute  // in doubt
	probeAhead = 30 * time.Minute // before something falls due
	probeLook  = 30 * time.Second // how often it is thought about
)

// probe tries, until ctx ends, whether letters can be sent while none are: a player's time must
// not run out while we could not answer them.
func (s *Server) probe(ctx context.Context) error {
	var tried time.Time
	for {
		if now := s.time.now(); now.Sub(tried).Abs() >= probeEvery {
			if due, err := s.probeDue(ctx, now); err == nil && due {
				tried = now
				s.probeNow(ctx)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(probeLook):
		}
	}
}

// probeDue reports whether it is to be tried: nothing waits to be sent, and it failed last, or
// the last success is long ago and something falls due soon.
func (s *Server) probeDue(ctx context.Context, now time.Time) (bool, error) {
	f, err := s.DB.Figures(ctx)
	if err != nil || f.Queued > 0 {
		return false, err
	}
	worked, failed := s.flow.outWorked()
	stopped, err := s.Desk.MailStopped(ctx)
	if err != nil || !failed.IsZero() || worked.IsZero() && !stopped.IsZero() {
		return err == nil, err
	}
	next, err := s.Desk.NextDue(ctx)
	return err == nil && !next.IsZero() && next.Before(now.Add(probeAhead)) && now.Sub(worked) >= probeEvery, err
}

// probeNow connects to the server that takes letters and logs in, which is all that can be
// tried without a letter.
func (s *Server) probeNow(ctx context.Context) {
	err := s.smtp().Try(ctx)
	if ctx.Err() != nil {
		return
	}
	s.health.Round(health.Sender, err)
	s.flow.hear(mailOut, time.Time{}, err)
	if err != nil {
		s.log.Error("the server that takes letters cannot be worked with", "err", err)
	}
}
