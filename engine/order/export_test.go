package order

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// ParseGuard reads a canonical guard and nothing else: its String is the line.
func ParseGuard(line string) (Guard, bool) {
	if len(line) > MaxLine {
		return Guard{}, false
	}
	gs, rest, _, ok := readGuards(line)
	if !ok || len(gs) != 1 || rest != "" || gs[0].who != "" || gs[0].String() != line {
		return Guard{}, false
	}
	return gs[0], true
}

// HedgeLanguages are the languages of the table of hedges that put blanks between words.
func HedgeLanguages() (all []string) {
	for l := range hedgesByLanguage {
		all = append(all, l)
	}
	return all
}

// Nearby are those of ordinary words, sorted, that could be taken for mistyped words of letters.
func Nearby(ordinary []string) (near []string) {
	for _, w := range ordinary {
		w = strings.ToLower(w)
		if len(w) < 3 || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") != "" || vocableOf(w) != nil || spelled(w) {
			continue
		}
		s := typoSearch{least: maxWidth}
		like := func(c string) bool { _, ok := s.edits(w, c, 1+min(len(w), len(c))/7); return ok }
		if slices.ContainsFunc(changing, like) || slices.ContainsFunc(changingLines, like) {
			near = append(near, w)
		}
	}
	slices.Sort(near)
	return slices.Compact(near)
}

// WordsNearby are those of the table.
func WordsNearby() []string { return wordsIn(nearby) }

// EverydayWords is the table of everyday words made from lists of the commonest words, one
// file per language, the commonest first.
func EverydayWords(t *testing.T, dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no lists", err)
	}
	langs := map[string][]string{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		code := strings.TrimSuffix(filepath.Base(f), ".txt")
		for line := range strings.Lines(string(b)) {
			keys, tokens := remarkTokens(line)
			for _, tok := range tokens {
				if w := keys[tok.start:tok.end]; !tok.number && (tok.joined || utf8.RuneCountInString(w) > 1) && !slices.Contains(langs[w], code) {
					langs[w] = append(langs[w], code)
				}
			}
		}
	}
	var b strings.Builder
	for _, w := range slices.Sorted(maps.Keys(langs)) {
		b.WriteString(w + " " + strings.Join(langs[w], " ") + "\n")
	}
	return b.String()
}
