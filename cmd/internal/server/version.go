package server

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/licences"
	"angelpost/db"
)

// version is the release, which the linker sets: -ldflags "-X
// angelpost/cmd/internal/server.version=1.2.0".
var version = "development"

// RunVersion is the main function of version.
func RunVersion(_ []string, stdout, _ io.Writer) int {
	fmt.Fprintf(stdout, "angelpost %s, commit %s, schema %d\n", version, commit(), db.Schema())
	return cli.ExitYes
}

// commit is what the program was built from.
func commit() string {
	commit, changed := "unknown", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = ", with changes"
			}
		}
	}
	return commit + changed
}

// RunLicences is the main function of licences.
func RunLicences(args []string, stdout, stderr io.Writer) int {
	if code := cli.Parse(cli.Flags("licences", "", stderr), args, 0); code != cli.GoOn {
		return code
	}
	_, err := io.WriteString(stdout, licences.Text)
	return cli.Exit(stderr, "licences", cli.BadEnvironment(err))
}

// Migrate brings the database of a configuration up to date. The caller holds its lock.
func Migrate(ctx context.Context, c *Config, log *slog.Logger) error {
	copied, err := db.Migrate(ctx, c.Path(c.Database), time.Now())
	if err != nil {
		return cli.BadEnvironment(err)
	}
	if copied != "" {
		log.Info("the database is upgraded", "schema", db.Schema(), "copy_from_before", copied)
	}
	return nil
}

// RunMigrate is the main function of migrate.
func RunMigrate(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("migrate", "", stderr)
	path := cli.ConfigFlag(fs)
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	ctx, stop := cli.UntilStopped()
	defer stop()
	c, err := LoadConfig(*path)
	if err != nil {
		return cli.Exit(stderr, "migrate", err)
	}
	lock, err := LockDatabase(ctx, c.Path(c.Database))
	if err != nil {
		return cli.Exit(stderr, "migrate", err)
	}
	defer lock.Free()
	if err := Migrate(ctx, c, NewLog(stderr, slog.LevelInfo)); err != nil {
		return cli.Exit(stderr, "migrate", err)
	}
	fmt.Fprintf(stdout, "schema=%d\n", db.Schema())
	return cli.ExitYes
}
