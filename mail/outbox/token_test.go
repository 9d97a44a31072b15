package outbox_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/mail/login"
	"angelpost/mail/login/authserver"
	"angelpost/mail/mailhost"
	"angelpost/mail/outbox"
)

// TestTokens holds that letters are sent with an access token, and with another one once
// it has run out, whatever this machine's clock says.
func TestTokens(t *testing.T) {
	a := authserver.Start(t, "angelpost@demo.localhost")
	h, err := mailhost.Start(mailhost.Config{Dir: t.TempDir(), Accounts: []string{"angelpost"}, Token: a.Holds, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	o := &login.OAuth{Endpoint: a.Endpoint(), ClientID: authserver.Client, File: filepath.Join(t.TempDir(), "oauth")}
	if err := os.WriteFile(o.File, []byte(a.Refresh()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := outbox.Server{Addr: h.SMTPAddr(), TLS: "none", User: a.User, Secret: o}
	for want := 1; want <= 2; want++ {
		for range 2 {
			if err := s.Try(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if a.Refreshes != want {
			t.Errorf("%d refreshes, want %d", a.Refreshes, want)
		}
		a.Expire()
	}
	a.Refuses = "invalid_grant"
	if err := s.Try(t.Context()); err == nil || !strings.Contains(err.Error(), "angelpost login") {
		t.Errorf("%v, want that one must log in again", err)
	}
	s.Secret = login.Command("echo demo")
	if err := s.Try(t.Context()); err != nil {
		t.Error(err)
	}
	s.Secret = login.Command("echo wrong")
	if err := s.Try(t.Context()); err == nil || strings.Contains(err.Error(), "wrong") {
		t.Errorf("%v, want a refusal that does not tell the password", err)
	}
}
