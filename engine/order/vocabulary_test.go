package order

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var writeVocabulary = flag.Bool("vocabulary", false, "make vocabulary.txt of remarks/*.txt")

// remarkSections are the numbers of the sections in a sense.
var remarkSections = map[string]int{"[harmless]": 1, "[doubt]": 2, "[take back]": 3, "[no]": 4, "[alone]": 5, "[around]": 6, "[mild]": 7, "[chatty]": 8}

// madeVocabulary is vocabulary.txt made of the files.
func madeVocabulary(t *testing.T) string {
	type entry struct {
		key string
		sense
	}
	files, err := filepath.Glob("remarks/*.txt")
	if err != nil || len(files) < 25 {
		t.Fatal(files, err)
	}
	var codes []string
	for _, f := range files {
		if code := strings.TrimSuffix(filepath.Base(f), ".txt"); code != "everyday" {
			codes = append(codes, code)
		}
	}
	bit := func(code string) languages {
		i := slices.Index(codes, code)
		if i < 0 {
			t.Fatalf("no language %q", code)
		}
		return 1 << i
	}
	var all []entry
	longest := 0
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		code := strings.TrimSuffix(filepath.Base(f), ".txt")
		section := 0
		for line := range strings.Lines(string(b)) {
			line = strings.TrimSuffix(line, "\n")
			var e entry
			switch {
			case line == "" || line[0] == '#':
				continue
			case code == "everyday":
				w, langs, _ := strings.Cut(line, " ")
				e.key = w
				for _, c := range strings.Split(langs, " ") {
					e.everyday |= bit(c)
				}
			case line[0] == '[':
				if section = remarkSections[line]; section == 0 {
					t.Fatalf("%s: no section %s", f, line)
				}
				continue
			default:
				e.key = remarkEntry(line)
				*e.sections()[section] = bit(code)
				longest = max(longest, strings.Count(e.key, " ")+1)
			}
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	index := map[sense]int{}
	var senses, begins, keys strings.Builder
	for i := 0; i < len(all); {
		e := all[i]
		for i++; i < len(all) && all[i].key == e.key; i++ {
			for k, l := range e.sections() {
				*l |= *all[i].sections()[k]
			}
		}
		if e.key == "" {
			continue
		}
		n, ok := index[e.sense]
		if !ok {
			n = len(index)
			index[e.sense] = n
			fmt.Fprintf(&senses, "%x %x %x %x %x %x %x %x %x\n", e.everyday, e.harmless, e.doubt, e.takeBack, e.no, e.alone, e.around, e.mild, e.chatty)
		}
		if stem, ok := strings.CutSuffix(e.key, "*"); ok {
			fmt.Fprintf(&begins, "*%s\t%d\n", stem, n)
			continue
		}
		fmt.Fprintf(&keys, "%s\t%d\n", e.key, n)
	}
	return fmt.Sprintf("%s\n%d\n%s%s%s", strings.Join(codes, " "), longest, &senses, &begins, &keys)
}

// TestVocabulary holds that vocabulary.txt is made of the files. With -vocabulary it makes it.
func TestVocabulary(t *testing.T) {
	made := madeVocabulary(t)
	if *writeVocabulary {
		if err := os.WriteFile("vocabulary.txt", []byte(made), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if made != vocabularyText {
		t.Error("vocabulary.txt is not made of remarks/*.txt: go test ./engine/order -run TestVocabulary -vocabulary")
	}
}
