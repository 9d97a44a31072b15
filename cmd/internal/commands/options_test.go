package commands

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/db"
	"angelpost/engine/component"
)

// TestExitCodes checks web/API.md's exit codes, and that results go to stdout and
// messages to stderr only.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "angelpost.toml")
	if out, code := program.Output(t, "init", "-config", config); code != cli.ExitYes || out != config+"\n" {
		t.Fatalf("init: %d %q", code, out)
	}
	if out, _ := program.Output(t, "version"); !regexp.MustCompile(fmt.Sprintf(`^angelpost \S+, commit \w+(, with changes)?, schema %d\n$`, db.Schema())).MatchString(out) {
		t.Errorf("version prints %q", out)
	}
	for _, c := range []struct {
		code int
		args string
	}{
		{cli.ExitYes, "help"}, {cli.ExitYes, "new -h"}, {cli.ExitYes, "demo -h"}, {cli.ExitYes, "sim -players 2 -json"}, {cli.ExitYes, "version"},
		{cli.ExitNo, "export -config " + config + " nosuchgame"},
		{cli.ExitUsage, ""}, {cli.ExitUsage, "play"}, {cli.ExitUsage, "demo -x"}, {cli.ExitUsage, "demo now"}, {cli.ExitUsage, "demo -seats bot"},
		{cli.ExitUsage, "demo -rules hard"}, {cli.ExitUsage, "demo -edition second"}, {cli.ExitUsage, "demo -hal easy"}, {cli.ExitUsage, "demo -set " + dir},
		{cli.ExitUsage, "init here"}, {cli.ExitUsage, "export"}, {cli.ExitUsage, "verify"}, {cli.ExitUsage, "verify a b"}, {cli.ExitUsage, "verify " + dir + "/none"},
		{cli.ExitUsage, "show -json"}, {cli.ExitUsage, "read letter"}, {cli.ExitUsage, "sim"}, {cli.ExitUsage, "backup"}, {cli.ExitUsage, "serve -config " + dir + "/none"},
		{cli.ExitUsage, "new -config " + config + " -player bot"}, {cli.ExitUsage, "new -config " + config + " -player bot -player bot -seed 00"},
		{cli.ExitUsage, "new -config " + config + " -player bot -player bot -edition third"},
		{cli.ExitEnvironment, "init -config " + config}, {cli.ExitEnvironment, "demo -data " + config},
		{cli.ExitEnvironment, "demo -imap 192.0.2.1:1 -data " + dir + "/demo"},
	} {
		cmd := program.Command(strings.Fields(c.args)...)
		var out, talk strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &talk
		cmd.Run() // its exit code is looked at
		if code := cmd.ProcessState.ExitCode(); code != c.code || (talk.Len() == 0) != (code == cli.ExitYes && !strings.HasSuffix(c.args, "-h")) || code != cli.ExitYes && out.Len() > 0 {
			t.Errorf("angelpost %s: exit %d, want %d; stdout %q, stderr %q", c.args, code, c.code, &out, &talk)
		}
	}
}

// TestHelp: help names every command, and each says with -h what it takes.
func TestHelp(t *testing.T) {
	all, _ := program.Output(t, "help")
	for _, c := range commands() {
		if !regexp.MustCompile("(?m)^  " + c.name + " +" + regexp.QuoteMeta(c.does) + "$").MatchString(all) {
			t.Errorf("help does not name %s:\n%s", c.name, all)
		}
	}
	for name, first := range map[string]string{
		"serve": "[flags]", "organiser": "[flags] GAME ADDRESS", "backup": "[flags] FILE", "components diff": "[flags] A B",
	} {
		var out, talk strings.Builder
		code := Run(append(strings.Fields(name), "-h"), &out, &talk)
		if code != cli.ExitYes || out.Len() > 0 || !strings.HasPrefix(talk.String(), "Usage: angelpost "+name+" "+first+"\n") {
			t.Errorf("%s -h: exit %d, %q", name, code, talk.String())
		}
	}
}

// TestInitKeys holds the names of the keys that init writes.
func TestInitKeys(t *testing.T) {
	config := filepath.Join(t.TempDir(), "a.toml")
	if _, code := program.Output(t, "init", "-config", config); code != cli.ExitYes {
		t.Fatalf("init: exit %d", code)
	}
	var keys map[string]any
	if _, err := toml.DecodeFile(config, &keys); err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]string{
		"": "address start authserv_id database", "imap": "addr user password_file tls ca_file folder",
		"smtp": "addr user password_file tls ca_file", "http": "addr base_url",
	} {
		in := keys
		if table != "" {
			in, _ = keys[table].(map[string]any)
		}
		for _, key := range strings.Fields(want) {
			if _, ok := in[key].(string); !ok {
				t.Errorf("[%s] has no %s, only %v", table, key, slices.Sorted(maps.Keys(in)))
			}
		}
	}
	if info, err := os.Stat(config); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// TestGameOptions starts games with a set of one's own in the demo and at the
