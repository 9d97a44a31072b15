package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
	"angelpost/engine/match/desk"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// The commands by which a host manages players: announce and player. They also work while
// the server runs.

// An announcement is what announce prints.
type announcement struct {
	Schema  int  `json:"schema"`
	Players int  `json:"players"` // who get the letter
	Sent    bool `json:"sent"`
}

func (a announcement) Lines() []string {
	if !a.Sent {
		return []string{fmt.Sprintf("The letter would go to active players: %d. To send it, add -yes.", a.Players)}
	}
	return []string{fmt.Sprintf("Letters queued: %d.", a.Players)}
}

// RunAnnounce is the main function of announce.
func RunAnnounce(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("announce", "TEXT|-", stderr)
	path := cli.ConfigFlag(fs)
	yes := fs.Bool("yes", false, "send it")
	asJSON := fs.Bool("json", false, "print JSON")
	if code := cli.Parse(fs, args, len(args)); code != cli.GoOn {
		return code
	}
	if fs.NArg() == 0 {
		return cli.Exit(stderr, "announce", cli.BadUsage("use: angelpost announce [-yes] TEXT, or - to read the text from standard input"))
	}
	text := strings.Join(fs.Args(), " ")
	if text == "-" {
		b, err := io.ReadAll(io.LimitReader(os.Stdin, order.MaxText+1))
		if err != nil {
			return cli.Exit(stderr, "announce", cli.BadEnvironment(err))
		}
		text = strings.TrimSpace(string(b))
	}
	ctx, stop := cli.UntilStopped()
	defer stop()
	s, err := server.Beside(ctx, *path, stderr)
	if err != nil {
		return cli.Exit(stderr, "announce", err)
	}
	defer s.Close()
	n, err := s.Desk.Announce(ctx, text, !*yes)
	if err != nil {
		return cli.Exit(stderr, "announce", peopleError(err))
	}
	if err := printSurvey(stdout, announcement{1, n, *yes}, *asJSON); err != nil {
		return cli.Exit(stderr, "announce", cli.BadEnvironment(err))
	}
	if !*yes {
		return cli.ExitNo
	}
	return cli.ExitYes
}

// peopleError is an error of the desk's with the exit code that it means.
func peopleError(err error) error {
	if errors.Is(err, desk.ErrRefused) || errors.Is(err, store.ErrNotFound) {
		return cli.AnsweredNo(err)
	}
	return cli.BadEnvironment(err)
}

// playerCommands are the subcommands of player, each with what it does to a player (an
// address, a number or a name).
var playerCommands = []struct {
	name, words string
	do          func(ctx context.Context, s *server.Server, args []string, yes bool) (survey, error)
}{
	{"rename", "PLAYER NAME...", func(ctx context.Context, s *server.Server, args []string, yes bool) (survey, error) {
		was, p, err := s.Desk.RenamePlayer(ctx, args[0], args[1])
		back := []string{"player rename", strconv.FormatInt(p.ID, 10), was.Name}
		if was.Name == "" { // a name can't become empty again
			back = nil
		}
		return changed(p, err, back...)
	}},
	{"address", "OLD NEW", func(ctx context.Context, s *server.Server, args []string, yes bool) (survey, error) {
		was, p, err := s.Desk.MovePlayer(ctx, args[0], args[1])
		return changed(p, err, "player address", strconv.FormatInt(p.ID, 10), was.Address)
	}},
	{"export", "PLAYER", func(ctx context.Context, s *server.Server, args []string, yes bool) (survey, error) {
		data, err := s.Desk.ExportPlayer(ctx, args[0])
		return personalData(data), err
	}},
	{"erase", "PLAYER", func(ctx context.Context, s *server.Server, args []string, yes bool) (survey, error) {
		p, err := s.Desk.ErasePlayer(ctx, args[0], !yes)
		if err == nil && !yes {
			err = fmt.Errorf("%w: no one can undo this. To erase %s, write: angelpost player erase -yes %d", desk.ErrRefused, p.Address, p.ID)
		}
		return changed(p, err)
	}},
}

// personalData is what player export prints, always as JSON.
type personalData map[string]any

func (d personalData) Lines() []string {
	text, err := json.MarshalIndent(map[string]any(d), "", "  ")
	if err != nil { // it came from the database
		return []string{err.Error()}
	}
	return []string{string(text)}
}

// changed is a player as the host looks at them; back are the words of the command that takes the
// change back.
func changed(p store.Player, err error, back ...string) (survey, error) {
	return playerChange{1, p.ID, p.Name, p.Address, back}, err
}

type playerChange struct {
	Schema  int    `json:"schema"`
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	Address string `json:"address"`

	back []string // the arguments of the command that undoes it
}

func (p playerChange) Lines() []string {
	return []string{fmt.Sprintf("%d %s %q", p.ID, p.Address, p.Name)}
}

// RunPlayer is the main function of player, with all its verbs.
func RunPlayer(args []string, stdout, stderr io.Writer) int {
	var use []string
	for _, c := range playerCommands {
		use = append(use, c.name+" "+c.words)
		if len(args) == 0 || args[0] != c.name {
			continue
		}
		name, words := "player "+c.name, len(strings.Fields(c.words))
		most := words
		if strings.HasSuffix(c.words, "...") { // all words that are left
			most = len(args)
		}
		fs := cli.Flags(name, c.words, stderr)
		path := cli.ConfigFlag(fs)
		asJSON := fs.Bool("json", false, "print JSON")
		yes := fs.Bool("yes", false, "of erase: do it")
		if code := cli.Parse(fs, args[1:], most); code != cli.GoOn {
			return code
		}
		if fs.NArg() < words {
			return cli.Exit(stderr, name, cli.BadUsage("use: angelpost %s %s", name, c.words))
		}
		ctx, stop := cli.UntilStopped()
		defer stop()
		s, err := server.Beside(ctx, *path, stderr)
		if err != nil {
			return cli.Exit(stderr, name, err)
		}
		defer s.Close()
		found, err := c.do(ctx, s, append(fs.Args()[:words-1:words-1], strings.Join(fs.Args()[words-1:], " ")), *yes)
		if err != nil {
			return cli.Exit(stderr, name, peopleError(err))
		}
		if p, ok := found.(playerChange); ok && len(p.back) > 0 {
			tellBack(fs, p.back[0], p.back[1:]...)
		}
		return cli.Exit(stderr, name, cli.BadEnvironment(printSurvey(stdout, found, *asJSON)))
	}
	return cli.Exit(stderr, "player", cli.BadUsage("use: angelpost player %s", strings.Join(use, "\n  or: angelpost player ")))
}
