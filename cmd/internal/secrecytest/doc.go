// Package secrecytest proves that no viewer learns what the rules hide from them (R1.5).
//
// # What it proves
//
// The tests store one recorded game in two worlds (worlds_test.go): as it was, and with
// everything swapped that a viewer cannot see, such as other players' hands, the order of
// each pile, and the future of the seed. Everything that leaves the program for that
// viewer must be the same to the last byte: pages, data, the record, letters and plans.
// That holds at each step of whole games, for each player and for the public
// (secrecy_test.go), for letters and their answers (letters_test.go), and for digests
// (digests_test.go). The tests ask for every address of web.Patterns; one that they do not
// know is an error, so a new page needs a line in everything (secrecy_test.go).
//
// # How it can fail
//
// An output differs between the worlds. The test names the game, the line, the viewer and
// the output, and prints the first difference with some text before and after it.
// leaks_test.go leaks something on purpose in each kind of output, and fails if the harness
// does not notice.
// The tests also fail if they swapped too little to prove anything.
//
// # How to run it longer
//
//	go test ./cmd/internal/secrecytest -run Secrecy -secret-games 20 -secret-every 1 -timeout 6h
//
// # Also here
//
// Other tests of stored games use the same harness: plans sent by mail, messages at the
// table, games that are gone, statistics and ratings. Three measure pages: TestPageSizes,
// TestPageSpeed and TestLeaguesFromTheDatabase. With -soak they assert how fast pages are,
// too (web/SPEED.md).
package secrecytest
