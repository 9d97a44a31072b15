package outbox

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"angelpost/mail/internal/wire"
	"angelpost/mail/login"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// Server describes the mail server that takes the letters, and our login there.
type Server struct {
	Addr         string       // host:port
	TLS          string       // "tls", "starttls" or "none" (this machine only)
	CAFile       string       // PEM roots instead of the system's, or empty
	User         string       // empty: no AUTH
	PasswordFile string       // its first line is the password; read at each login
	Secret       login.Secret // instead of PasswordFile
	Hello        string       // the fully qualified name said in EHLO; empty: "localhost", which strict servers refuse
	// Dial replaces the TCP dialler, for tests; nil for the usual one.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Certificate gets the server's certificate at each connection, after it was checked; nil
	// for none.
	Certificate func(*x509.Certificate)
}

func (s Server) wire() wire.Server {
	return wire.Server{Addr: s.Addr, TLS: s.TLS, CAFile: s.CAFile, Dial: s.Dial, Certificate: s.Certificate}
}

// Check says whether s can be used at all, without touching the network.
func (s Server) Check() error {
	if err := s.wire().Check(); err != nil {
		return fmt.Errorf("smtp: %w", err)
	}
	if s.User != "" && s.secret() == nil {
		return errors.New("smtp: a user needs password_file, password_command or [oauth]")
	}
	return nil
}

// Try connects, says hello, logs in and says goodbye, for a host who sets the
// server up. The error says which of these failed.
func (s Server) Try(ctx context.Context) error {
	if err := s.Check(); err != nil {
		return err
	}
	sess, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer sess.close()
	if err := sess.client.Noop(); err != nil {
		return fmt.Errorf("smtp: %s closed right after the login: %w", s.Addr, err)
	}
	return nil
}

const (
	replyTimeout = time.Minute     // for one reply (RFC 5321 section 4.5.3.2 asks for up to 5 minutes of a relay)
	dotTimeout   = 2 * time.Minute // for the reply to the final dot
	openTimeout  = 90 * time.Second
	quitTimeout  = 2 * time.Second
)

// session is one SMTP connection, logged in.
type session struct {
	conn    net.Conn
	client  *smtp.Client
	plain   bool // client writes to conn as it is
	letters int  // begun on this connection
	at      func(point string)
}

// open returns a session that can send, or why there is none. It takes
// openTimeout at most and ends with ctx.
func (s Server) open(ctx context.Context) (*session, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	sess, err := s.openOnce(ctx)
	if errors.Is(err, errOldToken) {
		sess, err = s.openOnce(ctx) // with another
	}
	return sess, err
}

func (s Server) openOnce(ctx context.Context) (_ *session, err error) {
	conn, err := s.wire().Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("smtp: %w", err)
	}
	defer wire.Watch(ctx, conn)()
	defer func() {
		if err != nil {
			conn.Close()
		}
	}()

	var client *smtp.Client
	if s.TLS == wire.StartTLS {
		var config *tls.Config
		if config, err = s.wire().ClientConfig(); err != nil {
			return nil, fmt.Errorf("smtp: %w", err)
		}
		if client, err = smtp.NewClientStartTLS(conn, config); err != nil {
			return nil, fmt.Errorf("smtp: STARTTLS with %s: %w", s.Addr, err)
		}
	} else {
		client = smtp.NewClient(conn)
	}
	client.CommandTimeout, client.SubmissionTimeout = replyTimeout, dotTimeout
	hello := s.Hello
	if hello == "" {
		hello = "localhost"
	}
	if err = client.Hello(hello); err != nil {
		return nil, fmt.Errorf("smtp: greeting of %s: %w", s.Addr, err)
	}
	if s.User != "" {
		if err = s.login(ctx, client); err != nil {
			return nil, err
		}
	}
	return &session{conn: conn, client: client, plain: s.TLS != wire.StartTLS, at: func(string) {}}, nil
}

func (s Server) secret() login.Secret {
	if s.Secret == nil && s.PasswordFile != "" {
		return login.File(s.PasswordFile)
	}
	return s.Secret
}

// errOldToken is a refusal of an access token.
var errOldToken = errors.New("the access token was refused")

func (s Server) login(ctx context.Context, client *smtp.Client) error {
	secret := s.secret()
	password, err := secret.Get(ctx)
	if err != nil {
		return fmt.Errorf("smtp: %w", err)
	}
	var mechanism sasl.Client
	switch {
	case secret.Token():
		if mechanism, err = login.Client(s.User, password, s.Addr, client.SupportsAuth); err != nil {
			return fmt.Errorf("smtp: %w", err)
		}
	case client.SupportsAuth(sasl.Plain):
		mechanism = sasl.NewPlainClient("", s.User, password)
	case client.SupportsAuth(sasl.Login):
		mechanism = &loginClient{user: s.User, password: password}
	default:
		return fmt.Errorf("smtp: %s offers neither AUTH PLAIN nor AUTH LOGIN", s.Addr)
	}
	err = client.Auth(mechanism)
	if refusal := new(smtp.SMTPError); secret.Token() && errors.As(err, &refusal) && refusal.Code/100 == 5 {
		secret.Refused(password)
		err = fmt.Errorf("%w: %w", errOldToken, err)
	}
	if err != nil {
		return fmt.Errorf("smtp: login as %s at %s: %w", s.User, s.Addr, err)
	}
	return nil
}

