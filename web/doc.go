// Package web shows games over HTTP. No request moves a game. Every address
// answers GET and HEAD, which change nothing at all; one takes a POST as well,
// by which the owner of a key ends the letters to himself (RFC 8058).
//
//	/                        what this is, and the games anybody may watch
//	/g/{id}                  a game as everybody may see it
//	/g/{id}/{key}            the same for the player who holds the key
//	…/view.json              the same as data (CONTRACT.md)
//	/g/{id}/{key}/mute       the button that ends the letters; {key} is one of its own
//	…?at=N                   the position after line N of the game's log
//
// What a page may show is decided by Games, which hands out Views, orders and
// events cut to the viewer. A game that is not there, one that its visibility
// hides, a key that does not fit and a step there is not are all the same 404,
// so that an answer tells nothing; view.json says so in JSON. Who asks for too
// many of them (30, then one in ten seconds, by address or IPv6 /64) gets 429
// for every game until he has waited, with a right key, too.
//
// Pages need no script and load nothing from elsewhere. Keys never appear in
// the log, nor, by Referrer-Policy, in a request to another place.
package web
