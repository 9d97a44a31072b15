// Package host has the commands by which a host manages what is in a server's database:
// games, players, leagues, letters, rulings and backups. They also work while the daemon
// runs.
package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"strings"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
	"angelpost/cmd/internal/tool"
	"angelpost/db"
	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/seating"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// RunExport is the main function of export.
func RunExport(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("export", "GAME", stderr)
	path := cli.ConfigFlag(fs)
	seat := fs.Int("seat", 0, "whose view of a running game; 0 is the public")
	if code := cli.Parse(fs, args, 1); code != cli.GoOn {
		return code
	}
	if fs.NArg() != 1 || *seat < 0 || *seat > engine.MaxPlayers {
		return cli.Exit(stderr, "export", cli.BadUsage("use: angelpost export -config F [-seat N] ID"))
	}
	ctx := context.Background()
	s, err := server.Beside(ctx, *path, stderr)
	if err != nil {
		return cli.Exit(stderr, "export", err)
	}
	defer s.Close()
	id, err := s.Desk.Host().GameID(ctx, fs.Arg(0))
	var rec *game.Record
	if err == nil {
		rec, err = s.Desk.Host().Export(ctx, id, engine.Seat(*seat))
	}
	if errors.Is(err, store.ErrNotFound) {
		fmt.Fprintf(stderr, "angelpost export: there is no game %.40q in %s\n", fs.Arg(0), s.Conf.Path(s.Conf.Database))
		return cli.ExitNo
	}
	if err == nil {
		err = rec.Write(stdout)
	}
	return cli.Exit(stderr, "export", cli.BadEnvironment(err))
}

// RunBackup is the main function of backup.
func RunBackup(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("backup", "FILE", stderr)
	path := cli.ConfigFlag(fs)
	if code := cli.Parse(fs, args, 1); code != cli.GoOn {
		return code
	}
	if fs.NArg() != 1 {
		return cli.Exit(stderr, "backup", cli.BadUsage("use: angelpost backup -config F FILE"))
	}
	c, err := server.LoadConfig(*path)
	if err != nil {
		return cli.Exit(stderr, "backup", err)
	}
	ctx := context.Background()
	d, err := db.OpenAsIs(ctx, c.Path(c.Database))
	if err == nil {
		err = errors.Join(d.Backup(ctx, fs.Arg(0), time.Now()), d.Close())
	}
	if err != nil {
		if db.Damaged(err) {
			err = fmt.Errorf("%w. No copy was kept. %s", err, c.MendDatabase())
		}
		return cli.Exit(stderr, "backup", cli.BadEnvironment(err))
	}
	fmt.Fprintln(stdout, fs.Arg(0))
	return cli.ExitYes
}

// list is a flag that may be given several times.
type list []string

func (l *list) String() string     { return fmt.Sprint(*l) }
func (l *list) Set(v string) error { *l = append(*l, v); return nil }

