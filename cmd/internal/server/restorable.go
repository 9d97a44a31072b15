package server

import (
	"cmp"
	"context"
	"errors"
	"os/exec"
	"sync"
	"time"

	"angelpost/cmd/internal/health"
	"angelpost/cmd/internal/hook"
	"angelpost/db"
)

// restorable is whether the replica can be restored: Litestream says that it has copied
// everything even where what it has copied can no longer be read.
type restorable struct {
	mu     sync.Mutex
	failed error  // why it can't
	copies string // what is wrong with the list of its copies; "": nothing
}

const (
	restoreFirst = 10 * time.Minute // from the server's start until the replica is restored for the first time
	restoreEvery = 24 * time.Hour
	restoreAgain = time.Hour // after one that failed
	restoreLasts = time.Hour // at most
)

// tryReplica restores the replica, if there is one, once a day until ctx ends.
func (s *Server) tryReplica(ctx context.Context) error {
	if s.Conf.Replica.Litestream == "" {
		<-ctx.Done()
		return nil
	}
	for wait := restoreFirst; ; wait = s.restoreDue(ctx) {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// restoreDue restores the replica, and says how long to wait until it is restored again. Where
// that can't be tried, what was found before stays.
func (s *Server) restoreDue(ctx context.Context) time.Duration {
	limited, cancel := context.WithTimeout(ctx, restoreLasts)
	defer cancel()
	err := s.Conf.RestoreReplica(limited)
	switch {
	case ctx.Err() != nil:
		return 0
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, context.DeadlineExceeded), errors.Is(err, ErrNoRoom):
		s.log.Warn("whether the replica can be restored was not tried", "err", err)
		return restoreEvery
	}
	s.restores.mu.Lock()
	s.restores.failed = err
	s.restores.mu.Unlock()
	if err != nil {
		s.log.Error("the replica can't be restored", "again_in", restoreAgain, "err", err, "do", "see `angelpost doctor`")
		return restoreAgain
	}
	return restoreEvery
}

// replicaSpoilt says why the replica can't be restored; "" it can, as far as is known.
func (s *Server) replicaSpoilt(*db.Figures, time.Time) string {
	s.restores.mu.Lock()
	defer s.restores.mu.Unlock()
	if s.restores.failed != nil && s.restores.copies == "" {
		return s.restores.failed.Error()
	}
	return s.restores.copies
}

// copiesEvery is how often the server that another machine stands by looks whether its copies are there
// and become more. Litestream says that it has copied everything even where its folder was removed.
const copiesEvery = 15 * time.Second

// What can be wrong with the copies.
const (
	copiesMissing = "files are missing from it, and it no longer makes a database. Restart this server: it copies everything to a new place"
	copiesStopped = "nothing is added to it any more, whatever Litestream says. Restart this server"
)

// A copyWatch is what watchCopies has seen.
type copyWatch struct {
	before  Copies
	version int64 // of the database, when before was looked at
	had     bool  // there have been copies
	still   int   // looks in a row that found nothing added, though something was committed
}

// look says what is wrong with the copies, and the database's version from before they were looked at; ""
// nothing is.
func (w *copyWatch) look(copies Copies, version int64) string {
	w.still++
	if copies.Last != w.before.Last || version == w.version {
		w.still = 0
	}
	w.before, w.version, w.had = copies, version, w.had || copies.Last > 0
	switch {
	case w.had && !copies.Whole:
		return copiesMissing
	case w.had && w.still >= 2: // the last commit may have come just now
		return copiesStopped
	}
	return ""
}

// watchCopies looks at the copies until ctx ends, and has the host hear at once what is wrong with them.
func (s *Server) watchCopies(ctx context.Context) error {
	var w copyWatch
	for {
		SleepFor(ctx, cmp.Or(hook.Look, copiesEvery))
		if ctx.Err() != nil {
			return nil
		}
		version, err := s.DB.Version(ctx)
		if err != nil {
			continue // the alarm database tells of that
		}
		copies, err := s.Conf.Copies(ctx, s.tenure.Term().Epoch)
		if _, away := s.health.Trouble(health.Replica); err != nil || away != nil { // the alarm replica does
			w.still = 0
			continue
		}
		why := w.look(copies, version)
		s.restores.mu.Lock()
		changed := why != s.restores.copies
		s.restores.copies = why
		s.restores.mu.Unlock()
		if changed && why != "" {
			s.log.Error("the replica has lost its use", "err", why)
		}
		if changed {
			notify(s.alarms.now)
		}
	}
}
