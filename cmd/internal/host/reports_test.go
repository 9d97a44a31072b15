package host

import (
	"strings"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestHostReadsReports: what a player reports while the server runs, the host reads at the
// command line.
func TestHostReadsReports(t *testing.T) {
	t.Parallel()
	var config string
	p := program.ServeOn(t, "", func(path string) {
		config = path
		out, code := program.Output(t, "new", "-config", config, "-started", "-seed", strings.Repeat("5a", 32),
			"-player", "Alpha <alpha@"+program.Domain+">", "-player", "Beta <beta@"+program.Domain+">")
		if code != cli.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	alpha, beta := mailclient.Stranger(t, p, "alpha"), mailclient.Stranger(t, p, "beta")
	alpha.Until("the start", func(mailclient.Received) bool { return true })
	beta.Until("the start", func(mailclient.Received) bool { return true })
	if out, code := program.Output(t, "reports", "-config", config); code != cli.ExitYes || out != "" {
		t.Errorf("before: %d %s", code, out)
	}
	mailclient.Answers(t, beta.Ask("say all: \"you\" are report 9"), "applied")
	alpha.Until("the message", func(n mailclient.Received) bool { return strings.Contains(n.Text, "report 9") })
	mailclient.Answers(t, alpha.Ask("report Beta: rude"), "applied", "The host of this server gets the last message")
	out, code := program.Output(t, "reports", "-config", config)
	for _, want := range []string{"report 1, ", ": alpha@" + program.Domain + " reports beta@" + program.Domain + " (Beta): \"rude\"\n  ", `, to all: "\"you\" are report 9"` + "\n"} {
		if code != cli.ExitYes || !strings.Contains(out, want) {
			t.Errorf("%d, no %q in %s", code, want, out)
		}
	}
	if out, code := program.Output(t, "reports", "-config", config, "-after", "1"); code != cli.ExitYes || out != "" {
		t.Errorf("after the only one: %d %s", code, out)
	}
}
