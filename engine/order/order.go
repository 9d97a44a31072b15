// Package order is the order language of ORDERS.md: text to step and back.
//
// Print writes the one canonical line of a step and Parse reads exactly those lines:
// Parse(Print(s)) == s for every step of the rules, and Print returns unchanged every line
// that Parse accepts. Neither needs a position or a component set. A masked step prints a
// card's back in the card's place.
//
// The text that players write is read more leniently. ReadLetter and Expand cut text into
// Clauses and Words without knowing the game; Match compares one Clause with the steps that
// are legal now. It never guesses: one meaning is a step, several become a question to the
// player, and none becomes an error with what was understood and what is legal. Everything
// taken from a letter is bounded, and no input panics.
//
// A line "plan" begins an Ahead: blocks of orders for a future turn, each with Guards,
// conditions on public facts. A Guard has a canonical text, as a step has. A Standing is
// what follows "always" or "never", and applies whenever the same decision comes up again;
// a Ruling is a line from the host or a director.
package order

// Bounds on the text that is read. Text beyond them is reported, never dropped silently.
const (
	MaxLine    = 400  // bytes of a line of orders
	MaxLines   = 400  // lines of a letter
	MaxClauses = 64   // clauses of a letter
	MaxText    = 4000 // bytes of a press text or a note
	MaxWish    = 12   // dice or cards of a list of wishes
	MaxBlocks  = 8    // of a plan
	MaxGuards  = 8    // of a block
	MaxPlan    = 4000 // bytes of a plan's lines
)
