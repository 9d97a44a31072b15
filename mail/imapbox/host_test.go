package imapbox_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"angelpost/mail/imapbox"
	"angelpost/mail/mailhost"
)

// hostPeer starts a mailhost in this process and returns its mailbox.
func hostPeer(t *testing.T) peer {
	t.Helper()
	h, err := mailhost.Start(mailhost.Config{Dir: t.TempDir(), Accounts: []string{"angelpost"}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return peer{
		config:   imapbox.Config{Addr: h.IMAPAddr(), TLS: "none", User: "angelpost", PasswordFile: secret(t, "demo\n")},
		address:  "angelpost+token@demo.localhost",
		smtpAddr: h.SMTPAddr(),
		password: "demo",
	}
}

// TestMailhost runs the table against a mailhost.
func TestMailhost(t *testing.T) { table(t, hostPeer) }

func secret(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestUnusableConfigIsRefused(t *testing.T) {
	good := imapbox.Config{Addr: "127.0.0.1:143", TLS: "none", User: "u", PasswordFile: "p"}
	for name, edit := range map[string]func(*imapbox.Config){
		"no port":         func(c *imapbox.Config) { c.Addr = "localhost" },
		"no such mode":    func(c *imapbox.Config) { c.TLS = "ssl" },
		"no user":         func(c *imapbox.Config) { c.User = "" },
		"no password":     func(c *imapbox.Config) { c.PasswordFile = "" },
		"missing CA file": func(c *imapbox.Config) { c.CAFile = "/does/not/exist" },
		"files in itself": func(c *imapbox.Config) { c.Folders.Done = "INBOX" },
	} {
		c := good
		edit(&c)
		if err := imapbox.Run(t.Context(), c, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestSilentServerIsLeft: the watcher gives up a silent server after Command, and connects
// again.
func TestSilentServerIsLeft(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	calls := make(chan string, 100)
	go func() {
		for i := 0; ; i++ {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			if i%2 == 1 {
				conn.Write([]byte("* OK [CAPABILITY IMAP4rev1] hello\r\n")) // silence from here on
			}
			calls <- conn.RemoteAddr().String()
		}
	}()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- imapbox.Run(ctx, imapbox.Config{
			Addr: l.Addr().String(), TLS: "none", User: "u", PasswordFile: secret(t, "p"),
			Command: 50 * time.Millisecond, Backoff: time.Millisecond, Log: slog.New(slog.DiscardHandler),
		}, nil)
	}()
	for range 4 {
		<-calls // the test's own timeout is the limit
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestNothingInTheClearToOtherHosts(t *testing.T) {
	far := func(ctx context.Context, network, addr string) (net.Conn, error) {
		client, server := net.Pipe()
		t.Cleanup(func() { server.Close() })
		return farConn{client}, nil
	}
	err := imapbox.Check(t.Context(), imapbox.Config{Addr: "mail.example.org:143", TLS: "none", User: "u", PasswordFile: secret(t, "p"), Dial: far})
	if err == nil || !strings.Contains(err.Error(), "this machine only") {
		t.Errorf("got %v", err)
	}
}

type farConn struct{ net.Conn }

func (farConn) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 143} }

// shrink makes a server report ten bytes as the size of letters of a million bytes or more.
type shrink struct{ net.Conn }

func (c shrink) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	for i := range b[:n] {
		if m := largeSize.FindSubmatchIndex(b[i:n]); m != nil {
			copy(b[i+m[2]:], "0000010")
		}
	}
	return n, err
}

var largeSize = regexp.MustCompile(`^RFC822\.SIZE ([0-9]{7})`)

// silenced makes a server refuse to select the folder of claims, without giving the reason.
type silenced struct{ net.Conn }

func (c silenced) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte("SELECT ")) {
		b = bytes.ReplaceAll(bytes.Clone(b), []byte("/Claim"), []byte("/Elsew"))
	}
	return c.Conn.Write(b)
}

func (c silenced) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	copy(b, bytes.ReplaceAll(b[:n], []byte("NONEXISTENT"), []byte("UNAVAILABLE")))
	return n, err
}

// TestClaimsThatCannotBeRead: a folder of claims that the server refuses to select may hold
// any claim, so no server claims the mailbox. A folder that does not exist holds none, even
// if the server does not give that as the reason.
func TestClaimsThatCannotBeRead(t *testing.T) {
	p := hostPeer(t)
	c := p.login(t)
	two := p.server("two")
	two.config.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, addr)
		return silenced{conn}, err
	}
	if err := two.check(t); err != nil {
		t.Errorf("no folder of claims yet: %v", err)
	}
	if err := p.server("one").claim(t, false); err != nil {
		t.Fatal(err)
	}
	for what, do := range map[string]func() error{
		"check":          func() error { return two.check(t) },
		"claim":          func() error { return two.claim(t, false) },
		"claim by force": func() error { return two.claim(t, true) },
	} {
		if err := do(); err == nil || !strings.Contains(err.Error(), "UNAVAILABLE") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if two.was != (imapbox.Term{}) {
		t.Errorf("a claim is remembered: %+v", two.was)
	}
	p.expect(t, c, claimFolder, claimSubject)
	if err := p.server("two").check(t); err == nil {
		t.Error("the claim is gone")
	}
}

func TestServerThatUnderstatesSizes(t *testing.T) {
	p := hostPeer(t)
	p.config.MaxLetter = 100_000
	p.config.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, addr)
		return shrink{conn}, err
	}
	p.deliver(t, strings.Replace(letter("huge"), "This is", strings.Repeat(strings.Repeat("x", 76)+"\r\n", 20_000), 1))
	letters, _ := watch(t, p.config, func(f imapbox.Fetched) (imapbox.Disposition, error) { return imapbox.TooLarge, nil })
	f := receive(t, letters)
	if f.Size != 10 || !f.HeaderOnly || subject(f) != "huge" || len(f.Raw) > 1000 {
		t.Errorf("size %d, header only %v, %d octets", f.Size, f.HeaderOnly, len(f.Raw))
	}
	p.expect(t, p.login(t), "Angelpost/Too large", "huge")
}

// A passed is a context that has not ended yet although its deadline has passed.
type passed struct{ context.Context }

func (passed) Deadline() (time.Time, bool) { return time.Now().Add(-time.Second), true }

func TestAwaitWhoseDeadlineTheDiallerSawFirst(t *testing.T) {
	tired := func(context.Context, string, string) (net.Conn, error) { return nil, os.ErrDeadlineExceeded }
	c := imapbox.Config{Addr: "127.0.0.1:143", TLS: "none", User: "u", PasswordFile: secret(t, "p"), Dial: tired}
	if _, err := imapbox.Await(passed{t.Context()}, c, "never@example.org"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("its time was over, and it says: %v", err)
	}
	// Before the deadline, an error of the connection is reported as such.
	if _, err := imapbox.Await(t.Context(), c, "never@example.org"); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the server was silent, and it says: %v", err)
	}
}
