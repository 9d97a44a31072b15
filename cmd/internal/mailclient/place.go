//go:build real

package mailclient

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/cmd/internal/program"
	"angelpost/mail/peers"
)

// Place is a server with real peers: Dovecot keeps the mailboxes, Postfix
// carries the letters.
type Place struct {
	*program.Process
	Dovecot    *peers.Dovecot
	Postfix    *peers.Postfix
	ConfigFile string
}

// ServerUser is the server's mailbox.
const ServerUser = "angelpost"

// StartPlace starts Dovecot, Postfix and `angelpost serve`, with a mailbox for
// each of users.
func StartPlace(t *testing.T, users ...string) *Place {
	t.Helper()
	d := peers.StartDovecot(t, "/", append([]string{ServerUser}, users...)...)
	x := peers.StartPostfix(t, d)
	config := WritePlace(t, d, x)
	return &Place{Process: program.Start(t, "serve", "-config", config), Dovecot: d, Postfix: x, ConfigFile: config}
}

// WritePlace writes the configuration of a server between d and x.
func WritePlace(t *testing.T, d *peers.Dovecot, x *peers.Postfix) (config string) {
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
`, ServerUser, peers.Domain, d.IMAPSAddr, ServerUser, d.PasswordFile, d.CAFile, x.SMTPAddr, d.CAFile)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return config
}

// PlayerName is the mailbox of one player of a game.
func PlayerName(game, n int) string { return fmt.Sprintf("g%dp%d", game, n) }

// Clients are the players of a game.
func (p *Place) Clients(t *testing.T, game, n int) []*Client {
	var out []*Client
	r := rand.New(rand.NewPCG(uint64(game), 1))
	for i := range n {
		name := PlayerName(game, i+1)
		out = append(out, &Client{
			T: t, IMAP: p.Dovecot.IMAPAddr, SMTP: p.Postfix.SMTPAddr, User: name, Pass: peers.Password,
			Address: name + "@" + peers.Domain, Style: Style((i + game) % 3), Pick: r.IntN,
		})
	}
	return out
}

// PlayersOf returns how many players a game of TestGamesByMail and TestKills has.
func PlayersOf(game int) int { return 2 + game%3 }

// Guest is a person with a mailbox at a place with real peers.
func (p *Place) Guest(t *testing.T, name string) *Person {
	t.Helper()
	return &Person{Client: &Client{T: t, IMAP: p.Dovecot.IMAPAddr, SMTP: p.Postfix.SMTPAddr, User: name, Pass: peers.Password, Address: name + "@" + peers.Domain}}
}

// Begin starts a game of these people, organised by the first.
func (p *Place) Begin(t *testing.T, names ...string) (game string) {
	t.Helper()
	args := []string{"new", "-config", p.ConfigFile, "-started", "-organiser", names[0] + "@" + peers.Domain, "-name", "First flight", "-seed", strings.Repeat("5a", 32)}
	for _, n := range names {
		args = append(args, "-player", n+"@"+peers.Domain)
	}
	out, code := program.Output(t, args...)
	if code != program.ExitYes {
		t.Fatalf("new: %d %s", code, out)
	}
	return strings.TrimSpace(strings.TrimPrefix(out, "game="))
}
