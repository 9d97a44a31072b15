//go:build real

package peers

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// StartExim starts Exim, which delivers letters for Domain to d by LMTP, with plus addressing. A
// sample's routers come before that, its transports as well.
func StartExim(t testing.TB, d *Dovecot, sample string) *Server {
	t.Helper()
	dir := folder(t, "exim")
	spool := subfolder(t, dir, "spool", "Debian-exim")
	_, sample, _ = strings.Cut(sample, "begin routers\n")
	routers, transports, _ := strings.Cut(sample, "begin transports\n")
	smtp := port(t)
	_, lmtp, _ := strings.Cut(d.LMTPAddr, ":")
	config := write(t, dir, "exim.conf", fmt.Sprintf(`
primary_hostname = mail.%[1]s
exim_path = %[7]s
local_interfaces = 127.0.0.1
daemon_smtp_ports = %[2]s
spool_directory = %[3]s
log_file_path = %[3]s/%%slog
pid_file_path = %[3]s/pid
keep_environment =
acl_smtp_rcpt = accept
smtp_accept_max = 100
message_size_limit = 40M
begin routers
%[4]s
mailboxes:
  driver = manualroute
  domains = %[1]s
  local_part_suffix = +*
  local_part_suffix_optional
  transport = mailboxes
  route_list = * 127.0.0.1
  self = send
begin transports
%[5]s
mailboxes:
  driver = smtp
  protocol = lmtp
  port = %[6]s
  allow_localhost
  rcpt_include_affixes
begin retry
* * F,1h,5s
`, Domain, smtp, spool, routers, transports, lmtp, filepath.Join(unpacked(t), "usr/sbin/exim4")))
	s := &Server{IMAPAddr: d.IMAPAddr, SMTPAddr: local(smtp), PasswordFile: d.PasswordFile, Login: byName}
	run(t, filepath.Join(spool, "mainlog"), command(t, "usr/sbin/exim4", "-C", config, "-bdf", "-q5s"), s.SMTPAddr)
	return s
}
