package imapbox_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	reading "angelpost/mail/letter"

	"angelpost/mail/imapbox"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-smtp"
)

// peer is a mailbox on the mail server that the table tests: mailhost in host_test.go,
// Dovecot with Postfix in real_test.go.
type peer struct {
	config   imapbox.Config // for a mailbox that only one test uses
	address  string         // the mail address of the mailbox
	smtpAddr string         // without TLS
	password string
	sep      string // separator between folder levels, if it is not "/"
}

// deliver sends a letter to the mailbox by SMTP.
func (p peer) deliver(t *testing.T, text string) {
	t.Helper()
	c, err := smtp.Dial(p.smtpAddr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SendMail("someone@example.org", []string{p.address}, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
}

// deliverInOrder delivers letters one at a time: it waits until each has arrived, because
// mail servers deliver in parallel. No watcher may be using the mailbox.
func (p peer) deliverInOrder(t *testing.T, c *imapclient.Client, names ...string) {
	t.Helper()
	for i, name := range names {
		p.deliver(t, letter(name))
		p.expect(t, c, "INBOX", names[:i+1]...)
	}
}

func letter(name string) string {
	return "From: someone@example.org\r\nSubject: " + name + "\r\nDate: Sat, 21 Nov 2026 08:00:00 +0000\r\n" +
		"Message-ID: <" + name + "@example.org>\r\n\r\nThis is " + name + ".\r\n"
}

func subject(f imapbox.Fetched) string {
	_, rest, _ := strings.Cut(string(f.Raw), "Subject: ")
	name, _, _ := strings.Cut(rest, "\r\n")
	return name
}

func (p peer) login(t *testing.T) *imapclient.Client {
	t.Helper()
	c, err := imapclient.DialInsecure(p.config.Addr, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.Login(p.config.User, p.password).Wait(); err != nil {
		t.Fatal(err)
	}
	return c
}

// look returns the subject and flags of each letter in a folder, without \Recent.
func (p peer) look(t *testing.T, c *imapclient.Client, folder string) []string {
	t.Helper()
	if p.sep != "" {
		folder = strings.ReplaceAll(folder, "/", p.sep)
	}
	data, err := c.Select(folder, nil).Wait()
	if err != nil {
		return []string{err.Error()}
	}
	if data.NumMessages == 0 {
		return nil
	}
	all := imap.SeqSet{}
	all.AddRange(1, data.NumMessages)
	msgs, err := c.Fetch(all, &imap.FetchOptions{Envelope: true, Flags: true}).Collect()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range msgs {
		if m.Envelope == nil {
			continue // an update about a letter that is being moved away
		}
		line := m.Envelope.Subject
		for _, flag := range m.Flags {
			if flag != "\\Recent" {
				line += " " + string(flag)
			}
		}
		list = append(list, line)
	}
	slices.Sort(list)
	return list
}

// testForget: Forget deletes old letters in the folders Done and Too large, and no others.
func testForget(t *testing.T, p peer) {
	c := p.login(t)
	if err := imapbox.Check(t.Context(), p.config); err != nil { // creates the folders
		t.Fatal(err)
	}
	now := time.Now()
	for _, x := range []struct {
		folder, subject string
		age             time.Duration
	}{
		{"Angelpost/Done", "old", 500 * 24 * time.Hour}, {"Angelpost/Done", "older", 900 * 24 * time.Hour}, {"Angelpost/Done", "young", 300 * 24 * time.Hour},
		{"Angelpost/Failed", "aside", 900 * 24 * time.Hour}, {"Angelpost/Too large", "large", 900 * 24 * time.Hour},
	} {
		text := "From: a@example.org\r\nSubject: " + x.subject + "\r\n\r\nx\r\n"
		cmd := c.Append(strings.ReplaceAll(x.folder, "/", cmp.Or(p.sep, "/")), int64(len(text)), &imap.AppendOptions{Time: now.Add(-x.age)})
		if _, err := cmd.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{3, 0} {
		if n, err := imapbox.Forget(t.Context(), p.config, now.Add(-400*24*time.Hour)); n != want || err != nil {
			t.Errorf("%d letters deleted, want %d, %v", n, want, err)
		}
	}
	p.expect(t, c, "Angelpost/Done", "young")
	p.expect(t, c, "Angelpost/Failed", "aside")
	p.expect(t, c, "Angelpost/Too large")
}

// testForgetFrom: ForgetFrom deletes the letters of one author, but not those from an address
// that only contains the author's, and not those that came later.
func testForgetFrom(t *testing.T, p peer) {
	c := p.login(t)
	if err := imapbox.Check(t.Context(), p.config); err != nil { // creates the folders
		t.Fatal(err)
	}
	erased := time.Now()
	put := func(folder, subject, from string, arrived time.Time) {
		t.Helper()
		text := "From: " + from + "\r\nSubject: " + subject + "\r\n\r\nx\r\n"
		cmd := c.Append(strings.ReplaceAll(folder, "/", cmp.Or(p.sep, "/")), int64(len(text)), &imap.AppendOptions{Time: arrived})
		_, err := cmd.Write([]byte(text))
		if err = errors.Join(err, cmd.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	for subject, from := range map[string]string{"hers": "Ada <Ada@Example.org>", "bare": "ada@example.org", "of another": "grada@example.org", "about her": `"ada@example.org" <x@example.org>`, "later": "ada@example.org"} {
		arrived := erased.Add(-time.Hour)
		if subject == "later" {
			arrived = erased.Add(time.Hour)
		}
		for _, folder := range []string{"Angelpost/Done", "Angelpost/Failed"} {
			put(folder, subject, from, arrived)
		}
	}
	author := func(header []byte) string {
		return reading.NormalAddress(reading.OpenHeader(header, reading.Options{}).From)
	}
	for _, want := range []int{4, 0} {
		if n, err := imapbox.ForgetFrom(t.Context(), p.config, "ada@example.org", erased, author); n != want || err != nil {
			t.Errorf("%d letters deleted, want %d, %v", n, want, err)
		}
	}
	p.expect(t, c, "Angelpost/Done", "of another", "about her", "later")
	p.expect(t, c, "Angelpost/Failed", "of another", "about her", "later")

	// A domain with non-ASCII letters, in the forms in which mail programs write it.
	for subject, from := range map[string]string{"punycode": "Ada <ada@XN--bcher-kva.example>", "UTF-8": "ada@bücher.example", "a name in UTF-8": "Ädá <ada@BÜCHER.example>",
		"an encoded name": "=?utf-8?q?=C3=84d=C3=A1?= <ada@bücher.example>", "Latin-1": "ada@b\xfccher.example", "decomposed": "ada@bu\u0308cher.example", "of another there": "bo@bücher.example", "no umlaut": "ada@bucher.example"} {
		put("Angelpost/Done", subject, from, erased.Add(-time.Hour))
	}
	for _, want := range []int{6, 0} {
		if n, err := imapbox.ForgetFrom(t.Context(), p.config, reading.NormalAddress("ada@bücher.example"), erased, author); n != want || err != nil {
			t.Errorf("%d letters deleted, want %d, %v", n, want, err)
		}
	}
	p.expect(t, c, "Angelpost/Done", "of another", "about her", "later", "of another there", "no umlaut")
}

// expect waits until the folder has exactly these letters.
func (p peer) expect(t *testing.T, c *imapclient.Client, folder string, want ...string) {
	t.Helper()
	want = slices.Sorted(slices.Values(want))
	var got []string
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if got = p.look(t, c, folder); slices.Equal(got, want) {
			return
		}
	}
	t.Errorf("%s holds %q, want %q", folder, got, want)
}

// watch runs the watcher until the test ends or calls stop. The channel gets each letter once
// decide has returned.
func watch(t *testing.T, c imapbox.Config, decide func(f imapbox.Fetched) (imapbox.Disposition, error)) (letters <-chan imapbox.Fetched, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	seen := make(chan imapbox.Fetched, 1000)
	ended := make(chan error, 1)
	go func() {
		ended <- imapbox.Run(ctx, c, imapbox.Each(func(ctx context.Context, f imapbox.Fetched) (imapbox.Disposition, error) {
			d, err := decide(f)
			seen <- f
			return d, err
		}))
	}()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			if err := <-ended; err != nil {
				t.Errorf("Run: %v", err)
			}
		})
	}
	t.Cleanup(stop)
	return seen, stop
}

func done(imapbox.Fetched) (imapbox.Disposition, error) { return imapbox.Done, nil }

func receive(t *testing.T, letters <-chan imapbox.Fetched) imapbox.Fetched {
	t.Helper()
	select {
	case f := <-letters:
		return f
	case <-time.After(30 * time.Second):
		t.Fatal("no letter was handed over")
		return imapbox.Fetched{}
	}
}

// table runs the tests that the watcher must pass with every mail server. fresh returns an
// unused mailbox.
func table(t *testing.T, fresh func(t *testing.T) peer) {
	for _, c := range []struct {
		name string
		test func(*testing.T, peer)
	}{
		{"letters that lay there and letters that arrive", testArrive},
		{"each goes to the folder of its disposition", testFile},
		{"a handler's error leaves the letter and holds up no other", testHandlerError},
		{"of an oversized letter the header alone is fetched", testOversize},
		{"letters taken for spam", testJunk},
		{"what was not committed is offered again", testOfferedAgain},
		{"more letters than a batch", testBatches},
		{"a batch is told of letter by letter", testVerdicts},
		{"a connection that is cut", testReconnect},
		{"a letter that kills the connection", testPoison},
		{"without IDLE", testPolling},
		{"a letter that arrives while another is dealt with at leisure", testArrivesMeanwhile},
		{"check and await", testCheck},
		{"letters whose time is over", testForget},
		{"letters of one author", testForgetFrom},
		{"one server to a mailbox", testClaim},
		{"a letter among the claims", testClaimDelivered},
		{"a claim by someone else", testClaimForged},
		{"the last epoch", testClaimBound},
		{"a server of the version before", testClaimElder},
		{"copies of a database", testClaimCopies},
		{"a server that dies as it claims", testClaimDies},
		{"a copy of a server at work", testClaimFenced},
		{"a copy starts while a letter is handled", testClaimMeanwhile},
		{"the mailbox is away", testClaimAway},
		{"letters that came another way", testOwed},
		{"nothing is filed", testNothingFiled},
		{"two servers at once", testClaimRace},
		{"a claim between two questions", testClaimBetween},
		{"a claim that is deleted is put back", testClaimPutBack},
		{"another's claim, and ours deleted", testClaimLost},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := fresh(t)
			p.config.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
			p.config.Backoff = 20 * time.Millisecond
			c.test(t, p)
		})
	}
}

