package order_test

import (
	"strings"
	"testing"

	"angelpost/engine/order"
)

// disclaimer is one line of 4,930 characters with all that orders are made of.
var disclaimer = strings.Repeat("This e-mail and its attachments may hold 2 or 3 confidential orders; place no card, take no 2.1, and do not pass it on. ", 42)[:4930]

// A line longer than orders may be is prose, unless it begins as one, or as a
// message does; it keeps no order from being played.
func TestLongLines(t *testing.T) {
	turn := "card 013 at row 2\ndie gray 0 flip: command\nlaunch to b4"
	for _, c := range []struct{ name, letter, want string }{
		{"below", turn + "\n§", "+ + + ."},
		{"below an empty line", turn + "\n\n§", "+ + + ."},
		{"below a closing", turn + "\n\nThanks,\nAnna\n§", "+ + + . . ."},
		{"above", "§\n" + turn, ". + + +"},
		{"between", "card 013 at row 2\n§\ndie gray 0 flip: command\n§\nlaunch to b4", "+ . + . +"},
		{"between, with prose", "card 013 at row 2\n§\nI hope this is right.\ndie gray 0", "+ . ! +"},
		{"above a short order", "§\nB", ". ?prose"},
		{"between a long order and a short one", turn + "\n§\nB", "+ + + . ?prose"},
		{"below a short order", "B\n§", "+ ."},
		{"below a word", "status\n§", "+ ."},
		{"alone", "§", "."},
		{"with other prose alone", "§\nHow are you today?", ". !"},
		{"begins with if", turn + "\nIf § 2 applies, §", "+ + + ."},
		{"begins with a verb", turn + "\nUse of this e-mail §", "+ + + ."},
		{"begins with a word", "Notify §\nName §\nRemind §\nCancel §\nLegal notice: §\nRules: §\nVoid §\nEdition: §\nSay §\nPlan §\nNever §\n" + turn, ". . . . . . . . . . . + + +"},
		{"a name too long", "league " + strings.Repeat("x", 4930), "~text-too-long"},
		{"in a plan", "plan\ncard 013 at row 2\n§\ndie gray 2\nend plan\nB", "+ . +"},
		{"below a plan", "plan\ncard 013 at row 2\n\n§", "+ ."},
		{"below new game", "new game\nplayers: a@b.c\n§", "+ ."},
		{"below a message", "say: hello\n§\n" + turn, "+ ~say-rest + + +"},
		{"orders", strings.Repeat("die gray 2; ", 40) + "\nB", "! +"},
		{"orders and prose", "card 013 at row 2, and §\nB", "! +"},
		{"conditions", "plan\nif tile t12: " + strings.Repeat("die gray 2; ", 40), "+"},
		{"a message", "say: " + strings.Repeat("My friends, ", 300) + "\n" + turn, "+ + + +"},
		{"a longer one", "say: " + strings.Repeat("My friends, ", 400) + "\n" + turn, "~text-too-long + + +"},
		{"a note", "note: " + strings.Repeat("Bob bluffs. ", 300), "+"},
		{"orders below a message", "say: hello\n" + strings.Repeat("die gray 2; ", 40), "+ !"},
		{"a ruling", "void abcdefghijklmn27: " + strings.Repeat("unfair ", 57), "+"},
	} {
		lines := strings.Split(strings.ReplaceAll(c.letter, "§", disclaimer), "\n")
		l := order.ReadLetter(lines, "Anna")
		var got []string
		for i, f := range fates(l, lines) {
			if lines[i] != "" && f != "" {
				got = append(got, f)
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
	}
	l := order.ReadLetter([]string{"say: hello", strings.Repeat("die gray 2; ", 40)})
	if len(l.Items) != 2 || l.Items[0].Word.Text != "hello" {
		t.Errorf("orders are said: %+v", l.Items)
	}
	if !order.ReadsAsOrder(strings.Repeat("die gray 2; ", 40)) || order.ReadsAsOrder(disclaimer) {
		t.Error("a long line of a message is not what it is")
	}
	plan := order.ReadLetter([]string{"plan", "if tile t12: " + strings.Repeat("die gray 2; ", 40)}).Items[0].Word.Ahead
	if plan == nil || plan.Problem() < 0 {
		t.Errorf("a plan too long for a line is taken: %+v", plan)
	}
}

// What is quoted behind a word is no order, however long it is.
func TestLongBarredRest(t *testing.T) {
	for _, head := range []string{"else ", "or else ", "if x: ", "if tile t12: ", "unless t12 then ", "plan: ", "plan: if tile t12: ", "my turn: ", "say: ", "note ", "B; "} {
		for _, mark := range []string{"> ", "| "} {
			line := head + mark + strings.Repeat("x", order.MaxLine)
			for _, lines := range [][]string{{line}, {"plan", line}, {"say: x", line}} {
				order.ReadLetter(lines)
				order.ReadLines(lines)
				order.ReadAhead(lines)
				order.ReadsAsOrder(line)
			}
		}
	}
}
