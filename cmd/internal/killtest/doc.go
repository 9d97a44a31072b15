// Package killtest proves that no letter is lost and no order counts twice, wherever the
// server dies.
//
// # What it proves
//
// TestKills runs the real server between Dovecot and Postfix. Players move in eight games
// at once by letters alone and write every other kind of letter, too. Meanwhile the server
// dies by SIGKILL again and again: it kills itself at a fault point (cmd/angelpost/TESTS.md
// lists them), or the test kills it at any moment. At the end the oracle
// (cmd/internal/oracle) accounts for every letter. TestKillsByLMTP does the same with a
// Postfix that hands letters to the server itself. mail/RELIABILITY.md has the figures of
// the last long run.
//
// TestKillsWithReplica loses the disk with each kill, and goes on with a replica by Litestream.
//
// TestFaultPoints and TestStopAtFaultPoints need no peers. They show on a demo that each
// fault point is there, and that a server asked to end at one ends in good order.
//
// # How it can fail
//
// The oracle names each letter that was lost, applied twice or told wrongly. The test also
// fails if "verify -all" finds a game that does not replay, if the server takes too long to
// come up, or if a fault point got less than its share of the kills. It logs the end of the
// server's, Dovecot's and Postfix's logs.
//
// # How to run it longer
//
//	go test -tags real ./cmd/internal/killtest -run TestKills -kills 520
//	go test -tags real ./cmd/internal/killtest -run TestKills -kills 520 -report mail/RELIABILITY.md
//
// TestKillsByLMTP and TestKillsWithReplica kill a sixth as often, so they need -kills 6 at
// least. From 500 kills on, tighter bounds hold.
package killtest
