package outbox

import (
	"fmt"
	"strings"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"
)

func sampleEvent() *Event {
	return &Event{
		UID: "deadline.g1.2@example.org", Sequence: 7, At: time.Date(2027, 3, 28, 3, 30, 0, 0, time.FixedZone("CEST", 7200)),
		Title: "Zoë's game; a, b\\c " + strings.Repeat("☕ and so on ", 20) + ": your turn ends",
	}
}

// TestEvent reads an event back and holds what a calendar program goes by.
func TestEvent(t *testing.T) {
	stamp := time.Date(2027, 3, 25, 8, 0, 0, 0, time.UTC)
	for _, cancelled := range []bool{false, true} {
		e := sampleEvent()
		e.Cancelled = cancelled
		method, text, err := e.calendar(stamp)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSuffix(text, "\r\n"), "\r\n") {
			if len(line) > 75 || strings.ContainsAny(line, "\r\n") || !strings.Contains(line, ":") && line[0] != ' ' || strings.ToValidUTF8(line, "") != line {
				t.Errorf("the line %q", line)
			}
		}
		cal, err := ics.ParseCalendar(strings.NewReader(text))
		if err != nil || len(cal.Events()) != 1 {
			t.Fatal(err)
		}
		ev := cal.Events()[0]
		begin, err := ev.GetStartAt()
		if err != nil || !begin.Equal(e.At) || ev.Id() != e.UID || ics.FromText(ev.GetProperty(ics.ComponentPropertySummary).Value) != e.Title {
			t.Errorf("%v %v %v %q", err, begin, ev.Id(), ev.GetProperty(ics.ComponentPropertySummary).Value)
		}
		for line, want := range map[string]bool{
			"DTSTAMP:20270325T080000Z": true, "DTSTART:20270328T013000Z": true, "SEQUENCE:7": true,
			"METHOD:" + method: true, "METHOD:PUBLISH": !cancelled, "STATUS:CANCELLED": cancelled, "ATTENDEE": false, "ORGANIZER": false,
		} {
			if strings.Contains(text, line) != want {
				t.Errorf("%s: %v, want %v in\n%s", line, !want, want, text)
			}
		}
		if _, again, _ := e.calendar(stamp); again != text {
			t.Error("the same event has other bytes")
		}
	}
	for i, spoil := range []func(*Event){
		func(e *Event) { e.UID = "x\r\nATTENDEE:mailto:y@example.org" },
		func(e *Event) { e.UID = "" },
		func(e *Event) { e.Sequence = -1 },
		func(e *Event) { e.At = time.Time{} },
	} {
		e := sampleEvent()
		spoil(e)
		if _, _, err := e.calendar(stamp); err == nil {
			t.Errorf("%d: no error", i)
		}
	}
	e := sampleEvent()
	e.Title = "a\r\nATTENDEE:mailto:y@example.org\x00\nEND:VEVENT"
	_, text, err := e.calendar(stamp)
	if err != nil || strings.Contains(text, "\nATTENDEE") || strings.Contains(text, "\x00") || strings.Count(text, "\r\nEND:VEVENT\r\n") != 1 {
		t.Errorf("%v %s", err, fmt.Sprintf("%q", text))
	}
}
