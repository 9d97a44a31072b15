package server

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/mail/mailhost"
)

// serveOn starts a mail host in this process and `serve` on it, with more lines
// at the head of its configuration. before runs when the configuration stands
// and the server does not.
func serveOn(t *testing.T, more string, before func(config string)) *program {
	t.Helper()
	host := mailFor(t, append([]string{demoServer}, demoAccounts...)...)
	return serveAt(t, host, demoServer, host.SMTPAddr(), more, before)
}

// mailFor starts a mail host in this process.
func mailFor(t *testing.T, accounts ...string) *mailhost.Host {
	t.Helper()
	host, err := mailhost.Start(mailhost.Config{
		IMAPAddr: "127.0.0.1:0", SMTPAddr: "127.0.0.1:0", Dir: filepath.Join(t.TempDir(), "mail"), Domain: demoDomain,
		Accounts: accounts, Password: demoPassword, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := host.Close(); err != nil {
			t.Error(err)
		}
	})
	return host
}

// serveAt starts `serve` for an account of a mail host, sending by the server
// at smtp.
func serveAt(t *testing.T, host *mailhost.Host, account, smtp, more string, before func(config string)) *program {
	t.Helper()
	dir := t.TempDir()
	config := filepath.Join(dir, "angelpost.toml")
	text := fmt.Sprintf(`%s
address = "%s+{token}@%s"
database = "games.db"
[imap]
addr = "%s"
user = "%s"
password_file = "password"
tls = "none"
[smtp]
addr = "%s"
tls = "none"
[http]
addr = "127.0.0.1:0"
base_url = "http://127.0.0.1:1"
`, more, account, demoDomain, host.IMAPAddr(), account, smtp)
	for name, s := range map[string]string{"angelpost.toml": text, "password": demoPassword + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before(config)
	p := start(t, "serve", "-config", config)
	p.values["imap"], p.values["smtp"], p.values["server"] = host.IMAPAddr(), host.SMTPAddr(), account+"@"+demoDomain
	return p
}

// TestManyAnswers writes more letters a day than are answered: those beyond are
// obeyed all the same, and answered at once if they move the game.
func TestManyAnswers(t *testing.T) {
	p := serveOn(t, "answers_per_day = 4", func(config string) {
		if out, code := output(t, "new", "-config", config, "-started", "-organiser", "alpha@"+demoDomain, "-seed", strings.Repeat("5a", 32),
			"-player", "alpha@"+demoDomain, "-player", "beta@"+demoDomain); code != exitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	alpha, beta := stranger(t, p, "alpha"), stranger(t, p, "beta")
	mover, other := alpha, beta
	alpha.until("the start", func(received) bool { return true })
	beta.until("the start", func(received) bool { return true })
	if len(alpha.last.legal) == 0 {
		mover, other = beta, alpha
	}
	notice := mover.last
	page := strings.Replace(pageIn(t, notice), "http://127.0.0.1:1", p.values["http"], 1)
	step := latest(t, page)
	for range 4 {
		mover.ask("status")
	}
	if now := latest(t, page); now != step {
		t.Fatalf("status moved the game from %d to %d", step, now)
	}
	mover.write(post{body: "status\r\n"})
	mover.write(post{body: strings.Join(notice.example, "\r\n") + "\r\n"})
	for other.ask("status"); latest(t, page) == step; {
		other.ask("legal") // letters are read in the order they came: two answers are enough
		if len(other.box) > 4 {
			t.Fatal("the letter beyond the bound was not obeyed")
		}
	}
	if mover.read(); len(mover.box) != 6 || mover.last.result != "applied" {
		t.Errorf("%d letters came, want the start, 4 answers and the one to the orders", len(mover.box))
	}
	filed(t, p, mover.n+other.n)
	p.stop()
}

// TestAnyoneMayStart lets an unknown sender start a game, once they have confirmed
// it, and an invited one be left in peace.
func TestAnyoneMayStart(t *testing.T) {
	p := serveOn(t, `start = "anyone"`, func(string) {})
	gamma, delta, alpha := stranger(t, p, "gamma"), stranger(t, p, "delta"), stranger(t, p, "alpha")
	want := post{to: p.values["server"], body: "new game\r\nplayers: " + gamma.address + "\r\n"}
	question := delta.answerTo(delta.write(want))
	answers(t, question, "none", "asks for a new game", gamma.address, "Answer `yes`")
	delta.write(want) // asked once a day
	alpha.answerTo(alpha.write(post{to: p.values["server"], body: "help\r\n"}))
	if delta.read(); len(delta.box) != 1 {
		t.Errorf("%d letters to somebody unknown, want 1", len(delta.box))
	}
	// Only the sender can confirm it.
	alpha.last = question
	alpha.write(post{body: "yes\r\n"})
	delta.last = question
	answers(t, delta.ask("yes"), "applied", "is set up", gamma.address)
	inv := gamma.wait(0, "invitation")
	says(t, inv, "never write to me again")
	gamma.last = inv
	answers(t, gamma.ask("never write to me again"), "applied", "not be written to again")
	n := delta.ask("new game", "players: "+gamma.address)
	answers(t, n, "refused", "does not want to be written to")
	answers(t, delta.ask("status"), "none", "YOUR GAMES")
	if alpha.read(); len(alpha.box) != 1 {
		t.Errorf("%d letters to somebody who is in no game, want the help alone", len(alpha.box))
	}
	p.stop()
}
