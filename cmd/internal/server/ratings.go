package server

import (
	"context"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"angelpost/engine/rated"
)

// Ratings are the server's.
func (s *Server) Ratings() rated.Book { return rated.Book{Host: s.Desk.Host()} }

// rateEvery is how often the daemon looks for games that are over and not yet
// rated. To find none costs three looks into indices.
const rateEvery = 10 * time.Second

// rate keeps the ratings until ctx is done.
func (s *Server) rate(ctx context.Context) error {
	return s.tend(ctx, rateEvery, "finished games rated", func() (int, error) {
		return s.Ratings().Rate(ctx, func(x rated.LeftOut) { s.log.Warn("a game cannot be rated", "game", x.Game, "err", x.Why) })
	})
}

func runRatings(args []string, stdout, stderr io.Writer) int {
	fs := flags("ratings", "", stderr)
	path := configFlag(fs)
	anew := fs.Bool("anew", false, "rate every game again, from the stored games")
	table := fs.Bool("table", false, "print a table, not JSON")
	if code := parse(fs, args, 0); code != goOn {
		return code
	}
	ctx, stop := untilStopped()
	defer stop()
	s, err := beside(ctx, *path, stderr)
	if err != nil {
		return exit(stderr, "ratings", err)
	}
	defer s.Close()
	return exit(stderr, "ratings", badEnvironment(s.printRatings(ctx, *anew, *table, stdout, stderr)))
}

// printRatings rates, anew if asked for, and prints what ratings.json says, of
// everyone.
func (s *Server) printRatings(ctx context.Context, anew, table bool, stdout, stderr io.Writer) error {
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
		return printJSON(stdout, rated.NewReport(kinds))
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
