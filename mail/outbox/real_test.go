//go:build real

package outbox_test

import (
	"context"
	"crypto/x509"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"angelpost/mail/imapbox"
	"angelpost/mail/outbox"
	"angelpost/mail/peers"
)

// TestPostfix runs the table against Postfix, letters read back from Dovecot.
func TestPostfix(t *testing.T) {
	d := peers.StartDovecot(t, "/", "alpha", "beta")
	p := peers.StartPostfix(t, d)
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	table(t, peer{
		server: outbox.Server{Addr: p.SMTPAddr, TLS: "none", Hello: "angelpost.localhost"},
		domain: peers.Domain,
		await: func(t *testing.T, user, id string) []byte {
			f, err := imapbox.Await(t.Context(), imapbox.Config{Addr: d.IMAPAddr, TLS: "none", User: user, PasswordFile: d.PasswordFile, Log: log}, id)
			if err != nil {
				t.Fatal(err)
			}
			return f.Raw
		},
	})

	for _, c := range []struct {
		name, addr, mode, ca, user string
		want                       string // in the error; empty for success
	}{
		{"starttls", p.SMTPAddr, "starttls", d.CAFile, "", ""},
		{"tls", p.SMTPSAddr, "tls", d.CAFile, "", ""},
		{"starttls with login", p.SMTPAddr, "starttls", d.CAFile, "alpha", ""},
		{"submission with login", p.SubmissionAddr, "starttls", d.CAFile, "alpha", ""},
		{"unknown user", p.SubmissionAddr, "starttls", d.CAFile, "nobody", "login as nobody"},
		{"unknown CA", p.SMTPSAddr, "tls", "", "", "certificate"},
		{"unknown CA after STARTTLS", p.SMTPAddr, "starttls", "", "", "certificate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			server := outbox.Server{Addr: c.addr, TLS: c.mode, CAFile: c.ca, User: c.user, PasswordFile: d.PasswordFile, Hello: "angelpost.localhost"}
			seen := 0
			server.Certificate = func(*x509.Certificate) { seen++ }
			err := server.Try(ctx)
			if (seen > 0) == (c.want == "certificate") {
				t.Errorf("its certificate was told %d times", seen)
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if err != nil && strings.Contains(fmt.Sprint(err), peers.Password+" ") {
				t.Errorf("the error tells the password: %v", err)
			}
		})
	}
}
