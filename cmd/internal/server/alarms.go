package server

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/health"
	"angelpost/db"
	"angelpost/engine/match/desk"
	"angelpost/engine/notice"
	"angelpost/mail/outbox"
)

// An alarmKind is trouble of one kind that the host hears of.
type alarmKind struct {
	code    string                                               // its sentence in the catalogue; with notice.AlarmOver, that it is over
	look    func(s *Server, f *db.Figures, now time.Time) string // what is wrong, "" nothing; nil: RaiseAlarm notes it when it happens
	command string                                               // that helps
	mail    bool                                                 // no letter can be sent
}

var alarmKinds = []alarmKind{
	{notice.AlarmMailbox, (*Server).mailboxAway, "angelpost doctor", false},
	{notice.AlarmSMTP, (*Server).smtpAway, "angelpost doctor", true},
	{notice.AlarmOutbox, (*Server).outboxOld, "angelpost letters queued", false},
	{notice.AlarmRefused, nil, "angelpost letters failed", false},
	{notice.AlarmAside, (*Server).lettersAside, "angelpost letters aside", false},
	{notice.AlarmDisk, (*Server).diskFull, "df -h", false},
	{notice.AlarmQuota, (*Server).mailboxFull, "angelpost doctor", false},
	{notice.AlarmDatabase, (*Server).databaseBad, "angelpost doctor", false},
	{notice.AlarmClock, nil, "timedatectl", false},
	{notice.AlarmBackup, (*Server).backupLate, "angelpost doctor", false},
	{notice.AlarmReplica, (*Server).replicaLost, "angelpost doctor", false},
	{notice.AlarmRestore, (*Server).replicaSpoilt, "angelpost doctor", false},
	{notice.AlarmCertificate, (*Server).certificateOld, "angelpost doctor", false},
	{notice.AlarmClaim, nil, "angelpost doctor", false},   // the watcher of the mailbox notes it
	{notice.AlarmAppeal, nil, "angelpost appeals", false}, // rulings notes it
}

func alarmCodes() []string {
	out := make([]string, len(alarmKinds))
	for i, k := range alarmKinds {
		out[i] = k.code
	}
	return out
}

// When trouble becomes an alarm.
const (
	mailAway     = 15 * time.Minute    // since a mail server could last be worked with
	outboxAge    = time.Hour           // of a letter that waits to be sent
	minRoom      = 500_000_000         // bytes free
	minRoomPart  = 20                  // or a twentieth of the disk
	NearlyFull   = 90                  // percent of the mailbox's quota
	expiresSoon  = 14 * 24 * time.Hour // until a certificate runs out
	alarmLook    = time.Minute         // how often the server looks
	webCertEvery = 6 * time.Hour       // and at the certificate of the pages
	maxWhy       = 300                 // bytes of what was found
)

// alarms are what looks for trouble need that is kept nowhere else.
type alarms struct {
	web string                                             // host and port of the pages, if they have a certificate
	df  func(folder string) (free, size uint64, err error) // the disk's room
	now chan struct{}                                      // the host is to hear at once

	mu     sync.Mutex
	host   string               // where letters go; "" none
	bad    error                // what damage was found in the database
	certs  map[string]time.Time // by server: when its certificate is too old
	webBad error                // why the certificate of the pages does not hold
	webAt  time.Time            // when it was looked at
}

func newAlarms(c *Config) *alarms {
	a := &alarms{df: room, now: make(chan struct{}, 1), host: c.Alarms, certs: map[string]time.Time{}}
	if u, err := url.Parse(c.HTTP.BaseURL); err == nil && u.Scheme == "https" {
		a.web = u.Host
		if u.Port() == "" {
			a.web = net.JoinHostPort(u.Hostname(), "443")
		}
	}
	return a
}

// room returns how many bytes a disk has free for this user, and in all.
func room(folder string) (free, size uint64, err error) {
	var s syscall.Statfs_t
	err = syscall.Statfs(folder, &s)
	return s.Bavail * uint64(s.Bsize), s.Blocks * uint64(s.Bsize), err
}

