package host

import (
	"context"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
	"angelpost/engine/rated"
)

// RunRatings is the main function of ratings.
func RunRatings(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("ratings", "", stderr)
	path := cli.ConfigFlag(fs)
	anew := fs.Bool("anew", false, "rate every game again, from the stored games")
	table := fs.Bool("table", false, "print a table, not JSON")
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	ctx, stop := cli.UntilStopped()
	defer stop()
	s, err := server.Beside(ctx, *path, stderr)
	if err != nil {
		return cli.Exit(stderr, "ratings", err)
	}
	defer s.Close()
	return cli.Exit(stderr, "ratings", cli.BadEnvironment(printRatings(ctx, s, *anew, *table, stdout, stderr)))
}

// printRatings rates new games and prints what ratings.json says, for all players. With
// `anew` it rates all games again first.
func printRatings(ctx context.Context, s *server.Server, anew, table bool, stdout, stderr io.Writer) error {
	if anew {
		if err := s.Ratings().Anew(ctx); err != nil {
			return err
		}
	}
	n, err := s.Ratings().Rate(ctx, func(x rated.LeftOut) { fmt.Fprintf(stderr, "left out: game=%s: %v\n", x.Game, x.Why) })
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "games rated: %d new\n", n)
	kinds, err := s.Ratings().Kinds(ctx, math.MaxInt32)
	if err != nil {
		return err
	}
	if !table {
		return cli.PrintJSON(stdout, rated.NewReport(kinds))
	}
	w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	for _, k := range kinds {
		fmt.Fprintf(w, "%s\tmu\t±\tlow\tgames\t\n", k.Key)
		for _, r := range append(k.People, k.Bots...) {
			name := r.Name
			if r.Bot != "" {
				name = "(" + r.Bot + ")"
			}
			fmt.Fprintf(w, "%.40s\t%.2f\t%.2f\t%.2f\t%d\t\n", name, r.Mu, r.Margin, r.Low, r.Games)
		}
	}
	return w.Flush()
}
