//go:build real

package lettertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/mail/peers"
)

// TestGamesByMail plays ten games of two to four players to their ends, with
// clients that know only IMAP, SMTP and web/API.md. Nine are started at the
// command line, the tenth by letters, from the invitation on.
func TestGamesByMail(t *testing.T) {
	const games = 10
	var users []string
	for i := range games {
		for n := range mailclient.PlayersOf(i) {
			users = append(users, mailclient.PlayerName(i, n+1))
		}
	}
	p := mailclient.StartPlace(t, users...)
	t.Run("all", func(t *testing.T) { // ends when all have ended
		for i := range games {
			playGame(t, p, i, i == games-1)
		}
	})
	if out, code := program.Output(t, "verify", "-all", "-config", p.ConfigFile); code != program.ExitYes || strings.Count(out, "ok game=") != games {
		t.Errorf("verify -all: %d\n%s", code, out)
	}
	p.Stop()
}

// playGame plays one game beside the others.
func playGame(t *testing.T, p *mailclient.Place, i int, byLetters bool) {
	t.Run(fmt.Sprintf("%d of %d", i+1, mailclient.PlayersOf(i)), func(t *testing.T) {
		t.Parallel()
		clients := p.Clients(t, i, mailclient.PlayersOf(i))
		var game string
		if !byLetters {
			args := []string{"new", "-config", p.ConfigFile, "-started", "-organiser", clients[0].Address, "-seed", strings.Repeat(fmt.Sprintf("%02x", i+1), 32)}
			for _, c := range clients {
				args = append(args, "-player", c.Address)
			}
			out, code := program.Output(t, args...)
			if code != program.ExitYes || !strings.HasPrefix(out, "game=") {
				t.Fatalf("new: %d %q", code, out)
			}
			game = strings.TrimSpace(strings.TrimPrefix(out, "game="))
		} else {
			game = invite(t, clients)
		}
		mailclient.Play(t, clients, 15*time.Minute)
		record, code := program.Output(t, "export", "-config", p.ConfigFile, game)
		if code != program.ExitYes {
			t.Fatalf("export: exit %d", code)
		}
		program.CheckRecord(t, record)
		for _, c := range clients {
			t.Logf("%s (style %d): %d letters read, %d written", c.Address, c.Style, c.Letters, c.Sent)
		}
	})
}

// invite starts a game by letters: the first client writes, all others join
// with a word of chance. It returns the game's id.
func invite(t *testing.T, clients []*mailclient.Client) string {
	t.Helper()
	organiser := clients[0]
	var others []string
	for _, c := range clients[1:] {
		others = append(others, c.Address)
	}
	organiser.Send(mailclient.ServerUser+"@"+peers.Domain, "a game", "", "new game\r\nplayers: "+strings.Join(others, ", ")+"\r\nname: By letters\r\n")
	// Players who write from an address the server knows must answer a notice, or
	// confirm; invited players join.
	game := ""
	deadline := time.Now().Add(time.Minute)
	for joined := 0; joined < len(clients)-1; {
		for i, c := range clients {
			for _, n := range c.Fetch() {
				switch {
				case n.Kind == "invitation":
					game = n.Header.Get("X-Angelpost-Game")
					c.Reply(n, fmt.Sprintf("join Guest %d, word%d\r\n", i+1, i+1))
					joined++
				case i == 0 && game == "" && n.Result == "none" && n.Header.Get("Reply-To") != "":
					c.Reply(n, "yes\r\n")
				}
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d invitations arrived", joined, len(clients)-1)
		}
		time.Sleep(50 * time.Millisecond)
	}
	if game == "" {
		t.Fatal("no invitation names its game")
	}
	return game
}

// TestDoctor finds nothing wrong with the real peers, and says what is when
// something is.
func TestDoctor(t *testing.T) {
	p := mailclient.StartPlace(t)
	b, err := os.ReadFile(p.ConfigFile)
	if err != nil {
		t.Fatal(err)
	}
	with := func(old, new string) string {
		path := filepath.Join(filepath.Dir(p.ConfigFile), "changed.toml")
		if err := os.WriteFile(path, []byte(strings.Replace(string(b), old, new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		out, _ := program.Output(t, "doctor", "-config", path, "-wait", "15s")
		return out
	}
	out := with("http://127.0.0.1:1", p.Values["http"])
	for _, name := range []string{"database", "mailbox", "smtp", "address", "url"} {
		if !strings.Contains(out, name+"=ok ") {
			t.Errorf("%s is not ok:\n%s", name, out)
		}
	}
	if out := with(`user = "angelpost"`, `user = "nobody"`); !strings.Contains(out, "mailbox=fail ") || !strings.Contains(out, "address=fail ") {
		t.Errorf("a wrong user is not noticed:\n%s", out)
	}
	if out := with("angelpost+{token}@", "{token}@"); !strings.Contains(out, "address=fail ") {
		t.Errorf("an address that reaches nobody is not noticed:\n%s", out)
	}
}
