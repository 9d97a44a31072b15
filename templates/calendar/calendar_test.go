package calendar

import (
	"fmt"
	"strings"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"
)

func sampleEvent() *Event {
	return &Event{
		UID: "deadline.g1.2@example.org", Revised: time.Date(2027, 3, 25, 8, 0, 0, 0, time.UTC), At: time.Date(2027, 3, 28, 3, 30, 0, 0, time.FixedZone("CEST", 7200)),
		Text: "Reply to the last letter; or look here, " + strings.Repeat("ä", 100), URL: "https://play.example/g/abc/" + strings.Repeat("k", 90),
		Title: "Zoë's game; a, b\\c " + strings.Repeat("☕ and so on ", 20) + ": your turn ends",
	}
}

// TestEvent reads an event back and holds what a calendar program goes by.
func TestEvent(t *testing.T) {
	for _, c := range []struct {
		method    string
		cancelled bool
	}{{"PUBLISH", false}, {"CANCEL", true}, {"", false}, {"", true}} {
		e := sampleEvent()
		if c.cancelled {
			e.At = time.Time{}
		}
		write := func() (method, text string, err error) {
			if c.method == "" {
				text, err = e.File()
				return "", text, err
			}
			return e.Message()
		}
		method, text, err := write()
		if err != nil || method != c.method {
			t.Fatal(method, err)
		}
		grammar(t, text)
		cal, err := ics.ParseCalendar(strings.NewReader(text))
		if err != nil || len(cal.Events()) != 1 {
			t.Fatal(err)
		}
		ev := cal.Events()[0]
		value := func(of ics.ComponentProperty) string { return ics.FromText(ev.GetProperty(of).Value) }
		begin, err := ev.GetStartAt()
		want := e.At
		if c.cancelled {
			want = e.Revised
		}
		if err != nil || !begin.Equal(want) || ev.Id() != e.UID || value(ics.ComponentPropertySummary) != e.Title || value(ics.ComponentPropertyDescription) != e.Text || value(ics.ComponentPropertyUrl) != e.URL {
			t.Errorf("%v %v %v %q", err, begin, ev.Id(), value(ics.ComponentPropertySummary))
		}
		for line, want := range map[string]bool{
			"DTSTAMP:20270325T080000Z": true, "DTSTART:20270328T013000Z": !c.cancelled, "SEQUENCE:38736000\r\n": true, "DURATION:PT1S\r\n": true, "PRODID:-//Angelpost//Angelpost//EN\r\n": true,
			"METHOD:": c.method != "", "METHOD:" + c.method + "\r\n": c.method != "", "STATUS:CANCELLED": c.cancelled, "ATTENDEE": false, "ORGANIZER": false, "DTEND": false,
		} {
			if strings.Contains(text, line) != want {
				t.Errorf("%s: %v, want %v in\n%s", line, !want, want, text)
			}
		}
		if _, again, _ := write(); again != text {
			t.Error("the same event has other bytes")
		}
	}
	for i, spoil := range []func(*Event){
		func(e *Event) { e.UID = "x\r\nATTENDEE:mailto:y@example.org" },
		func(e *Event) { e.UID = "" },
		func(e *Event) { e.URL = "https://play.example/\r\nATTENDEE:x" },
		func(e *Event) { e.URL = "https://play.example/ä" },
		func(e *Event) { e.Revised = time.Time{} },
	} {
		e := sampleEvent()
		spoil(e)
		if _, _, err := e.Message(); err == nil {
			t.Errorf("%d: no error", i)
		}
	}
	e := sampleEvent()
	e.Title = "a\r\nATTENDEE:mailto:y@example.org\x00\nEND:VEVENT"
	_, text, err := e.Message()
	if err != nil || strings.Contains(text, "\nATTENDEE") || strings.Contains(text, "\x00") || strings.Count(text, "\r\nEND:VEVENT\r\n") != 1 {
		t.Errorf("%v %s", err, fmt.Sprintf("%q", text))
	}
}

// grammar holds an object to RFC 5545: content lines of at most 75 octets that end in
// CRLF (3.1), each property once at most and as often as it must be (3.6, 3.6.1).
func grammar(t *testing.T, text string) {
	t.Helper()
	if !strings.HasSuffix(text, "\r\n") {
		t.Errorf("the last line does not end: %q", text)
	}
	var lines []string
	for _, line := range strings.Split(strings.TrimSuffix(text, "\r\n"), "\r\n") {
		if len(line) > 75 || strings.ContainsAny(line, "\r\n") || line == "" || strings.ToValidUTF8(line, "") != line {
			t.Errorf("the line %q", line)
		}
		if rest, folded := strings.CutPrefix(line, " "); folded {
			lines[len(lines)-1] += rest
		} else {
			lines = append(lines, line)
		}
	}
	if lines[0] != "BEGIN:VCALENDAR" || lines[len(lines)-1] != "END:VCALENDAR" {
		t.Errorf("it is no calendar:\n%s", text)
	}
	seen := map[string]int{}
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		if !ok || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-") != "" || value == "" {
			t.Errorf("the content line %q", line)
		}
		if seen[name]++; seen[name] > 1 && name != "BEGIN" && name != "END" {
			t.Errorf("%s stands there again", name)
		}
	}
	for _, name := range []string{"VERSION", "PRODID", "UID", "DTSTAMP", "DTSTART"} {
		if seen[name] != 1 {
			t.Errorf("there is no %s", name)
		}
	}
}
