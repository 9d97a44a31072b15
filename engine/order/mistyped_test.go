package order_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/cost"
	"angelpost/engine/order"
)

// meantBy is what a letter's mistyped lines were probably meant for; "" none is.
func meantBy(letter string) string {
	var out []string
	for _, it := range order.ReadLetter(strings.Split(strings.ReplaceAll(letter, " / ", "\n"), "\n")).Items {
		if it.Doubt == order.DoubtTypo {
			out = append(out, strings.Join(it.Meant, " / "))
		}
	}
	return strings.Join(out, "; ")
}

// A mistyped word that changes something is in doubt, and so is a mistyped plan: never
// obeyed, but proposed as a whole.
func TestMistypedWords(t *testing.T) {
	for _, c := range []struct{ letter, want string }{
		{"resgin", "resign"},
		{"Resgin", "resign"},
		{"resing.", "resign"},
		{"vacaton 2 weeks", "vacation 2 weeks"},
		{"vactaion 2026-12-20 2027-01-03", "vacation 2026-12-20 2027-01-03"},
		{"leav league Sunday", "leave league Sunday"},
		{"leave leageu Sunday", ""}, // it may be a league's name, and is told
		{"cancle", "cancel"},
		{"abadon", "abandon"},
		{"remtach", "rematch"},
		{"muet", "mute"},
		{"unmtue", "unmute"},
		{"puase", "pause"},
		{"resmue", "resume"},
		{"notfy every", "notify every"},
		{"notify digset", "notify digest"},
		{"formt html", "format html"},
		{"format htlm", "format html"},
		{"adress add ada@example.org", "address add ada@example.org"},
		{"repalce Bo by bot", "replace Bo by bot"},
		{"remnid Bo", "remind Bo"},
		{"ingore Bo", "ignore Bo"},
		{"alwyas keep 031", "always keep 031"},
		{"always kepe 031", "always keep 031"},
		{"nevr activate 009", "never activate 009"},
		{"always activate 009 leavign 1", "always activate 009 leaving 1"},
		{"always resreve gray 3, orange", "always reserve gray 3, orange"},
		{"take bakc", "take back"},
		{"never wriet to me again", "never write to me again"},
		{"please cancle", "cancel"},
		{"Please resign", "resign"},
		{"I want to resgin.", "resign"},
		{"card 013 at row 2\nresgin", "resign"},
		{"Hello,\n\nresgin\n\nThanks,\nAda", "resign"},

		{"paln\nif t12\nlaunch to b4\nelse\npass", "plan / if t12 / launch to b4 / else / pass"},
		{"plan\niff t12\nlaunch to b4", "plan / if t12 / launch to b4"},
		{"plan\nif t12\nlaunch to b4\nesle\npass", "plan / if t12 / launch to b4 / else / pass"},
		{"plan\nunles t12\nluanch to b4\nelse\npass", "plan / unless t12 / launch to b4 / else / pass"},
		{"plan\nif resuorces at least 2\nlaunch to b4", "plan / if resources at least 2 / launch to b4"},
		{"plan\nif resources at leats 2: lanuch to b4", "plan / if resources at least 2: launch to b4"},
		{"pla\ncard 013 at row 2", "plan / card 013 at row 2"},
		{"new gmae", "new game"},
		{"new gmae\nplayers: a@example.org, bot\nrules: advanced", ""}, // options, a file or a text would be lost
		{"amned Foo\nkind: solo", ""},
		{"sya Bob: first\nand second", ""},
		{"plan\nif frobnicates zoom\nlaunch to b4", ""},
	} {
		if got := meantBy(c.letter); got != c.want {
			t.Errorf("%q: %q, want %q", c.letter, got, c.want)
		}
	}
}

// What is read as it stands is no typo, and prose is none.
func TestNoMistypedWords(t *testing.T) {
	for _, s := range []string{
		"resign", "undo", "undoo", "status", "sttus", "keep 31", "kepe 31", "passe", "yes", "yse", "no", "never mind", "back soon", "Not a problem", "same here", "quite nice", "I resign?", "resgin?",
		"resgin if Bob passes", "May I leave the league", "Games are fun", "line 3", "Design", "see you on vacation", "What a game", "Notes below", "Jon", "Leah", "Ignoring Bo", "Paula",
		"/John", "-jon", "~zoe", "Live long", "Leave it", "Nate", "Nora", "Lina", "pauses are fine", "day 2", "link in bio", "One more", "none", "gone", "now",
	} {
		if got := meantBy(s); got != "" {
			t.Errorf("%q: %q", s, got)
		}
	}
	for _, s := range notMeant {
		if got := meantBy(strings.ReplaceAll(s, "§", "wait for Beta's move")); got != "" {
			t.Errorf("%q: %q", s, got)
		}
	}
}

// An `undo` that is mistyped keeps the orders around it from being played.
func TestUndoMistyped(t *testing.T) {
	for _, s := range []string{"undoo\ncard 013 at row 2", "unod\n\ncard 013 at row 2", "card 013 at row 2\n\nUndoo"} {
		lines := strings.Split(s, "\n")
		if got := strings.Join(fates(order.ReadLetter(lines), lines), ""); strings.Count(got, "!") != 1 {
			t.Errorf("%q: %s", s, got)
		}
	}
}

var dictionary = flag.String("dictionary", "", "a list of English words, one a line: write nearby.go from it")

// Ordinary words that are near a word of letters are no typos of it. With -dictionary the table
// is written anew:
//
//	go test ./engine/order -run TestWordsNearby -dictionary /usr/share/dict/american-english
func TestWordsNearby(t *testing.T) {
	if *dictionary == "" {
		all := order.WordsNearby()
		if len(all) < 300 || !slices.Equal(all, order.Nearby(all)) {
			t.Errorf("of %d words not all are near: write nearby.go anew", len(all))
		}
		for _, w := range all {
			if got := meantBy(w); got != "" {
				t.Errorf("%q: %q", w, got)
			}
		}
		return
	}
	b, err := os.ReadFile(*dictionary)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	out.WriteString("// Code generated by TestWordsNearby; DO NOT EDIT.\n//\n// The words are those of Debian's wamerican 2020.12.07 (SCOWL) that are near the words of letters.\n\npackage order\n\nconst nearby = `")
	n := 0
	for _, w := range order.Nearby(strings.Fields(string(b))) {
		if n += len(w) + 1; n > 100 {
			out.WriteString("\n")
			n = len(w) + 1
		}
		fmt.Fprintf(&out, "%s ", w)
	}
	if err := os.WriteFile("nearby.go", []byte(strings.ReplaceAll(out.String(), " \n", "\n")+"`\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

func FuzzMistyped(f *testing.F) {
	for _, s := range []string{"vacaton 2 weeks", "paln\niff t12\nluanch b4\nesle\npass", "alwyas kepe 031", "plan\nif resuorces at leats 2: lanuch to b4", "plan: else else if if if", "Hi\n\nresgin\n\nBob", strings.Repeat("fi ", 100)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, letter string) {
		cost.Within(t, func() {
			for _, it := range order.ReadLetter(strings.Split(letter, "\n")).Items {
				if it.Doubt != order.DoubtTypo {
					continue
				}
				for _, said := range order.ReadLines(it.Meant).Items {
					if said.Problem != nil || said.Clause != nil && !said.Clause.Readable() || said.Word.Ahead != nil && said.Word.Ahead.Problem() >= 0 {
						t.Fatalf("%q is proposed as %q, which cannot be read", letter, it.Meant)
					}
				}
			}
		})
	})
}
