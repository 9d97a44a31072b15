//go:build real

package crashtest

import (
	"bytes"
	"fmt"
	"net/mail"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/mail/peers"
)

// startLMTPPlace is a place whose Postfix hands the server's letters to it by
// LMTP, with a game that Ann and Bob have begun. The server is not started.
func startLMTPPlace(t *testing.T) (p *mailclient.Place, addr, game string, players []*mailclient.Client) {
	t.Helper()
	addr = peers.Addr(t) // Postfix must know it first
	d := peers.StartDovecot(t, "/", mailclient.ServerUser, mailclient.PlayerName(0, 1), mailclient.PlayerName(0, 2))
	sample, err := os.ReadFile("../../angelpost/packaging/samples/postfix.cf")
	if err != nil {
		t.Fatal(err)
	}
	x := peers.StartPostfixWith(t, d, strings.NewReplacer("angelpost@play.example.org", mailclient.ServerUser+"@"+peers.Domain, "127.0.0.1:2424", addr).Replace(string(sample)))
	p = &mailclient.Place{Dovecot: d, Postfix: x, ConfigFile: mailclient.WritePlace(t, d, x)}
	f, err := os.OpenFile(p.ConfigFile, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(f, "\n[lmtp]\naddr = %q\n", addr)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	players = p.Clients(t, 0, 2)
	out, code := program.Output(t, "new", "-config", p.ConfigFile, "-started", "-seed", strings.Repeat("5a", 32),
		"-player", players[0].Address, "-player", players[1].Address)
	if code != program.ExitYes {
		t.Fatalf("new: %d %s", code, out)
	}
	return p, addr, strings.TrimSpace(strings.TrimPrefix(out, "game=")), players
}

// mover waits for the players' letters at the start and returns the
// client who must decide, with their letter.
func mover(t *testing.T, players []*mailclient.Client) (*mailclient.Client, mailclient.Received) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		for _, c := range players {
			for _, n := range c.Fetch() {
				if len(n.Legal) > 0 {
					return c, n
				}
			}
		}
	}
	t.Fatal("nobody is asked to decide")
	return nil, mailclient.Received{}
}

// logged is the log of a stored game, a line each.
func logged(t *testing.T, p *mailclient.Place) []string {
	t.Helper()
	store := program.Ledger(t, databaseOf(p))
	defer store.Close()
	return program.Column(t, store, "SELECT line FROM log ORDER BY game, n")
}

func databaseOf(p *mailclient.Place) string {
	return strings.TrimSuffix(p.ConfigFile, "angelpost.toml") + "games.toml"
}

// TestLMTP has Postfix deliver to the server directly: letters never see the
// mailbox, doctor finds the way open, and a copy that comes by both ways at
// once is applied once.
func TestLMTP(t *testing.T) {
	p, addr, _, players := startLMTPPlace(t)
	p.Process = program.Start(t, "serve", "-config", p.ConfigFile)
	if p.Values["lmtp"] != addr {
		t.Errorf("serve says lmtp=%s, want %s", p.Values["lmtp"], addr)
	}
	c, n := mover(t, players)
	c.Reply(n, n.Legal[0]+"\r\n")
	n = c.Next()
	if n.Result != "applied" || len(logged(t, p)) != 1 {
		t.Fatalf("%s, log %q\n%s", n.Result, logged(t, p), n.Text)
	}

	// By both ways at once, and in the daemon's own measure how long it takes.
	box := mailclient.Login(t, p.Dovecot.IMAPAddr, mailclient.ServerUser, peers.Password)
	defer box.Close()
	if box, err := box.Select("INBOX", nil).Wait(); err != nil || box.NumMessages != 0 {
		t.Errorf("letters came into the mailbox: %+v %v", box, err)
	}
	to, err := mail.ParseAddress(n.Header.Get("Reply-To"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		var raw bytes.Buffer
		fmt.Fprintf(&raw, "From: %s\r\nTo: %s\r\nDate: %s\r\nMessage-ID: <both%d@example.org>\r\nSubject: Re: turn\r\n\r\npreview %d\r\nundo\r\n",
			c.Address, to.Address, time.Now().Format(time.RFC1123Z), i, i)
		cmd := box.Append("INBOX", int64(raw.Len()), &imap.AppendOptions{})
		if _, err := cmd.Write(raw.Bytes()); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Close(); err != nil {
			t.Fatal(err)
		}
		took := mailclient.DeliverLMTP(t, addr, c.Address, to.Address, raw.Bytes())
		if _, err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		t.Logf("from the last octet to the 250: %v", took)
	}
	out, _ := program.Output(t, "doctor", "-config", p.ConfigFile, "-wait", "30s")
	if !strings.Contains(out, "lmtp=ok ") || !strings.Contains(out, "address=ok ") {
		t.Errorf("doctor: %s", out)
	}
	p.Stop()
	out, _ = program.Output(t, "doctor", "-config", p.ConfigFile, "-wait", "1s")
	if !strings.Contains(out, "lmtp=warn ") { // nothing listens: the server has stopped
		t.Errorf("doctor without a server: %s", out)
	}
	store := program.Ledger(t, databaseOf(p))
	defer store.Close()
	if n := program.Column(t, store, "SELECT count(*) FROM letters JOIN texts ON texts.id = sender WHERE text LIKE 'g0p%'"); n[0] != "6" {
		t.Errorf("%s letters of players in the ledger, want 6", n[0])
	}
}

// TestLMTPKilled kills the server before it has acknowledged a letter, before
// and after it was stored and applied: Postfix keeps it and tries again, and it
// is applied once.
func TestLMTPKilled(t *testing.T) {
	p, _, _, players := startLMTPPlace(t)
	p.Process = program.Start(t, "serve", "-config", p.ConfigFile)
	c, n := mover(t, players)
	p.Stop()
	var want []string
	for i, point := range []string{"store", "stored", "committed"} {
		t.Setenv(program.FaultVariable, point+":1")
		p.Process = program.Start(t, "serve", "-config", p.ConfigFile)
		want = append(want, n.Legal[0])
		c.Reply(n, n.Legal[0]+"\r\n")
		select {
		case <-p.Done:
		case <-time.After(30 * time.Second):
			t.Fatalf("it was not killed at %s", point)
		}
		t.Setenv(program.FaultVariable, "")
		p.Process = program.Start(t, "serve", "-config", p.ConfigFile)
		if n = c.Next(); n.Result != "applied" {
			t.Fatalf("killed at %s: %s\n%s", point, n.Result, n.Text)
		}
		if len(n.Legal) == 0 && i < 2 {
			t.Fatal("the turn is over too early for this test")
		}
		empty := func() bool {
			store := program.Ledger(t, databaseOf(p))
			defer store.Close()
			return program.Column(t, store, "SELECT count(*) FROM letters WHERE state <> 1")[0] == fmt.Sprint(i+1)
		}
		for deadline := time.Now().Add(time.Minute); !empty(); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("killed at %s: Postfix did not come again", point)
			}
		}
		p.Stop()
	}
	got := logged(t, p) // and steps that were the only possible ones
	if !subsequence(want, got) || len(slices.Compact(slices.Sorted(slices.Values(got)))) != len(got) {
		t.Errorf("log %q, want each of %q once", got, want)
	}
}
