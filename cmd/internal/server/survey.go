package server

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

	"angelpost/db"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// The commands by which a host looks at a server: status, games, players, letters and
// `letter show`. They only read, also beside a server at work. What strangers may have
// written is quoted, so that none of it looks like a line of ours or steers a terminal.

// A survey is what such a command prints: as JSON, or as lines.
type survey interface{ lines() []string }

// toRead opens the server of a configuration for a command that only reads.
func toRead(ctx context.Context, path string, stderr io.Writer) (*Server, error) {
	c, err := LoadConfig(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(c.Path(c.Database)); err != nil {
		return nil, badEnvironment(fmt.Errorf("there is no database yet: %w", err))
	}
	return openWith(ctx, c, newLog(stderr, slog.LevelWarn), db.OpenToRead)
}

// surveying is the main function of a command that takes up to so many words and prints
// what look finds.
func surveying(name, words string, most int, look func(context.Context, *Server, []string) (survey, error)) func([]string, io.Writer, io.Writer) int {
	return func(args []string, stdout, stderr io.Writer) int {
		fs := flags(name, words, stderr)
		path := configFlag(fs)
		asJSON := fs.Bool("json", false, "print JSON")
		if code := parse(fs, args, most); code != goOn {
			return code
		}
		ctx, stop := untilStopped()
		defer stop()
		s, err := toRead(ctx, *path, stderr)
		if err != nil {
			return exit(stderr, name, err)
		}
		defer s.Close()
		found, err := look(ctx, s, fs.Args())
		if errors.Is(err, store.ErrNotFound) {
			fmt.Fprintf(stderr, "angelpost %s: there is no such thing in %s\n", name, s.Conf.Path(s.Conf.Database))
			return exitNo
		}
		if err != nil {
			return exit(stderr, name, err)
		}
		return exit(stderr, name, badEnvironment(printSurvey(stdout, found, *asJSON)))
	}
}

func printSurvey(out io.Writer, found survey, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		return e.Encode(found)
	}
	for _, line := range found.lines() {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}

// moment is a time in JSON and in lines; nil and "never" for none.
func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC().Truncate(time.Second)
	return &t
}

func told(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return t.Format(time.RFC3339)
}

// A statusReport is what status prints.
type statusReport struct {
	Schema   int        `json:"schema"`
	Version  string     `json:"version"`
	Commit   string     `json:"commit"`
	Address  string     `json:"address"`
	Database string     `json:"database"`
	Bytes    int64      `json:"database_bytes"`
	AtWork   *time.Time `json:"at_work"` // when the server last wrote that it is
	LastIn   *time.Time `json:"last_letter"`
	Queued   int        `json:"queued"`
	Oldest   *time.Time `json:"oldest_queued"`
	Limits   string     `json:"sending_limits"` // and what was sent; "" any number may be
	New      int        `json:"new"`
	Held     int        `json:"held"`
	Aside    int        `json:"aside"`
	Running  int        `json:"games_running"`
	Players  int        `json:"players"`
	Alarms   []alarmRow `json:"alarms"`
}

type alarmRow struct {
	Kind    string     `json:"kind"`
	Since   *time.Time `json:"since"`
	Why     string     `json:"why"`
	Command string     `json:"command"` // that helps
}

func (r statusReport) lines() []string {
	queue := fmt.Sprintf("letters that wait to be sent: %d", r.Queued)
	if r.Oldest != nil {
		queue += ", the oldest since " + told(r.Oldest)
	}
	if r.Limits != "" {
		queue += "; " + r.Limits
	}
	out := []string{
		fmt.Sprintf("angelpost %s, commit %s", r.Version, r.Commit),
		"address: " + r.Address,
		fmt.Sprintf("database: %s, %d bytes", r.Database, r.Bytes),
		"the server was last at work: " + told(r.AtWork),
		"last letter received: " + told(r.LastIn),
		queue,
		fmt.Sprintf("letters not applied yet: %d", r.New),
		fmt.Sprintf("letters that wait for a confirmation: %d", r.Held),
		fmt.Sprintf("letters set aside: %d", r.Aside),
		fmt.Sprintf("games under way: %d", r.Running),
		fmt.Sprintf("players: %d", r.Players),
	}
	for _, a := range r.Alarms {
		out = append(out, fmt.Sprintf("ALARM %s, since %s: %q; %s", a.Kind, told(a.Since), a.Why, a.Command))
	}
	return out
}

func lookStatus(ctx context.Context, s *Server, _ []string) (survey, error) {
	r, err := s.status(ctx)
	return r, badEnvironment(err)
}

