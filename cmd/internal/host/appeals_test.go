package host

import (
	"strings"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestHostReadsAppeals: an appeal against the host's ruling, made while the server runs, is
// listed at the command line until the host has answered it there.
func TestHostReadsAppeals(t *testing.T) {
	t.Parallel()
	var config, id string
	p := program.ServeOn(t, "", func(path string) {
		config = path
		out, code := program.Output(t, "new", "-config", config, "-started", "-seed", strings.Repeat("5a", 32),
			"-player", "Alpha <alpha@"+program.Domain+">", "-player", "Beta <beta@"+program.Domain+">")
		if code != cli.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
		_, id, _ = strings.Cut(out, "game=")
		id, _, _ = strings.Cut(strings.TrimSpace(id), "\n")
	})
	alpha := mailclient.Stranger(t, p, "alpha")
	alpha.Until("the start", func(mailclient.Received) bool { return true })
	if out, code := program.Output(t, "rule", "-config", config, "-yes", "-reason", "he is ill", id, "replace", "Beta", "by", "bot"); code != cli.ExitYes {
		t.Fatalf("rule: %d %s", code, out)
	}
	alpha.Until("the ruling", func(n mailclient.Received) bool { return strings.Contains(n.Text, "he is ill") })
	mailclient.Answers(t, alpha.Ask("appeal "+id+": he \"is\" well"), "applied", "to the host of this server")
	out, code := program.Output(t, "appeals", "-config", config)
	for _, want := range []string{"game " + id + ": \"Alpha\" appeals: " + `"he \"is\" well"` + "\n", "against `replace` by \"\"", ": \"he is ill\"\n", "angelpost rule -reason \"WHY\" " + id + " uphold\n"} {
		if code != cli.ExitYes || !strings.Contains(out, want) {
			t.Errorf("%d, no %q in %s", code, want, out)
		}
	}
	if out, code := program.Output(t, "rule", "-config", config, "-yes", "-reason", "ask him", id, "uphold"); code != cli.ExitYes {
		t.Errorf("uphold: %d %s", code, out)
	}
	alpha.Until("the answer", func(n mailclient.Received) bool { return strings.Contains(n.Text, "ask him") })
	if out, code := program.Output(t, "appeals", "-config", config); code != cli.ExitYes || out != "" {
		t.Errorf("afterwards: %d %s", code, out)
	}
}
