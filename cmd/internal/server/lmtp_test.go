//go:build real

package server

import (
	"bytes"
	"fmt"
	"net"
	"net/mail"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-smtp"

	"angelpost/mail/peers"
)

// startLMTPPlace is a place whose Postfix hands the server's letters to it by
// LMTP, with a game that Ann and Bob have begun. The server is not started.
func startLMTPPlace(t *testing.T) (p *place, addr, game string, players []*client) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") // Postfix must know the address first
	if err != nil {
		t.Fatal(err)
	}
	addr = l.Addr().String()
	l.Close()
	d := peers.StartDovecot(t, "/", serverUser, player(0, 1), player(0, 2))
	x := peers.StartPostfixWith(t, d, fmt.Sprintf("transport_maps = inline:{ {%s@%s = lmtp:inet:%s} }", serverUser, peers.Domain, addr))
	p = &place{dovecot: d, postfix: x, config: writePlace(t, d, x)}
	f, err := os.OpenFile(p.config, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(f, "\n[lmtp]\naddr = %q\n", addr)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	players = p.clients(t, 0, 2)
	out, code := output(t, "new", "-config", p.config, "-started", "-seed", strings.Repeat("5a", 32),
		"-player", players[0].address, "-player", players[1].address)
	if code != exitYes {
		t.Fatalf("new: %d %s", code, out)
	}
	return p, addr, strings.TrimSpace(strings.TrimPrefix(out, "game=")), players
}

// mover waits for the players' letters at the start and returns the
// client who must decide, with their letter.
func mover(t *testing.T, players []*client) (*client, received) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		for _, c := range players {
			for _, n := range c.fetch() {
				if len(n.legal) > 0 {
					return c, n
				}
			}
		}
	}
	t.Fatal("nobody is asked to decide")
	return nil, received{}
}

// next waits for a player's next letter.
func (c *client) next() received {
	c.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if got := c.fetch(); len(got) > 0 {
			return got[len(got)-1]
		}
	}
	c.t.Fatalf("%s: no letter", c.address)
	return received{}
}

// logged is the log of a stored game, a line each.
func (p *place) logged(t *testing.T) []string {
	t.Helper()
	store := ledger(t, p.database())
	defer store.Close()
	return column(t, store, "SELECT line FROM log ORDER BY game, n")
}

func (p *place) database() string {
	return strings.TrimSuffix(p.config, "angelpost.toml") + "games.toml"
}

// TestLMTP has Postfix deliver to the server directly: letters never see the
// mailbox, doctor finds the way open, and a copy that comes by both ways at
// once is applied once.
func TestLMTP(t *testing.T) {
	p, addr, _, players := startLMTPPlace(t)
	p.program = start(t, "serve", "-config", p.config)
	if p.values["lmtp"] != addr {
		t.Errorf("serve says lmtp=%s, want %s", p.values["lmtp"], addr)
	}
	c, n := mover(t, players)
	c.reply(n, n.legal[0]+"\r\n")
	n = c.next()
	if n.result != "applied" || len(p.logged(t)) != 1 {
		t.Fatalf("%s, log %q\n%s", n.result, p.logged(t), n.text)
	}

	// By both ways at once, and in the daemon's own measure how long it takes.
	box := login(t, p.dovecot.IMAPAddr, serverUser, peers.Password)
	defer box.Close()
	if box, err := box.Select("INBOX", nil).Wait(); err != nil || box.NumMessages != 0 {
		t.Errorf("letters came into the mailbox: %+v %v", box, err)
	}
	to, err := mail.ParseAddress(n.header.Get("Reply-To"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		var raw bytes.Buffer
		fmt.Fprintf(&raw, "From: %s\r\nTo: %s\r\nDate: %s\r\nMessage-ID: <both%d@example.org>\r\nSubject: Re: turn\r\n\r\npreview %d\r\nundo\r\n",
			c.address, to.Address, time.Now().Format(time.RFC1123Z), i, i)
		cmd := box.Append("INBOX", int64(raw.Len()), &imap.AppendOptions{})
		if _, err := cmd.Write(raw.Bytes()); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Close(); err != nil {
			t.Fatal(err)
		}
		took := lmtpSend(t, addr, c.address, to.Address, raw.Bytes())
		if _, err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		t.Logf("from the last octet to the 250: %v", took)
	}
	out, _ := output(t, "doctor", "-config", p.config, "-wait", "30s")
	if !strings.Contains(out, "lmtp=ok ") || !strings.Contains(out, "address=ok ") {
		t.Errorf("doctor: %s", out)
	}
	p.stop()
	out, _ = output(t, "doctor", "-config", p.config, "-wait", "1s")
	if !strings.Contains(out, "lmtp=fail ") {
		t.Errorf("doctor without a server: %s", out)
	}
	store := ledger(t, p.database())
	defer store.Close()
	if n := column(t, store, "SELECT count(*) FROM letters JOIN texts ON texts.id = sender WHERE text LIKE 'g0p%'"); n[0] != "6" {
		t.Errorf("%s letters of players in the ledger, want 6", n[0])
	}
}

// lmtpSend hands a letter over as the mail server would and returns how long
// the 250 took from its first octet on.
func lmtpSend(t *testing.T, addr, from, to string, raw []byte) time.Duration {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	c := smtp.NewClientLMTP(conn)
	defer c.Close()
	if err := c.Mail(from, nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Rcpt(to, nil); err != nil {
		t.Fatal(err)
	}
	w, err := c.Data()
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if _, err := w.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return time.Since(begin)
}

// TestLMTPKilled kills the server before it has acknowledged a letter, before
// and after it was stored and applied: Postfix keeps it and tries again, and it
// is applied once.
func TestLMTPKilled(t *testing.T) {
	p, _, _, players := startLMTPPlace(t)
	p.program = start(t, "serve", "-config", p.config)
	c, n := mover(t, players)
	p.stop()
	var want []string
	for i, point := range []string{"store", "stored", "committed"} {
		t.Setenv(faultVariable, point+":1")
		p.program = start(t, "serve", "-config", p.config)
		want = append(want, n.legal[0])
		c.reply(n, n.legal[0]+"\r\n")
		select {
		case <-p.done:
		case <-time.After(30 * time.Second):
			t.Fatalf("it was not killed at %s", point)
		}
		t.Setenv(faultVariable, "")
		p.program = start(t, "serve", "-config", p.config)
		if n = c.next(); n.result != "applied" {
			t.Fatalf("killed at %s: %s\n%s", point, n.result, n.text)
		}
		if len(n.legal) == 0 && i < 2 {
			t.Fatal("the turn is over too early for this test")
		}
		empty := func() bool {
			store := ledger(t, p.database())
			defer store.Close()
			return column(t, store, "SELECT count(*) FROM letters WHERE state <> 1")[0] == fmt.Sprint(i+1)
		}
		for deadline := time.Now().Add(time.Minute); !empty(); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("killed at %s: Postfix did not come again", point)
			}
		}
		p.stop()
	}
	got := p.logged(t) // and steps that were the only possible ones
	if !subsequence(want, got) || len(slices.Compact(slices.Sorted(slices.Values(got)))) != len(got) {
		t.Errorf("log %q, want each of %q once", got, want)
	}
}
