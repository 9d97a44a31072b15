package host

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestPeople: while the server runs, the host writes to all players, renames one and moves one
// to another address. The letters arrive.
func TestPeople(t *testing.T) {
	t.Parallel()
	var config string
	p := program.ServeOn(t, "", func(path string) {
		config = path
		if out, code := program.Output(t, "new", "-config", config, "-started", "-player", "alpha@"+program.Domain, "-player", "beta@"+program.Domain); code != cli.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	run := func(want int, into any, args ...string) {
		t.Helper()
		code, out, said := program.Outcome(t, args...)
		if code != want || (into != nil && json.Unmarshal([]byte(out), into) != nil) {
			t.Fatalf("%v: %d %s %s", args, code, out, said)
		}
	}
	var a announcement
	run(cli.ExitNo, &a, "announce", "-config", config, "-json", "The server moves.")
	if a.Schema != 1 || a.Players != 2 || a.Sent {
		t.Errorf("%+v", a)
	}
	run(cli.ExitYes, &a, "announce", "-config", config, "-json", "-yes", "The", "server", "moves.")
	if a.Players != 2 || !a.Sent {
		t.Errorf("%+v", a)
	}
	for _, name := range []string{"alpha", "beta"} {
		mailclient.Says(t, mailclient.Stranger(t, p, name).Until("the announcement", func(r mailclient.Received) bool {
			return r.Header.Get("Subject") == "Angelpost: a message from the host"
		}), "The server moves.")
	}
	var c playerChange
	run(cli.ExitYes, &c, "player", "rename", "-config", config, "-json", "alpha@"+program.Domain, "Grace", "of", "Ur")
	if c.Name != "Grace of Ur" {
		t.Errorf("%+v", c)
	}
	run(cli.ExitYes, &c, "player", "rename", "-config", config, "-json", "alpha@"+program.Domain, "Grace")
	if c.Name != "Grace" || c.Address != "alpha@"+program.Domain || c.ID == 0 {
		t.Errorf("%+v", c)
	}
	run(cli.ExitYes, &c, "player", "address", "-config", config, "-json", "grace", "gamma@"+program.Domain)
	if c.Address != "gamma@"+program.Domain {
		t.Errorf("%+v", c)
	}
	gamma := mailclient.Stranger(t, p, "gamma")
	gamma.Last = gamma.Until("the news", func(r mailclient.Received) bool {
		return r.Header.Get("Subject") == "Angelpost: your games have moved here"
	})
	mailclient.Says(t, gamma.Last, "gamma@"+program.Domain)
	gamma.Ask("my data")
	mailed := string(gamma.Until("the data", func(r mailclient.Received) bool {
		return r.Header.Get("Subject") == "Angelpost: what we keep about you"
	}).Raw)
	_, file, ok := strings.Cut(mailed, "filename=\"angelpost-data.json\"\r\n\r\n")
	file, _, _ = strings.Cut(file, "--")
	text, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(file, "\r\n", ""))
	var kept struct{ Addresses []struct{ Address string } }
	if json.Unmarshal(text, &kept) != nil || !ok || len(kept.Addresses) != 1 || kept.Addresses[0].Address != "gamma@"+program.Domain {
		t.Errorf("%v: %s", err, mailed)
	}
	var data map[string]any
	run(cli.ExitYes, &data, "player", "export", "-config", config, "gamma@"+program.Domain)
	if games, _ := data["games"].([]any); len(games) != 1 {
		t.Errorf("%+v", data)
	}
	run(cli.ExitNo, nil, "player", "erase", "-config", config, "beta@"+program.Domain)
	run(cli.ExitYes, &c, "player", "erase", "-config", config, "-json", "-yes", "beta@"+program.Domain)
	mailclient.Says(t, mailclient.Stranger(t, p, "beta").Until("the last letter", func(r mailclient.Received) bool {
		return r.Header.Get("Subject") == "Angelpost: we forget you"
	}), "Former player")
	run(cli.ExitNo, nil, "player", "rename", "-config", config, "nobody@"+program.Domain, "Ida")
	run(cli.ExitNo, nil, "player", "address", "-config", config, "Grace", "beta@"+program.Domain)
	run(cli.ExitUsage, nil, "player", "rename", "-config", config, "Grace")
	run(cli.ExitUsage, nil, "player", "praise", "Grace")
	run(cli.ExitUsage, nil, "announce", "-config", config)
}
