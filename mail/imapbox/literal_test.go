package imapbox_test

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"angelpost/mail/imapbox"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
)

// A memory is go-imap's in-memory server, with as many users as a test creates.
type memory struct {
	server *imapmemserver.Server
	pipes  pipes
	ca     string // PEM file of the certificate for STARTTLS
	users  int
	wrap   func(imapserver.Session) imapserver.Session
	mu     sync.Mutex
}

func startMemory(t *testing.T, caps ...imap.Cap) *memory {
	t.Helper()
	own := httptest.NewTLSServer(nil)
	t.Cleanup(own.Close)
	m := &memory{server: imapmemserver.New(), wrap: func(s imapserver.Session) imapserver.Session { return s }, ca: filepath.Join(t.TempDir(), "ca.pem")}
	if err := os.WriteFile(m.ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	set := imap.CapSet{imap.CapIMAP4rev1: {}}
	for _, c := range caps {
		set[c] = struct{}{}
	}
	s := imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return m.wrap(m.server.NewSession()), nil, nil
		},
		Caps: set, TLSConfig: own.TLS, InsecureAuth: true, Logger: log.New(io.Discard, "", 0),
	})
	m.pipes = pipes{make(chan net.Conn), make(chan struct{})}
	var serving sync.WaitGroup
	serving.Go(func() { s.Serve(m.pipes) })
	t.Cleanup(func() {
		close(m.pipes.closed)
		serving.Wait() // s.Close does not wait for a Serve that has not begun
		s.Close()
	})
	return m
}

// pipes is a listener for connections within this process.
type pipes struct {
	dialled chan net.Conn
	closed  chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.dialled:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}
func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

// A cut ends a connection after a number of bytes; 0 means never.
type cut struct {
	net.Conn
	down, up   int64 // bytes from and to the server
	reset      bool
	upAt       atomic.Int64 // bytes to the server so far
	downAt     atomic.Int64
	swallowing atomic.Bool
}

func (c *cut) end() error {
	c.Close()
	if c.reset {
		return syscall.ECONNRESET
	}
	return io.EOF
}

func (c *cut) Read(b []byte) (int, error) {
	if left := c.down - c.downAt.Load(); c.down > 0 {
		if left <= 0 {
			return 0, c.end()
		}
		b = b[:min(int64(len(b)), left)]
	}
	n, err := c.Conn.Read(b)
	c.downAt.Add(int64(n))
	if errors.Is(err, io.ErrClosedPipe) && c.swallowing.Load() {
		err = c.end()
	}
	return n, err
}

// Write fails at the cut if the cut is a reset. Otherwise it reports success for the
// remaining bytes, like a write into the buffer of the operating system.
func (c *cut) Write(b []byte) (int, error) {
	left := c.up - c.upAt.Load()
	if c.up == 0 || left >= int64(len(b)) {
		n, err := c.Conn.Write(b)
		c.upAt.Add(int64(n))
		return n, err
	}
	n, err := c.Conn.Write(b[:max(left, 0)])
	c.upAt.Add(int64(n))
	if err != nil {
		return n, err
	}
	if c.reset {
		return n, c.end()
	}
	c.swallowing.Store(true)
	c.Close()
	return len(b), nil
}

// user creates a user with an inbox.
func (m *memory) user(t *testing.T, password string) (*imapmemserver.User, string) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.users++
	name := fmt.Sprintf("u%d", m.users)
	u := imapmemserver.NewUser(name, password)
	m.server.AddUser(u)
	if err := u.Create("INBOX", nil); err != nil {
		t.Fatal(err)
	}
	return u, name
}

// octets returns a letter of about n bytes.
func octets(name string, n int) string {
	return letter(name) + strings.Repeat(strings.Repeat("x", 76)+"\r\n", n/78)
}

func put(t *testing.T, u *imapmemserver.User, folder, text string) {
	t.Helper()
	if _, err := u.Append(folder, bytes.NewReader([]byte(text)), &imap.AppendOptions{}); err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, u *imapmemserver.User, folder string) uint32 {
	t.Helper()
	data, err := u.Status(folder, &imap.StatusOptions{NumMessages: true})
	if err != nil {
		return 0
	}
	return *data.NumMessages
}

