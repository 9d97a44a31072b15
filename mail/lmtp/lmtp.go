// Package lmtp takes letters in by LMTP (RFC 2033), for a host whose own mail server can
// deliver them at once instead of into a mailbox that we must poll.
//
// # What happens to a letter
//
// It refuses a recipient that is not one of the server's own addresses with 550. The others get
// 250 after the Handler has returned nil, which means that the letter's effects are committed;
// with an error they get 451, and the mail server tries again: so a crash before the 250 loses
// nothing, and the Handler must recognise letters that it has had. The Handler gets a letter to
// several of the server's addresses once. Its header begins with the fields that final delivery
// adds, Return-Path and Delivered-To (RFC 5321 section 4.4).
//
// Letters that arrive while others are being handled are handed over together,
// in the order in which they came in.
//
// # Bounds
//
// It listens on this machine only. Of a letter above Config.MaxLetter the
// Handler gets the header, at most 64 KiB of it. At most 20 connections are
// served at a time, 50 recipients a letter taken, 64 MiB read of one; a line
// may have 8 MiB, and it hangs up on clients silent for 5 minutes, or for 10 seconds
// if others wait for a connection.
package lmtp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"github.com/emersion/go-smtp"
)

const (
	maxConnections = 20 // as many as Postfix opens to one destination
	maxRecipients  = 50
	maxRead        = 64 << 20 // octets of a letter
	maxLine        = 8 << 20
	maxHeader      = 64 << 10 // octets kept of the header of an oversized letter
	maxTogether    = 50       // letters handed over at once
	silence        = 5 * time.Minute
)

// Config says which letters the server takes, and how. Own must be set; each comment gives the
// default for a zero value.
type Config struct {
	Domain    string                    // said in the greeting; "localhost"
	Own       func(address string) bool // the addresses that letters are taken for
	MaxLetter int64                     // octets above which only the header is kept; 5 MiB
	Now       func() time.Time          // the clock of Letter.Received; nil: time.Now
	Log       *slog.Logger              // slog.Default
}

// Letter is one letter as it arrived.
type Letter struct {
	Raw        []byte
	HeaderOnly bool      // the letter is above Config.MaxLetter: Raw is its header
	Received   time.Time // when its first recipient was taken
}

// Handler deals with letters that came together and returns for each, in the
// same order, nil once what it did has been committed. It is called from one
// goroutine and may be given letters it has already dealt with.
type Handler func(ctx context.Context, letters []Letter) []error

// Check says whether addr can be listened at, without touching the network.
func Check(addr string) error {
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		if path == "" {
			return errors.New(`"unix:" needs a path behind it`)
		}
		return nil
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("%q is not on this machine: every machine that can reach it can deliver letters", addr)
	}
	return nil
}

// Listen listens at "127.0.0.1:port" or "unix:/path". A socket that a server
// left behind is replaced, one that still answers is not.
func Listen(addr string) (net.Listener, error) {
	if err := Check(addr); err != nil {
		return nil, fmt.Errorf("lmtp: %w", err)
	}
	network, at := split(addr)
	if s, err := os.Lstat(at); network == "unix" && err == nil && s.Mode().Type() == os.ModeSocket {
		if c, err := net.Dial(network, at); err == nil {
			c.Close()
			return nil, fmt.Errorf("lmtp: another process already listens at %s", at)
		}
		if err := os.Remove(at); err != nil {
			return nil, fmt.Errorf("lmtp: %w", err)
		}
	}
	l, err := net.Listen(network, at)
	if err != nil {
		return nil, fmt.Errorf("lmtp: %w", err)
	}
	if network == "unix" { // as open as a port of this machine; the folder may say less
		if err := os.Chmod(at, 0o666); err != nil {
			return nil, errors.Join(fmt.Errorf("lmtp: %w", err), l.Close())
		}
	}
	return l, nil
}

func split(addr string) (network, at string) {
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		return "unix", path
	}
	return "tcp", addr
}

// Try asks the server at addr, as a mail server would, whether it takes
// letters for an address. It hands none over.
func Try(ctx context.Context, addr, recipient string) error {
	network, at := split(addr)
	conn, err := new(net.Dialer).DialContext(ctx, network, at)
	if err != nil {
		return fmt.Errorf("lmtp: %w", err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	c := smtp.NewClientLMTP(conn)
	if err := c.Hello("localhost"); err != nil {
		return fmt.Errorf("lmtp: greeting of %s: %w", addr, err)
	}
	if err := c.Mail("", nil); err != nil {
		return fmt.Errorf("lmtp: MAIL: %w", err)
	}
	if err := c.Rcpt(recipient, nil); err != nil {
		return fmt.Errorf("lmtp: RCPT: %w", err)
	}
	_ = c.Quit() // the session is complete
	return nil
}

// Serve takes letters from l until ctx ends; it closes l and returns nil then.
// Letters that are with the Handler are finished first.
func Serve(ctx context.Context, l net.Listener, c Config, handle Handler) error {
	if c.Own == nil || handle == nil {
		return errors.New("lmtp: Own and a handler are needed")
	}
	if c.Domain == "" {
		c.Domain = "localhost"
	}
	if c.MaxLetter == 0 {
		c.MaxLetter = 5 << 20
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	desk := &counter{ctx: ctx, handle: handle, queue: make(chan arrival)}
	s := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &session{Config: c, counter: desk}, nil
	}))
	s.LMTP = true
	s.EnableSMTPUTF8 = true // a letter from an address beyond ASCII gets an answer that says what is wrong
	s.Domain = c.Domain
	s.MaxMessageBytes, s.MaxLineLength = maxRead, maxLine
	s.ReadTimeout, s.WriteTimeout = silence, silence
	s.ErrorLog = logger{c.Log}
	stop := context.AfterFunc(ctx, func() { s.Close() })
	defer stop()
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		desk.work()
	}()
	c.Log.Info("lmtp: listening", "addr", l.Addr().String())
	err := s.Serve(limit(l, maxConnections, c.Log))
	if ctx.Err() == nil {
		return fmt.Errorf("lmtp: %w", err)
	}
	<-worked
	return nil
}

