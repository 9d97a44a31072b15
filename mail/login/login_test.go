package login_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"angelpost/mail/login"
	"angelpost/mail/login/authserver"
)

const user = "box@example.org"

// oauth is a login at s with a refresh token from before.
func oauth(t *testing.T, s *authserver.Server) *login.OAuth {
	t.Helper()
	o := &login.OAuth{Endpoint: s.Endpoint(), ClientID: authserver.Client, File: filepath.Join(t.TempDir(), "oauth")}
	if err := os.WriteFile(o.File, []byte(s.Refresh()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return o
}

func get(t *testing.T, s login.Secret) string {
	t.Helper()
	v, err := s.Get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func kept(t *testing.T, o *login.OAuth) string {
	t.Helper()
	raw, err := os.ReadFile(o.File)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(raw), "\n")
}

// TestCommand holds what is a password of what a program prints, and what it may cost.
func TestCommand(t *testing.T) {
	for line, want := range map[string]string{
		"printf 'p4ss word\\nuser: me\\n'":   "p4ss word",
		"printf 'p4ss\\r\\n'":                "p4ss",
		"echo $((6*7))":                      "42",
		"echo p4ss; yes secret | head -5000": "",
		"yes | head -c 40000 | tr -d '\\n'":  "",
		"echo":                               "",
		"echo hush; echo why >&2; exit 3":    "",
		"no-such-program-here":               "",
	} {
		got, err := login.Command(line).Get(t.Context())
		if want == "" && strings.HasPrefix(line, "echo p4ss") {
			want = "p4ss" // what comes after the first line matters to no one
		}
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %.40q %v, want %q", line, got, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: the error tells what was printed: %v", line, err)
		}
	}
	if _, err := login.Command("echo why >&2; exit 3").Get(t.Context()); err == nil || !strings.Contains(err.Error(), "why") {
		t.Errorf("a program's complaint is not told: %v", err)
	}
	// With its context ends what it has started, too.
	noted := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	child := ""
	go func() {
		for child == "" && t.Context().Err() == nil {
			raw, _ := os.ReadFile(noted)
			child = strings.TrimSpace(string(raw))
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	if _, err := login.Command("sleep 1000 & echo $! >" + noted + "; wait").Get(ctx); err == nil || ctx.Err() == nil {
		t.Errorf("%v; want that it was stopped", err)
	}
	for {
		stat, err := os.ReadFile("/proc/" + child + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "password")
	if _, err := login.File(path).Get(t.Context()); err == nil {
		t.Error("a file that is not there has a password")
	}
	for text, want := range map[string]string{"p4ss\n": "p4ss", "p4ss": "p4ss", "p4ss\r\nmore\n": "p4ss", "\n": "", "": "", " p \n": " p ", strings.Repeat("x", 1<<20): ""} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := login.File(path).Get(t.Context()); got != want || (err == nil) != (want != "") {
			t.Errorf("%.20q: %q %v, want %q", text, got, err, want)
		}
	}
}

// TestTokenIsRenewed checks when we request another access token: shortly before one runs out,
// and once a mail server has refused it, however long it seemed to last; if many need one at
// once, only once.
func TestTokenIsRenewed(t *testing.T) {
	s := authserver.Start(t, user)
	o := oauth(t, s)
	now := time.Now()
	var clock sync.Mutex
	o.Now = func() time.Time { clock.Lock(); defer clock.Unlock(); return now }
	pass := func(d time.Duration) { clock.Lock(); now = now.Add(d); clock.Unlock() }
	first := get(t, o)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if v, err := o.Get(t.Context()); v != first || err != nil {
				t.Errorf("%q %v, want the token that there is", v, err)
			}
		})
	}
	all.Wait()
	pass(50 * time.Minute)
	if get(t, o) != first {
		t.Error("renewed ten minutes before it runs out")
	}
	pass(6 * time.Minute)
	second := get(t, o)
	if second == first {
		t.Error("not renewed four minutes before it runs out")
	}
	// The clock jumped back, and the token has run out long before this machine thinks so.
	pass(-24 * time.Hour)
	s.Expire()
	if get(t, o) != second || s.Holds(user, second) {
		t.Fatal("this machine cannot know yet that the token has run out")
	}
	o.Refused(second)
	o.Refused(second) // by both mail servers
	third := get(t, o)
	o.Refused(second) // by one that is late
	if third == second || get(t, o) != third || !s.Holds(user, third) {
		t.Error("not renewed once, and once only, after a refusal")
	}
	// The clock is ahead: more tokens than needed, and each of them holds.
	pass(48 * time.Hour)
	if v := get(t, o); v == third || !s.Holds(user, v) {
		t.Error("not renewed with a clock that is ahead")
	}
	if s.Refreshes != 4 {
		t.Errorf("%d refreshes, want 4", s.Refreshes)
	}
}

