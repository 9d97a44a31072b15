//go:build real

package killtest

import (
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/db/replica/litestream"
)

var partitions = flag.Int("partitions", 4, "how often TestPartitions cuts a link")

// A link is the network between a machine and a server. While it is cut nothing passes, as if
// a cable were pulled: no one hears of it, and what was on its way arrives once it is whole.
type link struct {
	addr  string
	whole sync.RWMutex // held while it is cut
	cuts  bool
}

func newLink(t *testing.T, target string) *link {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	k := &link{addr: l.Addr().String()}
	t.Cleanup(func() { l.Close(); k.heal() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				far, err := net.Dial("tcp", target)
				if err != nil {
					near.Close()
					return
				}
				go k.pass(near, far)
				k.pass(far, near)
			}()
		}
	}()
	return k
}

func (k *link) pass(to, from net.Conn) {
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		k.whole.RLock()
		if n > 0 {
			if _, e := to.Write(b[:n]); e != nil {
				err = e
			}
		}
		if err != nil { // the end is news, too
			to.Close()
			from.Close()
		}
		k.whole.RUnlock()
		if err != nil {
			return
		}
	}
}

func (k *link) cut() { k.whole.Lock(); k.cuts = true }
func (k *link) heal() {
	if k.cuts {
		k.cuts = false
		k.whole.Unlock()
	}
}

