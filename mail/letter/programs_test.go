//go:build real && clients

package letter

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"angelpost/engine/incoming"
)

// Real mail programs answer the notice as people do, in two languages, with a signature. What
// they hand to their SMTP server is kept in testdata/real, for TestRealReplies, and read. They
// run on a screen of their own; `make test-clients` names what Debian has to have installed.

// A mailProgram has the notice in its inbox.
type mailProgram interface {
	// answer writes an answer and sends it.
	answer(t *testing.T, s style)
}

const signature = "Anna Berg\nHarbour Street 12, Kiel"

func TestMailPrograms(t *testing.T) {
	display := screen(t)
	for _, p := range []struct {
		name  string
		start func(t *testing.T, e env) mailProgram
	}{
		{"thunderbird", startThunderbird},
		{"claws", startClaws},
		{"roundcube", startRoundcube},
	} {
		for _, tongue := range programTongues {
			t.Run(p.name+"/"+tongue.name, func(t *testing.T) {
				out := newOutgoing(t)
				home := t.TempDir()
				put(t, home, "locale/made", "")
				if said, err := exec.Command("localedef", "-i", tongue.locale, "-f", "UTF-8", filepath.Join(home, "locale", tongue.locale+".UTF-8")).CombinedOutput(); err != nil {
					t.Logf("localedef: %v %s", err, said) // it warns of much
				}
				prog := p.start(t, env{home: home, display: display, locale: tongue.locale + ".UTF-8", tongue: tongue.name, smtp: out.addr})
				for _, s := range answerStyles {
					prog.answer(t, s)
					raw := out.next(t)
					file := filepath.Join("testdata/real", p.name+"-"+tongue.name+"-"+s.name+".eml")
					if err := os.WriteFile(file, raw, 0o644); err != nil {
						t.Fatal(err)
					}
					l := Read(raw, testOptions(t))
					if l.Kind != incoming.Orders || !reflect.DeepEqual(l.Orders, s.orders) {
						t.Errorf("%s: %s %q, want %q:\n%s", file, l.Kind, l.Orders, s.orders, raw)
					}
				}
			})
		}
	}
}

// env is where a program runs.
type env struct {
	home, display, locale, tongue, smtp string
}

// run starts a command there that ends with the test.
func (e env) run(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = e.home
	cmd.Env = append(os.Environ(), "HOME="+e.home, "DISPLAY="+e.display, "LOCPATH="+filepath.Join(e.home, "locale"), "LC_ALL="+e.locale, "LANG="+e.locale, "TZ=UTC", "MOZ_ENABLE_WAYLAND=0", "NO_AT_BRIDGE=1")
	log, err := os.Create(filepath.Join(e.home, filepath.Base(name)+".log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v (is the Debian package installed?)", err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			said, _ := os.ReadFile(log.Name())
			t.Logf("%s said: %.3000s", name, said)
		}
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
		log.Close()
	})
}

// screen starts a display without a screen, and a window manager on it.
func screen(t *testing.T) (display string) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x1000x24", "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{w}
	x.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := x.Start(); err != nil {
		t.Fatalf("%v (is the Debian package installed?)", err)
	}
	t.Cleanup(func() { x.Process.Kill(); x.Wait() })
	w.Close()
	var n int
	if _, err := fmt.Fscan(r, &n); err != nil {
		t.Fatal(err)
	}
	display = fmt.Sprintf(":%d", n)
	until(t, "the display is there", func() bool {
		return exec.Command("env", "DISPLAY="+display, "xdotool", "getdisplaygeometry").Run() == nil
	})
	env{home: t.TempDir(), display: display, locale: "C.UTF-8"}.run(t, "openbox")
	return display
}

// outgoing is an SMTP server that keeps what it is sent.
type outgoing struct {
	addr    string
	letters chan []byte
}

func newOutgoing(t *testing.T) *outgoing {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := &outgoing{l.Addr().String(), make(chan []byte, 10)}
	s := smtp.NewServer(o)
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return o
}

func (o *outgoing) NewSession(*smtp.Conn) (smtp.Session, error) { return taking{o}, nil }

// next is the letter that comes next.
func (o *outgoing) next(t *testing.T) []byte {
	t.Helper()
	select {
	case raw := <-o.letters:
		return raw
	case <-time.After(2 * time.Minute):
		t.Fatal("no letter was sent")
		return nil
	}
}

type taking struct{ o *outgoing }

func (taking) Mail(string, *smtp.MailOptions) error { return nil }
func (taking) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (taking) Reset()                               {}
func (taking) Logout() error                        { return nil }
func (x taking) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	x.o.letters <- raw
	return err
}

// put writes a file below a folder.
func put(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// until waits for something for two minutes.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for begin := time.Now(); !holds(); time.Sleep(100 * time.Millisecond) {
		if time.Since(begin) > 2*time.Minute {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}