// TestLifeOfTokens holds how long a token is used, by what its server says of it.
func TestLifeOfTokens(t *testing.T) {
	for _, c := range []struct {
		says        any
		good, spent time.Duration // after which it is used still, and no more
	}{
		{60, 40 * time.Second, 50 * time.Second},
		{"3600", 54 * time.Minute, 56 * time.Minute},
		{nil, 50 * time.Minute, 56 * time.Minute},
		{int64(1) << 40, 23 * time.Hour, 24 * time.Hour},
		{-5, -1, time.Hour},
		{0, -1, time.Hour},
	} {
		s := authserver.Start(t, user)
		s.Expires = c.says
		o := oauth(t, s)
		now := time.Now()
		o.Now = func() time.Time { return now }
		first, start := get(t, o), now
		if now = start.Add(c.good); c.good > 0 && get(t, o) != first {
			t.Errorf("expires_in %v: renewed after %v", c.says, c.good)
		}
		if now = start.Add(c.spent); get(t, o) == first {
			t.Errorf("expires_in %v: still used after %v", c.says, c.spent)
		}
	}
}

// TestRefreshTokenIsReplaced holds that a new refresh token is kept at once, that two processes
// with one file do not use one twice, and that a login by another process is noticed.
func TestRefreshTokenIsReplaced(t *testing.T) {
	s := authserver.Start(t, user)
	s.Rotates = true
	o := oauth(t, s)
	other := &login.OAuth{Endpoint: o.Endpoint, ClientID: o.ClientID, File: o.File}
	var all sync.WaitGroup
	for _, o := range []*login.OAuth{o, other} {
		all.Go(func() {
			for range 10 {
				v, err := o.Get(t.Context())
				if err != nil {
					t.Error(err)
				}
				o.Refused(v)
			}
		})
	}
	all.Wait()
	if s.Refreshes != 20 || !s.Known(kept(t, o)) {
		t.Errorf("%d refreshes; the file has a token that holds: %v", s.Refreshes, s.Known(kept(t, o)))
	}
	// Revoked: only a person can help, and then no restart is needed.
	s.Revoke()
	if _, err := o.Get(t.Context()); !errors.Is(err, login.ErrLogin) {
		t.Errorf("%v, want that one must log in again", err)
	}
	if err := os.WriteFile(o.File, []byte(s.Refresh()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	get(t, o)
}

// TestRefusals checks the error that the host gets when the authorisation server does not help.
func TestRefusals(t *testing.T) {
	s := authserver.Start(t, user)
	o := oauth(t, s)
	secret := kept(t, o)
	fails := func(again bool, words ...string) {
		t.Helper()
		_, err := o.Get(t.Context())
		if err == nil || errors.Is(err, login.ErrLogin) != again {
			t.Fatalf("%v; log in again: want %v", err, again)
		}
		for _, w := range append(words, "oauth: ") {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%v: does not say %q", err, w)
			}
		}
		if strings.Contains(err.Error(), secret) {
			t.Errorf("%v: tells the refresh token", err)
		}
	}
	for code, again := range map[string]bool{"temporarily_unavailable": false, "invalid_client": false, "invalid_grant": true, "interaction_required": true} {
		s.Refuses = code
		fails(again, code, "The server of this test says no.")
	}
	s.Refuses, s.Secret = "", "client-secret"
	fails(false, "invalid_client")
	o.ClientSecretFile = filepath.Join(t.TempDir(), "client")
	fails(false, "client_secret_file")
	os.WriteFile(o.ClientSecretFile, []byte("client-secret\n"), 0o600)
	get(t, o)

	for name, h := range map[string]http.HandlerFunc{
		"endless":  func(w http.ResponseWriter, _ *http.Request) { io.Copy(w, forever{}) },
		"no JSON":  func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>hello") },
		"no token": func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "{}") },
		"elsewhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, s.URL+"/token", http.StatusTemporaryRedirect)
		},
		"long words": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(400)
			io.WriteString(w, `{"error":"server_error","error_description":"`+strings.Repeat("so ", 5000)+`"}`)
		},
		"a long code that moves the cursor": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(400)
			io.WriteString(w, `{"error":"\u001b[2J\n`+strings.Repeat("code", 5000)+`"}`)
		},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		hostile := &http.Server{Handler: h}
		go hostile.Serve(l)
		o := oauth(t, s)
		o.Endpoint.TokenURL = "http://" + l.Addr().String() + "/token"
		if v, err := o.Get(t.Context()); err == nil || len(err.Error()) > 2000 || strings.ContainsAny(err.Error(), "\x1b\n") {
			t.Errorf("%s: %q %v", name, v, err)
		}
		hostile.Close()
	}
	os.Remove(o.File)
	o.Refused(get(t, o))
	fails(true, o.File)
	os.WriteFile(o.File, nil, 0o600)
	fails(true, "empty")
}

