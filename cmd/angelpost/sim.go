package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"angelpost/engine/bot"
	"angelpost/engine/match"
	"angelpost/engine/sim"
)

// runSim lets bots play games and prints one JSON line a game, in order, and a
// summary (CONTRACT.md, sim). What it prints does not depend on -workers.
func runSim(args []string, stdout, stderr io.Writer) int {
	fs := flags("sim", "", stderr)
	asJSON := fs.Bool("json", false, "print JSON Lines; there is no other form yet")
	players := fs.Int("players", 4, "how many players")
	games := fs.Int("games", 1, "how many games")
	seed := fs.String("seed", "1", "game i has the seed SHA-256(`SEED` \"/\" i)")
	bots := fs.String("bot", bot.Greedy, "bots by seat, `NAME[,NAME…]`, in turn if there are fewer: "+strings.Join(bot.Names(), ", "))
	var of gameFlags
	of.add(fs)
	workers := fs.Int("workers", 1, "games played at the same time")
	records := fs.String("records", "", "`DIRECTORY` to write each game's record into, as sim-1.json and so on")
	if code := parse(fs, args, 0); code != goOn {
		return code
	}
	su, err := simSetup(of, *players, *bots)
	switch {
	case err != nil:
	case !*asJSON:
		err = badUsage("use: angelpost sim -players N -games K -seed SEED -json")
	case *games < 1:
		err = badUsage("-games %d: want at least 1", *games)
	case *workers < 1 || *workers > 1024:
		err = badUsage("-workers %d: want 1 to 1024", *workers)
	case *records != "":
		err = badEnvironment(os.MkdirAll(*records, 0o755))
	}
	if err != nil {
		return exit(stderr, "sim", err)
	}
	return exit(stderr, "sim", simulate(su, *seed, *games, *workers, *records, stdout))
}

// simSetup checks the options of the games to play.
func simSetup(of gameFlags, players int, bots string) (su sim.Setup, err error) {
	if su.Set, su.Options, err = of.check(players); err != nil {
		return su, err
	}
	names := strings.Split(bots, ",")
	if len(names) > players {
		return su, badUsage("-bot: %d bots for %d players", len(names), players)
	}
	for _, name := range names {
		if _, err := bot.New(name, ""); err != nil {
			return su, badUsage("-bot: %w", err)
		}
	}
	for k := range players {
		su.Bots = append(su.Bots, names[k%len(names)])
	}
	return su, nil
}

// simulate plays the games and prints them as they are done, in order.
func simulate(su sim.Setup, seed string, games, workers int, records string, stdout io.Writer) error {
	out := bufio.NewWriter(stdout)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	summary := su.Summary()
	err := inOrder(games, workers, func(i int) (*sim.Result, error) {
		r, lines, err := su.Play(i, sim.Seed(seed, i))
		if err == nil && records != "" {
			err = writeRecord(su, i, sim.Seed(seed, i), lines, records)
		}
		return r, err
	}, func(r *sim.Result) error {
		summary.Add(r)
		return badEnvironment(enc.Encode(r))
	})
	if err != nil {
		out.Flush()
		return err
	}
	if err := enc.Encode(struct {
		Summary *sim.Summary `json:"summary"`
	}{summary}); err != nil {
		return badEnvironment(err)
	}
	return badEnvironment(out.Flush())
}

// inOrder calls do(1) … do(n), at most workers of them at the same time, and
// take with each result in order. It stops at the first error.
func inOrder[T any](n, workers int, do func(i int) (T, error), take func(T) error) error {
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
		d := <-c
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
func writeRecord(su sim.Setup, i int, seed [32]byte, lines []match.Line, dir string) (err error) {
	rec, err := su.Record(i, seed, lines)
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, rec.Game+".json"))
	if err != nil {
		return badEnvironment(err)
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = badEnvironment(e)
		}
	}()
	if err := rec.Write(f); err != nil {
		return badEnvironment(fmt.Errorf("%s: %w", f.Name(), err))
	}
	return nil
}
