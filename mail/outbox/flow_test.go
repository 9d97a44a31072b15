package outbox

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestRoundsTellTheServersFaultFromARecipients: failures for a reason that is not a single
// recipient's are trouble of the server's, until a letter goes; one recipient who is refused
// for now does not count, however often.
func TestRoundsTellTheServersFaultFromARecipients(t *testing.T) {
	many := func(s string) []string { return slices.Repeat([]string{s}, 1000) }
	for _, c := range []struct {
		name, letters string
		replies       map[string][]string
		want          string // rounds, runs of the same joined
	}{
		{"nothing is wrong", "a b", nil, "works"},
		{"one recipient is refused for now", "a b@y.example", map[string][]string{"rcpt a": many("451 later")}, "works"},
		{"only one there is, refused for now", "a", map[string][]string{"rcpt a": many("451 later")}, ""},
		{"two of one domain", "a b", map[string][]string{"rcpt a": many("451 later"), "rcpt b": many("451 later")}, ""},
		{"two of two domains", "a b@y.example", map[string][]string{"rcpt a": many("451 4.3.0 later"), "rcpt b": many("451 4.3.0 not now, b")}, "fails"},
		{"in other words", "a b@y.example", map[string][]string{"rcpt a": many("451 4.3.0 later"), "rcpt b": many("450 4.2.1 greylisted")}, ""},
		{"the letter itself, of two domains", "a b@y.example", map[string][]string{"dot a": many("452 full"), "dot b": many("452 full")}, "fails"},
		{"a connection that breaks under one letter", "a b@y.example", map[string][]string{"dot a": many("drop")}, "works"},
		{"under two", "a b@y.example", map[string][]string{"rcpt a": many("drop"), "data b": many("drop")}, "fails"},
		{"for a while", "a b@y.example", map[string][]string{"rcpt a": {"451 later", "451 later"}, "rcpt b": {"451 later", "451 later"}}, "fails works"},
		{"421 at MAIL", "a", map[string][]string{"mail": many("421 no")}, "fails"},
		{"451 at MAIL", "a", map[string][]string{"mail": many("451 no")}, "fails"},
		{"550 at MAIL", "a", map[string][]string{"mail": many("550 not you")}, "fails"},
		{"a letter too large says nothing", "a", map[string][]string{"mail": many("552 too large")}, "works"},
		{"421 to all", "a b@y.example", map[string][]string{"rcpt a": many("421 no"), "rcpt b": many("421 no")}, "fails"},
		{"no connection", "a", map[string][]string{"connect": many("no route")}, "fails"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, server := play(t, c.letters, c.replies, nil, 1, 20*time.Hour, nil)
				var said []string
				for _, err := range server.rounds {
					s := "works"
					if err != nil {
						s = "fails"
					}
					if len(said) == 0 || said[len(said)-1] != s {
						said = append(said, s)
					}
				}
				if got := strings.Join(said, " "); got != c.want {
					t.Errorf("%q, want %q: %v", got, c.want, server.rounds)
				}
			})
		})
	}
}

// TestWhatIsRecordedOfARefusal: whether a letter was refused for its recipient alone, and
// whether the server may have taken it.
func TestWhatIsRecordedOfARefusal(t *testing.T) {
	for _, c := range []struct {
		letters string
		replies map[string][]string
		want    string // of a's first try
	}{
		{"a", map[string][]string{"rcpt a": {"451 later"}}, "refused"},
		{"a", map[string][]string{"dot a": {"451 later"}}, "refused"},
		{"a", map[string][]string{"dot a": {"drop"}}, "unsure"},
		{"a", map[string][]string{"dot a": {"taken, drop"}}, "unsure"},
		{"a", map[string][]string{"dot a": {"taken, hang"}}, "unsure"},
		{"a", map[string][]string{"body a": {"drop"}}, ""},
		{"a", map[string][]string{"rcpt a": {"drop"}}, ""},
		{"a", map[string][]string{"mail": {"451 later"}}, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			q := &queue{}
			playOn(t, q, c.letters, c.replies, 1, 10*time.Minute, nil)
			why, got := q.letters[1].why, ""
			if len(why) > 0 && why[0].Refused {
				got += "refused"
			}
			if len(why) > 0 && why[0].Unsure {
				got += "unsure"
			}
			if got != c.want || len(why) == 0 {
				t.Errorf("%v: %q, want %q: %+v", c.replies, got, c.want, why)
			}
		})
	}
}
