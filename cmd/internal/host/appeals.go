package host

import (
	"context"
	"fmt"
	"io"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
	"angelpost/engine/store"
)

// RunAppeals is the main function of appeals.
func RunAppeals(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("appeals", "", stderr)
	path := cli.ConfigFlag(fs)
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	ctx, stop := cli.UntilStopped()
	defer stop()
	s, err := server.Beside(ctx, *path, stderr)
	if err != nil {
		return cli.Exit(stderr, "appeals", err)
	}
	defer s.Close()
	return cli.Exit(stderr, "appeals", cli.BadEnvironment(printAppeals(ctx, s, stdout)))
}

// printAppeals prints the appeals that no one has answered, oldest first, each with its
// ruling. It quotes what players wrote, so that none of it looks like a line of output.
func printAppeals(ctx context.Context, s *server.Server, out io.Writer) error {
	var all []store.Appeal
	err := s.DB.View(ctx, func(tx store.Tx) (err error) {
		all, err = tx.OpenAppeals()
		return err
	})
	if err != nil {
		return err
	}
	for _, a := range all {
		fmt.Fprintf(out, "%s, game %s: %q appeals: %q\n  against `%s` by %q, %s: %q\n", a.At.UTC().Format(time.RFC3339), a.Game, a.Who, a.Reason,
			a.Against.Kind, a.Against.Who, a.Against.At.UTC().Format(time.RFC3339), a.Against.Reason)
		if _, err := fmt.Fprintf(out, "  answer: angelpost rule -reason \"WHY\" %s uphold\n", a.Game); err != nil {
			return err
		}
	}
	return nil
}
