// Package pair implements the commands of a second machine: standby, which takes over when
// the server dies, and pages, which serves web pages from a replica.
package pair

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/health"
	"angelpost/cmd/internal/hook"
	"angelpost/cmd/internal/server"
	"angelpost/db"
	"angelpost/engine/notice"
	"angelpost/mail/imapbox"
)

// Two or more machines run `angelpost standby`. The one whose claim on the mailbox counts is
// the server. The others follow its replica to keep a copy of its database, and take over
// when nothing new arrives there: the server commits something every two seconds.
//
// The claim and its epochs (imapbox.Tenure) prevent two servers from working at once. Letters
// are filed in the mailbox, and all code that sends letters checks the claim there; a lease
// kept elsewhere would be one more thing that can fail. A server that cannot look at the
// mailbox stops. The machine that raises the epoch waits until the old server must have
// stopped, and only then reads the end of the replica. All that the old server acknowledged
// was on the replica before. Anything that it copies later goes to the place of its own
// epoch, which no machine reads any more.
type standby struct {
	c      *server.Config
	log    *slog.Logger
	stdout io.Writer
	stderr io.Writer
	first  bool // serve with a new database if no machine serves yet
	ill    illness
	follower
}

// How fast a standby takes over.
const (
	standbyQuiet = 10 * time.Second // time without anything new on the replica
	standbyTell  = 15 * time.Second // time between looks at the mailbox
	standbySlow  = 12               // times standbyQuiet: how long a server that starts may take to copy everything
)

// RunStandby is the main function of standby.
func RunStandby(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("standby", "", stderr)
	path := cli.ConfigFlag(fs)
	first := fs.Bool("first", false, "serve with a new database if no machine does yet")
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	return cli.Exit(stderr, "standby", runsStandby(*path, *first, stdout, stderr))
}

