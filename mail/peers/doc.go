// Package peers starts real mail servers for tests: Dovecot (IMAP, LMTP) and
// Postfix (SMTP, delivering to that Dovecot), from the Debian packages
// dovecot-imapd, dovecot-lmtpd, dovecot-sieve and postfix, with configuration,
// spool and logs of their own in a temporary folder, on 127.0.0.1 and ports they
// pick. There are other servers, too, from packages that .ci/servers unpacks without installing
// them. They stop when the test ends, and their logs are shown when it has failed.
//
// Everything but this comment is built with the tag "real" only. Both servers
// start processes under several users, so the tests must run as root; a
// missing package or right fails the test, for setting the tag asks to
// know.
package peers
