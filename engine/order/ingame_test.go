package order_test

import (
	"strings"
	"testing"

	"angelpost/engine/order"
)

// Other games are addressed by the line "game ID", however people write it. It is never passed
// over: what follows it would be played in another game.
func TestGamesAreAddressed(t *testing.T) {
	const id = "swqazs3gjz5uopie"
	for _, line := range []string{
		"game " + id, "Game " + id, "GAME " + strings.ToUpper(id), "game " + id + ":", "Game: " + id, "game " + id + " -", "In game " + id + ":", "for game " + id,
		"My move in game " + id + ":", "orders for the game " + id, "Game #" + id, "game \"" + id + "\"", "game (" + id + ")", "*game " + id + "*", "- game " + id, "1. game " + id + ":", "`game " + id + "`", id, id + ":",
	} {
		for _, above := range []string{"", "Hi all,\n\n", "This is for both.\n\n", "C4 to B5\n", "say: hello\n", "say: hello\nhow are you\n", "plan\nbuy red\n", "status\n"} {
			text := above + line + "\nA\nB"
			l := order.ReadLetter(strings.Split(text, "\n"), "Cleo")
			n, at := 0, strings.Count(above, "\n")+1
			for i, it := range l.Items {
				if it.Word.Kind == order.InGame {
					n++
					if it.Word.Name != id || it.Line != at || it.Doubt != "" {
						t.Errorf("%q: read as %+v", text, it)
					}
					if rest := l.Items[i+1:]; len(rest) != 2 || rest[0].Clause == nil || rest[1].Clause == nil {
						t.Errorf("%q: after the game comes\n%s", text, show(l))
					}
				}
			}
			if n != 1 {
				t.Errorf("%q: read as\n%s", text, show(l))
			}
		}
	}
}

func TestOrdersNextToTheirGame(t *testing.T) {
	const id = "swqazs3gjz5uopie"
	for _, x := range []struct{ text, want string }{
		{"game " + id + ": C4 to B5; done", "1 word game [" + id + "]\n1 clause C4 to B5\n1 clause done"},
		{"game " + id + ", round 3: C4 to B5", "1 word game [" + id + "]\n1 clause C4 to B5"},
		{"board; game " + id + "; legal", "1 word board\n1 word game [" + id + "]\n1 word legal"},
		{"C4 to B5\n?> game " + id + "\nC4 to B5", "1 clause C4 to B5\n2 word game [" + id + "] doubt-quoted:\n3 clause C4 to B5"},
		// A word of sixteen letters is no game, and no game is named without its id.
		{"acknowledgements\nC4 to B5", "2 clause C4 to B5\npassed [1]"},
		{"game over\nC4 to B5", "2 clause C4 to B5\npassed [1]"},
	} {
		if got := show(order.ReadLetter(strings.Split(x.text, "\n"))); got != x.want {
			t.Errorf("%q: read as\n%s\nwant\n%s", x.text, got, x.want)
		}
	}
}