// TestCutInLiterals cuts the connection of sessions whose commands and answers have literals.
// With literals of 1 KB it cuts at every byte in the direction of the literal and at every
// 16th in the other; with literals of 2 MB, at 100 places. The next connection does the rest,
// and Run ends soon after its context.
func TestCutInLiterals(t *testing.T) {
	usual := []imap.Cap{imap.CapIdle, imap.CapMove, imap.CapUIDPlus, imap.CapNamespace}
	for _, c := range []struct {
		name     string
		caps     []imap.Cap
		up, down int64 // this many bytes from the start are tried one by one
		tls      string
		password string
		letter   int // bytes; 0: no letter
		owed     int
		tenure   bool
	}{
		{"a letter of 1 KB is fetched", usual, 0, 1 << 20, "none", "p", 1000, 0, false},
		{"a letter of 1 KB is filed", usual, 1 << 20, 0, "none", "p", 0, 1000, false},
		{"a letter of 2 MB is fetched", usual, 0, 0, "none", "p", 2 << 20, 0, false},
		{"a letter of 2 MB is filed", usual, 0, 0, "none", "p", 0, 2 << 20, false},
		{"a password of 1 KB", usual, 1 << 20, 0, "none", strings.Repeat("ä", 500), 0, 0, false},
		{"a claim is made", usual, 1 << 20, 0, "none", "p", 0, 0, true},
		{"STARTTLS", usual, 400, 400, "starttls", "p", 0, 0, false},
		{"without MOVE", nil, 0, 0, "none", "p", 1000, 0, false},
		{"IMAP4rev2", []imap.Cap{imap.CapIMAP4rev2}, 0, 0, "none", "p", 1000, 1000, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := startMemory(t, c.caps...)
			session := func(what string, fault *cut, wait time.Duration) {
				u, name := m.user(t, c.password)
				if c.letter > 0 {
					put(t, u, "INBOX", octets("one", c.letter))
				}
				o := &owing{}
				if c.owed > 0 {
					o.list = append(o.list, imapbox.Owed{ID: 1, Raw: []byte(octets("two", c.owed)), Arrived: time.Now()})
				}
				var dialled atomic.Int64
				conf := imapbox.Config{
					Addr: "127.0.0.1:143", TLS: c.tls, CAFile: m.ca, User: name, PasswordFile: secret(t, c.password+"\n"), Log: slog.New(slog.DiscardHandler),
					Backoff: time.Millisecond, Retry: time.Millisecond, IdleFor: 5 * time.Millisecond, Owed: o.owed, Paid: o.paid,
					Dial: func(context.Context, string, string) (net.Conn, error) {
						client, server := net.Pipe()
						m.pipes.dialled <- server
						if dialled.Add(1) > 1 {
							return client, nil
						}
						fault.Conn = client
						return fault, nil
					},
				}
				if c.tenure {
					conf.Tenure = imapbox.NewTenure(imapbox.Tenant{Database: "one", Place: "here", Unused: true, Log: conf.Log})
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				l, ended := &ledger{}, make(chan error, 1)
				go func() { ended <- imapbox.Run(ctx, conf, l.handle) }()
				works := func() bool {
					list, _ := o.owed(ctx, 1)
					ok, _ := conf.Tenure.May()
					return len(list) == 0 && count(t, u, "INBOX") == 0 && ok
				}
				for end := time.Now().Add(20 * time.Second); !works(); time.Sleep(time.Millisecond) {
					if time.Now().After(end) {
						t.Errorf("%s: the watcher stands still after %d connections", what, dialled.Load())
						break
					}
				}
				time.Sleep(wait)
				if wait == 0 && !t.Failed() { // a letter that arrives after the cut
					put(t, u, "INBOX", letter("three"))
					for end := time.Now().Add(20 * time.Second); dialled.Load() < 2 || count(t, u, "INBOX") > 0; time.Sleep(time.Millisecond) {
						if time.Now().After(end) {
							t.Errorf("%s: another letter is not filed, after %d connections", what, dialled.Load())
							break
						}
					}
				}
				cancel()
				select {
				case err := <-ended:
					if err != nil {
						t.Errorf("%s: %v", what, err)
					}
				case <-time.After(5 * time.Second):
					t.Errorf("%s: Run does not end", what)
				}
			}
			whole := &cut{}
			session("no cut", whole, 10*time.Millisecond)
			var wait sync.WaitGroup
			free := make(chan struct{}, 8)
			cuts := func(octets, each int64, at func(int64) *cut, way string) {
				for n := int64(1); n <= octets && !t.Failed(); {
					fault := at(n)
					fault.reset = rand.IntN(2) == 0
					what := fmt.Sprintf("cut after %d octets of %d %s, reset %v", n, octets, way, fault.reset)
					free <- struct{}{}
					wait.Go(func() {
						defer func() { <-free }()
						session(what, fault, 0)
					})
					switch {
					case c.letter+c.owed > 1<<20:
						n += max(octets/100, 16)
					case n > each || raceDetector:
						n += 16
					default:
						n++
					}
				}
			}
			up, down := whole.upAt.Load(), whole.downAt.Load()
			cuts(up, c.up, func(n int64) *cut { return &cut{up: n} }, "up")
			cuts(down, c.down, func(n int64) *cut { return &cut{down: n} }, "down")
			wait.Wait()
			t.Logf("%d octets up, %d down", up, down)
		})
	}
}
