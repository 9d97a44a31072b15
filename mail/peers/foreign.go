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

// unshared is the start of a script for sh, for a server that finds its parts at fixed places: in a
// mount namespace of its own each place holds what is unpacked and what own has, besides what the
// machine has there. dir is the server's folder.
func unshared(t testing.TB, dir string, own map[string]string, places ...string) (script string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	host := filepath.Join(dir, "host")
	must(os.MkdirAll(host, 0o755))
	script = "set -e; mount --bind / " + host + "\n"
	for _, place := range places {
		merged := filepath.Join(dir, "places", place)
		must(os.MkdirAll(merged, 0o755))
		for _, from := range []struct{ look, link string }{{place, filepath.Join(host, place)}, {filepath.Join(unpacked(t), place), filepath.Join(unpacked(t), place)}} {
			entries, err := os.ReadDir(from.look)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			for _, e := range entries {
				at := filepath.Join(merged, e.Name())
				if _, err := os.Lstat(at); err == nil {
					continue // the machine's own counts
				}
				must(os.Symlink(filepath.Join(from.link, e.Name()), at))
			}
		}
		for name, path := range own {
			if filepath.Dir(name) == place {
				at := filepath.Join(dir, "places", name)
				os.Remove(at)
				must(os.Symlink(path, at))
			}
		}
		script += "mount --bind " + merged + " " + place + "\n"
	}
	return script
}

// inShell is a command for sh, in namespaces of its own for mounts and processes: these end with it.
func inShell(t testing.TB, script string) *exec.Cmd {
	cmd := command(t, "")
	cmd.Path, cmd.Args = "/usr/bin/unshare", []string{"unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script}
	return cmd
}
