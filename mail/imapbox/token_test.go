package imapbox_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/mail/imapbox"
	"angelpost/mail/login"
	"angelpost/mail/login/authserver"
	"angelpost/mail/mailhost"
)

// TestTokens: Check logs in with an access token, and gets another one when the server no
// longer accepts it, whatever this machine's clock says. Once the authorisation server
// refuses, the error says what the host must do.
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
	c := imapbox.Config{Addr: h.IMAPAddr(), TLS: "none", User: a.User, Secret: o, Log: slog.New(slog.DiscardHandler)}
	check := func() error { return imapbox.Check(t.Context(), c) }
	for want := 1; want <= 2; want++ {
		for range 2 { // the second check uses the same token
			if err := check(); err != nil {
				t.Fatal(err)
			}
		}
		if a.Refreshes != want {
			t.Errorf("%d refreshes, want %d", a.Refreshes, want)
		}
		a.Expire()
	}
	a.Revoke()
	if err := check(); err == nil || !strings.Contains(err.Error(), "angelpost login") {
		t.Errorf("%v, want that one must log in again", err)
	}
	// If the server refuses another user's token, Check tries a second one and then fails.
	os.WriteFile(o.File, []byte(a.Refresh()+"\n"), 0o600)
	c.User = "another@demo.localhost"
	before := a.Refreshes
	if err := check(); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("%v, want a refusal", err)
	}
	if a.Refreshes != before+2 {
		t.Errorf("%d refreshes, want 2", a.Refreshes-before)
	}
}
