package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os/signal"
	"syscall"
	"time"

	"angelpost/db"
	"angelpost/web"
)

func runServe(args []string, stdout, stderr io.Writer) int {
	fs := flags("serve", stderr)
	path := fs.String("config", "angelpost.toml", "the configuration")
	if code := parse(fs, args, 0); code != goOn {
		return code
	}
	return exit(stderr, "serve", serve(*path, stdout, stderr))
}

// untilStopped ends with SIGTERM or SIGINT.
func untilStopped() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
}

func serve(path string, stdout, stderr io.Writer) error {
	ctx, stop := untilStopped()
	defer stop()
	c, err := loadConfig(path)
	if err != nil {
		return err
	}
	if err := c.files(); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	lock, err := lockDatabase(ctx, c.path(c.Database))
	if err != nil {
		return err
	}
	defer lock.Free()
	s, err := openServer(ctx, c, log)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.begin(ctx, lock); err != nil {
		return err
	}
	pages, err := listenHTTP(c.HTTP.Addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "http=http://%s\nready\n", pages.Addr())
	return together(ctx, s.run, func(ctx context.Context) error { return web.Serve(ctx, pages, s.pages(), log) })
}

// A restart overlaps: the old server has this long to end.
const lockWait = 10 * time.Second

// lockDatabase makes this process the one server of a database.
func lockDatabase(ctx context.Context, path string) (*db.Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock, err := db.Take(ctx, path)
	if errors.Is(err, db.ErrLocked) {
		err = fmt.Errorf("%w. Stop it first, or give this one a database of its own", err)
	}
	return lock, badEnvironment(err)
}

func listenHTTP(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, badEnvironment(fmt.Errorf("pages: %w", err))
	}
	return l, nil
}
