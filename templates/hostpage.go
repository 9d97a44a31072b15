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
	Games   []HostGame   // under way, those first in which nothing has happened for longest
	Players []HostPlayer // the latest first
	JSON    any          // the same as data
}

// A HostLetter is a letter that waits, was set aside, is held or failed.
type HostLetter struct {
	ID, State, Address, Kind, Why string
	Game, MessageID               string
	Tries                         int
	Since, Next                   time.Time // zero: never
}

// A HostGame is a game under way.
type HostGame struct {
	ID, Name string
	Seats    []string // players' names
	Waits    string   // who must move first, by Deadline; "" without a clock
	Deadline time.Time
	Changed  time.Time
	Paused   time.Time // zero: it is not
}

// A HostPlayer is a player, or someone who was invited.
type HostPlayer struct {
	ID            int64
	Name, Address string
	Running       int       // games
	Last          time.Time // letter from them; zero: none
	Bounced       time.Time // since when letters come back; zero: they do not
}

// A HostFact is what something of the server is now: a text, or a moment.
type HostFact struct {
	Key  string // below hostpage
	Text string
	At   time.Time
}
