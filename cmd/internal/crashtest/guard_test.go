package crashtest

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// refused runs a server that must not come up, soon, and returns what it says.
func refused(t *testing.T, args ...string) string {
	t.Helper()
	cmd := program.Command(args...)
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	began := time.Now()
	if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != program.ExitEnvironment {
		t.Fatalf("angelpost %s: %v, want exit %d\n%s", strings.Join(args, " "), err, program.ExitEnvironment, talk.String())
	}
	if strings.Contains(out.String(), "ready") {
		t.Error("it said ready")
	}
	if took := time.Since(began); took > 8*time.Second { // a second, on a machine at rest
		t.Errorf("it was refused only after %v", took)
	}
	return talk.String()
}

// TestOneServerToADatabase starts a second server on the database of the first,
// by its path, by a symbolic link and by a hard link: it is refused, commands
// beside are not, and once the first is killed the next one comes up.
func TestOneServerToADatabase(t *testing.T) {
	t.Parallel()
	var config string
	p := program.ServeOn(t, "", func(path string) { config = path })
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	linked := filepath.Join(t.TempDir(), "angelpost.toml")
	dir := filepath.Dir(config)
	for name, to := range map[string]string{"games.db": "games.db", "password": "password"} {
		if err := os.Symlink(filepath.Join(dir, to), filepath.Join(filepath.Dir(linked), name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(linked, text, 0o600); err != nil {
		t.Fatal(err)
	}
	hard := filepath.Join(dir, "hard.toml")
	if err := os.Link(filepath.Join(dir, "games.db"), filepath.Join(dir, "hard.db")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hard, bytes.Replace(text, []byte(`"games.db"`), []byte(`"hard.db"`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	pid := strconv.Itoa(p.Cmd.Process.Pid)
	said, byLink := make(chan string), make(chan string)
	for _, c := range []string{config, linked} {
		go func() { said <- refused(t, "serve", "-config", c) }()
	}
	go func() { byLink <- refused(t, "serve", "-config", hard) }()
	for range 2 {
		if s := <-said; !strings.Contains(s, "another server works on this database") || !strings.Contains(s, "process \""+pid+"\"") {
			t.Errorf("it does not say who has the database (%s):\n%s", pid, s)
		}
	}
	if s := <-byLink; !strings.Contains(s, "another server works on this database, by another name of its file") {
		t.Errorf("by a hard link it says:\n%s", s)
	}
	if s := refused(t, "backup", "-config", hard, filepath.Join(t.TempDir(), "copy.db")); !strings.Contains(s, "by another name") {
		t.Errorf("a backup by a hard link says:\n%s", s)
	}
	if _, code := program.Output(t, "backup", "-config", config, filepath.Join(t.TempDir(), "copy.db")); code != program.ExitYes {
		t.Errorf("backup beside the server: exit %d", code)
	}
	if err := os.Remove(filepath.Join(dir, "hard.db")); err != nil {
		t.Fatal(err)
	}
	if i, err := os.Stat(filepath.Join(dir, "games.db.lock")); err != nil || i.Mode().Perm() != 0o600 {
		t.Errorf("the lock: %v, %v", i.Mode(), err)
	}

	// One that waits takes over as soon as the first is gone.
	go func() {
		time.Sleep(300 * time.Millisecond)
		p.Kill()
	}()
	program.Start(t, "serve", "-config", linked).Stop()
	program.Start(t, "serve", "-config", config).Stop()
}

// TestOneDemoToAFolder starts a second demo on the first one's folder; it must
// not touch the letters there.
func TestOneDemoToAFolder(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := program.Start(t, program.DemoArgs(data)...)
	says := refused(t, program.DemoArgs(data)...)
	if !strings.Contains(says, "another server works on this database") {
		t.Errorf("it says:\n%s", says)
	}
	p.Stop()
	program.Start(t, program.DemoArgs(data)...).Stop()
}

// TestNoRoomForTheLock has a database folder that is missing or cannot be
// written.
func TestNoRoomForTheLock(t *testing.T) {
	t.Parallel()
	var config string
	program.ServeOn(t, "", func(path string) { config = path }).Stop()
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	for name, database := range map[string]string{
		"missing folder":   "nowhere/games.db",
		"no place to lock": "full/games.db",
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(database, "full/") { // for root, too, no file can be made where a folder stands
				if err := os.MkdirAll(filepath.Join(filepath.Dir(config), database+".lock"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			other := filepath.Join(filepath.Dir(config), "other.toml")
			if err := os.WriteFile(other, []byte(strings.Replace(string(text), "games.db", database, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			if s := refused(t, "serve", "-config", other); !strings.Contains(s, database) {
				t.Errorf("it does not name %s:\n%s", database, s)
			}
		})
	}
}

// different counts letters, each once: one may come again if the server was
// killed before it had noted that it was sent.
func different(letters []mailclient.Received) int {
	ids := map[string]bool{}
	for _, n := range letters {
		ids[n.Header.Get("Message-Id")] = true
	}
	return len(ids)
}

// TestClockJumps sets the clock of a server at work, and of one that was away:
// nobody is written to because of it, the log says so, and play goes on.
func TestClockJumps(t *testing.T) {
	clock := filepath.Join(t.TempDir(), "clock")
	set := func(by time.Duration) {
		t.Helper()
		if err := os.WriteFile(clock+".new", []byte(by.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(clock+".new", clock); err != nil {
			t.Fatal(err)
		}
	}
	set(0)
	t.Setenv(program.ClockVariable, clock)
	t.Setenv("TZ", "Europe/Berlin")
	var config string
	p := program.ServeOn(t, "remind_days = 1", func(path string) {
		config = path
		if out, code := program.Output(t, "new", "-config", config, "-started", "-organiser", "alpha@"+program.Domain, "-seed", strings.Repeat("5a", 32),
			"-player", "alpha@"+program.Domain, "-player", "beta@"+program.Domain); code != program.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	alpha, beta := mailclient.Stranger(t, p, "alpha"), mailclient.Stranger(t, p, "beta")
	for _, x := range []*mailclient.Person{alpha, beta} {
		x.Until("the start", func(mailclient.Received) bool { return true })
	}
	quiet := func(what string, by time.Duration) {
		t.Helper()
		for _, x := range []*mailclient.Person{alpha, beta} {
			before := different(x.Box)
			n := x.Ask("status")
			if got := different(x.Box) - before; got != 1 {
				t.Errorf("%s: %d letters to %s, want the answer alone", what, got, x.Address)
			}
			date, err := n.Header.Date()
			if off := date.Sub(time.Now().Add(by)).Abs(); err != nil || off > time.Minute {
				t.Errorf("%s: the answer is dated %v, %v", what, date, err)
			}
		}
	}
	last := time.Duration(0)
	for _, by := range []time.Duration{72 * time.Hour, 366 * 24 * time.Hour, -72 * time.Hour, -366 * 24 * time.Hour, 0} {
		set(by)
		p.Says(regexp.MustCompile("clock has jumped.*by=" + (by - last).String()))
		quiet(by.String(), by)
		last = by
	}
	p.Kill()
	set(7 * 24 * time.Hour)
	again := program.Start(t, "serve", "-config", config)
	again.Says(regexp.MustCompile("server was down.*gap=168h"))
	quiet("an outage of a week", 7*24*time.Hour)
	mover := alpha
	if len(mover.Last.Legal) == 0 && len(mover.Box[0].Legal) == 0 {
		mover = beta
	}
	mover.Last = mover.Box[0] // its token is still good
	if n := mover.Ask(mover.Last.Example...); n.Result != "applied" {
		t.Errorf("the turn is %s:\n%s", n.Result, mailclient.Head(n.Text, 30))
	}
	again.Stop()
}

// TestOneServerToAMailbox sets up a second server, with a database of its own,
// on the mailbox of the first: neither serve nor doctor have it, until the host
// says that the first one is gone. Then the first one does not come back.
func TestOneServerToAMailbox(t *testing.T) {
	var config string
	p := program.ServeOn(t, "", func(path string) {
		config = path
		if out, code := program.Output(t, "doctor", "-config", path, "-wait", "1s"); code != program.ExitYes || !strings.Contains(out, "mailbox=ok") {
			t.Errorf("doctor before the first start: exit %d\n%s", code, out)
		}
	})
	dir := filepath.Dir(config)
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "other.toml")
	if err := os.WriteFile(other, []byte(strings.Replace(string(text), "games.db", "other.db", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	database := strconv.QuoteToASCII(filepath.Join(dir, "games.db"))
	// doctor knows also where there is no database yet.
	out, code := program.Output(t, "doctor", "-config", other, "-wait", "1s")
	if line := regexp.MustCompile("(?m)^mailbox=.*").FindString(out); code != program.ExitNo || !strings.HasPrefix(line, "mailbox=fail") || !strings.Contains(line, database) {
		t.Errorf("doctor without a database: exit %d, %s", code, line)
	}
	says := refused(t, "serve", "-config", other)
	for _, want := range []string{"belongs to another server", database, "Angelpost/Claim"} {
		if !strings.Contains(says, want) {
			t.Errorf("serve does not say %q:\n%s", want, says)
		}
	}
	out, code = program.Output(t, "doctor", "-config", other, "-wait", "1s")
	if line := regexp.MustCompile("(?m)^mailbox=.*").FindString(out); code != program.ExitNo || !strings.HasPrefix(line, "mailbox=fail") || !strings.Contains(line, database) || !strings.Contains(line, "-take") {
		t.Errorf("doctor: exit %d, %s", code, line)
	}
	if out, code := program.Output(t, "doctor", "-config", config, "-wait", "1s"); code != program.ExitYes || !strings.Contains(out, "mailbox=ok") {
		t.Errorf("doctor of the server itself: exit %d\n%s", code, out)
	}
	p.Stop()
	refused(t, "serve", "-config", other) // it may come back

	moved := filepath.Join(dir, "moved.db") // to another place, maybe on another machine
	if _, code := program.Output(t, "backup", "-config", config, moved); code != program.ExitYes {
		t.Fatalf("backup: exit %d", code)
	}
	if err := os.WriteFile(filepath.Join(dir, "moved.toml"), []byte(strings.Replace(string(text), "games.db", "moved.db", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	program.Start(t, "serve", "-config", filepath.Join(dir, "moved.toml")).Stop()

	program.Start(t, "serve", "-take", "-config", other).Stop()
	refused(t, "serve", "-config", config)
}

// TestMailboxClaimedMeanwhile starts a server while its mail server is away, and
// another one has the mailbox: it learns that when it gets there.
func TestMailboxClaimedMeanwhile(t *testing.T) {
	var config string
	program.ServeOn(t, "", func(path string) { config = path }).Stop()
	dir := filepath.Dir(config)
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	addr := regexp.MustCompile(`127[^"]*`).FindString(string(text)) // of the mail server
	other := strings.Replace(strings.Replace(string(text), "games.db", "other.db", 1), addr, l.Addr().String(), 1)
	if err := os.WriteFile(filepath.Join(dir, "other.toml"), []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	go func() { // hangs up on the first, then passes on
		for n := 0; ; n++ {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if n == 0 {
				conn.Close()
				continue
			}
			behind, err := net.Dial("tcp", addr)
			if err != nil {
				conn.Close()
				continue
			}
			go func() { io.Copy(behind, conn); behind.Close() }()
			go func() { io.Copy(conn, behind); conn.Close() }()
		}
	}()
	p := program.Start(t, "serve", "-config", filepath.Join(dir, "other.toml"))
	select {
	case err := <-p.Done:
		if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != program.ExitEnvironment {
			t.Errorf("it ended with %v, want exit %d", err, program.ExitEnvironment)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it goes on")
	}
	p.Says(regexp.MustCompile("belongs to another server"))
}
