package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A script is Litestream's socket with faults.
type script struct {
	asked  atomic.Int64
	mu     sync.Mutex
	answer func(w http.ResponseWriter) // nil: all is well
}

func (s *script) will(f func(w http.ResponseWriter)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = f
}

func says(local, copied int) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		fmt.Fprintf(w, `{"status":"synced","path":"/games.db","txid":%d,"replicated_txid":%d}`, local, copied)
	}
}

func refuses(why string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprintf(w, `{"error":%q}`, why)
	}
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked.Add(1)
	var q struct {
		Path    string
		Wait    bool
		Timeout int
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.Method != "POST" || r.URL.Path != "/sync" || q.Path != "/games.db" || !q.Wait || q.Timeout < 1 {
		http.Error(w, "not as it should be", http.StatusTeapot)
		return
	}
	s.mu.Lock()
	answer := s.answer
	s.mu.Unlock()
	if answer == nil {
		answer = says(7, 7)
	}
	answer(w)
}

// opened returns a Replica on a script, and the version of its database.
func opened(t *testing.T, edit func(*Config)) (*Replica, *script, *atomic.Int64) {
	t.Helper()
	c := Config{Socket: filepath.Join(t.TempDir(), "s"), Path: "/games.db", Log: slog.New(slog.DiscardHandler)}
	version := new(atomic.Int64)
	version.Store(1)
	c.Version = func(context.Context) (int64, error) { return version.Load(), nil }
	if edit != nil {
		edit(&c)
	}
	s := &script{}
	l, err := net.Listen("unix", c.Socket)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: s}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	r := New(c)
	t.Cleanup(r.Close)
	return r, s, version
}

func TestWaitsForWhatWasCommitted(t *testing.T) {
	r, s, version := opened(t, nil)
	for i, want := range []int64{1, 1, 2, 2} {
		if i == 2 {
			version.Add(1)
		}
		if err := r.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := s.asked.Load(); got != want {
			t.Errorf("wait %d: Litestream was asked %d times, want %d", i, got, want)
		}
	}
	r.Assume(9)
	version.Store(9)
	if err := r.Wait(t.Context()); err != nil || s.asked.Load() != 2 {
		t.Errorf("what was assumed was asked for: %v", err)
	}
	if err := (*Replica)(nil).Wait(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestCommitDuringExchange holds that a commit which came while Litestream copied is not
// taken for copied, and that those who wait together ask together.
func TestCommitDuringExchange(t *testing.T) {
	r, s, version := opened(t, nil)
	began, goOn := make(chan bool, 100), make(chan bool)
	s.will(func(w http.ResponseWriter) {
		began <- true
		<-goOn
		says(1, 1)(w)
	})
	const waiters = 8
	done := make(chan error, waiters+1)
	go func() { done <- r.Wait(t.Context()) }()
	<-began
	version.Add(1)
	for range waiters {
		go func() { done <- r.Wait(t.Context()) }()
	}
	goOn <- true
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	<-began // the next exchange, for the commit
	select {
	case <-done:
		t.Fatal("a wait for the commit was over before Litestream was asked")
	default:
	}
	close(goOn)
	for range waiters {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if got := s.asked.Load(); got != 2 {
		t.Errorf("Litestream was asked %d times, want 2", got)
	}
}

// TestAway holds that nothing is acknowledged while the replica is away, in every way in
// which it can be, unless the Replica is told to go on; and that it is noticed when it is
// back.
func TestAway(t *testing.T) {
	hang := make(chan bool)
	t.Cleanup(func() { close(hang) })
	for name, answer := range map[string]func(http.ResponseWriter){
		"write ltx file: no space left on device": refuses("sync database: write ltx file: no space left on device"),
		"not this database's":                     says(5, 9),
		"copied 8 of 9":                           says(9, 8),
		"copied 0 of 0":                           says(0, 0),
		"its answer":                              func(w http.ResponseWriter) { fmt.Fprint(w, "<html>") },
		"500":                                     func(w http.ResponseWriter) { http.Error(w, "oh", 500) },
		"deadline":                                func(http.ResponseWriter) { <-hang },
		"EOF":                                     func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
	} {
		for _, goOn := range []bool{false, true} {
			var last atomic.Value
			r, s, version := opened(t, func(c *Config) {
				c.GoOn, c.Again = goOn, 10*time.Millisecond
				c.Round = func(err error) { last.Store(fmt.Sprint(err)) }
				if name == "deadline" {
					c.Patience = 100 * time.Millisecond
				}
			})
			s.will(answer)
			err := r.Wait(t.Context())
			switch {
			case goOn && err != nil:
				t.Errorf("%s: %v, though it goes on", name, err)
			case !goOn && (!errors.Is(err, ErrAway) || !strings.Contains(err.Error(), name)):
				t.Errorf("%s: %v", name, err)
			}
			if got, _ := last.Load().(string); !strings.Contains(got, name) {
				t.Errorf("%s: told %q", name, got)
			}
			version.Add(1)
			if asked := s.asked.Load(); goOn {
				if err := r.Wait(t.Context()); err != nil || s.asked.Load() != asked {
					t.Errorf("%s: the next wait asked again, %v", name, err)
				}
			}
			s.will(nil)
			ctx, stop := context.WithCancel(t.Context())
			ran := make(chan error)
			go func() { ran <- r.Run(ctx) }()
			for last.Load() != "<nil>" {
				time.Sleep(time.Millisecond)
			}
			stop()
			if err := <-ran; err != nil {
				t.Error(err)
			}
			if err := r.Wait(t.Context()); err != nil {
				t.Errorf("%s: back, but %v", name, err)
			}
		}
	}
}

func TestNoSocket(t *testing.T) {
	r, _, _ := opened(t, nil)
	r.Socket += "gone"
	r = New(r.Config)
	if err := r.Wait(t.Context()); !errors.Is(err, ErrAway) {
		t.Errorf("without a socket: %v", err)
	}
}

// TestStopIsNoFault holds that a server which is told to end does not take the replica for
// lost.
func TestStopIsNoFault(t *testing.T) {
	told := false
	r, s, _ := opened(t, func(c *Config) { c.Round = func(error) { told = true } })
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan bool)
	defer close(over)
	s.will(func(http.ResponseWriter) { stop(); <-over })
	if err := r.Wait(ctx); !errors.Is(err, ErrAway) || told {
		t.Errorf("%v, told %v", err, told)
	}
}
