package server

import (
	"strings"
	"testing"
)

// TestHostNamesAnOrganiser mends a game that has none who can be reached, beside
// the running server.
func TestHostNamesAnOrganiser(t *testing.T) {
	var config, game string
	p := serveOn(t, "", func(path string) {
		config = path
		out, code := output(t, "new", "-config", config, "-started", "-seed", strings.Repeat("5a", 32),
			"-player", "alpha@"+demoDomain, "-player", "beta@"+demoDomain)
		if code != exitYes {
			t.Fatalf("new: %d %s", code, out)
		}
		game = strings.TrimSpace(strings.TrimPrefix(out, "game="))
	})
	alpha, beta := stranger(t, p, "alpha"), stranger(t, p, "beta")
	alpha.until("the start", func(received) bool { return true })
	answers(t, alpha.ask("replace Player 2 by bot"), "refused", "only the organiser")
	for want, args := range map[int][]string{
		exitNo:    {"aaaaaaaaaaaaaaaa", "alpha@" + demoDomain},
		exitUsage: {game, "nobody@" + demoDomain},
	} {
		if out, code := output(t, append([]string{"organiser", "-config", config}, args...)...); code != want || out != "" {
			t.Errorf("%v: %d %s", args, code, out)
		}
	}
	if out, code := output(t, "organiser", "-config", config, game, "Alpha@"+demoDomain); code != exitYes {
		t.Fatalf("organiser: %d %s", code, out)
	}
	says(t, alpha.until("the news", func(n received) bool { return strings.Contains(n.text, "You look after this game") }), "replace NAME by bot")
	says(t, beta.until("the news", func(n received) bool { return strings.Contains(n.text, "looks after") }), "Player 1 looks after this game")
	answers(t, alpha.ask("replace Player 2 by bot"), "applied", "is replaced by a bot")
	p.stop()
}
