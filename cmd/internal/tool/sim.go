package tool

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"angelpost/cmd/internal/cli"
	"angelpost/engine/bot"
	"angelpost/engine/game"
	"angelpost/engine/sim"
	"angelpost/templates"
	"angelpost/templates/words"
)

// RunSim lets bots play games and prints one JSON line a game, in order, and a
// summary (web/API.md, sim); it reports on them in files. What it prints and
// writes does not depend on -workers.
func RunSim(args []string, stdout, stderr io.Writer) int {
	ctx, stop := cli.UntilStopped()
	defer stop()
	return simCommand(ctx, args, stdout, stderr)
}

// A simulation is what the arguments of sim ask for.
type simulation struct {
	setups  []sim.Setup
	seed    string
	games   int // of each setup
	workers int
	records string
	json    bool
	reports []reportFile
}

// A reportFile is a file to write at the end; it is opened before the first
// game, so that no game is played for nothing.
type reportFile struct {
	*os.File
	write func(w io.Writer, r *sim.Report) error
}

func simCommand(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("sim", "", stderr)
	asJSON := fs.Bool("json", false, "print JSON Lines, one per game, and a summary")
	report := fs.String("report", "", "`FILE` for a report as JSON")
	page := fs.String("page", "", "`FILE` for the report as a page of charts")
	players := fs.Int("players", 4, "how many players")
	games := fs.Int("games", 1, "how many games")
	seed := fs.String("seed", "1", "game i has the seed SHA-256(`SEED` \"/\" i)")
	bots := fs.String("bot", bot.Greedy, "bots by seat, `NAME[,NAME…]`, repeated if there are fewer than seats: "+strings.Join(bot.Names(), ", "))
	matrix := fs.Bool("matrix", false, "play as many games with each number of players, rules, edition and level of Hal that the other flags do not set")
	var of GameFlags
	of.Add(fs)
	workers := fs.Int("workers", 1, "games played at the same time")
	records := fs.String("records", "", "`DIRECTORY` for each game's record, as sim-1.json and so on")
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	s := simulation{seed: *seed, games: *games, workers: *workers, records: *records, json: *asJSON}
	var err error
	if *matrix {
		given := map[string]bool{}
		fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
		s.setups, err = simMatrix(of, *players, *bots, given)
	} else {
		var su sim.Setup
		su, err = simSetup(of, *players, *bots)
		s.setups = []sim.Setup{su}
	}
	switch {
	case err != nil:
	case !*asJSON && *report == "" && *page == "":
		err = cli.BadUsage("use: angelpost sim -players N -games K -seed SEED -json, or with -report FILE or -page FILE")
	case *games < 1 || *games > maxGames:
		err = cli.BadUsage("-games %d: want 1 to %d", *games, maxGames)
	case *workers < 1 || *workers > 1024:
		err = cli.BadUsage("-workers %d: want 1 to 1024", *workers)
	case *report != "" && *report == *page:
		err = cli.BadUsage("-report and -page: %.200q can't be both", *page)
	case *records != "" && *matrix:
		err = cli.BadUsage("-records and -matrix: the records of several setups would have the same names")
	case *records != "":
		err = cli.BadEnvironment(os.MkdirAll(*records, 0o755))
	}
	if err == nil {
		err = s.open(*report, reportJSON)
	}
	if err == nil {
		err = s.open(*page, func(w io.Writer, r *sim.Report) error {
			return templates.WriteReport(w, words.English(), s.setups[0].Set, r)
		})
	}
	if err == nil {
		err = s.run(ctx, stdout, newProgress(stderr, len(s.setups)**games))
	}
	return cli.Exit(stderr, "sim", err)
}

// maxGames bounds the games of a setup: by then every interval is far below a
// tenth of a percent.
const maxGames = 100_000_000

// open creates a report file, which write fills at the end. An empty path means none.
func (s *simulation) open(path string, write func(io.Writer, *sim.Report) error) error {
	if path == "" {
		return nil
	}
	f, err := os.Create(path)
	if err != nil {
		return cli.BadEnvironment(err)
	}
	s.reports = append(s.reports, reportFile{f, write})
	return nil
}

func reportJSON(w io.Writer, r *sim.Report) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}

// simSetup checks the options of the games to play.
func simSetup(of GameFlags, players int, bots string) (su sim.Setup, err error) {
	if su.Set, su.Options, err = of.Check(players); err != nil {
		return su, err
	}
	names := strings.Split(bots, ",")
	if len(names) > players {
		return su, cli.BadUsage("-bot: %d bots for %d players", len(names), players)
	}
	for _, name := range names {
		if _, err := bot.New(name, ""); err != nil {
			return su, cli.BadUsage("-bot: %w", err)
		}
	}
	for k := range players {
		su.Bots = append(su.Bots, names[k%len(names)])
	}
	return su, nil
}

