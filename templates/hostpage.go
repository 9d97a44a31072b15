package templates

import "angelpost/engine/notice"

// A HostPage is what only the server's host sees: the same facts as at the command line.
type HostPage struct {
	Frame
	Alarms  []notice.Remark
	Facts   [][2]string // key below hostpage, and what it is now
	Letters []HostLetter
	JSON    any // the same as data
}

// A HostLetter is a letter that waits, was set aside, is held or failed.
type HostLetter struct {
	ID, State, Address, Kind, Since, Next, Why string
}