// counter is where sessions hand letters over.
type counter struct {
	ctx    context.Context
	handle Handler
	queue  chan arrival
}

type arrival struct {
	letter Letter
	done   chan<- error // has room for one
}

// work hands on what has arrived until the context ends.
func (c *counter) work() {
	for {
		var batch []arrival
		select {
		case <-c.ctx.Done():
			return
		case a := <-c.queue:
			batch = append(batch, a)
		}
	more:
		for len(batch) < maxTogether {
			select {
			case a := <-c.queue:
				batch = append(batch, a)
			default:
				break more
			}
		}
		letters := make([]Letter, len(batch))
		for i, a := range batch {
			letters[i] = a.letter
		}
		errs := c.handle(c.ctx, letters)
		for i, a := range batch {
			if len(errs) != len(batch) {
				a.done <- fmt.Errorf("the handler took %d letters and told of %d", len(batch), len(errs))
				continue
			}
			a.done <- errs[i]
		}
	}
}

// take has one letter handled.
func (c *counter) take(l Letter) error {
	done := make(chan error, 1)
	select {
	case c.queue <- arrival{l, done}:
	case <-c.ctx.Done():
		return c.ctx.Err()
	}
	return <-done
}

// session is one connection.
type session struct {
	Config
	counter *counter
	from    string
	to      string    // the first recipient
	at      time.Time // when it was taken

	recipients int // taken
}

var _ smtp.LMTPSession = (*session)(nil)

func (s *session) Reset()        { s.from, s.to, s.at, s.recipients = "", "", time.Time{}, 0 }
func (s *session) Logout() error { return nil }

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	switch {
	case !s.Own(to):
		return s.refuse(to, &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such address here"})
	case s.recipients >= maxRecipients:
		return s.refuse(to, &smtp.SMTPError{Code: 452, EnhancedCode: smtp.EnhancedCode{4, 5, 3}, Message: "too many recipients; send the letter to the others in another transaction"})
	}
	s.recipients++
	if s.to == "" {
		s.to, s.at = to, s.Now()
	}
	return nil
}

// refuse logs a refusal: the mail server may tell no one who could do something about it.
func (s *session) refuse(to string, err error) error {
	s.Log.Warn("lmtp: letter refused", "from", s.from, "to", to, "err", err)
	return err
}

// Data is never called: LMTPData is.
func (s *session) Data(r io.Reader) error { return s.LMTPData(r, nil) }

// LMTPData hands a letter over; its result is the answer to each recipient.
func (s *session) LMTPData(r io.Reader, _ smtp.StatusCollector) error {
	l, err := s.read(r)
	if err != nil { // it is above what is read, or broke off
		return s.refuse(s.to, err)
	}
	if err := s.counter.take(l); err != nil {
		if s.counter.ctx.Err() == nil { // else the mail server keeps it until the next start
			s.Log.Error("lmtp: letter not taken", "err", err)
		}
		return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "the letter could not be handled; try again"}
	}
	return nil
}

// read reads a letter to its end and keeps what is kept of it.
func (s *session) read(r io.Reader) (Letter, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Return-Path: <%s>\r\nDelivered-To: %s\r\n", oneLine(s.from), oneLine(s.to))
	traces := b.Len()
	n, err := io.Copy(&b, io.LimitReader(r, s.MaxLetter+1))
	if err != nil {
		return Letter{}, err
	}
	l := Letter{Raw: b.Bytes(), Received: s.at}
	if n <= s.MaxLetter {
		return l, nil
	}
	if _, err := io.Copy(io.Discard, r); err != nil {
		return Letter{}, err
	}
	l.HeaderOnly = true
	l.Raw = l.Raw[:min(len(l.Raw), traces+maxHeader)]
	if end := bytes.Index(l.Raw, []byte("\r\n\r\n")); end >= 0 {
		l.Raw = l.Raw[:end+4]
	}
	l.Raw = bytes.Clone(l.Raw) // lets go of the rest
	return l, nil
}

// oneLine keeps an address from being more than that in a header.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}

// logger passes go-smtp's complaints on.
type logger struct{ *slog.Logger }

func (l logger) Printf(format string, v ...any) { l.Warn("lmtp: " + fmt.Sprintf(format, v...)) }
func (l logger) Println(v ...any)               { l.Warn("lmtp: " + fmt.Sprint(v...)) }
