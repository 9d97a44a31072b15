package order

import (
	"slices"
	"strings"
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
