package templates

import (
	"slices"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/templates/words"
)

// The news tells every reader of a game what others did, never their own turns, a
// paragraph for each player, and nothing that the story of the same lines hides.
func TestNews(t *testing.T) {
	paragraphs, yours := 0, 0
	for i, o := range []game.Options{options(1, "base", "revised", "easy"), options(2, "base", "revised", ""), options(3, "advanced", "first", ""), options(4, "advanced", "revised", "")} {
		last := 0
		play(t, o, byte(i), 1<<20, func(g *game.Game) bool {
			if v := g.View(0); v.Asked != engine.AskTurn || g.Steps() < last+25 {
				return false
			}
			for seat := engine.Seat(0); int(seat) <= o.Players; seat++ {
				v := words.English().For(g.View(seat).Set, seat, names[:o.Players])
				told := g.Story(seat, last)
				news := v.News(told)
				var seats []engine.Seat
				for _, n := range news {
					paragraphs++
					if len(n.Yours) > 0 {
						yours++
					}
					if n.Seat == seat && seat != 0 || n.Seat != 0 && slices.Contains(seats, n.Seat) {
						t.Errorf("seat %d reads of seat %d: %+v", seat, n.Seat, news)
					}
					seats = append(seats, n.Seat)
					for _, text := range slices.Concat(n.Yours, n.Text) {
						if strings.Contains(text, "[") || strings.Contains(text, "  ") || !strings.HasSuffix(text, ".") {
							t.Errorf("%q", text)
						}
					}
				}
				whole := ""
				for _, turn := range v.Story(told) {
					for _, l := range turn.Lines {
						whole += l.Text + "\n"
					}
				}
				for _, n := range news { // a card that the story does not name must not appear
					for _, w := range strings.FieldsFunc(strings.Join(slices.Concat(n.Yours, n.Text), " "), func(r rune) bool { return r == ' ' || r == ',' || r == '.' }) {
						if len(w) == 3 && strings.Trim(w, "0123456789") == "" && !strings.Contains(whole, w) {
							t.Errorf("the news names %s, the story does not:\n%s", w, whole)
						}
					}
				}
			}
			last = g.Steps()
			return false
		})
	}
	if paragraphs < 150 || yours < 20 {
		t.Errorf("%d paragraphs, %d of them about the reader", paragraphs, yours)
	}
}

// A paragraph of news that is too long loses its oldest sentences, and those about the
// reader last.
func TestNewsWithinBounds(t *testing.T) {
	n := words.News{Seat: 2, Yours: []string{"Bo bought your die.", "You got 1 VP."}, Text: []string{"Bo flew.", "Bo took t12.", "Bo passed."}}
	for limit, want := range map[int]string{
		1000: "Bo bought your die. You got 1 VP.|Bo flew. Bo took t12. Bo passed.",
		60:   "Bo bought your die. You got 1 VP.|Bo took t12. Bo passed.",
		50:   "Bo bought your die. You got 1 VP.|Bo passed.",
		20:   "You got 1 VP.|",
		1:    "You got 1 VP.|",
	} {
		var s section
		s.tell(n, limit)
		if got := s.pieces[0].strong + "|" + s.pieces[0].text; got != want {
			t.Errorf("%d: %q, want %q", limit, got, want)
		}
	}
}
