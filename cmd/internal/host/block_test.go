package host

import (
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestBlock: a server at work stores letters from blocked addresses and domains, and
// neither plays nor answers them.
func TestBlock(t *testing.T) {
	t.Parallel()
	var config string
	p := program.ServeOn(t, "", func(path string) { config = path })
	gamma := mailclient.Stranger(t, p, "gamma")
	n := 0
	write := func(state string) {
		t.Helper()
		n++
		gamma.Write(mailclient.Post{To: p.Values["server"], Subject: "help", Body: "help\r\n"})
		id := []string{"in1", "in2", "in3", "in4"}[n-1]
		var l letterReport
		program.Until(t, id+" is handled", func() bool {
			if code, _, _ := program.Outcome(t, "letter", "show", "-config", config, id); code != cli.ExitYes {
				return false
			}
			l = program.Surveyed[letterReport](t, config, "letter", "show", id)
			return l.State != "new"
		})
		if l.State != state || state == "mute" && (l.Why != "blocked by the host" || l.Raw == "") {
			t.Errorf("%s: %+v", id, l)
		}
	}
	is := func(code int, want int, words ...string) {
		t.Helper()
		got, _, said := program.Outcome(t, append([]string{words[0], "-config", config}, words[1:]...)...)
		if got != code {
			t.Errorf("%v: %d %s", words, got, said)
		}
		if list := program.Surveyed[blockList](t, config, "block"); len(list.Blocked) != want {
			t.Errorf("%v: %+v", words, list)
		}
	}
	is(cli.ExitYes, 1, "block", "Gamma@"+program.Domain)
	is(cli.ExitNo, 1, "block", "gamma@"+program.Domain)
	write("mute")
	is(cli.ExitYes, 0, "unblock", "gamma@"+program.Domain)
	is(cli.ExitNo, 0, "unblock", "gamma@"+program.Domain)
	is(cli.ExitYes, 1, "block", "localhost") // the domain above demo.localhost
	write("mute")
	is(cli.ExitYes, 2, "block", "mo.localhost") // is no domain above it
	is(cli.ExitYes, 1, "unblock", "localhost")
	write("done")
	is(cli.ExitUsage, 1, "block", "no one")
}

// TestBlockable: an address is blocked in the one form in which letters are compared, one with letters
// beyond ASCII, too.
func TestBlockable(t *testing.T) {
	for what, want := range map[string]string{"Ann@X.test": "ann@x.test", "X.test.": "x.test", "Jürgen@x.test": "jürgen@x.test", "jürgen": "xn--jrgen-kva", "a b@x.test": "", "@x.test": ""} {
		if got := blockable(what); got != want {
			t.Errorf("%q: %q, want %q", what, got, want)
		}
	}
}
