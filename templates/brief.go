package templates

import (
	"slices"
	"strings"

	"angelpost/templates/words"
)

// maxSpelled is how many orders are listed one by one.
const maxSpelled = 6

// briefly is how the HTML of a letter lists legal orders. A long list is
// written short: orders that differ in one word become one line with all these
// words between slashes, "card 009/021 at row 1/2/3".
func briefly(v *words.Voice, lines []string) (out []group) {
	if len(lines) <= maxSpelled {
		return groups(v, lines)
	}
	return parted(v, clean(lines), func(lines []string) []string { return brief(v.SpellAll(lines)) })
}

// brief writes orders as few lines. Words between slashes are alternatives: a line means
// exactly the orders that you get by choosing one word in each place.
func brief(lines []string) []string {
	var rows [][]string // word by word; alternatives have slashes between them
	longest := 0
	for _, l := range lines {
		row := strings.Fields(l)
		rows = append(rows, row)
		longest = max(longest, len(row))
	}
	for {
		best, least := 0, len(rows)
		for at := range longest {
			if n := unlike(rows, at); n < least {
				best, least = at, n
			}
		}
		if least == len(rows) {
			break
		}
		rows = merged(rows, best)
	}
	out := make([]string, len(rows))
	for i, row := range rows {
		out[i] = strings.Join(row, " ")
	}
	return out
}

// unlike counts the rows that merged would make.
func unlike(rows [][]string, at int) (n int) {
	seen := make(map[string]bool, len(rows))
	var key []byte
	for _, row := range rows {
		if at >= len(row) {
			n++
			continue
		}
		key = key[:0]
		for i, word := range row {
			if i != at {
				key = append(key, word...)
			}
			key = append(key, ' ')
		}
		if !seen[string(key)] {
			seen[string(key)] = true
		}
	}
	return n + len(seen)
}

// merged makes one row of those that differ in nothing but word at.
func merged(rows [][]string, at int) (out [][]string) {
	of := map[string]int{}
	for _, row := range rows {
		if at >= len(row) {
			out = append(out, row)
			continue
		}
		rest := slices.Clone(row)
		rest[at] = ""
		key := strings.Join(rest, " ")
		if i, ok := of[key]; ok {
			out[i][at] += "/" + row[at]
			continue
		}
		of[key] = len(out)
		out = append(out, slices.Clone(row))
	}
	return out
}
