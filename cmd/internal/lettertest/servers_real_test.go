//go:build real

package lettertest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/mail/peers"
)

var wholeGames = flag.Bool("servers.whole", false, "TestServers plays games to their ends")

// TestServers plays two turns through each mail server that HOSTING.md has a section on, set up
// as it says there.
func TestServers(t *testing.T) {
	users := []string{mailclient.ServerUser, "ann", "bob"}
	for _, c := range []struct {
		name  string
		start func(t *testing.T, door string) *peers.Server // door: the server's LMTP address, if it is used
		door  bool
		says  string // what doctor says
	}{
		{"Exim", func(t *testing.T, door string) *peers.Server {
			return peers.StartExim(t, peers.StartDovecot(t, "/", users...), mailSample(t, "exim.conf", door))
		}, true, "notice=ok "},
		{"OpenSMTPD", func(t *testing.T, door string) *peers.Server {
			return peers.StartOpenSMTPD(t, peers.StartDovecot(t, "/", users...), mailSample(t, "smtpd.conf", door))
		}, true, "notice=ok "},
		{"Cyrus", func(t *testing.T, _ string) *peers.Server {
			return peers.StartCyrus(t, mailSample(t, "cyrus.conf", ""), users...)
		}, false, "notice=ok "},
		{"Courier", func(t *testing.T, _ string) *peers.Server {
			return peers.StartCourier(t, mailSample(t, "courier-imapd", ""), users...)
		}, false, "notice=ok "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			door := ""
			if c.door {
				door = peers.Addr(t)
			}
			twoTurns(t, c.start(t, door), door, c.says)
		})
	}
}

// cameByDoor holds that the server's letters came by LMTP, each with its token in RCPT TO, which
// the server notes as Delivered-To, and that Dovecot, which notes itself as Received, delivered none.
func cameByDoor(t *testing.T, s *peers.Server) {
	t.Helper()
	c := mailclient.Login(t, s.IMAPAddr, mailclient.ServerUser, peers.Password)
	defer c.Close()
	for _, folder := range []string{"INBOX", "Angelpost/Done"} {
		box, err := c.Select(folder, nil).Wait()
		if err != nil {
			t.Fatal(err)
		}
		with := func(field, value string) int {
			found, err := c.Search(&imap.SearchCriteria{Header: []imap.SearchCriteriaHeaderField{{Key: field, Value: value}}}, nil).Wait()
			if err != nil {
				t.Fatal(err)
			}
			return len(found.AllSeqNums())
		}
		tokens, delivered := with("Delivered-To", mailclient.ServerUser+"+"), with("Received", "LMTP id")
		if delivered > 0 || tokens != int(box.NumMessages) || folder != "INBOX" && tokens == 0 {
			t.Errorf("%s: of %d letters %d have a token in RCPT TO, and Dovecot delivered %d", folder, box.NumMessages, tokens, delivered)
		}
	}
}

// mailSample is a sample for a mail server, for the tests' domain and door.
func mailSample(t *testing.T, name, door string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("../../angelpost/packaging/samples", name))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(raw), "play.example.org", peers.Domain)
	if _, port, ok := strings.Cut(door, ":"); ok {
		text = strings.ReplaceAll(text, "2424", port)
	}
	return text
}

// twoTurns has doctor look at a mail server, starts a server on a mail server, and has both players of a game do a turn.
func twoTurns(t *testing.T, s *peers.Server, door, says string) {
	config := filepath.Join(t.TempDir(), "angelpost.toml")
	text := fmt.Sprintf(`address = "%[1]s+{token}@%[2]s"
start = "anyone"
database = "games.db"

[imap]
addr = %[3]q
user = %[4]q
password_file = %[5]q
tls = "none"

[smtp]
addr = %[6]q
tls = "none"

[lmtp]
addr = %[7]q

[http]
addr = "127.0.0.1:0"
base_url = "http://127.0.0.1:1"
`, mailclient.ServerUser, peers.Domain, s.IMAPAddr, s.Login(mailclient.ServerUser), s.PasswordFile, s.SMTPAddr, door)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &mailclient.Place{Process: program.Start(t, "serve", "-config", config), ConfigFile: config}
	out, _ := program.Output(t, "doctor", "-config", config, "-wait", "30s")
	program.Contains(t, out, "mailbox=", "smtp=ok ", "address=ok ", says)
	if strings.Contains(out, "mailbox=fail") {
		t.Errorf("doctor says:\n%s", out)
	}
	p.Begin(t, "ann", "bob")
	var players []*mailclient.Person
	for _, name := range []string{"ann", "bob"} {
		players = append(players, &mailclient.Person{Client: &mailclient.Client{T: t, IMAP: s.IMAPAddr, SMTP: s.SMTPAddr, User: s.Login(name), Pass: peers.Password, Address: name + "@" + peers.Domain,
			Style: mailclient.WholeTurn, Pick: rand.New(rand.NewPCG(1, 1)).IntN}})
	}
	if *wholeGames {
		mailclient.Play(t, []*mailclient.Client{players[0].Client, players[1].Client}, time.Hour)
	}
	// The first goes on until it is the other's turn.
	for deadline := time.Now().Add(90 * time.Second); !*wholeGames && (players[0].N == 0 || players[1].N == 0); time.Sleep(20 * time.Millisecond) {
		for _, x := range players {
			if x.Read(); len(x.Last.Example) == 0 {
				continue
			}
			answer := x.AnswerTo(x.Write(mailclient.Post{Body: strings.Join(x.Last.Example, "\r\n") + "\r\n"}))
			if answer.Result != "applied" {
				t.Fatalf("%s\n%s", answer.Result, answer.Text)
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("after %d and %d letters no letter asks for a turn", players[0].N, players[1].N)
		}
	}
	p.Stop()
	if door != "" {
		cameByDoor(t, s)
	}
	if out, code := program.Output(t, "verify", "-all", "-config", config); code != cli.ExitYes {
		t.Errorf("verify: %d\n%s", code, out)
	}
	if out, code := program.Output(t, "letters", "-config", config, "aside"); code != cli.ExitYes || strings.Contains(out, "aside") {
		t.Errorf("letters set aside: %d\n%s", code, out)
	}
}