// TestPartitions cuts, in turn, each link that two machines with `angelpost standby` have: of
// the one that serves and of the one that follows, to the mailbox and to the replica, a store
// that speaks S3. Letters come before, meanwhile and after. If the one that serves was cut off,
// the other one takes over; it gives way when it hears of that, and what it had on its way to the
// replica arrives where no one reads it. If the other one was cut off, nothing happens. Each letter is
// answered by one of them and filed once.
func TestPartitions(t *testing.T) {
	t.Setenv("PATH", filepath.Dir(litestream.Program(t))+":"+os.Getenv("PATH"))
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_CA_BUNDLE": ""} {
		t.Setenv(name, value)
	}
	host := program.MailFor(t, program.Account, "alpha")
	store := litestream.StartS3(t)
	sockets, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(sockets) })
	var machines []*machine
	mailbox, replica := map[*machine]*link{}, map[*machine]*link{}
	for i := range 2 {
		m := &machine{folder: t.TempDir()}
		m.config = filepath.Join(m.folder, "angelpost.toml")
		mailbox[m], replica[m] = newLink(t, host.IMAPAddr()), newLink(t, store)
		text := fmt.Sprintf(`address = "%s+{token}@%s"
database = "games.db"
answers_per_day = 100000
[imap]
addr = "%s"
user = "%[1]s"
password_file = "password"
tls = "none"
[smtp]
addr = "%[4]s"
tls = "none"
[http]
addr = "127.0.0.1:0"
base_url = "http://127.0.0.1:1"
[replica]
litestream = "%[5]s"
url = "s3://%[6]s/games?endpoint=http://%[7]s&region=us-east-1&forcePathStyle=true"
`, program.Account, program.Domain, mailbox[m].addr, host.SMTPAddr(), filepath.Join(sockets, fmt.Sprint(i)), litestream.Bucket, replica[m].addr)
		for name, s := range map[string]string{"angelpost.toml": text, "password": program.Password + "\n"} {
			if err := os.WriteFile(filepath.Join(m.folder, name), []byte(s), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		machines = append(machines, m)
	}
	wait := func(what string, is func() bool) {
		t.Helper()
		for over := time.Now().Add(inPlay); !is(); time.Sleep(10 * time.Millisecond) {
			for _, m := range machines {
				if m.cmd != nil && !m.alive() {
					t.Fatalf("%s: a machine ended\n%s", what, m.said)
				}
			}
			if time.Now().After(over) {
				t.Fatalf("%s: not in %v\n%s\n\n%s", what, inPlay, machines[0].said, machines[1].said)
			}
		}
	}
	for i, m := range machines {
		m.cmd = program.Command("standby", "-config", m.config, "-first")
		if *standbyWaits {
			m.cmd.Env = append(m.cmd.Env, program.WaitsVariable+"=1")
		}
		m.said, m.done = &ear{began: time.Now()}, make(chan error, 1)
		m.cmd.Stdout, m.cmd.Stderr = m.said, m.said
		if err := m.cmd.Start(); err != nil {
			t.Fatal(err)
		}
		go func() { m.done <- m.cmd.Wait() }()
		t.Cleanup(func() {
			if m.alive() {
				m.cmd.Process.Signal(syscall.SIGKILL)
				<-m.done
			}
		})
		if i == 0 {
			wait("the first machine serves", m.serves)
			if out, code := program.Output(t, "new", "-config", m.config, "-started", "-player", "alpha@"+program.Domain, "-player", "bot"); code != program.ExitYes {
				t.Fatalf("new: %d %s", code, out)
			}
		}
	}
	follows := func(m *machine, since int) func() bool {
		return func() bool { return strings.Contains(m.said.String()[since:], "following=") }
	}
	wait("the second machine follows", follows(machines[1], 0))
	alpha := mailclient.Stranger(t, &program.Process{Values: map[string]string{"imap": host.IMAPAddr(), "smtp": host.SMTPAddr()}}, "alpha")
	alpha.Until("the first turn", func(r mailclient.Received) bool { return r.Header.Get("Reply-To") != "" })
	var written []string
	write := func() {
		for range 4 {
			written = append(written, alpha.Write(mailclient.Post{Body: "status\r\n"}))
		}
	}
	silence := 12 * program.LookFor
	if *standbyWaits {
		silence = 15 * time.Second
	}
	serving, other := machines[0], machines[1]
	for n := range *partitions {
		write()
		time.Sleep(time.Duration(n*37%150) * time.Millisecond) // among these letters
		stood, followed := len(serving.said.String()), len(other.said.String())
		switch n % 4 {
		case 0, 1:
			cut, to := mailbox[serving], "mailbox"
			if n%4 == 1 {
				cut, to = replica[serving], "replica"
			}
			cut.cut()
			began := time.Now()
			write()
			wait("the other machine serves without the first one's "+to, func() bool { return len(other.said.String()) > followed && other.serves() })
			if took := time.Since(began); *standbyWaits && took > 40*time.Second {
				t.Errorf("%v passed until another machine served, want 40 s at most", took)
			}
			t.Logf("%d: without its %s: the other machine serves after %v", n, to, time.Since(began).Round(time.Millisecond))
			write()
			for _, id := range written[len(written)-12:] {
				alpha.AnswerTo(id) // by the other one
			}
			cut.heal()
			wait("the first one gives way", func() bool { return strings.Contains(serving.said.String()[stood:], giveWay) })
			serving, other = other, serving
			wait("it follows", follows(other, stood))
		default:
			cut, to := replica[other], "replica"
			if n%4 == 3 {
				cut, to = mailbox[other], "mailbox"
			}
			cut.cut()
			write()
			for _, id := range written[len(written)-8:] {
				alpha.AnswerTo(id) // by the one that serves: it does not wait
			}
			time.Sleep(silence) // longer than a silence that the other one takes for a death
			cut.heal()
			write()
			for _, id := range written[len(written)-4:] {
				alpha.AnswerTo(id)
			}
			if said := other.said.String()[followed:]; other.serves() || strings.Contains(serving.said.String()[stood:], giveWay) {
				t.Fatalf("%d: the other machine took over without its %s\n%s", n, to, said)
			}
		}
	}
	alpha.Read()
	answers := map[string]map[string]bool{}
	for _, r := range alpha.Box {
		to := strings.Trim(r.Header.Get("In-Reply-To"), "<>")
		if answers[to] == nil {
			answers[to] = map[string]bool{}
		}
		answers[to][r.Header.Get("Message-Id")] = true
	}
	for _, id := range written {
		if len(answers[id]) != 1 {
			t.Errorf("letter %s has %d answers: %v", id, len(answers[id]), answers[id])
		}
	}
	mailclient.Filed(t, &program.Process{Values: map[string]string{"imap": host.IMAPAddr()}}, len(written))
}
