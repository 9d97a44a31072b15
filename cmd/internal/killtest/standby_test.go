//go:build real

package killtest

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/db/replica/litestream"
	"angelpost/mail/mailhost"
)

// inPlay is how long it may take from a kill until another machine serves. The test binary
// waits less than the program does (program.LookFor), and the machine may be busy.
const inPlay = 2 * time.Minute

// TestKillsWithStandby is TestKills on two machines, of which one stands by. The one that
// serves is killed and started again at once, every other time with nothing on its disk. Then
// the other one takes over, and the first one follows it. Nothing that was acknowledged is lost,
// and nothing is done twice. A third machine follows the replica and shows the same games.
func TestKillsWithStandby(t *testing.T) {
	k := newKiller(t, *killCount/12, false)
	t.Setenv("PATH", filepath.Dir(litestream.Program(t))+":"+os.Getenv("PATH"))
	text, err := os.ReadFile(k.config)
	if err != nil {
		t.Fatal(err)
	}
	sockets, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(sockets) })
	k.copies = t.TempDir()
	for i := range 2 {
		m := &machine{config: k.config}
		if i > 0 {
			m.config = filepath.Join(t.TempDir(), filepath.Base(k.config))
		}
		m.folder = filepath.Dir(m.config)
		own := fmt.Sprintf("%s\n[replica]\nlitestream = %q\nurl = %q\n", text, filepath.Join(sockets, fmt.Sprint(i)), "file://"+k.copies)
		if err := os.WriteFile(m.config, []byte(own), 0o600); err != nil {
			t.Fatal(err)
		}
		k.machines = append(k.machines, m)
	}
	t.Cleanup(func() {
		for _, m := range k.machines {
			if m.alive() {
				m.cmd.Process.Kill()
				<-m.done
			}
		}
	})
	third := filepath.Join(t.TempDir(), filepath.Base(k.config))
	config, err := os.ReadFile(k.machines[0].config)
	if err == nil {
		err = os.WriteFile(third, config, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	reads := program.Command("pages", "-config", third)
	heard := &ear{began: time.Now()}
	reads.Stdout, reads.Stderr = heard, heard
	if err := reads.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reads.Process.Kill(); reads.Wait() })
	k.pages = func() string {
		said := heard.String()
		i := strings.LastIndex(said, "http=")
		if i < 0 {
			return ""
		}
		at, _, _ := strings.Cut(said[i+len("http="):], "\n")
		return at
	}
	k.run()
	if *standbyWaits {
		if last := slices.Max(k.rising); last > 30*time.Second {
			t.Errorf("%v passed from a kill until another machine served, want 30 s at most", last)
		}
	}
}

var standbyWaits = flag.Bool("standby.waits", false, "TestKillsWithStandby waits as long as the program does, and asserts that another machine serves within 30 s")

// A machine is a folder, with a process at work in it.
type machine struct {
	config, folder string
	program        string // of another version; "": this one
	point          string // where its process dies once it serves
	patience       time.Duration
	cmd            *exec.Cmd
	said           *ear
	done           chan error
	over           bool
	faulty         bool // it dies by itself
}

func (m *machine) alive() bool {
	if m.cmd == nil || m.over {
		return false
	}
	select {
	case <-m.done:
		m.over = true
	default:
	}
	return !m.over
}

// giveWay is what a machine says when it no longer serves.
const giveWay = "another machine serves now"

// serves reports whether it watches the mailbox.
func (m *machine) serves() bool {
	said := m.said.String()
	return m.alive() && strings.LastIndex(said, `msg="imapbox: watching"`) > strings.LastIndex(said, giveWay)
}

