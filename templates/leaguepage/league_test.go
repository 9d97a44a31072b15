package leaguepage

import (
	"strings"
	"testing"

	"angelpost/engine/league"
)

// The letter on the page of leagues makes a league that its writer directs.
func TestLeagueLetter(t *testing.T) {
	lines := leagueLetter(league.Sample())
	if r, err := league.ParseRules(strings.Join(lines[1:], "\n")); err != nil || len(r.Directors) != 0 {
		t.Errorf("%v\n%s", err, strings.Join(lines, "\n"))
	}
}
