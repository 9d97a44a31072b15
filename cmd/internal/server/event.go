package server

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"angelpost/engine/notice"
	"angelpost/mail/outbox"
	"angelpost/templates"
	"angelpost/templates/calendar"
)

// What a letter to a player does to their calendar, by the codes of what it says.
var (
	endsClock = []string{notice.SayDone, notice.TellMissed, notice.TellAbsent, notice.TellPaused, notice.SayResigned, notice.TellOut,
		notice.SayCancelled, notice.TellCancelled, notice.TellAbandoned, notice.RuledPause, notice.RuledRollback, notice.RuledStart, notice.TellTakenBack,
		notice.RuledAdjudicate, notice.RuledVoid, notice.RuledReplay, notice.RuledLater, notice.TellNoShow, notice.TellNoShowAll, notice.TellNoShowLater}
	setsClock = []string{notice.SayDone, notice.SayBack, notice.SayVacation, notice.SayDaysOff, notice.TellStarted, notice.SayJoined, notice.TellResumed, notice.TellTakenBack}
)

// event returns the reader's deadline, for their calendar; nil if the letter changes
// nothing about it. One event serves a whole game: it moves from turn to turn.
func (s *Server) event(sheet *notice.Input, body *templates.Letter) *calendar.Event {
	r := &sheet.Message
	seat := r.Seat
	for _, said := range r.Answer.Remarks {
		if n, err := strconv.Atoi(said.Args["seat"]); said.Code == notice.TellOut && err == nil {
			seat = n // of a player who has lost it
		}
	}
	if r.Game == "" || seat == 0 || sheet.Options.Clock == "" {
		return nil
	}
	says := func(codes []string) bool {
		return slices.ContainsFunc(r.Answer.Remarks, func(said notice.Remark) bool { return slices.Contains(codes, said.Code) })
	}
	e := &calendar.Event{UID: calendar.UID(r.Game, seat, s.Conf.Host()), Sequence: calendar.Sequence(r.Date), Title: body.Event, Text: body.EventText, URL: body.EventPage}
	for _, d := range r.Answer.Deadlines {
		if d.Seat == r.Seat {
			if r.Kind == notice.KindAnswer && !says(setsClock) {
				return nil
			}
			e.At = r.Date.Add(time.Duration(d.Left) * time.Second)
			return e
		}
	}
	if !says(endsClock) {
		return nil
	}
	e.At, e.Cancelled = r.Date, true
	return e
}

// calendar is the event as a letter brings it.
func (s *Server) calendar(sheet *notice.Input, body *templates.Letter) (*outbox.Calendar, error) {
	e := s.event(sheet, body)
	if e == nil || sheet.Message.Receipt() && sheet.Message.Result == notice.None {
		return nil, nil // what changes nothing leaves the deadline as it was
	}
	method, text, err := e.Message(sheet.Message.Date)
	if err != nil {
		return nil, fmt.Errorf("calendar: %w", err)
	}
	return &outbox.Calendar{Method: method, Name: calendar.FileName, Text: text}, nil
}
