package server

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

// TestMain lets the test binary be the program itself, so that tests start the
// real thing as a process of its own.
func TestMain(m *testing.M) {
	if os.Getenv("ANGELPOST_TEST_RUN") != "" {
		setFaults()
		setClock()
		os.Exit(Run(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// program is a started subcommand that serves until it is told to stop.
type program struct {
	t      *testing.T
	cmd    *exec.Cmd
	lines  []string          // of stdout up to "ready"
	values map[string]string // those of the form NAME=VALUE
	mu     sync.Mutex
	log    bytes.Buffer // stderr
	done   chan error
}

func angelpost(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "ANGELPOST_TEST_RUN=1")
	return cmd
}

// start runs a subcommand until it says "ready".
func start(t *testing.T, args ...string) *program {
	t.Helper()
	p := &program{t: t, cmd: angelpost(args...), values: map[string]string{}, done: make(chan error, 1)}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stderr = writer(func(b []byte) (int, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.log.Write(b)
	})
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.cmd.Process.Kill()
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
			p.lines = append(p.lines, lines.Text())
			if lines.Text() == "ready" {
				ready <- true
				break
			}
			if name, value, ok := strings.Cut(lines.Text(), "="); ok {
				p.values[name] = value
			}
		}
		io.Copy(io.Discard, out)
		p.done <- p.cmd.Wait()
	}()
	select {
	case <-ready:
	case err := <-p.done:
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

// stop asks the program to end and expects exit code 0 within 5 s (web/API.md).
func (p *program) stop() {
	p.t.Helper()
	p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-p.done:
		if err != nil {
			p.t.Fatalf("stopped: %v", err)
		}
	case <-time.After(5 * time.Second):
		p.t.Fatal("it did not stop within 5 s of SIGTERM")
	}
}

// says waits for what the program writes to stderr.
func (p *program) says(pattern *regexp.Regexp) string {
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

// said is what the server has logged so far.
func (p *program) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// kill ends it as a power cut would.
func (p *program) kill() {
	p.cmd.Process.Kill()
	<-p.done
}

// output runs a subcommand to its end.
func output(t *testing.T, args ...string) (stdout string, code int) {
	t.Helper()
	cmd := angelpost(args...)
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	err := cmd.Run()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	if code = cmd.ProcessState.ExitCode(); code < 0 || code > 3 {
		t.Fatalf("angelpost %s: exit code %d\n%s", strings.Join(args, " "), code, talk.Bytes())
	}
	if code != exitYes || testing.Verbose() { // what went well would bury what did not
		t.Logf("angelpost %s: %d %s", strings.Join(args, " "), code, talk.Bytes())
	}
	return out.String(), code
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }
