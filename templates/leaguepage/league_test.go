package leaguepage

import (
	"strings"
	"testing"

	"angelpost/engine/league"
	"angelpost/engine/match/look"
)

// The letter on the page of leagues makes a league that its writer directs.
func TestLeagueLetter(t *testing.T) {
	lines := leagueLetter(league.Sample())
	if r, err := league.ParseRules(strings.Join(lines[1:], "\n")); err != nil || len(r.Directors) != 0 {
		t.Errorf("%v\n%s", err, strings.Join(lines, "\n"))
	}
}

// A knock-out of which no round has begun has nothing to draw.
func TestBracketOfNothing(t *testing.T) {
	c := &Presenter{LeagueView: &look.LeagueView{State: new(league.State)}}
	if rounds, tree := c.bracket(&league.Division{Season: 1}, nil); len(rounds) > 0 || tree {
		t.Errorf("%+v", rounds)
	}
}