// pairLife is life on two machines.
func (k *killer) pairLife(kill bool) {
	for _, m := range k.machines {
		if !m.alive() {
			k.begin(m)
		}
	}
	died := time.Now() // the one before
	var serving *machine
	since := time.Now()
	drained := time.Now().Add(3 * drainLimit)
	for {
		i := slices.IndexFunc(k.machines, (*machine).serves)
		for n, m := range k.machines {
			if !m.alive() && m != serving {
				if !m.faulty || serving != nil {
					k.t.Fatalf("a machine that does not serve ended: %v\n%s", m.cmd.ProcessState, m.said)
				}
				i = n // it has met its fault point before it was seen to serve
			}
		}
		switch {
		case i < 0 && serving == nil:
			if time.Since(died) > inPlay {
				k.t.Fatalf("no machine serves %v after the last one died:\n%s\n\n%s", inPlay, k.machines[0].said, k.machines[1].said)
			}
			time.Sleep(10 * time.Millisecond)
			continue
		case i >= 0 && serving != k.machines[i]:
			if serving == nil && len(k.deaths) > 0 {
				k.rising = append(k.rising, time.Since(died))
			}
			serving, since = k.machines[i], time.Now()
			k.config, k.database = serving.config, filepath.Join(serving.folder, "games.db")
		}
		if !serving.alive() {
			break
		}
		if kill && time.Since(since) > serving.patience {
			serving.point = "from outside"
			serving.cmd.Process.Kill()
			<-serving.done
			serving.over = true
			break
		}
		if i < 0 { // it has not ended, and another one will say that it serves
			time.Sleep(10 * time.Millisecond)
			continue
		}
		if !kill && (k.drained() || time.Now().After(drained)) {
			k.ask(serving.said.http())
			k.compare(serving.said.http())
			for _, m := range slices.Backward(slices.SortedFunc(slices.Values(k.machines), func(a, b *machine) int {
				if a == serving {
					return -1
				}
				return 1
			})) { // the one that serves last: the other must not take over
				m.cmd.Process.Signal(syscall.SIGTERM)
				if err := <-m.done; err != nil {
					k.t.Errorf("stopped: %v\n%s", err, m.said)
				}
				m.over = true
			}
			return
		}
		if !k.sweep() {
			time.Sleep(5 * time.Millisecond)
		}
	}
	if s := serving.cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGKILL {
		k.t.Fatalf("it ended by itself: %v\n%s", serving.cmd.ProcessState, serving.said)
	}
	k.bury(serving.point)
	if len(k.deaths)%2 == 0 {
		entries, err := os.ReadDir(serving.folder)
		if err != nil {
			k.t.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), "games.db") {
				if err := os.RemoveAll(filepath.Join(serving.folder, e.Name())); err != nil {
					k.t.Fatal(err)
				}
			}
		}
	}
	if !kill { // it was still to die at its fault point
		k.pairLife(false)
	}
}

