//go:build real

package outbox_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/mail/imapbox"
	"angelpost/mail/login"
	"angelpost/mail/login/authserver"
	"angelpost/mail/outbox"
	"angelpost/mail/peers"
)

// TestTokensAtDovecot holds both mechanisms at Dovecot's IMAP and at Postfix, which asks
// Dovecot, which asks the authorisation server.
func TestTokensAtDovecot(t *testing.T) {
	a := authserver.Start(t, "alpha")
	conf := filepath.Join(t.TempDir(), "oauth2.conf")
	if err := os.WriteFile(conf, []byte(fmt.Sprintf("introspection_mode = get\ntokeninfo_url = %s/introspect?token=\nusername_attribute = username\n", a.URL)), 0o644); err != nil {
		t.Fatal(err)
	}
	for dir := filepath.Dir(conf); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		os.Chmod(dir, 0o755) // for Dovecot's users
	}
	for mechanism, other := range map[string]string{"xoauth2": login.OAuthBearer, "oauthbearer": login.XOAuth2} {
		t.Run(mechanism, func(t *testing.T) {
			d := peers.StartDovecotWith(t, "/", fmt.Sprintf("auth_failure_delay = 0\nauth_mechanisms = plain login %s\npassdb {\n  driver = oauth2\n  mechanisms = %[1]s\n  args = %[2]s\n}\n", mechanism, conf), "alpha", "beta")
			p := peers.StartPostfix(t, d)
			o := &login.OAuth{Endpoint: a.Endpoint(), ClientID: authserver.Client, File: filepath.Join(t.TempDir(), "oauth")}
			if err := os.WriteFile(o.File, []byte(a.Refresh()+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			box := imapbox.Config{Addr: d.IMAPSAddr, TLS: "tls", CAFile: d.CAFile, User: "alpha", Secret: o}
			server := outbox.Server{Addr: p.SubmissionAddr, TLS: "starttls", CAFile: d.CAFile, User: "alpha", Secret: o, Hello: "angelpost.localhost"}
			for range 2 {
				if err := imapbox.Check(t.Context(), box); err != nil {
					t.Fatal(err)
				}
				a.Expire()
				if err := server.Try(t.Context()); err != nil {
					t.Fatal(err)
				}
				a.Expire()
			}
			if _, err := login.Client("alpha", "token", d.IMAPAddr, func(m string) bool { return m == other }); err != nil {
				t.Error(err)
			}
			box.User = "beta"
			if err := imapbox.Check(t.Context(), box); err == nil || !strings.Contains(err.Error(), "token was refused") {
				t.Errorf("%v, want that the token is another's", err)
			}
		})
	}
}
