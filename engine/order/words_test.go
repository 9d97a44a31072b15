package order

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestVocables: the table has a row for each word, in the order of their kinds, and no
// two are written alike.
func TestVocables(t *testing.T) {
	if len(vocables) != int(ForgetMe)+1 {
		t.Fatalf("%d rows for %d kinds", len(vocables), ForgetMe+1)
	}
	known := map[string]WordKind{}
	for i, v := range vocables {
		if v.kind != WordKind(i) || v.name == "" != (i == 0) {
			t.Errorf("row %d is %d, %q", i, v.kind, v.name)
		}
		names := append([]string{}, v.also...)
		if v.name != "" && v.kind != Rule {
			names = append(names, v.name)
		}
		for _, n := range append(names, v.whole...) {
			if k, twice := known[n]; twice && k != v.kind && n != "never" { // "never" alone is a standing order
				t.Errorf("%q is %q and %q", n, k, v.kind)
			}
			known[n] = v.kind
		}
	}
}

// TestOtherNames: each other name of a word is read as that word, in whatever way it is written,
// and is no slip to be asked about.
func TestOtherNames(t *testing.T) {
	for _, v := range vocables {
		for _, n := range v.also {
			if got := vocableOf(Key(n)); got == nil || got.kind != v.kind {
				t.Errorf("%q is no name of %q", n, v.name)
			}
		}
	}
	for _, line := range []string{"listid off", "list-id off", "List-Id: off", "List-ID off.", "list id off"} {
		l := ReadLetter([]string{line})
		if len(l.Items) != 1 || l.Items[0].Word.Kind != ListID || l.Items[0].Word.Arg != Off || l.Items[0].Problem != nil || l.Items[0].Doubt != "" {
			t.Errorf("%q is read as %+v", line, l.Items)
		}
	}
}

// TestReadmeNamesWords: what the README says can be sent can be read.
func TestReadmeNamesWords(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(b), "| send | and |")
	table, _, ends := strings.Cut(table, "\n\n")
	if !ok || !ends {
		t.Fatal("the README has no table of what to send")
	}
	n := 0
	for _, row := range strings.Split(strings.TrimSpace(table), "\n")[1:] {
		first := strings.Split(row, "|")[1]
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(first, -1) {
			n++
			if vocableOf(Key(strings.Fields(m[1])[0])) == nil && lines[Key(m[1])] == nil {
				t.Errorf("%q is no word", m[1])
			}
		}
	}
	if n < 15 {
		t.Errorf("only %d words", n)
	}
}
