package templates

import (
	"testing"
	"time"

	"angelpost/templates/words"
)

// A game that begins and ends on one day shows the day once.
func TestOneDayIsShownOnce(t *testing.T) {
	began := time.Date(2026, 11, 22, 20, 1, 0, 0, time.UTC)
	for _, c := range []struct {
		after time.Duration
		want  string
	}{
		{14 * time.Minute, "20:15 UTC"},
		{24 * time.Hour, "23 Nov 2026, 20:01 UTC"},
	} {
		if got := until(words.English(), began, began.Add(c.after)); got != c.want {
			t.Errorf("%v later: %q, want %q", c.after, got, c.want)
		}
	}
}