// simMatrix is every setup that agrees with the flags given.
func simMatrix(of GameFlags, players int, bots string, given map[string]bool) (out []sim.Setup, err error) {
	open := func(name, value string, all ...string) []string {
		if given[name] {
			return []string{value}
		}
		return all
	}
	counts := []int{2, 3, 4, 1}
	if given["players"] {
		counts = []int{players}
	} else if given["hal"] {
		counts = []int{1}
	}
	for _, n := range counts {
		levels := []string{""}
		if n == 1 {
			levels = open("hal", of.hal, "easy", "standard", "hard", "extreme")
		} else if given["hal"] {
			levels = []string{of.hal} // refused below
		}
		for _, rules := range open("rules", of.rules, "base", "advanced") {
			for _, edition := range open("edition", of.edition, "revised", "first") {
				for _, hal := range levels {
					su, err := simSetup(GameFlags{rules: rules, edition: edition, hal: hal, Set: of.Set}, n, bots)
					if err != nil {
						return nil, err
					}
					out = append(out, su)
				}
			}
		}
	}
	return out, nil
}

// run plays the games of every setup, in order, and prints them with -json. Then it writes
// the reports. If the user interrupts it, the reports are about the games so far.
func (s *simulation) run(ctx context.Context, stdout io.Writer, p *progress) error {
	defer p.end()
	out := bufio.NewWriter(stdout)
	var runs []sim.Figures
	played := 0
	var err error
	for _, su := range s.setups {
		series := su.Series()
		err = s.play(ctx, su, series, out, p)
		played += series.Games()
		if err != nil && !errors.Is(err, context.Canceled) {
			out.Flush()
			return err
		}
		runs = append(runs, series.Figures(s.games))
		if err != nil {
			break
		}
	}
	if e := cli.BadEnvironment(out.Flush()); e != nil {
		return e
	}
	p.end()
	r := sim.NewReport(s.setups[0].Set, s.seed, err == nil, runs)
	for _, f := range s.reports {
		e := f.write(f, r)
		if e2 := f.Close(); e == nil {
			e = e2
		}
		if e != nil {
			return cli.BadEnvironment(fmt.Errorf("%s: %w", f.Name(), e))
		}
	}
	if err != nil {
		return cli.BadEnvironment(fmt.Errorf("stopped after %d of %d games; the report is about these", played, s.games*len(s.setups)))
	}
	return nil
}

// play plays the games of one setup. With -json it prints a line for each game and then a
// summary, also after an interruption.
func (s *simulation) play(ctx context.Context, su sim.Setup, series *sim.Series, out io.Writer, p *progress) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	summary := su.Summary()
	err := inOrder(ctx, s.games, s.workers, func(i int) (*sim.Result, error) {
		r, lines, err := su.Play(i, sim.Seed(s.seed, i))
		if err == nil && s.records != "" {
			err = writeRecord(su, i, sim.Seed(s.seed, i), lines, s.records)
		}
		return r, err
	}, func(r *sim.Result) error {
		series.Add(r)
		summary.Add(r)
		p.did()
		if !s.json {
			return nil
		}
		return cli.BadEnvironment(enc.Encode(r))
	})
	if s.json && (err == nil || errors.Is(err, context.Canceled)) {
		if e := enc.Encode(struct {
			Summary *sim.Summary `json:"summary"`
		}{summary}); e != nil {
			return cli.BadEnvironment(e)
		}
	}
	return err
}

// inOrder calls do(1) … do(n), at most workers of them at the same time, and
// take with each result in order. It stops at the first error, and with
// ctx.Err() when ctx ends.
func inOrder[T any](ctx context.Context, n, workers int, do func(i int) (T, error), take func(T) error) error {
	type done struct {
		value T
		err   error
	}
	stop := make(chan struct{})
	defer close(stop)
	pending := make(chan chan done, workers-1)
	go func() {
		defer close(pending)
		for i := 1; i <= n; i++ {
			c := make(chan done, 1)
			select {
			case <-stop:
				return
			case pending <- c:
			}
			go func() {
				value, err := do(i)
				c <- done{value, err}
			}()
		}
	}()
	for c := range pending {
		var d done
		select {
		case <-ctx.Done():
			return ctx.Err()
		case d = <-c:
		}
		if d.err != nil {
			return d.err
		}
		if err := take(d.value); err != nil {
			return err
		}
	}
	return nil
}

// writeRecord writes a game as export would.
func writeRecord(su sim.Setup, i int, seed [32]byte, lines []game.Line, dir string) (err error) {
	rec, err := su.Record(i, seed, lines)
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, rec.Game+".json"))
	if err != nil {
		return cli.BadEnvironment(err)
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = cli.BadEnvironment(e)
		}
	}()
	if err := rec.Write(f); err != nil {
		return cli.BadEnvironment(fmt.Errorf("%s: %w", f.Name(), err))
	}
	return nil
}
