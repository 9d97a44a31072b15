package words

import (
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// TestHelpNamesTheRules: `help hal` asks for a topic of the rules, and the answer names it.
func TestHelpNamesTheRules(t *testing.T) {
	say := func(topic string) string {
		return voice(1).Problem(&notice.Problem{Code: notice.ProblemTopic, Args: map[string]string{"word": "help", "topic": topic}})
	}
	if got := say("hal"); !strings.Contains(got, "`rules hal`") {
		t.Errorf("help hal: %s", got)
	}
	if got := say("wombats"); strings.Contains(got, "rules") {
		t.Errorf("help wombats: %s", got)
	}
}
