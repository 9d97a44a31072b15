package main

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"angelpost/engine/match"
	"angelpost/mail/outbox"
)

// What a letter to a player does to his calendar, by the codes of what it says.
var (
	endsClock = []string{match.SayDone, match.TellMissed, match.TellAbsent, match.TellPaused, match.SayResigned, match.TellOut,
		match.SayCancelled, match.TellCancelled, match.TellAbandoned, match.RuledPause, match.RuledRollback, match.RuledStart,
		match.RuledAdjudicate, match.RuledVoid, match.RuledReplay, match.RuledLater, match.TellNoShow, match.TellNoShowAll, match.TellNoShowLater}
	setsClock = []string{match.SayDone, match.SayBack, match.SayVacation, match.SayDaysOff, match.TellStarted, match.SayJoined, match.TellResumed}
)

// event is the reader's deadline, for his calendar; nil if the letter changes
// nothing about it. One event serves a whole game: it moves from turn to turn.
func (s *server) event(sheet *match.Sheet, title string) *outbox.Event {
	r := &sheet.Recipe
	seat := r.Seat
	for _, said := range r.Answer.Remarks {
		if n, err := strconv.Atoi(said.Args["seat"]); said.Code == match.TellOut && err == nil {
			seat = n // of one who has none any more
		}
	}
	if r.Game == "" || seat == 0 || sheet.Options.Clock == "" {
		return nil
	}
	says := func(codes []string) bool {
		return slices.ContainsFunc(r.Answer.Remarks, func(said match.Remark) bool { return slices.Contains(codes, said.Code) })
	}
	e := &outbox.Event{
		UID:      fmt.Sprintf("deadline.%s.%d@%s", r.Game, seat, s.conf.host()),
		Sequence: int(max(0, r.Date.Unix()-eventsBegan)),
		Title:    title,
	}
	for _, d := range r.Answer.Deadlines {
		if d.Seat == r.Seat {
			if r.Kind == match.KindAnswer && !says(setsClock) {
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

// eventsBegan is when sequences count from: 1 January 2026. They are seconds, so
// that they tell nothing but when a letter was written, and stay in 31 bits.
const eventsBegan = 1767225600
