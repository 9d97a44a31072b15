package imapbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"angelpost/mail/imapbox"

	"github.com/emersion/go-imap/v2/imapserver"
)

// scripted runs a watcher against a script, in virtual time, until f returns.
func scripted(t *testing.T, s *script, change func(*imapbox.Config), f func(logged func() string)) {
	synctest.Test(t, func(t *testing.T) {
		s.inbox, s.done = map[int]string{}, map[int]string{}
		l := &ledger{}
		var log synced
		conf := imapbox.Config{
			Addr: "imap.example.org:143", TLS: "none", User: "u", PasswordFile: secret(t, "p"), Dial: s.dial, Log: slog.New(slog.NewTextHandler(&log, nil)),
		}
		if change != nil {
			change(&conf)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- imapbox.Run(ctx, conf, l.handle) }()
		time.Sleep(time.Second)
		f(log.String)
		cancel()
		if err := <-ended; err != nil && !errors.As(err, new(*imapbox.Claimed)) {
			t.Error(err)
		}
		time.Sleep(time.Second) // until the server has noticed
	})
}

// synced is a log that can be read while the watcher writes to it.
type synced struct {
	text atomic.Pointer[[]byte]
}

func (s *synced) Write(b []byte) (int, error) {
	var all []byte
	if was := s.text.Load(); was != nil {
		all = bytes.Clone(*was)
	}
	all = append(all, b...)
	s.text.Store(&all) // safe, because a slog.Handler writes one line at a time
	return len(b), nil
}

func (s *synced) String() string {
	if was := s.text.Load(); was != nil {
		return string(*was)
	}
	return ""
}

// notice delivers a letter and returns how long it took until a letter was filed.
func (s *script) notice(uid int) time.Duration {
	_, _, before := s.counts()
	s.add(uid, letter(fmt.Sprintf("nr%d", uid)))
	start := time.Now()
	for _, _, done := s.counts(); done == before && time.Since(start) < 5*time.Minute; _, _, done = s.counts() {
		time.Sleep(50 * time.Millisecond)
	}
	return time.Since(start)
}

// TestLateIdle: if an IDLE does not report a letter, a look finds it, and from then on the
// watcher looks every 30 s, also on later connections. It logs that once.
func TestLateIdle(t *testing.T) {
	for name, skew := range map[string]time.Duration{"clocks agree": 0, "the server's clock is fast": time.Hour} {
		t.Run(name, func(t *testing.T) {
			s := &script{}
			var late atomic.Int64
			scripted(t, s, func(c *imapbox.Config) {
				c.IdleLate = func(is bool) {
					if is {
						late.Add(1)
					}
				}
			}, func(logged func() string) {
				s.mu.Lock()
				s.skew = skew
				s.mu.Unlock()
				time.Sleep(10*time.Minute + 17*time.Second) // in the middle of an IDLE
				letters := 1
				if skew != 0 {
					letters = 2 // the first letter may have come just before the IDLE ended
				}
				for uid := 1; uid <= letters; uid++ {
					if late.Load() > 0 {
						t.Errorf("before letter %d IDLE is taken for late", uid)
					}
					if d := s.notice(uid); d > 61*time.Second {
						t.Errorf("letter %d is filed after %v", uid, d)
					}
					time.Sleep(10*time.Minute + 7*time.Second)
				}
				if late.Load() != 1 {
					t.Errorf("IDLE was found late %d times", late.Load())
				}
				for uid := 10; uid < 20; uid++ {
					if d := s.notice(uid); d > 31*time.Second {
						t.Errorf("letter %d is filed after %v", uid, d)
					}
					time.Sleep(7 * time.Minute)
				}
				began := time.Now()
				s.hangUp()
				time.Sleep(10 * time.Minute)
				if d := s.notice(30); d > 31*time.Second {
					t.Errorf("on another connection a letter is filed after %v", d)
				}
				if verbs := s.commands(began); slices.Contains(verbs, "IDLE") || !slices.Contains(verbs, "LOGIN") {
					t.Errorf("on another connection: %q", verbs)
				}
				if n := strings.Count(logged(), "IDLE does not tell"); n != 1 || late.Load() != 1 {
					t.Errorf("the log says it %d times, and IdleLate was called %d times:\n%s", n, late.Load(), logged())
				}
			})
		})
	}
}

// TestIdleThatTells: IDLE stays in use if the server reports letters, even if they come just
// before an IDLE ends.
func TestIdleThatTells(t *testing.T) {
	s := &script{prompt: true, lag: time.Second}
	scripted(t, s, func(c *imapbox.Config) {
		c.IdleLate = func(late bool) {
			if late {
				t.Error("IDLE is taken for late")
			}
		}
	}, func(func() string) {
		for uid := 1; uid < 300; uid++ {
			time.Sleep(3*time.Minute + time.Duration(uid)*time.Second/3)
			if d := s.notice(uid); d > 2*time.Second {
				t.Errorf("letter %d is filed after %v", uid, d)
			}
		}
	})
}

// TestLooksAfterActivity: looks come soon after something happened, and then less often.
func TestLooksAfterActivity(t *testing.T) {
	s := &script{prompt: true}
	scripted(t, s, nil, func(func() string) {
		time.Sleep(10 * time.Minute)
		s.notice(1)
		began := time.Now()
		time.Sleep(3 * time.Minute)
		var after []int
		s.mu.Lock()
		for _, h := range s.heard {
			if h.at.After(began) && (h.verb == "NOOP" || h.verb == "SELECT") {
				after = append(after, int(h.at.Sub(began).Round(time.Second)/time.Second))
			}
		}
		s.mu.Unlock()
		if want := []int{1, 3, 7, 15, 31, 61, 121}; !slices.Equal(after, want) {
			t.Errorf("looks after %v seconds, want %v", after, want)
		}
	})
}

