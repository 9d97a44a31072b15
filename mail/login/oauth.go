package login

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"golang.org/x/oauth2"
)

// OAuth is a Secret that is an access token of OAuth 2.0. It gets one for the refresh
// token in File, and another before that one runs out or once a mail server has refused
// it. An authorisation server may send a new refresh token, which replaces the one in File.
type OAuth struct {
	Endpoint         oauth2.Endpoint
	Scopes           []string
	ClientID         string
	ClientSecretFile string // empty if there is none
	File             string // its first line is the refresh token
	Log              *slog.Logger
	Now              func() time.Time // nil: time.Now

	mu    sync.Mutex
	token string
	renew time.Time // when to get another
}

// ErrLogin says that only a person can help: by `angelpost login`.
var ErrLogin = errors.New("log in again: angelpost login")

const (
	requestTimeout = 30 * time.Second
	renewAhead     = 5 * time.Minute // before a token runs out, or a quarter of its life
	usualLife      = time.Hour       // of a token whose server does not say
	longestLife    = 24 * time.Hour
)

// Token reports that it is one.
func (o *OAuth) Token() bool { return true }

// Refused has the next Get get another token, unless it has one already.
func (o *OAuth) Refused(value string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.token == value {
		o.token = ""
	}
}

// Get returns a token that lasts for some time yet.
func (o *OAuth) Get(ctx context.Context) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.token != "" && o.now().Before(o.renew) {
		return o.token, nil
	}
	t, err := o.refresh(ctx)
	if err != nil {
		return "", fmt.Errorf("oauth: %w", err)
	}
	life := usualLife
	if !t.Expiry.IsZero() {
		life = min(max(time.Until(t.Expiry), 0), longestLife)
	}
	o.token, o.renew = t.AccessToken, o.now().Add(life-min(renewAhead, life/4))
	return o.token, nil
}

func (o *OAuth) now() time.Time {
	if o.Now != nil {
		return o.Now()
	}
	return time.Now()
}

// refresh asks for an access token. Other processes that have the same file wait
// meanwhile, for some servers take a refresh token only once.
func (o *OAuth) refresh(ctx context.Context) (*oauth2.Token, error) {
	config, err := o.config(ctx)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(o.File, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		f, err = os.Open(o.File) // good enough as long as the refresh token stays the same
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no %s; %w", o.File, ErrLogin)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := lock(ctx, f); err != nil {
		return nil, err
	}
	old, err := firstLine(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; %w", o.File, err, ErrLogin)
	}
	ctx, cancel := limited(ctx)
	defer cancel()
	t, err := config.TokenSource(ctx, &oauth2.Token{RefreshToken: old}).Token()
	if err != nil {
		return nil, o.explain(err)
	}
	if t.RefreshToken != "" && t.RefreshToken != old {
		if err := write(f, t.RefreshToken); err != nil {
			o.log().Error("a new refresh token cannot be kept; the next login may fail", "file", o.File, "err", err)
		}
	}
	return t, nil
}

func (o *OAuth) log() *slog.Logger { return cmp.Or(o.Log, slog.Default()) }

// lock waits until no other process has f locked; its end, or closing f, frees it.
func lock(ctx context.Context, f *os.File) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil || !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s is locked by another process: %w", f.Name(), ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// write makes a secret the first line of f, and all of it. The file keeps its place: its
// folder may be closed to the server. A crash before the end leaves no half of a line,
// for a disk writes so few bytes at once.
func write(f *os.File, secret string) error {
	text := secret + "\n"
	if len(text) > maxSecret {
		return errors.New("the refresh token is too long")
	}
	if _, err := f.WriteAt([]byte(text), 0); err != nil {
		return err
	}
	return errors.Join(f.Truncate(int64(len(text))), f.Sync())
}

// Keep writes the refresh token of a login to the file, which only its user may read.
func (o *OAuth) Keep(ctx context.Context, t *oauth2.Token) error {
	if t.RefreshToken == "" {
		return errors.New("the server sent no refresh token. Take the program's access back in your account's settings, and log in again")
	}
	f, err := os.OpenFile(o.File, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	err = lock(ctx, f)
	if err == nil {
		err = errors.Join(f.Chmod(0o600), write(f, t.RefreshToken))
	}
	return errors.Join(err, f.Close())
}

// limited gives requests an end and a client that follows no redirects: none of an
// authorisation server's answers to a program is one.
func limited(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx = context.WithValue(ctx, oauth2.HTTPClient, client)
	return context.WithTimeout(ctx, requestTimeout)
}

var client = &http.Client{
	Timeout:       requestTimeout,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// config is o as the library has it.
func (o *OAuth) config(ctx context.Context) (*oauth2.Config, error) {
	c := &oauth2.Config{ClientID: o.ClientID, Endpoint: o.Endpoint, Scopes: o.Scopes}
	c.Endpoint.AuthStyle = oauth2.AuthStyleInParams
	if o.ClientSecretFile != "" {
		var err error
		if c.ClientSecret, err = File(o.ClientSecretFile).Get(ctx); err != nil {
			return nil, fmt.Errorf("client_secret_file: %w", err)
		}
	}
	return c, nil
}

// plain is what a server says, as one line that logs and terminals can show.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s[:min(len(s), maxComplaint)], ""))
	return strings.Join(strings.Fields(s), " ")
}

// explain says what an authorisation server refuses, and why, without what was sent.
func (o *OAuth) explain(err error) error {
	refusal := new(oauth2.RetrieveError)
	if !errors.As(err, &refusal) {
		return err
	}
	status := ""
	if refusal.Response != nil {
		status = refusal.Response.Status
	}
	text := cmp.Or(plain(refusal.ErrorCode), plain(status))
	if said := plain(refusal.ErrorDescription); said != "" {
		text += ": " + said
	}
	err = fmt.Errorf("%s refuses: %s", o.Endpoint.TokenURL, text)
	switch refusal.ErrorCode {
	case "invalid_grant", "interaction_required", "consent_required":
		err = fmt.Errorf("%w; %w", err, ErrLogin)
	}
	return err
}
