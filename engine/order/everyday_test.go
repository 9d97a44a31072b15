package order_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/order"
)

var everydayFrom = flag.String("everyday", "", "a folder with CODE.txt, the commonest words of each language: writes remarks/everyday.txt")

// TestEverydayWords holds that the table of everyday words is sorted as it is searched. With
// -everyday it makes the table.
func TestEverydayWords(t *testing.T) {
	const file = "remarks/everyday.txt"
	if *everydayFrom != "" {
		if err := os.WriteFile(file, []byte(order.EverydayWords(t, *everydayFrom)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for line := range strings.Lines(string(b)) {
		w, langs, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if words = append(words, w); !ok || langs == "" {
			t.Errorf("%q names no language", line)
		}
		for code := range strings.FieldsSeq(langs) {
			if _, err := os.Stat(filepath.Join("remarks", code+".txt")); err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
	}
	if len(words) < 10_000 || !slices.IsSorted(words) {
		t.Errorf("%d words, sorted: %v", len(words), slices.IsSorted(words))
	}
}
