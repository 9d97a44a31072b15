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

// A seat that won after its player had left says so: the player has not won.
func TestResultOfALeaver(t *testing.T) {
	for _, c := range []struct {
		x    Seated
		want string
	}{
		{Seated{Name: "Ada", VP: 44, Won: true, Scored: true}, "★ Ada 44 VP"},
		{Seated{Name: "Ada", VP: 44, Won: true, Scored: true, Left: true}, "★ Ada 44 VP (left, a bot finished)"},
		{Seated{Name: "Ada", Left: true}, "Ada"},
	} {
		if got := result(words.English(), c.x); got != c.want {
			t.Errorf("%+v: %q, want %q", c.x, got, c.want)
		}
	}
}
