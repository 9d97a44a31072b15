package letter

import (
	"reflect"
	"testing"
)

// Text keeps what the order language needs to tell an order from a signature: the places of
// empty lines, greetings, closings and quotation.
func TestText(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       []string
	}{
		{"closings stay", "Hi all,\n\nstatus\n\n\nThanks,\nB\n", []string{"Hi all,", "", "status", "", "Thanks,", "B"}},
		{"quotation leaves a gap", "status\n> | legal\n> card 013 at row 1\n\nB\n", []string{"status", Gap, "", "B"}},
		{"so do bars, with what is behind one", "status\n| card 013 at row 1\nB\n", []string{"status", Behind + "card 013 at row 1", "B"}},
		{"and lists", "status\n| legal\n| card 013 at row 1\nB\n", []string{"status", Gap, "B"}},
		{"press and marks stay", "say:\nexample\n:-)\n\nend\n", []string{"say:", "example", ":-)", "", "end"}},
		{"the author's name stays", "Anna Berg\nB\n", []string{"Anna Berg", "B"}},
		{"signature and footers go", "B\nSent from my iPhone\n-- \nAnna\nresign\n", []string{"B", ""}},
		{"emphasis goes", "*B*\n", []string{"B"}},
		{"nothing", "\n\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := Read(mailOf(tt.body, "From: Anna Berg <anna@example.org>"), Options{Notice: NewNotice(smallNotice)})
			if !reflect.DeepEqual(l.Text, tt.want) {
				t.Errorf("%q, want %q", l.Text, tt.want)
			}
		})
	}
}

// Every order line of the clients' letters is a line of their text, in order.
func TestTextHoldsOrders(t *testing.T) {
	o := testOptions(t)
	for _, e := range clients(t) {
		l := Read([]byte(e.raw), o)
		rest := l.Text
		for _, want := range l.Orders {
			for len(rest) > 0 && rest[0] != want {
				rest = rest[1:]
			}
			if len(rest) == 0 {
				t.Errorf("%s: %q is missing in %q", e.name, want, l.Text)
				break
			}
			rest = rest[1:]
		}
	}
}
