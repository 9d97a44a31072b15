package host

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
	"angelpost/mail/letter"
)

// Blocking is the main function of block and unblock, which print what is blocked then.
func Blocking(name string, do func(ctx context.Context, s *server.Server, what string) (changed bool, err error)) func([]string, io.Writer, io.Writer) int {
	return func(args []string, stdout, stderr io.Writer) int {
		fs := cli.Flags(name, "[ADDRESS|DOMAIN]", stderr)
		path := cli.ConfigFlag(fs)
		asJSON := fs.Bool("json", false, "print JSON")
		if code := cli.Parse(fs, args, 1); code != cli.GoOn {
			return code
		}
		what := ""
		if fs.NArg() == 1 {
			if what = blockable(fs.Arg(0)); what == "" {
				return cli.Exit(stderr, name, cli.BadUsage("%.80q is neither an address nor a domain", fs.Arg(0)))
			}
		}
		ctx, stop := cli.UntilStopped()
		defer stop()
		s, err := server.Beside(ctx, *path, stderr)
		if err != nil {
			return cli.Exit(stderr, name, err)
		}
		defer s.Close()
		code := cli.ExitYes
		if what != "" {
			changed, err := do(ctx, s, what)
			if err != nil {
				return cli.Exit(stderr, name, cli.BadEnvironment(err))
			}
			if !changed {
				fmt.Fprintf(stderr, "angelpost %s: nothing changes for %s\n", name, what)
				code = cli.ExitNo
			} else {
				tellBack(fs, map[string]string{"block": "unblock", "unblock": "block"}[name], what)
			}
		}
		blocks, err := s.DB.Blocks(ctx)
		if err != nil {
			return cli.Exit(stderr, name, cli.BadEnvironment(err))
		}
		list := blockList{Schema: 1, Blocked: []blockRow{}}
		for _, b := range blocks {
			list.Blocked = append(list.Blocked, blockRow{b.What, server.Moment(b.Since)})
		}
		if err := printSurvey(stdout, list, *asJSON); err != nil {
			return cli.Exit(stderr, name, cli.BadEnvironment(err))
		}
		return code
	}
}

// blockable is an address or a domain in the form in which addresses are compared; "" for
// what is neither.
func blockable(what string) string {
	if strings.Contains(what, "@") {
		return cmp.Or(server.NormalizeAddress(what), letter.ForeignAddress(what))
	}
	_, domain, _ := strings.Cut(server.NormalizeAddress("a@"+what), "@")
	return domain
}

// A blockList is what block and unblock print.
type blockList struct {
	Schema  int        `json:"schema"`
	Blocked []blockRow `json:"blocked"`
}

type blockRow struct {
	What  string     `json:"what"`
	Since *time.Time `json:"since"`
}

func (l blockList) Lines() (out []string) {
	for _, b := range l.Blocked {
		out = append(out, fmt.Sprintf("%s, since %s", b.What, server.Told(b.Since)))
	}
	return out
}

// Block blocks an address or a domain, and reports whether it was not blocked before.
func Block(ctx context.Context, s *server.Server, what string) (bool, error) {
	return s.DB.Block(ctx, what, s.Now())
}

// Unblock takes that back, and reports whether it was blocked.
func Unblock(ctx context.Context, s *server.Server, what string) (bool, error) {
	return s.DB.Unblock(ctx, what)
}