// RunNew is the main function of new.
func RunNew(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("new", "", stderr)
	path := cli.ConfigFlag(fs)
	var players list
	fs.Var(&players, "player", "a player's address (\"Ann <ann@example.org>\" gives a name, too), bot or bot:planner, or open for a free seat; once for each seat")
	var n seating.NewGameOrder
	organiser := fs.String("organiser", "", "address of the player who organises the game")
	fs.BoolVar(&n.Started, "started", false, "begin at once, without invitations and random words; seats as listed")
	fs.StringVar(&n.Visibility, "visibility", "", "private, unlisted or listed")
	fs.StringVar(&n.Name, "name", "", "the game's name; default two words like Amber Comet")
	fs.StringVar(&n.Clock, "clock", "", "the game's clock, a `TIME` like \"3 days\" or \"3d bank 10d\"; default none")
	tool.HintsFlag(fs, &n.Hints, "", "whether players may ask for a suggestion: `yes or no`; default yes if only one person plays")
	var of tool.GameFlags
	of.Add(fs)
	seed := fs.String("seed", "", "64 hexadecimal digits; default random")
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	var err error
	if n.Seed, err = tool.ParseSeed(*seed); err != nil {
		return cli.Exit(stderr, "new", err)
	}
	if v := n.Visibility; v != "" && v != store.Private && v != store.Unlisted && v != store.Listed {
		return cli.Exit(stderr, "new", cli.BadUsage("-visibility %.40q: want private, unlisted or listed", v))
	}
	if len(n.Name) > order.MaxName {
		return cli.Exit(stderr, "new", cli.BadUsage("-name %.40q: want at most %d bytes", n.Name, order.MaxName))
	}
	for _, p := range players {
		address, name, err := mailbox(p)
		if err != nil {
			return cli.Exit(stderr, "new", cli.BadUsage("-player %.80q: %w", p, err))
		}
		n.Players = append(n.Players, seating.NewPlayer{Address: address, Name: name})
	}
	if *organiser != "" {
		if n.Organiser, _, err = mailbox(*organiser); err != nil {
			return cli.Exit(stderr, "new", cli.BadUsage("-organiser %.80q: %w", *organiser, err))
		}
	}
	set, options, err := of.Check(len(players))
	if err != nil {
		return cli.Exit(stderr, "new", err)
	}
	n.Rules, n.Edition, n.Hal = options.Rules, options.Edition, options.Hal
	ctx := context.Background()
	s, err := server.Beside(ctx, *path, stderr)
	if err != nil {
		return cli.Exit(stderr, "new", err)
	}
	defer s.Close()
	if of.Set != "" { // else the server's own choice
		if err := serves(s.Conf, set); err != nil {
			return cli.Exit(stderr, "new", err)
		}
		n.Set = set.Name
	}
	if _, err := s.Desk.Beat(ctx); err != nil { // moves timers after a gap; called first, so that the new game's stay as they are
		return cli.Exit(stderr, "new", cli.BadEnvironment(err))
	}
	id, err := s.Desk.NewGame(ctx, n)
	if err != nil {
		return cli.Exit(stderr, "new", cli.BadUsage("%w", err))
	}
	fmt.Fprintf(stdout, "game=%s\n", id)
	tellBack(fs, "rule", "-yes", "-reason", takenBack, id, "void")
	return cli.ExitYes
}

// mailbox reads an address with or without a name: "Ann <ann@example.org>". Words like bot are left
// as they are.
func mailbox(text string) (address, name string, err error) {
	if text = strings.TrimSpace(text); text != "" && !strings.ContainsAny(text, "<>( ") {
		return text, "", nil
	}
	a, err := mail.ParseAddress(text)
	if err != nil {
		return "", "", errors.New(`want an address, or a name and an address like "Ann <ann@example.org>"`)
	}
	return a.Address, a.Name, nil
}

// RunOrganiser is the main function of organiser.
func RunOrganiser(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("organiser", "GAME ADDRESS", stderr)
	path := cli.ConfigFlag(fs)
	if code := cli.Parse(fs, args, 2); code != cli.GoOn {
		return code
	}
	if fs.NArg() != 2 {
		return cli.Exit(stderr, "organiser", cli.BadUsage("use: angelpost organiser -config F GAME ADDRESS"))
	}
	ctx := context.Background()
	s, err := server.Beside(ctx, *path, stderr)
	if err != nil {
		return cli.Exit(stderr, "organiser", err)
	}
	defer s.Close()
	id, err := s.Desk.Host().GameID(ctx, fs.Arg(0))
	was := ""
	if err == nil {
		was, err = s.Desk.Organise(ctx, id, fs.Arg(1))
	}
	if errors.Is(err, store.ErrNotFound) {
		fmt.Fprintf(stderr, "angelpost organiser: there is no game %.40q in %s\n", fs.Arg(0), s.Conf.Path(s.Conf.Database))
		return cli.ExitNo
	}
	if err != nil {
		return cli.Exit(stderr, "organiser", cli.BadUsage("%w", err))
	}
	fmt.Fprintf(stdout, "organiser=%s\n", fs.Arg(1))
	if was != "" {
		tellBack(fs, "organiser", fs.Arg(0), was)
	}
	return cli.ExitYes
}

// serves reports whether the server of a configuration plays with the set.
func serves(c *server.Config, set *component.Set) error {
	sets, _, err := c.OpenSets()
	if err != nil {
		return err
	}
	if own := sets[set.Name]; own != nil && own.Hash == set.Hash {
		return nil
	}
	return cli.BadUsage("-set: the server of this configuration does not play with %q (hash %s); name its directory under sets there first", set.Name, set.Hash)
}
