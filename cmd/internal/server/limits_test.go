package server

import (
	"bytes"
	"strings"
	"testing"
	"time"

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
	r, err := s.status(t.Context())
	if err != nil || !strings.Contains(strings.Join(r.lines(), "\n"), "3 letters sent in 24 hours (smtp.per_minute = 7, smtp.per_day = 100)") {
		t.Errorf("%q %v", r.lines(), err)
	}
	if why := s.outboxOld(&db.Figures{Queued: 5, OldestQueued: now.Add(-2 * time.Hour)}, now); !strings.Contains(why, "smtp.per_day = 100") {
		t.Error(why)
	}
	s.Conf.SMTP.PerDay, s.Conf.SMTP.PerMinute = 0, 0
	if r, err := s.status(t.Context()); err != nil || r.Limits != "" {
		t.Errorf("%q %v", r.Limits, err)
	}
	var out, errs bytes.Buffer
	path := writeConfig(t, t.TempDir(), "[smtp]\n", "[smtp]\nper_day = -1\n")
	if code := Run([]string{"status", "-config", path}, &out, &errs); code != exitUsage || !strings.Contains(errs.String(), "smtp.per_day") {
		t.Errorf("%d %s", code, &errs)
	}
}
