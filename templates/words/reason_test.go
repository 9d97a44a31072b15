package words

import (
	"regexp"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/notice"
)

// TestReasonsAreSentences: whatever a person gave as a reason, what we write after it begins a
// new sentence.
func TestReasonsAreSentences(t *testing.T) {
	v := English().For(component.Default(), engine.Seat(1), []string{"Ada"})
	after := regexp.MustCompile(`(16 to 16|he is ill)[^.!?…]? [A-Z]`)
	codes := 0
	for key := range v.messages {
		code, ok := strings.CutPrefix(key, "remark.")
		if !ok {
			continue
		}
		args := map[string]string{"reason": "he is ill", "why": "we agreed, 16 to 16", "has": "reason", "who": "Dora", "by": "Dora", "game": "g", "league": "Tin", "n": "1", "name": "Bo", "then": "", "kind": "void", "date": "2027-01-11", "host": "true", "old": "Lead", "season": "1", "was": "up", "time": "2 days", "word": "void"}
		if strings.HasPrefix(key, "remark.alarm") {
			continue
		}
		text := v.Remark(notice.Remark{Code: code, Args: args})
		if !strings.Contains(text, "he is ill") && !strings.Contains(text, "16 to 16") {
			continue
		}
		codes++
		if after.MatchString(text) || strings.HasSuffix(text, "he is ill") {
			t.Errorf("%s: %s", code, text)
		}
	}
	if codes < 20 {
		t.Errorf("only %d remarks have a reason", codes)
	}
}
