package server

import (
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/program"
	"angelpost/db"
)

// TestSendingLimits holds that a server goes on counting after a restart, and that status
// and the alarm say what limits the letters.
func TestSendingLimits(t *testing.T) {
	s := turnServer(t)
	s.Conf.SMTP.PerDay, s.Conf.SMTP.PerMinute = 100, 7
	now := s.time.now()
	if err := s.DB.SentAt(t.Context(), now.Add(-time.Hour), 1001, 1002, 1003); err != nil {
		t.Fatal(err)
	}
	l, err := s.sendingLimits(t.Context())
	if err != nil || l.PerDay != 100 || l.PerMinute != 7 || len(l.Sent) != 3 || now.Sub(l.Sent[0]) > time.Hour {
		t.Errorf("%+v %v", l, err)
	}
	r, err := s.Status(t.Context())
	if err != nil || !strings.Contains(strings.Join(r.Lines(), "\n"), "3 letters sent in 24 hours (smtp.per_minute = 7, smtp.per_day = 100)") {
		t.Errorf("%q %v", r.Lines(), err)
	}
	if why := s.outboxOld(&db.Figures{Queued: 5, OldestQueued: now.Add(-2 * time.Hour)}, now); !strings.Contains(why, "smtp.per_day = 100") {
		t.Error(why)
	}
	s.Conf.SMTP.PerDay, s.Conf.SMTP.PerMinute = 0, 0
	if r, err := s.Status(t.Context()); err != nil || r.Limits != "" {
		t.Errorf("%q %v", r.Limits, err)
	}
	path := writeConfig(t, t.TempDir(), "[smtp]\n", "[smtp]\nper_day = -1\n")
	if code, _, errs := program.Outcome(t, "status", "-config", path); code != cli.ExitUsage || !strings.Contains(errs, "smtp.per_day") {
		t.Errorf("%d %s", code, errs)
	}
}
