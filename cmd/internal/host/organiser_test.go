package host

import (
	"strings"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestHostNamesAnOrganiser: while the server runs, the host names an organiser for a game whose
// organiser cannot be reached.
func TestHostNamesAnOrganiser(t *testing.T) {
	t.Parallel()
	var config, game string
	p := program.ServeOn(t, "", func(path string) {
		config = path
		out, code := program.Output(t, "new", "-config", config, "-started", "-seed", strings.Repeat("5a", 32),
			"-player", "Alpha <alpha@"+program.Domain+">", "-player", "Beta <beta@"+program.Domain+">")
		if code != cli.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
		game = strings.TrimSpace(strings.TrimPrefix(out, "game="))
	})
	alpha, beta := mailclient.Stranger(t, p, "alpha"), mailclient.Stranger(t, p, "beta")
	alpha.Until("the start", func(mailclient.Received) bool { return true })
	mailclient.Answers(t, alpha.Ask("replace Beta by bot"), "refused", "only the organiser")
	for want, args := range map[int][]string{
		cli.ExitNo:    {"aaaaaaaaaaaaaaaa", "alpha@" + program.Domain},
		cli.ExitUsage: {game, "nobody@" + program.Domain},
	} {
		if out, code := program.Output(t, append([]string{"organiser", "-config", config}, args...)...); code != want || out != "" {
			t.Errorf("%v: %d %s", args, code, out)
		}
	}
	if out, code := program.Output(t, "organiser", "-config", config, game, "Alpha@"+program.Domain); code != cli.ExitYes {
		t.Fatalf("organiser: %d %s", code, out)
	}
	mailclient.Says(t, alpha.Until("the news", func(n mailclient.Received) bool {
		return strings.Contains(n.Text, "You are now the organiser of this game")
	}), "replace NAME by bot")
	mailclient.Says(t, beta.Until("the news", func(n mailclient.Received) bool { return strings.Contains(n.Text, "is now the organiser of") }), "Alpha is now the organiser of this game")
	mailclient.Answers(t, alpha.Ask("replace Beta by bot"), "applied", "A bot replaces")
	p.Stop()
}
