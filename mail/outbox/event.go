package outbox

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"time"

	ics "github.com/arran4/golang-ical"
)

// An Event is a moment for the reader's calendar. A later letter with the same
// UID and a higher Sequence moves or ends it there (RFC 5545 section 3.8.7.4).
type Event struct {
	UID       string // as a Message-ID: "left@right"
	Sequence  int    // 0 or more
	At        time.Time
	Title     string
	Cancelled bool
}

// eventFile is what a client offers to store an event as.
const eventFile = "deadline.ics"

// calendar is the event as a calendar of its own (RFC 5545), and its method
// (RFC 5546): it asks nobody for an answer.
func (e *Event) calendar(stamp time.Time) (method, text string, err error) {
	if _, err := identifier(e.UID); err != nil || e.Sequence < 0 || e.At.IsZero() {
		return "", "", errors.New("event: it needs an identifier, a sequence and a time")
	}
	cal := ics.NewCalendarFor("Angelpost")
	cal.SetMethod(ics.MethodPublish)
	ev := cal.AddEvent(e.UID)
	ev.SetDtStampTime(stamp)
	ev.SetSequence(e.Sequence)
	ev.SetStartAt(e.At)
	ev.SetEndAt(e.At)
	ev.SetSummary(clean(e.Title))
	ev.SetTimeTransparency(ics.TransparencyTransparent)
	if method = "PUBLISH"; e.Cancelled {
		method = "CANCEL"
		cal.SetMethod(ics.MethodCancel)
		ev.SetStatus(ics.ObjectStatusCancelled)
	}
	return method, cal.Serialize(ics.WithNewLineWindows), nil
}

// writeEvent writes the part with the event.
func writeEvent(out *bytes.Buffer, e *Event, stamp time.Time) error {
	method, text, err := e.calendar(stamp)
	if err != nil {
		return err
	}
	field(out, "Content-Type", fmt.Sprintf("text/calendar; charset=utf-8; method=%s;\r\n name=%q", method, eventFile))
	field(out, "Content-Transfer-Encoding", "base64")
	field(out, "Content-Disposition", fmt.Sprintf("attachment; filename=%q", eventFile))
	out.WriteString("\r\n")
	writeBase64(out, []byte(text))
	return nil
}

func writeBase64(out *bytes.Buffer, data []byte) {
	const perLine = 57 // octets in 76 characters
	for line := range slices.Chunk(data, perLine) {
		out.Write(base64.StdEncoding.AppendEncode(out.AvailableBuffer(), line))
		out.WriteString("\r\n")
	}
}
