// Package tool has the commands that need no server: they work on records, component sets,
// letters in files, and simulated games.
package tool

import (
	"errors"
	"io"
	"os"

	"angelpost/cmd/internal/cli"
	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
)

// readRecord reads a record from a file, or from standard input for "-".
func readRecord(path string) (*game.Record, error) {
	f := os.Stdin
	if path != "-" {
		var err error
		if f, err = os.Open(path); err != nil {
			return nil, cli.BadUsage("%w", err)
		}
		defer f.Close()
	}
	rec, err := game.ReadRecord(f)
	if err != nil {
		return nil, cli.BadUsage("%s: %w", path, err)
	}
	return rec, nil
}

// ReadGame reads a record and the component set it was played with: the one in
// a directory, else the built-in one. A set with the record's hash is that set,
// whatever its directory is called; but one that was changed goes by the name it
// has.
func ReadGame(path, dir string) (*game.Record, *component.Set, error) {
	set, err := cli.OpenSet(dir)
	if err != nil {
		return nil, nil, err
	}
	rec, err := readRecord(path)
	if err != nil {
		return nil, nil, err
	}
	if set.Hash == rec.SetHash && set.Name != rec.Set && rec.Intact() {
		named := *set
		named.Name = rec.Set
		set = &named
	}
	return rec, set, nil
}

// BadRecord is a record that cannot be used, and what to do if it wants a
// component set, or later rules.
func BadRecord(path string, err error) error {
	if wrong := new(game.WrongSet); errors.As(err, &wrong) {
		return cli.BadUsage("%s: %w. Name the directory of that set with -set; angelpost components check prints a directory's name and hash", path, err)
	}
	if later := new(engine.UnknownVersion); errors.As(err, &later) {
		return cli.BadUsage("%s: %w. Use the release of Angelpost that wrote the record, or a later one", path, err)
	}
	return cli.BadUsage("%s: %w", path, err)
}

// RunShow is the main function of show.
func RunShow(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("show", "FILE", stderr)
	asJSON := fs.Bool("json", false, "print view.json (the only format)")
	at := fs.Int("at", -1, "the position after this line; default the last")
	seat := fs.Int("seat", 0, "whose view; 0 is the public")
	setPath := fs.String("set", "", "directory of the component set; default the built-in one")
	if code := cli.Parse(fs, args, 1); code != cli.GoOn {
		return code
	}
	if !*asJSON || fs.NArg() != 1 {
		return cli.Exit(stderr, "show", cli.BadUsage("use: angelpost show -json [-at N] [-seat S] FILE"))
	}
	rec, set, err := ReadGame(fs.Arg(0), *setPath)
	if err != nil {
		return cli.Exit(stderr, "show", err)
	}
	if *seat < 0 || *seat > rec.Options.Players {
		return cli.Exit(stderr, "show", cli.BadUsage("-seat %d: the game has seats 1 to %d", *seat, rec.Options.Players))
	}
	if *at > len(rec.Log) {
		return cli.Exit(stderr, "show", cli.BadUsage("-at %d: the record has %d lines", *at, len(rec.Log)))
	}
	g, err := game.Open(set, rec, *at)
	if err != nil {
		return cli.Exit(stderr, "show", BadRecord(fs.Arg(0), err))
	}
	return cli.Exit(stderr, "show", cli.PrintJSON(stdout, g.ViewJSON(engine.Seat(*seat), len(rec.Log))))
}
