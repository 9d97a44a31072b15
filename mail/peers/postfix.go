//go:build real

package peers

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Postfix is a running SMTP server.
type Postfix struct {
	SMTPAddr  string // in the clear, and STARTTLS; AUTH PLAIN and LOGIN offered, not asked for
	SMTPSAddr string // TLS from the first byte
	// SubmissionAddr asks for AUTH.
	SubmissionAddr string
	Log            string // the file it logs to

	conf string
}

// Flush has Postfix try all letters that wait, whatever it thinks of their
// time.
func (p *Postfix) Flush(t testing.TB) {
	t.Helper()
	if said, err := exec.Command("postqueue", "-c", p.conf, "-f").CombinedOutput(); err != nil {
		t.Fatalf("postqueue -f: %v\n%s", err, said)
	}
}

// StartPostfix starts Postfix, which delivers letters for Domain to d by LMTP, with plus
// addressing, refuses unknown users with 550, and sends nothing anywhere else. It takes letters
// for gone, too, which are users that Dovecot does not know, and sends bounces to their senders
// once Dovecot has refused them.
func StartPostfix(t testing.TB, d *Dovecot, gone ...string) *Postfix {
	t.Helper()
	return StartPostfixWith(t, d, "", gone...)
}

// StartPostfixWith is StartPostfix with further lines of main.cf.
func StartPostfixWith(t testing.TB, d *Dovecot, options string, gone ...string) *Postfix {
	t.Helper()
	dir := folder(t, "postfix")
	for _, name := range []string{"data", "queue"} {
		owner := "postfix"
		if name == "queue" {
			owner = "root"
		}
		subfolder(t, dir, name, owner)
	}
	conf := subfolder(t, dir, "conf", "root")
	users := ""
	for _, name := range append(slices.Clone(gone), d.Users...) {
		users += fmt.Sprintf("%s@%s %s\n", name, Domain, name)
	}
	usersFile := write(t, dir, "users", users)
	ports := []string{port(t), port(t), port(t)}
	log := filepath.Join(dir, "log")
	p := &Postfix{SMTPAddr: local(ports[0]), SMTPSAddr: local(ports[1]), SubmissionAddr: local(ports[2]), Log: log, conf: conf}

	write(t, conf, "main.cf", fmt.Sprintf(`
compatibility_level = 3.6
queue_directory = %[1]s/queue
data_directory = %[1]s/data
mail_owner = postfix
setgid_group = postdrop
maillog_file = %[2]s
maillog_file_prefixes = %[1]s
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.%[3]s
mydestination =
mynetworks = 127.0.0.0/8
alias_maps =
alias_database =
local_recipient_maps =
recipient_delimiter = +
virtual_mailbox_domains = %[3]s
virtual_mailbox_maps = texthash:%[4]s
virtual_transport = lmtp:inet:%[5]s
default_transport = error:this server delivers to %[3]s only
relay_transport = error:this server delivers to %[3]s only
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_peername_lookup = no
smtpd_forbid_bare_newline = normalize
smtpd_forbid_bare_newline_exclusions =
message_size_limit = 41943040
mailbox_size_limit = 0
virtual_mailbox_limit = 0
smtpd_tls_security_level = may
smtpd_tls_cert_file = %[6]s
smtpd_tls_key_file = %[7]s
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = %[8]s
minimal_backoff_time = 5s
maximal_backoff_time = 5s
queue_run_delay = 5s
`, dir, log, Domain, usersFile, d.LMTPAddr, d.certFile, d.keyFile, d.authSocket)+options+"\n")

	write(t, conf, "master.cf", fmt.Sprintf(`
%s inet n - n - - smtpd
%s inet n - n - - smtpd
  -o smtpd_tls_wrappermode=yes
%s inet n - n - - smtpd
  -o smtpd_client_restrictions=permit_sasl_authenticated,reject
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`, p.SMTPAddr, p.SMTPSAddr, p.SubmissionAddr))

	// "postfix check" makes the queue's folders. The master is then started as
	// our own child, not by "postfix start-fg", whose grandchild it would be: so
	// it ends even when the test is killed.
	if said, err := exec.Command("postfix", "-c", conf, "check").CombinedOutput(); err != nil {
		t.Fatalf("postfix check: %v (is the Debian package installed?)\n%s", err, said)
	}
	daemons, err := exec.Command("postconf", "-c", conf, "-h", "daemon_directory").Output()
	if err != nil {
		t.Fatal(err)
	}
	master := exec.Command(filepath.Join(strings.TrimSpace(string(daemons)), "master"), "-d", "-c", conf)
	run(t, log, master, p.SMTPAddr)
	return p
}
