package lmtp_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"angelpost/mail/lmtp"
)

const own = "angelpost+token@example.org"

// A door is a server under test, and the letters that its handler is given.
type door struct {
	addr    string
	batches chan []lmtp.Letter
	errs    chan error // one for each letter
	stop    func() error
	log     said
}

// said is a log that may be read meanwhile.
type said struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *said) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func open(t *testing.T) *door { return openAt(t, time.Now) }

// openAt is open with a clock.
func openAt(t *testing.T, now func() time.Time) *door {
	t.Helper()
	l, err := lmtp.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	d := &door{addr: l.Addr().String(), batches: make(chan []lmtp.Letter, 100), errs: make(chan error, 100)}
	ended := make(chan error, 1)
	go func() {
		ended <- lmtp.Serve(ctx, l, lmtp.Config{
			Own: func(a string) bool { return strings.HasPrefix(a, "angelpost") && strings.HasSuffix(a, "@example.org") },
			Now: now, MaxLetter: 100_000, Log: slog.New(slog.NewTextHandler(io.MultiWriter(t.Output(), &d.log), nil)),
		}, func(ctx context.Context, letters []lmtp.Letter) (out []error) {
			d.batches <- letters
			for range letters {
				out = append(out, <-d.errs)
			}
			return out
		})
	}()
	d.stop = func() error { cancel(); return <-ended }
	t.Cleanup(cancel)
	return d
}

func (d *door) dial(t *testing.T) *smtp.Client {
	t.Helper()
	conn, err := net.Dial("tcp", d.addr)
	if err != nil {
		t.Fatal(err)
	}
	c := smtp.NewClientLMTP(conn)
	t.Cleanup(func() { c.Close() })
	return c
}

