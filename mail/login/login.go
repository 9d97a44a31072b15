// Package login gets what mailbox and outbox log in with: a password from a file or a program,
// or an access token by OAuth 2.0.
//
// It promises: no error contains a secret; each way takes a minute at most and ends with its
// context; what a program or a server says is read up to a bound.
package login

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/emersion/go-sasl"
)

// A Secret is what a mail server asks for besides the user's name. Its methods may be
// called from several goroutines.
type Secret interface {
	// Get returns it, as it is now.
	Get(ctx context.Context) (string, error)
	// Refused tells that a mail server refused what Get returned.
	Refused(value string)
	// Token reports whether it is an access token and no password.
	Token() bool
}

const maxSecret = 16 << 10 // bytes of a password or token

// password is a Secret that reads its source again at each login.
type password func(ctx context.Context) (string, error)

func (p password) Get(ctx context.Context) (string, error) { return p(ctx) }
func (p password) Refused(string)                          {}
func (p password) Token() bool                             { return false }

// File is the password on the first line of a file.
func File(path string) Secret {
	return password(func(context.Context) (string, error) {
		f, err := os.Open(path)
		if err != nil {
			return "", fmt.Errorf("password file: %w", err)
		}
		defer f.Close()
		value, err := firstLine(f)
		if err != nil {
			return "", fmt.Errorf("password file %s: %w", path, err)
		}
		return value, nil
	})
}

// firstLine reads a secret, which is the first line of a file.
func firstLine(f io.Reader) (string, error) {
	raw, err := io.ReadAll(io.LimitReader(f, maxSecret+1))
	if err != nil {
		return "", err
	}
	line, _, _ := bytes.Cut(raw, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	switch {
	case len(line) > maxSecret:
		return "", errors.New("its first line is too long")
	case len(bytes.TrimSpace(line)) == 0:
		return "", errors.New("its first line is empty")
	}
	return string(line), nil
}

// How long a password's program may take, and how many bytes of its error output an error
// quotes.
const (
	commandTimeout = 30 * time.Second
	maxComplaint   = 200
)

// Command is the password on the first line that a program prints; the shell runs it.
func Command(line string) Secret {
	return password(func(ctx context.Context) (string, error) { return run(ctx, line, commandTimeout) })
}

func run(ctx context.Context, line string, timeout time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what the shell starts ends with it
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second // for what has left the group and keeps the pipes open
	out, complaint := &head{max: maxSecret + 1}, &head{max: maxComplaint}
	cmd.Stdout, cmd.Stderr = out, complaint
	err := cmd.Run()
	switch {
	case ctx.Err() == context.DeadlineExceeded:
		return "", fmt.Errorf("password command: no answer within %v", timeout)
	case err != nil:
		said := strings.Join(strings.Fields(strings.ToValidUTF8(complaint.String(), "?")), " ")
		return "", fmt.Errorf("password command: %w %s", err, said)
	}
	value, err := firstLine(out)
	if err != nil {
		return "", fmt.Errorf("password command: what it prints is not a password: %w", err)
	}
	return value, nil
}

// head is a writer that keeps the first bytes.
type head struct {
	bytes.Buffer
	max int
}

func (h *head) Write(p []byte) (int, error) {
	h.Buffer.Write(p[:min(len(p), h.max-h.Len())])
	return len(p), nil
}

// The mechanisms for access tokens: RFC 7628, and the one before it, which has none.
const (
	OAuthBearer = sasl.OAuthBearer
	XOAuth2     = "XOAUTH2"
)

// Client logs in to the server at addr by a token, with a mechanism that it offers.
func Client(user, token, addr string, offers func(mechanism string) bool) (sasl.Client, error) {
	host, port, _ := net.SplitHostPort(addr)
	switch n, _ := strconv.Atoi(port); {
	case offers(OAuthBearer):
		return &bearer{sasl.NewOAuthBearerClient(&sasl.OAuthBearerOptions{Username: user, Token: token, Host: host, Port: n})}, nil
	case offers(XOAuth2):
		return &bearer{xoauth2{user, token}}, nil
	}
	return nil, fmt.Errorf("%s offers neither %s nor %s", addr, OAuthBearer, XOAuth2)
}

// bearer answers a server that refuses a token: it says why in a challenge and refuses
// once that has an answer (RFC 7628 section 3.2.3).
type bearer struct{ sasl.Client }

func (b *bearer) Next([]byte) ([]byte, error) { return []byte{1}, nil }

type xoauth2 struct{ user, token string }

func (x xoauth2) Start() (string, []byte, error) {
	return XOAuth2, []byte("user=" + x.user + "\x01auth=Bearer " + x.token + "\x01\x01"), nil
}

func (x xoauth2) Next([]byte) ([]byte, error) { return nil, errors.New("unexpected challenge") }
