package server

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"
)

// blocking is the main function of block and unblock, which print what is blocked then.
func blocking(name string, do func(ctx context.Context, s *Server, what string) (changed bool, err error)) func([]string, io.Writer, io.Writer) int {
	return func(args []string, stdout, stderr io.Writer) int {
		fs := flags(name, "[ADDRESS|DOMAIN]", stderr)
		path := configFlag(fs)
		asJSON := fs.Bool("json", false, "print JSON")
		if code := parse(fs, args, 1); code != goOn {
			return code
		}
		what := ""
		if fs.NArg() == 1 {
			if what = blockable(fs.Arg(0)); what == "" {
				return exit(stderr, name, badUsage("%.80q is neither an address nor a domain", fs.Arg(0)))
			}
		}
		ctx, stop := untilStopped()
		defer stop()
		s, err := beside(ctx, *path, stderr)
		if err != nil {
			return exit(stderr, name, err)
		}
		defer s.Close()
		code := exitYes
		if what != "" {
			changed, err := do(ctx, s, what)
			if err != nil {
				return exit(stderr, name, badEnvironment(err))
			}
			if !changed {
				fmt.Fprintf(stderr, "angelpost %s: nothing changes for %s\n", name, what)
				code = exitNo
			}
		}
		blocks, err := s.DB.Blocks(ctx)
		if err != nil {
			return exit(stderr, name, badEnvironment(err))
		}
		list := blockList{Schema: 1, Blocked: []blockRow{}}
		for _, b := range blocks {
			list.Blocked = append(list.Blocked, blockRow{b.What, moment(b.Since)})
		}
		if err := printSurvey(stdout, list, *asJSON); err != nil {
			return exit(stderr, name, badEnvironment(err))
		}
		return code
	}
}

// blockable is an address or a domain in the form in which addresses are compared; "" for
// what is neither.
func blockable(what string) string {
	if strings.Contains(what, "@") {
		return normalizeAddress(what)
	}
	_, domain, _ := strings.Cut(normalizeAddress("a@"+what), "@")
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

func (l blockList) lines() (out []string) {
	for _, b := range l.Blocked {
		out = append(out, fmt.Sprintf("%s, since %s", b.What, told(b.Since)))
	}
	return out
}

func block(ctx context.Context, s *Server, what string) (bool, error) {
	return s.DB.Block(ctx, what, s.time.now())
}

func unblock(ctx context.Context, s *Server, what string) (bool, error) {
	return s.DB.Unblock(ctx, what)
}
