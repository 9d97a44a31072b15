package order_test

import (
	"strings"
	"testing"

	"angelpost/engine/order"
)

// A short line below the author's name that asks, doubts or takes back counts, and a title does
// not.
func TestBelowTheSignature(t *testing.T) {
	for line, doubted := range map[string]bool{
		"I'm torn": true, "I'll confirm tonight": true, "just thinking aloud": true, "Reicht das?": true, "wait": true, "PS: not yet": true, "hang on a mo": true,
		"Test Manager": false, "Professor of Geology": false, "Example Ltd": false, "Sent from my phone": false,
	} {
		l := order.ReadLetter([]string{"B", "", "Thanks,", "Ann", "", line}, "Ann")
		for _, it := range l.Items {
			if it.Text == "B" && (it.Doubt == order.DoubtBeside) != doubted {
				t.Errorf("%q: doubt %q for %q", line, it.Doubt, it.Beside)
			}
		}
	}
}

// What people say to take an order back keeps it from being played, above and below it, also
// where no one has listed the words for the letter's place.
func TestTakenBackAboveAndBelow(t *testing.T) {
	for _, remark := range []string{
		"as you were", "belay that", "strike that", "put a pin in it", "mañana", "doucement", "Moment mal", "daj mi chwilę", "non ancora", "ainda não", "még ne", "odota vielä", "počkej",
		"почекай", "bekle", "انتظر", "חכה רגע", "ちょっと待って", "等等", "잠깐만", "my finger slipped", "that was meant for my other game", "if nobody minds", "ist das erlaubt", "era broma", "żartuję",
	} {
		for _, form := range []string{"B\n§", "B\n\n§", "§\nB", "§\n\nB"} {
			for _, it := range order.ReadLetter(strings.Split(strings.ReplaceAll(form, "§", remark), "\n"), "Ann").Items {
				if it.Text == "B" && it.Doubt == "" && it.Beside == "" {
					t.Errorf("%q in %q plays", remark, form)
				}
			}
		}
	}
}
