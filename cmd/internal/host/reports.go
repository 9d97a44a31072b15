package host

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
	"angelpost/engine/store"
)

// reportsPage is how many reports are read at once.
const reportsPage = 100

// RunReports is the main function of reports.
func RunReports(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("reports", "", stderr)
	path := cli.ConfigFlag(fs)
	after := fs.Int64("after", 0, "leave out the reports up to that number")
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	ctx, stop := cli.UntilStopped()
	defer stop()
	s, err := server.Beside(ctx, *path, stderr)
	if err != nil {
		return cli.Exit(stderr, "reports", err)
	}
	defer s.Close()
	return cli.Exit(stderr, "reports", cli.BadEnvironment(printReports(ctx, s, *after, stdout)))
}

// printReports prints the reports after the one with the id after, oldest first. Those of
// players have the reporter, the reported player, the reason and the messages; the others
// are abuse reports (RFC 5965). It quotes what players wrote, so that none of it looks like
// a line of output.
func printReports(ctx context.Context, s *server.Server, after int64, out io.Writer) error {
	for {
		var rows []store.Report
		var people map[int64]store.Player
		err := s.DB.View(ctx, func(tx store.Tx) (err error) {
			if rows, err = tx.Reports(after, reportsPage); err != nil {
				return err
			}
			var ids []int64
			for _, r := range rows {
				ids = append(ids, r.Reporter, r.Player)
			}
			people, err = tx.Players(ids)
			return err
		})
		if err != nil {
			return err
		}
		for _, r := range rows {
			after = r.ID
			if r.Reporter == 0 { // an abuse report by a mail provider
				if _, err := fmt.Fprintf(out, "report %d, %s, game %s: by mail for %q: %s\n", r.ID, r.At.UTC().Format(time.RFC3339), cmp.Or(r.Game, "none"), r.Name, r.Reason); err != nil {
					return err
				}
				continue
			}
			fmt.Fprintf(out, "report %d, %s, game %s: %s reports %s (%s): %q\n", r.ID, r.At.UTC().Format(time.RFC3339), r.Game,
				people[r.Reporter].Address, people[r.Player].Address, r.Name, r.Reason)
			for _, p := range r.Messages {
				to := "to all"
				if p.To > 0 {
					to = "to the reporter"
				}
				if _, err := fmt.Fprintf(out, "  %s, %s: %q\n", p.At.UTC().Format(time.RFC3339), to, p.Text); err != nil {
					return err
				}
			}
		}
		if len(rows) < reportsPage {
			return nil
		}
	}
}
