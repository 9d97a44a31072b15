// Package match is the desk, which turns letters in into steps of games and letters
// out, and the host, from which pages, letters and scripts read games and leagues.
//
// The desk handles one Command at a time, and does all that follows from it in one
// transaction of its store.DB: lines of games' logs, tokens, and the letters to write, as
// notice.Messages. A position is never edited; it is replayed from the log (engine/game).
//
// In a game with a clock (pace.Control) each player to move has a deadline; a missed one
// is handled as the clock says. Server downtime does not count against anyone. What is
// due is a row (store.Due).
//
// Plans for coming turns and standing orders are done without a letter; no one but their
// player ever sees them. A league's director or the server's host rules over a game by
// rulings (notice.Ruling), each with a reason that everyone who sees the game may read;
// the log only grows by them. Games of a league begin, and their results and rulings are
// noted, in the league's own log, from which engine/league computes.
//
// What leaves the desk is redacted for its reader: views, legal orders, events through
// engine.Event.For. Time, chance and names of things are injected (Config).
package match

import (
	"time"

	"angelpost/engine/incoming"
)

// A Command is one letter in, already read.
type Command struct {
	From       string         // address of the writer
	Name       string         // display name they gave, "" if none
	Token      string         // from the address it came to, or the subject tag; "" if none
	Class      incoming.Class // "" is incoming.Orders
	MessageID  string         // without angle brackets; "" if it had none
	Date       time.Time      // as the letter says; zero if it does not
	InReplyTo  string         // the Message-ID it answers, without angle brackets; "" if it says none
	BodyHash   string         // hex SHA-256 of the decoded body
	Subject    string
	Lines      []string // what the author wrote, line by line (mail/letter's Text)
	Barred     int      // lines dropped because of their bar
	Quoted     int      // listed orders that lost their bar but stand inside the quotation
	AuthFailed bool     // the receiving server found DMARC or DKIM failed
	AuthPassed bool     // it found that DMARC passed
	// AuthIllegible is the beginning of the field in which it says what it found, if
	// that cannot be read.
	AuthIllegible string
	Bounced       []incoming.Bounce // of a letter of class incoming.Bounced
	Received      time.Time
	Raw           []byte // the whole letter as fetched, or its header if too large
}
