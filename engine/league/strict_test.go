package league

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// All faults of a new file are listed at once. A league that has such a file already keeps
// it.
func TestImpossibleFiles(t *testing.T) {
	now := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct{ file, keys string }{
		{"table: 4\ndivision: 3\nup: 1\ndown: 1", "division"},
		{"table: 2\ndivision: 3\nup: 2\ndown: 2", "up"},
		{"up: 1\ndown: 2", "down"},
		{"up: 3", ""},
		{"up: 4", "up"},
		{"least: 1", "least"},
		{"start: 2026-11-23", "start"},
		{"start: 2026-11-24", ""},
		{"start: 2020-01-01\nleast: 1\ntable: 4\ndivision: 3\nup: 1\ndown: 2", "start least division down"},
		{"kind: solo\nleast: 1", ""},
		{"kind: solo\nsubstitutes: no", ""},
		{"kind: solo\nsubstitutes: yes", "substitutes"},
		{"table: 2\ndivision: 2", ""},
	} {
		text := "name: X\n" + c.file
		_, err := ParseNew(text, now, nil)
		var bad FileErrors
		errors.As(err, &bad)
		var keys []string
		for _, e := range bad {
			keys = append(keys, e.Key)
		}
		want := strings.Fields(c.keys)
		if slices.Sort(keys); !slices.Equal(keys, slices.Sorted(slices.Values(want))) {
			t.Errorf("%q: %v, want %s", c.file, err, c.keys)
		}
		if _, err := ParseRules(text); err != nil {
			t.Errorf("%q, where it is in force: %v", c.file, err)
		}
	}
	_, err := ParseNew("name: X\nclok: 3d\ntable: 9\nleast: 1\nleast: 2", now, nil)
	var bad FileErrors
	if errors.As(err, &bad); len(bad) != 3 {
		t.Errorf("%v", err)
	}
	old, err := ParseRules("name: X\ntable: 2\ndivision: 3\nstart: 2020-01-01") // up and down are 2
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ParseNew(old.String(), now, old); err != nil {
		t.Errorf("an amendment that changes nothing: %v", err)
	}
	if _, err := ParseNew(old.String()+"up: 3", now, old); err == nil {
		t.Error("an amendment with up twice is taken")
	}
	// The sample is refused until it has a name or a director of its own.
	bad = nil
	if _, err := ParseNew(Sample(), now, nil); !errors.As(err, &bad) || len(bad) != 1 || bad[0].Code != AsSample || bad[0].Line == 0 {
		t.Errorf("the sample: %v", err)
	}
	if _, err := ParseNew(strings.Replace(Sample(), "3 days   ", "4 days   ", 1), now, nil); err == nil {
		t.Error("the sample with another clock is taken")
	}
	for _, line := range []string{"The Long Way", "ann@example.org"} {
		if _, err := ParseNew(strings.Replace(Sample(), line, "x@y.org", 1), now, nil); err != nil {
			t.Errorf("the sample without %s: %v", line, err)
		}
	}
	sample, err := ParseRules(Sample())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ParseNew(Sample(), now, sample); err != nil {
		t.Errorf("an amendment of a league that was made of the sample: %v", err)
	}
}

// What is allowed but seldom meant is warned of.
func TestOddFiles(t *testing.T) {
	for _, c := range []struct {
		file string
		turn time.Duration
		want []Odd
	}{
		{"", 3 * day, nil},
		{"", 0, []Odd{OddClock}},
		{"season: 2 weeks", 3 * day, []Odd{OddShort}},
		{"division: 7\nleast: 4", 3 * day, []Odd{OddLeast}},
		{"division: 5\ntable: 2\nup: 2", 3 * day, []Odd{OddMove}},
		{"kind: ladder", day, nil},
	} {
		r, err := ParseNew("name: X\n"+c.file, time.Now(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Odd(c.turn); !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.file, got, c.want)
		}
	}
}
