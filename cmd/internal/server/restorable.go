package server

import (
	"context"
	"errors"
	"os/exec"
	"sync"
	"time"

	"angelpost/db"
)

// restorable is whether the replica can be restored: Litestream says that it has copied
// everything even where what it has copied can no longer be read.
type restorable struct {
	mu     sync.Mutex
	failed error // why it can't
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
	if s.restores.failed != nil {
		return s.restores.failed.Error()
	}
	return ""
}
