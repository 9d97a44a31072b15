//go:build real

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
)

// TestDiskFull fills the disk under a running server and frees it again: the
// letters wait in the mailbox meanwhile, pages answer, the log stays short, and
// afterwards each letter is played and answered, within a minute and without
// being blamed.
func TestDiskFull(t *testing.T) {
	t.Parallel() // it waits more than it works
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=3m"); err != nil {
		t.Fatalf("a small disk needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	p := serveOn(t, "answers_per_day = 1000", func(config string) {
		text, err := os.ReadFile(config)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.Replace(text, []byte(`"games.db"`), fmt.Appendf(nil, "%q", filepath.Join(disk, "games.db")), 1)
		if err := os.WriteFile(config, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, code := output(t, "new", "-config", config, "-started", "-organiser", "alpha@"+demoDomain, "-seed", strings.Repeat("5a", 32),
			"-player", "alpha@"+demoDomain, "-player", "beta@"+demoDomain); code != exitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	alpha, beta := stranger(t, p, "alpha"), stranger(t, p, "beta")
	mover, other := alpha, beta
	for _, x := range []*person{alpha, beta} {
		x.until("the start", func(notice) bool { return true })
	}
	if len(alpha.last.legal) == 0 {
		mover, other = beta, alpha
	}
	mover.ask("status")
	before, start := mover.n, mover.last
	page := strings.Replace(pageIn(t, start), "http://127.0.0.1:1", p.values["http"], 1)
	step := latest(t, page)

	filler := filepath.Join(disk, "filler")
	fill := func() {
		f, err := os.OpenFile(filler, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
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
	fill()
	// What the database's log has room for may still be done: long letters end
	// that soon.
	var ids []string
	full := func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return bytes.Contains(p.log.Bytes(), []byte("letters wait in the mailbox"))
	}
	long := "status\r\n\r\n-- \r\n" + strings.Repeat(strings.Repeat("x", 70)+"\r\n", 3000)
	for n := 0; !full(); n++ {
		if n > 30 {
			t.Fatal("the disk does not become full")
		}
		ids = append(ids, other.write(post{to: address(t, other.last), body: long}))
		fill()
		time.Sleep(300 * time.Millisecond)
	}
	order := mover.write(post{to: address(t, start), body: strings.Join(start.example, "\r\n") + "\r\n"})
	ids = append(ids, other.write(post{to: address(t, other.last), body: "help\r\n"}))
	length := func() int {
		p.mu.Lock()
		defer p.mu.Unlock()
		return bytes.Count(p.log.Bytes(), []byte("\n"))
	}
	said := length()
	time.Sleep(15 * time.Second)
	if n := length() - said; n > 30 {
		t.Errorf("the log grew by %d lines in 15 s", n)
	}
	if now := latest(t, page); now != step {
		t.Errorf("with a full disk the game moved from %d to %d", step, now)
	}
	if n := inbox(t, p); n < 2 {
		t.Errorf("%d letters wait in the mailbox, want at least the last two", n)
	}

	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	freed := time.Now()
	for inbox(t, p) > 0 {
		if time.Since(freed) > 70*time.Second {
			t.Fatal("a minute after the disk was free again, letters still wait")
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Logf("at work again after %v", time.Since(freed).Round(time.Second))
	mover.answerTo(order)
	for _, id := range ids {
		other.answerTo(id)
	}
	if now := latest(t, page); now <= step {
		t.Error("the order was not played")
	}
	mover.ask("status")
	for _, x := range []*person{mover, other} {
		seen := map[string]bool{}
		for _, n := range x.box {
			if to := n.header.Get("In-Reply-To"); to != "" && n.kind == "answer" {
				if seen[to] {
					t.Errorf("%s has two answers to %s", x.address, to)
				}
				seen[to] = true
			}
		}
	}
	if before+2 != mover.n {
		t.Errorf("%d letters written by the mover", mover.n-before)
	}
	filed(t, p, mover.n+other.n)
	p.stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, bad := range []string{"set aside", "letter failed", "set back", "panic"} {
		if bytes.Contains(p.log.Bytes(), []byte(bad)) {
			t.Errorf("the log says %q", bad)
		}
	}
}

// inbox counts the letters that wait for the server.
func inbox(t *testing.T, p *program) int {
	t.Helper()
	conn := login(t, p.values["imap"], demoServer, demoPassword)
	defer conn.Close()
	s, err := conn.Status("INBOX", &imap.StatusOptions{NumMessages: true}).Wait()
	if err != nil {
		t.Fatal(err)
	}
	return int(*s.NumMessages)
}
