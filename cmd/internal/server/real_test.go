//go:build real

package server

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angelpost/mail/peers"
)

// place is a server with real peers: Dovecot keeps the mailboxes, Postfix
// carries the letters.
type place struct {
	*program
	dovecot *peers.Dovecot
	postfix *peers.Postfix
	config  string
}

const serverUser = "angelpost"

// startPlace starts Dovecot, Postfix and `angelpost serve`, with a mailbox for
// each of users.
func startPlace(t *testing.T, users ...string) *place {
	t.Helper()
	d := peers.StartDovecot(t, "/", append([]string{serverUser}, users...)...)
	x := peers.StartPostfix(t, d)
	config := writePlace(t, d, x)
	return &place{program: start(t, "serve", "-config", config), dovecot: d, postfix: x, config: config}
}

// writePlace writes the configuration of a server between d and x.
func writePlace(t *testing.T, d *peers.Dovecot, x *peers.Postfix) (config string) {
	t.Helper()
	dir := t.TempDir()
	config = filepath.Join(dir, "angelpost.toml")
	text := fmt.Sprintf(`address = "%s+{token}@%s"
start = "anyone"
database = "games.db"
answers_per_day = 100000

[imap]
addr = "%s"
user = "%s"
password_file = "%s"
tls = "tls"
ca_file = "%s"

[smtp]
addr = "%s"
tls = "starttls"
ca_file = "%s"

[http]
addr = "127.0.0.1:0"
base_url = "http://127.0.0.1:1"
`, serverUser, peers.Domain, d.IMAPSAddr, serverUser, d.PasswordFile, d.CAFile, x.SMTPAddr, d.CAFile)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return config
}

// player is the mailbox of one player of a game.
func player(game, n int) string { return fmt.Sprintf("g%dp%d", game, n) }

// clients are the players of a game.
func (p *place) clients(t *testing.T, game, n int) []*client {
	var out []*client
	r := rand.New(rand.NewPCG(uint64(game), 1))
	for i := range n {
		name := player(game, i+1)
		out = append(out, &client{
			t: t, imap: p.dovecot.IMAPAddr, smtp: p.postfix.SMTPAddr, user: name, pass: peers.Password,
			address: name + "@" + peers.Domain, style: style((i + game) % 3), pick: r.IntN,
		})
	}
	return out
}

// TestGamesByMail plays ten games of two to four players to their ends, with
// clients that know only IMAP, SMTP and web/API.md. Nine are started at the
// command line, the tenth by letters, from the invitation on.
func TestGamesByMail(t *testing.T) {
	const games = 10
	var users []string
	for i := range games {
		for n := range playersOf(i) {
			users = append(users, player(i, n+1))
		}
	}
	p := startPlace(t, users...)
	t.Run("all", func(t *testing.T) { // ends when all have ended
		for i := range games {
			p.game(t, i, i == games-1)
		}
	})
	if out, code := output(t, "verify", "-all", "-config", p.config); code != exitYes || strings.Count(out, "ok game=") != games {
		t.Errorf("verify -all: %d\n%s", code, out)
	}
	p.stop()
}

func playersOf(game int) int { return 2 + game%3 }

// game plays one game beside the others.
func (p *place) game(t *testing.T, i int, byLetters bool) {
	t.Run(fmt.Sprintf("%d of %d", i+1, playersOf(i)), func(t *testing.T) {
		t.Parallel()
		clients := p.clients(t, i, playersOf(i))
		var game string
		if !byLetters {
			args := []string{"new", "-config", p.config, "-started", "-organiser", clients[0].address, "-seed", strings.Repeat(fmt.Sprintf("%02x", i+1), 32)}
			for _, c := range clients {
				args = append(args, "-player", c.address)
			}
			out, code := output(t, args...)
			if code != exitYes || !strings.HasPrefix(out, "game=") {
				t.Fatalf("new: %d %q", code, out)
			}
			game = strings.TrimSpace(strings.TrimPrefix(out, "game="))
		} else {
			game = invite(t, clients)
		}
		play(t, clients, 15*time.Minute)
		record, code := output(t, "export", "-config", p.config, game)
		if code != exitYes {
			t.Fatalf("export: exit %d", code)
		}
		checkRecord(t, record)
		for _, c := range clients {
			t.Logf("%s (style %d): %d letters read, %d written", c.address, c.style, c.letters, c.sent)
		}
	})
}

// invite starts a game by letters: the first client writes, all others join
// with a word of chance. It returns the game's id.
func invite(t *testing.T, clients []*client) string {
	t.Helper()
	organiser := clients[0]
	var others []string
	for _, c := range clients[1:] {
		others = append(others, c.address)
	}
	organiser.send(serverUser+"@"+peers.Domain, "a game", "", "new game\r\nplayers: "+strings.Join(others, ", ")+"\r\nname: By letters\r\n")
	// Players who write from an address the server knows must answer a notice, or
	// confirm; invited players join.
	game := ""
	deadline := time.Now().Add(time.Minute)
	for joined := 0; joined < len(clients)-1; {
		for i, c := range clients {
			for _, n := range c.fetch() {
				switch {
				case n.kind == "invitation":
					game = n.header.Get("X-Angelpost-Game")
					c.reply(n, fmt.Sprintf("join Guest %d, word%d\r\n", i+1, i+1))
					joined++
				case i == 0 && game == "" && n.result == "none" && n.header.Get("Reply-To") != "":
					c.reply(n, "yes\r\n")
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
	p := startPlace(t)
	b, err := os.ReadFile(p.config)
	if err != nil {
		t.Fatal(err)
	}
	with := func(old, new string) string {
		path := filepath.Join(filepath.Dir(p.config), "changed.toml")
		if err := os.WriteFile(path, []byte(strings.Replace(string(b), old, new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		out, _ := output(t, "doctor", "-config", path, "-wait", "15s")
		return out
	}
	out := with("http://127.0.0.1:1", p.values["http"])
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