// write has letters go to another address.
func (a *alarms) write(host string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.host = host
}

// damage notes that an error tells of damage in the database, if it does.
func (a *alarms) damage(err error) {
	if !db.Damaged(err) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bad = err
}

// certificate returns what notes the certificates of a server.
func (a *alarms) certificate(server string) func(*x509.Certificate) {
	return func(c *x509.Certificate) {
		// Those that last a few days only are renewed later.
		soon := min(expiresSoon, c.NotAfter.Sub(c.NotBefore)/4)
		a.mu.Lock()
		defer a.mu.Unlock()
		a.certs[server] = c.NotAfter.Add(-soon)
	}
}

// lookAtWeb looks at the certificate of the pages, as a browser does. That they cannot be
// reached from here is no trouble: they may be reached from elsewhere.
func (a *alarms) lookAtWeb(ctx context.Context, now time.Time) {
	a.mu.Lock()
	due := a.web != "" && now.Sub(a.webAt).Abs() >= webCertEvery
	if due {
		a.webAt = now
	}
	a.mu.Unlock()
	if !due {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	conn, err := (&tls.Dialer{}).DialContext(ctx, "tcp", a.web)
	if err == nil {
		a.certificate(a.web)(conn.(*tls.Conn).ConnectionState().PeerCertificates[0])
		conn.Close()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.webBad = nil
	if expired := (x509.CertificateInvalidError{}); errors.As(err, &expired) && expired.Reason == x509.Expired {
		a.webBad = fmt.Errorf("%s: %w", a.web, err)
	}
}

// smtp is the server that takes letters, with what notes its certificate.
func (s *Server) smtp() (out outbox.Server) {
	out = s.Conf.OutboxServer()
	out.Certificate = s.alarms.certificate(out.Addr)
	return out
}

// raise notes trouble that happens and is over; the host hears at the next look.
func (s *Server) raise(ctx context.Context, code, why string) {
	if err := s.DB.Raise(ctx, code, trimWhy(why), s.time.now()); err != nil && ctx.Err() == nil {
		s.log.Error("could not note an alarm", "alarm", code, "why", why, "err", err)
	}
}

// trimWhy makes what was found fit for letters: secrets do not leave the server.
func trimWhy(why string) string {
	why = secretText.ReplaceAllString(cli.OneLine(errors.New(why)), "$1(secret)$2")
	if len(why) > maxWhy {
		why = strings.ToValidUTF8(why[:maxWhy], "") + "..."
	}
	return why
}

// alarm looks for trouble every minute until ctx ends.
func (s *Server) alarm(ctx context.Context) error {
	for {
		if err := s.lookForTrouble(ctx); err != nil && ctx.Err() == nil {
			s.log.Error("could not look for trouble", "err", err)
			s.alarms.damage(err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.alarms.now:
		case <-time.After(alarmLook):
		}
	}
}

// lookForTrouble looks once, and has the desk write to the host.
func (s *Server) lookForTrouble(ctx context.Context) error {
	now := s.time.now()
	s.alarms.lookAtWeb(ctx, now)
	if err := s.noteBox(ctx); err != nil {
		return err
	}
	f, err := s.DB.Figures(ctx)
	if err != nil {
		return err
	}
	var found []desk.Trouble
	for _, k := range alarmKinds {
		t := desk.Trouble{Kind: k.code, Command: k.command, Passes: k.look == nil, Mail: k.mail}
		if k.look != nil {
			t.Why = trimWhy(k.look(s, &f, now))
		}
		found = append(found, t)
	}
	s.alarms.mu.Lock()
	host := s.alarms.host
	s.alarms.mu.Unlock()
	if err := s.Desk.Alarm(ctx, host, found); err != nil {
		return err
	}
	is, err := s.DB.Figures(ctx)
	if err != nil {
		return err
	}
	s.logAlarms(f.Alarms, is.Alarms, found)
	notify(s.wake)
	return nil
}

// logAlarms tells the log what has begun and what is over.
func (s *Server) logAlarms(was, is []string, found []desk.Trouble) {
	for _, t := range found {
		switch before, after := slices.Contains(was, t.Kind), slices.Contains(is, t.Kind); {
		case after && !before:
			s.log.Error("alarm", "alarm", t.Kind, "why", t.Why, "do", t.Command)
		case before && !after && !t.Passes:
			s.log.Info("an alarm is over", "alarm", t.Kind)
		}
	}
}

func (s *Server) away(p health.Part) string {
	if lasts, err := s.health.Trouble(p); err != nil && lasts >= mailAway {
		return err.Error()
	}
	return ""
}

func (s *Server) mailboxAway(*db.Figures, time.Time) string { return s.away(health.Mailbox) }

func (s *Server) smtpAway(*db.Figures, time.Time) string { return s.away(health.Sender) }

func (s *Server) outboxOld(f *db.Figures, now time.Time) string {
	if f.OldestQueued.IsZero() || now.Sub(f.OldestQueued) < outboxAge {
		return ""
	}
	why := fmt.Sprintf("%d wait, the oldest since %s", f.Queued, Told(Moment(f.OldestQueued)))
	if limits := s.Conf.limits(); limits != "" {
		why += "; " + limits
	}
	return why
}

func (s *Server) lettersAside(f *db.Figures, _ time.Time) string {
	if f.Aside == 0 {
		return ""
	}
	return fmt.Sprint(f.Aside)
}

func (s *Server) diskFull(*db.Figures, time.Time) string {
	folders := []string{filepath.Dir(s.Conf.Path(s.Conf.Database)), s.backups.Folder}
	for _, folder := range folders {
		if folder == "" {
			continue
		}
		free, size, err := s.alarms.df(folder)
		if err != nil || size == 0 { // there are no backups yet
			continue
		}
		if free < minRoom || free < size/minRoomPart {
			return fmt.Sprintf("%s: %d MB of %d MB free", folder, free/1_000_000, size/1_000_000)
		}
	}
	return ""
}

func (s *Server) mailboxFull(*db.Figures, time.Time) string {
	if used := s.box.get(noteUsed) - 1; used >= NearlyFull {
		return fmt.Sprint(used)
	}
	return ""
}

func (s *Server) databaseBad(f *db.Figures, _ time.Time) string {
	s.alarms.mu.Lock()
	defer s.alarms.mu.Unlock()
	switch {
	case s.alarms.bad != nil:
		return s.alarms.bad.Error()
	case f.Unread > 0:
		return fmt.Sprintf("games that cannot be read: %d", f.Unread)
	}
	return ""
}

func (s *Server) backupLate(_ *db.Figures, now time.Time) string {
	if err := s.backups.Trouble(now); err != nil {
		return err.Error()
	}
	return ""
}

func (s *Server) certificateOld(_ *db.Figures, now time.Time) string {
	s.alarms.mu.Lock()
	defer s.alarms.mu.Unlock()
	if s.alarms.webBad != nil {
		return s.alarms.webBad.Error()
	}
	for _, server := range []string{s.Conf.IMAP.Addr, s.Conf.SMTP.Addr, s.alarms.web} {
		if old, ok := s.alarms.certs[server]; ok && !now.Before(old) {
			return server
		}
	}
	return ""
}

// alarmRows lists the trouble there is now.
func (s *Server) alarmRows(ctx context.Context) ([]alarmRow, error) {
	out := []alarmRow{}
	alarms, err := s.DB.Alarms(ctx)
	for _, a := range alarms {
		for _, k := range alarmKinds {
			if k.code == a.Kind {
				out = append(out, alarmRow{strings.TrimPrefix(a.Kind, "alarm-"), Moment(a.Since), a.Why, k.command})
			}
		}
	}
	return out, err
}
