package host

import (
	"context"
	"fmt"
	"io"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/tool"
	"angelpost/engine/game"
	"angelpost/engine/match/look"
)

// RunVerify is the main function of verify.
func RunVerify(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("verify", "FILE", stderr)
	all := fs.Bool("all", false, "replay every stored game instead of a file")
	path := fs.String("config", "", "the configuration, with -all")
	setPath := fs.String("set", "", "directory of the component set; default the built-in one")
	if code := cli.Parse(fs, args, 1); code != cli.GoOn {
		return code
	}
	if *all {
		if fs.NArg() > 0 {
			return cli.Exit(stderr, "verify", cli.BadUsage("use -all without a file"))
		}
		return verifyAll(*path, stdout, stderr)
	}
	if fs.NArg() != 1 {
		return cli.Exit(stderr, "verify", cli.BadUsage("name one file, or - for standard input"))
	}
	rec, set, err := tool.ReadGame(fs.Arg(0), *setPath)
	if err != nil {
		return cli.Exit(stderr, "verify", err)
	}
	diff, err := game.Verify(rec, set)
	switch {
	case err != nil:
		return cli.Exit(stderr, "verify", tool.BadRecord(fs.Arg(0), err))
	case diff != nil:
		fmt.Fprintln(stdout, diff)
		return cli.ExitNo
	}
	fmt.Fprintln(stdout, rec.Summary())
	return cli.ExitYes
}

func verifyAll(path string, stdout, stderr io.Writer) int {
	ctx := context.Background()
	s, err := toRead(ctx, path, stderr)
	if err != nil {
		return cli.Exit(stderr, "verify", err)
	}
	defer s.Close()
	worst := cli.ExitYes
	err = s.Desk.Host().VerifyAll(ctx, func(c look.Check) error {
		var err error
		switch {
		case c.Err != nil:
			worst = max(worst, cli.ExitUsage)
			_, err = fmt.Fprintf(stdout, "unreadable game=%s state=%s %v\n", c.Game, c.State, c.Err)
		case c.Difference != nil:
			worst = max(worst, cli.ExitNo)
			_, err = fmt.Fprintf(stdout, "%v game=%s state=%s\n", c.Difference, c.Game, c.State)
		default:
			_, err = fmt.Fprintf(stdout, "ok game=%s lines=%d state=%s\n", c.Game, c.Lines, c.State)
		}
		return err
	})
	if err != nil {
		return cli.Exit(stderr, "verify", cli.BadEnvironment(err))
	}
	return worst
}
