package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
)

// openSet returns the built-in component set for its name, which a path with a
// slash never is, and for "", or else the set in a directory.
func openSet(path string) (*component.Set, error) {
	if path == "" {
		return component.Default(), nil
	}
	if r := component.BuiltIn(path); r != nil {
		return r.Set, nil
	}
	if err := missingSet(path); err != nil {
		return nil, err
	}
	set, err := component.Open(path)
	if err != nil {
		return nil, badUsage("%w", err)
	}
	return set, nil
}

// missingSet says that there is nothing at the path of a set, where reading it
// would say so of each of its files.
func missingSet(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return badUsage("component set %s: there is no such directory, and the built-in set is called %s", path, component.DefaultName)
}

// readRecord reads a record from a file, or from standard input for "-".
func readRecord(path string) (*game.Record, error) {
	f := os.Stdin
	if path != "-" {
		var err error
		if f, err = os.Open(path); err != nil {
			return nil, badUsage("%w", err)
		}
		defer f.Close()
	}
	rec, err := game.ReadRecord(f)
	if err != nil {
		return nil, badUsage("%s: %w", path, err)
	}
	return rec, nil
}

// readGame reads a record and the component set it was played with: the one in
// a directory, else the built-in one. A set with the record's hash is that set,
// whatever its directory is called; but one that was changed goes by the name it
// has.
func readGame(path, dir string) (*game.Record, *component.Set, error) {
	set, err := openSet(dir)
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

// badRecord is a record that cannot be used, and what to do if it wants a
// component set.
func badRecord(path string, err error) error {
	if wrong := new(game.WrongSet); errors.As(err, &wrong) {
		return badUsage("%s: %w. Name the directory of that set with -set; angelpost components check prints a directory's name and hash", path, err)
	}
	return badUsage("%s: %w", path, err)
}

func runVerify(args []string, stdout, stderr io.Writer) int {
	fs := flags("verify", "FILE", stderr)
	all := fs.Bool("all", false, "replay every stored game instead of a file")
	path := fs.String("config", "", "the configuration, with -all")
	setPath := fs.String("set", "", "directory of the component set; default the built-in one")
	if code := parse(fs, args, 1); code != goOn {
		return code
	}
	if *all {
		if fs.NArg() > 0 {
			return exit(stderr, "verify", badUsage("use -all without a file"))
		}
		return verifyAll(*path, stdout, stderr)
	}
	if fs.NArg() != 1 {
		return exit(stderr, "verify", badUsage("name one file, or - for standard input"))
	}
	rec, set, err := readGame(fs.Arg(0), *setPath)
	if err != nil {
		return exit(stderr, "verify", err)
	}
	diff, err := game.Verify(rec, set)
	switch {
	case err != nil:
		return exit(stderr, "verify", badRecord(fs.Arg(0), err))
	case diff != nil:
		fmt.Fprintln(stdout, diff)
		return exitNo
	}
	fmt.Fprintln(stdout, rec.Summary())
	return exitYes
}

func runShow(args []string, stdout, stderr io.Writer) int {
	fs := flags("show", "FILE", stderr)
	asJSON := fs.Bool("json", false, "print view.json (the only format)")
	at := fs.Int("at", -1, "the position after this line; default the last")
	seat := fs.Int("seat", 0, "whose view; 0 is the public")
	setPath := fs.String("set", "", "directory of the component set; default the built-in one")
	if code := parse(fs, args, 1); code != goOn {
		return code
	}
	if !*asJSON || fs.NArg() != 1 {
		return exit(stderr, "show", badUsage("use: angelpost show -json [-at N] [-seat S] FILE"))
	}
	rec, set, err := readGame(fs.Arg(0), *setPath)
	if err != nil {
		return exit(stderr, "show", err)
	}
	if *seat < 0 || *seat > rec.Options.Players {
		return exit(stderr, "show", badUsage("-seat %d: the game has seats 1 to %d", *seat, rec.Options.Players))
	}
	if *at > len(rec.Log) {
		return exit(stderr, "show", badUsage("-at %d: the record has %d lines", *at, len(rec.Log)))
	}
	g, err := game.Open(set, rec, *at)
	if err != nil {
		return exit(stderr, "show", badRecord(fs.Arg(0), err))
	}
	return exit(stderr, "show", printJSON(stdout, g.ViewJSON(engine.Seat(*seat), len(rec.Log))))
}

// printJSON writes one value as one line.
func printJSON(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return errors.Join(errors.New("cannot write JSON"), err)
	}
	_, err = fmt.Fprintf(w, "%s\n", b)
	return badEnvironment(err)
}
