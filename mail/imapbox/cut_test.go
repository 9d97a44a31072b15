//go:build real

package imapbox_test

import (
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"angelpost/mail/peers"
)

var cutStep = flag.Int64("cut.step", 64, "TestCutAnywhere cuts the connection at every so many octets, from a random one on")

const cutLetters = 20

// fill makes a new mailbox with cutLetters letters, while no watcher uses it.
func (b *box) fill() {
	b.t.Helper()
	dir := b.d.Maildir(b.user)
	// Dovecot may still be writing to the old one, so rename it.
	if err := os.Rename(dir, fmt.Sprintf("%s.%d", dir, time.Now().UnixNano())); err != nil && !os.IsNotExist(err) {
		b.t.Fatal(err)
	}
	for _, sub := range []string{"tmp", "cur", "new"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			b.t.Fatal(err)
		}
	}
	b.sent = map[string]string{}
	for i := range cutLetters {
		name := fmt.Sprintf("nr%02d", i)
		text := strings.Replace(letter(name), "This is", strings.Repeat("Some words before. ", 5+i)+"\r\nThis is", 1)
		b.sent[name] = text
		if err := os.WriteFile(filepath.Join(dir, "new", fmt.Sprintf("%d.%d.test", time.Now().UnixNano(), i)), []byte(text), 0o600); err != nil {
			b.t.Fatal(err)
		}
	}
	if out, err := exec.Command("chown", "-R", "--reference="+filepath.Dir(filepath.Dir(dir)), filepath.Dir(dir)).CombinedOutput(); err != nil {
		b.t.Fatalf("%v %s", err, out)
	}
}

// in returns the texts of the letters in a folder, read from the disk.
func (b *box) in(folder string) (texts []string) {
	seen := map[string]bool{} // Dovecot may be moving a letter from new to cur, so skip one seen before
	for _, sub := range []string{"new", "cur"} {
		files, _ := filepath.Glob(filepath.Join(b.d.Maildir(b.user), folder, sub, "*"))
		for _, f := range files {
			name, _, _ := strings.Cut(filepath.Base(f), ":")
			text, err := os.ReadFile(f)
			if err != nil || seen[name] {
				continue
			}
			seen[name] = true
			texts = append(texts, string(text))
		}
	}
	return texts
}

// session runs the watcher through a proxy until all letters are filed, and returns the
// proxy.
func (b *box) session(what string, next func(n int64) peers.Fault) *peers.Proxy {
	b.t.Helper()
	b.fill()
	b.ledger = ledger{}
	p := peers.StartProxy(b.t, b.d.IMAPAddr, next)
	defer p.CutAll()
	b.config.Addr = p.Addr
	b.watch()
	defer func() { b.stop() }()
	for deadline := time.Now().Add(30 * time.Second); len(b.in("")) > 0 || len(b.in(".Angelpost.Done")) < cutLetters; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Errorf("%s: %d letters left, %d filed", what, len(b.in("")), len(b.in(".Angelpost.Done")))
			break
		}
	}
	if lacking := b.ledger.lacks(b.sent); len(lacking) > 0 {
		b.t.Errorf("%s: never handled: %q", what, lacking)
	}
	filed := map[string]int{}
	for _, text := range b.in(".Angelpost.Done") {
		filed[text]++
	}
	for name, text := range b.sent {
		// A letter may be filed twice: when the second move came, the server was still at
		// work on the first, whose connection was cut.
		if n := filed[text]; n != 1 && n != 2 {
			b.t.Errorf("%s: %s was filed %d times", what, name, n)
		}
	}
	if different, _ := b.ledger.count(); different != cutLetters {
		b.t.Errorf("%s: %d different letters were handled", what, different)
	}
	return p
}

// TestCutAnywhere cuts the connection at every n-th byte of a session of 20 letters, in both
// directions. The watcher handles and files all letters.
func TestCutAnywhere(t *testing.T) {
	const workers = 4
	var users []string
	for i := range workers {
		users = append(users, fmt.Sprintf("box%d", i))
	}
	d := peers.StartDovecot(t, "/", users...)
	whole := quick(t, d, users[0]).session("no fault", func(int64) peers.Fault { return peers.Fault{} })
	down, up := whole.Down.Load(), whole.Up.Load()
	if down < 8000 || up < 200 {
		t.Fatalf("a session of %d letters took %d octets down and %d up", cutLetters, down, up)
	}
	var faults []peers.Fault
	step := *cutStep
	for at := 1 + rand.Int64N(step); at < down; at += step {
		faults = append(faults, peers.Fault{Down: at})
	}
	for at := 1 + rand.Int64N(min(step, 16)); at < up; at += min(step, 16) {
		faults = append(faults, peers.Fault{Up: at})
	}
	for i := range faults {
		faults[i].Reset = i%2 == 0
	}
	for range 10 { // sessions with four cuts in a row
		faults = append(faults, peers.Fault{Down: -1})
	}
	var mu sync.Mutex
	connections, again := int64(0), 0
	t.Run("cuts", func(t *testing.T) { // returns when all its parallel subtests have ended
		for i, user := range users {
			t.Run(user, func(t *testing.T) {
				t.Parallel()
				b := quick(t, d, user)
				for j := i; j < len(faults); j += workers {
					f := faults[j]
					p := b.session(fmt.Sprintf("cut after %d down, %d up", f.Down, f.Up), func(n int64) peers.Fault {
						switch {
						case f.Down < 0 && n <= 4:
							return peers.Fault{Down: 1 + rand.Int64N(down)}
						case n == 1 && f.Down >= 0:
							return f
						}
						return peers.Fault{}
					})
					_, all := b.ledger.count()
					mu.Lock()
					connections += p.Opened.Load()
					again += all - cutLetters
					mu.Unlock()
					if n := p.Opened.Load(); n > 8 {
						t.Errorf("%+v: %d connections", f, n)
					}
				}
			})
		}
	})
	// A session may be some 600 bytes shorter than the measured one, because it idles less.
	if connections < int64(2*len(faults))-20-600/step {
		t.Errorf("%d connections for %d cuts: some did not happen", connections, len(faults))
	}
	t.Logf("session of %d octets down, %d up: %d cuts, %d connections, %d letters handled again", down, up, len(faults), connections, again)
}

// quick returns a box with short waits.
func quick(t *testing.T, d *peers.Dovecot, user string) *box {
	b := newBox(t, d, user)
	b.config.Backoff, b.config.Retry, b.config.IdleFor = time.Millisecond, 10*time.Millisecond, 200*time.Millisecond
	b.config.Log = slog.New(slog.DiscardHandler)
	return b
}

// TestHalfOpen makes the server fall silent and leaves the connection open: the watchdog ends
// each command.
func TestHalfOpen(t *testing.T) {
	d := peers.StartDovecot(t, "/", "box")
	b := quick(t, d, "box")
	b.config.Command = time.Second
	whole := b.session("no fault", func(int64) peers.Fault { return peers.Fault{} })
	for _, at := range []int64{1, 150, 600, whole.Down.Load() / 3, whole.Down.Load() / 2, whole.Down.Load() * 9 / 10} {
		p := b.session(fmt.Sprintf("half open after %d", at), func(n int64) peers.Fault {
			if n == 1 {
				return peers.Fault{Down: at, Silent: true}
			}
			return peers.Fault{}
		})
		if n := p.Opened.Load(); n < 2 || n > 10 {
			t.Errorf("half open after %d octets: %d connections", at, n)
		}
	}
}
