package desk_test

import (
	"strings"
	"testing"

	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// TestAddressThatCanNotBe: what can't be invited or added is refused for what it is: no address, one
// of this server, or one with letters before its @ to which most servers can't send.
func TestAddressThatCanNotBe(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) {
		c.Start = "anyone"
		c.Address = func(a string) string { // as far as this needs it
			if strings.ContainsFunc(a, func(r rune) bool { return r > 127 }) {
				return ""
			}
			return a
		}
	})
	o.started(1, "ada", "bo")
	for word, want := range map[string]string{
		"jürgen@x.test": notice.ProblemASCII, "ju\u0308rgen@x.test": notice.ProblemASCII, "用户@例子.test": notice.ProblemASCII,
		"angelpost@angelpost.test": notice.ProblemOurs,
	} {
		for _, line := range []string{"address add " + word, "new game\nplayers: " + word} {
			r := o.write("ada", line)[0]
			found := ""
			for _, l := range r.Answer.Lines {
				if l.Problem != nil {
					found = l.Problem.Code
				}
			}
			if found != want {
				t.Errorf("%q: %q, want %q: %s", line, found, want, summary(r))
			}
		}
	}
}
