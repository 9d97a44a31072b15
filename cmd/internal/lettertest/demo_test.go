package lettertest

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestDemo plays whole games through the demo by its mailboxes alone: humans
// of every style beside bots that answer by mail, one of them alone against Hal,
// by all rules and editions.
func TestDemo(t *testing.T) {
	t.Parallel()
	for _, options := range []string{"human,bot", "human,human,bot -rules advanced", "human,human,human,bot -edition first",
		"human -hal hard", "human -rules advanced -edition first"} {
		t.Run(options, func(t *testing.T) {
			data := t.TempDir()
			args := strings.Fields("-seats " + options + " -seed " + strings.Repeat("5a", 32))
			seats := args[1]
			p := program.Start(t, program.DemoArgs(data, args...)...)
			clients := mailclient.DemoClients(t, p, 1)
			if want := strings.Count(seats, "human"); len(clients) != want {
				t.Fatalf("%d human seats announced, want %d: %v", len(clients), want, p.Values)
			}
			for _, c := range clients { // first notices are there before ready
				if n := len(c.Fetch()); n == 0 && c == clients[0] {
					t.Fatalf("%s: no notice before ready", c.Address)
				}
				c.Seen = 0
			}
			mailclient.Play(t, clients, 5*time.Minute)

			// The record is whole, right, and refused where it was changed.
			config := filepath.Join(data, "angelpost.toml")
			record, code := program.Output(t, "export", "-config", config, p.Values["game"])
			if code != program.ExitYes {
				t.Fatalf("export: exit %d", code)
			}
			program.CheckRecord(t, record)
			checkPage(t, p.Values["page1"])
			if body, status := mailclient.Get(t, p.Values["http"]); status != 200 || !strings.Contains(body, "alpha@"+program.Domain) {
				t.Errorf("the front door: status %d, the newcomer's mailbox: %v", status, strings.Contains(body, "alpha@"))
			}
			p.Stop()
		})
	}
}

// checkPage reads a player's page and its view.json over HTTP.
func checkPage(t *testing.T, url string) {
	t.Helper()
	if body, status := mailclient.Get(t, url); status != 200 || !strings.Contains(body, "<svg") {
		t.Errorf("page: status %d, %d bytes, a picture: %v", status, len(body), strings.Contains(body, "<svg"))
	}
	body, status := mailclient.Get(t, url+"/view.json")
	var v struct {
		Schema   int
		Finished bool
		Winners  []int
	}
	if err := json.Unmarshal([]byte(body), &v); err != nil || status != 200 || v.Schema != 1 || !v.Finished || len(v.Winners) == 0 {
		t.Errorf("view.json: status %d, %v, %+v", status, err, v)
	}
	i := strings.LastIndexByte(url, '/')
	if _, status := mailclient.Get(t, url[:i]+"/AAAAAAAAAAAAAAAAAAAAAAAAAA/view.json"); status != 404 {
		t.Errorf("a wrong key: status %d, want 404", status)
	}
}

// TestDemoBotsJoin: a game that a newcomer starts beside the demo's own begins
// as well.
func TestDemoBotsJoin(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir())...)
	c := mailclient.DemoClients(t, p, 1)[0]
	c.Fetch()
	c.Send(p.Values["server"], "another", "", "new game\r\nplayers: beta@demo.localhost, gamma@demo.localhost\r\n")
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		for _, n := range c.Fetch() {
			switch game := n.Header.Get("X-Angelpost-Game"); {
			case (n.Kind == "start" || n.Kind == "turn") && game != p.Values["game"]:
				return
			case n.Kind == "answer" && n.Result == "none": // asked back
				c.Reply(n, "yes\r\n")
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("the bots do not join")
		}
	}
}
