// Package browsertest proves that every page works in a real browser, for everyone.
//
// # What it proves
//
// Chromium opens pages of a demo or a server (chromium_test.go). TestKindsOfPages looks at a
// page of every kind, on a phone and a desk, light and dark: axe-core finds nothing wrong,
// nothing is wider than the window, and the keyboard reaches everything. TestBoardInChromium
// measures the letters of the boards on a phone and at 200 %. TestTableByKeys goes through
// the table by Tab and arrow keys, up to 400 %. Other tests do what people
// do: a newcomer finds their way from the demo's mailbox into the game, a player plans a
// turn with the mouse or the keys, a reader mutes a game.
//
// # How it can fail
//
// A page asks another host for something, logs an error, or loses an element that a test
// looks for. Tests leave pictures to look at in the folder artefacts, or in $ARTEFACTS.
//
// A new kind of page is a new line in fair_test.go.
//
// # How to run it longer
//
// All of it needs the tag real, Chromium, and axe-core (npm ci in web/testdata):
//
//	go test -tags real ./cmd/internal/browsertest
//	go test -tags real ./cmd/internal/browsertest -run TestKindsOfPages -shots DIR
//	make pictures          (the README's)
package browsertest
