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
	try   chan struct{} // it is to be tried whether letters can be sent

	mu     sync.Mutex
	begun  bool                                  // there is a mailbox; before that, and in tests without one, all is well
	ways   [2]struct{ worked, failed time.Time } // last; since when it fails, zero: it does not
	looked time.Time                             // when the last full look at the mailbox began
}

func newFlow(now func() time.Time, moved chan struct{}) *flow {
	return &flow{now: now, moved: moved, ask: make(chan struct{}, 1), try: make(chan struct{}, 1)}
}

// begin has the flow know that there is a mailbox.
func (f *flow) begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = true
}

// hear notes what an attempt came to; since is when the first like it was made, zero: now.
func (f *flow) hear(w way, since time.Time, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	x := &f.ways[w]
	if err == nil {
		x.worked, x.failed = f.now(), time.Time{}
	} else if x.failed.IsZero() {
		if x.failed = since; since.IsZero() {
			x.failed = f.now()
		}
	}
	notify(f.moved)
}

// stopped is since when one of the ways fails, zero: none does; sure reports that both have
// worked since the start.
func (f *flow) stopped() (since time.Time, sure bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.begun {
		return time.Time{}, true
	}
	sure = true
	for _, x := range f.ways {
		if !x.failed.IsZero() && (since.IsZero() || x.failed.Before(since)) {
			since = x.failed
		}
		sure = sure && !x.worked.IsZero()
	}
	return since, sure
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

// lately is how old the last success of sending may be when something falls due.
const lately = 15 * time.Minute

// flowed reports whether mail flowed both ways at a time: a full look at the mailbox has begun
// since and is done, and letters could be sent then or since. What lacks is tried at once.
func (f *flow) flowed(at time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.begun {
		return true
	}
	in, out := !f.looked.Before(at), !f.ways[mailOut].worked.Before(at.Add(-lately))
	if !in {
		notify(f.ask)
	}
	if !out {
		notify(f.try)
	}
	return in && out
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

// When a server with nothing to send tries again whether it could.
const probeEvery = 5 * time.Minute

// probe tries, until ctx ends, whether letters can be sent while none are: when something is to
// fall due that concerns a player, and again and again if it failed.
func (s *Server) probe(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.flow.try:
			if _, failed := s.flow.outWorked(); failed.IsZero() { // else it is tried in time
				s.probeNow(ctx)
			}
		case <-time.After(probeEvery):
			if worked, failed := s.flow.outWorked(); !failed.IsZero() || worked.IsZero() {
				s.probeNow(ctx)
			}
		}
	}
}

// probeNow connects to the server that takes letters and logs in, which is all that can be
// tried without a letter. While letters are refused, that proves nothing.
func (s *Server) probeNow(ctx context.Context) {
	err := s.smtp().Try(ctx)
	if err == nil {
		_, failed := s.flow.outWorked()
		f, trouble := s.DB.Figures(ctx)
		if trouble != nil || !failed.IsZero() && f.Queued > 0 {
			return
		}
	}
	if ctx.Err() != nil {
		return
	}
	s.health.Round(health.Sender, err)
	s.flow.hear(mailOut, time.Time{}, err)
	if err != nil {
		s.log.Error("the server that takes letters cannot be worked with", "err", err)
	}
}
