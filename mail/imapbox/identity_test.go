//go:build real

package imapbox_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angelpost/mail/imapbox"
	"angelpost/mail/peers"
)

// box is a mailbox on Dovecot with a watcher that can be stopped.
type box struct {
	t      *testing.T
	d      *peers.Dovecot
	user   string
	config imapbox.Config
	ledger ledger
	sent   map[string]string
	stop   func()
}

func newBox(t *testing.T, d *peers.Dovecot, user string) *box {
	return &box{t: t, d: d, user: user, sent: map[string]string{}, stop: func() {}, config: imapbox.Config{
		Addr: d.IMAPAddr, TLS: "none", User: user, PasswordFile: d.PasswordFile,
		Backoff: 5 * time.Millisecond, IdleFor: 300 * time.Millisecond, Retry: 100 * time.Millisecond, Command: 20 * time.Second,
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}}
}

func (b *box) watch() {
	ctx, cancel := context.WithCancel(b.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- imapbox.Run(ctx, b.config, b.ledger.handle) }()
	b.stop = func() {
		cancel()
		if err := <-ended; err != nil {
			b.t.Error(err)
		}
		b.stop = func() {}
	}
}

func (b *box) deliver(names ...string) {
	b.t.Helper()
	for _, name := range names {
		b.sent[name] = letter(name)
		// Dovecot may need a moment to set up a new mailbox.
		var err error
		for range 20 {
			if err = b.d.Deliver(b.user, letter(name)); err == nil {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
}

// whole checks that every letter was handled and none is left in INBOX. lost are letters that
// the test itself destroyed.
func (b *box) whole(lost ...string) {
	b.t.Helper()
	for _, name := range lost {
		delete(b.sent, name)
	}
	if lacking := b.ledger.until(b.sent, 30*time.Second); len(lacking) > 0 {
		b.t.Errorf("never handled: %q", lacking)
	}
	p := peer{config: b.config, password: peers.Password}
	p.expect(b.t, p.login(b.t), "INBOX")
}

// filed checks that the folder Done has these letters.
func (b *box) filed(names ...string) {
	b.t.Helper()
	p := peer{config: b.config, password: peers.Password}
	p.expect(b.t, p.login(b.t), "Angelpost/Done", names...)
}

// forget deletes Dovecot's list of UIDs: Dovecot then gives new UIDs under a new UIDVALIDITY.
func (b *box) forget() {
	b.t.Helper()
	files, err := filepath.Glob(filepath.Join(b.d.Maildir(b.user), "dovecot*"))
	if err != nil || len(files) == 0 {
		b.t.Fatalf("nothing to remove: %v", err)
	}
	for _, f := range files {
		if err := os.RemoveAll(f); err != nil {
			b.t.Fatal(err)
		}
	}
}

var uidline = regexp.MustCompile(`(?m)^(\d+) `)

// renumber gives every letter another UID under the same UIDVALIDITY, in reverse order.
func (b *box) renumber() {
	b.t.Helper()
	dir := b.d.Maildir(b.user)
	list := filepath.Join(dir, "dovecot-uidlist")
	text, err := os.ReadFile(list)
	if err != nil {
		b.t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	head, lines := lines[0], lines[1:]
	if len(lines) < 2 {
		b.t.Fatalf("%d letters to renumber", len(lines))
	}
	var uids []string
	for _, l := range lines {
		uids = append(uids, uidline.FindString(l))
	}
	for i, l := range lines {
		_, rest, _ := strings.Cut(l, " ")
		lines[i] = rest
	}
	out := head + "\n"
	for i := range lines {
		out += uids[i] + lines[len(lines)-1-i] + "\n"
	}
	indexes, _ := filepath.Glob(filepath.Join(dir, "dovecot.index*"))
	for _, f := range indexes {
		if err := os.Remove(f); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := os.WriteFile(list, []byte(out), 0o600); err != nil {
		b.t.Fatal(err)
	}
	chownLike(b.t, list, dir)
}

func chownLike(t *testing.T, path, like string) {
	t.Helper()
	if out, err := exec.Command("chown", "--reference="+like, path).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
}

// raze deletes the whole mailbox; Dovecot creates a new one at its next use.
func (b *box) raze() {
	b.t.Helper()
	if err := os.RemoveAll(b.d.Maildir(b.user)); err != nil {
		b.t.Fatal(err)
	}
}

// TestMailboxChangesIdentity: UIDs and UIDVALIDITY are only hints. Whatever happens to them,
// the watcher handles and files each letter that is there.
func TestMailboxChangesIdentity(t *testing.T) {
	cases := map[string]func(t *testing.T, b *box){
		"UIDVALIDITY reset while watched": func(t *testing.T, b *box) {
			b.watch()
			b.deliver("a", "b", "c")
			b.whole()
			b.forget()
			b.deliver("d", "e")
			b.whole()
			b.filed("a", "b", "c", "d", "e")
		},
		"UIDVALIDITY reset while down": func(t *testing.T, b *box) {
			b.watch()
			b.deliver("a", "b")
			b.whole()
			b.stop()
			b.deliver("c", "d")
			b.forget()
			b.deliver("e")
			b.watch()
			b.whole()
			b.filed("a", "b", "c", "d", "e")
		},
		"UIDVALIDITY reset under letters set back": func(t *testing.T, b *box) {
			var well atomic.Bool
			b.ledger.before = func(string) error {
				if well.Load() {
					return nil
				}
				return errors.New("not yet")
			}
			b.watch()
			b.deliver("a", "b", "c")
			time.Sleep(300 * time.Millisecond)
			b.forget()
			b.deliver("d")
			time.Sleep(300 * time.Millisecond)
			well.Store(true)
			b.whole()
			b.filed("a", "b", "c", "d")
		},
		"other UIDs under the same UIDVALIDITY while down": func(t *testing.T, b *box) {
			b.deliver("a", "b", "c", "d")
			b.look()
			b.renumber()
			b.watch()
			b.whole()
			b.filed("a", "b", "c", "d")
		},
		"other UIDs under the same UIDVALIDITY between handling and filing": func(t *testing.T, b *box) {
			b.between(func() {
				b.deliver("d", "e")
				b.look()
				b.renumber()
			})
			b.whole()
			b.filed("a", "b", "c", "d", "e")
		},
		"deleted and made anew while watched": func(t *testing.T, b *box) {
			b.watch()
			b.deliver("a", "b")
			b.whole()
			b.raze()
			b.deliver("c", "d")
			b.whole()
			b.deliver("e")
			b.whole()
			b.filed("c", "d", "e")
		},
		"deleted and made anew while down": func(t *testing.T, b *box) {
			b.watch()
			b.deliver("a", "b")
			b.whole()
			b.stop()
			b.deliver("gone")
			b.raze()
			b.deliver("c", "d")
			b.watch()
			b.whole("gone")
			b.filed("c", "d")
		},
		"deleted and made anew between handling and filing": func(t *testing.T, b *box) {
			b.between(func() {
				b.raze()
				b.deliver("d", "e", "f", "g") // they get the same UIDs
			})
			b.whole()
			b.filed("d", "e", "f", "g")
		},
		"filing folder removed": func(t *testing.T, b *box) {
			b.watch()
			b.deliver("a")
			b.whole()
			p := peer{config: b.config, password: peers.Password}
			if err := p.login(t).Delete("Angelpost/Done").Wait(); err != nil {
				t.Fatal(err)
			}
			b.deliver("b", "c")
			b.whole()
			b.filed("b", "c")
		},
		"filing folder renamed": func(t *testing.T, b *box) {
			b.watch()
			b.deliver("a")
			b.whole()
			p := peer{config: b.config, password: peers.Password}
			c := p.login(t)
			if err := c.Rename("Angelpost/Done", "Old letters", nil).Wait(); err != nil {
				t.Fatal(err)
			}
			b.deliver("b", "c")
			b.whole()
			b.filed("b", "c")
			p.expect(t, c, "Old letters", "a")
		},
	}
	var users []string
	for i := range len(cases) {
		users = append(users, fmt.Sprintf("box%d", i))
	}
	d := peers.StartDovecot(t, "/", users...)
	i := 0
	for name, f := range cases {
		user := users[i]
		i++
		t.Run(name, func(t *testing.T) {
			b := newBox(t, d, user)
			f(t, b)
			b.stop()
		})
	}
}

// look makes Dovecot assign UIDs to new letters.
func (b *box) look() {
	b.t.Helper()
	p := peer{config: b.config, password: peers.Password}
	p.look(b.t, p.login(b.t), "INBOX")
}

// between calls f when the watcher has handled a, b and c but not yet filed them.
func (b *box) between(f func()) {
	b.t.Helper()
	handled, goOn := make(chan bool), make(chan bool)
	n := 0
	b.ledger.before = func(string) error {
		if n++; n == 3 {
			close(handled)
			<-goOn
		}
		return nil
	}
	b.deliver("a", "b", "c")
	b.watch()
	<-handled
	time.Sleep(1100 * time.Millisecond) // UIDs are trusted for a second
	f()
	close(goOn)
}
