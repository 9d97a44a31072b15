package templates

import (
	"strconv"

	"angelpost/engine/match/look"
)

// Talk is the page of what was said in a game, as its viewer may read it.
type Talk struct {
	*Page
	About string // what is looked for; "" nothing
	Said  []look.Said
	Next  string // address of the page behind it; "" if this is the last
}

// who says who said it, and to whom.
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

// stepHref is the position at which something was said.
func (p *Talk) stepHref(s look.Said) string { return p.Home + "?at=" + strconv.Itoa(s.Step) }
