package commands

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/host"
	"angelpost/cmd/internal/program"
	"angelpost/engine/component"
	"angelpost/engine/game"
)

// TestDamagedConfig breaks the configuration one line at a time: every command
// that reads it names file, line and key, and ends with 2 or 3.
func TestDamagedConfig(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "password"), []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "angelpost.toml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, old, new string
		code           int
		says           []string
	}{
		{"unknown key", `start = "known"`, `strat = "known"`, cli.ExitUsage, []string{"line 2", "strat"}},
		{"unknown table", "[smtp]", "[stmp]", cli.ExitUsage, []string{"stmp"}},
		{"unknown key in a table", `folder = "INBOX"`, `fodler = "INBOX"`, cli.ExitUsage, []string{"line 11", "imap.fodler"}},
		{"a number for a text", `start = "known"`, `start = 5`, cli.ExitUsage, []string{"line 2", "start"}},
		{"a text for a number", `remind_days = 4`, `remind_days = "four"`, cli.ExitUsage, []string{"line 4", "remind_days"}},
		{"a fraction", `remind_days = 4`, `remind_days = 4.5`, cli.ExitUsage, []string{"line 4", "remind_days"}},
		{"a huge number", `remind_days = 4`, `remind_days = 99999999999999999999`, cli.ExitUsage, []string{"line 4"}},
		{"none", `remind_days = 4`, `remind_days = 0`, cli.ExitUsage, []string{"line 4", "remind_days"}},
		{"more days than time has", `remind_days = 4`, `remind_days = 9000000000000`, cli.ExitUsage, []string{"line 4", "remind_days"}},
		{"no connection", "[smtp]", "[smtp]\nconnections = 0", cli.ExitUsage, []string{"line 14", "smtp.connections"}},
		{"too many connections", "[smtp]", "[smtp]\nconnections = 1001", cli.ExitUsage, []string{"line 14", "smtp.connections"}},
		{"connections to the mailbox", "[imap]", "[imap]\nconnections = 2", cli.ExitUsage, []string{"line 7", "imap.connections"}},
		{"a text never closed", `start = "known"`, `start = "known`, cli.ExitUsage, []string{"line 2"}},
		{"a key twice", `start = "known"`, "start = \"known\"\nstart = \"anyone\"", cli.ExitUsage, []string{"line 3", "start"}},
		{"not text", `start = "known"`, "start = \"\xff\xfe\"", cli.ExitUsage, []string{"line 2"}},
		{"who may start", `start = "known"`, `start = "everybody"`, cli.ExitUsage, []string{"line 2", "start", "anyone"}},
		{"address without a token", `angelpost+{token}@`, `angelpost@`, cli.ExitUsage, []string{"line 1", "address", "{token}"}},
		{"address that is none", `angelpost+{token}@play.example.org`, `{token}`, cli.ExitUsage, []string{"line 1", "address"}},
		{"address that is too long", `angelpost+{token}@`, strings.Repeat("a", 60) + `+{token}@`, cli.ExitUsage, []string{"line 1", "address", "64"}},
		{"TLS mode", `tls = "none"`, `tls = "ssl"`, cli.ExitUsage, []string{"line 10", "imap.tls", "starttls"}},
		{"no TLS to another machine", `addr = "127.0.0.1:1"`, `addr = "mail.example.org:143"`, cli.ExitUsage, []string{"imap.tls", "none"}},
		{"no port", `addr = "127.0.0.1:1"`, `addr = "127.0.0.1"`, cli.ExitUsage, []string{"line 7", "imap.addr"}},
		{"page address", `https://play.example.org`, `play.example.org`, cli.ExitUsage, []string{"line 19", "http.base_url"}},
		{"page address below no plain path", `https://play.example.org`, `https://play.example.org/a/../b`, cli.ExitUsage, []string{"line 19", "http.base_url", "/angelpost"}},
		{"a proxy that is none", "[http]", "[http]\ntrusted_proxies = [\"127.0.0.1\", \"proxy.example.org\"]", cli.ExitUsage, []string{"line 18", "http.trusted_proxies", "proxy.example.org"}},
		{"a network that is none", "[http]", "[http]\ntrusted_proxies = [\"10.0.0.0/33\"]", cli.ExitUsage, []string{"line 18", "http.trusted_proxies", "10.0.0.0/33"}},
		{"no list of proxies", "[http]", "[http]\ntrusted_proxies = \"10.0.0.1\"", cli.ExitUsage, []string{"line 18", "trusted_proxies"}},
		{"no such set", `database`, "set = \"nowhere\"\ndatabase", cli.ExitUsage, []string{"line 3", "set", "nowhere"}},
		{"no password file", `password_file = "password"`, `password_file = "nowhere"`, cli.ExitEnvironment, []string{"nowhere"}},
		{"no folder for the database", `"games.db"`, `"nowhere/games.db"`, cli.ExitEnvironment, []string{"nowhere"}},
		{"larger than any", `start = "known"`, "start = \"known\"\n# " + strings.Repeat("x", 64<<10), cli.ExitUsage, []string{"larger"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(program.Config, c.old) {
				t.Fatalf("the configuration has no %q", c.old)
			}
			write(strings.Replace(program.Config, c.old, c.new, 1))
			talk := program.Trouble(t, c.code, "serve", "-config", path)
			for _, s := range append(c.says, map[bool]string{true: path}[c.code == cli.ExitUsage]) {
				if !strings.Contains(talk, s) {
					t.Errorf("it does not say %q: %s", s, talk)
				}
			}
			if strings.Contains(talk, "secret") {
				t.Errorf("the password is told: %s", talk)
			}
		})
	}
	program.Trouble(t, cli.ExitUsage, "serve", "-config", filepath.Join(dir, "none.toml"))
	program.Trouble(t, cli.ExitUsage, "verify", "-all", "-config", dir)
	program.Trouble(t, cli.ExitUsage, "serve", "and", "more")
	program.Trouble(t, cli.ExitUsage, "demo", "-seats", "human,human,human,human,human", "-data", dir)
	program.Trouble(t, cli.ExitUsage, "demo", "-seed", "12", "-data", dir)
	program.Trouble(t, cli.ExitUsage, "nothing")
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	for _, flag := range []string{"-imap", "-smtp", "-http"} {
		args := append(program.DemoArgs(filepath.Join(dir, "demo")), flag, busy.Addr().String())
		if talk := program.Trouble(t, cli.ExitEnvironment, args...); !strings.Contains(talk, flag+" 127.0.0.1:0") {
			t.Errorf("%s in use: it does not say what would work: %s", flag, talk)
		}
	}
	program.Trouble(t, cli.ExitEnvironment, program.DemoArgs(path)...) // a file where the folder should be
	write(program.Config)
	for name, text := range map[string]string{
		"text":           strings.Repeat("This is no database. ", 1000),
		"half a header":  "SQLite format 3",
		"a header alone": "SQLite format 3\x00" + strings.Repeat("\xff", 4080),
	} {
		if err := os.WriteFile(filepath.Join(dir, "games.db"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"serve", "-config", path}, {"export", "-config", path, "aaaaaaaaaaaaaaaa"}, {"verify", "-all", "-config", path}, {"backup", "-config", path, filepath.Join(dir, "copy")}} {
			if talk := program.Trouble(t, cli.ExitEnvironment, args...); !strings.Contains(talk, "games.db") {
				t.Errorf("%s of %s does not name the database: %s", args[0], name, talk)
			}
		}
		if b, err := os.ReadFile(filepath.Join(dir, "games.db")); err != nil || string(b) != text {
			t.Errorf("%s: the file was changed: %d octets, %v", name, len(b), err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "games.db")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-player", "not an address", "-player", "bot"}, {"-player", "bot"}, {},
		{"-player", "a@example.org", "-player", "A@EXAMPLE.ORG"},
		{"-player", "a@example.org", "-player", "angelpost@play.example.org"},
		{"-player", "a@example.org", "-player", "bot", "-visibility", "secret"},
		{"-player", "a@example.org", "-player", "bot", "-rules", "hard"},
		{"-player", "a@example.org", "-player", "bot", "-set", "nowhere"},
		{"-player", "a@example.org", "-player", "bot", "-seed", strings.Repeat("g", 64)},
		{"-player", "a@example.org", "-player", "b@example.org", "-player", "c@example.org", "-player", "d@example.org", "-player", "e@example.org"},
		{"-player", "jürgen@x.test", "-player", "bot"},
		{"-player", "a@example.org", "-player", "bot", "-organiser", "no address"},
		{"-player", "a@example.org", "-player", "bot", "-clock", "now"},
	} {
		program.Trouble(t, cli.ExitUsage, append([]string{"new", "-started", "-config", path}, args...)...)
	}
	said := program.Trouble(t, cli.ExitUsage, "new", "-started", "-config", path, "-player", "jürgen@x.test", "-player", "bot")
	if !strings.Contains(said, "jürgen@x.test") || !strings.Contains(said, "only unaccented letters") {
		t.Errorf("of an address with an umlaut it says %q", said)
	}
}

