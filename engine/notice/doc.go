// Package notice holds what letters to players say, as data: a Message is one letter in
// the outbox, its Answer the codes and arguments of which templates/words makes
// sentences, an Input all that rendering it needs.
//
// A Message and the game's log always render to the same bytes: a Message holds codes
// and arguments, never sentences, and nothing in it is looked up again.
package notice
