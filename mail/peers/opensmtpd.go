//go:build real

package peers

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// StartOpenSMTPD starts OpenSMTPD, which delivers letters for Domain to d by LMTP, with plus
// addressing. A sample's lines come before that. It finds its parts at fixed places, so it gets a
// /var and a /usr/libexec of its own.
func StartOpenSMTPD(t testing.TB, d *Dovecot, sample string) *Server {
	t.Helper()
	dir := folder(t, "opensmtpd")
	for _, name := range []string{"var/run", "var/spool", "var/lib/opensmtpd/empty", "var/tmp"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	number := port(t)
	config := write(t, dir, "smtpd.conf", fmt.Sprintf(`
listen on 127.0.0.1 port %s
%s
action "mailboxes" lmtp "%s" rcpt-to user "mail" virtual { "@" = "mail" }
match from any for domain "%s" action "mailboxes"
`, number, sample, d.LMTPAddr, Domain))
	script := unshared(t, dir, nil, "/usr/libexec") + fmt.Sprintf("mount --bind %s/var /var\nexec %s/usr/sbin/smtpd -d -v -f %s\n", dir, unpacked(t), config)
	s := &Server{IMAPAddr: d.IMAPAddr, SMTPAddr: local(number), PasswordFile: d.PasswordFile, Login: byName}
	run(t, filepath.Join(dir, "log"), inShell(t, script), s.SMTPAddr)
	return s
}
