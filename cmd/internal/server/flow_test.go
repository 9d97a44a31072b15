package server

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
	"angelpost/mail/mailhost"
)

// TestFlow: mail flows if both ways work, and has stopped since the first of them failed.
func TestFlow(t *testing.T) {
	now := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
	f := newFlow(func() time.Time { return now }, make(chan struct{}, 1))
	bad := errors.New("no route")
	stopped := func(want time.Time, wantSure bool) {
		t.Helper()
		if since, sure := f.stopped(); !since.Equal(want) || sure != wantSure {
			t.Errorf("stopped since %v, sure %v; want %v, %v", since, sure, want, wantSure)
		}
	}
	if !f.flowed(now) {
		t.Error("without a mailbox mail does not flow")
	}
	f.hear(mailIn, time.Time{}, bad)
	stopped(time.Time{}, true)
	f.hear(mailIn, time.Time{}, nil)
	f.begin()
	stopped(time.Time{}, false)
	if f.flowed(now) || len(f.ask) != 1 || len(f.try) != 1 {
		t.Error("nothing is known, and neither way is tried")
	}
	<-f.ask
	<-f.try
	f.hear(mailOut, time.Time{}, nil)
	f.look()()
	f.hear(mailIn, time.Time{}, nil)
	stopped(time.Time{}, true)
	if !f.flowed(now) || len(f.ask)+len(f.try) > 0 {
		t.Error("both work, and mail does not flow")
	}
	done := f.look()
	now = now.Add(10 * time.Minute)
	done()
	if f.flowed(now) || len(f.ask) != 1 || len(f.try) != 0 {
		t.Error("a look that began before does not count; a letter ten minutes ago does")
	}
	first := now
	f.hear(mailIn, time.Time{}, bad)
	now = now.Add(time.Hour)
	f.hear(mailIn, time.Time{}, bad)
	f.hear(mailOut, now.Add(-time.Minute), bad)
	stopped(first, true)
	f.hear(mailIn, time.Time{}, nil)
	stopped(now.Add(-time.Minute), true)
	f.hear(mailOut, time.Time{}, nil)
	stopped(time.Time{}, true)
}

// TestProbeProvesNothingWhileLettersWait: a login that works does not end trouble with letters that
// are refused.
func TestProbeProvesNothingWhileLettersWait(t *testing.T) {
	s := turnServer(t)
	s.Conf.SMTP.Addr, s.Conf.SMTP.TLS = "127.0.0.1:1", "none" // no one listens there
	s.flow.begin()
	s.probeNow(t.Context())
	if _, failed := s.flow.outWorked(); failed.IsZero() {
		t.Error("no one listens, and letters can be sent")
	}
	if err := s.watchMail(t.Context()); err != nil {
		t.Fatal(err)
	}
	if since, err := s.Desk.MailStopped(t.Context()); err != nil || since.IsZero() {
		t.Errorf("the desk does not know: %v %v", since, err)
	}
	host, err := mailhost.Start(mailhost.Config{Dir: t.TempDir(), Accounts: []string{"angelpost"}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	s.Conf.SMTP.Addr, s.Conf.SMTP.User = host.SMTPAddr(), ""
	if _, err := s.Desk.NewGame(t.Context(), seating.NewGameOrder{Started: true, Players: []seating.NewPlayer{{Address: "ann@a.example"}, {Address: "bob@b.example"}}}); err != nil {
		t.Fatal(err)
	}
	s.probeNow(t.Context())
	if _, failed := s.flow.outWorked(); failed.IsZero() {
		t.Error("letters wait, and a login proves that they can be sent")
	}
	queued(t, s, map[int]notice.Message{})
	s.probeNow(t.Context())
	if _, failed := s.flow.outWorked(); !failed.IsZero() {
		t.Error("nothing waits, and a login proves nothing")
	}
}
