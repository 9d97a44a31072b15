package program

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angelpost/engine/component"
	"angelpost/engine/notice"
)

// Config is a configuration whose mail servers are nowhere.
const Config = `address = "angelpost+{token}@play.example.org"
start = "known"
database = "games.db"
remind_days = 4

[imap]
addr = "127.0.0.1:1"
user = "angelpost"
password_file = "password"
tls = "none"
folder = "INBOX"

[smtp]
addr = "127.0.0.1:1"
tls = "none"

[http]
addr = "127.0.0.1:0"
base_url = "https://play.example.org"
`

// Trouble runs a subcommand that must fail and returns what it says.
func Trouble(t *testing.T, want int, args ...string) string {
	t.Helper()
	cmd := Command(args...)
	var out, talk strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &talk
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := time.AfterFunc(10*time.Second, func() { // it serves, though it should not
		t.Errorf("angelpost %s: does not end", strings.Join(args, " "))
		cmd.Process.Kill()
	})
	_ = cmd.Wait() // the exit code says it
	stop.Stop()
	if code := cmd.ProcessState.ExitCode(); code != want {
		t.Errorf("angelpost %s: exit %d, want %d\n%s", strings.Join(args, " "), code, want, talk.String())
	}
	if out.Len() > 0 {
		t.Errorf("angelpost %s: talk on stdout: %q", strings.Join(args, " "), out.String())
	}
	for _, code := range notice.Problems {
		if strings.Contains(code, "-") && strings.Contains(talk.String(), code+": ") {
			t.Errorf("angelpost %s: it says the code %q\n%s", strings.Join(args, " "), code, talk.String())
		}
	}
	if strings.Contains(talk.String(), "goroutine ") || strings.Contains(talk.String(), "panic") {
		t.Errorf("angelpost %s: a panic:\n%s", strings.Join(args, " "), talk.String())
	}
	return talk.String()
}

// Get returns what an address answers.
func Get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

// Until waits for something that a running program does.
func Until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("in vain for a minute: %s", what)
		}
	}
}

// Contains holds that a text has all the parts.
func Contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is not in %q", p, text)
		}
	}
}

// Surveyed runs a command of the host's with -json and reads what it prints.
func Surveyed[T any](t *testing.T, config string, words ...string) (out T) {
	t.Helper()
	n := 1
	if words[0] == "letter" {
		n = 2
	}
	args := append(append([]string{}, words[:n]...), "-config", config, "-json")
	text, code := Output(t, append(args, words[n:]...)...)
	if err := json.Unmarshal([]byte(text), &out); err != nil || code != 0 {
		t.Fatalf("%v: %d %v\n%s", words, code, err, text)
	}
	return out
}

// Opened is the database of a server that is not at work.
func Opened(t *testing.T, config string) *sql.DB {
	t.Helper()
	d, err := sql.Open("sqlite3", filepath.Join(filepath.Dir(config), "games.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// Boxed copies the built-in set into a folder of a name, with one text of a
// file replaced by another.
func Boxed(t testing.TB, name, file, old, new string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.CopyFS(dir, component.Files()); err != nil {
		t.Fatal(err)
	}
	if file == "" {
		return dir
	}
	path := filepath.Join(dir, file)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte(old)) {
		t.Fatalf("%s: no %q", file, old)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(b, []byte(old), []byte(new)), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
