package outbox_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"angelpost/mail/imapbox"
	"angelpost/mail/mailhost"
	"angelpost/mail/outbox"
	"os"
	"path/filepath"
)

// peer is a mail server that the table is run against, with only the users alpha and beta.
type peer struct {
	server outbox.Server
	domain string
	await  func(t *testing.T, user, messageID string) []byte
}

// rows is a Queue in memory.
type rows struct {
	mu      sync.Mutex
	letters []outbox.Letter
	result  map[int64]string
	changed chan struct{}
}

func (r *rows) Due(ctx context.Context, now time.Time, max int, busy outbox.Busy) (due []outbox.Letter, next time.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.letters {
		if r.result[l.ID] == "" && !busy.Includes(l.To) && len(due) < max {
			due = append(due, l)
		}
	}
	return due, time.Time{}, nil
}

func (r *rows) set(id int64, result string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result[id] = result
	r.changed <- struct{}{}
	return nil
}

func (r *rows) Sent(ctx context.Context, letters []outbox.Accepted) error {
	for _, a := range letters {
		if err := r.set(a.ID, "sent"); err != nil {
			return err
		}
	}
	return nil
}
func (r *rows) Retry(ctx context.Context, id int64, next time.Time, why outbox.Delay) error {
	return r.set(id, "retry: "+why.Cause)
}
func (r *rows) Failed(ctx context.Context, id int64, at time.Time, cause string) error {
	return r.set(id, "failed: "+cause)
}

// table sends letters of every kind and reads them back where they arrive.
func table(t *testing.T, p peer) {
	letters := []struct{ to, text, want string }{
		{"alpha", "plain", "sent"},
		{"beta+token234567", "dots\n.\n..\n.hidden\n", "sent"},
		{"nobody", "plain", "failed"},
		{"alpha", "| legal\n| " + strings.Repeat("very long orders ", 100) + "\n| end", "sent"},
		{"beta", "äöü ☕ " + strings.Repeat("ß", 1000), "sent"},
		{"alpha", strings.Repeat("From the start\n", 20_000), "sent"},
	}
	q := &rows{result: map[int64]string{}, changed: make(chan struct{}, 100)}
	message := func(l outbox.Letter) outbox.Message {
		return outbox.Message{
			From: outbox.Address{Name: "Angelpost", Addr: l.From}, To: outbox.Address{Name: "Zoë", Addr: l.To},
			Subject: "Letter – " + fmt.Sprint(l.ID), Date: time.Unix(1_800_000_000, 0), MessageID: fmt.Sprintf("l%d@%s", l.ID, p.domain),
			Text: letters[l.ID].text, HTML: "<p>" + letters[l.ID].text + "<img src=cid:b@c>",
			Pictures: []outbox.Picture{{ID: "b@c", Name: "b.png", Data: bytes.Repeat([]byte("\x89PNG\n"), 5000)}},
		}
	}
	for i, l := range letters {
		q.letters = append(q.letters, outbox.Letter{ID: int64(i), From: "alpha@" + p.domain, To: l.to + "@" + p.domain, Queued: time.Now()})
	}
	sender, err := outbox.New(outbox.Config{
		Server: p.server, Queue: q,
		Render: func(ctx context.Context, l outbox.Letter) ([]byte, error) { return outbox.Compose(message(l)) },
		Log:    slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- sender.Run(ctx) }()
	for range letters {
		select {
		case <-q.changed:
		case <-time.After(time.Minute):
			t.Fatalf("only these have been worked off: %v", q.result)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for i, l := range letters {
		if got := q.result[int64(i)]; !strings.HasPrefix(got, l.want) {
			t.Errorf("letter %d to %s: %q, want %s", i, l.to, got, l.want)
		}
		if l.want != "sent" {
			continue
		}
		user, _, _ := strings.Cut(l.to, "+")
		raw := p.await(t, user, fmt.Sprintf("l%d@%s", i, p.domain))
		want, err := outbox.Compose(message(q.letters[i]))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasSuffix(raw, want) {
			t.Errorf("letter %d arrived changed: %d octets, sent %d", i, len(raw), len(want))
		}
	}
}

// TestMailhost runs the table against the host within the process.
func TestMailhost(t *testing.T) {
	h, err := mailhost.Start(mailhost.Config{Dir: t.TempDir(), Accounts: []string{"alpha", "beta"}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	password := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(password, []byte("demo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := outbox.Server{Addr: h.SMTPAddr(), TLS: "none"}
	if err := server.Try(t.Context()); err != nil {
		t.Error(err)
	}
	one := outbox.Letter{From: "alpha@demo.localhost", To: "beta@demo.localhost"}
	if err := outbox.SendOne(t.Context(), server, one, []byte("Subject: one\r\n\r\none\r\n")); err != nil {
		t.Error(err)
	}
	one.To = "nobody@demo.localhost"
	if err := outbox.SendOne(t.Context(), server, one, []byte("Subject: one\r\n\r\none\r\n")); err == nil || !strings.Contains(err.Error(), "550") {
		t.Errorf("a letter to nobody: %v", err)
	}
	server.User, server.PasswordFile = "alpha", password
	if err := server.Try(t.Context()); err != nil {
		t.Error(err)
	}
	table(t, peer{
		server: server,
		domain: "demo.localhost",
		await: func(t *testing.T, user, id string) []byte {
			f, err := imapbox.Await(t.Context(), imapbox.Config{Addr: h.IMAPAddr(), TLS: "none", User: user, PasswordFile: password}, id)
			if err != nil {
				t.Fatal(err)
			}
			return f.Raw
		},
	})
}
