package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/db"
	"angelpost/mail/letter"
	"angelpost/mail/lmtp"
	"angelpost/web"
)

// RunServe is the main function of serve.
func RunServe(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("serve", "", stderr)
	path := cli.ConfigFlag(fs)
	take := fs.Bool("take", false, "take the mailbox over from another server, which must be gone for good")
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	return cli.Exit(stderr, "serve", serve(*path, Serving{take: *take}, stdout, stderr))
}

// Serving is how a server is started.
type Serving struct {
	take      bool       // the mailbox is taken from another server
	Replicate replicator // nil: no other machine stands by
	Ready     func()     // called once systemd hears of the server itself; set if Replicate is
}

func serve(path string, how Serving, stdout, stderr io.Writer) error {
	ctx, stop := cli.UntilStopped()
	defer stop()
	hangups := make(chan os.Signal, 1) // from here on they do not end the process
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	c, err := LoadConfig(path)
	if err != nil {
		return err
	}
	if c.Replica.URL != "" {
		return cli.BadUsage("%s: another machine stands by, so start this one with `angelpost standby`", c.At("replica.url"))
	}
	return c.Serve(ctx, hangups, c.ServeLog(stderr), how, stdout, stderr)
}

// Serve is the server at work until ctx ends.
func (c *Config) Serve(ctx context.Context, hangups chan os.Signal, log *slog.Logger, how Serving, stdout, stderr io.Writer) (err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer func() {
		if errors.Is(err, context.Canceled) { // it was asked to end while it came up
			err = nil
		}
	}()
	defer func() {
		if db.Damaged(err) {
			err = cli.BadEnvironment(fmt.Errorf("%w. %s", err, c.MendDatabase()))
		}
	}()
	if err := c.Files(); err != nil {
		return err
	}
	var lock *db.Lock
	err = patiently(ctx, log, func() (err error) {
		lock, err = LockDatabase(ctx, c.Path(c.Database))
		return err
	})
	if err != nil {
		return err
	}
	defer lock.Free()
	err = patiently(ctx, log, func() error { return Migrate(ctx, c, log) })
	if err != nil {
		return err
	}
	var s *Server
	err = patiently(ctx, log, func() (err error) {
		s, err = Open(ctx, c, log)
		return err
	})
	if err != nil {
		return err
	}
	s.settles = true // which letters were sent is not waited for before
	defer s.Close()
	checked := s.checkFile(ctx)
	defer func() { stop(); <-checked }() // before the database is closed
	if err := s.playable(ctx); err != nil {
		return err
	}
	if err := s.claim(ctx, lock, how.take); err != nil {
		return err
	}
	if how.Replicate != nil {
		end, err := s.pair(ctx, how.Replicate, stderr)
		if err != nil {
			return err
		}
		defer end()
	}
	if err := s.Begin(ctx, lock); err != nil {
		return err
	}
	pages, err := ListenHTTP(c.HTTP.Addr)
	if err != nil {
		return err
	}
	parts := []func(context.Context) error{
		s.Run,
		func(ctx context.Context) error {
			if how.Replicate == nil {
				return s.health.Notify(ctx)
			}
			how.Ready()
			return s.health.Alive(ctx) // the program goes on when another machine serves
		},
		func(ctx context.Context) error { return s.reloading(ctx, hangups) },
		func(ctx context.Context) error { return web.Serve(ctx, pages, s.health.Requests(s.Pages()), log) },
	}
	if how.Replicate != nil {
		parts = append(parts, s.watchCopies)
	}
	if c.Metrics.Addr != "" {
		monitor, err := net.Listen("tcp", c.Metrics.Addr)
		if err != nil {
			return errors.Join(cli.BadEnvironment(fmt.Errorf("metrics: %w", err)), pages.Close())
		}
		fmt.Fprintf(stdout, "metrics=http://%s\n", monitor.Addr())
		parts = append(parts, func(ctx context.Context) error { return web.Serve(ctx, monitor, s.health.Handler(), log) })
	}
	if c.LMTP.Addr != "" {
		door, err := lmtp.Listen(c.LmtpAddr())
		if err != nil {
			return errors.Join(cli.BadEnvironment(err), pages.Close())
		}
		fmt.Fprintf(stdout, "lmtp=%s\n", door.Addr())
		parts = append(parts, func(ctx context.Context) error {
			return lmtp.Serve(ctx, door, lmtp.Config{Domain: c.Host(), Own: s.ours, MaxLetter: letter.MaxBytes, Now: s.time.now, Log: log}, s.delivered)
		})
	}
	fmt.Fprintf(stdout, "http=http://%s\nready\n", pages.Addr())
	return Together(ctx, parts...)
}

// How long the start waits for SQLite to look for damage in the file, and how long
// it may go on looking while the server works.
const (
	checkWait = 2 * time.Second
	maxCheck  = 10 * time.Minute
)

// checkFile looks for damage in the database file: of a small one before it
// returns, of a large one while the server works. Damage ends no server: games that
// can be read go on, and the log tells the host. The channel it returns closes once
// it is done.
func (s *Server) checkFile(ctx context.Context) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(ctx, maxCheck)
		defer cancel()
		switch err := s.DB.Check(ctx); {
		case db.Damaged(err):
			s.alarms.damage(err)
			s.log.Error("the database is damaged; the server continues with everything it can read", "err", err, "do", s.Conf.MendDatabase())
		case errors.Is(err, context.DeadlineExceeded):
			s.log.Warn("the database is too large to check at the start; `angelpost backup` checks it", "after", maxCheck)
		case err != nil && ctx.Err() == nil:
			s.log.Error("the database was not checked for damage", "err", err)
		}
	}()
	select {
	case <-done:
	case <-time.After(checkWait):
	}
	return done
}

// A restart overlaps: an old server that is ending has this long.
const lockWait = 10 * time.Second

// LockDatabase makes this process the one server of a database, until ctx ends and the
// lock is freed.
func LockDatabase(ctx context.Context, path string) (*db.Lock, error) {
	short, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock, err := db.Take(short, path)
	if errors.Is(err, db.ErrLocked) {
		err = fmt.Errorf("%w. Stop it first, or give this one a different database", err)
	}
	if err != nil {
		return nil, cli.BadEnvironment(err)
	}
	context.AfterFunc(ctx, func() { lock.Ending() }) // a server that it does not reach gives up a second later
	return lock, nil
}

// ListenHTTP listens where pages are asked for.
func ListenHTTP(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, cli.BadEnvironment(fmt.Errorf("pages: %w", err))
	}
	return l, nil
}
