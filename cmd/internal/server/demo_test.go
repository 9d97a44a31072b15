package server

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func demoArgs(data string, more ...string) []string {
	return append([]string{"demo", "-imap", "127.0.0.1:0", "-smtp", "127.0.0.1:0", "-http", "127.0.0.1:0", "-data", data}, more...)
}

// demoClients are clients for the demo's human mailboxes.
func demoClients(t *testing.T, p *program, seed uint64) []*client {
	var out []*client
	r := rand.New(rand.NewPCG(seed, 0))
	for seat := 1; seat <= 4; seat++ {
		address, kind, ok := strings.Cut(p.values[fmt.Sprintf("seat%d", seat)], " ")
		if !ok || kind != "human" {
			continue
		}
		out = append(out, &client{
			t: t, imap: p.values["imap"], smtp: p.values["smtp"],
			user: address, pass: "demo", address: address,
			style: style(len(out) % 3), pick: r.IntN,
		})
	}
	return out
}

// TestDemo plays whole games through the demo by its mailboxes alone: humans
// of every style beside bots that answer by mail, one of them alone against Hal,
// by all rules and editions.
func TestDemo(t *testing.T) {
	for _, options := range []string{"human,bot", "human,human,bot -rules advanced", "human,human,human,bot -edition first",
		"human -hal hard", "human -rules advanced -edition first"} {
		t.Run(options, func(t *testing.T) {
			data := t.TempDir()
			args := strings.Fields("-seats " + options + " -seed " + strings.Repeat("5a", 32))
			seats := args[1]
			p := start(t, demoArgs(data, args...)...)
			clients := demoClients(t, p, 1)
			if want := strings.Count(seats, "human"); len(clients) != want {
				t.Fatalf("%d human seats announced, want %d: %v", len(clients), want, p.values)
			}
			for _, c := range clients { // first notices are there before ready
				if n := len(c.fetch()); n == 0 && c == clients[0] {
					t.Fatalf("%s: no notice before ready", c.address)
				}
				c.seen = 0
			}
			play(t, clients, 5*time.Minute)

			// The record is whole, right, and refused where it was changed.
			config := filepath.Join(data, "angelpost.toml")
			record, code := output(t, "export", "-config", config, p.values["game"])
			if code != exitYes {
				t.Fatalf("export: exit %d", code)
			}
			checkRecord(t, record)
			checkPage(t, p.values["page1"])
			if body, status := get(t, p.values["http"]); status != 200 || !strings.Contains(body, "alpha@"+demoDomain) {
				t.Errorf("the front door: status %d, the newcomer's mailbox: %v", status, strings.Contains(body, "alpha@"))
			}
			p.stop()
		})
	}
}

// checkPage reads a player's page and its view.json over HTTP.
func checkPage(t *testing.T, url string) {
	t.Helper()
	if body, status := get(t, url); status != 200 || !strings.Contains(body, "<svg") {
		t.Errorf("page: status %d, %d bytes, a picture: %v", status, len(body), strings.Contains(body, "<svg"))
	}
	body, status := get(t, url+"/view.json")
	var v struct {
		Schema   int
		Finished bool
		Winners  []int
	}
	if err := json.Unmarshal([]byte(body), &v); err != nil || status != 200 || v.Schema != 1 || !v.Finished || len(v.Winners) == 0 {
		t.Errorf("view.json: status %d, %v, %+v", status, err, v)
	}
	i := strings.LastIndexByte(url, '/')
	if _, status := get(t, url[:i]+"/AAAAAAAAAAAAAAAAAAAAAAAAAA/view.json"); status != 404 {
		t.Errorf("a wrong key: status %d, want 404", status)
	}
}

func get(t *testing.T, url string) (string, int) {
	t.Helper()
	c := http.Client{Timeout: time.Minute}
	res, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b), res.StatusCode
}

// TestDemoBotsJoin: a game that a newcomer starts beside the demo's own begins
// as well.
func TestDemoBotsJoin(t *testing.T) {
	p := start(t, demoArgs(t.TempDir())...)
	c := demoClients(t, p, 1)[0]
	c.fetch()
	c.send(p.values["server"], "another", "", "new game\r\nplayers: beta@demo.localhost, gamma@demo.localhost\r\n")
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		for _, n := range c.fetch() {
			switch game := n.header.Get("X-Angelpost-Game"); {
			case (n.kind == "start" || n.kind == "turn") && game != p.values["game"]:
				return
			case n.kind == "answer" && n.result == "none": // asked back
				c.reply(n, "yes\r\n")
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("the bots do not join")
		}
	}
}
