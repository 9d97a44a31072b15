package lettertest

import (
	"fmt"
	"io"
	"net/http"
	"net/mail"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestMovedServer: a server that has another address and other pages now takes replies to its older
// letters, by LMTP and by the mailbox; links in them lead to the new pages, their one-click button
// works where it was, and a feed has the same id.
func TestMovedServer(t *testing.T) {
	t.Parallel()
	host := program.MailFor(t, append([]string{program.Account}, program.Accounts...)...)
	var config, game string
	p := program.ServeAt(t, host, program.Account, host.SMTPAddr(), "", func(path string) {
		config = path
		out, code := program.Output(t, "new", "-config", config, "-started", "-visibility", "listed", "-seed", strings.Repeat("5a", 32),
			"-player", "alpha@"+program.Domain, "-player", "beta@"+program.Domain)
		if code != cli.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
		game = strings.TrimSpace(strings.TrimPrefix(out, "game="))
	})
	alpha, beta := mailclient.Stranger(t, p, "alpha"), mailclient.Stranger(t, p, "beta")
	one := alpha.Until("the start", func(n mailclient.Received) bool { return len(n.Legal) > 0 })
	two := beta.Until("the start", func(n mailclient.Received) bool { return n.Header.Get("Reply-To") != "" })
	_, feed := asks(t, p, "GET", "127.0.0.1:1", "/g/"+game+"/feed.atom", "")
	p.Stop()

	raw, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	old := program.Account + "+{token}@" + program.Domain
	text := strings.NewReplacer(
		fmt.Sprintf("address = %q", old), fmt.Sprintf("address = \"games+{token}@new.example\"\nformer_addresses = [%q]", old),
		`base_url = "http://127.0.0.1:1"`, `base_url = "http://127.0.0.1:2"`+"\nformer_urls = [\"http://127.0.0.1:1\"]\n[lmtp]\naddr = \"127.0.0.1:0\"",
	).Replace(string(raw))
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(text)
	q := program.Start(t, "serve", "-config", config)

	to, err := mail.ParseAddress(one.Header.Get("Reply-To"))
	if err != nil {
		t.Fatal(err)
	}
	letter := fmt.Sprintf("From: %s\r\nTo: %s\r\nDate: %s\r\nMessage-ID: <moved@%s>\r\nIn-Reply-To: %s\r\nSubject: Re: your move\r\n\r\n%s\r\n",
		alpha.Address, to.Address, time.Now().Format(time.RFC1123Z), program.Domain, one.Header.Get("Message-Id"), strings.Join(one.Example, "\r\n"))
	mailclient.DeliverLMTP(t, q.Values["lmtp"], alpha.Address, to.Address, []byte(letter))
	answer := alpha.AnswerTo("moved@" + program.Domain)
	mailclient.Answers(t, answer, "applied")
	if from := answer.Header.Get("Reply-To"); !strings.HasSuffix(from, "@new.example>") && !strings.HasSuffix(from, "@new.example") {
		t.Errorf("it is answered from %s", from)
	}
	beta.Last = two // by the mailbox
	mailclient.Answers(t, beta.Ask("status"), "none", "YOUR GAMES")

	page := strings.TrimPrefix(mailclient.PageIn(t, one), "http://127.0.0.1:1")
	if to, _ := asks(t, q, "GET", "127.0.0.1:1", page, ""); to != "http://127.0.0.1:2"+page {
		t.Errorf("a link leads to %q", to)
	}
	if _, body := asks(t, q, "GET", "127.0.0.1:2", page, ""); !strings.Contains(body, "Your page") && !strings.Contains(body, "<html") {
		t.Errorf("the page is %s", mailclient.Head(body, 10))
	}
	click := strings.TrimPrefix(mailclient.OneClick(t, two), "http://127.0.0.1:1")
	if to, body := asks(t, q, "POST", "127.0.0.1:1", click, "List-Unsubscribe=One-Click"); to != "" || !strings.Contains(body, "You have muted this game") {
		t.Errorf("the click leads to %q: %s", to, mailclient.Head(body, 10))
	}
	id := regexp.MustCompile(`<id>[^<]+</id>`)
	if to, _ := asks(t, q, "GET", "127.0.0.1:1", "/g/"+game+"/feed.atom", ""); to != "http://127.0.0.1:2/g/"+game+"/feed.atom" {
		t.Errorf("the feed leads to %q", to)
	}
	_, now := asks(t, q, "GET", "127.0.0.1:2", "/g/"+game+"/feed.atom", "")
	if was, is := id.FindString(feed), id.FindString(now); was == "" || was != is {
		t.Errorf("the feed was %q and is %q", was, is)
	}

	// Doctor writes to each of them.
	text = strings.Replace(text, "games+{token}@new.example", program.Account+"+new-{token}@"+program.Domain, 1)
	write(text)
	out, _ := program.Output(t, "doctor", "-config", config, "-wait", "30s")
	program.Contains(t, out, "address=ok ", "former=ok "+old)
	write(strings.Replace(text, fmt.Sprintf("former_addresses = [%q]", old), `former_addresses = ["nobody+{token}@`+program.Domain+`"]`, 1))
	out, code := program.Output(t, "doctor", "-config", config, "-wait", "10s")
	if program.Contains(t, out, "address=ok ", "former=fail ", "take it out of former_addresses"); code != cli.ExitNo {
		t.Errorf("doctor: exit %d", code)
	}
	q.Stop()
}

// asks asks a server for an address of a host's, as a proxy passes it on, and returns where the
// answer leads, if it does, and its body.
func asks(t *testing.T, p *program.Process, method, host, address, form string) (to, body string) {
	t.Helper()
	r, err := http.NewRequest(method, p.Values["http"]+address, strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	c := http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.Header.Get("Location"), string(b)
}
