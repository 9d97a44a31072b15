package order

import "strings"

// looked hears how many octets the reader is about to go through. Only tests
// set it: they add up what a letter costs and hold that it grows as the letter
// does, whatever the letter is made of. Everything that goes through text, or
// back over tokens or passages, calls look; a passage counts as one octet.
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
