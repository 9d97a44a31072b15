//go:build real

package peers

import (
	"crypto/tls"
	"crypto/x509"
	"net/smtp"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2/imapclient"
)

// TestLetterTravels sends a letter to Postfix and finds it in Dovecot.
func TestLetterTravels(t *testing.T) {
	d := StartDovecot(t, "/", "alpha")
	p := StartPostfix(t, d)
	if err := smtp.SendMail(p.SMTPAddr, nil, "a@"+Domain, []string{"alpha+token@" + Domain}, []byte("Subject: hello\r\n\r\nhello\r\n")); err == nil {
		t.Log("sent without TLS checks") // net/smtp uses STARTTLS when offered and would refuse the CA
	} else if !strings.Contains(err.Error(), "certificate") {
		t.Fatal(err)
	}
	pem, err := os.ReadFile(d.CAFile)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	c, err := smtp.Dial(p.SMTPAddr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.StartTLS(&tls.Config{RootCAs: roots, ServerName: "127.0.0.1"}); err != nil {
		t.Fatal(err)
	}
	if err := c.Mail("a@" + Domain); err != nil {
		t.Fatal(err)
	}
	if err := c.Rcpt("nobody@" + Domain); err == nil || !strings.HasPrefix(err.Error(), "550") {
		t.Errorf("an unknown user got %v, want 550", err)
	}
	if err := c.Rcpt("alpha+token@" + Domain); err != nil {
		t.Fatal(err)
	}
	w, err := c.Data()
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("Subject: hello\r\n\r\nhello\r\n"))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	box, err := imapclient.DialTLS(d.IMAPSAddr, &imapclient.Options{TLSConfig: &tls.Config{RootCAs: roots}})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	if err := box.Login("alpha@"+Domain, Password).Wait(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		data, err := box.Select("INBOX", nil).Wait()
		if err != nil {
			t.Fatal(err)
		}
		if data.NumMessages == 1 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the letter never arrived")
		}
	}
}
