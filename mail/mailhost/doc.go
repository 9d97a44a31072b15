// Package mailhost is a small mail server inside the process, for the demo and
// for tests: IMAP (RFC 9051 and 3501, with IDLE, MOVE, UIDPLUS), SMTP
// (RFC 5321) and a post room in the browser for people who try the demo.
//
// # Promises
//
// It listens on loopback addresses only, without TLS. Each account is a local
// part at one domain; "name+anything" reaches the account "name". Login is by
// local part or address with one password for all; SMTP needs none. Letters
// to any other address are refused with 550.
//
// Before APPEND or DATA is acknowledged the letter is on disk: one file each, written, synced
// and renamed into place. The same holds for CREATE, COPY, MOVE and EXPUNGE. A killed process
// therefore loses nothing it acknowledged, and what it had not may show up all the same. Flags
// are forgotten with the process. Each start assigns new UIDs, with its own UIDVALIDITY values.
//
// One process at a time may use a data folder.
package mailhost
