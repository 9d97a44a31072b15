package pair

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/health"
	"angelpost/cmd/internal/server"
	"angelpost/db"
	"angelpost/mail/imapbox"
	"angelpost/web"
)

// RunPages is the main function of pages.
func RunPages(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("pages", "", stderr)
	path := cli.ConfigFlag(fs)
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	return cli.Exit(stderr, "pages", pages(*path, stdout, stderr))
}

// pages serves pages from a replica, which it follows, until it is stopped. Which epoch's
// replica that is the mailbox says.
func pages(path string, stdout, stderr io.Writer) error {
	ctx, stop := cli.UntilStopped()
	defer stop()
	c, err := server.LoadConfig(path)
	if err == nil && c.Replica.URL == "" {
		err = cli.BadUsage("%s: replica.url must say where the replica is", c.At("replica.url"))
	}
	if err == nil {
		err = c.Files()
	}
	if err != nil {
		return err
	}
	log := c.ServeLog(stderr)
	f := follower{c: c, file: filepath.Join(c.Path(c.Database)+".pages", filepath.Base(c.Database)), stderr: stderr,
		log: func(err error) { log.Error("pages: litestream", "err", err) }}
	f.round = new(round)
	f.round.came()
	go health.Alive(ctx, log, f.round.hangs)
	for ctx.Err() == nil {
		f.round.came()
		epoch, err := f.current(ctx)
		if err == nil {
			err = f.serve(ctx, epoch, log, stdout)
		}
		if err != nil && ctx.Err() == nil {
			log.Error("pages: they cannot be served yet", "err", err)
			server.SleepFor(ctx, standbyTell)
		}
		server.SleepFor(ctx, server.StandbyPause)
	}
	return nil
}

// A round is when pages last came round in what they do all the time. systemd, which hears that they are
// alive from their start, however long they wait for the mailbox or the replica, hears nothing
// once they hang.
type round struct{ last atomic.Int64 }

// roundPatience is how long one may take: a look at the mailbox takes minutes if that is slow.
const roundPatience = 15 * time.Minute

func (r *round) came() { r.last.Store(time.Now().UnixNano()) }

func (r *round) hangs() []string {
	if took := time.Since(time.Unix(0, r.last.Load())); took > roundPatience {
		return []string{fmt.Sprintf("The pages have hung for %v.", took.Round(time.Second))}
	}
	return nil
}

// current is the epoch of the replica that counts.
func (f follower) current(ctx context.Context) (int64, error) {
	h, err := imapbox.Look(ctx, f.c.Mailbox(slog.New(slog.DiscardHandler)))
	if err != nil {
		return 0, err
	}
	epoch, _, err := f.find(ctx, h.Epoch)
	return epoch, err
}

// serve follows the replica of an epoch and serves pages from the copy, until another
// epoch's counts.
func (f follower) serve(ctx context.Context, epoch int64, log *slog.Logger, stdout io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan struct{})
	go func() { defer close(done); f.follow(ctx, epoch) }()
	defer func() { stop(); <-done }()
	for f.has() == 0 && ctx.Err() == nil {
		f.round.came()
		server.SleepFor(ctx, 100*time.Millisecond)
	}
	if ctx.Err() != nil {
		return nil
	}
	c := *f.c
	c.Replica = server.ReplicaConfig{} // there is nothing to wait for
	s, err := server.OpenWith(ctx, &c, log, func(ctx context.Context, _ string) (*db.DB, error) { return db.OpenFollowed(ctx, f.file) })
	if err != nil {
		return err
	}
	defer s.Close()
	l, err := server.ListenHTTP(c.HTTP.Addr)
	if err != nil {
		return err
	}
	site := s.Web()
	site.Muter = nil // it only reads
	fmt.Fprintf(stdout, "http=http://%s\nready\n", l.Addr())
	return server.Together(ctx,
		func(ctx context.Context) error { return web.Serve(ctx, l, site.Handler(), log) },
		func(ctx context.Context) error {
			for looked := time.Now(); ctx.Err() == nil; server.SleepFor(ctx, server.StandbyPause) {
				f.round.came()
				if _, err := s.DB.Version(ctx); err != nil && ctx.Err() == nil { // what is kept of pages depends on it
					return err
				}
				if time.Since(looked) < standbyTell {
					continue
				}
				looked = time.Now()
				if now, err := f.current(ctx); err == nil && now != epoch { // else what there is of it stays
					return nil
				}
			}
			return nil
		})
}
