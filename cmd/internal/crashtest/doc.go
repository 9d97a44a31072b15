// Package crashtest proves that games survive what happens to a host: a process that dies,
// a full disk, a clock that jumps, a backup put back, a second server, a broken mail server.
//
// # What it proves
//
// Players play the demo or a server by letters while a test breaks something. In the end
// the game's log holds exactly what the players sent, each letter has its answer, and
// nothing stays behind in the mailbox.
//
//   - survive_test.go, planner_test.go, lmtp_real_test.go: kills, stops, backups, copies
//   - cut_real_test.go: an IMAP connection that breaks again and again
//   - full_real_test.go: a full disk, at work and at the start
//   - guard_test.go: two servers on one database or mailbox; clocks that jump
//   - restore_test.go: an old copy in the place of the database
//   - smtpfaults_real_test.go, stalled_test.go: a mail server that stalls, cuts or refuses
//     (rough_test.go)
//
// # How it can fail
//
// An order is lost or played twice, a letter gets two answers or none, a server does not
// come up or does not stop within five seconds. The test prints the end of the server's log.
//
// # How to run it longer
//
// The number of kills is a constant in each test. To kill a server for hours, see
// cmd/internal/killtest. Files named _real need the tag real, with Dovecot and Postfix:
//
//	go test -tags real ./cmd/internal/crashtest
package crashtest
