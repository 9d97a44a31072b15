package settest

import (
	"slices"
	"testing"

	"angelpost/engine/component"
)

// TestSecond holds that the second set is the built-in one but for the display,
// which has a space more.
func TestSecond(t *testing.T) {
	want := []string{"display costs: 2 2 1 1 1 1 -> 2 2 1 1 1 1 1"}
	if got := component.Diff(component.Default(), Second()); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if Second().Name != SecondName || Second().Hash == component.Default().Hash {
		t.Errorf("name %q, hash %s", Second().Name, Second().Hash)
	}
	if Named(SecondName) != Second() || Named(component.DefaultName) != component.Default() || Named("third") != nil {
		t.Error("Named gives another set")
	}
}

// TestUnusual holds that unusual boxes load and that they are not all one.
func TestUnusual(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(40) {
		set := Unusual(seed)
		if seen[set.Hash] {
			t.Errorf("box %d is another's", seed)
		}
		seen[set.Hash] = true
		if seed%8 == 0 && len(set.Costs) != component.MinDisplay {
			t.Errorf("box %d: a display of %d", seed, len(set.Costs))
		}
	}
}
