package confusable

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestSkeleton(t *testing.T) {
	for _, alike := range [][]string{
		{"paypal", "pаypаl", "ρаураl", "𝗉𝖺𝗒𝗉𝖺𝗅", "p\u200baypal", "pay\u00adpal", "pay\ufe0fpal"},
		{"l", "I", "1", "|", "Ⅰ", "𝟏"},
		{"O", "0", "О", "Ο", "𝟘"},
		{"m", "rn", "rո"},
		{"é", "e\u0301", "е\u0301"},
		{"scope", "ѕсоре"},
	} {
		for _, s := range alike[1:] {
			if Skeleton(s) != Skeleton(alike[0]) {
				t.Errorf("%q has the skeleton %q, %q has %q", s, Skeleton(s), alike[0], Skeleton(alike[0]))
			}
		}
	}
	for _, pair := range [][2]string{{"Ann", "Anna"}, {"Ann", "Anni"}, {"Ann", "ann"}, {"Ann 1", "Ann 2"}, {"i", "l"}, {"e", "é"}, {"Bo", "B o"}, {"Анна", "Инна"}} {
		if Skeleton(pair[0]) == Skeleton(pair[1]) {
			t.Errorf("%q and %q are alike: %q", pair[0], pair[1], Skeleton(pair[0]))
		}
	}
}

// A skeleton is its own, and so is that of each character.
func TestSkeletonOfASkeleton(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		s := Skeleton(string(r))
		if again := Skeleton(s); again != s {
			t.Errorf("%U has the skeleton %+q, which has %+q", r, s, again)
		}
	}
}

func TestTable(t *testing.T) {
	x := prototypes()
	if len(x.from) != len(x.to) || len(x.from) < 6000 || !slices.IsSorted(x.from) || len(slices.Compact(slices.Clone(x.from))) != len(x.from) {
		t.Errorf("%d characters, %d of them once, sorted %v", len(x.from), len(slices.Compact(slices.Clone(x.from))), slices.IsSorted(x.from))
	}
	if i := slices.Index(x.to, ""); i >= 0 {
		t.Errorf("%U looks like nothing", x.from[i])
	}
	// The table, Go's categories and the normal form are of one version of Unicode.
	head, _, _ := strings.Cut(text, "\n")
	if !strings.Contains(head, " "+unicode.Version+" ") || norm.Version != unicode.Version {
		t.Errorf("Go has Unicode %s, golang.org/x/text %s, and the table says: %s", unicode.Version, norm.Version, head)
	}
}
