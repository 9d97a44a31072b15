// Package demo plays a game against bots on one machine. It brings its own mail server and
// web pages.
package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
	"angelpost/cmd/internal/tool"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/turns"
	"angelpost/engine/store"
	"angelpost/mail/mailhost"
	"angelpost/web"
)

// The demo's mailboxes; the server's own is angelpost.
const (
	demoServer   = "angelpost"
	demoDomain   = "demo.localhost"
	demoPassword = "demo"
	demoDatabase = "angelpost.db"
	demoHuman    = "human"
	demoBot      = "bot"
)

var demoAccounts = []string{"alpha", "beta", "gamma", "delta"}

type demoFlags struct {
	imap, smtp, http, data, seats, seed, hints string
	of                                         tool.GameFlags
}

// demoState is what the demo must know again after a restart. Its game is the
// first one begun after After, so it can be written down before that begins.
type demoState struct {
	After   string       `json:"after"` // "": the first of all
	Seats   []string     `json:"seats"`
	Seed    string       `json:"seed"`
	Options game.Options `json:"options"`
}

// RunDemo is the main function of demo.
func RunDemo(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("demo", "", stderr)
	var f demoFlags
	fs.StringVar(&f.imap, "imap", "127.0.0.1:1143", "where the demo's IMAP server listens")
	fs.StringVar(&f.smtp, "smtp", "127.0.0.1:1025", "where its SMTP server listens")
	fs.StringVar(&f.http, "http", "127.0.0.1:8080", "where the pages and the post room are")
	fs.StringVar(&f.data, "data", filepath.Join("data", "demo"), "folder for letters and games")
	fs.StringVar(&f.seats, "seats", "human,bot,bot", "the seats: 2 to 4 of human, bot (answers its letters) and bot:planner (played by the server), or human alone against Hal")
	fs.StringVar(&f.seed, "seed", "", "the game's seed, 64 hexadecimal digits; default random")
	tool.HintsFlag(fs, &f.hints, "yes", "whether players may ask for a suggestion: `yes or no` (default yes)")
	f.of.Add(fs)
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	return cli.Exit(stderr, "demo", demo(f, stdout, stderr))
}

