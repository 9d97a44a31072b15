package server

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"angelpost/db"
	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/match/seating"
	"angelpost/engine/store"
)

// beside opens the server of a configuration for a command that works beside
// the daemon.
func beside(ctx context.Context, path string, stderr io.Writer) (*Server, error) {
	c, err := LoadConfig(path)
	if err != nil {
		return nil, err
	}
	if c.Replica.URL != "" && !exists(c.Path(c.Database)) {
		return nil, badUsage("this machine follows another one: run this on the one that serves")
	}
	s, err := Open(ctx, c, newLog(stderr, slog.LevelWarn))
	if err != nil {
		return nil, err
	}
	if v, err := s.DB.Version(ctx); err == nil {
		s.replica.Assume(v) // what is there already is the daemon's
	}
	s.settles = true
	return s, nil
}

func runExport(args []string, stdout, stderr io.Writer) int {
	fs := flags("export", "GAME", stderr)
	path := configFlag(fs)
	seat := fs.Int("seat", 0, "whose view of a running game; 0 is the public")
	if code := parse(fs, args, 1); code != goOn {
		return code
	}
	if fs.NArg() != 1 || *seat < 0 || *seat > engine.MaxPlayers {
		return exit(stderr, "export", badUsage("use: angelpost export -config F [-seat N] ID"))
	}
	ctx := context.Background()
	s, err := beside(ctx, *path, stderr)
	if err != nil {
		return exit(stderr, "export", err)
	}
	defer s.Close()
	id, err := s.Desk.Host().GameID(ctx, fs.Arg(0))
	var rec *game.Record
	if err == nil {
		rec, err = s.Desk.Host().Export(ctx, id, engine.Seat(*seat))
	}
	if errors.Is(err, store.ErrNotFound) {
		fmt.Fprintf(stderr, "angelpost export: there is no game %.40q in %s\n", fs.Arg(0), s.Conf.Path(s.Conf.Database))
		return exitNo
	}
	if err == nil {
		err = rec.Write(stdout)
	}
	return exit(stderr, "export", badEnvironment(err))
}

func verifyAll(path string, stdout, stderr io.Writer) int {
	ctx := context.Background()
	c, err := LoadConfig(path)
	if err != nil {
		return exit(stderr, "verify", err)
	}
	s, err := openWith(ctx, c, newLog(stderr, slog.LevelWarn), db.OpenToRead)
	if err != nil {
		return exit(stderr, "verify", err)
	}
	defer s.Close()
	worst := exitYes
	err = s.Desk.Host().VerifyAll(ctx, func(c look.Check) error {
		var err error
		switch {
		case c.Err != nil:
			worst = max(worst, exitUsage)
			_, err = fmt.Fprintf(stdout, "unreadable game=%s state=%s %v\n", c.Game, c.State, c.Err)
		case c.Difference != nil:
			worst = max(worst, exitNo)
			_, err = fmt.Fprintf(stdout, "%v game=%s state=%s\n", c.Difference, c.Game, c.State)
		default:
			_, err = fmt.Fprintf(stdout, "ok game=%s lines=%d state=%s\n", c.Game, c.Lines, c.State)
		}
		return err
	})
	if err != nil {
		return exit(stderr, "verify", badEnvironment(err))
	}
	return worst
}

func runBackup(args []string, stdout, stderr io.Writer) int {
	fs := flags("backup", "FILE", stderr)
	path := configFlag(fs)
	if code := parse(fs, args, 1); code != goOn {
		return code
	}
	if fs.NArg() != 1 {
		return exit(stderr, "backup", badUsage("use: angelpost backup -config F FILE"))
	}
	c, err := LoadConfig(*path)
	if err != nil {
		return exit(stderr, "backup", err)
	}
	ctx := context.Background()
	d, err := db.OpenAsIs(ctx, c.Path(c.Database))
	if err == nil {
		err = errors.Join(d.Backup(ctx, fs.Arg(0), time.Now()), d.Close())
	}
	if err != nil {
		if db.Damaged(err) {
			err = fmt.Errorf("%w. No copy was kept. %s", err, c.mendDatabase())
		}
		return exit(stderr, "backup", badEnvironment(err))
	}
	fmt.Fprintln(stdout, fs.Arg(0))
	return exitYes
}

