package letter

import "regexp"

// looked hears how many octets the reader is about to go through. Only tests
// set it: they add up what a letter costs and hold that it grows as the letter
// does, whatever the letter is made of. Everything that goes through text calls
// look, or uses a matcher.
var looked func(octets int)

func look(octets int) {
	if looked != nil {
		looked(octets)
	}
}

// A matcher is a regular expression whose work is counted. All of this package
// are matchers.
type matcher struct{ re *regexp.Regexp }

func compile(expr string) matcher { return matcher{regexp.MustCompile(expr)} }

// literal returns the expression that matches s alone.
func literal(s string) string { return regexp.QuoteMeta(s) }

// in reports whether s matches.
func (m matcher) in(s string) bool {
	look(len(s))
	return m.re.MatchString(s)
}

// find returns the leftmost match and its groups, nil if there is none.
func (m matcher) find(s string) []string {
	look(len(s))
	return m.re.FindStringSubmatch(s)
}

// all returns the first n matches and their groups.
func (m matcher) all(s string, n int) [][]string {
	look(len(s))
	return m.re.FindAllStringSubmatch(s, n)
}

// index returns where the leftmost match begins, -1 if there is none.
func (m matcher) index(s string) int {
	look(len(s))
	if at := m.re.FindStringIndex(s); at != nil {
		return at[0]
	}
	return -1
}
