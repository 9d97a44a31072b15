//go:build real

package crashtest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/mail/peers"
)

// A stutterer is a relay that delivers each letter one to five times,
// with Received lines and sometimes a Message-ID of its own; some copies it
// keeps until it is told.
type stutterer struct {
	t      *testing.T
	d      *peers.Dovecot
	mu     sync.Mutex
	r      *rand.Rand
	late   []string
	copies int
}

var messageIDLine = regexp.MustCompile(`(?m)^Message-ID: <`)

func (s *stutterer) letter(_, to string, raw []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	user, _, _ := strings.Cut(to, "@")
	for i := range 1 + s.r.IntN(5) {
		c := string(raw)
		if i > 0 && s.r.IntN(4) == 0 {
			c = messageIDLine.ReplaceAllString(c, fmt.Sprintf("Message-ID: <moved%d.", i))
		}
		for range s.r.IntN(3) {
			c = fmt.Sprintf("Received: from relay%d.test by mx.test with ESMTP id %x; %s\r\n", s.r.IntN(9), s.r.Uint64(), time.Now().Format(time.RFC1123Z)) + c
		}
		s.copies++
		if i > 0 && s.r.IntN(2) == 0 {
			s.late = append(s.late, user+"\n"+c)
		} else if err := s.d.Deliver(user, c); err != nil {
			return err
		}
	}
	s.some(s.r.IntN(3))
	return nil
}

// some delivers n of the copies kept back.
func (s *stutterer) some(n int) {
	for ; n > 0 && len(s.late) > 0; n-- {
		i := s.r.IntN(len(s.late))
		user, text, _ := strings.Cut(s.late[i], "\n")
		s.late = slices.Delete(s.late, i, i+1)
		if err := s.d.Deliver(user, text); err != nil {
			s.t.Error(err)
		}
	}
}

// told reports whether all that was sent stands in the public's log, in order,
// where the number of a card may be its colour.
func told(sent, lines []string) bool {
	number := regexp.MustCompile(`\b[0-9]{3}\b`)
	for _, line := range lines {
		if len(sent) > 0 && regexp.MustCompile("^"+number.ReplaceAllString(regexp.QuoteMeta(sent[0]), "[0-9a-z]+")+"$").MatchString(line) {
			sent = sent[1:]
		}
	}
	return len(sent) == 0
}

// TestCutAndCopied plays a game with a server whose IMAP connection is cut again
// and again, while each letter reaches Dovecot one to five times: the log has
// exactly what the players sent, each letter has one answer and one repeat of it
// at most, and nothing is left in the mailbox.
func TestCutAndCopied(t *testing.T) {
	t.Parallel() // it waits more than it works
	const orders, cuts = 40, 12
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	d := peers.StartDovecot(t, "/", mailclient.ServerUser, "ann", "bob")
	x := peers.StartPostfix(t, d)
	var faults []peers.Fault
	for range cuts {
		faults = append(faults, peers.Fault{Down: 300 + r.Int64N(12_000)})
	}
	proxy := peers.StartProxy(t, d.IMAPAddr, func(n int64) peers.Fault {
		if n > cuts {
			return peers.Fault{}
		}
		return faults[n-1]
	})
	config := mailclient.WritePlace(t, d, x)
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(strings.Replace(string(text), d.IMAPSAddr, proxy.Addr, 1), `tls = "tls"`, `tls = "none"`, 1)
	if err := os.WriteFile(config, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &stutterer{t: t, d: d, r: r}
	addr := mailclient.Relay(t, s.letter)

	var all []*survivor
	args := []string{"new", "-config", config, "-started", "-seed", strings.Repeat("2b", 32)}
	for i, user := range []string{"ann", "bob"} {
		c := &mailclient.Client{T: t, IMAP: d.IMAPAddr, SMTP: addr, User: user, Pass: peers.Password, Address: user + "@" + peers.Domain, Pick: r.IntN}
		all = append(all, &survivor{Client: c, seat: i + 1, known: map[string]bool{}, sent: map[string]string{}})
		args = append(args, "-player", c.Address)
	}
	out, code := program.Output(t, append(args, "-organiser", all[0].Address)...)
	if code != program.ExitYes {
		t.Fatalf("new: %d %q", code, out)
	}
	game := strings.TrimSpace(strings.TrimPrefix(out, "game="))
	p := program.Start(t, "serve", "-config", config)

	deadline := time.Now().Add(5 * time.Minute)
	for waiting := true; waiting; time.Sleep(20 * time.Millisecond) {
		sent, done := 0, 0
		for _, c := range all {
			if len(all[0].queue)+len(all[1].queue) >= orders {
				c.silent = true
			}
			c.turn()
			sent, done = sent+len(c.queue), done+len(c.done)
		}
		waiting = sent < orders || done < sent
		if time.Now().After(deadline) {
			t.Fatalf("%d orders sent, %d answered; %d connections", sent, done, proxy.Opened.Load())
		}
	}
	// The rest comes when all is over.
	s.mu.Lock()
	s.some(len(s.late))
	s.mu.Unlock()
	for ; ; time.Sleep(50 * time.Millisecond) {
		left := 0
		for _, sub := range []string{"new", "cur"} {
			files, err := filepath.Glob(filepath.Join(d.Maildir(mailclient.ServerUser), sub, "*"))
			if err != nil {
				t.Fatal(err)
			}
			left += len(files)
		}
		if left == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d letters are left in the mailbox", left)
		}
	}
	if proxy.Opened.Load() <= cuts {
		t.Errorf("%d connections: the cuts did not happen", proxy.Opened.Load())
	}
	time.Sleep(2 * time.Second) // for repeats on their way
	answers := map[string]map[string]int{}
	for _, c := range all {
		c.Seen = 0
		for _, n := range c.Fetch() {
			if to := n.Header.Get("In-Reply-To"); to != "" && n.Kind == "answer" {
				if answers[to] == nil {
					answers[to] = map[string]int{}
				}
				answers[to][n.Header.Get("Message-Id")]++
			}
		}
	}
	repeats := 0
	for to, ids := range answers {
		for _, n := range ids {
			if len(ids) > 1 || n > 2 {
				t.Errorf("%s was answered by %v", to, ids)
			}
			repeats += n - 1
		}
	}
	record, code := program.Output(t, "export", "-config", config, game)
	if code != program.ExitYes {
		t.Fatalf("export: exit %d", code)
	}
	var rec struct {
		Log []struct {
			Seat      int
			By, Order string
		}
	}
	if err := json.Unmarshal([]byte(record), &rec); err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		var lines, sent []string
		for _, l := range rec.Log {
			if l.Seat == c.seat {
				lines = append(lines, l.Order)
			}
		}
		for _, id := range c.queue {
			sent = append(sent, c.sent[id])
		}
		if len(lines) != len(sent)+c.forced || !told(sent, lines) || !slices.Equal(sent, c.done) {
			t.Errorf("%s: %d lines in the log, %d orders sent, %d answered as applied, %d steps the only possible ones:\n%q\n%q",
				c.Address, len(lines), len(sent), len(c.done), c.forced, sent, lines)
		}
	}
	t.Logf("%d copies of %d letters, %d repeats, %d connections", s.copies, orders, repeats, proxy.Opened.Load())
	p.Stop()
}
