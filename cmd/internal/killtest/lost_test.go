//go:build real

package killtest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	goimap "github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/db/replica/litestream"
)

// A lost is a pair of which the first machine serves and the second one follows, whose host reads letters.
type lost struct {
	*pair
	copies string
	boss   *imapclient.Client
}

func newLost(t *testing.T) lost {
	t.Setenv("PATH", filepath.Dir(litestream.Program(t))+":"+os.Getenv("PATH"))
	host := program.MailFor(t, program.Account, "alpha", "boss")
	copies := t.TempDir()
	l := lost{copies: copies}
	l.pair = newPair(t, host, func(int) (imap, url string) { return host.IMAPAddr(), "file://" + copies }, fmt.Sprintf("host = %q", "boss@"+program.Domain))
	l.boss = mailclient.Login(t, host.IMAPAddr(), "boss", program.Password)
	t.Cleanup(func() { l.boss.Close() })
	l.write()
	for _, id := range l.written {
		l.alpha.AnswerTo(id)
	}
	// A folder that is removed before Litestream writes its first snapshot gets a whole copy after all.
	l.wait("the replica has a snapshot", func() bool {
		all, err := filepath.Glob(filepath.Join(copies, "1", "ltx", "9", "*.ltx"))
		return err == nil && len(all) > 0
	})
	l.wait("the second machine has a copy", func() bool {
		text, err := os.ReadFile(filepath.Join(l.machines[1].folder, "games.db.standby", "games.db-txid"))
		return err == nil && len(text) > 0
	})
	return l
}

// hears waits until the host has a letter with a subject.
func (l lost) hears(subject string) {
	l.t.Helper()
	l.wait("the host hears: "+subject, func() bool {
		data, err := l.boss.Select("INBOX", nil).Wait()
		if err != nil {
			l.t.Fatal(err)
		}
		if data.NumMessages == 0 {
			return false
		}
		all := goimap.SeqSet{}
		all.AddRange(1, data.NumMessages)
		letters, err := l.boss.Fetch(all, &goimap.FetchOptions{Envelope: true}).Collect()
		if err != nil {
			l.t.Fatal(err)
		}
		return slices.ContainsFunc(letters, func(m *imapclient.FetchMessageBuffer) bool { return m.Envelope.Subject == subject })
	})
}

// again starts a machine that has ended again.
func (l lost) again(m *machine) {
	l.t.Helper()
	l.start(m)
	l.wait("it serves again", m.serves)
}

// epochs lists the places of the replica.
func (l lost) epochs() (all []string) {
	entries, err := os.ReadDir(l.copies)
	if err != nil {
		l.t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// TestCopiesLostAtWork removes the copies of the server that serves while it is at work. Litestream goes on as if
// nothing had happened, with what comes after; the host hears of it at once, and a restart of that server heals it:
// then the other one can take over with everything.
func TestCopiesLostAtWork(t *testing.T) {
	l := newLost(t)
	first, other := l.machines[0], l.machines[1]
	if err := os.RemoveAll(filepath.Join(l.copies, "1")); err != nil {
		t.Fatal(err)
	}
	l.write()
	l.wait("the server notices", func() bool { return strings.Contains(first.said.String(), "files are missing from it") })
	l.hears("Angelpost: the replica is damaged")
	said := len(other.said.String())
	first.cmd.Process.Signal(syscall.SIGTERM)
	if err := <-first.done; err != nil {
		t.Fatalf("stopped: %v", err)
	}
	l.again(first)
	if got := l.epochs(); len(got) != 2 || got[1] != "2" {
		t.Errorf("the replica has the places %q, want a second one", got)
	}
	l.wait("the other one follows the new place", func() bool {
		return strings.Contains(other.said.String()[said:], "following=file://"+filepath.Join(l.copies, "2"))
	})
	l.write()
	for _, id := range l.written {
		l.alpha.AnswerTo(id)
	}
	first.cmd.Process.Kill()
	<-first.done
	first.over, l.machines = true, l.machines[1:]
	l.wait("the other machine serves", other.serves)
	l.write()
	l.once()
}

// TestCopiesLostWithServer removes the copies of a server that has died: the other machine has only what it had
// read of them, so it does not take over. It says so to the host, and waits for that server.
func TestCopiesLostWithServer(t *testing.T) {
	l := newLost(t)
	first, other := l.machines[0], l.machines[1]
	first.cmd.Process.Kill()
	<-first.done
	first.over = true
	if err := os.RemoveAll(filepath.Join(l.copies, "1")); err != nil {
		t.Fatal(err)
	}
	l.machines = l.machines[1:]
	l.hears("Angelpost: no machine stands by")
	l.hears("Angelpost: no machine takes over")
	time.Sleep(5 * time.Second)
	if other.serves() || strings.Contains(other.said.String(), "this machine takes over") {
		t.Errorf("it takes over:\n%s", other.said)
	}
	said := len(other.said.String())
	l.again(first)
	l.wait("the other one stands by again", func() bool { return strings.Contains(other.said.String()[said:], "stands by again") })
	l.hears("Angelpost: a machine stands by again")
	l.write()
	l.once()
}

// TestGoesOnWithCopy does what HOSTING.md says where a server and its copies are gone for good.
func TestGoesOnWithCopy(t *testing.T) {
	l := newLost(t)
	first, other := l.machines[0], l.machines[1]
	first.cmd.Process.Kill()
	<-first.done
	first.over, l.machines = true, l.machines[1:]
	time.Sleep(2 * time.Second) // the other one has what was copied
	if err := os.RemoveAll(filepath.Join(l.copies, "1")); err != nil {
		t.Fatal(err)
	}
	l.hears("Angelpost: no machine takes over")
	other.cmd.Process.Signal(syscall.SIGTERM)
	if err := <-other.done; err != nil {
		t.Errorf("stopped: %v", err)
	}
	copied := filepath.Join(other.folder, "games.db.standby")
	err := os.Rename(filepath.Join(copied, "games.db"), filepath.Join(other.folder, "games.db"))
	if err := errors.Join(err, os.RemoveAll(copied), os.RemoveAll(filepath.Join(other.folder, "games.db.lock"))); err != nil {
		t.Fatal(err)
	}
	l.deleteClaims()
	l.again(other)
	l.write()
	l.once()
}

// deleteClaims deletes the letters in the folder of claims.
func (l lost) deleteClaims() {
	l.t.Helper()
	c := mailclient.Login(l.t, l.host.IMAPAddr(), program.Account, program.Password)
	defer c.Close()
	if data, err := c.Select("Angelpost/Claim", nil).Wait(); err != nil || data.NumMessages == 0 {
		l.t.Fatal(data, err)
	}
	all := goimap.SeqSet{}
	all.AddRange(1, 0)
	err := c.Store(all, &goimap.StoreFlags{Op: goimap.StoreFlagsAdd, Flags: []goimap.Flag{goimap.FlagDeleted}}, nil).Close()
	if err := errors.Join(err, c.Expunge().Close()); err != nil {
		l.t.Fatal(err)
	}
}

// forge puts a claim that someone with the mailbox's password wrote next to that of the server.
func (l lost) forge(epoch int64) {
	l.t.Helper()
	c := mailclient.Login(l.t, l.host.IMAPAddr(), program.Account, program.Password)
	defer c.Close()
	text := fmt.Sprintf("Subject: forged\r\nX-Angelpost-Claim: mallory\r\nX-Angelpost-Instance: mallory\r\nX-Angelpost-Epoch: %d\r\nX-Angelpost-Folder: INBOX\r\nX-Angelpost-Server: mallory\r\n\r\nx\r\n", epoch)
	cmd := c.Append("Angelpost/Claim", int64(len(text)), nil)
	_, err := io.WriteString(cmd, text)
	if err := errors.Join(err, cmd.Close()); err != nil {
		l.t.Fatal(err)
	}
	if _, err := cmd.Wait(); err != nil {
		l.t.Fatal(err)
	}
}

// TestForgedClaimStopsPair puts a claim that someone with the mailbox's password wrote, with the highest epoch, next to
// that of the server: it stops. No machine follows the claim's number, and both keep what they have. The host hears of it, and once
// the letter is deleted the pair goes on.
func TestForgedClaimStopsPair(t *testing.T) {
	l := newLost(t)
	first, other := l.machines[0], l.machines[1]
	l.forge(1 << 53)
	l.wait("the server stops", func() bool { return strings.Contains(first.said.String(), giveWay) })
	l.hears("Angelpost: no machine stands by")
	l.write()
	if first.serves() || other.serves() {
		t.Error("a machine serves")
	}
	if _, err := os.Stat(filepath.Join(first.folder, "games.db")); err != nil {
		t.Errorf("the database was put aside: %v", err)
	}
	l.deleteClaims()
	l.wait("the first one serves again", first.serves)
	l.write()
	l.once()
	if got := l.epochs(); len(got) != 1 {
		t.Errorf("the replica has the places %q", got)
	}
}

// TestClaimOfAnotherDatabase puts a claim with the next epoch there, as of a server with another database. The
// machine that serves ends. The other one has the copies to follow, but it does not take over from a
// server that they are not of; once the claim is deleted, it begins no new database either.
func TestClaimOfAnotherDatabase(t *testing.T) {
	l := newLost(t)
	first, other := l.machines[0], l.machines[1]
	l.forge(2)
	if err := <-first.done; err == nil || !strings.Contains(first.said.String(), "another database: mallory") {
		t.Errorf("the first machine ended: %v", err)
	}
	first.over, l.machines = true, []*machine{other}
	l.hears("Angelpost: no machine stands by")
	l.write()
	l.deleteClaims()
	l.wait("the other one sees that no machine serves", func() bool { return strings.Contains(other.said.String(), "has only a copy") })
	if other.serves() {
		t.Error("the other machine serves")
	}
	l.machines = append(l.machines, first)
	l.again(first)
	l.write()
	l.once()
}
