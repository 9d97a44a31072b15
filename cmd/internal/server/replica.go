package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"angelpost/cmd/internal/health"
	"angelpost/db"
	"angelpost/db/replica"
	"angelpost/engine/store"
	"angelpost/mail/imapbox"
)

// replicaConfig is the table [replica] of a configuration.
type replicaConfig struct {
	Litestream string `toml:"litestream"`
	Away       string `toml:"away"`
	URL        string `toml:"url"`
}

// What replica.away may say.
const (
	awayWait = "wait"
	awayGoOn = "go on"
)

func (c replicaConfig) check() error {
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
func (c *Config) replica(d *db.DB, conf replica.Config) (*replica.Replica, error) {
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
	host := normalizeAddress(q.alarms.host)
	q.alarms.mu.Unlock()
	if host == "" || normalizeAddress(l.To) != host {
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

// checkReplica is doctor's.
func (c *Config) checkReplica(ctx context.Context) *complaint {
	d, err := db.OpenToRead(ctx, c.Path(c.Database))
	if err != nil {
		return complain(err, "See database.")
	}
	defer d.Close()
	r, err := c.replica(d, replica.Config{Patience: 5 * time.Second, Log: slog.New(slog.DiscardHandler)})
	if err == nil {
		r.GoOn = false
		err = r.Wait(ctx)
		r.Close()
	}
	return complain(err, "Litestream must run on this machine, with its socket enabled at this path, and list the database in its configuration by its full path.")
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
