// Package calendar writes a player's deadline as an iCalendar object (RFC 5545), for
// letters and pages.
package calendar

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	ics "github.com/arran4/golang-ical"
)

// An Event is a deadline in the reader's calendar. One with the same UID that was revised later
// moves or ends it there (RFC 5545 section 3.8.7.4), so letters and pages must tell of the same
// change by the same time.
type Event struct {
	UID     string
	Revised time.Time // when it last changed, in whole seconds, and later with each change
	At      time.Time // zero: there is none any more
	Title   string    // one line
	Text    string    // "" none
	URL     string    // "" none
}

// FileName is what a client offers to store an Event as.
const FileName = "deadline.ics"

// product names what wrote a calendar (RFC 5545 section 3.7.3).
const product = "-//Angelpost//Angelpost//EN"

// UID identifies the deadline of a seat of a game on a server: one event that moves
// from turn to turn.
func UID(game string, seat int, host string) string {
	return fmt.Sprintf("deadline.%s.%d@%s", game, seat, host)
}

// sequence is the SEQUENCE of what was revised at a time: seconds since 1 January 2026, which stay
// in 31 bits.
func sequence(revised time.Time) int { return int(max(0, revised.Unix()-began)) }

const began = 1767225600

// Message returns the event as a letter carries it, and its method (RFC 5546), which
// asks no one for an answer.
func (e *Event) Message() (method, text string, err error) {
	if method = "PUBLISH"; e.At.IsZero() {
		method = "CANCEL"
	}
	text, err = e.write(method)
	return method, text, err
}

// File returns the event as a file, for a reader to open once or fetch repeatedly. It has no
// METHOD, because no one sends it.
func (e *Event) File() (string, error) { return e.write("") }

// Calendar returns several events as one file, to be fetched again and again. There must be one
// at least (RFC 5545 section 3.6). name is what programs call it.
func Calendar(name string, events []Event) (string, error) {
	if len(events) == 0 {
		return "", errors.New("calendar: it needs an event")
	}
	cal := ics.NewCalendar()
	cal.SetProductId(product)
	cal.SetXWRCalName(clean(name))
	for i := range events {
		if err := events[i].add(cal); err != nil {
			return "", err
		}
	}
	return cal.Serialize(ics.WithNewLineWindows), nil
}

func (e *Event) write(method string) (string, error) {
	cal := ics.NewCalendar()
	cal.SetProductId(product)
	if method != "" {
		cal.SetMethod(ics.Method(method))
	}
	if err := e.add(cal); err != nil {
		return "", err
	}
	return cal.Serialize(ics.WithNewLineWindows), nil
}

// add writes a duration of a second: without one khal takes an event for an hour long, and
// calcurse imports none that lasts no time (findings/calcurse-duration.sh). An event that is
// over has the time at which it ended.
func (e *Event) add(cal *ics.Calendar) error {
	if !identifier(e.UID) || e.Revised.IsZero() || strings.ContainsFunc(e.URL, notInURL) {
		return errors.New("event: it needs an identifier, a time at which it changed and an address that is one")
	}
	ev := cal.AddEvent(e.UID)
	ev.SetDtStampTime(e.Revised)
	ev.SetSequence(sequence(e.Revised))
	at := e.At
	if at.IsZero() {
		at = e.Revised
		ev.SetStatus(ics.ObjectStatusCancelled)
	}
	ev.SetStartAt(at)
	ev.SetProperty(ics.ComponentPropertyDuration, "PT1S")
	ev.SetSummary(clean(e.Title))
	if e.Text != "" {
		ev.SetDescription(clean(e.Text))
	}
	if e.URL != "" {
		ev.SetURL(e.URL)
	}
	ev.SetTimeTransparency(ics.TransparencyTransparent)
	return nil
}

// identifier reports whether s can be a UID: bounded, without blanks.
func identifier(s string) bool {
	return s != "" && len(s) <= 255 && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
}

// notInURL reports whether a character is not allowed in a URL (RFC 3986).
func notInURL(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`<>"\^{|}`+"`", r) }

// maxText bounds a title or a description, in bytes.
const maxText = 1000

// clean is a text on one line, without control characters and what turns the direction
// of text around.
func clean(s string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}), " ")
	if len(s) > maxText {
		cut := maxText
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return s
}
