package server

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"time"

	"github.com/BurntSushi/toml"

	"angelpost/cmd/internal/cli"
	"angelpost/engine/match/unit"
	"angelpost/mail/imapbox"
	"angelpost/mail/outbox"
)

// reloaded are the keys of the configuration that a server at work takes over
// when it gets SIGHUP, together with what is in the files that they name. The
// others need a restart.
var reloaded = []string{
	"host", "start", "allow", "directors", "friends", "abuse_reporters", "remind_days", "answers_per_day", "vacation_days", "keep_days",
	"privacy.host", "privacy.contact", "privacy.note", "privacy.copies_days", "sibling",
	"imap.password_file", "imap.password_command", "imap.ca_file", "smtp.password_file", "smtp.password_command", "smtp.ca_file",
	"oauth.provider", "oauth.client_id", "oauth.client_secret_file", "oauth.token_file", "oauth.tenant",
	"oauth.auth_url", "oauth.token_url", "oauth.device_url", "oauth.scopes",
}

// policy is what the desk goes by of the configuration.
func (c *Config) policy() unit.Policy {
	return unit.Policy{
		Start: c.Start, List: c.Allow, Directors: c.Directors, HostMail: c.Alarms, Friends: c.friends(), Reporters: c.Reporters, Checked: c.Checks(), RemindAfter: time.Duration(c.RemindDays) * 24 * time.Hour,
		AnswersPerDay: c.AnswersPerDay, VacationDays: cmp.Or(c.VacationDays, -1),
		Contact: c.Privacy.Contact, KeepLetters: time.Duration(c.KeepDays) * 24 * time.Hour,
	}
}

// reloading takes the configuration over anew at each signal, until ctx ends.
func (s *Server) reloading(ctx context.Context, signals <-chan os.Signal) error {
	now := s.Conf
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-signals:
			now = s.reload(now)
		}
	}
}

// reload takes over what a server at work can, and returns the configuration
// that is in force then. One that is wrong is refused as a whole.
func (s *Server) reload(now *Config) *Config {
	c, err := LoadConfig(now.file)
	if err == nil {
		err = c.Files()
	}
	if err != nil {
		s.log.Error("the configuration cannot be reloaded; the old one stays in force", "err", err)
		return now
	}
	s.Desk.Reload(c.policy())
	s.told.Store(&c.Privacy)
	s.known.Store(&c.Siblings)
	s.alarms.write(c.Alarms)
	in := logins{s.Box, s.smtp()}
	if c.IMAP.sameLogin(s.Conf.IMAP.mailServer) {
		in.box.Secret, in.box.CAFile = c.Secret(c.IMAP.mailServer), c.Path(c.IMAP.CAFile)
	}
	if c.SMTP.sameLogin(s.Conf.SMTP.mailServer) {
		in.smtp.Secret, in.smtp.CAFile = c.Secret(c.SMTP.mailServer), c.Path(c.SMTP.CAFile)
	}
	select {
	case <-s.logins: // the last ones, which no one has taken yet
	default:
	}
	s.logins <- in
	changed, _ := now.changes(c)
	if _, later := s.Conf.changes(c); len(later) > 0 {
		s.log.Warn("configuration reloaded; some changes need a restart", "changed", changed, "not_yet", later)
	} else {
		s.log.Info("configuration reloaded", "changed", changed)
	}
	return c
}

// sameLogin reports whether only the password and the files of a mail server are others: a new
// user's password is not the old one's.
func (m mailServer) sameLogin(was mailServer) bool {
	m.PasswordFile, m.Password, m.CAFile = was.PasswordFile, was.Password, was.CAFile
	return m == was
}

// logins are the mail servers as they are logged in to from now on.
type logins struct {
	box  imapbox.Config
	smtp outbox.Server
}

// watch runs the watcher of the mailbox until ctx ends, and begins it anew with
// each change of the logins, which the sender of letters hears of, too.
func (s *Server) watch(ctx context.Context, sender *outbox.Sender) error {
	box := s.Box
	for {
		watching, stop := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func(box imapbox.Config) { ended <- imapbox.Run(watching, box, s.fetched) }(box)
		select {
		case err := <-ended:
			stop()
			return cli.BadEnvironment(replaced(err))
		case in := <-s.logins:
			sender.Reload(in.smtp)
			box = in.box
		}
		stop()
		if err := <-ended; err != nil {
			return cli.BadEnvironment(replaced(err))
		}
	}
}

// changes lists the keys in which two configurations differ: those that are
// reloaded, and those that need a restart.
func (c *Config) changes(to *Config) (at, later []string) {
	was, is := c.values(), to.values()
	keys := slices.Collect(maps.Keys(was))
	for key := range is {
		if _, known := was[key]; !known {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		switch {
		case reflect.DeepEqual(was[key], is[key]):
		case slices.Contains(reloaded, key):
			at = append(at, key)
		default:
			later = append(later, key)
		}
	}
	return at, later
}

// values are the keys that the file sets, as they are told.
func (c *Config) values() map[string]any {
	var tree map[string]any
	if _, err := toml.Decode(c.text, &tree); err != nil { // it was decoded before
		return nil
	}
	out := map[string]any{}
	for key, value := range tree {
		table, ok := value.(map[string]any)
		if !ok {
			out[key] = value
		}
		for name, value := range table {
			out[fmt.Sprintf("%s.%s", key, name)] = value
		}
	}
	return out
}