// list is a flag that may be given several times.
type list []string

func (l *list) String() string     { return fmt.Sprint(*l) }
func (l *list) Set(v string) error { *l = append(*l, v); return nil }

func runNew(args []string, stdout, stderr io.Writer) int {
	fs := flags("new", "", stderr)
	path := configFlag(fs)
	var players list
	fs.Var(&players, "player", "a player's address, bot or bot:planner, or open for a free seat; once for each seat")
	var n seating.NewGameOrder
	fs.StringVar(&n.Organiser, "organiser", "", "address of the player who organises the game")
	fs.BoolVar(&n.Started, "started", false, "begin at once, without invitations and random words; seats as listed")
	fs.StringVar(&n.Visibility, "visibility", "", "private, unlisted or listed")
	fs.StringVar(&n.Name, "name", "", "the game's name")
	fs.StringVar(&n.Clock, "clock", "", "the game's clock, a `TIME` like \"3 days\" or \"3d bank 10d\"; default none")
	hintsFlag(fs, &n.Hints, "", "whether players may ask for a suggestion: `yes or no`; default yes if only one person plays")
	var of gameFlags
	of.add(fs)
	seed := fs.String("seed", "", "64 hexadecimal digits; default random")
	if code := parse(fs, args, 0); code != goOn {
		return code
	}
	var err error
	if n.Seed, err = parseSeed(*seed); err != nil {
		return exit(stderr, "new", err)
	}
	if v := n.Visibility; v != "" && v != store.Private && v != store.Unlisted && v != store.Listed {
		return exit(stderr, "new", badUsage("-visibility %.40q: want private, unlisted or listed", v))
	}
	for _, p := range players {
		n.Players = append(n.Players, seating.NewPlayer{Address: p})
	}
	set, options, err := of.check(len(players))
	if err != nil {
		return exit(stderr, "new", err)
	}
	n.Rules, n.Edition, n.Hal = options.Rules, options.Edition, options.Hal
	ctx := context.Background()
	s, err := beside(ctx, *path, stderr)
	if err != nil {
		return exit(stderr, "new", err)
	}
	defer s.Close()
	if of.set != "" { // else the server's own choice
		if err := s.Conf.serves(set); err != nil {
			return exit(stderr, "new", err)
		}
		n.Set = set.Name
	}
	if _, err := s.Desk.Beat(ctx); err != nil { // nothing of this game is put off with what waited before
		return exit(stderr, "new", badEnvironment(err))
	}
	id, err := s.Desk.NewGame(ctx, n)
	if err != nil {
		return exit(stderr, "new", badUsage("%w", err))
	}
	fmt.Fprintf(stdout, "game=%s\n", id)
	return exitYes
}

// parseSeed reads the -seed flag; nil if it was not given.
func parseSeed(s string) (*[32]byte, error) {
	if s == "" {
		return nil, nil
	}
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != 32 {
		return nil, badUsage("-seed: want 64 hexadecimal digits")
	}
	return (*[32]byte)(b), nil
}

func runOrganiser(args []string, stdout, stderr io.Writer) int {
	fs := flags("organiser", "GAME ADDRESS", stderr)
	path := configFlag(fs)
	if code := parse(fs, args, 2); code != goOn {
		return code
	}
	if fs.NArg() != 2 {
		return exit(stderr, "organiser", badUsage("use: angelpost organiser -config F GAME ADDRESS"))
	}
	ctx := context.Background()
	s, err := beside(ctx, *path, stderr)
	if err != nil {
		return exit(stderr, "organiser", err)
	}
	defer s.Close()
	id, err := s.Desk.Host().GameID(ctx, fs.Arg(0))
	if err == nil {
		err = s.Desk.Organise(ctx, id, fs.Arg(1))
	}
	if errors.Is(err, store.ErrNotFound) {
		fmt.Fprintf(stderr, "angelpost organiser: there is no game %.40q in %s\n", fs.Arg(0), s.Conf.Path(s.Conf.Database))
		return exitNo
	}
	if err != nil {
		return exit(stderr, "organiser", badUsage("%w", err))
	}
	fmt.Fprintf(stdout, "organiser=%s\n", fs.Arg(1))
	return exitYes
}