func runsStandby(path string, first bool, stdout, stderr io.Writer) error {
	ctx, stop := cli.UntilStopped()
	defer stop()
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	c, err := server.LoadConfig(path)
	if err == nil && c.Replica.URL == "" {
		err = cli.BadUsage("%s: replica.url must say where the machines keep the replica", c.At("replica.url"))
	}
	if err == nil {
		err = c.Files()
	}
	if err != nil {
		return err
	}
	log := c.ServeLog(stderr)
	copied := c.Path(c.Database) + ".standby"
	s := &standby{c: c, log: log, stdout: stdout, stderr: stderr, first: first}
	s.follower = follower{c: c, file: filepath.Join(copied, filepath.Base(c.Database)), stderr: stderr,
		log: func(err error) { log.Error("standby: litestream", "err", err) }}
	err = s.run(ctx, hangups)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// run serves and follows in turn, until ctx ends or something is wrong that only the host can
// fix.
func (s *standby) run(ctx context.Context, hangups chan os.Signal) error {
	for ctx.Err() == nil {
		if err := s.turn(ctx, hangups); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// turn serves or follows once. It tells systemd that this machine is alive, however long it
// waits for the mailbox or follows, until the server is at work and does so itself.
func (s *standby) turn(ctx context.Context, hangups chan os.Signal) error {
	waits, serving := context.WithCancel(ctx)
	defer serving()
	go health.Alive(waits, s.log, func() []string { return nil })
	serves, holder, err := s.role(ctx)
	switch {
	case err != nil || ctx.Err() != nil:
		return err
	case serves:
		s.can(ctx)
		lost := new(imapbox.Claimed)
		err := s.c.Serve(ctx, hangups, s.log, server.Serving{Replicate: replicate, Ready: serving}, s.stdout, s.stderr)
		if errors.As(err, &lost) {
			s.log.Error("standby: another machine serves now; this one follows it", "err", err)
			return nil
		}
		return err
	}
	return s.stand(ctx, holder)
}

// role decides whether this machine serves: if its claim counts, or if no machine has a claim
// and this one has the database or may start with a new one. It waits until it can reach the
// mailbox.
func (s *standby) role(ctx context.Context) (serves bool, h imapbox.Holder, err error) {
	path := s.c.Path(s.c.Database)
	box := s.c.Mailbox(s.log)
	for said := false; ctx.Err() == nil; {
		h, err = imapbox.Look(ctx, box)
		_, stat := os.Stat(path)
		has := stat == nil
		var was imapbox.Term
		if has && err == nil {
			what, _, e := db.Remembered(path)
			if e != nil {
				return false, h, cli.BadEnvironment(e)
			}
			was = server.ReadTerm(what)
		}
		switch {
		case err != nil && ctx.Err() == nil:
			if !said {
				s.log.Error("standby: the mailbox cannot be reached; nothing is known of the other machine", "err", err)
			}
		case err != nil:
		case h.Database != "" && h.Instance != was.Instance:
			if has { // keep the database until there is something to follow
				if _, _, err := s.find(ctx, h.Epoch); err != nil {
					s.cannot(ctx, notice.AlarmFollow, h, err)
					s.rest(ctx)
					continue
				}
			}
			return false, h, s.aside(ctx, h)
		case h.Database != "" || has || s.first && s.has() == 0: // with a copy there has been a server before
			return true, h, nil
		case !said && s.has() > 0:
			s.log.Warn("standby: no machine serves, and this one has only a copy: start the one that has the database, or go on with the copy as HOSTING.md says", "copy", s.file)
		case !said:
			s.log.Warn("standby: no machine serves yet; start the one that has the database, or one with -first")
		}
		said = true
		server.SleepFor(ctx, cmp.Or(hook.Look, server.StandbyBeat))
	}
	return false, h, ctx.Err()
}

// aside renames this machine's database if another machine has continued with a copy of it.
// The database may have transactions that the copy lacks, because the server never
// acknowledged them. aside keeps only the latest such file, for the host.
func (s *standby) aside(ctx context.Context, h imapbox.Holder) error {
	path := s.c.Path(s.c.Database)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	lock, err := server.LockDatabase(ctx, path)
	if err != nil {
		return err
	}
	defer lock.Free()
	d, err := db.OpenAsIs(ctx, path) // closing it moves the contents of the WAL into the file
	if err != nil {
		return cli.BadEnvironment(err)
	}
	id, err := d.ID(ctx)
	unused, e := d.Unused(ctx)
	if err := errors.Join(err, e, d.Close()); err != nil {
		return cli.BadEnvironment(err)
	}
	if id != h.Database && !unused {
		return cli.BadEnvironment(otherDatabase(h))
	}
	s.log.Warn("standby: another machine serves; the database that was here is put aside", "server", h.Server, "file", path+".before")
	return cli.BadEnvironment(replaceDatabase(path, path+".before"))
}

// foreign returns an error if the copy that this machine follows is not of the holder's database.
func (s *standby) foreign(ctx context.Context, h imapbox.Holder) error {
	id, _, err := db.FollowedIdentity(ctx, s.file)
	if err != nil || id == h.Database {
		return nil // a copy that can't be read is made again when this machine takes over
	}
	return otherDatabase(h)
}

func otherDatabase(h imapbox.Holder) error {
	return fmt.Errorf("the mailbox belongs to a server with another database: %s", h.Server)
}

// replaceDatabase renames a closed database and replaces any database with the new name.
func replaceDatabase(from, to string) (err error) {
	for _, path := range []string{to + "-wal", to + "-shm", from + "-shm"} {
		if e := os.Remove(path); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	if e := os.Rename(from+"-wal", to+"-wal"); !errors.Is(e, fs.ErrNotExist) {
		err = errors.Join(err, e)
	}
	return errors.Join(err, os.Rename(from, to))
}

// stand follows the server. It returns when this machine has taken over, when the claims have
// changed, or when it must start again with a new copy.
func (s *standby) stand(ctx context.Context, holder imapbox.Holder) error {
	epoch, _, err := s.find(ctx, holder.Epoch)
	if err != nil {
		s.cannot(ctx, notice.AlarmFollow, holder, err)
		s.rest(ctx)
		return nil
	}
	following, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); s.follow(following, epoch) }()
	defer func() { stop(); <-done }()
	s.log.Info("standby: following", "server", holder.Server, "url", s.c.ReplicaAt(epoch))
	fmt.Fprintf(s.stdout, "following=%s\n", s.c.ReplicaAt(epoch))
	last, since := uint64(0), time.Now()
	seen, grew := uint64(0), time.Time{} // the last transaction on the replica, and when it last changed
	for looked := time.Now(); ctx.Err() == nil; server.SleepFor(ctx, server.StandbyPause) {
		if has := s.has(); has != last {
			last, since = has, time.Now()
		}
		patience := cmp.Or(hook.Quiet, standbyQuiet)
		if epoch != holder.Epoch {
			patience *= standbySlow
		}
		quiet := last > 0 && time.Since(since) >= patience
		if !quiet && time.Since(looked) < min(standbyTell, patience/4) {
			continue
		}
		looked = time.Now()
		now, err := imapbox.Look(ctx, s.c.Mailbox(s.log))
		switch {
		case err != nil:
			since = time.Now() // without the mailbox this machine can't take over
			continue
		case now.Instance != holder.Instance || now.Epoch != holder.Epoch:
			return nil
		}
		e, copies, err := s.find(ctx, holder.Epoch)
		if err == nil && e != epoch {
			return nil // the server has begun to copy to its own epoch
		}
		if copies.Last != seen {
			if seen > 0 {
				grew = time.Now()
			}
			seen = copies.Last
		}
		grows := time.Since(grew) < patience/2 // then a server is at work: it commits every two seconds
		if err == nil {
			err = unusable(copies, last, !grows || time.Since(since) >= standbySlow*patience)
		}
		if err == nil && last > 0 {
			err = s.foreign(ctx, holder)
		}
		switch {
		case quiet && grows && copies.Whole:
			s.log.Warn("standby: the copy does not come after the replica; it is made again", "has", last, "replica", copies.Last)
			stop()
			<-done
			return s.forget()
		case err == nil && quiet && !grows:
			return s.takeOver(ctx, holder, epoch, func() { stop(); <-done })
		case err == nil:
			s.can(ctx)
		case quiet && !grows:
			s.cannot(ctx, notice.AlarmTakeOver, holder, err)
			since = time.Now()
		default:
			s.cannot(ctx, notice.AlarmFollow, holder, err)
		}
	}
	return ctx.Err()
}

// unusable returns why a machine cannot take over with what an epoch has in the replica; has
// is the last transaction in the machine's copy, 0 if there is no copy. Unless still is set,
// the replica is growing and the copy may yet catch up.
func unusable(copies server.Copies, has uint64, still bool) error {
	switch {
	case has == 0 && !copies.Whole:
		return errors.New("files are missing from the replica, so no copy can be made of it")
	case copies.Last < has:
		return fmt.Errorf("%w: it has %d transactions, the copy here %d", errGone, copies.Last, has)
	case copies.Last > has && still:
		return fmt.Errorf("the replica has %d transactions, the copy here %d, and does not come after", copies.Last, has)
	}
	return nil
}

// takeOver makes this machine the server. It raises the epoch of the claim, waits until the
// server before must have stopped, and replaces the database with what is on the replica
// then.
func (s *standby) takeOver(ctx context.Context, before imapbox.Holder, epoch int64, stop func()) error {
	d, err := db.OpenFollowed(ctx, s.file)
	if err == nil {
		err = errors.Join(d.Check(ctx), d.Close())
	}
	if err != nil && !errors.Is(err, db.ErrOlder) { // an older version's copy is fine: it will be upgraded
		s.log.Error("standby: the copy cannot be used; it is made again", "err", err)
		stop()
		return s.forget()
	}
	_, key, err := db.FollowedIdentity(ctx, s.file)
	if err != nil {
		return cli.BadEnvironment(err)
	}
	s.log.Error("standby: nothing new has come from the server; this machine takes over", "server", before.Server, "for", cmp.Or(hook.Quiet, standbyQuiet))
	host, err := os.Hostname()
	if err != nil {
		return cli.BadEnvironment(err)
	}
	path, err := filepath.Abs(s.c.Path(s.c.Database))
	if err != nil {
		return err
	}
	box := s.c.Mailbox(s.log)
	box.Tenure = imapbox.NewTenure(imapbox.Tenant{
		Database: before.Database, Key: key, Was: imapbox.Term{Epoch: epoch}, Place: fmt.Sprintf("%+q on %+q", path, host), Standby: true,
		Look: cmp.Or(hook.Look, server.StandbyLook), Wait: cmp.Or(hook.Wait, server.StandbyWait), Log: s.log,
	})
	took := time.Now()
	if err := imapbox.Claim(ctx, box, true); err != nil {
		s.log.Error("standby: the mailbox could not be claimed", "err", err)
		return nil
	}
	for left := box.Tenure.Left(); left > 0 && ctx.Err() == nil; left = box.Tenure.Left() {
		server.SleepFor(ctx, min(left, box.Tenure.Look/2))
		if err := imapbox.Claim(ctx, box, false); box.Tenure.Lost() != nil {
			s.log.Error("standby: another machine was faster", "err", err)
			return nil
		}
	}
	if err := s.catchUp(ctx, epoch); err != nil {
		s.cannot(ctx, notice.AlarmTakeOver, before, err)
		return nil
	}
	stop()
	term := box.Tenure.Term()
	term.Waited = true
	if err := s.enter(ctx, path, term); err != nil {
		return cli.BadEnvironment(err)
	}
	s.can(ctx)
	s.log.Info("standby: this machine serves", "epoch", term.Epoch, "after", time.Since(took).Round(time.Second))
	return ctx.Err()
}

// catchUp waits, for a minute at most, until the copy has all that the replica has for an
// epoch. It fails at once if the replica has lost some of what the copy has.
func (s *standby) catchUp(ctx context.Context, epoch int64) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		copies, err := s.c.Copies(ctx, epoch)
		has := s.has()
		if err == nil && has == copies.Last {
			return nil
		}
		if err == nil {
			err = unusable(copies, has, true)
		}
		if errors.Is(err, errGone) || ctx.Err() != nil {
			return err
		}
		server.SleepFor(ctx, 200*time.Millisecond)
	}
}

// enter replaces the database with the copy, and makes term its claim.
func (s *standby) enter(ctx context.Context, path string, term imapbox.Term) error {
	if err := os.Chmod(s.file, 0o600); err != nil {
		return err
	}
	if err := replaceDatabase(s.file, path); err != nil {
		return err
	}
	// The lock file remembers the claim of the database that was here before.
	if err := os.Remove(path + ".lock"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	lock, err := server.LockDatabase(ctx, path)
	if err != nil {
		return err
	}
	return errors.Join(lock.Remember(server.TermLine(term)), lock.Free(), s.forget())
}
