package pair

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"angelpost/cmd/internal/program"
)

// TestWaitingMachineIsAlive: while a machine waits for its mailbox, it tells systemd that it
// is ready and alive. Otherwise systemd would end its unit, which has Type=notify and a
// watchdog.
func TestWaitingMachineIsAlive(t *testing.T) {
	for _, command := range []string{"standby", "pages"} {
		t.Run(command, func(t *testing.T) { waitsAlive(t, command) })
	}
}

// TestPagesHang: pages whose main loop has made no progress for too long count as hanging.
func TestPagesHang(t *testing.T) {
	r := new(round)
	if r.came(); r.hangs() != nil {
		t.Error("they came round just now")
	}
	r.last.Store(time.Now().Add(-roundPatience - time.Second).UnixNano())
	if r.hangs() == nil {
		t.Error("they have not come round for too long")
	}
}

func waitsAlive(t *testing.T, command string) {
	dir, err := os.MkdirTemp("", "s") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Net: "unixgram", Name: filepath.Join(dir, "notify")})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	config := filepath.Join(dir, "angelpost.toml")
	text := fmt.Sprintf(`address = "angelpost+{token}@example.org"
database = "games.db"
[imap]
addr = "127.0.0.1:1"
user = "angelpost"
password_file = "password"
tls = "none"
[smtp]
addr = "127.0.0.1:1"
tls = "none"
[http]
addr = "127.0.0.1:0"
base_url = "http://127.0.0.1:1"
[replica]
litestream = "litestream"
url = "file://%s/copies"
`, dir)
	for name, s := range map[string]string{"angelpost.toml": text, "password": "secret\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := program.Command(command, "-config", config)
	cmd.Env = append(cmd.Env, "NOTIFY_SOCKET="+l.LocalAddr().String(), "WATCHDOG_USEC=300000")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	var heard []string
	l.SetReadDeadline(time.Now().Add(time.Minute))
	for b := make([]byte, 100); len(heard) < 5; {
		n, err := l.Read(b)
		if err != nil {
			t.Fatalf("%v, after %q", err, heard)
		}
		heard = append(heard, string(b[:n]))
	}
	if want := []string{"READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"}; !slices.Equal(heard, want) {
		t.Errorf("%q", heard)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Errorf("stopped: %v", err)
	}
}
