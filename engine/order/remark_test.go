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

// A paragraph below the author's name counts, however long it is, unless a line of it shows that it is
// a signature or a disclaimer.
func TestParagraphBelowTheName(t *testing.T) {
	for text, doubted := range map[string]bool{
		"Wait, I have just seen that the green die is gone already, so none of this can work.":      true,
		"This message is for the named person only. If you received it in error, please delete it.": false,
		"We decided to meet at seven\nin front of the old town hall\nann@example.org":               false,
	} {
		lines := append([]string{"card 013 at row 2", "", "Thanks,", "Ann", ""}, strings.Split(text, "\n")...)
		for _, it := range order.ReadLetter(lines, "Ann").Items {
			if got := it.Doubt == order.DoubtBeside; got != doubted {
				t.Errorf("%q: doubt %q for %q", text, it.Doubt, it.Beside)
			}
		}
	}
}

// A line that begins with "say," may suppose, and is a message otherwise.
func TestSaySupposes(t *testing.T) {
	for line, doubted := range map[string]bool{"Say, for argument's sake, that I did": true, "say hello Bob": false} {
		for _, it := range order.ReadLetter([]string{line, "card 013 at row 2"}, "Ann").Items {
			if it.Clause != nil && (it.Doubt == order.DoubtBeside) != doubted {
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

// A clause about something else than the orders, or about another player, may have words that would
// doubt them elsewhere; one that says no more than these words, or takes back, doubts.
func TestChattyClauses(t *testing.T) {
	for remark, doubted := range map[string]bool{
		"The plumber comes tomorrow": false, "Nobody stops Carla this round": false, "Morgen ist bei uns Feiertag": false, "See you on Tuesday": false,
		"Mina barn sover aldrig": false, "Jutro mamy święto": false,
		"tomorrow": true, "never": true, "The plumber comes tomorrow. Not yet": true, "My son is ill, wait": true, "the kids are asleep, never mind": true, "maybe after dinner with my sister": true,
		"that was my nephew at the keyboard": true, "this belongs to the game with my brother": true, "falls das geht": true, "option A:": true,
	} {
		for _, it := range order.ReadLetter([]string{"card 013 at row 2", "B", "", remark}, "Ann").Items {
			if it.Text == "B" && (it.Doubt == order.DoubtBeside) != doubted {
				t.Errorf("%q: doubt %q for %q", remark, it.Doubt, it.Beside)
			}
		}
	}
}

// TestPutOff: an order whose writer wants to have supper first waits, in any language.
func TestPutOff(t *testing.T) {
	for _, remark := range []string{"after lunch", "nach dem Abendessen", "après le dîner", "dopo cena", "después de cenar", "depois do jantar", "na het eten", "efter middagen", "etter middag",
		"po obiedzie", "po večeři", "vacsora után", "după cină", "yemekten sonra", "μετά το φαγητό", "после ужина", "після вечері", "晚饭后", "夕食の後", "저녁 먹고", "אחרי ארוחת הערב", "بعد العشاء",
		"weather permitting", "let my kids choose", "les enfants veulent choisir", "bin the above", "scotch the lot"} {
		if items := order.ReadLetter([]string{"B", "", remark}).Items; len(items) != 1 || items[0].Doubt != order.DoubtBeside {
			t.Errorf("%q: %+v", remark, items)
		}
	}
}

// What stands behind an order on its line is weighed from the first mark or name on.
func TestWeighedOnTheLine(t *testing.T) {
	for line, plays := range map[string]bool{
		"die gray 2 from Carla pas convaincue": false, "die gray 2 - no, thanks": false, "die gray 2 from Carla": true, "die gray 2, as planned": true, "option A: die gray 2": false,
		"die gray 2 - my ships are cursed": true, "die gray 2, I feel sorry for the Ravagers": true, "die gray 2, and then a ship to the left": false,
	} {
		for _, it := range order.ReadLetter([]string{line}, "Ann").Items {
			if got := it.Doubt == "" && it.Problem == nil && it.Clause != nil && it.Clause.Readable(); got != plays {
				t.Errorf("%q: plays %v, %q for %q", line, got, it.Doubt, it.Beside)
			}
		}
	}
}

// A saying that begins as a standing order does is no bad one.
func TestSayings(t *testing.T) {
	for _, saying := range []string{"never a dull moment", "always a pleasure"} {
		for _, it := range order.ReadLetter([]string{"card 013 at row 2", "", saying}, "Ann").Items {
			if it.Problem != nil || it.Doubt != "" {
				t.Errorf("%q: %q %v", saying, it.Doubt, it.Problem)
			}
		}
	}
}
