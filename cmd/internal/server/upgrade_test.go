package server

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/db"
)

// writeConfig writes a configuration whose servers are nowhere, and returns its path.
// It changes the sample by pairs of old and new text.
func writeConfig(t *testing.T, dir string, change ...string) string {
	t.Helper()
	path := filepath.Join(dir, "angelpost.toml")
	change = append(change, "%[1]s", path, "imap.example.org:993", "127.0.0.1:1", "smtp.example.org:587", "127.0.0.1:1", "https://play.example.org", "http://127.0.0.1:1")
	if err := os.WriteFile(path, []byte(strings.NewReplacer(change...).Replace(ConfigTemplate)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOldDatabase has the commands of this version meet the database of the first: the
// checks read it, backup copies it, others refuse it, all without changing a byte, and
// migrate upgrades it with a copy from before.
func TestOldDatabase(t *testing.T) {
	t.Parallel()
	today := t.TempDir()
	config := writeConfig(t, today)
	made, code := program.Output(t, "new", "-config", config, "-started", "-seed", strings.Repeat("5a", 32), "-player", "ann@example.org", "-player", "bob@example.org")
	if code != cli.ExitYes {
		t.Fatalf("new: exit %d, %s", code, made)
	}
	dir := t.TempDir()
	config = writeConfig(t, dir)
	path := filepath.Join(dir, "angelpost.db")
	program.OldDatabase(t, path, filepath.Join(today, "angelpost.db"), 1)

	read := func() (names []string, file []byte) {
		t.Helper()
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if file, err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		return names, file
	}
	schema := func(path string) string {
		t.Helper()
		c, err := sql.Open("sqlite3", path+"?mode=ro")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		return strings.Join(program.Column(t, c, "PRAGMA user_version"), " ")
	}
	names, before := read()
	copied := filepath.Join(t.TempDir(), "copy.db")
	ok := "ok " + strings.TrimSpace(made) + " "
	for _, c := range []struct {
		args  []string
		code  int
		wants []string
	}{
		{[]string{"verify", "-all"}, cli.ExitYes, []string{ok}},
		{[]string{"doctor"}, cli.ExitNo, []string{"database=ok", "file=ok", "games=ok", "mailbox=fail"}},
		{[]string{"backup"}, cli.ExitYes, []string{copied}},
		{[]string{"statistics"}, cli.ExitEnvironment, []string{"it has schema 1", "angelpost migrate"}},
		{[]string{"new", "-player", "ann@example.org", "-player", "bot"}, cli.ExitEnvironment, []string{"it has schema 1", "angelpost migrate"}},
	} {
		args := append(c.args, "-config", config)
		if c.args[0] == "backup" {
			args = append(args, copied)
		}
		code, stdout, stderr := program.Outcome(t, args...)
		for _, want := range c.wants {
			if !strings.Contains(stdout+stderr, want) {
				t.Errorf("%s does not say %q:\n%s%s", c.args[0], want, stdout, stderr)
			}
		}
		if code != c.code {
			t.Errorf("%s: exit %d, want %d", c.args[0], code, c.code)
		}
		if n, after := read(); !bytes.Equal(before, after) || !slices.Equal(names, n) {
			t.Fatalf("%s changed the database or its folder: %v, before %v", c.args[0], n, names)
		}
	}
	if v := schema(copied); v != "1" {
		t.Errorf("the backup has schema %s", v)
	}

	for range 2 { // the second time there is nothing to do
		if out, code := program.Output(t, "migrate", "-config", config); code != cli.ExitYes || out != "schema="+schema(path)+"\n" || schema(path) == "1" {
			t.Fatalf("migrate: exit %d, %q, the file has schema %s", code, out, schema(path))
		}
	}
	copies, err := filepath.Glob(path + ".schema*")
	if err != nil || len(copies) != 1 || schema(copies[0]) != "1" {
		t.Errorf("copies from before: %v, %v", copies, err)
	}
	if out, code := program.Output(t, "verify", "-all", "-config", config); code != cli.ExitYes || !strings.HasPrefix(out, ok) {
		t.Errorf("verify after migrate: exit %d, %q", code, out)
	}
}

// TestEverySchema: from the database of every version before this one, `verify -all` reads
// the games and changes no byte, migrate upgrades it, and the games go on.
func TestEverySchema(t *testing.T) {
	t.Parallel()
	for v := 1; v < db.Schema(); v++ {
		t.Run(strconv.Itoa(v), func(t *testing.T) {
			p := program.ServeOn(t, "", func(config string) {
				path, today := filepath.Join(filepath.Dir(config), "games.db"), filepath.Join(t.TempDir(), "today.db")
				made, code := program.Output(t, "new", "-config", config, "-started", "-seed", strings.Repeat("5a", 32), "-player", "alpha@"+program.Domain, "-player", "beta@"+program.Domain)
				if code != cli.ExitYes {
					t.Fatalf("new: %d %s", code, made)
				}
				if err := os.Rename(path, today); err != nil {
					t.Fatal(err)
				}
				program.OldDatabase(t, path, today, v)
				before, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				verified := func() {
					t.Helper()
					if out, code := program.Output(t, "verify", "-all", "-config", config); code != cli.ExitYes || !strings.HasPrefix(out, "ok "+strings.TrimSpace(made)+" ") {
						t.Errorf("verify: %d %q", code, out)
					}
				}
				verified()
				if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
					t.Errorf("verify changed the database: %v", err)
				}
				if out, code := program.Output(t, "migrate", "-config", config); code != cli.ExitYes || out != fmt.Sprintf("schema=%d\n", db.Schema()) {
					t.Fatalf("migrate: %d %q", code, out)
				}
				if copies, err := filepath.Glob(fmt.Sprintf("%s.schema%04d-*", path, v)); err != nil || len(copies) != 1 {
					t.Errorf("copies from before: %v %v", copies, err)
				}
				verified()
			})
			turns := 0
			for _, name := range []string{"alpha", "beta"} {
				player := mailclient.Stranger(t, p, name)
				if n := player.Until("the start", func(mailclient.Received) bool { return true }); len(n.Example) > 0 {
					turns++
					mailclient.Answers(t, player.Ask(n.Example...), "applied")
				}
			}
			if turns == 0 {
				t.Error("no player could move")
			}
			p.Stop()
		})
	}
}

// TestLicencesArePrinted finds Angelpost's licence and a dependency's in what `licences` prints.
func TestLicencesArePrinted(t *testing.T) {
	t.Parallel()
	out, code := program.Output(t, "licences")
	for _, want := range []string{"=== angelpost\n", "=== github.com/mattn/go-sqlite3 v", "THE SOFTWARE IS PROVIDED"} {
		if code != cli.ExitYes || !strings.Contains(out, want) {
			t.Errorf("exit %d, no %q in %d bytes", code, want, len(out))
		}
	}
}
