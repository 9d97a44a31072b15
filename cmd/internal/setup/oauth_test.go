package setup

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
	"angelpost/mail/login"
	"angelpost/mail/login/authserver"
	"angelpost/mail/mailhost"
)

// oauthSettings writes a configuration whose mail servers accept the tokens of a, and returns
// its path.
func oauthSettings(t *testing.T, a *authserver.Server, more string) string {
	t.Helper()
	h, err := mailhost.Start(mailhost.Config{Dir: t.TempDir(), Accounts: []string{"angelpost"}, Token: a.Holds, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	path := filepath.Join(t.TempDir(), "angelpost.toml")
	text := fmt.Sprintf(`address = "angelpost+{token}@demo.localhost"
database = "angelpost.db"
[imap]
addr = %q
user = "angelpost@demo.localhost"
tls = "none"
[smtp]
addr = %q
user = "angelpost@demo.localhost"
tls = "none"
[oauth]
client_id = %q
auth_url = "%[4]s/authorize"
token_url = "%[4]s/token"
%[5]s
[http]
addr = "127.0.0.1:0"
base_url = "http://127.0.0.1:1"
`, h.IMAPAddr(), h.SMTPAddr(), authserver.Client, a.URL, more)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// following is a terminal that opens each address of the authorisation server, as its reader
// would.
type following struct {
	mu  sync.Mutex
	out bytes.Buffer
	url *regexp.Regexp
}

func (f *following) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if u := string(f.url.Find(p)); u != "" {
		go func() {
			if res, err := http.Get(u); err == nil {
				res.Body.Close()
			}
		}()
	}
	return f.out.Write(p)
}

// TestLogin: `angelpost login` works with a browser and with a device code, and doctor can
// use the token that it stores. Without a valid token, doctor says to log in.
func TestLogin(t *testing.T) {
	for name, more := range map[string]string{"browser": "", "device": `device_url = "URL/device"`} {
		t.Run(name, func(t *testing.T) {
			a := authserver.Start(t, "angelpost@demo.localhost")
			path := oauthSettings(t, a, strings.Replace(more, "URL", a.URL, 1))
			doctor := func(want string) {
				t.Helper()
				var out, errs bytes.Buffer
				RunDoctor([]string{"-config", path, "-wait", "1m"}, &out, &errs)
				if !strings.Contains(out.String(), want) {
					t.Errorf("doctor does not say %q:\n%s%s", want, &out, &errs)
				}
			}
			doctor("angelpost login")
			var errs bytes.Buffer
			out := &following{url: regexp.MustCompile(`http://\S+/authorize\S+`)}
			if code := RunLogin([]string{"-config", path}, out, &errs); code != cli.ExitYes || !strings.Contains(out.out.String(), "Logged in") {
				t.Fatalf("%d %s%s", code, &out.out, &errs)
			}
			if info, err := os.Stat(filepath.Join(filepath.Dir(path), "oauth")); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%v %v", info, err)
			}
			doctor("address=ok")
			a.Revoke()
			doctor("angelpost login")
		})
	}
}

// TestLoginSettings: which settings for logins a configuration may have.
func TestLoginSettings(t *testing.T) {
	a := authserver.Start(t, "x")
	path := oauthSettings(t, a, "")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	token := regexp.MustCompile(`(?m)^(client_id|auth_url|token_url) = .*\n`)
	for _, c := range []struct{ change, want string }{
		{"", ""},
		{`provider = "google"`, "provider"},
		{`provider = "gogle"`, "neither"},
		{`device_url = "http://example.org/device"`, "https"},
		{`token_file = ""`, "token_file"},
	} {
		text := strings.Replace(string(raw), "[oauth]\n", "[oauth]\n"+c.change+"\n", 1)
		os.WriteFile(path, []byte(text), 0o600)
		if _, err := server.LoadConfig(path); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.change, err, c.want)
		}
	}
	for _, provider := range []string{"google", "microsoft"} {
		text := strings.Replace(token.ReplaceAllString(string(raw), ""), "[oauth]\n", "[oauth]\nprovider = \""+provider+"\"\n", 1)
		os.WriteFile(path, []byte(text), 0o600)
		if _, err := server.LoadConfig(path); err == nil || !strings.Contains(err.Error(), "oauth.client_id") {
			t.Errorf("%s without client_id: %v", provider, err)
		}
		os.WriteFile(path, []byte(strings.Replace(text, "[oauth]\n", "[oauth]\nclient_id = \"x\"\ntenant = \"acme\"\n", 1)), 0o600)
		c, err := server.LoadConfig(path)
		if err != nil {
			t.Fatal(err)
		}
		if u := c.Token.Endpoint.TokenURL; !strings.HasPrefix(u, "https://") || (provider == "microsoft") != strings.Contains(u, "/acme/") {
			t.Errorf("%s: %s", provider, u)
		}
		if _, ok := c.Mailbox(nil).Secret.(*login.OAuth); !ok {
			t.Error("the mailbox is not logged in to by OAuth")
		}
	}
	command := strings.Replace(string(raw), "tls = \"none\"\n", "tls = \"none\"\npassword_command = \"echo demo\"\n", 1)
	os.WriteFile(path, []byte(command), 0o600)
	c, err := server.LoadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := c.Mailbox(nil).Secret.Get(t.Context()); v != "demo" || err != nil {
		t.Errorf("%q %v", v, err)
	}
	os.WriteFile(path, []byte(strings.Replace(command, "password_command", "password_file = \"p\"\npassword_command", 1)), 0o600)
	if _, err := server.LoadConfig(path); err == nil || !strings.Contains(err.Error(), "not both") {
		t.Errorf("%v, want not both", err)
	}
	var out, errs bytes.Buffer
	os.WriteFile(path, []byte(token.ReplaceAllString(string(raw), "")), 0o600)
	if code := RunLogin([]string{"-config", path}, &out, &errs); code != cli.ExitUsage || !strings.Contains(errs.String(), "oauth.provider") {
		t.Errorf("%d %s", code, &errs)
	}
}
