package server

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/hook"
	"angelpost/db"
	"angelpost/engine/notice"
)

// A clock tells the time for rows and letters. It goes with the monotonic clock
// and follows the wall clock only when told, so that nothing acts upon a jump before
// what waits has been moved by it.
type clock struct {
	mu     sync.Mutex
	wall   time.Time // when it was last set
	steady time.Duration
}

func newClock() *clock {
	c := &clock{}
	c.set()
	return c
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wall.Add(hook.Steady() - c.steady)
}

// set follows the wall clock.
func (c *clock) set() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wall, c.steady = hook.Wall().Round(0), hook.Steady()
}

// A difference below this is a clock that is being set right.
const maxDrift = time.Minute

// jump is how far the wall clock has jumped since the last call; by less than
// maxDrift it is followed at once.
func (c *clock) jump() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	wall, steady := hook.Wall().Round(0), hook.Steady() // once: it may jump between two looks
	by := wall.Sub(c.wall.Add(steady - c.steady))
	if by.Abs() < maxDrift {
		c.wall, c.steady = wall, steady
		return 0
	}
	return by
}

const beatEvery = time.Minute

// beatEvery is how often the server notes that it is at work. If another machine stands by,
// it takes a silent server for dead.
func (s *Server) beatEvery() time.Duration {
	if s.Conf.Replica.URL != "" {
		return StandbyBeat - 100*time.Millisecond // the clock comes round every two seconds
	}
	return beatEvery
}

// watchClock sees to it that neither a jump of the clock nor a time in which
// this process was not at work makes anything happen. It is called before what
// is due is looked for.
func (s *Server) watchClock(ctx context.Context) error {
	if by := s.time.jump(); by != 0 {
		if err := s.Desk.Skip(ctx, by, s.time.set); err != nil {
			return err
		}
		s.log.Warn("the system's clock has jumped; all pending deadlines move by as much", "by", by.Round(time.Second))
		s.raise(ctx, notice.AlarmClock, by.Round(time.Second).String())
	}
	if !s.beaten.IsZero() && s.time.now().Sub(s.beaten).Abs() < s.beatEvery() {
		return nil
	}
	if s.Conf.Replica.URL != "" && !s.tenure.Hears() {
		return nil // it can do nothing, and the other machine may take over
	}
	gap, err := s.Desk.Beat(ctx)
	if err != nil {
		return err
	}
	s.beaten = s.time.now()
	if gap != 0 {
		s.log.Warn("the server was down; all pending deadlines move by as much", "gap", gap.Round(time.Second))
	}
	return s.lock.Keep(ctx, s.DB)
}

// Begin makes s the daemon of its database, before anything is written: it may
// be a copy put in the place of a later one, or one left without a daemon for long.
func (s *Server) Begin(ctx context.Context, lock *db.Lock) error {
	s.lock = lock
	older, err := lock.Older(ctx, s.DB)
	if err == nil && !older {
		older, err = s.behind(ctx)
	}
	if err != nil {
		return cli.BadEnvironment(err)
	}
	var from time.Time
	err = patiently(ctx, s.log, func() (err error) {
		from, err = s.Desk.PutBack(ctx, older)
		return err
	})
	if err != nil {
		return cli.BadEnvironment(err)
	}
	if !from.IsZero() {
		s.log.Warn("the database was put back to an earlier time; writing again to every player to move", "from", from)
	}
	s.ahead = newAhead(s.write)
	beat, err := s.DB.Beaten(ctx)
	if err == nil { // letters younger than that were given to the mail server without a note
		err = patiently(ctx, s.log, func() error { return s.DB.MayHaveGone(ctx, beat.Add(-oldLetter-5*time.Minute)) })
	}
	if err != nil {
		return cli.BadEnvironment(err)
	}
	return cli.BadEnvironment(patiently(ctx, s.log, func() error {
		if err := s.watchClock(ctx); err != nil {
			return err
		}
		return s.Desk.Tidies(ctx)
	}))
}

// patiently does what a server must do before it is at work, and waits while the
// disk is full, as a server at work does. Its error once ctx has ended is ctx's.
func patiently(ctx context.Context, log *slog.Logger, do func() error) error {
	for pause := firstTrouble; ; pause = min(2*pause, maxTrouble) {
		err := do()
		if err == nil || !db.Full(err) {
			return err
		}
		log.Error("the server cannot start yet", "again_in", pause, "err", err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}
