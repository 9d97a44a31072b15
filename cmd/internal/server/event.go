package server

import (
	"fmt"
	"time"

	"angelpost/engine/notice"
	"angelpost/mail/outbox"
	"angelpost/templates"
	"angelpost/templates/calendar"
)

// event returns the reader's deadline, for their calendar; nil if the letter changes
// nothing about it. One event serves a whole game: it moves from turn to turn.
func (s *Server) event(sheet *notice.Input, body *templates.Letter) *calendar.Event {
	r := &sheet.Message
	said := r.Answer.Event
	if said == nil {
		return nil
	}
	e := calendar.Event{UID: calendar.UID(r.Game, said.Seat, s.Conf.NamedBy()), Revised: time.Unix(said.Revised, 0), Title: body.Event, Text: body.EventText, URL: body.EventPage}
	if said.At != 0 {
		e.At = time.Unix(said.At, 0)
	}
	return &e
}

// calendar is the event as a letter brings it.
func (s *Server) calendar(sheet *notice.Input, body *templates.Letter) (*outbox.Calendar, error) {
	e := s.event(sheet, body)
	if e == nil {
		return nil, nil
	}
	method, text, err := e.Message()
	if err != nil {
		return nil, fmt.Errorf("calendar: %w", err)
	}
	return &outbox.Calendar{Method: method, Name: calendar.FileName, Text: text}, nil
}
