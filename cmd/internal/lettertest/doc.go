// Package lettertest proves what players, strangers and machines get when they write.
//
// # What it proves
//
// Players with mail clients of their own (cmd/internal/mailclient) write to a demo or a
// server and read what comes back. They know IMAP, SMTP and web/API.md, nothing else.
//
//   - demo_test.go, games_real_test.go, combos_test.go: whole games, by every rule set
//   - first_test.go, first_real_test.go: from init, or a host's first letter, to a game that has begun
//   - conversation_test.go, bots_test.go, token_test.go, mute_test.go: what players write
//   - moved_test.go: a server that has another address now
//   - serve_test.go, address_test.go, neighbours_test.go: who may write and look
//   - hostile_test.go, bounds_test.go, smuggle_test.go, bounce_test.go: letters that are
//     broken, beyond every bound, or two in one
//   - loops_test.go, securityheaders_real_test.go: other machines that answer
//   - lookattack_test.go: a flood of records that the pages are to show
//
// # How it can fail
//
// A letter does not come, does not say what it must, or moves a game that it may not move.
// The test prints the letter and, if it fails, the end of the server's log.
//
// # How to run it longer
//
// Files named _real need the tag real, with Dovecot and Postfix:
//
//	go test -tags real ./cmd/internal/lettertest
//
// Generated letters by the ten thousand are in cmd/internal/intrusions.
package lettertest
