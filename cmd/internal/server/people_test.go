package server

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestPeople: beside a server at work the host writes to all players, renames one and
// moves one to another address; the letters arrive.
func TestPeople(t *testing.T) {
	t.Parallel()
	var config string
	p := program.ServeOn(t, "", func(path string) {
		config = path
		if out, code := program.Output(t, "new", "-config", config, "-started", "-player", "alpha@"+demoDomain, "-player", "beta@"+demoDomain); code != exitYes {
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
	run(exitNo, &a, "announce", "-config", config, "-json", "The server moves.")
	if a.Schema != 1 || a.Players != 2 || a.Sent {
		t.Errorf("%+v", a)
	}
	run(exitYes, &a, "announce", "-config", config, "-json", "-yes", "The server moves.")
	if a.Players != 2 || !a.Sent {
		t.Errorf("%+v", a)
	}
	for _, name := range []string{"alpha", "beta"} {
		mailclient.Says(t, mailclient.Stranger(t, p, name).Until("the announcement", func(r mailclient.Received) bool {
			return r.Header.Get("Subject") == "Angelpost: a message from the host"
		}), "The server moves.")
	}
	var c playerChange
	run(exitYes, &c, "player", "rename", "-config", config, "-json", "alpha@"+demoDomain, "Grace")
	if c.Name != "Grace" || c.Address != "alpha@"+demoDomain || c.ID == 0 {
		t.Errorf("%+v", c)
	}
	run(exitYes, &c, "player", "address", "-config", config, "-json", "Grace", "gamma@"+demoDomain)
	if c.Address != "gamma@"+demoDomain {
		t.Errorf("%+v", c)
	}
	gamma := mailclient.Stranger(t, p, "gamma")
	gamma.Last = gamma.Until("the news", func(r mailclient.Received) bool {
		return r.Header.Get("Subject") == "Angelpost: your games have moved here"
	})
	mailclient.Says(t, gamma.Last, "gamma@"+demoDomain)
	gamma.Ask("my data")
	mailed := string(gamma.Until("the data", func(r mailclient.Received) bool {
		return r.Header.Get("Subject") == "Angelpost: what we keep about you"
	}).Raw)
	_, file, ok := strings.Cut(mailed, "filename=\"angelpost-data.json\"\r\n\r\n")
	file, _, _ = strings.Cut(file, "--")
	text, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(file, "\r\n", ""))
	var kept struct{ Addresses []struct{ Address string } }
	if json.Unmarshal(text, &kept) != nil || !ok || len(kept.Addresses) != 1 || kept.Addresses[0].Address != "gamma@"+demoDomain {
		t.Errorf("%v: %s", err, mailed)
	}
	var data map[string]any
	run(exitYes, &data, "player", "export", "-config", config, "gamma@"+demoDomain)
	if games, _ := data["games"].([]any); len(games) != 1 {
		t.Errorf("%+v", data)
	}
	run(exitNo, nil, "player", "erase", "-config", config, "beta@"+demoDomain)
	run(exitYes, &c, "player", "erase", "-config", config, "-json", "-yes", "beta@"+demoDomain)
	mailclient.Says(t, mailclient.Stranger(t, p, "beta").Until("the last letter", func(r mailclient.Received) bool {
		return r.Header.Get("Subject") == "Angelpost: we forget you"
	}), "Former player")
	run(exitNo, nil, "player", "rename", "-config", config, "nobody@"+demoDomain, "Ida")
	run(exitNo, nil, "player", "address", "-config", config, "Grace", "beta@"+demoDomain)
	run(exitUsage, nil, "player", "rename", "-config", config, "Grace")
	run(exitUsage, nil, "player", "praise", "Grace")
	run(exitUsage, nil, "announce", "-config", config)
}
