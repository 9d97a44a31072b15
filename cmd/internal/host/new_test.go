package host

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/program"
	"angelpost/engine/store"
)

// TestNewNames: `new` takes the names of its players, and of the game.
func TestNewNames(t *testing.T) {
	config := filepath.Join(t.TempDir(), "angelpost.toml")
	if out, code := program.Output(t, "init", "-config", config); code != cli.ExitYes {
		t.Fatal(out)
	}
	make := func(args ...string) (id string) {
		t.Helper()
		code, out, talk := program.Outcome(t, append([]string{"new", "-config", config, "-started"}, args...)...)
		if code != cli.ExitYes {
			t.Fatalf("%q: %d %s", args, code, talk)
		}
		return strings.TrimSpace(strings.TrimPrefix(out, "game="))
	}
	id := make("-player", "Ann <ann@example.org>", "-player", `"Bo the Bold" <bo@example.org>`, "-player", "cy@example.org", "-name", "First flight", "-organiser", "Ann <ann@example.org>")
	names := program.Record(t, config, id).Names
	if len(names) != 3 || names[0] != "Ann" || names[1] != "Bo the Bold" || !store.IsStandIn(names[2]) {
		t.Errorf("the players are %q", names)
	}
	second := make("-player", "ann@example.org", "-player", "cy@example.org")
	if again := program.Record(t, config, second).Names; !slices.Equal(again, []string{"Ann", names[2]}) {
		t.Errorf("in their next game they are %q", again)
	}
	for _, name := range []string{"first flight", store.GameName(second)} {
		if code, out, talk := program.Outcome(t, "organiser", "-config", config, name, "ann@example.org"); code != cli.ExitYes {
			t.Errorf("the organiser of %s: %d %s %s", name, code, out, talk)
		}
	}
	make("-player", "ann@example.org", "-player", "bot", "-name", "First Flight")
	if code, _, talk := program.Outcome(t, "organiser", "-config", config, "First flight", "ann@example.org"); code != cli.ExitNo || !strings.Contains(talk, "there is no game") {
		t.Errorf("the organiser of one of two: %d %s", code, talk)
	}
	if _, out, _ := program.Outcome(t, "games", "-config", config, "-json"); !strings.Contains(out, `"First flight"`) || !strings.Contains(out, `"`+store.GameName(second)+`"`) {
		t.Errorf("the games are\n%s", out)
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"want an address, or a name and an address", []string{"-player", "Ann <ann>", "-player", "bot"}},
		{"want an address, or a name and an address", []string{"-player", "Ann ann@example.org", "-player", "bot"}},
		{"want an address, or a name and an address", []string{"-player", "", "-player", "bot"}},
		{"want an address, or a name and an address", []string{"-player", "Ann <ann@example.org>, Bo <bo@example.org>", "-player", "bot"}},
		{"`Hal` can't be a name here", []string{"-player", "Hal <ann@example.org>", "-player", "bot"}},
		{"`Player 1` can't be a name here", []string{"-player", "Player 1 <ann@example.org>", "-player", "bot"}},
		{"want an address, or a name and an address", []string{"-player", "ann@example.org", "-player", "bot", "-organiser", "Ann <>"}},
		{"want at most 64 bytes", []string{"-player", "ann@example.org", "-player", "bot", "-name", strings.Repeat("x", 65)}},
	} {
		code, out, talk := program.Outcome(t, append([]string{"new", "-config", config}, c.args...)...)
		if code != cli.ExitUsage || out != "" || !strings.Contains(talk, c.want) {
			t.Errorf("%q: %d %q %q, want %q", c.args, code, out, talk, c.want)
		}
	}
}
