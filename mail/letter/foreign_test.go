package letter

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

// A letter that has nothing to do with the game is quoted or forwarded without a
// mark, in any language: its lines are never orders, and we ask nothing about them.
func TestForeignQuotation(t *testing.T) {
	notice := NewNotice(readFile(t, "testdata/notice.txt"))
	stranger := quoted{"Eva Stone", "eva@elsewhere.example", "Jon <jon@elsewhere.example>", "Lunch on Friday"}
	theirs := lines("card 041 at row 3", "", "Could you bring the chairs?", "command at 7")
	for _, g := range tongues {
		fields := block4(g, stranger, g.long, ": ") + "\n"
		intros := map[string]string{
			"fields":    fields,
			"rule":      "-----" + g.original + "-----\n" + fields,
			"sentence":  stranger.fill(g.bird) + "\n\n",
			"tight":     strings.ReplaceAll(fields, ": ", ":"),
			"Outlook":   "________________________________\n" + fields,
			"only name": stranger.fill(g.cube) + "\n\n",
		}
		for name, intro := range intros {
			for _, above := range [][]string{turn, nil} {
				raw := head("z", "") + part1(utf8Plain, "quoted-printable", lines(above...)+"\n"+intro+theirs)
				for _, n := range []*Notice{notice, nil} {
					l := Read([]byte(raw), Options{Address: "angelpost+{token}@play.example", Notice: n})
					bare := g.code == "uk" && name == "sentence" || g.code == "he" && name == "only name" // no known word: a question is right
					if !slices.Equal(l.Orders, above) || !bare && slices.ContainsFunc(l.Text, func(s string) bool { return strings.HasPrefix(s, Perhaps) }) {
						t.Errorf("%s, %s, known %v: orders %q, text %q", g.code, name, n != nil, l.Orders, l.Text)
					}
				}
			}
		}
	}
}

// Each word that was generated is recognised where programs write it.
func TestGeneratedWords(t *testing.T) {
	for _, w := range forwardedWords {
		if !slices.Contains(originalWords, w) && !forwards("-------- "+w+" --------") {
			t.Errorf("a letter forwarded under %q", w)
		}
	}
	for _, w := range fromLabels {
		if from, ok := labelled(string(unicode.ToUpper([]rune(w)[0])) + string([]rune(w)[1:]) + ": Eva"); !from || !ok {
			t.Errorf("%q names no author", w)
		}
	}
	for _, w := range wroteWords {
		if len(w) > 2 && !attributionEnd.in("Eva "+w+":") {
			t.Errorf("%q is no attribution", w)
		}
	}
}

// Initials before the mark, as some programs put them.
func TestInitialsBeforeMark(t *testing.T) {
	raw := head("z", "") + part1(utf8Plain, "8bit", lines(half[0], "EvS> command at 7", "E> die orange 1", "ES>> keep 027", half[1]))
	if l := Read([]byte(raw), Options{}); !slices.Equal(l.Orders, half) {
		t.Errorf("orders %q", l.Orders)
	}
}
