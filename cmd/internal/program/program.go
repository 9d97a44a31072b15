// Package program starts the program as a process of its own, for tests. The program is
// the test binary itself: a test package that starts it says so in its TestMain,
//
//	func TestMain(m *testing.M) { program.Main(m, server.Run) }
//
// and then calls Start, Output or ServeOn. A process started so can kill itself at a
// fault point (FaultVariable) and have a wrong clock (ClockVariable). This package
// knows nothing of the program but web/API.md, so tests in the program's own package
// can use it, too.
package program

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Main is the main function of a test binary that can be the program: run is the
// program's, which Command and Start have it run as a process of its own.
func Main(m *testing.M, run func(args []string, stdout, stderr io.Writer) int) {
	if os.Getenv("ANGELPOST_TEST_RUN") != "" {
		setFaults()
		setClock()
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// A Process is a started subcommand that serves until Stop ends it.
type Process struct {
	t      *testing.T
	Cmd    *exec.Cmd
	Lines  []string          // of stdout up to "ready"
	Values map[string]string // those of the form NAME=VALUE
	mu     sync.Mutex
	log    bytes.Buffer // stderr
	Done   chan error
}

// Command returns a command that runs the program with args.
func Command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "ANGELPOST_TEST_RUN=1")
	return cmd
}

// Start runs a subcommand until it says "ready".
func Start(t *testing.T, args ...string) *Process {
	t.Helper()
	p := &Process{t: t, Cmd: Command(args...), Values: map[string]string{}, Done: make(chan error, 1)}
	out, err := p.Cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.Cmd.Stderr = writer(func(b []byte) (int, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.log.Write(b)
	})
	if err := p.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Cmd.Process.Kill()
		p.mu.Lock()
		defer p.mu.Unlock()
		if t.Failed() {
			all := p.log.Bytes()
			t.Logf("the last stderr of angelpost %s:\n%s", strings.Join(args, " "), all[max(0, len(all)-16<<10):])
		}
	})
	ready := make(chan bool, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			p.Lines = append(p.Lines, lines.Text())
			if lines.Text() == "ready" {
				ready <- true
				break
			}
			if name, value, ok := strings.Cut(lines.Text(), "="); ok {
				p.Values[name] = value
			}
		}
		io.Copy(io.Discard, out)
		p.Done <- p.Cmd.Wait()
	}()
	select {
	case <-ready:
	case err := <-p.Done:
		p.mu.Lock()
		defer p.mu.Unlock()
		t.Fatalf("angelpost %s ended before it was ready: %v\n%s", strings.Join(args, " "), err, p.log.Bytes())
	case <-time.After(60 * time.Second):
		p.mu.Lock()
		defer p.mu.Unlock()
		t.Fatalf("angelpost %s is not ready after a minute\n%s", strings.Join(args, " "), p.log.Bytes())
	}
	return p
}

// Stop asks the program to end and expects exit code 0 within 5 s (web/API.md).
func (p *Process) Stop() {
	p.t.Helper()
	p.Cmd.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-p.Done:
		if err != nil {
			p.t.Fatalf("stopped: %v", err)
		}
	case <-time.After(5 * time.Second):
		p.t.Fatal("it did not stop within 5 s of SIGTERM")
	}
}

// Says waits for what the program writes to stderr.
func (p *Process) Says(pattern *regexp.Regexp) string {
	p.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		p.mu.Lock()
		found := pattern.FindString(p.log.String())
		p.mu.Unlock()
		if found != "" {
			return found
		}
	}
	p.t.Fatalf("it never says %v", pattern)
	return ""
}

// Said is what the server has logged so far.
func (p *Process) Said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// Kill ends it as a power cut would.
func (p *Process) Kill() {
	p.Cmd.Process.Kill()
	<-p.Done
}

// Outcome runs a subcommand to its end and returns its exit code, its output and its talk.
func Outcome(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := Command(args...)
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	err := cmd.Run()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	if code = cmd.ProcessState.ExitCode(); code < 0 || code > 3 {
		t.Fatalf("angelpost %s: exit code %d\n%s", strings.Join(args, " "), code, talk.Bytes())
	}
	return code, out.String(), talk.String()
}

// Output runs a subcommand to its end and logs what it talks.
func Output(t *testing.T, args ...string) (stdout string, code int) {
	t.Helper()
	code, stdout, talk := Outcome(t, args...)
	if code != ExitYes || testing.Verbose() { // what went well would bury what did not
		t.Logf("angelpost %s: %d %s", strings.Join(args, " "), code, talk)
	}
	return stdout, code
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }
