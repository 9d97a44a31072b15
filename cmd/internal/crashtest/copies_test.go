package crashtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	goimap "github.com/emersion/go-imap/v2"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// ended waits for a server that ends by itself, as one does that another has replaced.
func ended(t *testing.T, p *program.Process) {
	t.Helper()
	select {
	case err := <-p.Done:
		if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != program.ExitEnvironment {
			t.Errorf("it ended with %v, want exit %d", err, program.ExitEnvironment)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it goes on")
	}
	p.Says(regexp.MustCompile("another server, with a copy of this database, has taken over INBOX"))
}

// doctored is what doctor says of the mailbox.
func doctored(t *testing.T, config string) string {
	t.Helper()
	out, _ := program.Output(t, "doctor", "-config", config, "-wait", "1s")
	return regexp.MustCompile("(?m)^mailbox=.*").FindString(out)
}

// copyFiles copies the files of a configuration to another folder, the lock file apart.
func copyFiles(t *testing.T, config string) (copied string) {
	t.Helper()
	dir := t.TempDir()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(config), "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if i, _ := os.Stat(file); i.IsDir() || strings.HasSuffix(file, ".lock") {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(file)), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, filepath.Base(config))
}

// TestCopyBesideItsServer starts a server on a copy of another's files while that one is
// at work and letters come in: the first one stops and stays away, only a letter that it was
// at work on is answered by both, and those that come later are all answered. By force the
// first takes the mailbox back. Both doctors say what they find.
func TestCopyBesideItsServer(t *testing.T) {
	var config string
	p := program.ServeOn(t, "answers_per_day = 1000", func(path string) {
		config = path
		if out, code := program.Output(t, "new", "-config", config, "-started", "-organiser", "alpha@"+program.Domain, "-seed", strings.Repeat("5a", 32),
			"-player", "alpha@"+program.Domain, "-player", "bot"); code != program.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	alpha := mailclient.Stranger(t, p, "alpha")
	alpha.Until("the start", func(mailclient.Received) bool { return true })
	alpha.Ask("status")
	p.Stop()
	copied := copyFiles(t, config)
	p = program.Start(t, "serve", "-config", config)
	if line := doctored(t, config); !strings.HasPrefix(line, "mailbox=ok") {
		t.Errorf("doctor of the server at work: %s", line)
	}
	if line := doctored(t, copied); !strings.HasPrefix(line, "mailbox=warn") || !strings.Contains(line, "takes the mailbox over") {
		t.Errorf("doctor of the copy before it starts: %s", line)
	}
	second := program.Start(t, "serve", "-config", copied)
	var overlap []string
	for range 30 {
		overlap = append(overlap, alpha.Write(mailclient.Post{Body: "status\r\n"}))
		time.Sleep(10 * time.Millisecond)
	}
	ended(t, p)
	if line := doctored(t, config); !strings.HasPrefix(line, "mailbox=fail") || !strings.Contains(line, filepath.Dir(copied)) || !strings.Contains(line, "-take") {
		t.Errorf("doctor of the first one: %s", line)
	}
	if line := doctored(t, copied); !strings.HasPrefix(line, "mailbox=ok") {
		t.Errorf("doctor of the copy, once the first one has stopped: %s", line)
	}
	if says := refused(t, "serve", "-config", config); !strings.Contains(says, "serve -take") {
		t.Errorf("the first one started again says:\n%s", says)
	}
	for range 3 {
		alpha.Ask("status")
	}
	answers := map[string]int{}
	for _, n := range alpha.Box {
		answers[n.Header.Get("In-Reply-To")]++
	}
	none, twice, first, last := 0, 0, len(overlap), 0
	for i, id := range overlap {
		switch answers["<"+id+">"] {
		case 0:
			none++ // in the database of the first one, which stopped before it was sent
		case 1:
		case 2:
			twice++
			first, last = min(first, i), i
		default:
			t.Errorf("%s was answered %d times", id, answers["<"+id+">"])
		}
	}
	// Both answer what the first one had answered and not filed yet: what it was at work on.
	if twice > 0 && last-first+1 > twice+none || twice > max(10, len(overlap)/2) {
		t.Errorf("letters that were filed were answered again: %v", answers)
	}
	t.Logf("of %d letters written meanwhile %d were not answered, %d by both", len(overlap), none, twice)

	p = program.Start(t, "serve", "-take", "-config", config)
	ended(t, second)
	alpha.Ask("status")
	p.Stop()
}

// TestPlainCopy has two players play a game, copies the files of the server while it is
// down, plays on, and puts the copy in another folder: its server knows by the mailbox that
// it is older, and writes to the player to move. Then the host has the filed letters read
// again: the game comes to be what it was, by the same dice, without a question to anyone,
// and a reply to a lost letter is as good as any other.
func TestPlainCopy(t *testing.T) {
	var config, id string
	p := program.ServeOn(t, "", func(path string) {
		config = path
		out, code := program.Output(t, "new", "-config", config, "-started", "-organiser", "alpha@"+program.Domain, "-seed", strings.Repeat("5a", 32),
			"-player", "alpha@"+program.Domain, "-player", "beta@"+program.Domain)
		if code != program.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
		id = strings.TrimSpace(strings.TrimPrefix(out, "game="))
	})
	imap, smtp := p.Values["imap"], p.Values["smtp"]
	players := []*mailclient.Person{mailclient.Stranger(t, p, "alpha"), mailclient.Stranger(t, p, "beta")}
	for _, x := range players {
		x.Until("the start", func(mailclient.Received) bool { return true })
	}
	// play has the players answer their letters with the example of each, n times.
	play := func(n int) {
		t.Helper()
		for range n {
			played := false
			for _, x := range players {
				if len(x.Last.Example) == 0 {
					x.Read()
				}
				if turn := x.Last.Example; len(turn) > 0 && !played {
					if a := x.Ask(turn...); a.Result != "applied" {
						t.Fatalf("%s is %s:\n%s", turn, a.Result, mailclient.Head(a.Text, 30))
					}
					played = true
				}
			}
			if !played {
				for _, x := range players {
					x.Read()
				}
				time.Sleep(20 * time.Millisecond)
			}
		}
	}
	play(4)
	p.Stop()
	copied := copyFiles(t, config)
	before, _ := lines(t, copied, id)
	p = program.Start(t, "serve", "-config", config)
	play(6)
	after, _ := lines(t, config, id)
	if len(after) <= len(before) {
		t.Fatalf("%d lines, then %d", len(before), len(after))
	}
	lost := map[*mailclient.Person]mailclient.Received{}
	for _, x := range players {
		lost[x] = x.Last
	}
	p.Kill()

	p = program.Start(t, "serve", "-config", copied)
	p.Values["imap"], p.Values["smtp"] = imap, smtp
	p.Says(regexp.MustCompile("put back to an earlier time"))
	// Alpha organises the game, and may be the one to move, too.
	players[0].Until("that the server was put back", func(n mailclient.Received) bool {
		return strings.Contains(mailclient.Flatten(n.Text), "works with a copy of its games")
	})
	out, code := program.Output(t, "restore", "-config", copied, "-since", time.Now().Add(-time.Hour).UTC().Format(time.RFC3339))
	if code != program.ExitYes || !regexp.MustCompile(`^letters=[1-9]`).MatchString(out) {
		t.Errorf("restore: exit %d, %s", code, out)
	}
	var now []played
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if now, _ = lines(t, copied, id); len(now) >= len(after) {
			break
		}
	}
	if !slices.Equal(now, after) {
		t.Fatalf("after the filed letters were read again, the log is\n%v\nit was\n%v", now, after)
	}
	for _, x := range players {
		for _, n := range x.Box {
			if strings.Contains(mailclient.Flatten(n.Text), "was lost: what it showed has gone differently") {
				t.Errorf("%s was asked:\n%s", x.Address, mailclient.Head(n.Text, 20))
			}
		}
	}
	for _, x := range players { // the player to move answers the letter that was lost
		if x.Last = lost[x]; len(x.Last.Example) > 0 {
			if a := x.Ask(x.Last.Example...); a.Result != "applied" {
				t.Errorf("the reply to a lost letter is %s:\n%s", a.Result, mailclient.Head(a.Text, 30))
			}
			break
		}
	}
	if out, code := program.Output(t, "restore", "-config", copied, "-since", "2020-01-01"); code != program.ExitYes || strings.TrimSpace(out) != "letters=0" {
		t.Errorf("restore once more: exit %d, %s", code, out)
	}
	p.Stop()
	program.Start(t, "serve", "-config", copied).Stop() // and is no older copy any more
}

// TestLettersByLMTPAreFiled kills a server right after it has put a letter that came by
// LMTP into the folder of done letters, before and after it has noted that: each such
// letter is there in the end, twice at most.
func TestLettersByLMTPAreFiled(t *testing.T) {
	for _, point := range []string{"owed", "paid"} {
		t.Run(point, func(t *testing.T) {
			var config string
			host := program.MailFor(t, program.Account)
			t.Setenv(program.FaultVariable, point+":1")
			p := program.ServeAt(t, host, program.Account, host.SMTPAddr(), "", func(path string) {
				config = path
				f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
				if err == nil {
					_, err = f.WriteString("[lmtp]\naddr = \"127.0.0.1:0\"\n")
				}
				if err = errors.Join(err, f.Close()); err != nil {
					t.Fatal(err)
				}
			})
			var waiting [][]byte // it may be killed before it has taken all
			for i := range 3 {
				raw := fmt.Sprintf("From: zeta@example.org\r\nTo: %s\r\nDate: Wed, 25 Nov 2026 12:00:00 +0000\r\nMessage-ID: <lmtp%d@example.org>\r\nSubject: hello %d\r\n\r\nhello %d\r\n", p.Values["server"], i, i, i)
				if err := mailclient.SendLMTP(p.Values["lmtp"], "zeta@example.org", p.Values["server"], []byte(raw)); err != nil {
					waiting = append(waiting, []byte(raw))
				}
			}
			select {
			case <-p.Done:
			case <-time.After(30 * time.Second):
				t.Fatal("it has not put them there")
			}
			os.Unsetenv(program.FaultVariable)
			imap, box := p.Values["imap"], p.Values["server"]
			p = program.Start(t, "serve", "-config", config)
			for _, raw := range waiting {
				if err := mailclient.SendLMTP(p.Values["lmtp"], "zeta@example.org", box, raw); err != nil {
					t.Fatal(err)
				}
			}
			conn := mailclient.Login(t, imap, program.Account, program.Password)
			defer conn.Close()
			var found map[string]int
			for deadline := time.Now().Add(30 * time.Second); len(found) < 3 && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
				found = map[string]int{}
				data, err := conn.Select("Angelpost/Done", nil).Wait()
				if err != nil || data.NumMessages == 0 {
					continue
				}
				all := goimap.SeqSet{}
				all.AddRange(1, data.NumMessages)
				letters, err := conn.Fetch(all, &goimap.FetchOptions{Envelope: true}).Collect()
				if err != nil {
					t.Fatal(err)
				}
				for _, l := range letters {
					found[l.Envelope.Subject]++
				}
			}
			for i := range 3 {
				if n := found[fmt.Sprint("hello ", i)]; n < 1 || n > 2 {
					t.Errorf("letter %d is filed %d times", i, n)
				}
			}
			p.Stop()
		})
	}
}
