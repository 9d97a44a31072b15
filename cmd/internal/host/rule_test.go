package host

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// feedOf is a game's public feed and its ETag.
func feedOf(t *testing.T, p *program.Process, game string) (tag, body string) {
	t.Helper()
	res, err := http.Get(p.Values["http"] + "/g/" + game + "/feed.atom")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s, %v: %s", res.Status, err, b)
	}
	return res.Header.Get("ETag"), string(b)
}

// TestHostRules rules over a game while the server runs: the game goes back, goes on, and in the
// end is void.
func TestHostRules(t *testing.T) {
	t.Parallel()
	var config, game string
	p := program.ServeOn(t, "", func(path string) {
		config = path
		out, code := program.Output(t, "new", "-config", config, "-started", "-seed", strings.Repeat("5a", 32),
			"-player", "alpha@"+program.Domain, "-player", "beta@"+program.Domain)
		if code != cli.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
		game = strings.TrimSpace(strings.TrimPrefix(out, "game="))
	})
	alpha, beta := mailclient.Stranger(t, p, "alpha"), mailclient.Stranger(t, p, "beta")
	alpha.Until("the start", func(n mailclient.Received) bool { return len(n.Legal) > 0 })
	turn := strings.Join(alpha.Last.Example, "\n")
	n := alpha.Ask(turn)
	mailclient.Answers(t, n, "applied")
	step := len(program.Record(t, config, game).Log)

	for want, args := range map[int][][]string{
		cli.ExitNo: {{"-reason", "x", "aaaaaaaaaaaaaaaa", "void"}, {"-reason", "x", game, "rollback", "to", "999"}, {"-reason", "x", game, "pause"},
			{"-reason", "x", game, "replace", "Nobody", "by", "bot"}, {"-reason", "x", game, "correct", "Alpha 3, Beta 2"}},
		cli.ExitUsage: {{game, "void"}, {"-reason", "x", game}, {"-reason", "x", game, "ponder"}, {"-reason", "x", "game", "void"},
			{"-reason", "x", game, "adjudicate", "Anna"}, {"-reason", strings.Repeat("x", 401), game, "void"}},
	} {
		for _, a := range args {
			if out, code := program.Output(t, append([]string{"rule", "-config", config}, a...)...); code != want || out != "" {
				t.Errorf("%v: %d %s", a, code, out)
			}
		}
	}
	if now := len(program.Record(t, config, game).Log); now != step {
		t.Errorf("what was refused moved the game from %d to %d", step, now)
	}
	tag, before := feedOf(t, p, game)
	if strings.Contains(before, "ruling") {
		t.Errorf("nothing was ruled: %s", before)
	}
	program.Contains(t, program.Trouble(t, cli.ExitNo, "rule", "-config", config, "-reason", "x", game, "rollback", "to", "0"), "takes the game back by", "-yes")
	if out, code := program.Output(t, "rule", "-config", config, "-yes", "-reason", "Alpha misread the board", game, "rollback", "to", "0"); code != cli.ExitYes || out != "ruling=1\n" {
		t.Fatalf("rollback: %d %s", code, out)
	}
	back := func(n mailclient.Received) bool { return strings.Contains(n.Text, "goes back to its beginning") }
	mailclient.Says(t, beta.Until("the ruling", back), "The host of this server ruled this. Reason: Alpha misread the board")
	// Readers of the game's feed see it, too: what, by whom, why and when.
	var again, feed string
	for end := time.Now().Add(20 * time.Second); !strings.Contains(feed, "a ruling") && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		again, feed = feedOf(t, p, game)
	}
	program.Contains(t, feed, "by the host of this server: the game was taken back", "Reason: Alpha misread the board", time.Now().UTC().Format("Jan 2006"))
	if again == tag || again == "" {
		t.Errorf("the feed's ETag was %q and is %q", tag, again)
	}
	n = alpha.Until("the ruling", back)
	if len(n.Legal) == 0 || n.Header.Get("X-Angelpost-Step") != strconv.Itoa(step+1) {
		t.Errorf("Alpha has %d legal orders at step %s", len(n.Legal), n.Header.Get("X-Angelpost-Step"))
	}
	mailclient.Answers(t, alpha.Ask(turn), "applied")
	if out, code := program.Output(t, "rule", "-config", config, game, "-yes", "void", "-reason", "this was a test"); code != cli.ExitYes || out != "ruling=2\n" {
		t.Fatalf("void: %d %s", code, out)
	}
	mailclient.Says(t, beta.Until("the end", func(n mailclient.Received) bool { return strings.Contains(n.Text, "is void") }), "Reason: this was a test")
	if out, code := program.Output(t, "verify", "-all", "-config", config); code != cli.ExitYes {
		t.Errorf("verify -all: %d %s", code, out)
	}
	log := program.Record(t, config, game).Log
	if l := log[step]; l.Order != "rollback 0" || l.By != "director" || l.Seat != 0 {
		t.Errorf("line %d is %+v", step+1, l)
	}
	for i, l := range log[:step] {
		if again := log[step+1+i]; again.Order != l.Order || strings.Join(again.Told, ";") != strings.Join(l.Told, ";") {
			t.Errorf("line %d, %+v, was the second time %+v", l.N, l, again)
		}
	}
	p.Stop()
}
