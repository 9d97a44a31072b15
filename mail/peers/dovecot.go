//go:build real

package peers

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
)

// Dovecot is a running IMAP server.
type Dovecot struct {
	IMAPAddr  string // in the clear, and STARTTLS
	IMAPSAddr string // TLS from the first byte
	LMTPAddr  string // delivery: "user@Domain" and "user+anything@Domain"
	CAFile    string // trust this for TLS
	// PasswordFile holds Password, the password of every user.
	PasswordFile string
	Users        []string // local parts; login by local part or address

	authSocket        string
	certFile, keyFile string
}

// StartDovecot starts Dovecot with a mailbox for each user; separator is the
// sign it puts between folder levels, "/" or ".".
func StartDovecot(t testing.TB, separator string, users ...string) *Dovecot {
	t.Helper()
	dir := folder(t, "dovecot")
	subfolder(t, dir, "mail", "mail")
	uid, gid := ids(t, "mail")
	d := &Dovecot{Users: users, authSocket: filepath.Join(dir, "auth")}
	d.CAFile, d.certFile, d.keyFile = certificate(t, dir)
	d.PasswordFile = write(t, dir, "password", Password+"\n")
	passwd := ""
	for _, name := range users {
		passwd += fmt.Sprintf("%s:{PLAIN}%s:%d:%d::%s::\n", name, Password, uid, gid, filepath.Join(dir, "mail", name))
	}
	passwdFile := write(t, dir, "passwd", passwd)
	imapPort, imapsPort, lmtpPort := freePort(t), freePort(t), freePort(t)
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
namespace {
  inbox = yes
  separator = %[6]s
}
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
`, dir, log, d.certFile, d.keyFile, passwdFile, separator, imapPort, imapsPort, lmtpPort, d.authSocket))
	run(t, log, exec.Command("dovecot", "-F", "-c", config), d.IMAPAddr, d.LMTPAddr)
	return d
}