func (s *Server) status(ctx context.Context) (statusReport, error) {
	f, err := s.DB.Figures(ctx)
	if err != nil {
		return statusReport{}, err
	}
	beat, err := s.DB.Beaten(ctx)
	if err != nil {
		return statusReport{}, err
	}
	limits, err := s.sending(ctx, s.time.now())
	if err != nil {
		return statusReport{}, err
	}
	alarms, err := s.alarmRows(ctx)
	return statusReport{
		Schema: 1, Version: version, Commit: commit(), Address: s.Conf.Plain(), Database: s.Conf.Path(s.Conf.Database), Bytes: f.Size,
		AtWork: moment(beat), LastIn: moment(f.LastIn), Queued: f.Queued, Oldest: moment(f.OldestQueued), Limits: limits,
		New: f.New, Held: f.Held, Aside: f.Aside, Running: f.Running, Players: f.Players,
		Alarms: alarms,
	}, err
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

func (l gameList) lines() (out []string) {
	for _, g := range l.Games {
		var who []string
		for _, s := range g.Seats {
			who = append(who, fmt.Sprintf("%q", s.Name))
		}
		line := fmt.Sprintf("%s, %s, %d lines, changed %s: %s", g.ID, g.State, g.Lines, told(g.Changed), strings.Join(who, ", "))
		if g.Name != "" {
			line += fmt.Sprintf(" (%q)", g.Name)
		}
		if g.Paused != nil {
			line += ", paused since " + told(g.Paused)
		}
		out = append(out, line)
	}
	return out
}

// gameStates are what games takes.
var gameStates = []string{store.GameRunning, store.GameInvited, store.GameFinished, store.GameCancelled, store.GameAbandoned, store.GameAdjudicated, store.GameVoid, "all"}

// surveyPage is how many rows are read at once.
const surveyPage = 500

func lookGames(ctx context.Context, s *Server, args []string) (survey, error) {
	state := store.GameRunning
	if len(args) > 0 {
		state = args[0]
	}
	if !slices.Contains(gameStates, state) {
		return nil, badUsage("%.40q is none of %s", state, strings.Join(gameStates, ", "))
	}
	if state == "all" {
		state = ""
	}
	out := gameList{Schema: 1, Games: []gameRow{}}
	for after := ""; ; {
		n := 0
		err := s.DB.View(ctx, func(tx store.Tx) error {
			games, err := tx.AllGames(state, after, surveyPage)
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
					Created: moment(g.Created), Changed: moment(g.Changed), Paused: moment(g.Paused), Seats: []seatRow{}}
				for _, x := range seats[g.ID] {
					row.Seats = append(row.Seats, seatRow{x.Seat, x.Name, players[x.Player].Address, x.Bot, x.Stage, moment(x.Deadline)})
				}
				out.Games = append(out.Games, row)
			}
			return nil
		})
		if err != nil {
			return nil, badEnvironment(err)
		}
		if n < surveyPage {
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

func (l playerList) lines() (out []string) {
	for _, p := range l.Players {
		line := fmt.Sprintf("%d %s %q: games under way: %d, last letter: %s", p.ID, p.Address, p.Name, p.Running, told(p.LastMail))
		if p.Bounced != nil {
			line += ", letters come back since " + told(p.Bounced)
		}
		out = append(out, line)
	}
	return out
}

func lookPlayers(ctx context.Context, s *Server, _ []string) (survey, error) {
	out := playerList{Schema: 1, Players: []playerRow{}}
	for after := int64(0); ; {
		guests, err := s.DB.Guests(ctx, after, surveyPage)
		if err != nil {
			return nil, badEnvironment(err)
		}
		for _, g := range guests {
			after = g.ID
			out.Players = append(out.Players, playerRow{g.ID, g.Name, g.Address, g.Registered, moment(g.Created), g.Running, moment(g.LastMail), moment(g.Bounced)})
		}
		if len(guests) < surveyPage {
			return out, nil
		}
	}
}

// A letterList is what letters prints.
type letterList struct {
	Schema  int         `json:"schema"`
	Letters []letterRow `json:"letters"`
}

// A letterRow is a letter in or out, which its ID tells: in12, out34.
type letterRow struct {
	ID        string     `json:"id"`
	State     string     `json:"state"`
	Address   string     `json:"address"` // its writer or its reader
	Kind      string     `json:"kind"`
	Game      string     `json:"game"`
	MessageID string     `json:"message_id"`
	Date      *time.Time `json:"date"` // received or written
	Tries     int        `json:"tries"`
	Next      *time.Time `json:"next"` // try
	Why       string     `json:"why"`  // it is in that state
}

func (r letterRow) line() string {
	line := fmt.Sprintf("%s, %s, %s: %q, %s", r.ID, r.State, told(r.Date), r.Address, r.Kind)
	if r.Game != "" {
		line += ", game " + r.Game
	}
	if r.Next != nil {
		line += fmt.Sprintf(", %d tries, next %s", r.Tries, told(r.Next))
	}
	if r.Why != "" {
		line += fmt.Sprintf(": %q", r.Why)
	}
	return line
}

func (l letterList) lines() (out []string) {
	for _, r := range l.Letters {
		out = append(out, r.line())
	}
	return out
}

func rowIn(l store.Letter) letterRow {
	kind := string(l.Class)
	return letterRow{ID: store.InID(l.ID), State: l.State, Address: l.From, Kind: kind, MessageID: l.MessageID, Date: moment(l.Received), Tries: l.Attempts, Why: l.Why}
}

func rowOut(p db.Posted) letterRow {
	return letterRow{ID: store.OutID(p.ID), State: p.State, Address: p.To, Kind: p.Kind, Game: p.Game, MessageID: p.MessageID,
		Date: moment(p.Date), Tries: p.Tries, Next: moment(p.Next), Why: p.Error}
}

// A letterState is one that letters takes, and who lists its letters.
type letterState struct {
	state string
	list  func(context.Context, *Server) ([]letterRow, error)
}

var letterStates = []letterState{
	{store.LetterAside, listIn(store.LetterAside)},
	{store.OutQueued, listOut((*db.DB).Queue)},
	{store.LetterHeld, listIn(store.LetterHeld)},
	{store.OutFailed, listOut((*db.DB).GivenUp)},
}

func listIn(state string) func(context.Context, *Server) ([]letterRow, error) {
	return func(ctx context.Context, s *Server) (rows []letterRow, err error) {
		err = s.DB.View(ctx, func(tx store.Tx) error {
			letters, err := tx.Letters(state, surveyPage)
			for _, l := range letters {
				rows = append(rows, rowIn(l))
			}
			return err
		})
		return rows, err
	}
}

func listOut(list func(*db.DB, context.Context, int) ([]db.Posted, error)) func(context.Context, *Server) ([]letterRow, error) {
	return func(ctx context.Context, s *Server) (rows []letterRow, err error) {
		posted, err := list(s.DB, ctx, surveyPage)
		for _, p := range posted {
			rows = append(rows, rowOut(p))
		}
		return rows, err
	}
}

func lookLetters(ctx context.Context, s *Server, args []string) (survey, error) {
	state := strings.Join(args, "")
	if len(args) > 0 && !slices.ContainsFunc(letterStates, func(l letterState) bool { return l.state == state }) {
		return nil, badUsage("%.40q is none of aside, queued, held, failed", state)
	}
	out, err := s.letterList(ctx, state)
	return out, badEnvironment(err)
}

// letterList lists the letters in a state; "" in any.
func (s *Server) letterList(ctx context.Context, state string) (letterList, error) {
	out := letterList{Schema: 1, Letters: []letterRow{}}
	for _, l := range letterStates {
		if state != "" && state != l.state {
			continue
		}
		rows, err := l.list(ctx, s)
		if err != nil {
			return out, err
		}
		out.Letters = append(out.Letters, rows...)
	}
	return out, nil
}

// letterID reads in12 and out34.
func letterID(s string) (in bool, id int64, err error) {
	digits, in := strings.CutPrefix(s, "in")
	if !in {
		digits, _ = strings.CutPrefix(s, "out")
	}
	id, err = strconv.ParseInt(digits, 10, 64)
	if err != nil || id < 1 || digits == s {
		return false, 0, badUsage("%.40q is not a letter's id, such as in12 or out34", s)
	}
	return in, id, nil
}

// A letterReport is what `letter show` prints.
type letterReport struct {
	Schema int `json:"schema"`
	letterRow
	Subject string `json:"subject"`
	Text    string `json:"text"` // of a letter out
	Raw     string `json:"raw"`  // of a letter in, while we have it

	Condensed bool `json:"condensed"` // Raw is what we keep of it: without what it quotes of our letter
}

func (r letterReport) lines() []string {
	out := []string{r.line()}
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

func lookLetter(ctx context.Context, s *Server, args []string) (survey, error) {
	if len(args) != 1 {
		return nil, badUsage("use: angelpost letter show ID")
	}
	in, id, err := letterID(args[0])
	if err != nil {
		return nil, err
	}
	out := letterReport{Schema: 1}
	if in {
		err = s.DB.View(ctx, func(tx store.Tx) error {
			l, err := tx.Letter(id)
			out.letterRow, out.Raw, out.Condensed = rowIn(l), string(l.Raw), l.Condensed
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
		return nil, badEnvironment(err)
	}
	body, err := s.body(sheet)
	out.letterRow, out.Subject, out.Text = rowOut(p), body.Subject, body.Text
	return out, badEnvironment(err)
}

func notFoundOr(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return err
	}
	return badEnvironment(err)
}

// letterCommands are the subcommands of letter.
var letterCommands = map[string]func(args []string, stdout, stderr io.Writer) int{
	"show":   surveying("letter show", "ID", 1, lookLetter),
	"resend": dealing("resend", resendLetter),
	"drop":   dealing("drop", dropLetter),
	"replay": dealing("replay", replayLetter),
}

func runLetter(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && letterCommands[args[0]] != nil {
		return letterCommands[args[0]](args[1:], stdout, stderr)
	}
	return exit(stderr, "letter", badUsage("use: angelpost letter show|resend|drop|replay ID, where ID is one of `angelpost letters`, such as in12 or out34"))
}
