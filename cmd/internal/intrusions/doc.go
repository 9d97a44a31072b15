// Package intrusions proves that no one can move a game but the player whose turn it is.
//
// # What it proves
//
// TestNobodyElseMoves sends 4,000 generated letters (10,000 in .ci/run) from everyone who may not move:
// strangers, other players, machines, forwarders, forgers. Each holds orders that would
// be legal. No game, seat or address may change, the server may write to the players
// alone, and a second parser must be able to read every letter that it writes. Between
// them the right players move by letters of the same make, so the generator is known to
// write letters that could move a game.
//
// The other tests bound what letters from strangers can do: how much the server writes
// in answer, what a flood of forged letters costs a player, which names it refuses, and
// what it makes of Authentication-Results that it cannot read.
//
// # How it can fail
//
// A guard of the desk lets an intruder through. The test then prints the letters of the
// batch, the seed, and the first place at which the games differ. TestIntrudersAreNoticed
// takes out one guard at a time and fails if the harness does not notice.
//
// A new way to write a letter is a new entry of the table in intrusions_test.go.
//
// # How to run it longer
//
//	go test ./cmd/internal/intrusions -run TestNobodyElseMoves -tries 200000 -try-seed 7
//	go test ./cmd/internal/intrusions -run TestNobodyElseMoves -try-class replayed
//
// -try-class sends the letters of one class alone, one at a time.
package intrusions
