package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
	"angelpost/db"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// The commands that show a host the state of a server: status, games, players, letters and
// `letter show`. They only read, and also work while the server runs. They quote what
// strangers may have written, so that none of it looks like a line of output or controls
// the terminal.

// A survey is what such a command prints: as JSON, or as lines.
type survey interface{ Lines() []string }

// toRead opens the server of a configuration for a command that only reads.
func toRead(ctx context.Context, path string, stderr io.Writer) (*server.Server, error) {
	c, err := server.LoadConfig(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(c.Path(c.Database)); err != nil {
		return nil, cli.BadEnvironment(fmt.Errorf("there is no database yet: %w", err))
	}
	return server.OpenWith(ctx, c, server.NewLog(stderr, slog.LevelWarn), db.OpenToRead)
}

// Surveying is the main function of a command that takes up to so many words and prints
// what look finds.
func Surveying(name, words string, most int, look func(context.Context, *server.Server, []string) (survey, error)) func([]string, io.Writer, io.Writer) int {
	return func(args []string, stdout, stderr io.Writer) int {
		fs := cli.Flags(name, words, stderr)
		path := cli.ConfigFlag(fs)
		asJSON := fs.Bool("json", false, "print JSON")
		if code := cli.Parse(fs, args, most); code != cli.GoOn {
			return code
		}
		ctx, stop := cli.UntilStopped()
		defer stop()
		s, err := toRead(ctx, *path, stderr)
		if err != nil {
			return cli.Exit(stderr, name, err)
		}
		defer s.Close()
		found, err := look(ctx, s, fs.Args())
		if errors.Is(err, store.ErrNotFound) {
			fmt.Fprintf(stderr, "angelpost %s: there is no such thing in %s\n", name, s.Conf.Path(s.Conf.Database))
			return cli.ExitNo
		}
		if err != nil {
			return cli.Exit(stderr, name, err)
		}
		return cli.Exit(stderr, name, cli.BadEnvironment(printSurvey(stdout, found, *asJSON)))
	}
}

func printSurvey(out io.Writer, found survey, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		return e.Encode(found)
	}
	for _, line := range found.Lines() {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}

// LookStatus is what status prints.
func LookStatus(ctx context.Context, s *server.Server, _ []string) (survey, error) {
	r, err := s.Status(ctx)
	return r, cli.BadEnvironment(err)
}

// LookGames is what games prints: those in the state that args name, or all.
func LookGames(ctx context.Context, s *server.Server, args []string) (survey, error) {
	state := store.GameRunning
	if len(args) > 0 {
		state = args[0]
	}
	if !slices.Contains(gameStates, state) {
		return nil, cli.BadUsage("%.40q is none of %s", state, strings.Join(gameStates, ", "))
	}
	if state == "all" {
		state = ""
	}
	out, err := s.GameList(ctx, state)
	return out, cli.BadEnvironment(err)
}

// gameStates are what games takes.
var gameStates = []string{store.GameRunning, store.GameInvited, store.GameFinished, store.GameCancelled, store.GameAbandoned, store.GameAdjudicated, store.GameVoid, "all"}

// LookPlayers is what players prints.
func LookPlayers(ctx context.Context, s *server.Server, _ []string) (survey, error) {
	out, err := s.PlayerList(ctx)
	return out, cli.BadEnvironment(err)
}

// LookLetters is what letters prints: those in the state that args name, or in any.
func LookLetters(ctx context.Context, s *server.Server, args []string) (survey, error) {
	state := strings.Join(args, "")
	if len(args) > 0 && !slices.ContainsFunc(server.LetterStates, func(l server.LetterState) bool { return l.State == state }) {
		return nil, cli.BadUsage("%.40q is none of aside, queued, held, failed, dropped", state)
	}
	out, err := s.LetterList(ctx, state)
	return out, cli.BadEnvironment(err)
}

// letterID reads in12 and out34.
func letterID(s string) (in bool, id int64, err error) {
	digits, in := strings.CutPrefix(s, "in")
	if !in {
		digits, _ = strings.CutPrefix(s, "out")
	}
	id, err = strconv.ParseInt(digits, 10, 64)
	if err != nil || id < 1 || digits == s {
		return false, 0, cli.BadUsage("%.40q is not a letter's id, such as in12 or out34", s)
	}
	return in, id, nil
}

// A letterReport is what `letter show` prints.
type letterReport struct {
	Schema int `json:"schema"`
	server.LetterRow
	Subject string `json:"subject"`
	Text    string `json:"text"` // of a letter out
	Raw     string `json:"raw"`  // of a letter in, while we have it

	Condensed bool `json:"condensed"` // Raw is without the text that the letter quotes from ours
}

func (r letterReport) Lines() []string {
	out := []string{r.Line()}
	if r.Subject != "" {
		out = append(out, fmt.Sprintf("subject: %q", r.Subject))
	}
	return append(out, "", printable(r.Text+r.Raw))
}

// printable leaves out what steers a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return -1
		case r != '\n' && r != '\t' && !unicode.IsGraphic(r):
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

func lookLetter(ctx context.Context, s *server.Server, args []string) (survey, error) {
	if len(args) != 1 {
		return nil, cli.BadUsage("use: angelpost letter show ID")
	}
	in, id, err := letterID(args[0])
	if err != nil {
		return nil, err
	}
	out := letterReport{Schema: 1}
	if in {
		err = s.DB.View(ctx, func(tx store.Tx) error {
			l, err := tx.Letter(id)
			out.LetterRow, out.Raw, out.Condensed = server.RowIn(l), string(l.Raw), l.Condensed
			return err
		})
		return out, notFoundOr(err)
	}
	p, err := s.DB.Posted(ctx, id)
	if err != nil {
		return nil, notFoundOr(err)
	}
	var m notice.Message
	err = s.DB.View(ctx, func(tx store.Tx) (err error) {
		m, err = tx.Message(id)
		return err
	})
	if err != nil {
		return nil, notFoundOr(err)
	}
	sheet, err := s.Desk.Host().Input(ctx, m)
	if err != nil {
		return nil, cli.BadEnvironment(err)
	}
	body, err := s.Body(sheet)
	out.LetterRow, out.Subject, out.Text = server.RowOut(p), body.Subject, body.Text
	return out, cli.BadEnvironment(err)
}

func notFoundOr(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return err
	}
	return cli.BadEnvironment(err)
}

// letterCommands are the subcommands of letter.
var letterCommands = map[string]func(args []string, stdout, stderr io.Writer) int{
	"show":   Surveying("letter show", "ID", 1, lookLetter),
	"resend": dealing("resend", resendLetter),
	"drop":   dealing("drop", dropLetter),
	"replay": dealing("replay", replayLetter),
}

// RunLetter is the main function of letter, with all its verbs.
func RunLetter(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && letterCommands[args[0]] != nil {
		return letterCommands[args[0]](args[1:], stdout, stderr)
	}
	return cli.Exit(stderr, "letter", cli.BadUsage("use: angelpost letter show|resend|drop|replay ID, where ID is one of `angelpost letters`, such as in12 or out34"))
}
