package host

import (
	"fmt"
	"strings"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/cmd/internal/server"
)

// stalled is a server that cannot send, with a game of alpha and beta under way and a
// letter of gamma's that asks for help.
func stalled(t *testing.T) (p *program.Process, config string) {
	t.Helper()
	host := program.MailFor(t, append([]string{program.Account}, program.Accounts...)...)
	p = program.ServeAt(t, host, program.Account, "127.0.0.1:1", "", func(path string) {
		config = path
		if out, code := program.Output(t, "new", "-config", config, "-started", "-seed", strings.Repeat("5a", 32),
			"-player", "alpha@"+program.Domain, "-player", "beta@"+program.Domain); code != cli.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	gamma := mailclient.Stranger(t, p, "gamma")
	gamma.SMTP = host.SMTPAddr()
	gamma.Write(mailclient.Post{To: p.Values["server"], Subject: "a\x1b[31m question", Body: "help\r\n"})
	program.Until(t, "gamma's letter is answered", func() bool { return program.Surveyed[server.StatusReport](t, config, "status").Queued == 3 })
	return p, config
}

// TestSurvey: the host sees at the command line how a server at work is, its games, its
// players and its letters.
func TestSurvey(t *testing.T) {
	t.Parallel()
	p, config := stalled(t)
	is := program.Surveyed[server.StatusReport](t, config, "status")
	if is.Schema != 1 || is.Running != 1 || is.Players < 2 || is.Aside != 0 || is.Oldest == nil || is.LastIn == nil || is.AtWork == nil || is.Bytes < 4096 || !strings.HasPrefix(is.Address, program.Account+"@") {
		t.Errorf("%+v", is)
	}
	games := program.Surveyed[server.GameList](t, config, "games")
	if len(games.Games) != 1 || games.Games[0].State != "running" || len(games.Games[0].Seats) != 2 {
		t.Fatalf("%+v", games)
	}
	who := map[string]bool{}
	for _, s := range games.Games[0].Seats {
		who[s.Address] = true
	}
	if !who["alpha@"+program.Domain] || !who["beta@"+program.Domain] {
		t.Errorf("%+v", games)
	}
	if of := program.Surveyed[server.GameList](t, config, "games", "finished"); of.Games == nil || len(of.Games) != 0 {
		t.Errorf("%+v", of)
	}
	if of := program.Surveyed[server.GameList](t, config, "games", "all"); len(of.Games) != 1 {
		t.Errorf("%+v", of)
	}
	players := program.Surveyed[server.PlayerList](t, config, "players")
	if len(players.Players) < 2 || players.Players[0].Address != "alpha@"+program.Domain || players.Players[0].Running != 1 || players.Players[0].LastMail != nil {
		t.Errorf("%+v", players)
	}
	queue := program.Surveyed[server.LetterList](t, config, "letters", "queued")
	if len(queue.Letters) != 3 {
		t.Fatalf("%+v", queue)
	}
	for _, l := range queue.Letters {
		shown := program.Surveyed[letterReport](t, config, "letter", "show", l.ID)
		if shown.ID != l.ID || shown.State != "queued" || shown.Subject == "" || !strings.Contains(shown.Text, "\n") || shown.Raw != "" {
			t.Errorf("%+v", shown)
		}
	}
	in := program.Surveyed[letterReport](t, config, "letter", "show", "in1")
	if in.Address != "gamma@"+program.Domain || in.State != "done" || !strings.Contains(in.Raw, "a\x1b[31m question") {
		t.Errorf("%+v", in)
	}
	for _, words := range [][]string{{"status"}, {"games"}, {"players"}, {"letters"}, {"letter", "show", "in1"}} {
		args := append([]string{words[0]}, words[1:]...)
		if words[0] == "letter" {
			args = []string{"letter", "show", "-config", config, "in1"}
		} else {
			args = append(args, "-config", config)
		}
		if text, code := program.Output(t, args...); code != cli.ExitYes || text == "" || strings.Contains(text, "\x1b") || strings.Contains(text, "\r") {
			t.Errorf("%v: %d %q", words, code, text)
		}
	}
	for _, wrong := range []struct {
		args []string
		code int
	}{
		{[]string{"letter", "show", "-config", config, "in999"}, cli.ExitNo}, {[]string{"letter", "show", "-config", config, "out999"}, cli.ExitNo},
		{[]string{"letter", "show", "-config", config, "12"}, cli.ExitUsage}, {[]string{"letter", "show", "-config", config, "out-1"}, cli.ExitUsage},
		{[]string{"letter", "show", "-config", config}, cli.ExitUsage}, {[]string{"letter"}, cli.ExitUsage},
		{[]string{"games", "-config", config, "won"}, cli.ExitUsage}, {[]string{"letters", "-config", config, "lost"}, cli.ExitUsage},
		{[]string{"status", "-config", config + ".no"}, cli.ExitUsage},
	} {
		if code, _, said := program.Outcome(t, wrong.args...); code != wrong.code || said == "" {
			t.Errorf("%v: %d %s", wrong.args, code, said)
		}
	}
	p.Stop()
	ledger := program.Opened(t, config)
	for state, words := range map[int]string{2: "held", 3: "aside"} {
		if _, err := ledger.Exec("UPDATE letters SET state = ?, why = 'a reason' WHERE id = 1", state); err != nil {
			t.Fatal(err)
		}
		if of := program.Surveyed[server.LetterList](t, config, "letters", words); len(of.Letters) != 1 || of.Letters[0].ID != "in1" || of.Letters[0].State != words || of.Letters[0].Why != "a reason" {
			t.Errorf("%s: %+v", words, of)
		}
	}
	if _, err := ledger.Exec("UPDATE out SET state = 2, error = 'no such user' WHERE id = 2"); err != nil {
		t.Fatal(err)
	}
	if of := program.Surveyed[server.LetterList](t, config, "letters", "failed"); len(of.Letters) != 1 || of.Letters[0].ID != "out2" || of.Letters[0].Why != "no such user" {
		t.Errorf("%+v", of)
	}
	if of := program.Surveyed[server.LetterList](t, config, "letters"); len(of.Letters) != 4 { // one aside, two queued, one failed
		t.Error(fmt.Sprint(of))
	}
}

// TestSurveyCreatesNothing: a command that reads makes no database.
func TestSurveyCreatesNothing(t *testing.T) {
	t.Parallel()
	config := t.TempDir() + "/angelpost.toml"
	if out, code := program.Output(t, "init", "-config", config); code != cli.ExitYes {
		t.Fatal(out)
	}
	if code, _, said := program.Outcome(t, "status", "-config", config); code != cli.ExitEnvironment || !strings.Contains(said, "there is no database yet") {
		t.Errorf("%d %s", code, said)
	}
}
