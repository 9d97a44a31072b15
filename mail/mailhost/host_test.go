package mailhost

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-smtp"
)

var accounts = []string{"alpha", "beta", "angelpost"}

func start(t *testing.T, dir string) *Host {
	t.Helper()
	h, err := Start(Config{Dir: dir, Accounts: accounts, MaxLetter: 1 << 20, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

func login(t *testing.T, addr, user string) *imapclient.Client {
	t.Helper()
	c, err := imapclient.DialInsecure(addr, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.Login(user, "demo").Wait(); err != nil {
		t.Fatal(err)
	}
	return c
}

func put(c *imapclient.Client, box, text string) error {
	cmd := c.Append(box, int64(len(text)), &imap.AppendOptions{Time: time.Unix(1_700_000_000, 0)})
	if _, err := io.WriteString(cmd, text); err != nil {
		return err
	}
	if err := cmd.Close(); err != nil {
		return err
	}
	_, err := cmd.Wait()
	return err
}

// contents returns the letters of a folder in their order.
func contents(t *testing.T, c *imapclient.Client, box string) (texts []string, uids []imap.UID) {
	t.Helper()
	data, err := c.Select(box, nil).Wait()
	if err != nil {
		t.Fatal(err)
	}
	if data.NumMessages == 0 {
		return nil, nil
	}
	all := imap.SeqSet{}
	all.AddRange(1, data.NumMessages)
	body := &imap.FetchItemBodySection{Peek: true}
	msgs, err := c.Fetch(all, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{body}}).Collect()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range msgs {
		texts = append(texts, string(m.FindBodySection(body)))
		uids = append(uids, m.UID)
	}
	return texts, uids
}

func expect(t *testing.T, c *imapclient.Client, box string, want ...string) []imap.UID {
	t.Helper()
	got, uids := contents(t, c, box)
	if !slices.Equal(got, want) {
		t.Fatalf("%s holds %q, want %q", box, got, want)
	}
	return uids
}

func send(h *Host, from, to, text string) error {
	c, err := smtp.Dial(h.SMTPAddr())
	if err != nil {
		return err
	}
	defer c.Close()
	return c.SendMail(from, []string{to}, strings.NewReader(text))
}

func TestWhatSMTPTakes(t *testing.T) {
	h := start(t, t.TempDir())
	long := "Subject: long\r\n\r\n" + strings.Repeat(strings.Repeat("x", 76)+"\r\n", 20_000)
	for _, c := range []struct {
		to, text string
		code     int // 0: taken
		box      string
	}{
		{"alpha@demo.localhost", "Subject: a\r\n\r\nhello\r\n", 0, "alpha"},
		{"Beta+Tag@DEMO.localhost", "Subject: b\r\n\r\nhello\r\n", 0, "beta"},
		{"angelpost+tokentokentoken234567@demo.localhost", "Subject: c\r\n\r\n.dot\r\n", 0, "angelpost"},
		{"nobody@demo.localhost", "x", 550, ""},
		{"alpha@elsewhere.example", "x", 550, ""},
		{"+alpha@demo.localhost", "x", 550, ""},
		{"alpha@demo.localhost", long, 552, ""},
	} {
		err := send(h, "someone@example.org", c.to, c.text)
		var refusal *smtp.SMTPError
		switch {
		case c.code == 0 && err != nil:
			t.Errorf("%s: %v", c.to, err)
		case c.code != 0 && (!errors.As(err, &refusal) || refusal.Code != c.code):
			t.Errorf("%s: got %v, want %d", c.to, err, c.code)
		}
		if c.code == 0 {
			texts, _ := contents(t, login(t, h.IMAPAddr(), c.box), "INBOX")
			if len(texts) != 1 || !strings.HasSuffix(texts[0], c.text) ||
				!strings.HasPrefix(texts[0], "Return-Path: <someone@example.org>\r\nDelivered-To: "+c.to+"\r\nReceived: ") {
				t.Errorf("%s: the mailbox holds %q", c.to, texts)
			}
		}
	}
}

func TestLogin(t *testing.T) {
	h := start(t, t.TempDir())
	for _, c := range []struct {
		user, password string
		ok             bool
	}{
		{"alpha", "demo", true}, {"alpha@demo.localhost", "demo", true}, {"Alpha", "demo", true},
		{"alpha", "wrong", false}, {"gamma", "demo", false}, {"alpha@elsewhere.example", "demo", false}, {"", "demo", false},
	} {
		client, err := imapclient.DialInsecure(h.IMAPAddr(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := client.Login(c.user, c.password).Wait(); (err == nil) != c.ok {
			t.Errorf("login %q %q: %v", c.user, c.password, err)
		}
		client.Close()
	}
}

func TestOnlyLoopback(t *testing.T) {
	if h, err := Start(Config{Dir: t.TempDir(), Accounts: accounts, IMAPAddr: "0.0.0.0:0"}); err == nil {
		h.Close()
		t.Error("it listens for the whole world, without TLS")
	}
}

// A host that is closed before its servers have begun to serve ends, too.
func TestClosedAtOnce(t *testing.T) {
	for range 50 {
		h, err := Start(Config{
			IMAPAddr: "127.0.0.1:0", SMTPAddr: "127.0.0.1:0", Dir: t.TempDir(), Domain: "demo.localhost",
			Accounts: []string{"alpha"}, Password: "demo", Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- h.Close() }()
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("it still serves after Close")
		}
	}
}

// TestFoldersOutliveTheProcess does each thing that changes a mailbox, then
// starts another host on the same folder.
func TestFoldersOutliveTheProcess(t *testing.T) {
	dir := t.TempDir()
	h := start(t, dir)
	c := login(t, h.IMAPAddr(), "alpha")
	for _, text := range []string{"one", "two", "three", "four", "five"} {
		if err := put(c, "INBOX", text); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"Angelpost/Done", "Old", "Gone", "../../escape"} {
		if err := c.Create(name, nil).Wait(); err != nil {
			t.Fatal(err)
		}
	}
	uids := expect(t, c, "INBOX", "one", "two", "three", "four", "five")
	if _, err := c.Move(imap.UIDSetNum(uids[0], uids[1]), "Angelpost/Done").Wait(); err != nil {
		t.Fatal(err)
	}
	expect(t, c, "INBOX", "three", "four", "five")
	if _, err := c.Copy(imap.UIDSetNum(uids[3]), "Old").Wait(); err != nil {
		t.Fatal(err)
	}
	if err := c.Store(imap.UIDSetNum(uids[2]), &imap.StoreFlags{Op: imap.StoreFlagsAdd, Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Expunge().Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Rename("Old", "Older", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	if err := c.Delete("Gone").Wait(); err != nil {
		t.Fatal(err)
	}
	if err := put(c, "../../escape", "within"); err != nil {
		t.Fatal(err)
	}
	if err := c.Delete("INBOX").Wait(); err == nil {
		t.Error("INBOX could be deleted")
	}
	before, err := c.Select("INBOX", nil).Wait()
	if err != nil {
		t.Fatal(err)
	}
	h.Close()

	h = start(t, dir)
	c = login(t, h.IMAPAddr(), "alpha@demo.localhost")
	expect(t, c, "INBOX", "four", "five")
	expect(t, c, "Angelpost/Done", "one", "two")
	expect(t, c, "Older", "four")
	expect(t, c, "../../escape", "within")
	for _, name := range []string{"Old", "Gone"} {
		if _, err := c.Select(name, nil).Wait(); err == nil {
			t.Errorf("%s is back", name)
		}
	}
	after, err := c.Select("INBOX", nil).Wait()
	if err != nil {
		t.Fatal(err)
	}
	if after.UIDValidity == before.UIDValidity {
		t.Error("UIDs were given anew under the same UIDVALIDITY")
	}
	msgs, err := c.Fetch(imap.SeqSetNum(1), &imap.FetchOptions{InternalDate: true}).Collect()
	if err != nil || !msgs[0].InternalDate.Equal(time.Unix(1_700_000_000, 0)) {
		t.Errorf("INTERNALDATE %v, %v", msgs, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(accounts)+1 {
		t.Errorf("the data folder holds %v, %v", entries, err)
	}
}

// TestMoveTellsOfEachLetterOnce: two sessions see the same mailbox while one moves letters
// away; neither may learn of more letters than were there.
func TestMoveTellsOfEachLetterOnce(t *testing.T) {
	h := start(t, t.TempDir())
	mover := login(t, h.IMAPAddr(), "alpha")
	for i := range 5 {
		if err := put(mover, "INBOX", fmt.Sprint("letter ", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := mover.Create("Done", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	uids := expect(t, mover, "INBOX", "letter 0", "letter 1", "letter 2", "letter 3", "letter 4")
	gone := make(chan uint32, 100)
	watcher, err := imapclient.DialInsecure(h.IMAPAddr(), &imapclient.Options{
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{Expunge: func(n uint32) { gone <- n }},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Close()
	if err := watcher.Login("alpha", "demo").Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := watcher.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	data, err := mover.Move(imap.UIDSetNum(uids[0], uids[2], uids[4]), "Done").Wait()
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(data.SourceUIDs, data.DestUIDs); got != fmt.Sprint(imap.UIDSetNum(uids[0], uids[2], uids[4]), imap.UIDSetNum(1, 2, 3)) {
		t.Errorf("COPYUID %s", got)
	}
	if n := mover.Mailbox().NumMessages; n != 2 {
		t.Errorf("the mover believes in %d letters, 2 are left", n)
	}
	if err := watcher.Noop().Wait(); err != nil {
		t.Fatal(err)
	}
	if len(gone) != 3 || watcher.Mailbox().NumMessages != 2 {
		t.Errorf("the watcher was told of %d letters gone and believes in %d", len(gone), watcher.Mailbox().NumMessages)
	}
}

func TestIdleTellsOfSMTP(t *testing.T) {
	h := start(t, t.TempDir())
	news := make(chan struct{}, 10)
	c, err := imapclient.DialInsecure(h.IMAPAddr(), &imapclient.Options{
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{Mailbox: func(d *imapclient.UnilateralDataMailbox) {
			if d.NumMessages != nil {
				news <- struct{}{}
			}
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Login("beta", "demo").Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	// The session must learn of a letter between the last command and IDLE, too.
	if err := send(h, "a@example.org", "beta@demo.localhost", "Subject: before\r\n\r\nx\r\n"); err != nil {
		t.Fatal(err)
	}
	idle, err := c.Idle()
	if err != nil {
		t.Fatal(err)
	}
	<-news
	if err := send(h, "a@example.org", "beta@demo.localhost", "Subject: x\r\n\r\nx\r\n"); err != nil {
		t.Fatal(err)
	}
	<-news // the test's own deadline is the limit
	if err := idle.Close(); err != nil {
		t.Error(err)
	}
}

const childDir = "MAILHOST_TEST_DIR"

// TestMain lets the test binary be the host that gets killed.
func TestMain(m *testing.M) {
	dir := os.Getenv(childDir)
	if dir == "" {
		os.Exit(m.Run())
	}
	h, err := Start(Config{Dir: dir, Accounts: accounts})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(h.IMAPAddr(), h.SMTPAddr())
	select {}
}

func child(t *testing.T, dir string) (imapAddr, smtpAddr string, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if _, scanErr := fmt.Sscan(line, &imapAddr, &smtpAddr); scanErr != nil {
		t.Fatalf("the child said %q: %v", line, errors.Join(err, scanErr))
	}
	return imapAddr, smtpAddr, func() {
		cmd.Process.Kill() // SIGKILL
		cmd.Wait()
	}
}

// TestAcknowledgedLettersSurviveSIGKILL kills the host while letters pour in by
// SMTP and APPEND; what was acknowledged must be there afterwards, whole.
func TestAcknowledgedLettersSurviveSIGKILL(t *testing.T) {
	dir := t.TempDir()
	acknowledged := map[string]bool{}
	for round := range 3 {
		imapAddr, smtpAddr, kill := child(t, dir)
		acks := make(chan string, 1000)
		pour := func(send func(text string) error, label string) {
			for i := 0; ; i++ {
				text := fmt.Sprintf("Subject: %s %d %d\r\n\r\n%s\r\n", label, round, i, strings.Repeat("body ", 200))
				if send(text) != nil {
					acks <- ""
					return
				}
				acks <- text
			}
		}
		client := login(t, imapAddr, "alpha")
		go pour(func(text string) error { return put(client, "INBOX", text) }, "append")
		session, err := smtp.Dial(smtpAddr)
		if err != nil {
			t.Fatal(err)
		}
		go pour(func(text string) error {
			return session.SendMail("x@example.org", []string{"alpha@demo.localhost"}, strings.NewReader(text))
		}, "smtp")
		for senders, count := 2, 0; senders > 0; {
			text := <-acks
			if text == "" {
				senders--
				continue
			}
			acknowledged[text] = true
			if count++; count == 40 {
				kill()
			}
		}
		session.Close()
		client.Close()
	}
	imapAddr, _, _ := child(t, dir)
	texts, _ := contents(t, login(t, imapAddr, "alpha"), "INBOX")
	found := map[string]bool{}
	for _, text := range texts {
		if i := strings.Index(text, "Subject: "); i >= 0 {
			text = text[i:]
		}
		if !strings.HasSuffix(text, "body \r\n") {
			t.Errorf("half a letter: %q", text)
		}
		found[text] = true
	}
	for text := range acknowledged {
		if !found[text] {
			t.Errorf("acknowledged and lost: %.40q", text)
		}
	}
	if len(acknowledged) < 120 {
		t.Errorf("only %d letters were acknowledged: the test tests little", len(acknowledged))
	}
}

func TestHalfWrittenAndForeignFilesAreNoLetters(t *testing.T) {
	dir := t.TempDir()
	h := start(t, dir)
	c := login(t, h.IMAPAddr(), "alpha")
	if err := put(c, "INBOX", "whole"); err != nil {
		t.Fatal(err)
	}
	h.Close()
	for _, name := range []string{tempPrefix + "123", "notes.txt", "x.y.eml"} {
		if err := os.WriteFile(dir+"/alpha/INBOX/"+name, bytes.Repeat([]byte("half"), 10), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h = start(t, dir)
	expect(t, login(t, h.IMAPAddr(), "alpha"), "INBOX", "whole")
}