func testArrive(t *testing.T, p peer) {
	c := p.login(t)
	p.deliverInOrder(t, c, "one", "two")
	letters, _ := watch(t, p.config, done)
	for _, name := range []string{"one", "two"} {
		f := receive(t, letters)
		if !bytes.HasSuffix(f.Raw, []byte(letter(name))) || f.HeaderOnly || f.Size != int64(len(f.Raw)) || f.UID == 0 || f.UIDValidity == 0 || f.InternalDate.IsZero() {
			t.Errorf("%s: got %+v %q", name, f, f.Raw)
		}
	}
	p.expect(t, c, "INBOX")
	p.expect(t, c, "Angelpost/Done", "one", "two")
	// IdleFor is a minute, so the watcher notices these letters only because the server
	// reports them.
	for _, name := range []string{"three", "four"} {
		p.deliver(t, letter(name))
		if got := subject(receive(t, letters)); got != name {
			t.Errorf("got %q, want %q", got, name)
		}
	}
	p.expect(t, c, "Angelpost/Done", "one", "two", "three", "four")
	if len(letters) != 0 {
		t.Errorf("%d letters were offered twice", len(letters))
	}
}

// testArrivesMeanwhile has a Handler that is so slow that the watcher selects the folder
// again before it files the letter. The server does not report letters that arrived until
// then, but the watcher handles them.
func testArrivesMeanwhile(t *testing.T, p peer) {
	c := p.login(t)
	ctx, stop := context.WithCancel(t.Context())
	handled, ended := make(chan string, 10), make(chan error, 1)
	p.deliver(t, letter("first"))
	go func() {
		ended <- imapbox.Run(ctx, p.config, imapbox.Each(func(_ context.Context, f imapbox.Fetched) (imapbox.Disposition, error) {
			if subject(f) == "first" {
				p.deliver(t, letter("second"))
				p.expect(t, c, "INBOX", "first", "second")
				time.Sleep(1200 * time.Millisecond)
			}
			handled <- subject(f)
			return imapbox.Done, nil
		}))
	}()
	for _, want := range []string{"first", "second"} {
		select {
		case got := <-handled:
			if got != want {
				t.Errorf("%s was handled, want %s", got, want)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%s lies there", want)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func testFile(t *testing.T, p peer) {
	p.config.Folders.Failed = "Set aside/by/us"
	letters, _ := watch(t, p.config, func(f imapbox.Fetched) (imapbox.Disposition, error) {
		return map[string]imapbox.Disposition{"good": imapbox.Done, "bad": imapbox.Failed, "big": imapbox.TooLarge}[subject(f)], nil
	})
	for _, name := range []string{"good", "bad", "big"} {
		p.deliver(t, letter(name))
		receive(t, letters)
	}
	c := p.login(t)
	p.expect(t, c, "Angelpost/Done", "good")
	p.expect(t, c, "Set aside/by/us", "bad")
	p.expect(t, c, "Angelpost/Too large", "big")
	p.expect(t, c, "INBOX")
}

func testHandlerError(t *testing.T, p peer) {
	p.config.Retry = 300 * time.Millisecond
	var mu sync.Mutex
	tries := map[string]int{}
	c := p.login(t)
	p.deliverInOrder(t, c, "sour", "sweet")
	letters, _ := watch(t, p.config, func(f imapbox.Fetched) (imapbox.Disposition, error) {
		mu.Lock()
		defer mu.Unlock()
		tries[subject(f)]++
		if subject(f) == "sour" && tries["sour"] < 3 {
			return imapbox.Done, errors.New("the database is locked")
		}
		return imapbox.Done, nil
	})
	var order []string
	for range 4 {
		order = append(order, subject(receive(t, letters)))
	}
	if want := []string{"sour", "sweet", "sour", "sour"}; !slices.Equal(order, want) {
		t.Errorf("offered %q, want %q", order, want)
	}
	p.expect(t, c, "INBOX")
	p.expect(t, c, "Angelpost/Done", "sour", "sweet")
}

func testOversize(t *testing.T, p peer) {
	p.config.MaxLetter = 100_000
	body := strings.Repeat(strings.Repeat("x", 76)+"\r\n", 20_000)
	p.deliver(t, strings.Replace(letter("huge"), "This is", body, 1))
	p.deliver(t, strings.Replace(letter("long head"), "Subject", "X-Long: "+strings.Repeat("y\r\n ", 30_000)+"\r\nSubject", 1))
	p.deliver(t, letter("small"))
	letters, _ := watch(t, p.config, func(f imapbox.Fetched) (imapbox.Disposition, error) {
		if f.HeaderOnly {
			return imapbox.TooLarge, nil
		}
		return imapbox.Done, nil
	})
	for range 3 {
		f := receive(t, letters)
		switch {
		case f.Size < 100_000:
			if f.HeaderOnly || subject(f) != "small" {
				t.Errorf("the small letter: %+v", f)
			}
		case bytes.Contains(f.Raw, []byte("X-Long")):
			if !f.HeaderOnly || len(f.Raw) != 64<<10 {
				t.Errorf("of an endless header came %d octets", len(f.Raw))
			}
		default:
			if !f.HeaderOnly || subject(f) != "huge" || bytes.Contains(f.Raw, []byte("xxx")) || f.Size < 1_500_000 {
				t.Errorf("the huge letter: size %d, %d octets fetched", f.Size, len(f.Raw))
			}
		}
	}
	p.expect(t, p.login(t), "INBOX")
}

func testOfferedAgain(t *testing.T, p peer) {
	p.deliver(t, letter("kept"))
	held := make(chan struct{})
	ctx, crash := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- imapbox.Run(ctx, p.config, imapbox.Each(func(ctx context.Context, f imapbox.Fetched) (imapbox.Disposition, error) {
			close(held)
			<-ctx.Done()
			return imapbox.Done, ctx.Err()
		}))
	}()
	<-held
	crash()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	c := p.login(t)
	p.expect(t, c, "INBOX", "kept") // and has no \Seen flag
	letters, _ := watch(t, p.config, done)
	if got := subject(receive(t, letters)); got != "kept" {
		t.Errorf("got %q", got)
	}
	p.expect(t, c, "INBOX")
	p.expect(t, c, "Angelpost/Done", "kept")
}

func testBatches(t *testing.T, p peer) {
	c := p.login(t)
	const n = 120
	for i := range n {
		text := letter(fmt.Sprintf("nr %03d", i))
		cmd := c.Append("INBOX", int64(len(text)), nil)
		io.WriteString(cmd, text)
		if err := cmd.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	letters, _ := watch(t, p.config, done)
	for i := range n {
		if got, want := subject(receive(t, letters)), fmt.Sprintf("nr %03d", i); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	p.expect(t, c, "INBOX")
	if got := len(p.look(t, c, "Angelpost/Done")); got != n {
		t.Errorf("%d letters filed, want %d", got, n)
	}
}

// testVerdicts: in a batch with a letter that fails, that letter stays and the others are
// filed.
func testVerdicts(t *testing.T, p peer) {
	c := p.login(t)
	p.deliverInOrder(t, c, "good", "sour", "bad")
	ctx, cancel := context.WithCancel(t.Context())
	var batches [][]string
	ended := make(chan error, 1)
	go func() {
		ended <- imapbox.Run(ctx, p.config, func(ctx context.Context, letters []imapbox.Fetched) (out []imapbox.Verdict) {
			var names []string
			for _, f := range letters {
				names = append(names, subject(f))
				out = append(out, map[string]imapbox.Verdict{"sour": {Err: errors.New("the disk is full")}, "bad": {To: imapbox.Failed}}[subject(f)])
			}
			batches = append(batches, names)
			return out
		})
	}()
	p.expect(t, c, "INBOX", "sour")
	p.expect(t, c, "Angelpost/Done", "good")
	p.expect(t, c, "Angelpost/Failed", "bad")
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if len(batches) != 1 || !slices.Equal(batches[0], []string{"good", "sour", "bad"}) {
		t.Errorf("handed over as %q", batches)
	}
}

// wires remembers connections so that a test can watch or cut them.
type wires struct {
	mu    sync.Mutex
	open  []net.Conn
	count int
	// onWrite, if set, sees the bytes before a connection writes them, and cuts the
	// connection by an error.
	onWrite func(b []byte) error
}

func (w *wires) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = append(w.open, conn)
	w.count++
	return &watchedConn{conn, w}, nil
}

type watchedConn struct {
	net.Conn
	wires *wires
}

func (c *watchedConn) Write(b []byte) (int, error) {
	if f := c.wires.onWrite; f != nil {
		if err := f(b); err != nil {
			c.Close()
			return 0, err
		}
	}
	return c.Conn.Write(b)
}

func (w *wires) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, conn := range w.open {
		conn.Close()
	}
	w.open = nil
}

func testReconnect(t *testing.T, p peer) {
	w := &wires{}
	p.config.Dial = w.dial
	var names []string
	cutOnce := true
	letters, _ := watch(t, p.config, func(f imapbox.Fetched) (imapbox.Disposition, error) {
		if subject(f) == "letter 3" && cutOnce {
			cutOnce = false
			w.cut() // the Handler has the letter, but the watcher can no longer move it
		}
		return imapbox.Done, nil
	})
	seen := map[string]int{}
	for i := range 6 {
		name := fmt.Sprintf("letter %d", i)
		names = append(names, name)
		p.deliver(t, letter(name))
		for seen[name] == 0 {
			seen[subject(receive(t, letters))]++
		}
		if i%2 == 0 {
			w.cut()
		}
	}
	p.expect(t, p.login(t), "INBOX")
	p.expect(t, p.login(t), "Angelpost/Done", names...)
	for name := range seen {
		if !slices.Contains(names, name) {
			t.Errorf("a letter that was never sent: %q", name)
		}
	}
	if w.count < 4 {
		t.Errorf("%d connections: the cuts did not happen", w.count)
	}
}

func testPoison(t *testing.T, p peer) {
	for _, name := range []string{"a", "poison", "c"} {
		p.deliver(t, letter(name))
	}
	c := p.login(t)
	p.expect(t, c, "INBOX", "a", "poison", "c") // selects it once all letters are there
	msgs, err := c.Fetch(imap.SeqSetNum(1, 2, 3), &imap.FetchOptions{UID: true, Envelope: true}).Collect()
	if err != nil {
		t.Fatal(err)
	}
	var bad imap.UID
	for _, m := range msgs {
		if m.Envelope.Subject == "poison" {
			bad = m.UID
		}
	}
	w := &wires{onWrite: func(b []byte) error {
		fields := strings.Fields(string(b)) // tag UID FETCH set (…)
		if len(fields) > 4 && fields[2] == "FETCH" && bytes.Contains(b, []byte("BODY.PEEK[]")) {
			var first, last imap.UID
			if n, _ := fmt.Sscanf(fields[3], "%d:%d", &first, &last); n == 1 {
				last = first
			}
			if first <= bad && bad <= last {
				return errors.New("cut by the test")
			}
		}
		return nil
	}}
	p.config.Dial = w.dial
	letters, _ := watch(t, p.config, done)
	got := []string{subject(receive(t, letters)), subject(receive(t, letters))}
	slices.Sort(got)
	if !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("handed over %q, want a and c", got)
	}
	p.expect(t, c, "INBOX", "poison")
	p.expect(t, c, "Angelpost/Done", "a", "c")
}

func testPolling(t *testing.T, p peer) {
	// The proxy connection spoils IDLE commands, so the watcher has to look.
	p.config.Poll = 100 * time.Millisecond
	p.config.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, addr)
		return &noIdle{Conn: conn}, err
	}
	letters, _ := watch(t, p.config, done)
	for _, name := range []string{"one", "two"} {
		p.deliver(t, letter(name))
		if got := subject(receive(t, letters)); got != name {
			t.Errorf("got %q, want %q", got, name)
		}
	}
	p.expect(t, p.login(t), "INBOX")
}

