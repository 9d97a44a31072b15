// Package incoming says what letters from outside are: the vocabulary that the reader of
// letters (mail/letter) and the desk share.
package incoming

// A Class is the kind of a letter; the values are those of web/API.md's read.
type Class string

// The classes. Only Orders, Empty, TooLarge and Broken may be answered.
const (
	Orders     Class = "orders"    // order lines or press were found
	Auto       Class = "auto"      // sent by a machine (RFC 3834), a loop, or one of our own
	Bounced    Class = "bounce"    // a delivery failed or is late (RFC 3464)
	List       Class = "list"      // sent through a mailing list
	Calendar   Class = "calendar"  // a calendar program's request or reply (RFC 6047)
	Complained Class = "complaint" // an abuse report (RFC 5965)
	Receipt    Class = "receipt"   // a read receipt (RFC 8098), or a delivery that succeeded
	Reaction   Class = "reaction"  // a mail program's 👍 to a letter
	Empty      Class = "empty"     // a person's letter without an order line or press
	TooLarge   Class = "too_large" // beyond the bounds; only the header counts
	Broken     Class = "broken"    // no single author, or no readable text
)

// A Bounce is what a delivery report (RFC 3464) says about one recipient.
type Bounce struct {
	Address   string // normalised; "" if the report names none
	MessageID string // of our letter that bounced; "" if the report does not say
	Permanent bool   // false: delayed, or given up for a passing reason (4.x.x)
	Status    string // RFC 3463, "5.1.1"; may be ""
}

// A Complaint is what an abuse report (RFC 5965) says about a letter.
type Complaint struct {
	Address   string // of the person who complains, normalised; "" if the report hides it
	MessageID string // of the letter; "" if the report does not say
}

// Press is a message from player to player.
type Press struct {
	From string `json:"from"`         // name; "" in a letter that is being read: its writer
	To   string `json:"to,omitempty"` // name, as written in a letter that is being read; "" to all
	Text string `json:"text"`         // lines separated by "\n"
}
