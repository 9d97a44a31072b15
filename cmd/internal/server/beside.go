package server

import (
	"context"
	"io"
	"log/slog"

	"angelpost/cmd/internal/cli"
)

// Beside opens the server of a configuration for a command that works beside
// the daemon.
func Beside(ctx context.Context, path string, stderr io.Writer) (*Server, error) {
	c, err := LoadConfig(path)
	if err != nil {
		return nil, err
	}
	if c.Replica.URL != "" && !cli.Exists(c.Path(c.Database)) {
		return nil, cli.BadUsage("this machine follows another one: run this on the one that serves")
	}
	s, err := Open(ctx, c, NewLog(stderr, slog.LevelWarn))
	if err != nil {
		return nil, err
	}
	if v, err := s.DB.Version(ctx); err == nil {
		s.replica.Assume(v) // what is there already is the daemon's
	}
	s.settles = true
	return s, nil
}
