package host

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestNotThere asks the pages for games and keys there are not.
func TestNotThere(t *testing.T) {
	data := t.TempDir()
	p := program.Start(t, program.DemoArgs(data, "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	base, game := p.Values["http"], p.Values["game"]
	key := p.Values["page1"][strings.LastIndexByte(p.Values["page1"], '/')+1:]
	for _, path := range []string{
		"/g/aaaaaaaaaaaaaaaa", "/g/" + game + "x", "/g/" + game + "/aaaaaaaaaaaaaaaaaaaaaaaaaa", "/g/aaaaaaaaaaaaaaaa/" + key,
		"/g/" + game + "/" + key + "x", "/g/" + game + "/" + key[:8], "/g/" + strings.Repeat("a", 4000), "/g/%00", "/g/..%2f..%2fetc", "/g/" + game + "/" + key + "%0d%0aX: y",
	} {
		if body, status := mailclient.Get(t, base+path); status != 404 || strings.Contains(body, "<svg") {
			t.Errorf("%.60s: status %d", path, status)
		}
		body, status := mailclient.Get(t, base+path+"/view.json")
		var v struct {
			Schema int
			Error  string
		}
		if err := json.Unmarshal([]byte(body), &v); err != nil || status != 404 || v.Schema != 1 || v.Error == "" {
			t.Errorf("%.60s/view.json: status %d, %v, %.100q", path, status, err, body)
		}
	}
	for _, at := range []string{"-1", "999999", "x", "99999999999999999999999", ""} {
		if _, status := mailclient.Get(t, p.Values["page1"]+"/view.json?at="+at); status != 200 && status != 404 && status != 400 {
			t.Errorf("?at=%s: status %d", at, status)
		}
	}
	for _, id := range []string{"aaaaaaaaaaaaaaaa", "", "' OR 1=1 --", strings.Repeat("x", 10_000)} {
		if talk := program.Trouble(t, cli.ExitNo, "export", "-config", filepath.Join(data, "angelpost.toml"), id); !strings.Contains(talk, "there is no game") || len(talk) > 200 {
			t.Errorf("export of no game: %.200q", talk)
		}
	}
	p.Stop()
}

// TestNoDatabase: what only looks makes no database where there is none, and says so: a mistyped
// `database` in a configuration must not look healthy.
func TestNoDatabase(t *testing.T) {
	for _, args := range [][]string{{"verify", "-all"}, {"doctor"}, {"status"}, {"games"}, {"players"}, {"letters"}} {
		folder := t.TempDir()
		config := filepath.Join(folder, "angelpost.toml")
		if out, code := program.Output(t, "init", "-config", config); code != cli.ExitYes {
			t.Fatal(out)
		}
		code, stdout, stderr := program.Outcome(t, append(args, "-config", config)...)
		if want := map[bool]string{true: "database=warn there is no file", false: "there is no database yet"}[args[0] == "doctor"]; code == cli.ExitYes || !strings.Contains(stdout+stderr, want) {
			t.Errorf("%v: exit %d\n%s%s", args, code, stdout, stderr)
		}
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.Contains(e.Name(), ".db") || strings.Contains(e.Name(), "doctor") {
				t.Errorf("%v makes %s", args, e.Name())
			}
		}
	}
}
