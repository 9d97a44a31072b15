// Package copies proves that a letter counts once, however often the mail delivers it.
//
// # What it proves
//
// TestCopies plays the same sequence of letters on two servers. One gets each letter
// once. The other gets it one to five times: out of order, late, through other relays,
// under another Message-ID, and next to other letters that reuse a Message-ID. Both must
// write the same letters to the players and end with the same logs. The second server may
// write two things more: one repeat of an answer, and one report for each letter that it
// holds back.
//
// # How it can fail
//
// A copy moves a game a second time, a new letter is taken for a copy, or the server
// answers a copy more than once. The test names the letter, the sequence and the seed. It
// also fails if some kind of copy never came up, because then it proves too little.
//
// # How to run it longer
//
//	go test ./cmd/internal/copies -copies.sequences 1000
//	go test ./cmd/internal/copies -copies.seed 1234
//
// Each run without -copies.seed draws a new seed and prints it; make soak plays 1,000
// sequences.
package copies
