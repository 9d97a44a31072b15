package program

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"angelpost/mail/mailhost"
)

// DemoArgs returns the arguments of a demo on free ports that keeps its files in data.
func DemoArgs(data string, more ...string) []string {
	return append([]string{"demo", "-imap", "127.0.0.1:0", "-smtp", "127.0.0.1:0", "-http", "127.0.0.1:0", "-data", data}, more...)
}

// ServeOn starts a mail host in this process and `serve` on it, with more lines
// at the head of its configuration. before runs when the configuration stands
// and the server does not.
func ServeOn(t *testing.T, more string, before func(config string)) *Process {
	t.Helper()
	host := MailFor(t, append([]string{Account}, Accounts...)...)
	return ServeAt(t, host, Account, host.SMTPAddr(), more, before)
}

// MailFor starts a mail host in this process.
func MailFor(t *testing.T, accounts ...string) *mailhost.Host {
	t.Helper()
	host, err := mailhost.Start(mailhost.Config{
		IMAPAddr: "127.0.0.1:0", SMTPAddr: "127.0.0.1:0", Dir: filepath.Join(t.TempDir(), "mail"), Domain: Domain,
		Accounts: accounts, Password: Password, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := host.Close(); err != nil {
			t.Error(err)
		}
	})
	return host
}

// ServeAt starts `serve` for an account of a mail host, sending by the server
// at smtp.
func ServeAt(t *testing.T, host *mailhost.Host, account, smtp, more string, before func(config string)) *Process {
	t.Helper()
	dir := t.TempDir()
	config := filepath.Join(dir, "angelpost.toml")
	text := fmt.Sprintf(`%s
address = "%s+{token}@%s"
database = "games.db"
[imap]
addr = "%s"
user = "%s"
password_file = "password"
tls = "none"
[smtp]
addr = "%s"
tls = "none"
[http]
addr = "127.0.0.1:0"
base_url = "http://127.0.0.1:1"
`, more, account, Domain, host.IMAPAddr(), account, smtp)
	for name, s := range map[string]string{"angelpost.toml": text, "password": Password + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before(config)
	p := Start(t, "serve", "-config", config)
	p.Values["imap"], p.Values["smtp"], p.Values["server"] = host.IMAPAddr(), host.SMTPAddr(), account+"@"+Domain
	return p
}

// CheckAnnounced holds the lines of the demo's stdout, in their order.
func CheckAnnounced(t *testing.T, lines, seats []string) {
	t.Helper()
	want := []string{`imap=127\.0\.0\.1:\d+`, `smtp=127\.0\.0\.1:\d+`, `http=http://127\.0\.0\.1:\d+`, `server=angelpost@demo\.localhost`, `game=[a-z0-9]+`}
	for i, kind := range seats {
		want = append(want, fmt.Sprintf(`seat%d=%s@demo\.localhost %s`, i+1, Accounts[i], kind))
		if kind == "human" {
			want = append(want, fmt.Sprintf(`page%d=http://127\.0\.0\.1:\d+/g/[a-z0-9]+/[a-z0-9]{20,}`, i+1))
		}
	}
	want = append(want, "ready")
	if len(lines) != len(want) {
		t.Fatalf("%d lines:\n%s", len(lines), strings.Join(lines, "\n"))
	}
	for i, line := range lines {
		if !regexp.MustCompile("^" + want[i] + "$").MatchString(line) {
			t.Errorf("line %d is %q, want %s", i+1, line, want[i])
		}
	}
}
