//go:build real

package imapbox_test

import (
	"context"
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angelpost/mail/imapbox"
	"angelpost/mail/peers"
)

// TestDovecot runs the table against Dovecot, with Postfix to deliver letters, once with each
// separator between folder levels.
func TestDovecot(t *testing.T) {
	var users []string
	for i := range 40 {
		users = append(users, fmt.Sprintf("box%d", i))
	}
	for _, separator := range []string{"/", "."} {
		t.Run("separator "+separator, func(t *testing.T) {
			d := peers.StartDovecot(t, separator, users...)
			p := peers.StartPostfix(t, d)
			next := 0
			table(t, func(t *testing.T) peer {
				user := users[next]
				next++
				return peer{
					config:   imapbox.Config{Addr: d.IMAPAddr, TLS: "none", User: user, PasswordFile: d.PasswordFile},
					address:  user + "+token@" + peers.Domain,
					smtpAddr: p.SMTPAddr,
					password: peers.Password,
					sep:      separator,
				}
			})
			if separator == "/" {
				t.Run("TLS", func(t *testing.T) { testTLS(t, d) })
			}
		})
	}
}

// TestDovecotIndexMadeAnew: if someone deletes the index of a mailbox, Dovecot creates
// another one, but then reports nothing in an IDLE that is under way. The watcher finds the
// letters by looking.
func TestDovecotIndexMadeAnew(t *testing.T) {
	d := peers.StartDovecot(t, "/", "box")
	letters, _ := watch(t, imapbox.Config{Addr: d.IMAPAddr, TLS: "none", User: "box", PasswordFile: d.PasswordFile, IdleFor: 3 * time.Second}, done)
	for _, name := range []string{"one", "two"} {
		err := d.Deliver("box", letter(name))
		for end := time.Now().Add(10 * time.Second); err != nil && time.Now().Before(end); err = d.Deliver("box", letter(name)) {
			time.Sleep(200 * time.Millisecond) // Dovecot may refuse the letter while a look finds the index gone
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := subject(receive(t, letters)); got != name {
			t.Fatalf("%s is handled, want %s", got, name)
		}
		time.Sleep(time.Second) // until the letter is filed and the next IDLE has begun
		index, err := filepath.Glob(filepath.Join(d.Maildir("box"), "dovecot*"))
		if err != nil || len(index) == 0 {
			t.Fatalf("no index: %v", err)
		}
		for _, f := range index {
			if err := os.Remove(f); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestDovecotMarksJunk: the spam folder is the one that Dovecot marks, whatever its name.
func TestDovecotMarksJunk(t *testing.T) {
	d := peers.StartDovecotWith(t, ".", `
namespace inbox {
  mailbox Werbung {
    special_use = \Junk
    auto = create
  }
  mailbox Junk {
    auto = create
  }
}
`, "box")
	p := peer{config: imapbox.Config{Addr: d.IMAPAddr, TLS: "none", User: "box", PasswordFile: d.PasswordFile, IdleFor: 100 * time.Millisecond}, password: peers.Password, sep: "."}
	c, arrived := p.login(t), time.Now().Add(-50*time.Hour).Truncate(time.Second)
	p.put(t, c, "Werbung", spam("good one", "angelpost+token@example.org"), arrived)
	p.put(t, c, "Junk", spam("good elsewhere", "angelpost+token@example.org"), arrived)
	p.config.Junk = (&judging{}).junk("")
	letters, _ := watch(t, p.config, done)
	if f := receive(t, letters); subject(f) != "good one" || !f.InternalDate.Equal(arrived) {
		t.Errorf("%q of %v is handled", subject(f), f.InternalDate)
	}
	p.expect(t, c, "Werbung")
	p.expect(t, c, "Junk", "good elsewhere")
}

func testTLS(t *testing.T, d *peers.Dovecot) {
	for _, c := range []struct {
		name, addr, mode, ca string
		ok                   bool
	}{
		{"tls", d.IMAPSAddr, "tls", d.CAFile, true},
		{"starttls", d.IMAPAddr, "starttls", d.CAFile, true},
		{"tls, unknown CA", d.IMAPSAddr, "tls", "", false},
		{"starttls, unknown CA", d.IMAPAddr, "starttls", "", false},
		{"tls, another name", strings.Replace(d.IMAPSAddr, "127.0.0.1", "localhost", 1), "tls", d.CAFile, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			seen := 0
			err := imapbox.Check(ctx, imapbox.Config{
				Addr: c.addr, TLS: c.mode, CAFile: c.ca, User: d.Users[len(d.Users)-1], PasswordFile: d.PasswordFile,
				Certificate: func(c *x509.Certificate) { seen++ },
			})
			if (seen > 0) != c.ok {
				t.Errorf("its certificate was told %d times", seen)
			}
			if (err == nil) != c.ok {
				t.Errorf("got %v", err)
			}
			if err != nil && !strings.Contains(err.Error(), "certificate") {
				t.Errorf("the error does not speak of the certificate: %v", err)
			}
		})
	}
}

// TestDovecotFilesByAddress: with lmtp_save_to_detail_mailbox, Dovecot files a letter to
// user+FOLDER@ in that folder. A letter that comes to the folder of claims in this way does
// not count as a claim.
func TestDovecotFilesByAddress(t *testing.T) {
	d := peers.StartDovecotWith(t, "/", "lmtp_save_to_detail_mailbox = yes\n", "box")
	p := peer{config: imapbox.Config{Addr: d.IMAPAddr, TLS: "none", User: "box", PasswordFile: d.PasswordFile}, password: peers.Password}
	c := p.login(t)
	one := p.server("one")
	if err := one.claim(t, false); err != nil {
		t.Fatal(err)
	}
	if err := d.Deliver("box+Angelpost/Claim", forged("one", "mallory", lastEpoch)); err != nil {
		t.Fatal(err)
	}
	p.expect(t, c, claimFolder, claimSubject, "forged")
	if err := one.claim(t, false); err != nil || one.strays != 1 {
		t.Errorf("%v; the host hears of %d letters", err, one.strays)
	}
	p.expect(t, c, claimFolder, claimSubject)
	p.expect(t, c, "Angelpost/Failed", "forged")
}
