package order_test

import (
	"strings"
	"testing"

	"angelpost/engine/order"
)

// A condition or a standing order that names something of which there is none is told so.
func TestWhatIsNotThere(t *testing.T) {
	for line, want := range map[string]string{
		"if tile t99": "order-tile t99", "unless t99": "order-tile t99", "if tile a99": "order-tile a99", "if tile s77 for sale": "order-tile s77", "if round at least 3 and tile t99": "order-tile t99",
		"if hex b77 free": "order-hex b77", "if hex f3 free": "order-hex f3", "if b77 free": "order-hex b77", "if ship b77": "order-hex b77",
		"if mission 199": "order-card 199", "if card 000": "order-card 000",
		"if damage 9 at least 1": "order-location 9", "if location 7 damaged": "order-location 7", "if ravagers 0 at most 1": "order-location 0",
		"if die gray 7": "order-die 7", "unless die green 4 from Bob": "order-die 4",
		"always activate 199": "order-card 199", "never keep 199": "order-card 199", "always discard 013, 999": "order-card 999", "always reserve gray 7": "order-die 7",
		"always activate 009 with t99": "order-tile t99", "always reserve gray 3 boost 9.9": "order-cell 9.9",
		// What is wrong there otherwise is told as before.
		"if resources maybe 2": "guard-bad", "if resources at least 2 and frogs": "guard-bad", "always sleep": "standing-bad",
	} {
		text := line
		if strings.HasPrefix(line, "if") || strings.HasPrefix(line, "unless") {
			text = "plan\n" + line + "\nbuy gray 2\nend plan"
		}
		l := order.ReadLetter(strings.Split(text, "\n"))
		var p *order.Problem
		for _, it := range l.Items {
			if p = it.Problem; it.Word.Ahead != nil {
				p = it.Word.Ahead.Lines[0].Problem
			}
		}
		if p == nil {
			t.Errorf("%q: no problem:\n%s", line, show(l))
			continue
		}
		got := p.Code
		if strings.HasPrefix(got, "order-") {
			got += " " + p.Word
		}
		if got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
	for _, line := range []string{"if tile t12", "if a4", "if hex a4 free", "if resources at least 120", "if die gray 0 from neutral", "if damage 3 at least 1", "if mission 027"} {
		l := order.ReadLetter([]string{"plan", line, "buy gray 2", "end plan"})
		if len(l.Items) != 1 || l.Items[0].Word.Ahead == nil || l.Items[0].Word.Ahead.Problem() >= 0 {
			t.Errorf("%q is refused:\n%s", line, show(l))
		}
	}
}
