//go:build real

package peers

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"
)

// Dovecot is a running IMAP and LMTP server.
type Dovecot struct {
	IMAPAddr  string // in the clear, and STARTTLS
	IMAPSAddr string // TLS from the first byte
	LMTPAddr  string // delivery: "user@Domain" and "user+anything@Domain"
	CAFile    string // trust this for TLS
	// PasswordFile holds Password, the password of every user.
	PasswordFile string
	Users        []string // local parts; login by local part or address

	mail              string // a folder for each user
	config, submit    string // configuration files; submit says where Sieve scripts send
	authSocket        string
	certFile, keyFile string
}

// StartDovecot starts Dovecot with a mailbox for each user; separator is the
// sign it puts between folder levels, "/" or ".".
func StartDovecot(t testing.TB, separator string, users ...string) *Dovecot {
	t.Helper()
	return StartDovecotWith(t, separator, "", users...)
}

// StartDovecotWith is StartDovecot with further lines of the configuration.
func StartDovecotWith(t testing.TB, separator, options string, users ...string) *Dovecot {
	t.Helper()
	dir := folder(t, "dovecot")
	mail := subfolder(t, dir, "mail", "mail")
	uid, gid := ids(t, "mail")
	d := &Dovecot{Users: users, mail: mail, authSocket: filepath.Join(dir, "auth"), submit: filepath.Join(dir, "submit.conf")}
	d.CAFile, d.certFile, d.keyFile = certificate(t, dir)
	d.PasswordFile = write(t, dir, "password", Password+"\n")
	passwd := ""
	for _, name := range users {
		passwd += fmt.Sprintf("%s:{PLAIN}%s:%d:%d::%s::\n", name, Password, uid, gid, filepath.Join(mail, name))
	}
	passwdFile := write(t, dir, "passwd", passwd)
	imapPort, imapsPort, lmtpPort := port(t), port(t), port(t)
	d.IMAPAddr, d.IMAPSAddr, d.LMTPAddr = local(imapPort), local(imapsPort), local(lmtpPort)
	log := filepath.Join(dir, "log")
	config := write(t, dir, "dovecot.conf", fmt.Sprintf(`
base_dir = %[1]s/run
state_dir = %[1]s/state
log_path = %[2]s
protocols = imap lmtp
listen = 127.0.0.1
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_username_format = %%Ln
ssl = yes
ssl_cert = <%[3]s
ssl_key = <%[4]s
recipient_delimiter = +
first_valid_uid = 1
mail_location = maildir:~/Maildir
passdb {
  driver = passwd-file
  args = %[5]s
}
userdb {
  driver = passwd-file
  args = %[5]s
}
namespace inbox {
  inbox = yes
  separator = %[6]s
}
protocol lmtp {
  mail_plugins = $mail_plugins sieve
}
plugin {
  sieve = file:~/sieve;active=~/.dovecot.sieve
  sieve_extensions = +vacation-seconds +editheader
  sieve_vacation_min_period = 0s
}
!include_try %[11]s
service imap-login {
  inet_listener imap {
    port = %[7]s
  }
  inet_listener imaps {
    port = %[8]s
    ssl = yes
  }
}
service lmtp {
  inet_listener lmtp {
    port = %[9]s
  }
}
service auth {
  unix_listener %[10]s {
    mode = 0666
  }
}
`, dir, log, d.certFile, d.keyFile, passwdFile, separator, imapPort, imapsPort, lmtpPort, d.authSocket, d.submit)+options)
	d.config = config
	run(t, log, exec.Command("dovecot", "-F", "-c", config), d.IMAPAddr, d.LMTPAddr)
	return d
}

// Sieve gives a user a Sieve script (RFC 5228; vacation with seconds and
// editheader besides the usual extensions), which sends its letters by p.
func (d *Dovecot) Sieve(t testing.TB, p *Postfix, user, script string) {
	t.Helper()
	uid, gid := ids(t, "mail")
	home := subfolder(t, d.mail, user, "mail")
	if err := os.Chown(write(t, home, ".dovecot.sieve", script), uid, gid); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Dir(d.submit), filepath.Base(d.submit), "submission_host = "+p.SMTPAddr+"\n")
	if said, err := exec.Command("doveadm", "-c", d.config, "reload").CombinedOutput(); err != nil {
		t.Fatalf("doveadm reload: %v\n%s", err, said)
	}
}

// Maildir is the folder that holds a user's letters.
func (d *Dovecot) Maildir(user string) string { return filepath.Join(d.mail, user, "Maildir") }

// Deliver puts a letter into a user's mailbox by LMTP, as a mail server does.
// It may be called from several goroutines.
func (d *Dovecot) Deliver(user, letter string) error {
	conn, err := net.Dial("tcp", d.LMTPAddr)
	if err != nil {
		return err
	}
	c := smtp.NewClientLMTP(conn)
	defer c.Close()
	if err := c.SendMail("someone@example.org", []string{user + "@" + Domain}, strings.NewReader(letter)); err != nil {
		return fmt.Errorf("deliver to %s: %w", user, err)
	}
	return c.Quit()
}
