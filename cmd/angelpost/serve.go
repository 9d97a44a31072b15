package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os/signal"
	"syscall"

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
	return together(ctx, s.run, func(ctx context.Context) error { return web.Serve(ctx, pages, s.pages(), log) })
}

func listenHTTP(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, badEnvironment(fmt.Errorf("pages: %w", err))
	}
	return l, nil
}