// loginClient speaks AUTH LOGIN, which no RFC defines: servers differ in the
// wording of the two questions, and go-sasl's client knows one wording only.
type loginClient struct {
	user, password string
	asked          int
}

func (c *loginClient) Start() (mech string, ir []byte, err error) { return sasl.Login, nil, nil }

func (c *loginClient) Next(challenge []byte) ([]byte, error) {
	c.asked++
	switch question := strings.ToLower(string(challenge)); {
	case c.asked > 2:
		return nil, errors.New("the server asks for more than a name and a password")
	case strings.Contains(question, "pass"), c.asked == 2 && !strings.Contains(question, "user"):
		return []byte(c.password), nil
	}
	return []byte(c.user), nil
}

// send hands one letter over. The error is nil, wraps the server's refusal (a
// *smtp.SMTPError), or is a fault of the connection, which then is of no more
// use. begun says whether the server had taken the MAIL command: what goes
// wrong before has hardly to do with the letter.
func (s *session) send(ctx context.Context, l Letter, raw []byte, before, mayEnd func(context.Context) error) (reply string, begun bool, err error) {
	defer wire.Watch(ctx, s.conn)()
	s.letters++
	if limit, ok := s.client.MaxMessageSize(); ok && limit > 0 && len(raw) > limit {
		return "", true, &smtp.SMTPError{Code: 552, Message: fmt.Sprintf("the letter has %d octets, the server takes %d", len(raw), limit)}
	}
	utf8 := !isPrintable(l.To)
	if has, _ := s.client.Extension("SMTPUTF8"); utf8 && !has {
		return "", true, &smtp.SMTPError{Code: 553, EnhancedCode: smtp.EnhancedCode{5, 6, 7}, Message: fmt.Sprintf("the mail server has no SMTPUTF8, so it can't send to %s", l.To)}
	}
	if err := s.client.Mail(l.From, &smtp.MailOptions{Size: int64(len(raw)), UTF8: utf8}); err != nil {
		return "", false, fmt.Errorf("MAIL: %w", err)
	}
	s.at("mail")
	if err := s.client.Rcpt(l.To, nil); err != nil {
		return "", true, fmt.Errorf("RCPT: %w", err)
	}
	s.at("rcpt")
	if err := before(ctx); err != nil {
		return "", true, err
	}
	data, err := s.client.Data()
	if err != nil {
		return "", true, fmt.Errorf("DATA: %w", err)
	}
	s.at("data")
	if err := s.write(data, raw); err != nil {
		return "", true, fmt.Errorf("writing the letter: %w", err)
	}
	if err := mayEnd(ctx); err != nil {
		return "", true, err
	}
	done, err := data.CloseWithResponse()
	if err != nil {
		if refusal := new(smtp.SMTPError); !errors.As(err, &refusal) {
			err = fmt.Errorf("%w: %w", errLost, err)
		}
		return "", true, fmt.Errorf("after the final dot: %w", err)
	}
	s.at("dot")
	return done.StatusText, true, nil
}

// errLost is that no reply came to the final dot: the server may have taken the letter.
var errLost = errors.New("no reply")

// write writes a letter. The library examines each octet and writes 4 KiB at a time; if we can
// write directly to its connection, all lines but the last go there. It sets no deadline
// meanwhile; the context of send has one, and closes the connection.
func (s *session) write(data io.Writer, raw []byte) error {
	out, first, last := data, raw, []byte(nil)
	if n := bytes.LastIndexByte(raw[:max(len(raw)-1, 0)], '\n') + 1; s.plain && n > 1 && whole(raw[:n]) {
		out, first, last = s.conn, dotted(raw[:n]), raw[n:]
	}
	half := len(first) / 2
	if _, err := out.Write(first[:half]); err != nil {
		return err
	}
	s.at("body")
	if _, err := out.Write(first[half:]); err != nil {
		return err
	}
	_, err := data.Write(last)
	return err
}

// whole reports whether every line ends in CRLF.
func whole(lines []byte) bool {
	return bytes.Count(lines, []byte("\n")) == bytes.Count(lines, []byte("\r\n"))
}

// dotted doubles the dots at the beginnings of lines (RFC 5321 section 4.5.2).
func dotted(lines []byte) []byte {
	if dot := []byte("\n."); bytes.Contains(lines, dot) { // few letters have one
		lines = bytes.ReplaceAll(lines, dot, []byte("\n.."))
	}
	if bytes.HasPrefix(lines, []byte(".")) {
		lines = append([]byte("."), lines...)
	}
	return lines
}

// reset ends a transaction that was refused.
func (s *session) reset(ctx context.Context) error {
	defer wire.Watch(ctx, s.conn)()
	return s.client.Reset()
}

// close says QUIT if the server listens, and hangs up.
func (s *session) close() {
	s.client.CommandTimeout = quitTimeout
	s.client.Quit()
	s.conn.Close()
}