// compare waits until the pages of the machine that only follows show the games as the one
// that serves does.
func (k *killer) compare(http string) {
	over := time.Now().Add(2 * time.Minute)
	for game := range k.players {
		want, _ := mailclient.Get(k.t, http+"/g/"+game+"/view.json")
		got := ""
		for {
			if at := k.pages(); at != "" {
				got, _ = tryGet(at + "/g/" + game + "/view.json")
			}
			if got == want {
				break
			}
			if time.Now().After(over) {
				k.t.Fatalf("game %s, by a machine that follows:\n%.300s\nwant\n%.300s", game, got, want)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// tryGet is for an address at which no one may listen at the moment.
func tryGet(url string) (string, error) {
	res, err := http.Get(url)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return string(body), err
}

// begin starts a machine's process, which dies at a fault point once it serves.
func (k *killer) begin(m *machine) {
	m.cmd = program.Command("standby", "-config", m.config)
	m.point, m.patience, m.over, m.faulty = k.rarest(), lifeLimit, false, false
	if k.r.IntN(4) == 0 {
		m.patience = time.Duration(k.r.IntN(1500)) * time.Millisecond
	} else if !k.draining {
		m.faulty = true
		m.cmd.Env = append(m.cmd.Env, fmt.Sprintf("%s=%s:%d", program.FaultVariable, m.point, 1+k.r.IntN(2)))
	}
	if *standbyWaits {
		m.cmd.Env = append(m.cmd.Env, program.WaitsVariable+"=1")
	}
	m.said = &ear{began: time.Now()}
	m.cmd.Stdout, m.cmd.Stderr = m.said, m.said
	if err := m.cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	m.done = make(chan error, 1)
	go func() { m.done <- m.cmd.Wait() }()
}

// restored is the database as the replica has it.
func (k *killer) restored() string {
	entries, err := os.ReadDir(k.copies)
	if err != nil {
		k.t.Fatal(err)
	}
	last := 0
	for _, e := range entries {
		if n, err := strconv.Atoi(e.Name()); err == nil {
			last = max(last, n)
		}
	}
	file := filepath.Join(k.t.TempDir(), "restored.db")
	out, err := exec.Command(litestream.Program(k.t), "restore", "-o", file, "file://"+filepath.Join(k.copies, fmt.Sprint(last))).CombinedOutput()
	if err != nil {
		k.t.Fatalf("%v\n%s", err, out)
	}
	return file
}

var stops = flag.Int("stops", 2, "how often TestStoppedMachine stops the machine that serves")

// TestStoppedMachine stops the machine that serves in the middle of its work, so that it is
// cut off from everything and does not know it, until the other one serves; then it goes on.
// Litestream beside it goes on all the time. Only one of them answers each letter and files it.
func TestStoppedMachine(t *testing.T) {
	t.Setenv("PATH", filepath.Dir(litestream.Program(t))+":"+os.Getenv("PATH"))
	host := program.MailFor(t, program.Account, "alpha")
	copies := t.TempDir()
	p := newPair(t, host, func(int) (imap, url string) { return host.IMAPAddr(), "file://" + copies }, "")
	serving, other := p.machines[0], p.machines[1]
	for n := range *stops {
		p.write()
		time.Sleep(time.Duration(n*37%150) * time.Millisecond)
		if err := serving.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		stopped := len(serving.said.String())
		p.write()
		p.wait("the other machine serves", other.serves)
		serving.cmd.Process.Signal(syscall.SIGCONT)
		p.write()
		p.wait("the first one gives way", func() bool { return strings.Contains(serving.said.String()[stopped:], giveWay) })
		for _, id := range p.written[len(p.written)-12:] {
			p.alpha.AnswerTo(id)
		}
		serving, other = other, serving
		since := len(other.said.String())
		p.wait("it follows", func() bool {
			return strings.LastIndex(other.said.String(), "following=") > stopped || strings.Contains(other.said.String()[since:], "following=")
		})
	}
	p.once()
}

// TestDamagedCopy damages the copy of the machine that follows when the one that serves is dead:
// the other one does not serve it, makes it again, and goes on with what was played.
func TestDamagedCopy(t *testing.T) {
	t.Setenv("PATH", filepath.Dir(litestream.Program(t))+":"+os.Getenv("PATH"))
	host := program.MailFor(t, program.Account, "alpha")
	copies := t.TempDir()
	p := newPair(t, host, func(int) (imap, url string) { return host.IMAPAddr(), "file://" + copies }, "")
	p.write()
	for _, id := range p.written {
		p.alpha.AnswerTo(id)
	}
	first, other := p.machines[0], p.machines[1]
	first.cmd.Process.Kill()
	<-first.done
	first.over = true
	time.Sleep(2 * time.Second) // the other one has what was copied
	file, err := os.OpenFile(filepath.Join(other.folder, "games.db.standby", "games.db"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		t.Fatal(err)
	}
	for at := size / 4; at < size; at += size / 4 { // a tree's page is among them
		if _, err := file.WriteAt([]byte(strings.Repeat("noise", 2000)), at); err != nil {
			t.Fatal(err)
		}
	}
	p.machines = p.machines[1:]
	p.wait("the other machine serves", other.serves)
	if !strings.Contains(other.said.String(), "the copy cannot be used; it is made again") {
		t.Errorf("it did not find the damage:\n%s", other.said)
	}
	p.write()
	p.once()
}

// A pair is two machines with one mailbox, of which the first one serves, and a player who
// writes letters.
type pair struct {
	t        *testing.T
	host     *mailhost.Host
	machines []*machine
	alpha    *mailclient.Person
	written  []string // Message-IDs
}

// newPair starts them; reach says by which addresses a machine reaches the mailbox and the
// replica, more has further lines of their configurations, programs which program each runs, if not this one.
func newPair(t *testing.T, host *mailhost.Host, reach func(i int) (imap, url string), more string, programs ...string) *pair {
	t.Helper()
	sockets, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(sockets) })
	p := &pair{t: t, host: host}
	for i := range 2 {
		m := &machine{folder: t.TempDir()}
		m.config = filepath.Join(m.folder, "angelpost.toml")
		imap, url := reach(i)
		text := fmt.Sprintf(`address = "%s+{token}@%s"
database = "games.db"
answers_per_day = 100000
%[7]s
[imap]
addr = "%[3]s"
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
url = "%[6]s"
`, program.Account, program.Domain, imap, host.SMTPAddr(), filepath.Join(sockets, fmt.Sprint(i)), url, more)
		for name, s := range map[string]string{"angelpost.toml": text, "password": program.Password + "\n"} {
			if err := os.WriteFile(filepath.Join(m.folder, name), []byte(s), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if i < len(programs) {
			m.program = programs[i]
		}
		p.machines = append(p.machines, m)
	}
	for i, m := range p.machines {
		p.start(m)
		t.Cleanup(func() {
			if m.alive() {
				m.cmd.Process.Kill()
				m.cmd.Process.Signal(syscall.SIGCONT)
				<-m.done
			}
		})
		if i == 0 {
			p.wait("the first machine serves", m.serves)
			if out, err := m.command("new", "-config", m.config, "-started", "-player", "alpha@"+program.Domain, "-player", "bot").CombinedOutput(); err != nil {
				t.Fatalf("new: %v %s", err, out)
			}
		}
	}
	p.wait("the second machine follows", p.machines[1].follows(0))
	p.alpha = mailclient.Stranger(t, &program.Process{Values: map[string]string{"imap": host.IMAPAddr(), "smtp": host.SMTPAddr()}}, "alpha")
	p.alpha.Until("the first turn", func(r mailclient.Received) bool { return r.Header.Get("Reply-To") != "" })
	return p
}

// command is one of a machine's program.
func (m *machine) command(args ...string) *exec.Cmd {
	if m.program != "" {
		return exec.Command(m.program, args...)
	}
	return program.Command(args...)
}

// start starts a machine's process.
func (p *pair) start(m *machine) {
	p.t.Helper()
	m.cmd = m.command("standby", "-config", m.config, "-first")
	if *standbyWaits {
		m.cmd.Env = append(m.cmd.Env, program.WaitsVariable+"=1")
	}
	done := make(chan error, 1)
	m.said, m.done, m.over = &ear{began: time.Now()}, done, false
	cmd := m.cmd
	cmd.Stdout, cmd.Stderr = m.said, m.said
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() { done <- cmd.Wait() }()
}

// follows reports whether a machine has said that it follows, after so much that it had said.
func (m *machine) follows(since int) func() bool {
	return func() bool { return strings.Contains(m.said.String()[since:], "following=") }
}

// wait waits until something is so, and a machine has not ended.
func (p *pair) wait(what string, is func() bool) {
	p.t.Helper()
	for over := time.Now().Add(inPlay); !is(); time.Sleep(10 * time.Millisecond) {
		for _, m := range p.machines {
			if m.cmd != nil && !m.alive() {
				p.t.Fatalf("%s: a machine ended\n%s", what, m.said)
			}
		}
		if time.Now().After(over) {
			var said []string
			for _, m := range p.machines {
				if m.said != nil {
					said = append(said, m.said.String())
				}
			}
			p.t.Fatalf("%s: not in %v\n%s", what, inPlay, strings.Join(said, "\n\n"))
		}
	}
}

// write writes some letters.
func (p *pair) write() {
	for range 4 {
		p.written = append(p.written, p.alpha.Write(mailclient.Post{Body: "status\r\n"}))
	}
}

// once holds that each letter has one answer, whatever copies came of it, and is filed once.
func (p *pair) once() {
	p.t.Helper()
	for _, id := range p.written {
		p.alpha.AnswerTo(id)
	}
	p.alpha.Read()
	answers := map[string]map[string]bool{}
	for _, r := range p.alpha.Box {
		to := strings.Trim(r.Header.Get("In-Reply-To"), "<>")
		if answers[to] == nil {
			answers[to] = map[string]bool{}
		}
		answers[to][r.Header.Get("Message-Id")] = true
	}
	for _, id := range p.written {
		if len(answers[id]) != 1 {
			p.t.Errorf("letter %s has %d answers: %v", id, len(answers[id]), answers[id])
		}
	}
	mailclient.Filed(p.t, &program.Process{Values: map[string]string{"imap": p.host.IMAPAddr()}}, len(p.written))
}
