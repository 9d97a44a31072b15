package order

import (
	"slices"
	"strings"
	"testing"
)

// TestNaturalTable: each section of natural.txt is one that is known, each phrase is found, and words
// that are named are words.
func TestNaturalTable(t *testing.T) {
	section := ""
	for n, line := range strings.Split(naturalText, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			section = strings.Trim(line, "[]")
			name, asks := strings.CutPrefix(section, "= ")
			names, about := strings.CutPrefix(section, "about ")
			switch {
			case asks:
				if _, p, ok := ReadWord(name); !ok || p != nil {
					t.Errorf("line %d: %q is no word", n+1, name)
				}
			case about:
				for _, name := range strings.Split(names, ", ") {
					if l := ReadLines([]string{name}); len(l.Items) != 1 || l.Items[0].Word.Kind == NoWord && l.Items[0].Problem == nil {
						t.Errorf("line %d: %q is no word", n+1, name)
					}
				}
			case naturalSections[section] == 0:
				t.Errorf("line %d: no section %q is known", n+1, section)
			}
			continue
		}
		for _, phrase := range strings.Split(line, ";") {
			key := remarkKey(phrase)
			if k := len(wordsIn(key)); k == 0 || k > maxListed {
				t.Errorf("line %d: %q has %d words", n+1, phrase, k)
			} else if !strings.HasPrefix(section, "about ") && natural().phrases[key].says == 0 {
				t.Errorf("line %d: %q is not found", n+1, phrase)
			}
		}
	}
}

func TestReadReply(t *testing.T) {
	for text, want := range map[string]string{
		"yes":                                    "yes",
		"Sure, count me in! Thanks, Bob":         "yes",
		"Hi Ann,\nI'd love to play!\nBob":        "yes",
		"Tak, chętnie zagram":                    "yes",
		"Tak, zgoda":                             "yes",
		"tak":                                    "nothing",
		"ok":                                     "ok",
		"OK, do it":                              "ok",
		"No, I want to play on!":                 "no",
		"No, gracias":                            "no",
		"No, but I could on Monday":              "",
		"No, why?":                               "",
		"Yes, but only if Ann does":              "",
		"Yes, Thursday works for me":             "",
		"Yes?":                                   "",
		"ok?":                                    "",
		"yes no":                                 "",
		"I'm still here":                         "yes no",
		"Whose turn is it?":                      "status",
		"No. Whose turn is it?":                  "",
		"sorry":                                  "nothing",
		"Fair enough, Bob":                       "nothing",
		"Yes, my name is Robert":                 "yes name Robert",
		"No, I meant B":                          "no orders B",
		"OK, here it is again:\nB":               "ok orders B",
		"OK, again":                              "again",
		"Please say yes to Ann":                  "",
		"> yes":                                  "",
		strings.Repeat("yes ", 200):              "",
		strings.Repeat("yes\n", maxReplyLines+1): "",
	} {
		r := ReadReply(strings.Split(text, "\n"), "Bob", "Ann")
		var got []string
		for _, x := range []struct {
			what string
			is   bool
		}{{"yes", r.Yes}, {"ok", r.OK}, {"no", r.No}, {"nothing", r.Nothing}, {"again", r.Word.Kind == Rematch}, {"status", r.Word.Kind == Status}} {
			if x.is {
				got = append(got, x.what)
			}
		}
		if r.Name != "" {
			got = append(got, "name "+r.Name)
		}
		if r.Orders != nil {
			got = append(got, "orders "+strings.Join(r.Orders, ", "))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %q, not %q", text, s, want)
		}
	}
}

// TestThanksAgreeToNothing: no thanks, praise or picture is a yes, in any language that has them.
func TestThanksAgreeToNothing(t *testing.T) {
	texts := []string{"👍", "👍🏽", "❤️", ":-)", "Thanks, Bob"}
	for phrase := range thanked {
		texts = append(texts, phrase, phrase+"!")
	}
	slices.Sort(texts)
	for _, text := range texts {
		if r := ReadReply([]string{text}, "Bob"); r.Yes || r.OK {
			t.Errorf("%q agrees", text)
		}
	}
}
