package store

import (
	"regexp"
	"slices"
	"testing"

	"angelpost/engine/order"
)

var pronounceable = regexp.MustCompile(`^[A-Z][a-z]{2,11} [A-Z][a-z]{2,11}$`)

// A stand-in is one player's alone, says nothing else in a letter, and is known for one.
func TestStandIn(t *testing.T) {
	seen := map[string]int64{}
	all := int64(len(Crew) * len(stars))
	for id := range 3 * all {
		name := StandIn(id)
		if other, twice := seen[name]; twice {
			t.Fatalf("players %d and %d are both %q", other, id, name)
		}
		seen[name] = id
		if !IsStandIn(name) || id < all && !pronounceable.MatchString(name) || order.Says([]string{name}) {
			t.Errorf("player %d is %q", id, name)
		}
	}
	if got := StandIns(); len(got) != int(all) || slices.Contains(got, StandIn(all)) {
		t.Errorf("%d stand-ins, want %d without a number", len(got), all)
	}
	for _, name := range []string{"", "Pilot", "Vega", "Pilot Ann", "Ann Vega", "Pilot Vega 1", "Pilot Vega 02", "Pilot Vega +2", "Pilot Vega x", "pilot vega", "Pilot  Vega", "Player 2", "Seat 2"} {
		if IsStandIn(name) {
			t.Errorf("%q is no stand-in", name)
		}
	}
}

// A game's name is two words that are not an order, always the same; two ids rarely share one.
func TestGameName(t *testing.T) {
	seen := map[string]bool{}
	const games = 2000
	id := []byte("aaaaaaaaaaaaaaaa")
	for n := range games {
		id[n%16] = 'a' + byte(n/16%26)
		id[(n+5)%16] = '2' + byte(n%6)
		name := GameName(string(id))
		if !pronounceable.MatchString(name) || order.Says([]string{name}) || name != GameName(string(id)) {
			t.Errorf("game %s is %q", id, name)
		}
		seen[name] = true
	}
	if possible := len(adjectives) * len(nouns); possible < 4000 || len(seen) < games/2 {
		t.Errorf("%d names of %d games, %d are possible", len(seen), games, possible)
	}
	if got := GameCalled("aaaa", "Friday"); got != "Friday" {
		t.Errorf("a game called Friday is %q", got)
	}
	g := Game{ID: "aaaa", Name: GameName("aaaa")}
	if g.GivenName() != "" {
		t.Errorf("no one gave the name %q", g.GivenName())
	}
	for _, list := range [][]string{Crew, stars, adjectives, nouns} {
		if sorted := slices.Sorted(slices.Values(list)); len(slices.Compact(sorted)) != len(list) {
			t.Errorf("a word is there twice: %q", list)
		}
	}
}
