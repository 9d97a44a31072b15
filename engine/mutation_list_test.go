package engine_test

import (
	"os"
	"strings"
	"testing"
)

// A mutation breaks one rule by changing one place of the engine.
type mutation struct{ number, file, old, new string }

// readMutations reads testdata/mutations.txt, whose head says how it is written.
func readMutations(t *testing.T) (out []mutation) {
	t.Helper()
	parts := strings.Split(strings.TrimSuffix(readText(t, "testdata/mutations.txt"), "\n"), "\n== ")
	for _, p := range parts[1:] {
		head, body, _ := strings.Cut(p, "\n")
		before, after, ok := strings.Cut("\n"+body+"\n", "\n--\n")
		number, file, named := strings.Cut(head, " ")
		if !ok || !named {
			t.Fatalf("mutation %q is not written as the head says", head)
		}
		out = append(out, mutation{number, file, strings.TrimPrefix(before, "\n"), strings.TrimSuffix(after, "\n")})
	}
	return out
}

// TestMutationsFit holds that each mutation has one place in the engine, so
// that a change of the engine takes its mutations along. Whether they bite is
// TestMutations' business.
func TestMutationsFit(t *testing.T) {
	for _, m := range readMutations(t) {
		src, err := os.ReadFile(m.file)
		if err != nil {
			t.Errorf("%s: %v", m.number, err)
			continue
		}
		if n := strings.Count(string(src), m.old); n != 1 {
			t.Errorf("%s: the old text stands %d times in %s:\n%s", m.number, n, m.file, m.old)
		}
		if m.old == m.new {
			t.Errorf("%s: the mutation of %s changes nothing", m.number, m.file)
		}
	}
}
