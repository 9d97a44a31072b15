package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/hook"
	"angelpost/db"
	"angelpost/engine/notice"
	"angelpost/mail/imapbox"
)

// The start waits for the mail server this long at most; it may be down.
const claimWait = 3 * time.Second

// claim makes the mailbox this database's. While the mailbox cannot be reached, nothing
// is known of other claims: the watcher will ask.
func (s *Server) claim(ctx context.Context, lock *db.Lock, take bool) error {
	s.flow.begin()
	what, here := lock.Remembered()
	tenant, err := s.Conf.tenant(ctx, s.DB, what, here, s.log)
	if err != nil {
		return cli.BadEnvironment(err)
	}
	if s.Conf.Replica.URL != "" && tenant.Here {
		copies, err := s.Conf.Copies(ctx, tenant.Was.Epoch)
		if err == nil && copies.Last > 0 && !copies.Whole {
			s.log.Error("the replica lacks files; this server copies everything to a new place", "epoch", tenant.Was.Epoch)
			tenant.Here = false // so it begins another epoch
		}
	}
	tenant.Keep = func(t imapbox.Term) error { return lock.Remember(TermLine(t)) }
	tenant.Delivered = s.claimsDelivered
	s.tenure = imapbox.NewTenure(tenant)
	s.Box.Tenure = s.tenure
	s.Box.Owed = func(ctx context.Context, most int) (owed []imapbox.Owed, err error) {
		letters, err := s.DB.Unfiled(ctx, most)
		for _, l := range letters {
			owed = append(owed, imapbox.Owed{ID: l.ID, Raw: l.Raw, Arrived: l.Received})
		}
		return owed, err
	}
	s.Box.Paid = s.DB.FiledAway
	ctx, cancel := context.WithTimeout(ctx, claimWait)
	defer cancel()
	err = imapbox.Claim(ctx, s.Box, take)
	if lost := s.tenure.Lost(); err != nil && (take || lost != nil) {
		return cli.BadEnvironment(replaced(err))
	}
	if err != nil {
		s.log.Warn("the mailbox cannot be reached yet", "err", err)
	}
	return nil
}

// claimsDelivered notes that letters came by post into the folder of claims.
func (s *Server) claimsDelivered(letters int) {
	s.raise(context.Background(), notice.AlarmClaim, fmt.Sprint(letters))
}

// replaced adds to the error of a server whose mailbox another has what the host can do.
func replaced(err error) error {
	if lost := new(imapbox.Claimed); errors.As(err, &lost) && lost.Copy {
		return fmt.Errorf("%w. If that one is stopped for good, `angelpost serve -take` gives the mailbox back to this one; what that one has played is in its database alone", err)
	}
	return err
}

// tenant is what a server on the database says of itself; what it remembers is from the
// lock file.
func (c *Config) tenant(ctx context.Context, d *db.DB, remembered string, here bool, log *slog.Logger) (x imapbox.Tenant, err error) {
	x = imapbox.Tenant{Was: ReadTerm(remembered), Here: here, Standby: c.Standby || c.Replica.URL != "", Look: hook.Look, Wait: hook.Wait, At: hook.Passing, Log: log}
	if c.Replica.URL != "" {
		x.Look, x.Wait = cmp.Or(hook.Look, StandbyLook), cmp.Or(hook.Wait, StandbyWait)
	}
	if x.Database, err = d.ID(ctx); err != nil {
		return x, err
	}
	if x.Key, err = d.ClaimKey(ctx); err != nil {
		return x, err
	}
	if x.Unused, err = d.Unused(ctx); err != nil {
		return x, err
	}
	path, err := filepath.Abs(c.Path(c.Database))
	if err != nil {
		return x, err
	}
	host, err := os.Hostname()
	x.Place = fmt.Sprintf("%+q on %+q", path, host)
	return x, err
}

// Claiming returns the mailbox's configuration for a command that looks at the claims on it
// while the server may be running.
func (c *Config) Claiming(ctx context.Context, box imapbox.Config, d *db.DB) (imapbox.Config, error) {
	what, here, err := db.Remembered(c.Path(c.Database))
	if err != nil {
		return box, err
	}
	tenant, err := c.tenant(ctx, d, what, here, box.Log)
	box.Tenure = imapbox.NewTenure(tenant)
	return box, err
}

// Unclaimed is Claiming where there is no database yet: every claim is another server's.
func (c *Config) Unclaimed(box imapbox.Config) imapbox.Config {
	box.Tenure = imapbox.NewTenure(imapbox.Tenant{Database: strings.ToLower(rand.Text()), Unused: true, Log: box.Log})
	return box
}

// TermLine formats a Term for the lock file.
func TermLine(t imapbox.Term) string { return fmt.Sprint(t.Instance, " ", t.Epoch, " ", t.Waited) }

// ReadTerm parses such a line; it returns the zero Term for any other.
func ReadTerm(line string) (t imapbox.Term) {
	if _, err := fmt.Sscan(line, &t.Instance, &t.Epoch, &t.Waited); err != nil || t.Epoch < 1 {
		return imapbox.Term{}
	}
	return t
}

// doorPatience is how long an LMTP client waits while this server may not take letters yet;
// then the answer is 451: try again later.
const doorPatience = 30 * time.Second

// hold waits until the server may take letters.
func (s *Server) hold(ctx context.Context) error {
	over := time.NewTimer(doorPatience)
	defer over.Stop()
	for {
		ok, changed := s.tenure.May()
		if ok {
			return nil
		}
		if lost := s.tenure.Lost(); lost != nil {
			return lost
		}
		select {
		case <-changed:
		case <-over.C:
			return errors.New("the claim on the mailbox could not be confirmed")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
