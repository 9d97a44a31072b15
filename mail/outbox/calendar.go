package outbox

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
)

// A Calendar is an iCalendar object (RFC 5545) that a letter brings for the reader's
// calendar, and its method (RFC 6047).
type Calendar struct{ Method, Name, Text string }

// methods are those that ask no one for an answer.
var methods = []string{"PUBLISH", "CANCEL"}

// writeCalendar writes the part with a calendar.
func writeCalendar(out *bytes.Buffer, c *Calendar) error {
	if !slices.Contains(methods, c.Method) || !isDotAtom(c.Name) || c.Text == "" {
		return errors.New("calendar: it needs a method, a name and a text")
	}
	field(out, "Content-Type", fmt.Sprintf("text/calendar; charset=utf-8; method=%s;\r\n name=%q", c.Method, c.Name))
	field(out, "Content-Transfer-Encoding", "base64")
	field(out, "Content-Disposition", fmt.Sprintf("attachment; filename=%q", c.Name))
	out.WriteString("\r\n")
	writeBase64(out, []byte(c.Text))
	return nil
}

func writeBase64(out *bytes.Buffer, data []byte) {
	const perLine = 57 // octets in 76 characters
	for line := range slices.Chunk(data, perLine) {
		out.Write(base64.StdEncoding.AppendEncode(out.AvailableBuffer(), line))
		out.WriteString("\r\n")
	}
}