// command line beside it, and the doctor looks at that server.
func TestGameOptions(t *testing.T) {
	data := t.TempDir()
	set := filepath.Join(t.TempDir(), "mine")
	if err := os.CopyFS(set, component.Files()); err != nil {
		t.Fatal(err)
	}
	p := program.Start(t, program.DemoArgs(data, "-seats", "human,bot", "-set", set, "-rules", "base", "-edition", "revised")...)
	config := filepath.Join(data, "angelpost.toml")
	record := func(game, want string) {
		t.Helper()
		rec, code := program.Output(t, "export", "-config", config, game)
		if code != cli.ExitYes || !strings.Contains(rec, `"set":"`+want+`"`) || !strings.Contains(rec, `"entropy":[]`) {
			t.Errorf("export: exit %d, want set %q\n%.400s", code, want, rec)
		}
	}
	record(p.Values["game"], "mine")
	players := []string{"new", "-config", config, "-player", "alpha@demo.localhost", "-player", "bot", "-organiser", "alpha@demo.localhost", "-started"}
	for _, c := range []struct {
		set  []string
		want string
	}{{nil, "mine"}, {[]string{"-set", set}, "mine"}} {
		out, code := program.Output(t, append(players, c.set...)...)
		id, ok := strings.CutPrefix(strings.TrimSpace(out), "game=")
		if code != cli.ExitYes || !ok {
			t.Fatalf("new: exit %d %q", code, out)
		}
		record(id, c.want)
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := os.CopyFS(other, os.DirFS(set)); err != nil {
		t.Fatal(err)
	}
	if out, code := program.Output(t, append(players, "-set", other)...); code != cli.ExitUsage || out != "" {
		t.Errorf("new with a set the server does not have: exit %d %q", code, out)
	}
	if out, code := program.Output(t, append(players, "-visibility", "private", "-seed", strings.Repeat("07", 32))...); code != cli.ExitYes {
		t.Errorf("new: exit %d %q", code, out)
	} else if _, status := mailclient.Get(t, p.Values["http"]+"/g/"+strings.TrimSpace(strings.TrimPrefix(out, "game="))+"/view.json"); status != 404 {
		t.Errorf("a private game is shown to the public: %d", status)
	}
	if out, code := program.Output(t, append(players, "-clock", "soon")...); code != cli.ExitUsage || out != "" {
		t.Errorf("new with a clock that is none: exit %d %q", code, out)
	}
	out, code := program.Output(t, append(players, "-clock", "3 days, bank 10d", "-visibility", "unlisted")...)
	if code != cli.ExitYes {
		t.Errorf("new: exit %d %q", code, out)
	}
	url := p.Values["http"] + "/g/" + strings.TrimSpace(strings.TrimPrefix(out, "game="))
	until := regexp.MustCompile(`Alpha has until <time datetime="(\d{4}-\d\d-\d\dT[\d:]{8}Z)">\d+ [A-Z][a-z]+ \d{4}, [\d:]{5} UTC</time>`)
	if page, _ := mailclient.Get(t, url); !strings.Contains(page, "3 days a turn, and 10 days in the time bank") {
		t.Errorf("the page tells no clock:\n%s", page)
	} else if m := until.FindStringSubmatch(page); m == nil {
		t.Errorf("the page tells no deadline:\n%s", page)
	} else if data, _ := mailclient.Get(t, url+"/view.json"); !strings.Contains(data, `"deadlines":[{"seat":1,"at":"`+m[1]+`"}]`) {
		t.Errorf("view.json: %s\nthe page: %s", data, m[1])
	} else if data, _ := mailclient.Get(t, url+"/view.json?at=0"); strings.Contains(data, "deadlines") && !strings.Contains(data, `"latest":0`) {
		t.Errorf("a deadline in the past: %s", data)
	}
	out, code = program.Output(t, "doctor", "-config", config)
	names := regexp.MustCompile(`(?m)^(\w+)=ok \S.*$`).FindAllStringSubmatch(out, -1)
	var seen []string
	for _, n := range names {
		seen = append(seen, n[1])
	}
	if slices.Sort(seen); code != cli.ExitYes || strings.Join(seen, " ") != "address database file games junk mailbox notice password sets smtp uidplus url" {
		t.Errorf("doctor: exit %d\n%s", code, out)
	}
	out, code = program.Output(t, "verify", "-all", "-config", config)
	if lines := strings.Split(strings.TrimSpace(out), "\n"); code != cli.ExitYes || len(lines) != 5 {
		t.Errorf("verify -all: exit %d\n%s", code, out)
	}
	p.Stop()
}

// TestCalledOff holds that a game called off asks nothing more: its answer
// lists no order, neither does view.json, and a client that answers what is
// legal has come to an end.
func TestCalledOff(t *testing.T) {
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	for i, c := range mailclient.DemoClients(t, p, 1) {
		ns := c.Fetch()
		if len(ns) == 0 {
			continue
		}
		c.Reply(ns[0], "cancel\r\n")
		var n mailclient.Received
		for deadline := time.Now().Add(time.Minute); n.Header == nil && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			if ns := c.Fetch(); len(ns) > 0 {
				n = ns[0]
			}
		}
		if i != 0 || n.Result != "applied" {
			t.Fatalf("seat %d: cancel is answered %q\n%s", i+1, n.Result, n.Text)
		}
		if len(n.Legal)+len(n.Example) > 0 || strings.Contains(n.Text, "YOUR MOVE") || strings.Contains(n.Header.Get("Subject"), "turn") {
			t.Errorf("%q of a game cancelled:\n%s", n.Header.Get("Subject"), n.Text)
		}
		body, _ := mailclient.Get(t, p.Values["page1"]+"/view.json")
		var v struct {
			ToAct []int `json:"to_act"`
			Legal []json.RawMessage
		}
		if err := json.Unmarshal([]byte(body), &v); err != nil || len(v.ToAct)+len(v.Legal) > 0 {
			t.Errorf("%v: %v must act, %v", err, v.ToAct, v.Legal)
		}
		break
	}
	p.Stop()
}
