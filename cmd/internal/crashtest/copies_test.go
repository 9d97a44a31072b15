package crashtest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// ended waits for a server that ends by itself, as one does that another has replaced.
func ended(t *testing.T, p *program.Process) {
	t.Helper()
	select {
	case err := <-p.Done:
		if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != program.ExitEnvironment {
			t.Errorf("it ended with %v, want exit %d", err, program.ExitEnvironment)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it goes on")
	}
	p.Says(regexp.MustCompile("another server, with a copy of this database, has taken over INBOX"))
}

// doctored is what doctor says of the mailbox.
func doctored(t *testing.T, config string) string {
	t.Helper()
	out, _ := program.Output(t, "doctor", "-config", config, "-wait", "1s")
	return regexp.MustCompile("(?m)^mailbox=.*").FindString(out)
}

// copyFiles copies the files of a configuration to another folder, the lock file apart.
func copyFiles(t *testing.T, config string) (copied string) {
	t.Helper()
	dir := t.TempDir()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(config), "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if i, _ := os.Stat(file); i.IsDir() || strings.HasSuffix(file, ".lock") {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(file)), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, filepath.Base(config))
}

// TestCopyBesideItsServer starts a server on a copy of another's files while that one is
// at work and letters come in: the first one stops and stays away, no letter is answered
// twice, and those that come later are all answered. By force the first takes the mailbox
// back. Both doctors say what they find.
func TestCopyBesideItsServer(t *testing.T) {
	var config string
	p := program.ServeOn(t, "answers_per_day = 1000", func(path string) {
		config = path
		if out, code := program.Output(t, "new", "-config", config, "-started", "-organiser", "alpha@"+program.Domain, "-seed", strings.Repeat("5a", 32),
			"-player", "alpha@"+program.Domain, "-player", "bot"); code != program.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	alpha := mailclient.Stranger(t, p, "alpha")
	alpha.Until("the start", func(mailclient.Received) bool { return true })
	alpha.Ask("status")
	p.Stop()
	copied := copyFiles(t, config)
	p = program.Start(t, "serve", "-config", config)
	if line := doctored(t, config); !strings.HasPrefix(line, "mailbox=ok") {
		t.Errorf("doctor of the server at work: %s", line)
	}
	if line := doctored(t, copied); !strings.HasPrefix(line, "mailbox=warn") || !strings.Contains(line, "takes the mailbox over") {
		t.Errorf("doctor of the copy before it starts: %s", line)
	}
	second := program.Start(t, "serve", "-config", copied)
	var overlap []string
	for range 30 {
		overlap = append(overlap, alpha.Write(mailclient.Post{Body: "status\r\n"}))
		time.Sleep(10 * time.Millisecond)
	}
	ended(t, p)
	if line := doctored(t, config); !strings.HasPrefix(line, "mailbox=fail") || !strings.Contains(line, filepath.Dir(copied)) || !strings.Contains(line, "-take") {
		t.Errorf("doctor of the first one: %s", line)
	}
	if line := doctored(t, copied); !strings.HasPrefix(line, "mailbox=ok") {
		t.Errorf("doctor of the copy, once the first one has stopped: %s", line)
	}
	if says := refused(t, "serve", "-config", config); !strings.Contains(says, "serve -take") {
		t.Errorf("the first one started again says:\n%s", says)
	}
	for range 3 {
		alpha.Ask("status")
	}
	answers := map[string]int{}
	for _, n := range alpha.Box {
		answers[n.Header.Get("In-Reply-To")]++
	}
	none := 0
	for _, id := range overlap {
		switch answers["<"+id+">"] {
		case 0:
			none++ // in the database of the first one, which stopped before it was sent
		case 1:
		default:
			t.Errorf("%s was answered %d times", id, answers["<"+id+">"])
		}
	}
	t.Logf("%d of %d letters written meanwhile were not answered", none, len(overlap))

	p = program.Start(t, "serve", "-take", "-config", config)
	ended(t, second)
	alpha.Ask("status")
	p.Stop()
}
