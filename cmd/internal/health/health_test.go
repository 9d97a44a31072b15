package health

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"angelpost/db"
)

// A stopwatch is a clock that tests move.
type stopwatch struct {
	mu sync.Mutex
	at time.Time
}

func (s *stopwatch) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at
}

func (s *stopwatch) pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = s.at.Add(d)
}

func made(t *testing.T) (*Health, *stopwatch, func(path string) (int, string)) {
	t.Helper()
	watch := &stopwatch{at: time.Unix(1_800_000_000, 0)}
	d, err := db.Open(t.Context(), filepath.Join(t.TempDir(), "games.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	h := New(Config{Figures: d.Figures, Version: "v", Now: watch.now, Steady: watch.now, Log: slog.New(slog.DiscardHandler)})
	return h, watch, func(path string) (int, string) {
		w := httptest.NewRecorder()
		h.Handler().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w.Code, w.Body.String()
	}
}

// TestParts: a part that hangs fails /healthz and /readyz, one that waits for something
// outside fails /readyz alone, and a part that comes round again is well.
func TestParts(t *testing.T) {
	for i, p := range parts {
		h, watch, get := made(t)
		all := func(err error) {
			for j := range parts {
				if j != i {
					h.Round(Part(j), nil)
				}
			}
		}
		is := func(when string, healthy, ready bool) {
			t.Helper()
			for path, want := range map[string]bool{"/healthz": healthy, "/readyz": ready} {
				if code, body := get(path); (code == http.StatusOK) != want || !want && !strings.HasPrefix(body, "The "+p.name+" has ") {
					t.Errorf("%s, %s, %s: %d %s", p.name, when, path, code, body)
				}
			}
		}
		h.Round(Part(i), nil)
		all(nil)
		is("at first", true, true)
		watch.pass(p.patience)
		all(nil)
		is("at the end of its patience", true, true)
		watch.pass(time.Second)
		all(nil)
		is("silent", p.patience == 0, p.patience == 0)
		h.Busy(Part(i))
		is("busy again", true, true)
		h.Round(Part(i), errors.New("nothing to be done for ann@example.org"))
		is("failing", true, false)
		if _, body := get("/readyz"); strings.Contains(body, "ann") {
			t.Errorf("it tells whose: %s", body)
		}
		h.Round(Part(i), nil)
		is("well", true, true)
	}
}

// TestUnconnected: a server that has not reached its mailbox yet is alive and not ready.
func TestUnconnected(t *testing.T) {
	_, _, get := made(t)
	if code, _ := get("/healthz"); code != http.StatusOK {
		t.Error(code)
	}
	if code, _ := get("/readyz"); code != http.StatusServiceUnavailable {
		t.Error(code)
	}
	if _, text := get("/metrics"); !strings.Contains(text, "angelpost_mailbox_connected 0\n") {
		t.Error(text)
	}
}

// TestWatchdog: systemd hears nothing of a server that hangs.
func TestWatchdog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("WATCHDOG_USEC", "3000")
	h, watch, _ := made(t)
	watch.pass(time.Hour)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	checked := make(chan struct{}, 1)
	h.Log = slog.New(counting{slog.DiscardHandler, checked})
	done := make(chan error, 1)
	go func() { done <- h.Notify(ctx) }()
	hear := func() string {
		b := make([]byte, 100)
		socket.SetReadDeadline(time.Now().Add(time.Minute))
		n, err := socket.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		return string(b[:n])
	}
	for range 5 { // looks that found it hanging
		<-checked
	}
	for i := range parts {
		h.Round(Part(i), nil)
	}
	if said := hear(); said != "READY=1" {
		t.Error(said)
	}
	if said := hear(); said != "WATCHDOG=1" {
		t.Error(said)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// counting is a log that tells of each entry.
type counting struct {
	slog.Handler
	seen chan struct{}
}

func (c counting) Enabled(context.Context, slog.Level) bool { return true }

func (c counting) Handle(context.Context, slog.Record) error {
	select {
	case c.seen <- struct{}{}:
	default:
	}
	return nil
}
