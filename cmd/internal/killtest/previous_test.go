//go:build real

package killtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"angelpost/cmd/internal/program"
	"angelpost/db/replica/litestream"
)

// previous is the last commit whose program writes claims without a MAC.
const previous = "f03717138c64904d44b0358ff87eb0b9c3174226"

// previousProgram builds the program of that commit.
func previousProgram(t *testing.T) string {
	t.Helper()
	top, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err == nil {
		err = exec.Command("git", "cat-file", "-e", previous+"^{commit}").Run()
	}
	if err != nil {
		t.Skipf("this copy of the repository lacks the commit %s, which a shallow clone does (%v); TestMailhost has a server that claims as its program did", previous, err)
	}
	dir := t.TempDir()
	for _, args := range [][]string{
		{"git", "-C", strings.TrimSpace(string(top)), "archive", "-o", filepath.Join(dir, "source.tar"), previous},
		{"tar", "-x", "-f", filepath.Join(dir, "source.tar"), "-C", dir},
		{"go", "build", "-C", dir, "-buildvcs=false", "-trimpath", "-o", filepath.Join(dir, "previous"), "./cmd/angelpost"},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	return filepath.Join(dir, "previous")
}

// TestPreviousVersion has a machine with this program and one with the version before claims had a MAC stand by
// each other, either of them serving first. The one that serves is stopped in the middle of its work, as in
// TestStoppedMachine, and goes on once the other one has taken over: only one of them answers each
// letter and files it. The older one can take over only as long as it can read the database.
func TestPreviousVersion(t *testing.T) {
	t.Setenv("PATH", filepath.Dir(litestream.Program(t))+":"+os.Getenv("PATH"))
	t.Setenv(program.WaitsVariable, "1") // as the older one does
	older := previousProgram(t)
	for name, programs := range map[string][]string{"the older one serves first": {older, ""}, "the newer one serves first": {"", older}} {
		t.Run(name, func(t *testing.T) {
			host := program.MailFor(t, program.Account, "alpha")
			copies := t.TempDir()
			p := newPair(t, host, func(int) (imap, url string) { return host.IMAPAddr(), "file://" + copies }, "", programs...)
			serving, other := p.machines[0], p.machines[1]
			cannot := func() bool {
				return other.program != "" && strings.Contains(other.said.String(), "the copy cannot be used")
			}
			p.write()
			if err := serving.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			p.write()
			p.wait("the other machine serves", func() bool { return other.serves() || cannot() })
			serving.cmd.Process.Signal(syscall.SIGCONT)
			p.write()
			if other.serves() {
				p.wait("the first one gives way", func() bool { return strings.Contains(serving.said.String(), giveWay) })
			}
			p.once()
			if serving.program == "" {
				return
			}
			serving.cmd.Process.Signal(syscall.SIGTERM) // it is upgraded
			if err := <-serving.done; err != nil {
				t.Errorf("stopped: %v", err)
			}
			serving.program = ""
			p.start(serving)
			p.wait("the upgraded machine follows", serving.follows(0))
			other.cmd.Process.Kill()
			<-other.done
			other.over = true
			p.machines = p.machines[:1]
			p.wait("the upgraded machine serves", serving.serves)
			p.write()
			p.once()
		})
	}
}
