package templates

import (
	"strconv"

	"angelpost/engine/match/look"
)

// Talk is the page of a game's messages that its viewer may read.
type Talk struct {
	*Page
	About string // what is looked for; "" nothing
	Said  []look.Said
	Next  string // address of the page behind it; "" if this is the last
}

// who names the writer and the readers of a message.
func (p *Talk) who(s look.Said) string {
	from := s.From
	if from == "" {
		from = p.Voice.Say("talk.former", "name", s.Seat)
	}
	switch {
	case s.Note:
		return p.Voice.Say("talk.note", "name", from)
	case s.To != nil:
		return p.Voice.Say("talk.to", "name", from, "names", p.Voice.List(s.To))
	}
	return p.Voice.Say("talk.all", "name", from)
}

// stepHref is the address of the position at which a message was written.
func (p *Talk) stepHref(s look.Said) string { return p.Home + "?at=" + strconv.Itoa(s.Step) }
