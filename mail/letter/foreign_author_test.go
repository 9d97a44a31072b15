package letter

import (
	"testing"

	"angelpost/engine/incoming"
)

// TestAuthorBeyondASCII: a letter from an address with letters beyond ASCII before its @ has no
// author, but names the address, so that we can tell its writer why. If its letters fold to
// ASCII, it names none, because that could be another's address.
func TestAuthorBeyondASCII(t *testing.T) {
	for from, want := range map[string]string{
		"jürgen@x.test": "jürgen@x.test",
		"Jürgen Groß <JÜRGEN@Bücher.Example>": "jürgen@xn--bcher-kva.example",
		"ju\u0308rgen@x.test":                 "jürgen@x.test",
		"用户@例子.test":                          "用户@xn--fsqu00a.test",
		"\u212Aate@x.test":                    "", // the Kelvin sign
		"ﬁnn@x.test":                          "", // a ligature
		"an\u200bna@x.test":                   "",
		"jür gen@x.test":                      "",
		"jürgen@x.test, bob@x.test":           "",
		"anna@x.test":                         "",
	} {
		l := Read(mailOf("status\n", "From: "+from), Options{})
		if l.Foreign != want || want != "" && (l.From != "" || l.Answer || l.Kind != incoming.Orders) {
			t.Errorf("%s: %q, want %q; From %q, %s, answer %v", from, l.Foreign, want, l.From, l.Kind, l.Answer)
		}
	}
	if l := Read(mailOf("status\n", "From: jürgen@x.test", "List-Id: <a.b>"), Options{}); l.Kind != incoming.List {
		t.Errorf("a list's letter is %s", l.Kind)
	}
}
