package server

import (
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/health"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// TestAlarmKinds: each kind of trouble is noticed and told, with a sentence, a subject and
// a command that helps; and that it is over.
func TestAlarmKinds(t *testing.T) {
	t.Parallel()
	ctx, dir := t.Context(), t.TempDir()
	c, err := LoadConfig(writeConfig(t, dir, "angelpost.db", "games.db"))
	if err != nil {
		t.Fatal(err)
	}
	c.Alarms = "host@home.test"
	s, err := Open(ctx, c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.alarms.web = ""
	free, size := uint64(10_000_000_000), uint64(100_000_000_000)
	s.alarms.df = func(string) (uint64, uint64, error) { return free, size, nil }
	var passed time.Duration
	s.health.Steady = func() time.Time { return time.Unix(1_800_000_000, 0).Add(passed) }
	for _, p := range []health.Part{health.Writer, health.Mailbox, health.Clock, health.Sender} {
		s.health.Round(p, nil)
	}
	exec := func(query string) {
		t.Helper()
		if _, err := program.Opened(t, filepath.Join(dir, "angelpost.toml")).Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	err = s.DB.Update(ctx, func(tx store.Tx) error {
		return tx.AddLetter(&store.Letter{MessageID: "a@b.test", From: "ann@b.test", State: store.LetterDone, Received: s.time.now()})
	})
	if err != nil {
		t.Fatal(err)
	}
	queue := func(age time.Duration) { // a letter that no one sends
		t.Helper()
		err := s.DB.Update(ctx, func(tx store.Tx) error {
			return tx.AddMessage(&notice.Message{Kind: notice.KindInfo, To: "ann@b.test", MessageID: fmt.Sprint(age, "@a.test"), Date: s.time.now().Add(-age)}, store.Token{}, store.OutQueued)
		})
		if err != nil {
			t.Fatal(err)
		}
		exec("UPDATE out SET due = 99999999999999 WHERE state = 1")
	}
	certificate := func(days time.Duration) {
		s.alarms.certificate(c.IMAP.Addr)(&x509.Certificate{NotBefore: s.time.now().Add(-80 * 24 * time.Hour), NotAfter: s.time.now().Add(days * 24 * time.Hour)})
	}
	old := s.backups.path(s.time.now().UTC().Add(-72 * time.Hour))
	kinds := []struct {
		code        string
		begin, ends func()
	}{
		{notice.AlarmMailbox, func() {
			s.health.Round(health.Mailbox, errors.New("NO ann@example.org"))
			passed += mailAway
		}, func() { s.health.Round(health.Mailbox, nil) }},
		{notice.AlarmOutbox, func() {
			queue(2 * time.Hour)
		}, func() { exec("UPDATE out SET state = 0 WHERE due = 99999999999999") }},
		{notice.AlarmRefused, func() { s.raise(ctx, notice.AlarmRefused, "550 "+strings.Repeat("a", 26)+" no") }, nil},
		{notice.AlarmAside, func() { exec("UPDATE letters SET state = 3 WHERE id = 1") }, func() { exec("UPDATE letters SET state = 0 WHERE id = 1") }},
		{notice.AlarmDisk, func() { free = minRoom - 1 }, func() { free = size / 10 }},
		{notice.AlarmQuota, func() { s.Box.Quota(90) }, func() { s.Box.Quota(89) }},
		{notice.AlarmDatabase, func() { exec("INSERT INTO due VALUES (900, 99999999999999, 'unread', 'g', 0, 0, '')") }, func() { exec("DELETE FROM due") }},
		{notice.AlarmClock, func() { s.raise(ctx, notice.AlarmClock, "1h0m0s") }, nil},
		{notice.AlarmBackup, func() {
			if err := errors.Join(os.MkdirAll(s.backups.Folder, 0o700), os.WriteFile(old, nil, 0o600)); err != nil {
				t.Fatal(err)
			}
		}, func() { os.Remove(old) }},
		{notice.AlarmReplica, func() {
			s.health.Round(health.Replica, errors.New("litestream: no space left"))
			passed += replicaAway
		}, func() { s.health.Round(health.Replica, nil) }},
		{notice.AlarmRestore, func() { s.restores.failed = errors.New("litestream restore: exit status 1") }, func() { s.restores.failed = nil }},
		{notice.AlarmCertificate, func() { certificate(13) }, func() { certificate(60) }},
		{notice.AlarmClaim, func() { s.claimsDelivered(2) }, nil},
		{notice.AlarmAppeal, func() { s.raise(ctx, notice.AlarmAppeal, "abcdefghijklmn27") }, nil},
	}
	var seen []string
	look := func(want string) {
		t.Helper()
		if err := s.lookForTrouble(ctx); err != nil {
			t.Fatal(err)
		}
		due, _, err := s.DB.Due(ctx, s.time.now(), 100)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range due {
			sheet, err := s.Desk.Host().Input(ctx, l.Message)
			if err != nil {
				t.Fatal(err)
			}
			body, err := s.Body(sheet)
			if err != nil {
				t.Fatal(err)
			}
			code := l.Answer.Remarks[0].Code
			got = append(got, code)
			command := ""
			if i := slices.IndexFunc(alarmKinds, func(k alarmKind) bool { return k.code == code }); i >= 0 {
				command = alarmKinds[i].command
			}
			switch {
			case body.Subject != s.Words.Say("subject."+code), strings.Contains(body.Text, "{"), !strings.Contains(strings.Join(strings.Fields(body.Text), " "), command):
				t.Errorf("%s: %s\n%s", code, body.Subject, body.Text)
			case strings.Contains(body.Text, strings.Repeat("a", 26)):
				t.Errorf("%s tells a secret:\n%s", code, body.Text)
			}
			if err := s.DB.Sent(ctx, l.ID); err != nil {
				t.Fatal(err)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
	look("")
	for _, k := range kinds {
		seen = append(seen, k.code)
		k.begin()
		look(k.code)
		rows, err := s.alarmRows(ctx)
		if err != nil || len(rows) == 0 || !slices.ContainsFunc(rows, func(r alarmRow) bool { return "alarm-"+r.Kind == k.code && r.Command != "" && r.Why != "" }) {
			t.Errorf("%s: %+v %v", k.code, rows, err)
		}
		look("")
		if k.ends != nil {
			k.ends()
			look(k.code + notice.AlarmOver)
		}
	}
	// While nothing can be sent, the host gets no letter; afterwards they learn of it.
	queue(time.Minute)
	s.health.Round(health.Sender, errors.New("535 no"))
	look("")
	passed += mailAway
	look("")
	if rows, err := s.alarmRows(ctx); err != nil || !slices.ContainsFunc(rows, func(r alarmRow) bool { return r.Kind == "smtp" }) {
		t.Errorf("%+v %v", rows, err)
	}
	s.health.Round(health.Sender, nil)
	look(notice.AlarmSMTP + notice.AlarmOver)
	seen = append(seen, notice.AlarmSMTP)
	for _, code := range alarmCodes() {
		if !slices.Contains(seen, code) {
			t.Errorf("%s is not tried", code)
		}
	}
	certificate(15)
	look("")
	s.alarms.certificate(c.SMTP.Addr)(&x509.Certificate{NotBefore: s.time.now().Add(-24 * time.Hour), NotAfter: s.time.now().Add(5 * 24 * time.Hour)})
	look("")
	s.alarms.damage(store.ErrNotFound)
	if s.alarms.bad != nil {
		t.Error("what is not found is no damage")
	}
}

// TestAlarmArrives: what was noted before the server started reaches the host's mailbox.
func TestAlarmArrives(t *testing.T) {
	t.Parallel()
	p := program.ServeOn(t, "host = \"alpha@"+program.Domain+"\"", func(config string) {
		if out, code := program.Output(t, "new", "-config", config, "-started", "-player", "beta@"+program.Domain, "-player", "bot"); code != cli.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
		if _, err := program.Opened(t, config).Exec("INSERT INTO alarms VALUES (?, 1800000000000, 0, '1h0m0s')", notice.AlarmClock); err != nil {
			t.Fatal(err)
		}
	})
	alpha := mailclient.Stranger(t, p, "alpha")
	mailclient.Says(t, alpha.Until("the alarm", func(r mailclient.Received) bool { return r.Header.Get("Subject") == "Angelpost: the clock jumped" }),
		"The system's clock jumped at Fri 15 Jan, 08:00 UTC, by 1h0m0s.", "timedatectl")
}
