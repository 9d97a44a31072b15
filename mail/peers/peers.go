//go:build real

package peers

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Domain is the mail domain of both servers, Password that of every user.
const (
	Domain   = "real.localhost"
	Password = "demo"
)

// folder makes a short-named folder that other users may enter.
func folder(t testing.TB, name string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Fatalf("%s needs root: it starts processes under several users", name)
	}
	dir, err := os.MkdirTemp("", name+"-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// write puts a file into a folder and returns its path.
func write(t testing.TB, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// subfolder makes a folder that belongs to a user and returns its path.
func subfolder(t testing.TB, dir, name, owner string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	uid, gid := ids(t, owner)
	if err := os.Chown(path, uid, gid); err != nil {
		t.Fatal(err)
	}
	return path
}

func ids(t testing.TB, name string) (uid, gid int) {
	t.Helper()
	u, err := user.Lookup(name)
	if err != nil {
		t.Fatalf("%v (is the Debian package installed?)", err)
	}
	uid, _ = strconv.Atoi(u.Uid)
	gid, _ = strconv.Atoi(u.Gid)
	return uid, gid
}

// given are the ports that port has handed out: it may draw one again before its server has
// taken it.
var given sync.Map

// port returns a port of 127.0.0.1 that was free a moment ago, for a server that cannot pick
// one and report it. It is below those that the system gives to connections, of which a busy
// machine makes many before the server has started.
func port(t testing.TB) string {
	t.Helper()
	for range 1000 {
		n := strconv.Itoa(10000 + rand.IntN(32768-10000))
		l, err := net.Listen("tcp", local(n))
		if err != nil { // taken
			continue
		}
		l.Close()
		if _, twice := given.LoadOrStore(n, true); !twice {
			return n
		}
	}
	t.Fatal("no port of a thousand is free")
	return ""
}

// Addr returns an address of 127.0.0.1 with a port that was free a moment ago.
func Addr(t testing.TB) string { return local(port(t)) }

const startTimeout = 20 * time.Second

// run starts a server in the foreground, waits until all addresses answer with
// a greeting, and stops it when the test ends; it stops as well when the test's
// process is killed.
func run(t testing.TB, log string, cmd *exec.Cmd, addrs ...string) {
	t.Helper()
	start(t, log, cmd, greets, addrs...)
}

// start is run with another sign that an address answers.
func start(t testing.TB, log string, cmd *exec.Cmd, answers func(addr string) bool, addrs ...string) {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	out := new(strings.Builder)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v (is the Debian package installed?)", err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
		}
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // its own group: all that is left
		if t.Failed() {
			raw, _ := os.ReadFile(log)
			t.Logf("%s said:\n%s\nand logged:\n%s", filepath.Base(cmd.Path), out, raw)
		}
	})
	deadline := time.Now().Add(startTimeout)
	for _, addr := range addrs {
		for !answers(addr) {
			select {
			case <-ended:
				raw, _ := os.ReadFile(log)
				t.Fatalf("%s ended at once:\n%s\n%s", cmd.Path, out, raw)
			case <-time.After(50 * time.Millisecond):
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s does not answer at %s", cmd.Path, addr)
			}
		}
	}
}

func greets(addr string) bool {
	conn, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return false
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(2 * time.Second))
	_, err = conn.Read(make([]byte, 1))
	return err == nil
}

// accepts is for servers that may not greet.
func accepts(addr string) bool {
	conn, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

func local(port string) string { return fmt.Sprintf("127.0.0.1:%s", port) }