// finished is the record of a game that two bots have played.
func finished(t *testing.T) (path string) {
	t.Helper()
	dir := t.TempDir()
	if out, code := program.Output(t, "sim", "-players", "2", "-games", "1", "-seed", "damage", "-bot", "random", "-records", dir, "-json"); code != cli.ExitYes {
		t.Fatalf("sim: %d %s", code, out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("records: %v %v", files, err)
	}
	return files[0]
}

// TestDamagedRecord damages a record in every way: verify and show say so, with
// exit code 1 or 2, and never fall over.
func TestDamagedRecord(t *testing.T) {
	path := finished(t)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if out, code := program.Output(t, "verify", path); code != cli.ExitYes || !strings.HasPrefix(out, "ok game=") {
		t.Fatalf("verify: %d %q", code, out)
	}
	damaged := filepath.Join(t.TempDir(), "record.json")
	try := func(t *testing.T, text []byte, differs bool) {
		t.Helper()
		if err := os.WriteFile(damaged, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if differs {
			out, code := program.Output(t, "verify", damaged)
			if code != cli.ExitNo || !strings.HasPrefix(out, "differs line=") || strings.Count(out, "\n") != 1 {
				t.Errorf("verify: %d %.200q, want exit 1 and one line", code, out)
			}
			return
		}
		if talk := program.Trouble(t, cli.ExitUsage, "verify", damaged); !strings.Contains(talk, damaged) {
			t.Errorf("verify does not name the file: %s", talk)
		}
		if talk := program.Trouble(t, cli.ExitUsage, "show", "-json", damaged); !strings.Contains(talk, damaged) {
			t.Errorf("show does not name the file: %s", talk)
		}
	}
	for name, text := range map[string][]byte{
		"nothing":        {},
		"half":           raw[:len(raw)/2],
		"all but a byte": raw[:len(raw)-2],
		"no JSON":        []byte("differs line=1\n"),
		"bytes":          {0, 0xff, 0xfe, 0x80},
		"an array":       []byte("[]"),
		"null":           []byte("null"),
		"a number":       []byte("1e999"),
		"deep":           []byte(strings.Repeat("[", 100000)),
		"two":            append(append([]byte{}, raw...), raw...),
		"9 MB":           append([]byte(`{"schema":1,"game":"`+strings.Repeat("x", 9<<20)), `"}`...),
	} {
		t.Run(name, func(t *testing.T) { try(t, text, false) })
	}
	type change struct {
		name    string
		f       func(rec map[string]any)
		differs bool // 1, else 2
	}
	set := func(name string, v any, differs bool, keys ...string) change {
		return change{name, func(rec map[string]any) {
			at := rec
			for _, k := range keys[:len(keys)-1] {
				at = at[k].(map[string]any)
			}
			if v == nil {
				delete(at, keys[len(keys)-1])
			} else {
				at[keys[len(keys)-1]] = v
			}
		}, differs}
	}
	line := func(name string, v any, differs bool, key string) change {
		return change{name, func(rec map[string]any) {
			log := rec["log"].([]any)
			l := log[len(log)/2].(map[string]any)
			if v == nil {
				delete(l, key)
			} else {
				l[key] = v
			}
		}, differs}
	}
	for _, c := range []change{
		set("no schema", nil, false, "schema"),
		set("an earlier schema", 1, false, "schema"),
		set("a later schema", 4, false, "schema"),
		set("no options", nil, false, "options"),
		set("no players", 0, true, "options", "players"),
		set("many players", 1e9, true, "options", "players"),
		set("a fraction of a player", 2.5, false, "options", "players"),
		set("players beyond numbers", json.RawMessage("1e400"), false, "options", "players"),
		set("another set", "other", false, "set"),
		set("another set in the options", "other", true, "options", "set"),
		set("another set's hash", strings.Repeat("0", 64), false, "set_hash"),
		set("other rules", "none", true, "options", "rules"),
		set("no rules", nil, false, "options", "rules"),
		set("another edition", "third", true, "options", "edition"),
		set("a later rules version", 99, true, "options", "rules_version"),
		set("a viewer from elsewhere", 7, true, "viewer"),
		set("a log of text", "log", false, "log"),
		set("a log of numbers", []any{1, 2, 3}, false, "log"),
		set("names by the hundred", make([]string, 100), true, "names"),
		line("an order of a number", 5, false, "order"),
		line("a seat of text", "one", false, "seat"),
		line("told as text", "orange die 3", false, "told"),
		line("unknown order", "frobnicate the quux", true, "order"),
		line("empty order", "", true, "order"),
		line("illegal order", "mission 999", true, "order"),
		line("a very long order", strings.Repeat("die orange ", 100000), false, "order"),
		line("undo to nowhere", "undo 99999", true, "order"),
		line("undo below nothing", "undo -5", true, "order"),
		line("rollback", "rollback to 3", true, "order"),
		line("resign of nobody", "resign", true, "order"),
		line("no seat", nil, false, "seat"),
		line("a seat too many", 9, true, "seat"),
		line("a seat below", -1, true, "seat"),
		line("a huge seat", 1<<40, true, "seat"),
		line("no order", nil, false, "order"),
		line("no number", nil, false, "n"),
		line("a huge number", 1<<50, true, "n"),
		line("other outcome", []string{"orange die 9"}, true, "told"),
		line("endless outcome", make([]string, 10000), true, "told"),
		{"a line too few", func(rec map[string]any) { l := rec["log"].([]any); rec["log"] = l[:len(l)-1] }, true},
		{"no lines", func(rec map[string]any) { rec["log"] = []any{} }, true},
		{"a line twice", func(rec map[string]any) { l := rec["log"].([]any); rec["log"] = append(l, l[len(l)-1]) }, true},
		{"null lines", func(rec map[string]any) { l := rec["log"].([]any); l[3] = nil }, false},
		line("done by nobody", nil, false, "by"),
		line("done by somebody", "somebody", true, "by"),
		set("no winners", []int{}, true, "result", "winners"),
		set("another ending", "peace", true, "result", "ending"),
		set("no scores", []any{}, true, "result", "scores"),
		set("another hash", strings.Repeat("0", 64), true, "result", "log_sha256"),
		set("another word mixed in", []string{"kingfisher"}, true, "entropy"),
		set("another commitment", strings.Repeat("0", 64), true, "commitment"),
		set("seats as drawn otherwise", []int{2, 1, 1, 1}, true, "invited"),
	} {
		t.Run(c.name, func(t *testing.T) {
			var rec map[string]any
			if err := json.Unmarshal(raw, &rec); err != nil {
				t.Fatal(err)
			}
			c.f(rec)
			b, err := json.Marshal(rec)
			if err != nil {
				t.Fatal(err)
			}
			if !c.differs {
				try(t, b, false)
				return
			}
			try(t, b, true)
			// show stops where the record cannot be replayed, or shows what it can.
			if out, code := program.Output(t, "show", "-json", damaged); code == cli.ExitYes && !json.Valid([]byte(out)) || code != cli.ExitYes && code != cli.ExitUsage {
				t.Errorf("show: exit %d, %.100q", code, out)
			}
		})
	}
	for _, args := range [][]string{{"-at", "99999"}, {"-seat", "3"}, {"-seat", "-1"}, {"-set", "nowhere"}, {"-at", "x"}} {
		program.Trouble(t, cli.ExitUsage, append(append([]string{"show", "-json"}, args...), path)...)
	}
	program.Trouble(t, cli.ExitUsage, "verify")
	program.Trouble(t, cli.ExitUsage, "verify", filepath.Join(t.TempDir(), "none"))
	program.Trouble(t, cli.ExitUsage, "verify", t.TempDir())
	t.Run("no seed", func(t *testing.T) {
		var rec map[string]any
		if err := json.Unmarshal(raw, &rec); err != nil {
			t.Fatal(err)
		}
		delete(rec, "seed")
		b, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		try(t, b, false)
	})
}

// TestDamagedAnywhere changes one byte of a record, wherever it stands: verify
// finds it, unless it means the same.
func TestDamagedAnywhere(t *testing.T) {
	path := finished(t)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const bytesToTry = "0123456789abcdefxyz \"[]{},:-\x00\xff"
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	file := filepath.Join(t.TempDir(), "record.json")
	codes := map[int]int{}
	for i := range 1000 {
		b := bytes.Clone(raw)
		at := r.IntN(len(b))
		b[at] = bytesToTry[r.IntN(len(bytesToTry))]
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		code := host.RunVerify([]string{file}, io.Discard, io.Discard) // here, for speed: a panic ends the test
		codes[code]++
		if code > cli.ExitUsage {
			t.Errorf("change %d (seed %d) at octet %d: exit %d", i, seed, at, code)
		}
		if code != cli.ExitYes {
			continue
		}
		now, err := game.ReadRecord(bytes.NewReader(b))
		if err != nil {
			t.Fatalf("change %d (seed %d): accepted, though %v", i, seed, err)
		}
		was, err := game.ReadRecord(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(now, was) {
			lo, hi := max(at-40, 0), min(at+40, len(b))
			t.Errorf("change %d (seed %d) is accepted: %q was %q", i, seed, b[lo:hi], raw[lo:hi])
		}
	}
	if codes[cli.ExitNo] == 0 || codes[cli.ExitUsage] == 0 {
		t.Errorf("exit codes: %v", codes)
	}
	t.Logf("exit codes: %v", codes)
}

// TestDamagedSet breaks the files of a component set: every command that reads
// a set names file and line.
func TestDamagedSet(t *testing.T) {
	t.Parallel()
	path := finished(t)
	dir := t.TempDir()
	set := filepath.Join(dir, "mine")
	config := filepath.Join(dir, "angelpost.toml")
	for name, text := range map[string]string{"angelpost.toml": "set = \"mine\"\n" + program.Config, "password": "secret\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fresh := func(t *testing.T) {
		t.Helper()
		if err := os.RemoveAll(set); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(set, component.Files()); err != nil {
			t.Fatal(err)
		}
	}
	fresh(t)
	if out, code := program.Output(t, "sim", "-players", "2", "-games", "1", "-seed", "x", "-set", set, "-json"); code != cli.ExitYes {
		t.Fatalf("a copy of the set: %d %s", code, out)
	}
	// the first data line of a file, and its number
	first := func(text string) (line string, n int) {
		for i, l := range strings.Split(text, "\n") {
			if l != "" && !strings.HasPrefix(l, "#") {
				return l, i + 1
			}
		}
		t.Fatal("no data")
		return "", 0
	}
	for _, file := range []string{"missions.txt", "ravagers.txt", "technology.txt", "advanced.txt", "strips.txt", "board.txt"} {
		for name, f := range map[string]func(text, line string) string{
			"gone":         func(string, string) string { return "" },
			"a line less":  func(text, line string) string { return strings.Replace(text, line+"\n", "", 1) },
			"a line twice": func(text, line string) string { return strings.Replace(text, line, line+"\n"+line, 1) },
			"nonsense":     func(text, line string) string { return strings.Replace(text, line, "frobnicate the quux", 1) },
			"bytes":        func(text, line string) string { return strings.Replace(text, line, "\x00\xff\xfe", 1) },
			"a long line":  func(text, line string) string { return strings.Replace(text, line, strings.Repeat("x", 10_000), 1) },
			"numbers beyond": func(text, line string) string {
				return strings.Replace(text, line, strings.Map(func(r rune) rune {
					if r >= '0' && r <= '9' {
						return '9'
					}
					return r
				}, line)+" 99999999999999999999", 1)
			},
		} {
			t.Run(file+" "+name, func(t *testing.T) {
				fresh(t)
				at := filepath.Join(set, file)
				b, err := os.ReadFile(at)
				if err != nil {
					t.Fatal(err)
				}
				line, n := first(string(b))
				if err := os.WriteFile(at, []byte(f(string(b), line)), 0o600); err != nil {
					t.Fatal(err)
				}
				for _, args := range [][]string{
					{"sim", "-players", "2", "-games", "1", "-seed", "x", "-json", "-set", set},
					{"verify", "-set", set, path},
					{"show", "-json", "-set", set, path},
					{"serve", "-config", config},
				} {
					talk := program.Trouble(t, cli.ExitUsage, args...)
					if !strings.Contains(talk, file) {
						t.Errorf("%s does not name the file: %.300s", args[0], talk)
					}
					if (name == "nonsense" || name == "bytes" || name == "a long line" || name == "numbers beyond") && !strings.Contains(talk, fmt.Sprintf("%s:%d", file, n)) {
						t.Errorf("%s does not name line %d: %.300s", args[0], n, talk)
					}
					if len(talk) > 64<<10 {
						t.Errorf("%s says %d octets", args[0], len(talk))
					}
				}
			})
		}
		t.Run(file+" not there", func(t *testing.T) {
			fresh(t)
			if err := os.Remove(filepath.Join(set, file)); err != nil {
				t.Fatal(err)
			}
			if talk := program.Trouble(t, cli.ExitUsage, "verify", "-set", set, path); !strings.Contains(talk, file) {
				t.Errorf("the missing file is not named: %s", talk)
			}
		})
	}
}

// TestDoctorLooksAtPasswords has a password file that others may read.
func TestDoctorLooksAtPasswords(t *testing.T) {
	var config string
	p := program.ServeOn(t, "", func(path string) { config = path })
	password := filepath.Join(filepath.Dir(config), "password")
	rewritten, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, bytes.Replace(rewritten, []byte("http://127.0.0.1:1"), []byte(p.Values["http"]), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mode   os.FileMode
		theirs bool // it belongs to somebody else
		want   string
	}{
		{0o600, false, "password=ok " + password},
		{0o400, false, "password=ok " + password},
		{0o644, false, "password=warn imap.password_file: other users of this machine may read " + password + " (mode 0644). chmod 600 " + password},
		{0o640, false, "password=warn imap.password_file"},
		{0o604, true, "password=warn imap.password_file"},
		{0o640, true, "password=ok " + password},
	} {
		owner := os.Getuid()
		if c.theirs {
			if owner != 0 {
				continue // only root can give a file away
			}
			owner = 1
		}
		if err := errors.Join(os.Chown(password, owner, -1), os.Chmod(password, c.mode)); err != nil {
			t.Fatal(err)
		}
		out, code := program.Output(t, "doctor", "-config", config)
		if !strings.Contains(out, c.want+"\n") && !(strings.HasSuffix(c.want, "_file") && strings.Contains(out, c.want)) || strings.Count(out, "password=") != 1 {
			t.Errorf("mode %v, theirs %v: want %s\n%s", c.mode, c.theirs, c.want, out)
		}
		if code != cli.ExitYes {
			t.Errorf("mode %v: exit %d\n%s", c.mode, code, out)
		}
	}
	if err := os.WriteFile(password, []byte(" \n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := program.Output(t, "doctor", "-config", config); code != cli.ExitNo || !strings.Contains(out, "password=fail ") || !strings.Contains(out, "imap.password_file") {
		t.Errorf("an empty file: exit %d\n%s", code, out)
	}
	p.Stop()
}
