//go:build real

package peers

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// behindPostfix starts Postfix, which delivers letters to users to an LMTP server, or, where a
// transport is named, by that.
func behindPostfix(t testing.TB, dir, lmtp string, users []string, options string) *Postfix {
	t.Helper()
	_, cert, key := certificate(t, dir)
	return StartPostfixWith(t, &Dovecot{Users: users, LMTPAddr: lmtp, certFile: cert, keyFile: key, authSocket: "none"}, "smtpd_sasl_auth_enable = no\n"+options)
}

// StartCyrus starts Cyrus with a mailbox for each user, and Postfix in front of it. daemons are
// lines of the section DAEMON of cyrus.conf.
func StartCyrus(t testing.TB, daemons string, users ...string) *Server {
	t.Helper()
	dir := folder(t, "cyrus")
	lib, spool := subfolder(t, dir, "lib", "mail"), subfolder(t, dir, "spool", "mail")
	for _, name := range []string{"socket", "proc", "log", "msg", "db"} {
		subfolder(t, lib, name, "mail")
	}
	imap, lmtp := local(port(t)), local(port(t))
	bin := filepath.Join(unpacked(t), "usr/lib/cyrus/bin") + "/"
	config := write(t, dir, "imapd.conf", fmt.Sprintf(`
configdirectory: %s
partition-default: %s
defaultpartition: default
cyrus_user: mail
servername: mail.%s
allowplaintext: yes
sasl_mech_list: PLAIN LOGIN
sasl_pwcheck_method: alwaystrue
autocreate_quota: 0
autocreate_post: yes
`, lib, spool, Domain))
	services := write(t, dir, "cyrus.conf", fmt.Sprintf(`
START {
  recover cmd="%[1]sctl_cyrusdb -C %[5]s -r"
}
SERVICES {
  imap cmd="%[1]simapd -C %[5]s" listen="%[2]s" prefork=0
  lmtp cmd="%[1]slmtpd -C %[5]s -a" listen="%[3]s" prefork=0
}
EVENTS {
}
DAEMON {
%[4]s
}
`, bin, imap, lmtp, strings.ReplaceAll(daemons, `cmd="idled"`, `cmd="`+bin+"idled -C "+config+`"`), config))
	run(t, filepath.Join(dir, "log"), command(t, "usr/lib/cyrus/bin/master", "-C", config, "-M", services, "-p", filepath.Join(dir, "pid")), imap, lmtp)
	x := behindPostfix(t, dir, lmtp, users, "")
	return &Server{IMAPAddr: imap, SMTPAddr: x.SMTPAddr, PasswordFile: write(t, dir, "password", Password+"\n"), Login: byName}
}
