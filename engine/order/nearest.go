package order

import (
	"sort"
	"strings"

	"angelpost/engine"
)

// Bounds on the search for legal lines like the one written.
const (
	maxNear    = 5
	maxCompare = 2048
	maxWidth   = 64
)

// nearest returns a few legal steps like the clause: first those of the kind it was read
// as, by the details they share, then by the letters of the line.
func nearest(c Clause, rs []reading, legal []engine.Step) []engine.Step {
	type near struct {
		step engine.Step
		far  int
	}
	text := clip(Key(c.Text), maxWidth)
	var all []near
	row := make([]int, maxWidth+1)
	buf := make([]byte, 0, 64)
	for _, s := range legal[:min(len(legal), maxCompare)] {
		buf = Append(buf[:0], s)
		far := distance(text, strings.ToLower(clip(string(buf), maxWidth)), row)
		kin := false
		for i := range rs {
			kin = kin || rs[i].step.Kind == s.Kind
		}
		if !kin && len(rs) > 0 {
			far += maxWidth
		}
		all = append(all, near{s, far})
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].far < all[j].far })
	var out []engine.Step
	for _, n := range all[:min(len(all), maxNear)] {
		out = append(out, n.step)
	}
	return out
}

// Distance is how many letters must be changed, added or taken away to make b of a; each
// counts up to maxWidth bytes.
func Distance(a, b string) int {
	return distance(clip(a, maxWidth), clip(b, maxWidth), make([]int, maxWidth+8))
}

// distance is the Levenshtein distance of two short strings, by bytes.
func distance(a, b string, row []int) int {
	look(len(a) * len(b))
	row = row[:len(b)+1]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		left := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := left
			if a[i] != b[j] {
				d = 1 + min(left, row[j], row[j+1])
			}
			left, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}