// noIdle turns IDLE into a command that no server knows.
type noIdle struct{ net.Conn }

func (c *noIdle) Write(b []byte) (int, error) {
	if _, err := c.Conn.Write(bytes.Replace(b, []byte(" IDLE\r\n"), []byte(" EDLI\r\n"), 1)); err != nil {
		return 0, err
	}
	return len(b), nil
}

func testCheck(t *testing.T, p peer) {
	if err := imapbox.Check(t.Context(), p.config); err != nil {
		t.Fatal(err)
	}
	c := p.login(t)
	for _, folder := range []string{"INBOX", "Angelpost/Done", "Angelpost/Failed", "Angelpost/Too large"} {
		p.expect(t, c, folder)
	}
	bad := p.config
	bad.User = "nobody-here"
	if err := imapbox.Check(t.Context(), bad); err == nil || !strings.Contains(err.Error(), "login") {
		t.Errorf("a wrong user: %v", err)
	}

	p.deliver(t, letter("probe"))
	f, err := imapbox.Await(t.Context(), p.config, "probe@example.org")
	if err != nil || subject(f) != "probe" {
		t.Errorf("Await in INBOX: %v, %v", f, err)
	}
	letters, _ := watch(t, p.config, done)
	receive(t, letters)
	p.expect(t, c, "Angelpost/Done", "probe")
	if f, err = imapbox.Await(t.Context(), p.config, "probe@example.org"); err != nil || subject(f) != "probe" {
		t.Errorf("Await after the daemon took it: %v, %v", f, err)
	}
	for _, after := range []time.Duration{0, 1, 3, 5, 10, 20, 100} { // at whatever point of Await the time ends
		ctx, cancel := context.WithTimeout(t.Context(), after*time.Millisecond)
		if _, err := imapbox.Await(ctx, p.config, "never@example.org"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Await of a letter that never comes, after %d ms: %v", after, err)
		}
		cancel()
	}
}
