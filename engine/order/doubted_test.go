package order_test

import (
	"slices"
	"strings"
	"testing"

	"angelpost/engine/order"
)

// A line with a box is an order if the box is ticked; what a message says is part of it.
func TestBoxes(t *testing.T) {
	for _, tt := range []struct {
		letter   string
		read     string // the items' texts
		unticked []int
	}{
		{"☐ resign\n☑ B", "B", []int{1}},
		{"[ ] resign\n[x] card 013 at row 2\n[X] B", "card 013 at row 2/B", []int{1}},
		{"- [ ] resign\n- [x] B", "B", []int{1}},
		{"1. [ ] resign\n2. [x] B", "B", []int{1}},
		{"• ☐ resign\n• ☑ B", "B", []int{1}},
		{"☑\uFE0F card 013 at row 2", "card 013 at row 2", nil},
		{"☒ B\n□ resign\n⬜ undo", "B", []int{2, 3}},
		{"✅ B", "B", nil}, {"✔ B", "B", nil}, {"✔\uFE0F B", "B", nil}, {"✓ B", "B", nil}, {"B ☑", "B", nil}, {"card 013 at row 2 ✅", "card 013 at row 2", nil},
		{"❌ resign\n✗ undo\nB", "B", []int{1, 2}},
		{"resign ☐\nundo [ ]\nB", "B", []int{1, 2}},
		{"[_] resign\n( ) undo\n[] pass\n(x) B", "B", []int{1, 2, 3}},
		{"[ ] [x] resign\n☑ ☐ undo\nB", "B", []int{1, 2}},
		{"say: to do\n[ ] good luck\n[x] have fun", "say: to do", nil},
		{"say: done ☐", "say: done ☐", nil}, {"say: done ✅", "say: done ✅", nil},
		{"☑ say: hello", "say: hello", nil},
		{"plan\n[ ] resign\n[x] card 013 at row 2\n- [ ] B\n", "plan", []int{2, 4}},
		{"[ ]", "", nil}, {"✅", "", nil},
		{strings.Repeat("✅", 150) + " B", "", nil},
	} {
		l := order.ReadLetter(strings.Split(tt.letter, "\n"))
		var read []string
		for _, it := range l.Items {
			if it.Doubt == "" && it.Problem == nil && (it.Clause == nil || it.Clause.Readable()) {
				read = append(read, it.Text)
			}
		}
		var left []int
		for _, it := range l.Unticked {
			left = append(left, it.Line)
		}
		if strings.Join(read, "/") != tt.read || !slices.Equal(left, tt.unticked) {
			t.Errorf("%.60q: read %q, unticked %v", tt.letter, read, l.Unticked)
		}
	}
	if a := order.ReadLetter([]string{"plan", "☑ card 013 at row 2", "[ ] B"}).Items[0].Word.Ahead; a == nil || len(a.Lines) != 1 || a.Lines[0].Text != "card 013 at row 2" {
		t.Errorf("a plan of %+v", a)
	}
	lines := []string{"☑ B"}
	if l := order.ReadLines(lines); len(l.Items) != 1 || l.Items[0].Text != "B" || lines[0] != "☑ B" {
		t.Errorf("%+v, %q", l.Items, lines)
	}
}

// Lines that no one can see are asked about, and those behind a bar if there is nothing else
// to play.
func TestMarkedLines(t *testing.T) {
	for letter, want := range map[string][]string{
		"?~ B":                      {"?unseen"},
		"?~ B\ndie gray 2":          {"?unseen", "+"},
		"?~ hello there\ndie gray2": {"", "+"},
		"?| B":                      {"?bar"},
		"?| card 013 at row 2\n?| die gray 2\nThanks": {"?bar", "?bar", ""},
		"?| B\ndie gray 2":                            {"", "+"},
		"?| B\nundo":                                  {"", "+"},
		"say: hello\n?~ resign":                       {"+", "?unseen"},
		"say:\nhello\n?> all\nend":                    {"+", "", "", ""},
		"?| B\nstatus":                                {"?bar", "+"},
		"?| B\ndie grya 2":                            {"", ""},
		"?| Your goods | 3\n":                         {"", ""},
	} {
		lines := strings.Split(letter, "\n")
		got := fates(order.ReadLetter(lines), lines)
		for i := range got {
			if !strings.HasPrefix(got[i], "?") && got[i] != "+" {
				got[i] = ""
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", letter, got, want)
		}
		for _, it := range order.ReadLetter(lines).Items {
			if strings.Contains(it.Word.Text, "?") {
				t.Errorf("%q: a message of %q", letter, it.Word.Text)
			}
		}
	}
}

// FuzzMarks: whatever a letter says, lines that are marked or not ticked are never read as
// they are, and what is only thanks has no order.
func FuzzMarks(f *testing.F) {
	for _, s := range []string{"?~ B\n[ ] resign\n☑ die gray 2", "?| card 013 at row 2\nThanks!", "👍", "say:\n?> x\nend", "[x] [ ] B ☐", "1. ✅ ❌ undo", "players: a@b,\n?~ c@d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		lines := strings.Split(s, "\n")
		l := order.ReadLetter(lines, "Ada")
		for _, it := range l.Items {
			if _, d := order.Unmarked(lines[it.Line-1]); d != "" && it.Doubt != d {
				t.Errorf("%q: %q in doubt for %q", lines[it.Line-1], it.Text, it.Doubt)
			}
		}
		for _, it := range l.Unticked {
			if slices.ContainsFunc(l.Items, func(o order.Item) bool { return o.Line == it.Line }) {
				t.Errorf("%q is read", lines[it.Line-1])
			}
		}
		if text, ok := order.Thanks(lines, "Ada"); ok && (saysFor(lines, "Ada") || order.ReadsAsOrder(text)) {
			t.Errorf("%q: thanks with an order", s)
		}
		order.ReadLines(lines)
	})
}

// saysFor is order.Says for an author of that name.
func saysFor(lines []string, name string) bool {
	return slices.ContainsFunc(order.ReadLetter(lines, name).Items, func(it order.Item) bool {
		return it.Doubt == "" && it.Problem == nil && (it.Clause == nil || it.Clause.Readable())
	})
}
