package server

import (
	"context"
	"fmt"
	"io"
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

func runStatistics(args []string, stdout, stderr io.Writer) int {
	fs := flags("statistics", "", stderr)
	path := configFlag(fs)
	anew := fs.Bool("anew", false, "count every game again, from the stored logs")
	if code := parse(fs, args, 0); code != goOn {
		return code
	}
	ctx, stop := untilStopped()
	defer stop()
	s, err := beside(ctx, *path, stderr)
	if err != nil {
		return exit(stderr, "statistics", err)
	}
	defer s.Close()
	return exit(stderr, "statistics", badEnvironment(s.printStatistics(ctx, *anew, stdout, stderr)))
}

// printStatistics counts, anew if asked for, and prints what statistics.json says.
func (s *Server) printStatistics(ctx context.Context, anew bool, stdout, stderr io.Writer) error {
	report := func(x statistics.LeftOut) { fmt.Fprintf(stderr, "left out: game=%s: %v\n", x.Game, x.Why) }
	again := s.Book().Renew
	if anew {
		again = s.Book().Recount
	}
	if err := again(ctx, report); err != nil {
		return err
	}
	n, err := s.Book().Count(ctx, report)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "games counted: %d new\n", n)
	kinds, err := s.Book().Kinds(ctx)
	if err != nil {
		return err
	}
	return printJSON(stdout, statistics.NewReport(kinds))
}