type forever struct{}

func (forever) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// TestBrowser holds a login in a browser: PKCE and state by the server, no answer but
// the right one by us.
func TestBrowser(t *testing.T) {
	for _, denies := range []bool{false, true} {
		s := authserver.Start(t, user)
		s.Denies = denies
		o := oauth(t, s)
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		pages := make(chan string, 1)
		token, err := o.Browser(t.Context(), l, user, func(address string) {
			for path, want := range map[string]int{"/?code=forged&state=guess": 404, "/?code=forged": 404, "/favicon.ico": 404} {
				res, err := http.Get("http://" + l.Addr().String() + path)
				if err != nil || res.StatusCode != want {
					t.Errorf("%s: %v %v", path, res, err)
				}
			}
			go func() {
				res, err := http.Get(address)
				if err != nil {
					t.Error(err)
					pages <- ""
					return
				}
				body, _ := io.ReadAll(res.Body)
				res.Body.Close()
				pages <- string(body)
			}()
		})
		page := <-pages
		if denies {
			if err == nil || !strings.Contains(err.Error(), "access_denied") || !strings.Contains(page, "No access") {
				t.Errorf("%v %q, want that access was not granted", err, page)
			}
			continue
		}
		if err != nil || !strings.Contains(page, "Done") {
			t.Fatalf("%v %q", err, page)
		}
		os.Chmod(o.File, 0o644)
		if err := o.Keep(t.Context(), token); err != nil {
			t.Fatal(err)
		}
		if info, _ := os.Stat(o.File); info.Mode().Perm() != 0o600 || !s.Known(kept(t, o)) {
			t.Errorf("mode %v, holds: %v", info.Mode(), s.Known(kept(t, o)))
		}
		if !s.Holds(user, get(t, o)) {
			t.Error("its access token does not hold")
		}
		token.RefreshToken = ""
		if err := o.Keep(t.Context(), token); err == nil {
			t.Error("a login without a refresh token was kept")
		}
	}
	// No one comes.
	s := authserver.Start(t, user)
	l, _ := net.Listen("tcp", "127.0.0.1:0")
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := oauth(t, s).Browser(ctx, l, user, func(string) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was canceled", err)
	}
}

// TestDevice holds a login by a device code, which waits for the person.
func TestDevice(t *testing.T) {
	s := authserver.Start(t, user)
	s.Pending = 1
	o := oauth(t, s)
	shown := ""
	token, err := o.Device(t.Context(), func(url, code string) { shown = url + " " + code })
	if err != nil || shown != s.URL+"/activate ABCD-EFGH" {
		t.Fatalf("%v; shown: %q", err, shown)
	}
	if err := o.Keep(t.Context(), token); err != nil || !s.Holds(user, get(t, o)) {
		t.Errorf("%v, or its access token does not hold", err)
	}
	s.Denies = true
	if _, err := o.Device(t.Context(), func(string, string) {}); err == nil || !strings.Contains(err.Error(), "access_denied") {
		t.Errorf("%v, want access_denied", err)
	}
	o.ClientID = "another"
	if _, err := o.Device(t.Context(), func(string, string) {}); err == nil || !strings.Contains(err.Error(), "invalid_client") {
		t.Errorf("%v, want invalid_client", err)
	}
}
