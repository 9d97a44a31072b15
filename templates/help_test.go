package templates

import (
	"strings"
	"testing"
	"unicode/utf8"

	"angelpost/engine/notice"
	"angelpost/templates/words"
)

// What `help` lists fits on a screen, with its heading.
func TestHelpIsAScreenLong(t *testing.T) {
	s := &notice.Input{Message: notice.Message{Kind: notice.KindAnswer, Result: notice.None, Answer: notice.Answer{Sections: []notice.Section{{Kind: "help"}}}}}
	l := render(t, s, Site{})
	first := words.English().Say("help.intro")[:30]
	at, end := strings.Index(l.Text, first), strings.Index(l.Text, "`rules` explains the")
	if at < 0 || end < at {
		t.Fatalf("no help in\n%s", l.Text)
	}
	lines := strings.Split(strings.TrimSpace(l.Text[at:end]), "\n")
	if len(lines) > 22 { // and a heading with an empty line
		t.Errorf("%d lines:\n%s", len(lines), l.Text[at:end])
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 72 {
			t.Errorf("%q is too long", line)
		}
	}
	s.Message.Answer.Sections[0].Topic = "plan"
	text := render(t, s, Site{}).Text
	if i, j := strings.Index(text, "  | plan\n  | if hex b4 free\n"), strings.Index(text, "We play these orders"); i < 0 || j < i {
		t.Errorf("the example does not come first:\n%s", text)
	}
}
