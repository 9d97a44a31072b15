//go:build real

// Package litestream runs Litestream for tests. The program comes from the Go module proxy.
// Neither Angelpost nor its go.mod includes it.
package litestream

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Version is the release that Angelpost is tested with.
const Version = "v0.5.18"

// Program returns the path of the program, which it builds where the machine has none.
func Program(t testing.TB) string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var program = sync.OnceValues(func() (string, error) {
	return installed("litestream", "github.com/benbjohnson/litestream/cmd/litestream", Version)
})

// installed returns the path of a program of a Go module, which it builds where the machine has
// none.
func installed(name, module, version string) (string, error) {
	folder := filepath.Join(os.TempDir(), "angelpost-"+name+"-"+version)
	path := filepath.Join(folder, name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	// Test binaries run side by side: each builds for itself, and the name appears at once.
	own, err := os.MkdirTemp("", name)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(own)
	build := exec.Command("go", "install", module+"@"+version)
	build.Dir = own // outside of any module
	build.Env = append(os.Environ(), "GOBIN="+own, "GOFLAGS=-mod=mod")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", name, err, out)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	return path, os.Rename(filepath.Join(own, name), path)
}

// A Litestream copies one database.
type Litestream struct {
	Socket, Replica string // its control socket; where the copy goes, a folder or a URL

	program, config, database string
	cmd                       *exec.Cmd
}

// Start starts Litestream on a database, and waits for its socket. options are further
// lines of its configuration, own those of the database's entry.
func Start(t testing.TB, database, replica, options string, own ...string) *Litestream {
	t.Helper()
	dir, err := os.MkdirTemp("", "litestream") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	l := &Litestream{Socket: filepath.Join(dir, "socket"), Replica: replica, program: Program(t), config: filepath.Join(dir, "litestream.yml"), database: database}
	text := fmt.Sprintf("socket:\n  enabled: true\n  path: %s\n%sdbs:\n  - path: %s\n    replica:\n      url: %s\n", l.Socket, options, database, replica)
	for _, line := range own {
		text += "    " + line + "\n"
	}
	if err := os.WriteFile(l.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Kill(); os.RemoveAll(dir) })
	l.Begin(t)
	return l
}

// Begin starts it again after Kill.
func (l *Litestream) Begin(t testing.TB) {
	t.Helper()
	log, err := os.OpenFile(l.config+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	l.cmd = exec.Command(l.program, "replicate", "-config", l.config)
	l.cmd.Stdout, l.cmd.Stderr = log, log
	if err := l.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for over := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if c, err := net.Dial("unix", l.Socket); err == nil {
			c.Close()
			return
		}
		if time.Now().After(over) {
			t.Fatalf("litestream did not come up:\n%s", l.Log())
		}
	}
}

// Fill waits until the replica has the database as it is.
func (l *Litestream) Fill(t testing.TB) {
	t.Helper()
	if out, err := exec.Command(l.program, "sync", "-wait", "-timeout", "60", "-socket", l.Socket, l.database).CombinedOutput(); err != nil {
		t.Fatalf("litestream sync: %v\n%s\n%s", err, out, l.Log())
	}
}

// Kill ends it by SIGKILL.
func (l *Litestream) Kill() {
	if l.cmd != nil {
		_ = l.cmd.Process.Kill()
		_ = l.cmd.Wait()
		l.cmd = nil
	}
}

// Log is what it has said.
func (l *Litestream) Log() string {
	text, _ := os.ReadFile(l.config + ".log")
	return string(text)
}

// Restore makes a database of what the replica has.
func (l *Litestream) Restore(ctx context.Context, to string) error {
	out, err := exec.CommandContext(ctx, l.program, "restore", "-o", to, l.Replica).CombinedOutput()
	if err != nil {
		return fmt.Errorf("litestream restore: %w\n%s", err, out)
	}
	return nil
}

// Spoil damages each file of a replica in a folder.
func Spoil(t testing.TB, folder string) {
	t.Helper()
	spoilt := 0
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || len(text) < 200 {
			return err
		}
		spoilt++
		text[len(text)/2] ^= 0x55
		return os.WriteFile(path, text, 0o600)
	})
	if err != nil || spoilt == 0 {
		t.Fatalf("%d files spoilt: %v", spoilt, err)
	}
}
