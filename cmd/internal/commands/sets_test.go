package commands

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/engine/component"
)

// recorded is what a record says about its component set.
func recorded(t *testing.T, record string) (name, hash string) {
	t.Helper()
	var rec struct {
		Set     string `json:"set"`
		SetHash string `json:"set_hash"`
	}
	if err := json.Unmarshal([]byte(record), &rec); err != nil {
		t.Fatalf("%v: %.200s", err, record)
	}
	return rec.Set, rec.SetHash
}

// hashOf is what components check says of a directory.
func hashOf(t *testing.T, dir string) string {
	t.Helper()
	code, out, talk := program.Outcome(t, "components", "check", dir)
	_, hash, ok := strings.Cut(strings.TrimSpace(out), " hash=")
	if code != cli.ExitYes || !ok {
		t.Fatalf("components check: %d %q %q", code, out, talk)
	}
	return hash
}

// TestSets serves several component sets: new games take the one of the
// configuration or the one they name, and a game goes on with the one it began
// with, or not at all.
func TestSets(t *testing.T) {
	one := program.Boxed(t, "one", "board.txt", "seat 2 | 1/3/1 resources", "seat 2 | 2 resources")
	two := program.Boxed(t, "two", "board.txt", "seat 2 | 1/3/1 resources", "seat 2 | 3 resources")
	dir := t.TempDir()
	config := filepath.Join(dir, "angelpost.toml")
	for from, to := range map[string]string{one: "one", two: "two"} {
		if err := os.Symlink(from, filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "password"), []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	configure := func(sets string) {
		t.Helper()
		if err := os.WriteFile(config, []byte(sets+"\n"+program.Config), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	begin := func(more ...string) string {
		t.Helper()
		args := []string{"new", "-config", config, "-started", "-player", "a@example.org", "-player", "bot", "-organiser", "a@example.org"}
		out, code := program.Output(t, append(args, more...)...)
		id, ok := strings.CutPrefix(strings.TrimSpace(out), "game=")
		if code != cli.ExitYes || !ok {
			t.Fatalf("new %v: %d %q", more, code, out)
		}
		return id
	}
	plays := func(game, want, hash string) {
		t.Helper()
		out, code := program.Output(t, "export", "-config", config, game)
		if code != cli.ExitYes {
			t.Fatalf("export: %d %s", code, out)
		}
		if name, h := recorded(t, out); name != want || h != hash {
			t.Errorf("the game is played with %q %s, want %q %s", name, h, want, hash)
		}
	}

	configure(``)
	builtIn := begin()
	plays(builtIn, component.DefaultName, component.Default().Hash)
	configure(`set = "one"` + "\n" + `sets = ["two"]`)
	hashes := map[string]string{"one": hashOf(t, one), "two": hashOf(t, two)}
	first, second, third := begin(), begin("-set", one), begin("-set", two)
	plays(first, "one", hashes["one"])
	plays(second, "one", hashes["one"])
	plays(third, "two", hashes["two"])
	plays(builtIn, component.DefaultName, component.Default().Hash)
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "new", "-config", config, "-started", "-player", "a@example.org", "-player", "bot",
		"-organiser", "a@example.org", "-set", program.Boxed(t, "one", "hal.txt", "ship       | 1", "ship | 2")), "one", "under sets")

	// Another set is the standard now; games with the old one go on.
	configure(`set = "two"` + "\n" + `sets = ["one"]`)
	plays(first, "one", hashes["one"])
	plays(begin(), "two", hashes["two"])
	if out, code := program.Output(t, "verify", "-all", "-config", config); code != cli.ExitYes || strings.Count(out, "\n") != 5 {
		t.Errorf("verify -all: %d %s", code, out)
	}

	// The old one is forgotten, or edited: no server.
	configure(`set = "two"`)
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "serve", "-config", config), first, `"one"`, hashes["one"], "under sets in "+config)
	if out, code := program.Output(t, "verify", "-all", "-config", config); code != cli.ExitUsage || strings.Count(out, "unreadable game=") != 2 {
		t.Errorf("verify -all without a set: %d %s", code, out)
	}
	configure(`sets = ["one", "two"]`)
	board := filepath.Join(one, "board.txt")
	text, err := os.ReadFile(board)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(board, []byte(strings.Replace(string(text), "2 resources 2", "4 resources 2", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "serve", "-config", config), first, `"one"`, hashes["one"], hashOf(t, one))
	if err := os.WriteFile(board, text, 0o600); err != nil {
		t.Fatal(err)
	}
	plays(first, "one", hashes["one"])

	// A name is one set's.
	other := program.Boxed(t, "two", "hal.txt", "ship       | 1", "ship | 2")
	configure(fmt.Sprintf("sets = [%q, %q]", two, other))
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "serve", "-config", config), "line 1", other, `"two"`)
	configure(fmt.Sprintf("set = %q", program.Boxed(t, component.DefaultName, "hal.txt", "ship       | 1", "ship | 2")))
	program.Contains(t, program.Trouble(t, cli.ExitUsage, "serve", "-config", config), "line 1", "built in")
	for sets, want := range map[string]string{`sets = "one"`: "sets", `sets = [""]`: "does not name a directory", `sets = ["three"]`: "three",
		`sets = [` + strings.Repeat(`"one", `, 101) + `]`: "at most"} {
		configure(sets)
		program.Contains(t, program.Trouble(t, cli.ExitUsage, "serve", "-config", config), "line 1", want)
	}
}

