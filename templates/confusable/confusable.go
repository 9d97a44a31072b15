// Package confusable makes the skeletons of Unicode Technical Standard #39, section 4:
// two strings with equal skeletons look alike. A skeleton is for comparing only.
//
// table.txt is generated from Unicode's confusables.txt (LICENSE-UNICODE has its terms):
//
//	go run ./templates/confusable/generate confusables.txt >templates/confusable/table.txt
//
// The file is at unicode.org/Public/security, and in the source of ICU, which Debian
// has as the package icu: icu/source/data/unidata/confusables.txt. Take the version of
// Unicode that Go and golang.org/x/text have (unicode.Version, norm.Version).
//
// What UTS 39 says of text that runs from right to left (bidiSkeleton) is left out:
// names are shown in the order in which they are stored, one to a line or cell.
package confusable

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

//go:embed table.txt
var text string

// A table maps characters to those they look like, in the order of from.
type table struct {
	from []rune
	to   []string
}

// prototypes is the table, read when it is first needed.
var prototypes = sync.OnceValue(func() table { return parse(text) })

// parse reads lines of code points in hexadecimal: one, and those it looks like.
// Lines that begin with # are comments.
func parse(text string) (t table) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] == "#" {
			continue
		}
		points := make([]rune, len(fields))
		for i, f := range fields {
			n, err := strconv.ParseUint(f, 16, 21)
			if err != nil {
				panic("confusable: table.txt: " + err.Error()) // it is part of the program
			}
			points[i] = rune(n)
		}
		t.from, t.to = append(t.from, points[0]), append(t.to, string(points[1:]))
	}
	return t
}

// Skeleton is what is left of a string when all that looks alike is made equal and
// what cannot be seen is taken out. It keeps case, blanks and punctuation. The table
// maps some characters to ones that it maps further, so it is applied until nothing
// changes.
func Skeleton(s string) string {
	for range maxRounds {
		next := once(s)
		if next == s {
			break
		}
		s = next
	}
	return s
}

// maxRounds is more than any character needs.
const maxRounds = 4

// once is the skeleton as UTS 39 defines it.
func once(s string) string {
	t := prototypes()
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		if ignorable(r) {
			continue
		}
		if i, ok := slices.BinarySearch(t.from, r); ok {
			b.WriteString(t.to[i])
		} else {
			b.WriteRune(r)
		}
	}
	return norm.NFD.String(b.String())
}

// ignorable reports whether a character is shown as nothing at all where it is not
// supported (Default_Ignorable_Code_Point of UAX 44).
func ignorable(r rune) bool {
	switch {
	case r >= 0xfff9 && r <= 0xfffb, r >= 0x13430 && r <= 0x13440, unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
