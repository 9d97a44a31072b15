package server

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// A hangup is a server whose configuration is edited and reloaded.
type hangup struct {
	*program.Process
	t      *testing.T
	config string
	text   string
	heard  int
}

// edit replaces a part of the configuration as it was at first, and sends SIGHUP.
func (h *hangup) edit(old, new string) string {
	h.t.Helper()
	if !strings.Contains(h.text, old) {
		h.t.Fatalf("there is no %s", old)
	}
	if err := os.WriteFile(h.config, []byte(strings.Replace(h.text, old, new, 1)), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return h.signal()
}

// signal sends SIGHUP and waits until the log tells what came of it.
func (h *hangup) signal() string {
	h.t.Helper()
	if err := h.Cmd.Process.Signal(syscall.SIGHUP); err != nil {
		h.t.Fatal(err)
	}
	h.heard++
	return h.next(regexp.MustCompile(`(?m)^.*configuration (reloaded|cannot be reloaded).*\n`), h.heard)
}

// next waits until the log has a line for the n-th time.
func (h *hangup) next(line *regexp.Regexp, n int) string {
	h.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if all := line.FindAllString(h.Said(), -1); len(all) >= n {
			return all[n-1]
		}
	}
	h.t.Fatalf("it never says %v %d times", line, n)
	return ""
}

// TestReload edits the configuration of a server at work and sends SIGHUP: what
// can be reloaded is in force, what cannot is named, and what is wrong is refused
// as a whole.
func TestReload(t *testing.T) {
	h := &hangup{t: t}
	h.Process = program.ServeOn(t, "start = \"list\"\nallow = []\ndirectors = []", func(path string) {
		h.config = path
		if out, code := program.Output(t, "new", "-config", path, "-started", "-organiser", "alpha@"+program.Domain, "-seed", strings.Repeat("5a", 32),
			"-player", "alpha@"+program.Domain, "-player", "beta@"+program.Domain); code != cli.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	text, err := os.ReadFile(h.config)
	if err != nil {
		t.Fatal(err)
	}
	h.text = string(text)
	alpha := mailclient.Stranger(t, h.Process, "alpha")
	alpha.Until("the start", func(mailclient.Received) bool { return true })
	mayStart := func(want string) {
		t.Helper()
		if n := alpha.Ask("new game", "hal: easy"); n.Result != want {
			t.Errorf("a new game is %s, want %s:\n%s", n.Result, want, mailclient.Head(n.Text, 20))
		}
	}
	mayStart("refused")
	listed := fmt.Sprintf("allow = [%q]", "alpha@"+program.Domain)
	h.edit("allow = []", listed)
	mayStart("applied")

	for _, wrong := range []struct{ line, says string }{
		{"allow = [1]", "line 2"},
		{"alow = []", `there is no key "alow"`},
		{"allow = []\nremind_days = 0", "remind_days: it must be"},
		{"allow = []\ndirectors = []", "directors"}, // twice
	} {
		said := strings.ReplaceAll(h.edit("allow = []", wrong.line), `\"`, `"`)
		if !strings.Contains(said, "level=ERROR") || !strings.Contains(said, "the old one stays in force") || !strings.Contains(said, wrong.says) {
			t.Errorf("of %q it says %s", wrong.line, said)
		}
		mayStart("applied")
	}
	if err := os.Remove(h.config); err != nil {
		t.Fatal(err)
	}
	if said := h.signal(); !strings.Contains(said, "cannot be reloaded") {
		t.Errorf("without a configuration it says %s", said)
	}
	mayStart("applied")
	mayDirect := func(want string) {
		t.Helper()
		if n := alpha.Ask("new league", "name: Liga"); n.Result != want {
			t.Errorf("a new league is %s, want %s:\n%s", n.Result, want, mailclient.Head(n.Text, 20))
		}
	}
	mayDirect("refused")
	h.edit("directors = []", fmt.Sprintf("directors = [%q]", "alpha@"+program.Domain))
	mayStart("refused")
	mayDirect("applied")
	if said := h.edit(`base_url = "http://127.0.0.1:1"`, `base_url = "http://127.0.0.1:2"`); !strings.Contains(said, "not_yet=[http.base_url]") {
		t.Errorf("of another base_url it says %s", said)
	}
	for range 100 {
		if err := h.Cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	mayStart("refused")
	h.Stop()
}

// TestReloadPassword changes the password file under a server at work: SIGHUP
// has it log in anew, and a wrong password costs nothing once it is right again.
func TestReloadPassword(t *testing.T) {
	t.Parallel()
	h := &hangup{t: t}
	h.Process = program.ServeOn(t, "", func(path string) {
		h.config = path
		if out, code := program.Output(t, "new", "-config", path, "-started", "-organiser", "alpha@"+program.Domain, "-seed", strings.Repeat("5a", 32),
			"-player", "alpha@"+program.Domain, "-player", "beta@"+program.Domain); code != cli.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	password := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(filepath.Dir(h.config), "password"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	alpha := mailclient.Stranger(t, h.Process, "alpha")
	alpha.Until("the start", func(mailclient.Received) bool { return true })
	password("\n")
	if said := h.signal(); !strings.Contains(said, "cannot be reloaded") || !strings.Contains(said, "imap.password_file") {
		t.Errorf("of an empty password file it says %s", said)
	}
	alpha.Ask("status") // as before
	password("wrong\n")
	h.signal()
	h.next(regexp.MustCompile(`connection lost.*login`), 4) // the next try is 8 s away
	letter := alpha.Write(mailclient.Post{Body: "status\r\n"})
	password(program.Password + "\n")
	began := time.Now()
	h.signal()
	alpha.AnswerTo(letter)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("with the right password again, the letter was answered after %v", took)
	}
	h.Stop()
}

// TestHangUpAtTheStart sends SIGHUP while the server comes up.
func TestHangUpAtTheStart(t *testing.T) {
	p := program.ServeOn(t, "", func(config string) {
		cmd := program.Command("serve", "-config", config)
		var talk bytes.Buffer
		cmd.Stderr = &talk
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for _, err := os.Stat(filepath.Join(filepath.Dir(config), "games.db.lock")); err != nil; time.Sleep(time.Millisecond) {
			_, err = os.Stat(filepath.Join(filepath.Dir(config), "games.db.lock"))
		}
		for range 40 {
			time.Sleep(5 * time.Millisecond)
			if cmd.Process.Signal(syscall.SIGHUP) != nil {
				break
			}
		}
		time.Sleep(300 * time.Millisecond)
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Errorf("it did not live to be asked to end: %v", err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("it ended with %v\n%s", err, talk.String())
		}
	})
	p.Stop()
}
