package words

import (
	"slices"
	"strings"
	"testing"

	"angelpost/templates/draw"
)

// TestRuleBook: the book has every rule once, under a heading, its rulings after it, and
// every heading has rules.
func TestRuleBook(t *testing.T) {
	c := English()
	var numbers, headings []string
	for _, x := range c.RuleBook() {
		if strings.Contains(x.Title, "[") || len(x.Rules) == 0 || slices.Contains(headings, x.N) {
			t.Errorf("chapter %s %q has %d rules", x.N, x.Title, len(x.Rules))
		}
		headings = append(headings, x.N)
		for _, r := range x.Rules {
			numbers = append(numbers, r.N)
			if r.Ruling != (r.N[0] == 'Q') || len(r.Text) == 0 {
				t.Errorf("%+v", r)
			}
		}
	}
	if n := len(c.Keys("rule.")); len(numbers) != n {
		t.Errorf("%d rules, want %d", len(numbers), n)
	}
	if n := len(c.Keys("chapter.")); len(headings) != n {
		t.Errorf("%d chapters, want %d", len(headings), n)
	}
	if i := slices.Index(numbers, "R5.5"); i < 0 || numbers[i+1] != "Q5.5" && numbers[i+1] != "Q5.5a" || slices.Index(numbers, "R5.6") < i || slices.Index(numbers, "R2.10") < slices.Index(numbers, "R2.9") {
		t.Errorf("in this order: %v", numbers)
	}
}

// TestHelpBook: every entry of help is in one group.
func TestHelpBook(t *testing.T) {
	c := English()
	n := 0
	for _, g := range c.HelpBook() {
		n += len(g.Words)
	}
	if n != len(c.helps) {
		t.Errorf("%d words, want %d", n, len(c.helps))
	}
}

// TestSignsAreWorded: every icon and kind of thing that pages explain has words.
func TestSignsAreWorded(t *testing.T) {
	for _, x := range draw.Explained {
		if key := "sign." + x.Key; !English().Has(key) {
			t.Errorf("no %s", key)
		}
	}
	for a := range draw.About(draw.Abouts) {
		if !English().Has("thing." + a.Key()) {
			t.Errorf("no thing.%s", a.Key())
		}
	}
	if n := len(English().Keys("thing.")); n != draw.Abouts {
		t.Errorf("%d names for %d kinds of things", n, draw.Abouts)
	}
	if n := len(English().Keys("sign.")); n != len(draw.Explained) {
		t.Errorf("%d words for %d icons", n, len(draw.Explained))
	}
}