// TestServeOldSets serves a game with a set that is no longer that of new ones.
func TestServeOldSets(t *testing.T) {
	t.Parallel()
	old, now := program.Boxed(t, "old", "board.txt", "seat 2 | 1/3/1 resources", "seat 2 | 2 resources"), program.Boxed(t, "now", "", "", "")
	var game string
	p := program.ServeOn(t, "", func(config string) {
		text, err := os.ReadFile(config)
		if err != nil {
			t.Fatal(err)
		}
		write := func(sets string) {
			if err := os.WriteFile(config, []byte(sets+string(text)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(fmt.Sprintf("set = %q\n", old))
		out, code := program.Output(t, "new", "-config", config, "-started", "-player", "ann@example.org", "-player", "bot", "-organiser", "ann@example.org")
		if code != cli.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
		game = strings.TrimPrefix(strings.TrimSpace(out), "game=")
		write(fmt.Sprintf("set = %q\nsets = [%q]\n", now, old))
	})
	body, status := mailclient.Get(t, p.Values["http"]+"/g/"+game+"/view.json")
	if status != 200 || !strings.Contains(string(body), `"set":"old"`) {
		t.Errorf("%d %.300s", status, body)
	}
	p.Stop()
}

// TestVerifyAsksForTheSet holds that a record is verified and shown with the
// set it was played with, by its hash, and with no other.
func TestVerifyAsksForTheSet(t *testing.T) {
	mine := program.Boxed(t, "mine", "board.txt", "seat 2 | 1/3/1 resources", "seat 2 | 2 resources")
	hash := hashOf(t, mine)
	records := t.TempDir()
	if code, out, talk := program.Outcome(t, "sim", "-players", "2", "-games", "1", "-seed", "set", "-bot", "random", "-set", mine, "-records", records, "-json"); code != cli.ExitYes {
		t.Fatalf("sim: %d %s %s", code, out, talk)
	}
	files, err := filepath.Glob(filepath.Join(records, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("records: %v %v", files, err)
	}
	record := files[0]
	text, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	if name, h := recorded(t, string(text)); name != "mine" || h != hash {
		t.Errorf("the record names %q %s, want %q %s", name, h, "mine", hash)
	}
	renamed := program.Boxed(t, "yours", "board.txt", "seat 2 | 1/3/1 resources", "seat 2 | 2 resources")
	for _, set := range []string{mine, renamed} {
		if code, out, talk := program.Outcome(t, "verify", "-set", set, record); code != cli.ExitYes || !strings.HasPrefix(out, "ok game=") {
			t.Errorf("verify with %s: %d %q %q", set, code, out, talk)
		}
		if code, _, talk := program.Outcome(t, "show", "-json", "-set", set, record); code != cli.ExitYes {
			t.Errorf("show with %s: %d %q", set, code, talk)
		}
	}
	edited := program.Boxed(t, "mine", "board.txt", "seat 2 | 1/3/1 resources", "seat 2 | 3 resources")
	for _, cmd := range [][]string{{"verify"}, {"show", "-json"}} {
		for set, want := range map[string][]string{"": {"not at hand"}, program.Boxed(t, "theirs", "", "", ""): {"not at hand"}, edited: {hashOf(t, edited)}} {
			args := cmd
			if set != "" {
				args = append(append([]string{}, cmd...), "-set", set)
			}
			code, out, talk := program.Outcome(t, append(args, record)...)
			if code != cli.ExitUsage || out != "" {
				t.Errorf("%v: %d %q", args, code, out)
			}
			program.Contains(t, talk, append(want, `"mine"`, hash, "-set", "components check")...)
		}
	}
	// A hash that is taken away is missed.
	if err := os.WriteFile(record, []byte(strings.Replace(string(text), hash, "", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, talk := program.Outcome(t, "verify", "-set", mine, record); code != cli.ExitNo || !strings.Contains(out, "field=checksum") {
		t.Errorf("without a hash: %d %q %q", code, out, talk)
	}
	if code, _, talk := program.Outcome(t, "verify", "-set", renamed, record); code != cli.ExitUsage || !strings.Contains(talk, `"mine"`) {
		t.Errorf("without a hash, another name: %d %q", code, talk)
	}
}
