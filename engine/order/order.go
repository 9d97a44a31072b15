// Package order is the order language of ORDERS.md: text to step and back.
//
// Print writes the one canonical line of a step and Parse reads exactly those
// lines: Parse(Print(s)) == s for every step of the rules, and whatever
// Parse accepts Print gives back unchanged. Neither needs a position or a
// component set. A masked step prints a card's back in the card's place.
//
// What players write is read more kindly. ReadLetter and Expand cut text into
// Clauses and Words without knowing the game; Match holds one Clause against
// the steps that are legal now. It never guesses: one meaning is a step,
// several are asked back, none is refused with what was understood and what is
// legal. Everything taken from a letter is bounded, and no input panics.
//
// Below a line "plan" stands an Ahead: blocks of orders for a turn to come, each
// with Guards, conditions of public facts. A Guard has a canonical text as a step
// has. A Standing is what follows "always" or "never", for whenever the same
// decision comes up again; a Ruling is a line from the host or a director.
package order

// Bounds on what is read; what lies beyond is reported, never dropped silently.
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
