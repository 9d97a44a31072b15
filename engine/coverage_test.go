package engine_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	. "angelpost/engine"
)

func readText(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// section is the part of a page under a heading.
func section(t *testing.T, page, heading string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("no section %q", heading)
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	return rest
}

var (
	ruleNumber = regexp.MustCompile(`\b(R\d+\.\d+|Q\d+\.\d+[a-f]?|E\d+|M\d+|V[1-5]|T[a-d]|K[1-8]|B[1-4]|C[1-9])\b`)
	subtest    = regexp.MustCompile(`t\.Run\("(C\d+)"`)
)

// Every number of RULES.md has a subtest named by it alone.
func TestEveryRuleHasATest(t *testing.T) {
	tested := map[string]bool{}
	for n := range rulesInGo {
		tested[n] = true
	}
	files, err := filepath.Glob("testdata/rules/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		tested[strings.TrimSuffix(filepath.Base(f), ".txt")] = true
	}
	sources, err := filepath.Glob("component/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range sources {
		for _, m := range subtest.FindAllStringSubmatch(readText(t, f), -1) {
			tested[m[1]] = true
		}
	}
	rules := map[string]bool{}
	for _, n := range ruleNumber.FindAllString(readText(t, "RULES.md"), -1) {
		rules[n] = true
	}
	if len(rules) < 190 {
		t.Errorf("only %d numbers found in RULES.md", len(rules))
	}
	for _, n := range slices.Sorted(maps.Keys(rules)) {
		if !tested[n] {
			t.Errorf("%s has no test", n)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(tested)) {
		if !rules[n] {
			t.Errorf("there is a test for %s, which RULES.md does not know", n)
		}
	}
}

// RULINGS.md lists the streams of stream.go in their order.
func TestStreamsAreListed(t *testing.T) {
	var want []string
	for _, m := range regexp.MustCompile("(?m)^- `(.+)`$").FindAllStringSubmatch(section(t, readText(t, "RULINGS.md"), "Streams of chance"), -1) {
		want = append(want, m[1])
	}
	var have []string
	for s := StreamSeats; s <= StreamHal; s++ {
		have = append(have, s.String())
	}
	if !slices.Equal(have, want) {
		t.Errorf("streams are %v, RULINGS.md lists %v", have, want)
	}
	if Streams != len(want) {
		t.Errorf("stream.go has %d streams, RULINGS.md %d", Streams, len(want))
	}
}
