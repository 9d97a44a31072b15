package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"
)

func runServe(args []string, stdout, stderr io.Writer) int {
	fs := flags("serve", stderr)
	path := fs.String("config", "angelpost.toml", "the configuration")
	if fs.Parse(args) != nil || fs.NArg() > 0 {
		return exitUsage
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
	log := slog.New(slog.NewTextHandler(stderr, nil))
	s, err := openServer(ctx, c, log)
	if err != nil {
		return err
	}
	defer s.close()
	pages, err := listenHTTP(c.HTTP.Addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "http=http://%s\nready\n", pages.Addr())
	return together(ctx, s.run, func(ctx context.Context) error { return serveHTTP(ctx, pages, s.pages(), log) })
}

func listenHTTP(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, badEnvironment(fmt.Errorf("pages: %w", err))
	}
	return l, nil
}

// serveHTTP serves until ctx ends; slow readers are given up.
func serveHTTP(ctx context.Context, l net.Listener, h http.Handler, log *slog.Logger) error {
	srv := &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second,
		WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	select {
	case err := <-done:
		return badEnvironment(fmt.Errorf("pages: %w", err))
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := srv.Shutdown(grace); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("pages: %w", err)
	}
	return srv.Close()
}
