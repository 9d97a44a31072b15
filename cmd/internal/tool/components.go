package tool

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"angelpost/cmd/internal/cli"
	"angelpost/engine/component"
	"angelpost/templates"
	"angelpost/templates/words"
	"angelpost/web"
)

// componentCommands are what can be done with a set before games are played
// with it.
var componentCommands = []struct {
	name, does string
	run        func(args []string, stdout, stderr io.Writer) int
}{
	{"check", "list every fault of a set's files, or print its name and hash; warn of unusual values", runCheck},
	{"print", "write a page that shows everything in a set, drawn and in words", runPrint},
	{"diff", "list the values that differ between two sets", runDiff},
}

// RunComponents is the main function of components, with all its verbs.
func RunComponents(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		for _, c := range componentCommands {
			if c.name == args[0] {
				return c.run(args[1:], stdout, stderr)
			}
		}
	}
	usage, code := stderr, cli.ExitUsage
	if len(args) > 0 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help" || args[0] == "help") {
		code = cli.ExitYes
	} else if len(args) > 0 {
		fmt.Fprintf(stderr, "angelpost components: there is no command %.40q.\n\n", args[0])
	}
	fmt.Fprintln(usage, "Usage of angelpost components:")
	for _, c := range componentCommands {
		fmt.Fprintf(usage, "  %-6s %s\n", c.name, c.does)
	}
	return code
}

func runCheck(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("components check", "DIRECTORY", stderr)
	if code := cli.Parse(fs, args, 1); code != cli.GoOn {
		return code
	}
	if fs.NArg() != 1 {
		return cli.Exit(stderr, "components check", cli.BadUsage("use: angelpost components check DIRECTORY"))
	}
	r := component.BuiltIn(fs.Arg(0))
	var err error
	if missing := cli.MissingSet(fs.Arg(0)); missing == nil {
		r, err = component.Check(fs.Arg(0))
	} else if r == nil {
		return cli.Exit(stderr, "components check", missing)
	}
	for _, p := range r.Faults {
		fmt.Fprintln(stdout, p)
	}
	for _, p := range r.Warnings {
		fmt.Fprintf(stderr, "warning: %v\n", p)
	}
	switch {
	case err != nil:
		return cli.Exit(stderr, "components check", cli.BadUsage("%s: %w", fs.Arg(0), err))
	case len(r.Faults) > 0:
		return cli.ExitNo
	}
	if own := component.BuiltIn(r.Set.Name); own != nil && own.Set.Hash != r.Set.Hash {
		fmt.Fprintf(stderr, "angelpost components check: %q is the name of the built-in set, which has other values; rename the folder, or no server will play with it\n", r.Set.Name)
	}
	if _, err := fmt.Fprintf(stdout, "ok set=%s hash=%s\n", r.Set.Name, r.Set.Hash); err != nil {
		return cli.Exit(stderr, "components check", cli.BadEnvironment(err))
	}
	return cli.ExitYes
}

// namedSet is the built-in set by its name, or the set in a directory, which a
// path with a slash always is.
func namedSet(name string) (*component.Report, error) {
	if r := component.BuiltIn(name); r != nil {
		return r, nil
	}
	if err := cli.MissingSet(name); err != nil {
		return nil, err
	}
	r, err := component.Check(name)
	if err == nil && len(r.Faults) > 0 {
		err = r.Faults
	}
	if err != nil {
		return nil, cli.BadUsage("component set %s: %w", name, err)
	}
	return r, nil
}

func runDiff(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("components diff", "A B", stderr)
	if code := cli.Parse(fs, args, 2); code != cli.GoOn {
		return code
	}
	if fs.NArg() != 2 {
		return cli.Exit(stderr, "components diff", cli.BadUsage("use: angelpost components diff A B, each a directory, or %s for the built-in set", component.DefaultName))
	}
	a, errA := namedSet(fs.Arg(0))
	b, errB := namedSet(fs.Arg(1))
	if err := errors.Join(errA, errB); err != nil {
		return cli.Exit(stderr, "components diff", err)
	}
	lines := component.Diff(a.Set, b.Set)
	if len(lines) == 0 {
		if a.Set.Hash != b.Set.Hash {
			fmt.Fprintln(stderr, "angelpost components diff: all values are the same, but the wording differs (\"resource\" and \"resources\"), which changes the hash")
		}
		return cli.ExitYes
	}
	if _, err := io.WriteString(stdout, strings.Join(lines, "\n")+"\n"); err != nil {
		return cli.Exit(stderr, "components diff", cli.BadEnvironment(err))
	}
	return cli.ExitNo
}

func runPrint(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("components print", "[SET]", stderr)
	dir := fs.String("set", component.DefaultName, "`DIRECTORY` of the component set, or "+component.DefaultName+" for the built-in one; SET says the same")
	path := fs.String("o", "", "`FILE` to write; default standard output")
	if code := cli.Parse(fs, args, 1); code != cli.GoOn {
		return code
	}
	if fs.NArg() == 1 {
		*dir = fs.Arg(0)
	}
	r, err := namedSet(*dir)
	if err != nil {
		return cli.Exit(stderr, "components print", err)
	}
	var page bytes.Buffer
	if err := templates.WriteComponents(&page, words.English(), r, web.StyleSheet()); err != nil {
		return cli.Exit(stderr, "components print", err)
	}
	if *path == "" {
		_, err = stdout.Write(page.Bytes())
	} else {
		err = os.WriteFile(*path, page.Bytes(), 0o644)
	}
	return cli.Exit(stderr, "components print", cli.BadEnvironment(err))
}
