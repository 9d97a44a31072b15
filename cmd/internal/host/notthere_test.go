package host

import (
	"encoding/json"
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
