package order

import "strings"

// What people write around their orders, and the marks around a notice's lists
// with their bars lost (CONTRACT.md: never orders).
var (
	greetings = words("hi hello hey hallo dear moin")
	closings  = words("thanks thank thx ty cheers regards best kind greetings bye yours sincerely ciao")
	courteous = words("you so much a lot many all the again very everyone everybody to from me my wishes luck good gl hf fun have there and evening morning afternoon day night game")
	marks     = words("example end")
)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// courtesy reports whether a line only greets, and whether a name may follow it
// on the next line. A greeting may name somebody in up to three words.
func courtesy(line string) (pass, closing bool) {
	ws := strings.Fields(Key(cutComment(line)))
	if len(ws) == 0 || len(ws) > 8 {
		return false, false
	}
	if len(ws) == 1 && marks[ws[0]] {
		return true, false
	}
	if greetings[ws[0]] && len(ws) <= 4 {
		return isName(strings.Join(ws[1:], " ")), false
	}
	for _, w := range ws {
		if !closings[w] && !courteous[w] {
			return false, false
		}
		closing = closing || closings[w]
	}
	return closing || ws[0] == "good" || ws[0] == "have", closing
}

// isName reports whether a line could be somebody's name: a few words, none of
// them a number, a verb or a colour.
func isName(line string) bool {
	ws := strings.Fields(Key(line))
	for _, w := range ws {
		if _, verb := synonyms[w]; verb || strings.ContainsAny(w, "0123456789") {
			return false
		}
		for _, v := range verbs {
			if v.name == w {
				return false
			}
		}
		for _, c := range colorWords {
			if c.name == w {
				return false
			}
		}
	}
	return len(ws) <= 4
}