// send sends a letter and returns the replies for its recipients, in one error.
func send(c *smtp.Client, from, text string, to ...string) error {
	if err := c.Mail(from, nil); err != nil {
		return err
	}
	for _, a := range to {
		if err := c.Rcpt(a, nil); err != nil {
			return err
		}
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	return w.Close()
}

func code(err error) int {
	var refused *smtp.SMTPError
	if errors.As(err, &refused) {
		return refused.Code
	}
	var each smtp.LMTPDataError
	if errors.As(err, &each) {
		for _, e := range each {
			return e.Code
		}
	}
	return 0
}

const text = "From: ann@example.net\r\nSubject: hello\r\n\r\n..hello\r\n"

// TestALetterCameWhenItsRecipientWasTaken: how long its sender takes to say it does not make it late.
func TestALetterCameWhenItsRecipientWasTaken(t *testing.T) {
	var clock atomic.Int64
	d := openAt(t, func() time.Time { return time.Unix(clock.Load(), 0) })
	d.errs <- nil
	d.errs <- nil
	c := d.dial(t)
	for _, size := range []int{1, 150_000} {
		clock.Store(1000)
		if err := errors.Join(c.Mail("ann@example.net", nil), c.Rcpt(own, nil)); err != nil {
			t.Fatal(err)
		}
		clock.Store(5000)
		if err := c.Rcpt("angelpost@example.org", nil); err != nil {
			t.Fatal(err)
		}
		w, err := c.Data()
		if err != nil {
			t.Fatal(err)
		}
		clock.Store(9000)
		if _, err := io.WriteString(w, text+strings.Repeat("x\r\n", size)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := <-d.batches; got[0].Received.Unix() != 1000 {
			t.Errorf("a letter of %d lines came at %d", size, got[0].Received.Unix())
		}
	}
}

func TestALetterIsAcknowledgedWhenItIsHandled(t *testing.T) {
	d := open(t)
	c := d.dial(t)
	said := make(chan error, 1)
	go func() { said <- send(c, "ann@example.net", text, own) }()
	got := <-d.batches
	want := "Return-Path: <ann@example.net>\r\nDelivered-To: " + own + "\r\n" + text
	if len(got) != 1 || string(got[0].Raw) != want || got[0].HeaderOnly || time.Since(got[0].Received) > time.Minute {
		t.Errorf("handed over %+v", got)
	}
	select {
	case err := <-said:
		t.Fatalf("an answer before the letter was handled: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	d.errs <- nil
	if err := <-said; err != nil {
		t.Error(err)
	}
	// The same connection, a bounce, to two of our addresses: once.
	d.errs <- nil
	if err := send(c, "", text, own, "angelpost@example.org"); err != nil {
		t.Error(err)
	}
	if got := <-d.batches; len(got) != 1 || !bytes.HasPrefix(got[0].Raw, []byte("Return-Path: <>\r\n")) {
		t.Errorf("handed over %+v", got)
	}
	if err := d.stop(); err != nil {
		t.Error(err)
	}
}

func TestWhatIsRefused(t *testing.T) {
	d := open(t)
	c := d.dial(t)
	if err := send(c, "ann@example.net", text, "ann@example.org"); code(err) != 550 {
		t.Errorf("an address that is not ours: %v", err)
	}
	if err := c.Reset(); err != nil {
		t.Fatal(err)
	}
	d.errs <- errors.New("the database is locked")
	if err := send(c, "ann@example.net", text, own); code(err) != 451 || strings.Contains(err.Error(), "database") {
		t.Errorf("a handler that failed: %v", err)
	}
	d.errs <- nil
	if err := send(c, "ann@example.net", text, own); err != nil {
		t.Errorf("the next try: %v", err)
	}
	many := make([]string, 51)
	for i := range many {
		many[i] = own
	}
	if err := send(c, "ann@example.net", text, many...); code(err)/100 != 4 {
		t.Errorf("51 recipients: %v", err)
	}
}

func TestOfAnOversizedLetterTheHeaderIsKept(t *testing.T) {
	d := open(t)
	c := d.dial(t)
	head := "From: ann@example.net\r\nSubject: large\r\n\r\n"
	long := "X-Long: " + strings.Repeat("y\r\n ", 40_000)
	line := strings.Repeat("x", 76) + "\r\n"
	for range 4 {
		d.errs <- nil
	}
	for _, l := range []string{head + strings.Repeat(line, 20_000), long + "\r\n\r\nbody\r\n", head + strings.Repeat("x", 1<<20) + "\r\n", text} {
		if err := send(c, "", l, own); err != nil {
			t.Fatal(err)
		}
	}
	traces := len("Return-Path: <>\r\nDelivered-To: " + own + "\r\n")
	for i, want := range []int{traces + len(head), traces + 64<<10, traces + len(head), traces + len(text)} {
		got := (<-d.batches)[0]
		if len(got.Raw) != want || got.HeaderOnly != (i < 3) {
			t.Errorf("letter %d: %d octets kept, want %d; header only: %v", i, len(got.Raw), want, got.HeaderOnly)
		}
	}
}

func TestLettersThatWaitAreHandedOverTogether(t *testing.T) {
	d := open(t)
	said := make(chan error, 4)
	go func() { said <- send(d.dial(t), "", text, own) }()
	if got := <-d.batches; len(got) != 1 {
		t.Fatalf("%d letters", len(got))
	}
	for range 3 {
		c := d.dial(t)
		go func() { said <- send(c, "", text, own) }()
	}
	time.Sleep(200 * time.Millisecond) // for all three to arrive; if one is late it comes in a batch of its own
	for range 4 {
		d.errs <- nil
	}
	for range 4 {
		if err := <-said; err != nil {
			t.Error(err)
		}
	}
	n := 0
	for n < 3 {
		n += len(<-d.batches)
	}
	if n != 3 {
		t.Errorf("%d letters handed over, want 3", n)
	}
}

// A letter that is being handled when the server is stopped is finished.
func TestStop(t *testing.T) {
	d := open(t)
	c := d.dial(t)
	said := make(chan error, 1)
	go func() { said <- send(c, "", text, own) }()
	<-d.batches
	ended := make(chan error, 1)
	go func() { ended <- d.stop() }()
	select {
	case err := <-ended:
		t.Fatalf("ended before the letter was handled: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	d.errs <- nil
	if err := <-ended; err != nil {
		t.Error(err)
	}
	<-said // mostly without an answer: then it is sent again
}

func TestOneConnectionTooMany(t *testing.T) {
	d := open(t)
	var all []net.Conn
	greeted := func(c net.Conn, within time.Duration) bool {
		c.SetReadDeadline(time.Now().Add(within))
		_, err := c.Read(make([]byte, 100))
		return err == nil
	}
	const most = 20 // as many as Postfix opens (default_destination_concurrency_limit)
	for range most + 1 {
		c, err := net.Dial("tcp", d.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		all = append(all, c)
	}
	for i, c := range all[:most] {
		if !greeted(c, 30*time.Second) {
			t.Fatalf("connection %d is not greeted", i)
		}
	}
	if greeted(all[most], 100*time.Millisecond) {
		t.Error("one more at once")
	}
	all[3].Close()
	if !greeted(all[most], 30*time.Second) {
		t.Error("nobody took the place that became free")
	}
}

func TestListen(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:24", "192.0.2.1:24", "mail.example.org:24", ":24", "24", "unix:", ""} {
		if l, err := lmtp.Listen(addr); err == nil {
			l.Close()
			t.Errorf("%q is listened at", addr)
		}
	}
	path := "unix:" + filepath.Join(t.TempDir(), "lmtp")
	l, err := lmtp.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := lmtp.Listen(path); err == nil {
		second.Close()
		t.Error("two at one socket")
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false) // as a crash leaves it
	l.Close()
	if l, err = lmtp.Listen(path); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- lmtp.Serve(ctx, l, lmtp.Config{Own: func(a string) bool { return a == own }, Log: slog.New(slog.DiscardHandler)},
			func(context.Context, []lmtp.Letter) []error { return nil })
	}()
	if err := lmtp.Try(ctx, path, own); err != nil {
		t.Error(err)
	}
	if err := lmtp.Try(ctx, path, "ann@example.org"); code(err) != 550 {
		t.Errorf("Try with a foreign address: %v", err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := lmtp.Try(t.Context(), path, own); err == nil {
		t.Error("Try finds a server that has ended")
	}
}

// TestRefusalsAreLogged: with the letter's sender, its recipient and the reason.
func TestRefusalsAreLogged(t *testing.T) {
	d := open(t)
	c := d.dial(t)
	if err := send(c, "ann@example.net", "x\r\n", "nobody@example.org"); code(err) != 550 {
		t.Errorf("got %v", err)
	}
	c = d.dial(t)
	many := make([]string, 51)
	for i := range many {
		many[i] = own
	}
	if err := send(c, "bea@example.net", "x\r\n", many...); code(err) != 452 {
		t.Errorf("got %v", err)
	}
	for _, want := range []string{`from=ann@example.net to=nobody@example.org`, "no such address", "from=bea@example.net", "too many recipients"} {
		if !strings.Contains(d.log.String(), want) {
			t.Errorf("the log does not say %q:\n%s", want, d.log.String())
		}
	}
}

// TestSenderBeyondASCII: a letter from such an address comes in, so that we can tell its writer
// why.
func TestSenderBeyondASCII(t *testing.T) {
	d := open(t)
	c := d.dial(t)
	if has, _ := c.Extension("SMTPUTF8"); !has {
		t.Fatal("SMTPUTF8 is not offered")
	}
	d.errs <- nil
	if err := c.Mail("jürgen@x.test", &smtp.MailOptions{UTF8: true}); err != nil {
		t.Fatal(err)
	}
	if err := c.Rcpt(own, nil); err != nil {
		t.Fatal(err)
	}
	w, err := c.Data()
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "From: jürgen@x.test\r\n\r\nhelp\r\n")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := <-d.batches; len(got) != 1 || !strings.Contains(string(got[0].Raw), "Return-Path: <jürgen@x.test>\r\n") {
		t.Errorf("it came as %+v", got)
	}
}
