//go:build real

package shards_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"angelpost/cmd/internal/commands"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/mail/peers"
)

// TestMain lets the test binary be the program.
func TestMain(m *testing.M) { program.Main(m, commands.Run) }

const samples = "../../angelpost/packaging/samples"

// sample is a sample of the package with other values.
func sample(t *testing.T, name string, change ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(samples, name))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(change); i += 2 {
		if !strings.Contains(string(text), change[i]) {
			t.Fatalf("%s has no %q", name, change[i])
		}
	}
	return strings.NewReplacer(change...).Replace(string(text))
}

// A shard is one of the servers.
type shard struct {
	*program.Process
	name, address, url, lmtp, http, config string

	game string
}

func (s *shard) plain() string { return strings.Replace(s.address, "+{token}", "", 1) }

// write writes the server's configuration, with these siblings.
func (s *shard) write(t *testing.T, d *peers.Dovecot, x *peers.Postfix, siblings ...*shard) {
	t.Helper()
	text := fmt.Sprintf(`shard = "%s"
address = "%s"
start = "anyone"
database = "games.db"
[imap]
addr = "%s"
user = "%[1]s"
password_file = "%[4]s"
tls = "tls"
ca_file = "%[5]s"
[smtp]
addr = "%[6]s"
tls = "starttls"
ca_file = "%[5]s"
[lmtp]
addr = "%[7]s"
[http]
addr = "%[8]s"
base_url = "%[9]s"
`, s.name, s.address, d.IMAPSAddr, d.PasswordFile, d.CAFile, x.SMTPAddr, s.lmtp, s.http, s.url)
	for _, o := range siblings {
		text += fmt.Sprintf("[[sibling]]\nshard = %q\naddress = %q\nurl = %q\n", o.name, o.address, o.url)
	}
	if err := os.WriteFile(s.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestTwoServers runs two servers of one host between Dovecot, Postfix and Caddy, which route to
// them as the samples say: one by its domain, the other by its address. Each plays its own games.
// A letter that came to the wrong one does nothing there and is sent back with the right address,
// and so is a visitor of the wrong pages; two servers never answer each other.
func TestTwoServers(t *testing.T) {
	d := peers.StartDovecot(t, "/", "east", "nord", "alpha", "beta")
	east := &shard{name: "east", address: "angelpost+{token}@east.example.org", url: "http://east.example.org", lmtp: peers.Addr(t), http: peers.Addr(t)}
	north := &shard{name: "nord", address: "angelpost-north+{token}@" + peers.Domain, url: "http://north.example.org", lmtp: peers.Addr(t), http: peers.Addr(t)}
	x := peers.StartPostfixWith(t, d, sample(t, "postfix-shards.cf", "127.0.0.1:2424", east.lmtp, "127.0.0.1:2426", north.lmtp, "angelpost-north@example.org", north.plain()), "angelpost-north")
	all := []*shard{east, north}
	for _, s := range all {
		s.config = filepath.Join(t.TempDir(), "angelpost.toml")
	}
	north.write(t, d, x, east)
	east.write(t, d, x) // which knows no sibling yet
	for _, s := range all {
		out, code := program.Output(t, "new", "-config", s.config, "-started", "-player", "alpha@"+peers.Domain, "-player", "beta@"+peers.Domain)
		if s.game = regexp.MustCompile(s.name + `[a-z2-7]{12}`).FindString(out); code != program.ExitYes || s.game == "" {
			t.Fatalf("new: %d %s", code, out)
		}
		s.Process = program.Start(t, "serve", "-config", s.config)
	}
	proxy := peers.Addr(t)
	browse := caddy(t, proxy, sample(t, "Caddyfile-shards", "east.example.org {", "http://east.example.org:"+port(proxy)+" {", "north.example.org {", "http://north.example.org:"+port(proxy)+" {",
		"west.example.org {", "http://west.example.org:"+port(proxy)+" {", "127.0.0.1:8080", east.http, "127.0.0.1:8082", north.http))

	doctor := func(s *shard, want string) {
		t.Helper()
		cmd := program.Command("doctor", "-config", s.config)
		cmd.Env = append(cmd.Env, "HTTP_PROXY=http://"+proxy)
		out, _ := cmd.CombinedOutput() // DNS knows nothing of these domains
		if !strings.Contains(string(out), want) {
			t.Errorf("doctor of %s does not say %q:\n%s", s.name, want, out)
		}
	}
	doctor(north, "sibling=fail it does not know this server")
	east.write(t, d, x, north)
	if err := east.Cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if said := east.Says(regexp.MustCompile(`configuration reloaded.*`)); !strings.Contains(said, "[sibling]") || strings.Contains(said, "not_yet") {
		t.Errorf("%s", said)
	}
	doctor(north, "sibling=ok east")
	doctor(east, "sibling=ok nord")

	person := func(name string) *mailclient.Person {
		return &mailclient.Person{Client: &mailclient.Client{T: t, IMAP: d.IMAPAddr, SMTP: x.SMTPAddr, User: name, Pass: peers.Password, Address: name + "@" + peers.Domain}}
	}
	alpha, beta := person("alpha"), person("beta")
	from := func(s *shard) func(mailclient.Received) bool {
		return func(r mailclient.Received) bool { return strings.Contains(r.Header.Get("From"), s.plain()) }
	}
	for i, s := range all {
		other := all[1-i]
		// The right door.
		turn := alpha.Until("the first letter of "+s.name, from(s))
		reply := turn.Header.Get("Reply-To")
		answer := alpha.AnswerTo(alpha.Write(mailclient.Post{To: bare(reply), Subject: "Re: " + turn.Header.Get("Subject"), Body: "status\r\n"}))
		if !from(s)(answer) {
			t.Errorf("%s: answered by %s", s.name, answer.Header.Get("From"))
		}
		// The wrong door: by the game in its subject.
		lines := len(records(t, browse, s))
		answer = alpha.AnswerTo(alpha.Write(mailclient.Post{To: other.plain(), Subject: "Re: Game " + s.game, Body: "resign\r\nstatus\r\n"}))
		sentBack := func(how string) {
			t.Helper()
			if text := mailclient.Flatten(answer.Text); !from(other)(answer) || !strings.Contains(text, "Please write to "+s.plain()) || !strings.Contains(text, s.url) {
				t.Errorf("%s, by %s: %s\n%s", s.name, how, answer.Header.Get("From"), answer.Text)
			}
		}
		sentBack("a game")
		// By the address, with a token that is good at the right door.
		id := fmt.Sprintf("wrong-%s@%s", s.name, peers.Domain)
		raw := fmt.Sprintf("From: %s\r\nTo: %s\r\nMessage-ID: <%s>\r\nSubject: Re: your turn\r\nDate: %s\r\n\r\nresign\r\n", alpha.Address, bare(reply), id, time.Now().Format(time.RFC1123Z))
		if err := mailclient.Deliver(x.SMTPAddr, alpha.Address, other.plain(), []byte(raw)); err != nil {
			t.Fatal(err)
		}
		answer = alpha.AnswerTo(id)
		sentBack("its address")
		// The envelope may name the other server, too: it takes the letter, and sends it back.
		id = "lmtp-" + id
		raw = strings.NewReplacer("wrong-", "lmtp-wrong-", alpha.Address, beta.Address).Replace(raw)
		mailclient.DeliverLMTP(t, other.lmtp, beta.Address, bare(reply), []byte(raw))
		answer = beta.AnswerTo(id)
		sentBack("LMTP")
		// With its token in the other one's address.
		id = "token-" + id
		raw = strings.NewReplacer("lmtp-wrong-", "token-lmtp-wrong-", "To: "+bare(reply), "To: "+strings.Replace(other.address, "{token}", token(s, bare(reply)), 1)).Replace(raw)
		mailclient.DeliverLMTP(t, other.lmtp, beta.Address, other.plain(), []byte(raw))
		answer = beta.AnswerTo(id)
		if text := mailclient.Flatten(answer.Text); !from(other)(answer) || !strings.Contains(text, "We don't know the letter that you answered") || !strings.Contains(text, s.plain()) {
			t.Errorf("%s, by its token: %s\n%s", s.name, answer.Header.Get("From"), answer.Text)
		}
		// The one about the other, as if by its own letter, with and without its marks.
		for n, mark := range []string{"Auto-Submitted: auto-generated\r\n", ""} {
			raw := fmt.Sprintf("From: %s\r\nTo: %s\r\n%sMessage-ID: <loop%d@%s>\r\nSubject: Re: Game %s\r\nDate: %s\r\n\r\nstatus\r\n", s.plain(), other.plain(), mark, n, s.name, s.game, time.Now().Format(time.RFC1123Z))
			if err := mailclient.Deliver(x.SMTPAddr, s.plain(), other.plain(), []byte(raw)); err != nil {
				t.Fatal(err)
			}
			other.Says(regexp.MustCompile(fmt.Sprintf(`message_id=loop%d@%s .*outcome=silent`, n, s.name)))
		}
		if now := len(records(t, browse, s)); now != lines {
			t.Errorf("%s: the game went on by letters to the wrong door", s.name)
		}
		// Pages.
		if code, body := browse(s.url + "/g/" + s.game); code != http.StatusOK || !strings.Contains(body, strings.TrimPrefix(other.url, "http://")) {
			t.Errorf("%s: its page is %d, or does not name the other server", s.name, code)
		}
		if code, body := browse(other.url + "/g/" + s.game + "/history"); code != http.StatusNotFound || !strings.Contains(body, `href="`+s.url+"/g/"+s.game+`/history"`) {
			t.Errorf("%s: the other server's page is %d\n%s", s.name, code, body)
		}
	}
	for _, s := range all {
		if strings.Contains(s.Said(), "level=ERROR") {
			t.Errorf("%s\n%s", s.name, s.Said())
		}
		s.Stop()
	}
}

// token is the one in an address of a server.
func token(s *shard, address string) string {
	before, after, _ := strings.Cut(s.address, "{token}")
	return strings.TrimSuffix(strings.TrimPrefix(address, before), after)
}

// bare is the address in a field.
func bare(field string) string {
	return strings.Trim(field[strings.LastIndexByte(field, ' ')+1:], "<>")
}

// records is the game's record, by its page.
func records(t *testing.T, browse func(string) (int, string), s *shard) string {
	t.Helper()
	code, body := browse(s.url + "/g/" + s.game + "/history.json")
	if code != http.StatusOK {
		t.Fatalf("%s: %d %s", s.game, code, body)
	}
	return body
}

func port(addr string) string { _, p, _ := net.SplitHostPort(addr); return p }

// caddy runs Caddy, and returns what gets a page through it.
func caddy(t *testing.T, addr, config string) func(url string) (int, string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "Caddyfile"), []byte("{\n\tadmin off\n}\n"+config), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("caddy", "run", "--config", filepath.Join(dir, "Caddyfile"))
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	for over := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			break
		}
		if time.Now().After(over) {
			t.Fatalf("caddy did not come up:\n%s", said.String())
		}
	}
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: addr})}}
	return func(page string) (int, string) {
		t.Helper()
		res, err := client.Get(page)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(body)
	}
}
