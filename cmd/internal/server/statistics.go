package server

import (
	"context"
	"time"

	"angelpost/engine/statistics"
)

// Book is the server's statistics.
func (s *Server) Book() statistics.Book { return statistics.Book{Host: s.Desk.Host()} }

// countEvery is how often the daemon looks for games that are over and not yet
// counted. To find none costs one look into an index.
const countEvery = time.Minute

// count keeps the statistics until ctx is done.
func (s *Server) count(ctx context.Context) error {
	report := func(x statistics.LeftOut) { s.log.Warn("a game cannot be counted", "game", x.Game, "err", x.Why) }
	if err := s.Book().Renew(ctx, report); err != nil && ctx.Err() == nil {
		s.log.Error("statistics are not renewed", "err", err)
	}
	return s.tend(ctx, countEvery, "finished games counted", func() (int, error) { return s.Book().Count(ctx, report) })
}

// tend does what is to be done with finished games, again and again until ctx is
// done, and logs with how many it was. What fails is tried again.
func (s *Server) tend(ctx context.Context, every time.Duration, done string, do func() (int, error)) error {
	for {
		n, err := do()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			s.log.Error("not done: "+done, "err", err)
		case n > 0:
			s.log.Info(done, "games", n)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(every):
		}
	}
}
