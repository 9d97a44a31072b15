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
	"time"
	"unicode"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
	"angelpost/db"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// The commands by which a host looks at a server: status, games, players, letters and
// `letter show`. They only read, also beside a server at work. What strangers may have
// written is quoted, so that none of it looks like a line of ours or steers a terminal.

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

// A gameList is what games prints.
type gameList struct {
	Schema int       `json:"schema"`
	Games  []gameRow `json:"games"`
}

type gameRow struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	State      string     `json:"state"`
	Visibility string     `json:"visibility"`
	League     string     `json:"league"`
	Lines      int        `json:"lines"`
	Created    *time.Time `json:"created"`
	Changed    *time.Time `json:"changed"`
	Paused     *time.Time `json:"paused"`
	Seats      []seatRow  `json:"seats"`
}

type seatRow struct {
	Seat     int        `json:"seat"`
	Name     string     `json:"name"`
	Address  string     `json:"address"`
	Bot      string     `json:"bot"`
	Stage    string     `json:"stage"`
	Deadline *time.Time `json:"deadline"`
}

func (l gameList) Lines() (out []string) {
	for _, g := range l.Games {
		var who []string
		for _, s := range g.Seats {
			who = append(who, fmt.Sprintf("%q", s.Name))
		}
		line := fmt.Sprintf("%s, %s, %d lines, changed %s: %s", g.ID, g.State, g.Lines, server.Told(g.Changed), strings.Join(who, ", "))
		if g.Name != "" {
			line += fmt.Sprintf(" (%q)", g.Name)
		}
		if g.Paused != nil {
			line += ", paused since " + server.Told(g.Paused)
		}
		out = append(out, line)
	}
	return out
}

// gameStates are what games takes.
var gameStates = []string{store.GameRunning, store.GameInvited, store.GameFinished, store.GameCancelled, store.GameAbandoned, store.GameAdjudicated, store.GameVoid, "all"}

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
	out := gameList{Schema: 1, Games: []gameRow{}}
	for after := ""; ; {
		n := 0
		err := s.DB.View(ctx, func(tx store.Tx) error {
			games, err := tx.AllGames(state, after, server.SurveyPage)
			if err != nil {
				return err
			}
			n = len(games)
			ids := make([]string, n)
			for i, g := range games {
				ids[i] = g.ID
			}
			seats, err := tx.SeatsOf(ids)
			if err != nil {
				return err
			}
			var people []int64
			for _, of := range seats {
				for _, x := range of {
					people = append(people, x.Player)
				}
			}
			players, err := tx.Players(people)
			if err != nil {
				return err
			}
			for _, g := range games {
				after = g.ID
				row := gameRow{ID: g.ID, Name: g.Name, State: g.State, Visibility: g.Visibility, League: g.League, Lines: g.Steps,
					Created: server.Moment(g.Created), Changed: server.Moment(g.Changed), Paused: server.Moment(g.Paused), Seats: []seatRow{}}
				for _, x := range seats[g.ID] {
					row.Seats = append(row.Seats, seatRow{x.Seat, x.Name, players[x.Player].Address, x.Bot, x.Stage, server.Moment(x.Deadline)})
				}
				out.Games = append(out.Games, row)
			}
			return nil
		})
		if err != nil {
			return nil, cli.BadEnvironment(err)
		}
		if n < server.SurveyPage {
			return out, nil
		}
	}
}

// A playerList is what players prints.
type playerList struct {
	Schema  int         `json:"schema"`
	Players []playerRow `json:"players"`
}

type playerRow struct {
	ID       int64      `json:"id"`
	Name     string     `json:"name"`
	Address  string     `json:"address"`
	Answered bool       `json:"answered"` // at least one of our letters
	Created  *time.Time `json:"created"`
	Running  int        `json:"games_running"`
	LastMail *time.Time `json:"last_letter"`
	Bounced  *time.Time `json:"bounced"`
}

func (l playerList) Lines() (out []string) {
	for _, p := range l.Players {
		line := fmt.Sprintf("%d %s %q: games under way: %d, last letter: %s", p.ID, p.Address, p.Name, p.Running, server.Told(p.LastMail))
		if p.Bounced != nil {
			line += ", letters come back since " + server.Told(p.Bounced)
		}
		out = append(out, line)
	}
	return out
}

// LookPlayers is what players prints.
func LookPlayers(ctx context.Context, s *server.Server, _ []string) (survey, error) {
	out := playerList{Schema: 1, Players: []playerRow{}}
	for after := int64(0); ; {
		guests, err := s.DB.Guests(ctx, after, server.SurveyPage)
		if err != nil {
			return nil, cli.BadEnvironment(err)
		}
		for _, g := range guests {
			after = g.ID
			out.Players = append(out.Players, playerRow{g.ID, g.Name, g.Address, g.Registered, server.Moment(g.Created), g.Running, server.Moment(g.LastMail), server.Moment(g.Bounced)})
		}
		if len(guests) < server.SurveyPage {
			return out, nil
		}
	}
}

// LookLetters is what letters prints: those in the state that args name, or in any.
func LookLetters(ctx context.Context, s *server.Server, args []string) (survey, error) {
	state := strings.Join(args, "")
	if len(args) > 0 && !slices.ContainsFunc(server.LetterStates, func(l server.LetterState) bool { return l.State == state }) {
		return nil, cli.BadUsage("%.40q is none of aside, queued, held, failed", state)
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

	Condensed bool `json:"condensed"` // Raw is what we keep of it: without what it quotes of our letter
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
