//go:build real

package peers

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A Server is another mail server than Dovecot with Postfix: where letters for Domain go, and
// where they are read.
type Server struct {
	IMAPAddr     string // in the clear
	SMTPAddr     string // in the clear, without AUTH
	PasswordFile string // of every user
	// Login is the name with which a user logs in, whose local part is name.
	Login func(name string) string
}

// byName is the Login of servers that take the local part.
func byName(name string) string { return name }

// unpacked returns the folder into which .ci/servers has unpacked Debian's packages.
func unpacked(t testing.TB) string {
	t.Helper()
	root := filepath.Join(os.TempDir(), "angelpost-servers")
	if _, err := os.Stat(filepath.Join(root, "complete")); err != nil {
		t.Fatalf("%v (run .ci/servers)", err)
	}
	return root
}

// command is a program below the folder of unpacked packages, with its libraries.
func command(t testing.TB, path string, args ...string) *exec.Cmd {
	t.Helper()
	root := unpacked(t)
	cmd := exec.Command(filepath.Join(root, path), args...)
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+strings.Join([]string{
		filepath.Join(root, "lib/x86_64-linux-gnu"), filepath.Join(root, "usr/lib/x86_64-linux-gnu"), filepath.Join(root, "usr/lib"),
	}, ":"))
	return cmd
}
