package server

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"time"

	"angelpost/cmd/internal/licences"
	"angelpost/db"
)

// version is the release, which the linker sets: -ldflags "-X
// angelpost/cmd/internal/server.version=1.2.0".
var version = "development"

func runVersion(_ []string, stdout, _ io.Writer) int {
	fmt.Fprintf(stdout, "angelpost %s, commit %s, schema %d\n", version, commit(), db.Schema())
	return exitYes
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

func runLicences(args []string, stdout, stderr io.Writer) int {
	if code := parse(flags("licences", "", stderr), args, 0); code != goOn {
		return code
	}
	_, err := io.WriteString(stdout, licences.Text)
	return exit(stderr, "licences", badEnvironment(err))
}

// migrate brings the database of a configuration up to date. The caller holds its lock.
func migrate(ctx context.Context, c *Config, log *slog.Logger) error {
	copied, err := db.Migrate(ctx, c.Path(c.Database), time.Now())
	if err != nil {
		return badEnvironment(err)
	}
	if copied != "" {
		log.Info("the database is upgraded", "schema", db.Schema(), "copy_from_before", copied)
	}
	return nil
}

func runMigrate(args []string, stdout, stderr io.Writer) int {
	fs := flags("migrate", "", stderr)
	path := configFlag(fs)
	if code := parse(fs, args, 0); code != goOn {
		return code
	}
	ctx, stop := untilStopped()
	defer stop()
	c, err := LoadConfig(*path)
	if err != nil {
		return exit(stderr, "migrate", err)
	}
	lock, err := lockDatabase(ctx, c.Path(c.Database))
	if err != nil {
		return exit(stderr, "migrate", err)
	}
	defer lock.Free()
	if err := migrate(ctx, c, newLog(stderr, slog.LevelInfo)); err != nil {
		return exit(stderr, "migrate", err)
	}
	fmt.Fprintf(stdout, "schema=%d\n", db.Schema())
	return exitYes
}
