// Package damage proves that Angelpost notices a damaged database and plays on with the
// games that can still be read.
//
// # What it proves
//
// TestDamagedPages damages two pages of a database, again and again. Whenever SQLite or a
// replay of the games finds damage, doctor reports it, and backup neither claims nor leaves
// a damaged copy. TestServeDamagedGame spoils the log of one of two games while a server
// runs: the server tells the host, letters to that game get an answer, the other game goes
// on, and the server catches up once the log is right again.
//
// # How it can fail
//
// A command panics, or misses damage that SQLite or a replay finds. The test prints the
// seed, the trial and what each of them said.
//
// # How to run it longer
//
//	go test ./cmd/internal/damage -run TestDamagedPages -damages 500
//	go test ./cmd/internal/damage -run TestDamagedPages -damages.seed 1234
package damage