func demo(f demoFlags, stdout, stderr io.Writer) (err error) {
	seats := strings.Split(f.seats, ",")
	if len(seats) > len(demoAccounts) || len(seats) == 1 && f.seats != demoHuman {
		return cli.BadUsage("-seats: up to 4 of human, bot and bot:planner, as in human,bot,bot, or human alone against Hal")
	}
	for _, s := range seats {
		if s == demoHuman {
			continue
		}
		if _, err := turns.ReadBot(s); err != nil {
			return cli.BadUsage("-seats: neither human nor bot: %w", err)
		}
	}
	if _, err := tool.ParseSeed(f.seed); err != nil {
		return err
	}
	_, options, err := f.of.Check(len(seats))
	if err != nil {
		return err
	}
	options.Hints = f.hints == "yes"
	ctx, stop := cli.UntilStopped()
	defer stop()
	if err := os.MkdirAll(f.data, 0o700); err != nil {
		return cli.BadEnvironment(err)
	}
	logFile, err := os.OpenFile(filepath.Join(f.data, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return cli.BadEnvironment(err)
	}
	defer logFile.Close()
	log := server.NewLog(logFile, slog.LevelInfo)
	lock, err := server.LockDatabase(ctx, filepath.Join(f.data, demoDatabase)) // the mail folder too is one demo's
	if err != nil {
		return err
	}
	defer lock.Free()

	host, err := mailhost.Start(mailhost.Config{
		IMAPAddr: f.imap, SMTPAddr: f.smtp, Dir: filepath.Join(f.data, "mail"), Domain: demoDomain,
		Accounts: append(slices.Clone(demoAccounts), demoServer), Password: demoPassword, Log: log,
	})
	if err != nil {
		return cli.BadEnvironment(fmt.Errorf("%w\nIs another demo running? Other ports: -imap 127.0.0.1:0 -smtp 127.0.0.1:0 -http 127.0.0.1:0", err))
	}
	defer func() { err = errors.Join(err, host.Close()) }()
	pages, err := server.ListenHTTP(f.http)
	if err != nil {
		return fmt.Errorf("%w\nAnother port: -http 127.0.0.1:0", err)
	}
	base := "http://" + pages.Addr().String()
	c, err := demoConfig(f, host, base)
	if err != nil {
		return err
	}
	if err := server.Migrate(ctx, c, log); err != nil {
		return err
	}
	s, err := server.Open(ctx, c, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.Begin(ctx, lock); err != nil {
		return err
	}
	game, err := demoGame(ctx, s, f, seats, options)
	if err != nil {
		return err
	}

	mux := http.NewServeMux()
	mux.Handle("/post/", host.PostRoom(humans(seats)...))
	mux.Handle("/", demoPages(s, game, seats))
	if boxes := humans(seats); len(boxes) > 0 { // the demo's front door is the newcomer's mailbox
		mux.Handle("GET /{$}", http.RedirectHandler(mailhost.PostRoot+boxes[0], http.StatusFound))
	}
	parts := []func(context.Context) error{
		s.Run,
		func(ctx context.Context) error { return web.Serve(ctx, pages, mux, log) },
		func(ctx context.Context) error {
			err := announce(ctx, s, stdout, stderr, host, base, game, seats)
			if err != nil {
				return err
			}
			<-ctx.Done()
			return nil
		},
	}
	for i, kind := range seats {
		if kind == demoBot {
			b := mailBot{address: host.Address(demoAccounts[i]), box: c.Mailbox(log), smtp: c.OutboxServer(), log: log}
			b.box.User = demoAccounts[i]
			parts = append(parts, b.run)
		}
	}
	return server.Together(ctx, parts...)
}

// demoPages are the pages, whose planner opens the post room.
func demoPages(s *server.Server, id string, seats []string) http.Handler {
	w := s.Web()
	w.PostRoom = func(game string, seat int, mailto string) string {
		if game != id || seat < 1 || seat > len(seats) || seats[seat-1] != demoHuman {
			return ""
		}
		return mailhost.ComposeAddress(demoAccounts[seat-1], mailto)
	}
	return w.Handler()
}

func humans(seats []string) (out []string) {
	for i, kind := range seats {
		if kind == demoHuman {
			out = append(out, demoAccounts[i])
		}
	}
	return out
}

// demoConfig writes the configuration of the demo's server into its folder, so
// that export, verify and backup can be tried on it, and reads it back.
func demoConfig(f demoFlags, host *mailhost.Host, base string) (*server.Config, error) {
	set := f.of.Set
	if set != "" && component.BuiltIn(set) == nil {
		var err error
		if set, err = filepath.Abs(f.of.Set); err != nil {
			return nil, cli.BadEnvironment(err)
		}
	}
	password := filepath.Join(f.data, "password")
	if err := os.WriteFile(password, []byte(demoPassword+"\n"), 0o600); err != nil {
		return nil, cli.BadEnvironment(err)
	}
	path := filepath.Join(f.data, "angelpost.toml")
	text := fmt.Sprintf(`# Each start of the demo rewrites this file.
address = "%s+{token}@%s"
start = "known"
database = "%s"
answers_per_day = 100000
set = %q

[imap]
addr = "%s"
user = "%s"
password_file = "password"
tls = "none"
folder = "INBOX"

[smtp]
addr = "%s"
tls = "none"

[http]
addr = "%s"
base_url = "%s"
`, demoServer, demoDomain, demoDatabase, set, host.IMAPAddr(), demoServer, host.SMTPAddr(), strings.TrimPrefix(base, "http://"), base)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return nil, cli.BadEnvironment(err)
	}
	return server.LoadConfig(path)
}

// demoGame finds the game of an earlier start with the same seats and
// options, or starts one.
func demoGame(ctx context.Context, s *server.Server, f demoFlags, seats []string, o game.Options) (string, error) {
	path := filepath.Join(f.data, "demo.json")
	var old demoState
	b, err := os.ReadFile(path)
	known := err == nil && json.Unmarshal(b, &old) == nil
	games, err := gamesAfter(ctx, s, old.After)
	if err != nil {
		return "", err
	}
	now := demoState{After: old.After, Seats: seats, Seed: f.seed, Options: o}
	if len(games) > 0 {
		if known && slices.Equal(old.Seats, seats) && old.Seed == f.seed && old.Options == o && games[0].State == store.GameRunning {
			return games[0].ID, nil
		}
		now.After = games[len(games)-1].ID
	}
	if b, err = json.Marshal(now); err == nil {
		err = os.WriteFile(path, b, 0o600)
	}
	if err != nil {
		return "", cli.BadEnvironment(err)
	}
	seed, err := tool.ParseSeed(f.seed)
	if err != nil {
		return "", err
	}
	n := seating.NewGameOrder{Started: true, Seed: seed, Name: s.Words.Say("demo.game"), Rules: o.Rules, Edition: o.Edition, Hal: o.Hal, Set: o.Set, Hints: f.hints}
	for i, kind := range seats {
		if kind != demoHuman && kind != demoBot { // no mailbox is read for it
			n.Players = append(n.Players, seating.NewPlayer{Address: kind})
			continue
		}
		name := demoAccounts[i]
		n.Players = append(n.Players, seating.NewPlayer{Address: name + "@" + demoDomain, Name: strings.ToUpper(name[:1]) + name[1:]})
	}
	for _, kind := range []string{demoBot, demoHuman} { // a human if there is one
		if i := slices.Index(seats, kind); i >= 0 {
			n.Organiser = n.Players[i].Address
		}
	}
	return s.Desk.NewGame(ctx, n)
}

// gamesAfter lists the games begun after one, oldest first.
func gamesAfter(ctx context.Context, s *server.Server, after string) (all []store.Game, err error) {
	err = s.DB.View(ctx, func(tx store.Tx) error {
		for {
			games, err := tx.AllGames("", after, 100)
			if err != nil || len(games) == 0 {
				return err
			}
			all = append(all, games...)
			after = games[len(games)-1].ID
		}
	})
	return all, err
}

// announce waits until the first notices are in the mailboxes, then prints
// what scripts and the newcomer must know.
func announce(ctx context.Context, s *server.Server, stdout, stderr io.Writer, host *mailhost.Host, base, game string, seats []string) error {
	for waiting := true; waiting && ctx.Err() == nil; {
		due, next, err := s.DB.Due(ctx, s.Now(), 1)
		if err != nil && ctx.Err() == nil {
			return err
		}
		if waiting = len(due) > 0 || !next.IsZero(); waiting {
			time.Sleep(10 * time.Millisecond)
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	fmt.Fprintf(stdout, "imap=%s\nsmtp=%s\nhttp=%s\nserver=%s\ngame=%s\n", host.IMAPAddr(), host.SMTPAddr(), base, host.Address(demoServer), game)
	var post string
	for i, kind := range seats {
		fmt.Fprintf(stdout, "seat%d=%s %s\n", i+1, host.Address(demoAccounts[i]), kind)
		if kind != demoHuman {
			continue
		}
		if post == "" {
			post = base + mailhost.PostRoot + demoAccounts[i]
		}
		page, err := page(ctx, s, game, i+1)
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "page%d=%s\n", i+1, page)
	}
	fmt.Fprintln(stdout, "ready")
	if post != "" {
		fmt.Fprint(stderr, s.Words.Say("demo.next", "post", post))
	}
	return nil
}

// page is the address of a seat's page in a game whose seats were given at its
// start.
func page(ctx context.Context, s *server.Server, game string, place int) (url string, err error) {
	err = s.DB.View(ctx, func(tx store.Tx) error {
		k, err := tx.KeyOf(game, place)
		url = strings.TrimRight(s.Conf.HTTP.BaseURL, "/") + "/g/" + game + "/" + k.Key
		return err
	})
	return url, err
}
