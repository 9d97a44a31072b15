package letter

import (
	"net/mail"
	"strings"
	"time"
)

// ReceivedBy returns when one of these hosts got a letter, by the topmost Received field, which
// the last of them added (RFC 5321 section 4.4). It ignores fields below, and the Date, because
// anyone may have written them. ok is false if that field is missing, is another host's, or
// cannot be read.
func ReceivedBy(raw []byte, hosts []string) (at time.Time, ok bool) {
	if len(hosts) == 0 {
		return time.Time{}, false
	}
	h, _, _ := parseHeader(raw, MaxHeader)
	field := h.get("received")
	semicolon := strings.LastIndexByte(field, ';')
	if semicolon < 0 || len(field) > maxReceived {
		return time.Time{}, false
	}
	words := strings.Fields(withoutComments(field[:semicolon]))
	for i, w := range words[:max(len(words)-1, 0)] {
		if !strings.EqualFold(w, "by") {
			continue
		}
		by := strings.TrimSuffix(words[i+1], ".")
		for _, host := range hosts {
			if strings.EqualFold(by, strings.TrimSuffix(host, ".")) {
				at, err := mail.ParseDate(strings.TrimSpace(field[semicolon+1:]))
				return at, err == nil
			}
		}
		return time.Time{}, false // the first "by" counts: what follows may quote the sender
	}
	return time.Time{}, false
}

const maxReceived = 4096

// withoutComments leaves out text in parentheses, which may quote the sender.
func withoutComments(s string) string {
	var out strings.Builder
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '(':
			depth++
			out.WriteByte(' ')
		case c == ')' && depth > 0:
			depth--
		case depth == 0:
			out.WriteByte(c)
		}
	}
	return out.String()
}
