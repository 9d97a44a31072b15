package imapbox_test

import (
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angelpost/mail/imapbox"
	"angelpost/mail/mailhost"
)

// TestMailhost runs the table against the host within the process.
func TestMailhost(t *testing.T) {
	table(t, func(t *testing.T) peer {
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
	})
}

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

// TestSilentServerIsLeft: a server that says nothing more is given up after
// Command, and called again.
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
				conn.Write([]byte("* OK [CAPABILITY IMAP4rev1] hello\r\n")) // then nothing
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
		<-calls // the test's own deadline is the limit
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
