package order

import "strings"

// looked, if set, gets the number of octets that the reader is about to read. Only tests
// set it: they add up the cost of a letter and check that it grows linearly, whatever the
// letter contains. All code that reads text, or goes back over tokens or passages, calls
// look; a passage counts as one octet.
var looked func(octets int)

func look(octets int) {
	if looked != nil {
		looked(octets)
	}
}

// wordsIn is strings.Fields, counted.
func wordsIn(s string) []string {
	look(len(s))
	return strings.Fields(s)
}

// partsOf is strings.FieldsFunc, counted.
func partsOf(s string, f func(rune) bool) []string {
	look(len(s))
	return strings.FieldsFunc(s, f)
}
