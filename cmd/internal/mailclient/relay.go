package mailclient

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// Relay starts an SMTP server without TLS that hands each letter, with what its
// envelope said, to take; take's error is its reply. It returns its address.
func Relay(t *testing.T, take func(from, to string, raw []byte) error) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &relaying{take: take}, nil }))
	s.Domain, s.AllowInsecureAuth, s.MaxMessageBytes, s.ReadTimeout, s.WriteTimeout = "relay.test", true, 1<<20, time.Minute, time.Minute
	go s.Serve(ln)
	t.Cleanup(func() { s.Close() })
	return ln.Addr().String()
}

// relaying is one connection to a relay.
type relaying struct {
	take     func(from, to string, raw []byte) error
	from, to string
}

func (c *relaying) Mail(from string, _ *smtp.MailOptions) error { c.from = from; return nil }
func (c *relaying) Rcpt(to string, _ *smtp.RcptOptions) error   { c.to = to; return nil }
func (c *relaying) Reset()                                      {}
func (c *relaying) Logout() error                               { return nil }
func (c *relaying) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return c.take(c.from, c.to, raw)
}

// SendLMTP hands a letter over by LMTP.
func SendLMTP(addr, from, to string, raw []byte) error {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	c := smtp.NewClientLMTP(conn)
	defer c.Close()
	return c.SendMail(from, []string{to}, bytes.NewReader(raw))
}

// DeliverLMTP hands a letter over as the mail server would and returns how long
// the 250 took from its first octet on.
func DeliverLMTP(t *testing.T, addr, from, to string, raw []byte) time.Duration {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	c := smtp.NewClientLMTP(conn)
	defer c.Close()
	if err := c.Mail(from, nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Rcpt(to, nil); err != nil {
		t.Fatal(err)
	}
	w, err := c.Data()
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if _, err := w.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return time.Since(begin)
}
