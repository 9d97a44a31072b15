//go:build real

package lettertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/mail/peers"
)

// TestFirstGame goes from init to a game that has begun, as the README says it, with Dovecot and
// Postfix: init's own file in which only what a host must fill in has changed, doctor, serve, and the
// README's first letter, from the address in host and from one in directors. The second answers
// the answer to help.
func TestFirstGame(t *testing.T) {
	d := peers.StartDovecot(t, "/", mailclient.ServerUser, "host", "dora", "ann", "bob")
	x := peers.StartPostfix(t, d)
	config := filepath.Join(t.TempDir(), "angelpost.toml")
	if out, code := program.Output(t, "init", "-config", config); code != cli.ExitYes {
		t.Fatalf("init: %d %s", code, out)
	}
	raw, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for _, c := range [][2]string{
		{`address = "angelpost+{token}@example.org"`, fmt.Sprintf("address = %q", mailclient.ServerUser+"+{token}@"+peers.Domain)},
		{"can be \"new game\".\nhost = \"\"", fmt.Sprintf("can be \"new game\".\nhost = %q", "host@"+peers.Domain)},
		{`directors = []`, fmt.Sprintf("directors = [%q]", "dora@"+peers.Domain)},
		{`addr = "imap.example.org:993"` + "\n" + `user = "angelpost@example.org"`, fmt.Sprintf("addr = %q\nuser = %q", d.IMAPSAddr, mailclient.ServerUser)},
		{`ca_file = ""                # your own certificate authority, if you have one`, fmt.Sprintf("ca_file = %q", d.CAFile)},
		{`addr = "smtp.example.org:587"` + "\n" + `user = "angelpost@example.org"` + "\n" + `password_file = "password"`, fmt.Sprintf("addr = %q", x.SMTPAddr)},
		{`tls = "starttls"` + "\n" + `ca_file = ""`, fmt.Sprintf("tls = \"starttls\"\nca_file = %q", d.CAFile)},
		{`password_file = "password" `, fmt.Sprintf("password_file = %q ", d.PasswordFile)},
		{`addr = "127.0.0.1:8080"`, `addr = "127.0.0.1:0"`},
		{`base_url = "https://play.example.org"`, `base_url = "http://127.0.0.1:1"`},
	} {
		if strings.Count(text, c[0]) != 1 {
			t.Fatalf("init does not write %q once", c[0])
		}
		text = strings.Replace(text, c[0], c[1], 1)
	}
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := program.Output(t, "doctor", "-config", config, "-wait", "30s")
	program.Contains(t, out, "mailbox=ok ", "smtp=ok ", "address=ok ")
	p := &mailclient.Place{Process: program.Start(t, "serve", "-config", config), Dovecot: d, Postfix: x, ConfigFile: config}

	first := strings.NewReplacer("example.org", peers.Domain, "example.net", peers.Domain).Replace(readmesFirstLetter(t))
	server := mailclient.ServerUser + "@" + peers.Domain
	host, dora, ann, bob := p.Guest(t, "host"), p.Guest(t, "dora"), p.Guest(t, "ann"), p.Guest(t, "bob")
	asked := host.AnswerTo(host.Write(mailclient.Post{To: server, Subject: "a game", Body: crlf(first)}))
	begins(t, host, asked, ann, bob)

	help := dora.AnswerTo(dora.Write(mailclient.Post{To: server, Subject: "hello", Body: "help\r\n"}))
	mailclient.Says(t, help, "new game")
	dora.Last = help
	begins(t, dora, dora.Ask(first), ann, bob)
	if out, code := program.Output(t, "verify", "-all", "-config", config); code != cli.ExitYes || strings.Count(out, "ok game=") != 2 {
		t.Errorf("verify -all: %d\n%s", code, out)
	}
	p.Stop()
}
