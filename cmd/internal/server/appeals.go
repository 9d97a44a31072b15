package server

import (
	"context"
	"fmt"
	"io"
	"time"

	"angelpost/engine/store"
)

func runAppeals(args []string, stdout, stderr io.Writer) int {
	fs := flags("appeals", "", stderr)
	path := configFlag(fs)
	if code := parse(fs, args, 0); code != goOn {
		return code
	}
	ctx, stop := untilStopped()
	defer stop()
	s, err := beside(ctx, *path, stderr)
	if err != nil {
		return exit(stderr, "appeals", err)
	}
	defer s.Close()
	return exit(stderr, "appeals", badEnvironment(s.printAppeals(ctx, stdout)))
}

// printAppeals prints the appeals that no one has answered, oldest first, each with the
// ruling. Texts of players are quoted, so that none looks like a line of ours.
func (s *Server) printAppeals(ctx context.Context, out io.Writer) error {
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
