package words

import (
	"math/rand/v2"
	"os"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
)

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func newGame(t testing.TB, players int) *game.Game {
	t.Helper()
	g, err := game.New(component.Default(), game.Header{
		Game:    "test",
		Options: game.Options{Players: players, Rules: "base", Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName},
		Names:   names[:players],
		Seed:    [32]byte{byte(players)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// playGame plays at random until the log has steps lines or the game ends.
func playGame(t testing.TB, players, steps int) *game.Game {
	t.Helper()
	g := newGame(t, players)
	rnd := rand.New(rand.NewPCG(1, uint64(players)))
	var buf []engine.Step
	for !g.Finished() && g.Steps() < steps {
		act := g.View(0).ToAct
		seat := act[rnd.IntN(len(act))]
		buf = g.View(seat).Legal(buf[:0])
		if _, err := g.Do(seat, game.ByPlayer, buf[rnd.IntN(len(buf))]); err != nil {
			t.Fatal(err)
		}
	}
	return g
}
