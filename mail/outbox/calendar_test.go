package outbox

import (
	"bytes"
	"strings"
	"testing"
)

func sampleCalendar() *Calendar {
	return &Calendar{Method: "PUBLISH", Name: "deadline.ics", Text: "BEGIN:VCALENDAR\r\nSUMMARY:Zoë " + strings.Repeat("☕", 100) + "\r\nEND:VCALENDAR\r\n"}
}

// A calendar's method and name come from this program; another that could break the
// header is refused.
func TestCalendarIsRefused(t *testing.T) {
	for i, spoil := range []func(*Calendar){
		func(c *Calendar) { c.Method = "REQUEST" },
		func(c *Calendar) { c.Method = "PUBLISH\r\nX-Evil: 1" },
		func(c *Calendar) { c.Name = "a\"\r\nX-Evil: 1" },
		func(c *Calendar) { c.Text = "" },
	} {
		c := sampleCalendar()
		spoil(c)
		if err := writeCalendar(new(bytes.Buffer), c); err == nil {
			t.Errorf("%d: no error", i)
		}
	}
}
