package templates

import (
	"math/rand/v2"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/templates/words"
)

var names = []string{"Ada", "Bo", "Cy", "Di"}

// playGame plays at random until the log has steps lines, the game ends, or
// stop says so.
func playGame(t testing.TB, players, steps int, stop func(*game.Game) bool) *game.Game {
	t.Helper()
	return play(t, options(players, "base", "revised", ""), 0, steps, stop)
}

func options(players int, rules, edition, hal string) game.Options {
	return game.Options{Players: players, Rules: rules, Edition: edition, RulesVersion: game.RulesVersion, Set: component.DefaultName, Hal: hal}
}

// play is playGame for any game, and any number of games of one kind.
func play(t testing.TB, o game.Options, number byte, steps int, stop func(*game.Game) bool) *game.Game {
	t.Helper()
	g, err := game.New(component.Default(), game.Header{
		Game: "g4k2q", Options: o, Names: names[:o.Players], Seed: [32]byte{byte(o.Players), number},
	})
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, uint64(o.Players)))
	var buf []engine.Step
	for !g.Finished() && g.Steps() < steps && (stop == nil || !stop(g)) {
		act := g.View(0).ToAct
		seat := act[rnd.IntN(len(act))]
		buf = g.View(seat).Legal(buf[:0])
		if _, err := g.Do(seat, game.ByPlayer, buf[rnd.IntN(len(buf))]); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// sheetOf is a turn's notice to a seat.
func sheetOf(g *game.Game, seat engine.Seat, kind notice.Kind, since int) *notice.Input {
	v := g.View(seat)
	s := &notice.Input{View: v, Options: g.Record(seat).Options, Story: g.Story(seat, since), Message: notice.Message{
		Kind: kind, Game: "g4k2q", Seat: int(seat), Result: notice.None, Token: "tokentokentoken", PageKey: "keykeykey",
		Answer: notice.Answer{GameName: "Friday", Names: names[:v.Options.Players]},
	}}
	for _, l := range v.Legal(nil) {
		s.Legal = append(s.Legal, order.Print(l))
	}
	if len(s.Legal) > 0 {
		s.Example = s.Legal[:1]
	}
	return s
}

var site = Site{BaseURL: "https://play.example", ReplyTo: "angel+tokentokentoken@play.example", Picture: "board@play"}

func render(t testing.TB, s *notice.Input, site Site) Letter {
	t.Helper()
	l, err := Render(words.English(), s, site)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// fenced are the orders a letter's text lists under a name.
func fenced(text, name string) (out []string) {
	in := false
	for _, l := range strings.Split(text, "\n") {
		switch {
		case l == "| "+name:
			in = true
		case l == "| end":
			in = false
		case in:
			out = append(out, strings.TrimPrefix(l, "| "))
		}
	}
	return out
}
