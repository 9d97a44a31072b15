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

// pages follows a replica and serves web pages from it until it is stopped. The claim on the
// mailbox says which epoch's copies to follow.
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

// A round records when the main loop of pages last made progress. systemd learns that pages
// are alive from their start on, however long they wait for the mailbox or the replica, but
// not while the loop hangs.
type round struct{ last atomic.Int64 }

// roundPatience is how long the loop may take between two records: a look at a slow mailbox
// takes minutes.
const roundPatience = 15 * time.Minute

func (r *round) came() { r.last.Store(time.Now().UnixNano()) }

func (r *round) hangs() []string {
	if took := time.Since(time.Unix(0, r.last.Load())); took > roundPatience {
		return []string{fmt.Sprintf("The pages have hung for %v.", took.Round(time.Second))}
	}
	return nil
}

// current returns the epoch whose copies count now.
func (f follower) current(ctx context.Context) (int64, error) {
	h, err := imapbox.Look(ctx, f.c.Mailbox(slog.New(slog.DiscardHandler)))
	if err != nil {
		return 0, err
	}
	epoch, _, err := f.find(ctx, h.Epoch)
	return epoch, err
}

// serve follows an epoch's copies and serves web pages from them, until the copies of another
// epoch count.
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
	c.Replica = server.ReplicaConfig{} // this machine makes no copies, so nothing waits for a replica
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
	site.Muter = nil // the pages are read-only
	fmt.Fprintf(stdout, "http=http://%s\nready\n", l.Addr())
	return server.Together(ctx,
		func(ctx context.Context) error { return web.Serve(ctx, l, site.Handler(), log) },
		func(ctx context.Context) error {
			for looked := time.Now(); ctx.Err() == nil; server.SleepFor(ctx, server.StandbyPause) {
				f.round.came()
				if _, err := s.DB.Version(ctx); err != nil && ctx.Err() == nil { // cached pages depend on the version
					return err
				}
				if time.Since(looked) < standbyTell {
					continue
				}
				looked = time.Now()
				if now, err := f.current(ctx); err == nil && now != epoch { // if there is an error, keep serving what we have
					return nil
				}
			}
			return nil
		})
}
