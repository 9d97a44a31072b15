package templates

import (
	"time"

	"angelpost/engine/notice"
)

// A HostPage is what only the server's host sees: the same facts as at the command line.
type HostPage struct {
	Frame
	Alarms  []notice.Remark
	Facts   []HostFact
	Letters []HostLetter
	JSON    any // the same as data
}

// A HostLetter is a letter that waits, was set aside, is held or failed.
type HostLetter struct {
	ID, State, Address, Kind, Why string
	Since, Next                   time.Time // zero: never
}

// A HostFact is what something of the server is now: a text, or a moment.
type HostFact struct {
	Key  string // below hostpage
	Text string
	At   time.Time
}
