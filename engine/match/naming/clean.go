package naming

import (
	"regexp"
	"strings"
	"unicode"
)

var dotted = regexp.MustCompile(`([\pL\pN])\.([\pL\pN-]{2,})`)

// Unlinked returns a name that no mail program turns into a link: letters to people who never
// wrote to us contain names.
func Unlinked(s string) string {
	s = strings.NewReplacer("://", " ", "www.", "www ", "WWW.", "WWW ").Replace(s)
	return dotted.ReplaceAllString(s, "$1. $2")
}

// Clean removes what our letters and pages must not repeat: control and format characters, and
// blanks around. Lines stay lines only in a text.
func Clean(text string, lines bool) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' && lines:
			return r
		case r == '\t' || r == '\n' || r == '\u00a0':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029':
			return -1
		}
		return r
	}, text)
	if !lines {
		text = strings.Join(strings.Fields(text), " ")
	}
	return strings.TrimSpace(text)
}
