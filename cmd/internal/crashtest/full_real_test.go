//go:build real

package crashtest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestDiskFull fills the disk under a running server and frees it again: the
// letters wait in the mailbox meanwhile, pages answer, the log stays short, and
// afterwards each letter is played and answered, within a minute and without
// being blamed.
func TestDiskFull(t *testing.T) {
	t.Parallel() // it waits more than it works
	disk := smallDisk(t)
	p := program.ServeOn(t, "answers_per_day = 1000", func(config string) {
		keepOn(t, config, disk)
		if out, code := program.Output(t, "new", "-config", config, "-started", "-organiser", "alpha@"+program.Domain, "-seed", strings.Repeat("5a", 32),
			"-player", "alpha@"+program.Domain, "-player", "beta@"+program.Domain); code != program.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	alpha, beta := mailclient.Stranger(t, p, "alpha"), mailclient.Stranger(t, p, "beta")
	mover, other := alpha, beta
	for _, x := range []*mailclient.Person{alpha, beta} {
		x.Until("the start", func(mailclient.Received) bool { return true })
	}
	if len(alpha.Last.Legal) == 0 {
		mover, other = beta, alpha
	}
	mover.Ask("status")
	before, start := mover.N, mover.Last
	page := strings.Replace(mailclient.PageIn(t, start), "http://127.0.0.1:1", p.Values["http"], 1)
	step := mailclient.Latest(t, page)

	fill := func() { fillDisk(t, disk) }
	fill()
	// What the database's log has room for may still be done: long letters end
	// that soon.
	var ids []string
	full := func() bool { return strings.Contains(p.Said(), "letters wait in the mailbox") }
	long := "status\r\n\r\n-- \r\n" + strings.Repeat(strings.Repeat("x", 70)+"\r\n", 3000)
	for n := 0; !full(); n++ {
		if n > 30 {
			t.Fatal("the disk does not become full")
		}
		ids = append(ids, other.Write(mailclient.Post{To: mailclient.AddressIn(t, other.Last), Body: long}))
		fill()
		time.Sleep(300 * time.Millisecond)
	}
	order := mover.Write(mailclient.Post{To: mailclient.AddressIn(t, start), Body: strings.Join(start.Example, "\r\n") + "\r\n"})
	ids = append(ids, other.Write(mailclient.Post{To: mailclient.AddressIn(t, other.Last), Body: "help\r\n"}))
	length := func() int { return strings.Count(p.Said(), "\n") }
	said := length()
	time.Sleep(15 * time.Second)
	if n := length() - said; n > 30 {
		t.Errorf("the log grew by %d lines in 15 s", n)
	}
	if now := mailclient.Latest(t, page); now != step {
		t.Errorf("with a full disk the game moved from %d to %d", step, now)
	}
	if n := inbox(t, p); n < 2 {
		t.Errorf("%d letters wait in the mailbox, want at least the last two", n)
	}

	leave(t, disk, -1)
	freed := time.Now()
	for inbox(t, p) > 0 {
		if time.Since(freed) > 70*time.Second {
			t.Fatal("a minute after the disk was free again, letters still wait")
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Logf("at work again after %v", time.Since(freed).Round(time.Second))
	mover.AnswerTo(order)
	for _, id := range ids {
		other.AnswerTo(id)
	}
	if now := mailclient.Latest(t, page); now <= step {
		t.Error("the order was not played")
	}
	mover.Ask("status")
	for _, x := range []*mailclient.Person{mover, other} {
		seen := map[string]bool{}
		for _, n := range x.Box {
			if to := n.Header.Get("In-Reply-To"); to != "" && n.Kind == "answer" {
				if seen[to] {
					t.Errorf("%s has two answers to %s", x.Address, to)
				}
				seen[to] = true
			}
		}
	}
	if before+2 != mover.N {
		t.Errorf("%d letters written by the mover", mover.N-before)
	}
	mailclient.Filed(t, p, mover.N+other.N)
	p.Stop()
	for _, bad := range []string{"set aside", "letter failed", "set back", "panic"} {
		if strings.Contains(p.Said(), bad) {
			t.Errorf("the log says %q", bad)
		}
	}
}

// smallDisk is a disk of 3 MB.
func smallDisk(t *testing.T) string {
	t.Helper()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=3m"); err != nil {
		t.Fatalf("a small disk needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return disk
}

// keepOn puts the database of a configuration on a disk.
func keepOn(t *testing.T, config, disk string) {
	t.Helper()
	text, err := os.ReadFile(config)
	if err == nil {
		text = bytes.Replace(text, []byte(`"games.db"`), fmt.Appendf(nil, "%q", filepath.Join(disk, "games.db")), 1)
		err = os.WriteFile(config, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// fillDisk fills what is left of a disk.
func fillDisk(t *testing.T, disk string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(disk, "filler"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 64 << 10; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
}

// leave gives so many octets of a full disk free, all below 0.
func leave(t *testing.T, disk string, n int64) {
	t.Helper()
	filler := filepath.Join(disk, "filler")
	i, err := os.Stat(filler)
	switch {
	case err != nil:
	case n < 0:
		err = os.Remove(filler)
	default:
		err = os.Truncate(filler, i.Size()-n)
	}
	if err != nil {
		t.Error(err)
	}
}

// TestDiskFullAtTheStart starts the server on a disk with little room or none,
// for the first time and again. It waits and logs that now and then, shuts down in
// order on a signal, and comes up when there is room, with nothing lost. With the
// most room that the test gives it comes up at once and waits later.
func TestDiskFullAtTheStart(t *testing.T) {
	for again, some := range map[bool][]int64{false: {0, 16 << 10, 200 << 10}, true: {0, 16 << 10, 40 << 10, 48 << 10}} {
		for _, left := range some {
			t.Run(fmt.Sprintf("again %v, %d KiB left", again, left>>10), func(t *testing.T) {
				t.Parallel()
				disk := smallDisk(t)
				var says bytes.Buffer
				game, freed := "", make(chan bool)
				p := program.ServeOn(t, "", func(config string) {
					keepOn(t, config, disk)
					if again {
						out, code := program.Output(t, "new", "-config", config, "-started", "-organiser", "alpha@"+program.Domain, "-seed", strings.Repeat("5a", 32),
							"-player", "alpha@"+program.Domain, "-player", "beta@"+program.Domain)
						if code != program.ExitYes {
							t.Fatalf("new: %d %s", code, out)
						}
						game = strings.TrimSpace(strings.TrimPrefix(out, "game="))
					}
					fillDisk(t, disk)
					leave(t, disk, left)
					waiting := program.Command("serve", "-config", config)
					waiting.Stderr = &says
					if err := waiting.Start(); err != nil {
						t.Fatal(err)
					}
					time.Sleep(3 * time.Second)
					if err := waiting.Process.Signal(syscall.SIGTERM); err != nil {
						t.Errorf("it did not wait: %v", err)
					}
					if err := waiting.Wait(); err != nil {
						t.Errorf("asked to end while it waits: %v", err)
					}
					go func() {
						defer close(freed)
						time.Sleep(5 * time.Second)
						leave(t, disk, -1)
					}()
				})
				<-freed
				waits := regexp.MustCompile("(the server cannot start yet|outbox: cannot write).*(disk is|no space|disk I/O)")
				for _, log := range []string{says.String(), p.Said()} {
					if n := len(waits.FindAllString(log, -1)); n < 1 || n > 8 {
						t.Errorf("while it waited it said:\n%s", log)
					}
				}
				alpha := mailclient.Stranger(t, p, "alpha")
				if again {
					alpha.Until("the start", func(mailclient.Received) bool { return true })
					if mailclient.Latest(t, p.Values["http"]+"/g/"+game) != 0 {
						t.Error("the game is not where it was")
					}
				}
				p.Stop()
			})
		}
	}
}

// inbox counts the letters that wait for the server.
func inbox(t *testing.T, p *program.Process) int {
	t.Helper()
	conn := mailclient.Login(t, p.Values["imap"], program.Account, program.Password)
	defer conn.Close()
	s, err := conn.Status("INBOX", &imap.StatusOptions{NumMessages: true}).Wait()
	if err != nil {
		t.Fatal(err)
	}
	return int(*s.NumMessages)
}
