package imapbox_test

import (
	"context"
	"log/slog"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"angelpost/mail/imapbox"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
)

// config is for a mailbox of the memory server.
func (m *memory) config(t *testing.T, user, password string) imapbox.Config {
	t.Helper()
	return imapbox.Config{
		Addr: "127.0.0.1:143", TLS: "none", User: user, PasswordFile: secret(t, password+"\n"), Log: slog.New(slog.DiscardHandler),
		Backoff: time.Millisecond, Retry: time.Millisecond, IdleFor: 5 * time.Millisecond,
		Dial: func(context.Context, string, string) (net.Conn, error) {
			client, server := net.Pipe()
			m.pipes.dialled <- server
			return client, nil
		},
	}
}

// TestRemoveWithoutUIDPLUS: what is deleted is gone, not only flagged.
func TestRemoveWithoutUIDPLUS(t *testing.T) {
	m := startMemory(t)
	u, name := m.user(t, "p")
	if err := u.Create("Angelpost/Done", nil); err != nil {
		t.Fatal(err)
	}
	put(t, u, "Angelpost/Done", letter("one"))
	if n, err := imapbox.Forget(t.Context(), m.config(t, name, "p"), time.Now().AddDate(0, 0, 2)); n != 1 || err != nil {
		t.Errorf("%d letters, %v", n, err)
	}
	if n := count(t, u, "Angelpost/Done"); n != 0 {
		t.Errorf("%d letters are still there", n)
	}
}

// refusing is a session of a server that refuses COPY while it is full.
type refusing struct {
	imapserver.Session
	full *atomic.Bool
}

func (r refusing) Copy(set imap.NumSet, dest string) (*imap.CopyData, error) {
	if r.full.Load() {
		return nil, &imap.Error{Type: imap.StatusResponseTypeNo, Code: imap.ResponseCodeOverQuota, Text: "the mailbox is full"}
	}
	return r.Session.Copy(set, dest)
}

// TestRefusedCopy: where there is no MOVE, a letter whose copy is refused stays in the inbox.
func TestRefusedCopy(t *testing.T) {
	var full atomic.Bool
	full.Store(true)
	m := startMemory(t)
	m.wrap = func(s imapserver.Session) imapserver.Session { return refusing{s, &full} }
	u, name := m.user(t, "p")
	put(t, u, "INBOX", letter("one"))
	conf := m.config(t, name, "p")
	rounds := make(chan struct{}, 100)
	conf.Round = func(error) {
		select {
		case rounds <- struct{}{}:
		default:
		}
	}
	letters, _ := watch(t, conf, done)
	receive(t, letters)
	for range 3 {
		<-rounds
	}
	if n := count(t, u, "INBOX"); n != 1 {
		t.Fatalf("%d letters are in the inbox, and no copy was made", n)
	}
	full.Store(false)
	for end := time.Now().Add(20 * time.Second); count(t, u, "Angelpost/Done") != 1 || count(t, u, "INBOX") != 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("there is room, and the letter is not filed")
		}
	}
}