// TestPolite counts the commands of an idle hour: at most 150, even if spam arrives.
func TestPolite(t *testing.T) {
	for name, s := range map[string]*script{
		"IDLE":         {prompt: true},
		"without IDLE": {lacks: "IDLE"},
		"late IDLE":    {},
	} {
		for _, tenure := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, tenure %v", name, tenure), func(t *testing.T) {
				s := &script{prompt: s.prompt, lacks: s.lacks, quota: `"" (STORAGE 1 100)`, junk: []string{}}
				scripted(t, s, func(c *imapbox.Config) {
					c.Quota = func(int) {}
					c.Junk = (&judging{}).junk("")
					c.Junk.Every = 0 // the default
					if tenure {
						c.Tenure = imapbox.NewTenure(imapbox.Tenant{Database: "one", Place: "here", Unused: true, Log: slog.New(slog.DiscardHandler)})
					}
				}, func(func() string) {
					for uid := range 2 {
						time.Sleep(10*time.Minute + 17*time.Second)
						s.notice(uid + 1)
					}
					time.Sleep(10 * time.Minute)
					began := time.Now()
					for range 60 { // spam for others must cause no more commands
						s.mu.Lock()
						s.junk = append(s.junk, spam("foreign", "x@example.org"))
						s.mu.Unlock()
						time.Sleep(time.Minute)
					}
					verbs := s.commands(began)
					by := map[string]int{}
					for _, v := range verbs {
						by[v]++
					}
					if len(verbs) > 150 || len(verbs) < 60 {
						t.Errorf("%d commands in an idle hour: %v", len(verbs), by)
					}
					if by["EXAMINE"] != 2 {
						t.Errorf("it looks into the folder of spam %d times", by["EXAMINE"])
					}
					if s.prompt != (by["IDLE"] > 0) {
						t.Errorf("it idles %d times", by["IDLE"])
					}
				})
			})
		}
	}
}

// mute is a session whose IDLE reports nothing.
type mute struct{ imapserver.Session }

func (m mute) Idle(_ *imapserver.UpdateWriter, stop <-chan struct{}) error {
	<-stop
	return nil
}

// TestNotice: Notice finds out whether the server reports letters in an IDLE, and removes its
// probe.
func TestNotice(t *testing.T) {
	m := startMemory(t)
	for _, late := range []bool{false, true} {
		m.wrap = func(s imapserver.Session) imapserver.Session {
			if late {
				return mute{s}
			}
			return s
		}
		u, name := m.user(t, "p")
		most := 20 * time.Second
		if late {
			most = 50 * time.Millisecond
		}
		_, err := imapbox.Notice(t.Context(), m.config(t, name, "p"), most)
		if late != errors.Is(err, imapbox.ErrNotTold) || !late && err != nil {
			t.Errorf("late %v: %v", late, err)
		}
		if n := count(t, u, "Angelpost/Failed"); n != 0 {
			t.Errorf("late %v: %d letters are left", late, n)
		}
	}
	s := &script{lacks: "IDLE"}
	scripted(t, s, nil, func(func() string) {
		c := imapbox.Config{Addr: "imap.example.org:143", TLS: "none", User: "u", PasswordFile: secret(t, "p"), Dial: s.dial}
		if _, err := imapbox.Notice(context.Background(), c, time.Minute); !errors.Is(err, imapbox.ErrNoIdle) {
			t.Errorf("without IDLE: %v", err)
		}
	})
}

// TestClaimsWithoutUIDNEXT: if SELECT does not report UIDNEXT (Courier), the watcher reads
// the claims again when they have changed, and only then.
func TestClaimsWithoutUIDNEXT(t *testing.T) {
	s := &script{prompt: true, noNext: true}
	replaced := make(chan error, 1)
	var tenure *imapbox.Tenure
	scripted(t, s, func(c *imapbox.Config) {
		tenure = imapbox.NewTenure(imapbox.Tenant{Database: "one", Place: "here", Unused: true, Log: slog.New(slog.DiscardHandler)})
		c.Tenure = tenure
		c.Round = func(err error) {
			if errors.As(err, new(*imapbox.Claimed)) {
				replaced <- err
			}
		}
	}, func(func() string) {
		time.Sleep(10 * time.Minute)
		began := time.Now()
		for range 12 {
			time.Sleep(5 * time.Minute)
			if ok, changed := tenure.May(); !ok {
				<-changed
			}
		}
		by := map[string]int{}
		for _, verb := range s.commands(began) {
			by[verb]++
		}
		if by["UID FETCH"] > 0 || by["STATUS"] < 12 {
			t.Errorf("the claims have not changed, and in an hour it sends %v", by)
		}
		s.mu.Lock()
		s.claim = strings.Replace(strings.Replace(s.claim, "X-Angelpost-Claim: one", "X-Angelpost-Claim: two", 1), "Epoch: 1", "Epoch: 2", 1)
		s.next++
		s.mu.Unlock()
		time.Sleep(5 * time.Minute)
		if len(replaced) == 0 {
			t.Error("another server has claimed the mailbox, and this one does not know")
		}
	})
}
