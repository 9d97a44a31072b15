package server

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/health"
	"angelpost/cmd/internal/program"
	"angelpost/db/replica"
	"angelpost/engine/match/desk"
	"angelpost/mail/imapbox"
	"angelpost/mail/lmtp"
	"angelpost/mail/outbox"
)

// socket plays Litestream for a folder's games.db: it refuses while away is set.
func socket(t *testing.T, dir string) (path string, away *atomic.Bool, asked *atomic.Int64) {
	t.Helper()
	short, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(short) })
	path, away, asked = filepath.Join(short, "s"), new(atomic.Bool), new(atomic.Int64)
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		body := new(bytes.Buffer)
		if _, err := body.ReadFrom(r.Body); err != nil || !strings.Contains(body.String(), fmt.Sprintf("%q", filepath.Join(dir, "games.db"))) {
			t.Errorf("asked for %s, %v", body, err)
		}
		if away.Load() {
			http.Error(w, `{"error":"no space left on device"}`, http.StatusInternalServerError)
			return
		}
		fmt.Fprint(w, `{"status":"synced","txid":3,"replicated_txid":3}`)
	})}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return path, away, asked
}

// withReplica opens a server whose replica is a script.
func withReplica(t *testing.T, setting string) (s *Server, away *atomic.Bool, asked *atomic.Int64) {
	t.Helper()
	dir := t.TempDir()
	path, away, asked := socket(t, dir)
	c, err := LoadConfig(writeConfig(t, dir, "angelpost.db", "games.db"))
	if err != nil {
		t.Fatal(err)
	}
	c.Alarms, c.Replica = "host@home.test", ReplicaConfig{Litestream: path, Away: setting}
	s, err = Open(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.tenure = nil // the mailbox is its alone
	return s, away, asked
}

func letterFrom(n int) []byte {
	return fmt.Appendf(nil, "From: Ann <ann@home.test>\r\nTo: angelpost@example.org\r\nSubject: help\r\nMessage-ID: <%d@home.test>\r\nDate: Mon, 02 Nov 2026 10:00:00 +0000\r\n\r\nhelp\r\n", n)
}

// TestNothingIsAcknowledgedWithoutReplica holds that while the replica is away no letter is
// filed, none taken by LMTP, none sent but the alarm, and no click is answered; and that
// all of it is made up for when the replica is back, once.
func TestNothingIsAcknowledgedWithoutReplica(t *testing.T) {
	t.Parallel()
	s, away, asked := withReplica(t, awayWait)
	ctx := t.Context()
	away.Store(true)
	for range 2 { // the second time it is known
		for _, v := range s.fetched(ctx, []imapbox.Fetched{{Raw: letterFrom(1)}, {Raw: letterFrom(2)}}) {
			if !errors.Is(v.Err, imapbox.ErrNotNow) || !errors.Is(v.Err, replica.ErrAway) || !strings.Contains(v.Err.Error(), "no space left") {
				t.Errorf("a letter would be filed: %v", v.Err)
			}
		}
		for _, err := range s.delivered(ctx, []lmtp.Letter{{Raw: letterFrom(3)}}) {
			if !errors.Is(err, replica.ErrAway) {
				t.Errorf("a letter was taken by LMTP: %v", err)
			}
		}
	}
	due := func() ([]outbox.Letter, error) {
		l, _, err := queue{s}.Due(ctx, s.time.now(), 100, outbox.Busy{})
		return l, err
	}
	if l, err := due(); !errors.Is(err, replica.ErrAway) {
		t.Errorf("letters would be sent: %d, %v", len(l), err)
	}
	if err := (button{s.Desk, s}).safely(ctx, nil); !errors.Is(err, replica.ErrAway) {
		t.Errorf("a click was answered: %v", err)
	}
	// The host hears, although nothing else goes out, and not even an answer to the host.
	if h := s.Handle(ctx, []Arrival{{Raw: bytes.Replace(letterFrom(4), []byte("Ann <ann@home.test>"), []byte("host@home.test"), 1)}}); h[0].Outcome != desk.Answered {
		t.Fatalf("%+v", h)
	}
	later(s)
	if err := s.lookForTrouble(ctx); err != nil {
		t.Fatal(err)
	}
	l, err := due()
	if err != nil || len(l) != 1 || l[0].To != "host@home.test" || !bytes.Contains(rendered(t, s, l[0]), []byte("Subject: Angelpost: the replica is away")) {
		t.Errorf("the host hears: %+v, %v", l, err)
	}
	away.Store(false)
	before := asked.Load()
	for _, v := range s.fetched(ctx, []imapbox.Fetched{{Raw: letterFrom(1)}, {Raw: letterFrom(2)}}) {
		if v.Err != nil {
			t.Errorf("the replica is back: %v", v.Err)
		}
	}
	f, err := s.DB.Figures(ctx)
	if l, e := due(); err != nil || e != nil || len(l) != f.Queued || len(l) < 3 { // answers to both, and the alarm
		t.Errorf("%d letters of %d, %v, %v", len(l), f.Queued, err, e)
	}
	if n := asked.Load() - before; n != 1 {
		t.Errorf("one batch of letters and what it sends took %d exchanges", n)
	}
	if _, err := s.health.Trouble(health.Replica); err != nil {
		t.Error(err)
	}
}

// later lets an hour pass in which only the replica is away.
func later(s *Server) {
	began := time.Now()
	s.health.Steady = func() time.Time { return began.Add(time.Hour) }
	for _, p := range []health.Part{health.Writer, health.Mailbox, health.Clock, health.Sender} {
		s.health.Round(p, nil)
	}
}

func rendered(t *testing.T, s *Server, l outbox.Letter) []byte {
	t.Helper()
	raw, err := queue{s}.render(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestGoesOnWithoutReplica holds the other setting: letters are answered, and the host
// hears.
func TestGoesOnWithoutReplica(t *testing.T) {
	t.Parallel()
	s, away, _ := withReplica(t, awayGoOn)
	ctx := t.Context()
	away.Store(true)
	for _, v := range s.fetched(ctx, []imapbox.Fetched{{Raw: letterFrom(1)}}) {
		if v.Err != nil {
			t.Error(v.Err)
		}
	}
	if _, err := s.health.Trouble(health.Replica); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("no one would hear: %v", err)
	}
	later(s)
	if err := s.lookForTrouble(ctx); err != nil {
		t.Fatal(err)
	}
	l, _, err := queue{s}.Due(ctx, s.time.now(), 100, outbox.Busy{})
	if err != nil || len(l) != 2 {
		t.Errorf("%d letters, %v", len(l), err)
	}
}

// TestCommandsWaitForReplica holds that a command waits for what it did itself, and says so
// if the replica is away.
func TestCommandsWaitForReplica(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, away, asked := socket(t, dir)
	file := writeConfig(t, dir, "angelpost.db", "games.db")
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, bytes.Replace(text, []byte(`litestream = ""`), fmt.Appendf(nil, "litestream = %q", path), 1), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	errs := ""
	run := func(args ...string) {
		t.Helper()
		var code int
		if code, _, errs = program.Outcome(t, append(args[:1:1], append([]string{"-config", file}, args[1:]...)...)...); code != cli.ExitYes {
			t.Fatalf("%q: %d %s", args, code, errs)
		}
	}
	run("new", "-started", "-player", "ann@home.test", "-player", "bot")
	if asked.Load() == 0 || !strings.HasPrefix(errs, "To take this back: ") {
		t.Errorf("a new game was not waited for; %s", errs)
	}
	before := asked.Load()
	run("games")
	if asked.Load() != before {
		t.Error("a list was waited for")
	}
	away.Store(true)
	run("new", "-started", "-player", "ann@home.test", "-player", "bot")
	if !strings.Contains(errs, "not on the replica yet") {
		t.Errorf("the host does not hear: %q", errs)
	}
}

// TestReplicaSettings holds which settings of a replica go together.
func TestReplicaSettings(t *testing.T) {
	for c, want := range map[ReplicaConfig]string{
		{Away: awayWait}:                                         "",
		{Away: awayGoOn, Litestream: "s"}:                        "",
		{Away: awayWait, Litestream: "s", URL: "s3://bucket/a"}:  "",
		{Away: "never"}:                                          "away: ",
		{Away: awayWait, URL: "s3://bucket/a"}:                   "litestream: ",
		{Away: awayGoOn, Litestream: "s", URL: "s3://bucket/a"}:  "away: ",
		{Away: awayWait, Litestream: "s", URL: "/srv/replica"}:   "url: ",
		{Away: awayWait, Litestream: "s", URL: "s3://[bucket/a"}: "url: ",
	} {
		err := c.check()
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestCommandOnFollower holds that a command makes no database on a machine that only
// follows, and that serve does not start where another machine stands by.
func TestCommandOnFollower(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := writeConfig(t, dir, "angelpost.db", "games.db")
	text, err := os.ReadFile(file)
	if err == nil {
		text = bytes.Replace(text, []byte(`litestream = ""`), []byte(`litestream = "socket"`), 1)
		err = os.WriteFile(file, bytes.Replace(text, []byte(`url = ""`), []byte(`url = "file:///srv/replica"`), 1), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{"reports": "the one that serves", "serve": "angelpost standby"} {
		if code, _, errs := program.Outcome(t, command, "-config", file); code != cli.ExitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", command, code, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "games.db")); err == nil {
		t.Error("there is a database now")
	}
}
