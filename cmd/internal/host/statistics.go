package host

import (
	"context"
	"fmt"
	"io"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
	"angelpost/engine/statistics"
)

// RunStatistics is the main function of statistics.
func RunStatistics(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("statistics", "", stderr)
	path := cli.ConfigFlag(fs)
	anew := fs.Bool("anew", false, "count every game again, from the stored logs")
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	ctx, stop := cli.UntilStopped()
	defer stop()
	s, err := server.Beside(ctx, *path, stderr)
	if err != nil {
		return cli.Exit(stderr, "statistics", err)
	}
	defer s.Close()
	return cli.Exit(stderr, "statistics", cli.BadEnvironment(printStatistics(ctx, s, *anew, stdout, stderr)))
}

// printStatistics counts new games and prints what statistics.json says. With `anew` it
// counts all games again first.
func printStatistics(ctx context.Context, s *server.Server, anew bool, stdout, stderr io.Writer) error {
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
	return cli.PrintJSON(stdout, statistics.NewReport(kinds))
}
