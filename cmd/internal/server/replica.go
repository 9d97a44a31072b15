package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/health"
	"angelpost/db"
	"angelpost/db/replica"
	"angelpost/engine/store"
	"angelpost/mail/imapbox"
)

// ReplicaConfig is the table [replica] of a configuration.
type ReplicaConfig struct {
	Litestream string `toml:"litestream"`
	Away       string `toml:"away"`
	URL        string `toml:"url"`
}

// What replica.away may say.
const (
	awayWait = "wait"
	awayGoOn = "go on"
)

func (c ReplicaConfig) check() error {
	if c.URL != "" {
		switch u, err := url.Parse(c.URL); {
		case err != nil || u.Scheme == "":
			return fmt.Errorf(`url: %q is not like "sftp://angelpost@other.example.org/srv/replica"`, c.URL)
		case c.Litestream == "":
			return errors.New("litestream: with url it needs a path for the socket")
		case c.Away != awayWait:
			return fmt.Errorf("away: with url it must be %q, or a machine that takes over lacks what was played since", awayWait)
		}
	}
	if c.Away != awayWait && c.Away != awayGoOn {
		return fmt.Errorf("away: %q is neither %q nor %q", c.Away, awayWait, awayGoOn)
	}
	return nil
}

// replica is what waits for the replica of a database; nil if there is none.
func (c *Config) NewReplica(d *db.DB, conf replica.Config) (*replica.Replica, error) {
	if c.Replica.Litestream == "" {
		return nil, nil
	}
	path, err := filepath.Abs(c.Path(c.Database))
	if err != nil {
		return nil, err
	}
	conf.Socket, conf.Path, conf.Version, conf.GoOn = c.Path(c.Replica.Litestream), path, d.Version, c.Replica.Away == awayGoOn
	return replica.New(conf), nil
}

// unlessAway is queue.Due's answer while the replica is away: nothing goes out but letters
// that tell the host of it.
func (q queue) unlessAway(ctx context.Context, letters []db.Waiting) ([]db.Waiting, error) {
	if len(letters) == 0 {
		return letters, nil
	}
	err := q.replica.Wait(ctx)
	if err == nil {
		return letters, nil
	}
	alarms := slices.DeleteFunc(letters, func(l db.Waiting) bool { return !q.tellsHost(ctx, l) })
	if len(alarms) == 0 {
		return nil, err
	}
	return alarms, nil
}

// tellsHost reports whether a letter is an alarm.
func (q queue) tellsHost(ctx context.Context, l db.Waiting) (yes bool) {
	q.alarms.mu.Lock()
	host := NormalizeAddress(q.alarms.host)
	q.alarms.mu.Unlock()
	if host == "" || NormalizeAddress(l.To) != host {
		return false
	}
	err := q.DB.View(ctx, func(tx store.Tx) error {
		m, err := tx.Message(l.ID)
		for _, r := range m.Answer.Remarks {
			yes = yes || strings.HasPrefix(r.Code, "alarm-")
		}
		return err
	})
	return yes && err == nil
}

// settle waits for the replica before the program ends, and warns if it is away.
func (s *Server) settle() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := s.replica.Wait(ctx); err != nil {
		s.log.Warn("what was committed last is in the database, and not on the replica yet", "err", err)
	}
}

// How long the replica is away before the host gets a letter about it.
const replicaAway = 20 * time.Second

func (s *Server) replicaLost(*db.Figures, time.Time) string {
	if lasts, err := s.health.Trouble(health.Replica); err != nil && lasts >= replicaAway {
		return err.Error()
	}
	return ""
}

// notYet has letters wait in the mailbox that were dealt with, for what they did is not safe
// yet. They will be known when they are read again.
func notYet(out []imapbox.Verdict, err error) {
	for i := range out {
		if out[i].Err == nil {
			out[i].Err = fmt.Errorf("%w: %w", imapbox.ErrNotNow, err)
		}
	}
}

// SleepFor waits for a time, or until ctx ends.
func SleepFor(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// How fast a standby takes over (cmd/internal/pair), as far as the server that serves has
// its part in it.
const (
	StandbyBeat  = 2 * time.Second  // between commits of the server that serves, if nothing else happens
	StandbyLook  = 5 * time.Second  // how old a look at the claims may be
	StandbyWait  = 12 * time.Second // from a new claim until it is used
	StandbyPause = time.Second      // between looks at the copy
)

const _ = uint64(StandbyWait - 2*StandbyLook) // as in imapbox

// A replicator copies the database of a configuration to the place of an epoch until ctx
// ends.
type replicator func(ctx context.Context, c *Config, epoch int64, log func(error), stderr io.Writer) error

// pair waits for the claim of a server that other machines stand by, and has Litestream copy
// to the place of its epoch; it returns once all is there. end stops Litestream.
func (s *Server) pair(ctx context.Context, copy replicator, stderr io.Writer) (end func(), err error) {
	for s.tenure.Term().Epoch == 0 {
		if SleepFor(ctx, StandbyPause); ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := imapbox.Claim(ctx, s.Box, false); s.tenure.Lost() != nil {
			return nil, cli.BadEnvironment(err)
		}
	}
	copying, stop := context.WithCancel(context.WithoutCancel(ctx)) // until all else has stopped
	done := make(chan error, 1)
	go func() {
		done <- copy(copying, s.Conf, s.tenure.Term().Epoch, func(err error) { s.log.Error("standby: litestream", "err", err) }, stderr)
	}()
	end = func() {
		s.settle()
		s.settles = false
		stop()
		<-done
	}
	for s.replica.Wait(ctx) != nil {
		select {
		case err := <-done:
			stop()
			return nil, err
		case <-ctx.Done():
			end()
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return end, nil
}
