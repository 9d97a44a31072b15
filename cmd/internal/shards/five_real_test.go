//go:build real

package shards_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/db/replica/litestream"
	"angelpost/mail/peers"
)

// A pair is a server on two machines.
type pair struct {
	name, address, url, game string
	configs                  [2]string
	http                     [2]string
	at                       [2]*machine // nil where none runs
}

// A machine is a process of angelpost standby, and the file that it logs to.
type machine struct {
	t   *testing.T
	cmd *exec.Cmd
	log string
}

func (m *machine) said() string {
	m.t.Helper()
	text, err := os.ReadFile(m.log)
	if err != nil {
		m.t.Fatal(err)
	}
	return string(text)
}

func (m *machine) says(want string) {
	m.t.Helper()
	for over := time.Now().Add(time.Minute); !strings.Contains(m.said(), want); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(over) {
			m.t.Fatalf("it never says %s:\n%s", want, m.said())
		}
	}
}

func (p *pair) plain() string { return strings.Replace(p.address, "+{token}", "", 1) }

// write writes the same configuration, but for what differs on one machine, into two folders.
func (p *pair) write(t *testing.T, d *peers.Dovecot, x *peers.Postfix, store, sockets string, sibling *pair) {
	t.Helper()
	for i := range p.configs {
		p.configs[i], p.http[i] = filepath.Join(t.TempDir(), "angelpost.toml"), peers.Addr(t)
		text := fmt.Sprintf(`shard = %q
address = %q
database = "games.db"
[imap]
addr = %q
user = %q
password_file = %q
tls = "tls"
ca_file = %q
[smtp]
addr = %q
tls = "starttls"
ca_file = %[6]q
[http]
addr = %[8]q
base_url = %[9]q
[replica]
litestream = %[10]q
url = "s3://%[11]s/%[1]s?endpoint=http://%[12]s&region=us-east-1&forcePathStyle=true"
[[sibling]]
shard = %[13]q
address = %[14]q
url = %[15]q
`, p.name, p.address, d.IMAPSAddr, p.name, d.PasswordFile, d.CAFile, x.SMTPAddr, p.http[i], p.url, filepath.Join(sockets, fmt.Sprint(p.name, i)), litestream.Bucket, store, sibling.name, sibling.address, sibling.url)
		if err := os.WriteFile(p.configs[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// start starts a machine, and waits until its log has want.
func (p *pair) start(t *testing.T, i int, want string, flags ...string) {
	t.Helper()
	log, err := os.CreateTemp(t.TempDir(), "log")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	m := &machine{t, program.Command(append([]string{"standby", "-config", p.configs[i]}, flags...)...), log.Name()}
	m.cmd.Stderr = log
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.cmd.Process.Kill(); m.cmd.Wait() })
	p.at[i] = m
	m.says(want)
}

func (p *pair) kill(i int) {
	p.at[i].cmd.Process.Kill()
	p.at[i].cmd.Wait()
	p.at[i] = nil
}

const (
	atWork  = `msg="imapbox: watching"`
	follows = `msg="standby: following"`
)

// TestFiveMachines does what SCALE.md tells a host with five machines to do, with folders and
// ports of one machine in their place: two servers, each on two machines with angelpost standby;
// the fifth has Postfix, Dovecot, Caddy and the store of the replicas. When a machine dies, the
// other one of its server takes over, pages and all; when both do, the other server plays on,
// and the first has lost nothing when one of them is back.
func TestFiveMachines(t *testing.T) {
	t.Setenv("PATH", filepath.Dir(litestream.Program(t))+":"+os.Getenv("PATH"))
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_CA_BUNDLE": ""} {
		t.Setenv(name, value)
	}
	store := litestream.StartS3(t)
	d := peers.StartDovecot(t, "/", "east", "west", "alpha", "beta")
	x := peers.StartPostfixWith(t, d, "")
	sockets, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(sockets) })
	east := &pair{name: "east", address: "east+{token}@" + peers.Domain, url: "http://east.example.org"}
	west := &pair{name: "west", address: "west+{token}@" + peers.Domain, url: "http://west.example.org"}
	east.write(t, d, x, store, sockets, west)
	west.write(t, d, x, store, sockets, east)
	both := []*pair{east, west}
	for _, p := range both {
		p.start(t, 0, atWork, "-first")
		p.start(t, 1, follows)
		out, code := program.Output(t, "new", "-config", p.configs[0], "-started", "-player", "alpha@"+peers.Domain, "-player", "beta@"+peers.Domain)
		if p.game = regexp.MustCompile(p.name + `[a-z2-7]{12}`).FindString(out); code != program.ExitYes || p.game == "" {
			t.Fatalf("new: %d %s", code, out)
		}
	}
	proxy := peers.Addr(t)
	routes := ""
	for _, p := range both {
		routes += fmt.Sprintf("%s:%s {\n\treverse_proxy %s %s {\n\t\tlb_policy first\n\t\tlb_try_duration 5s\n\t\tfail_duration 1s\n\t}\n}\n", p.url, port(proxy), p.http[0], p.http[1])
	}
	browse := caddy(t, proxy, routes)

	var people []*mailclient.Person
	for _, name := range []string{"alpha", "beta"} {
		people = append(people, &mailclient.Person{Client: &mailclient.Client{T: t, IMAP: d.IMAPAddr, SMTP: x.SMTPAddr, User: name, Pass: peers.Password, Address: name + "@" + peers.Domain}})
	}
	lines := map[*pair]int{}
	// plays has one who is to move play as their letter proposes, and looks at the page.
	plays := func(p *pair) {
		t.Helper()
		for over := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
			for _, who := range people {
				who.Read()
				for i := len(who.Box) - 1; i >= 0; i-- {
					n := who.Box[i]
					if n.Header.Get("X-Angelpost-Game") != p.game {
						continue
					}
					if len(n.Example) == 0 {
						break
					}
					answer := who.AnswerTo(who.Write(mailclient.Post{To: bare(n.Header.Get("Reply-To")), Subject: "Re: " + n.Header.Get("Subject"), Body: strings.Join(n.Example, "\r\n") + "\r\n"}))
					if answer.Result != "applied" || !strings.Contains(answer.Header.Get("From"), p.plain()) {
						t.Fatalf("%s: %s by %s:\n%s", p.name, answer.Result, answer.Header.Get("From"), answer.Text)
					}
					code, body := browse(p.url + "/g/" + p.game + "/history.json")
					before := lines[p]
					if lines[p] = strings.Count(body, `"seat"`); code != http.StatusOK || lines[p] <= before {
						t.Fatalf("%s: page %d, %d lines after %d", p.name, code, lines[p], before)
					}
					return
				}
			}
			if time.Now().After(over) {
				for _, who := range people {
					for _, n := range who.Box {
						if n.Header.Get("X-Angelpost-Game") == p.game {
							t.Logf("%s has %q of %s, %d lines to send", who.User, n.Header.Get("Subject"), n.Header.Get("Date"), len(n.Example))
						}
					}
				}
				for _, m := range p.at {
					if m != nil {
						t.Logf("a machine logged:\n%s", m.said())
					}
				}
				t.Fatalf("%s: no one is to move", p.name)
			}
		}
	}
	for range 2 {
		plays(east)
		plays(west)
	}
	// A letter to the wrong door, whichever machine is behind it.
	wrong := func() {
		t.Helper()
		answer := people[0].AnswerTo(people[0].Write(mailclient.Post{To: west.plain(), Subject: "Re: Game " + east.game, Body: "resign\r\n"}))
		if text := mailclient.Flatten(answer.Text); !strings.Contains(text, "Please write to "+east.plain()) {
			t.Errorf("the wrong door: %s", answer.Text)
		}
		if game := answer.Header.Get("X-Angelpost-Game"); game != "" {
			t.Errorf("the wrong door answers as if %s were meant", game)
		}
	}
	wrong()
	west.kill(0)
	west.at[1].says(atWork)
	plays(west)
	plays(east)
	wrong()
	west.start(t, 0, follows) // and its own database is older
	plays(west)
	// A whole server dies. The other one plays on.
	east.kill(0)
	east.at[1].says(atWork)
	plays(east)
	east.kill(1)
	plays(west)
	code, _ := browse(east.url + "/g/" + east.game)
	if code < 500 {
		t.Errorf("the page of a server of which no machine runs: %d", code)
	}
	east.start(t, 0, follows) // what it has is not the newest: it takes the replica
	east.at[0].says(atWork)
	plays(east)
	plays(west)
	for _, p := range both {
		for _, m := range p.at {
			if m != nil && strings.Contains(m.said(), "panic") {
				t.Errorf("%s", m.said())
			}
		}
	}
}
