//go:build real

package peers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// StartCourier starts Courier with a mailbox for each user, and Postfix, which delivers into their
// maildirs. settings are lines of /etc/courier/imapd, after Debian's.
func StartCourier(t testing.TB, settings string, users ...string) *Server {
	t.Helper()
	dir := folder(t, "courier")
	uid, gid := ids(t, "mail")
	hash, err := exec.Command("openssl", "passwd", "-6", Password).Output()
	if err != nil {
		t.Fatal(err)
	}
	passwd, boxes := "", ""
	homes := subfolder(t, dir, "mail", "mail")
	for _, name := range users {
		home := subfolder(t, homes, name, "mail")
		box := subfolder(t, home, "Maildir", "mail")
		for _, part := range []string{"cur", "new", "tmp"} {
			subfolder(t, box, part, "mail")
		}
		passwd += fmt.Sprintf("%s\tuid=%d|gid=%d|home=%s|systempw=%s\n", name, uid, gid, home, strings.TrimSpace(string(hash)))
		boxes += fmt.Sprintf("%s@%s %s/Maildir/\n", name, Domain, name)
	}
	etc := filepath.Join(dir, "courier")
	for _, d := range []string{etc, filepath.Join(dir, "run/courier/authdaemon"), filepath.Join(dir, "own")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(write(t, etc, "userdb", passwd), 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, etc, "authdaemonrc", `authmodulelist="authuserdb"
authmodulelistorig="authuserdb"
daemons=3
authdaemonvar=/run/courier/authdaemon
DEBUG_LOGIN=0
`)
	debians, err := os.ReadFile(filepath.Join(unpacked(t), "etc/courier/imapd"))
	if err != nil {
		t.Fatal(err)
	}
	number := port(t)
	write(t, etc, "imapd", string(debians)+settings)
	script := unshared(t, dir, map[string]string{"/etc/courier": etc}, "/etc", "/usr/lib", "/usr/libexec") + fmt.Sprintf(`
mount --bind %[1]s/run /run
%[2]s/usr/sbin/makeuserdb
%[2]s/usr/lib/courier/courier-authlib/authdaemond &
set -a
. /etc/courier/imapd
exec %[2]s/usr/sbin/couriertcpd -address=127.0.0.1 -maxprocs=40 -maxperip=40 $TCPDOPTS %[3]s /usr/lib/courier/courier/imaplogin %[2]s/usr/bin/imapd Maildir
`, dir, unpacked(t), number)
	imap := local(number)
	run(t, filepath.Join(dir, "log"), inShell(t, script), imap)
	x := behindPostfix(t, dir, "", users, fmt.Sprintf(`virtual_transport = virtual
virtual_mailbox_base = %s
virtual_mailbox_maps = texthash:%s
virtual_minimum_uid = 1
virtual_uid_maps = static:%d
virtual_gid_maps = static:%d
`, homes, write(t, dir, "boxes", boxes), uid, gid))
	return &Server{IMAPAddr: imap, SMTPAddr: x.SMTPAddr, PasswordFile: write(t, dir, "password", Password+"\n"), Login: byName}
}
