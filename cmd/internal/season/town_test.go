//go:build real

package season

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"angelpost/cmd/internal/hook"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/cmd/internal/server"
	"angelpost/mail/mailhost"
)

// A testServer is a whole server at work in this process, by a clock of the test's own,
// and the people who write to it. What it writes goes by SMTP to a sink that
// keeps the people's letters; what they write comes by the mail host it watches,
// or where there is none straight to the desk.
type testServer struct {
	t      *testing.T
	s      *server.Server
	post   *postSink
	host   *mailhost.Host // nil: letters are given to the desk
	ledger *sql.DB
	wrote  int
	ids    int
	line   *line // to the mail host
}

// A line is how a server reaches its mailbox; it can be cut.
type line struct {
	mu    sync.Mutex
	cut   bool
	conns []net.Conn
}

func (l *line) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut {
		return nil, errors.New("no route to host")
	}
	c, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err == nil {
		l.conns = append(l.conns, c)
	}
	return c, err
}

// set cuts the line, or mends it.
func (l *line) set(cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut = cut; cut {
		for _, c := range l.conns {
			c.Close()
		}
		l.conns = nil
	}
}

// townTime is what the clocks of a town show; it stands still between steps.
var townTime atomic.Int64

// openTown starts the server, with more lines at the head of its configuration.
func openTown(t *testing.T, byMail bool, more string) *testServer {
	t.Helper()
	w := &testServer{t: t, post: openSink(t)}
	townTime.Store(time.Now().Truncate(time.Hour).UnixNano())
	wall, steady := hook.Wall, hook.Steady
	hook.Wall = func() time.Time { return time.Unix(0, townTime.Load()) }
	hook.Steady = func() time.Duration { return time.Duration(townTime.Load()) }
	t.Cleanup(func() { hook.Wall, hook.Steady = wall, steady })
	imap := "127.0.0.1:1"
	if byMail {
		w.host = program.MailFor(t, program.Account)
		imap = w.host.IMAPAddr()
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "angelpost.toml")
	text := fmt.Sprintf(`%s
address = "%s+{token}@%s"
database = "games.db"
start = "anyone"
[imap]
addr = "%s"
user = "%s"
password_file = "password"
tls = "none"
[smtp]
addr = "%s"
tls = "none"
[http]
addr = "127.0.0.1:0"
base_url = "http://127.0.0.1:1"
`, more, program.Account, program.Domain, imap, program.Account, w.post.addr)
	for name, s := range map[string]string{"angelpost.toml": text, "password": program.Password + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := server.LoadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	if w.s, err = server.Open(t.Context(), c, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	w.line = &line{}
	w.s.Box.Dial = w.line.dial
	lock, err := w.s.TakeOver(t.Context(), byMail)
	if err != nil {
		t.Fatal(err)
	}
	if w.ledger, err = sql.Open("sqlite3", "file:"+filepath.Join(dir, "games.db")+"?mode=ro&_busy_timeout=5000"); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.s.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		w.ledger.Close()
		w.s.Close()
		lock.Free()
	})
	return w
}

func (w *testServer) now() time.Time { return hook.Wall().UTC() }

// until lets time pass up to a moment, and does what falls due on the way when
// it does.
func (w *testServer) until(end time.Time) {
	w.t.Helper()
	for w.now().Before(end) {
		to := end
		next, err := w.s.Desk.NextDue(w.t.Context())
		if err != nil {
			w.t.Fatal(err)
		}
		if !next.IsZero() && next.Before(to) {
			to = next
		}
		if !to.After(w.now()) { // it is due already
			to = w.now().Add(time.Second)
		}
		for w.now().Before(to) { // the heart beats; without that the server would have been away
			townTime.Store(min(to.UnixNano(), w.now().Add(14*time.Minute).UnixNano()))
			if gap, err := w.s.Desk.Beat(w.t.Context()); err != nil || gap != 0 {
				w.t.Fatal("the server was away", gap, err)
			}
		}
		w.settle()
	}
}

// settle waits until nothing moves: what is due now is done, every letter in is
// handled and every letter out is in the sink.
func (w *testServer) settle() {
	w.t.Helper()
	for range 3 { // the third is taken when what the first caused is done
		w.s.Prod()
	}
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
		var in, open, queued, sent int
		err := w.ledger.QueryRow("SELECT (SELECT count(*) FROM letters), (SELECT count(*) FROM letters WHERE state IN (1, 2, 3)), (SELECT count(*) FROM out WHERE state = 1), (SELECT count(*) FROM out WHERE state <> 6)").Scan(&in, &open, &queued, &sent)
		if err == nil && in == w.wrote && open == 0 && queued == 0 && sent == w.post.count() {
			return
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("%d letters of %d came in, %d are not handled; of %d out %d wait, %d have come: %v", in, w.wrote, open, sent, queued, w.post.count(), err)
		}
	}
}

// A townsman is a person who writes to the server.
type townsman struct {
	name, address string
	read          int // number of their letters read
}

// write is a letter of a person's, to the address that bears a token or to the
// server's own.
func (w *testServer) letter(p *townsman, to, inReplyTo string, lines ...string) []byte {
	w.ids++
	if to == "" {
		to = program.Account + "@" + program.Domain
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "From: %s <%s>\r\nTo: <%s>\r\nSubject: orders\r\nDate: %s\r\nMessage-ID: <%d.%s>\r\n", p.name, p.address, to, w.now().Format(time.RFC1123Z), w.ids, p.address)
	if inReplyTo != "" {
		fmt.Fprintf(&b, "In-Reply-To: %s\r\n", inReplyTo)
	}
	b.WriteString("MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + strings.Join(lines, "\r\n") + "\r\n")
	return b.Bytes()
}

// give brings letters to the server.
func (w *testServer) give(p *townsman, letters ...[]byte) {
	w.t.Helper()
	w.wrote += len(letters)
	if w.host != nil {
		for _, raw := range letters {
			if err := mailclient.Deliver(w.host.SMTPAddr(), p.address, program.Account+"@"+program.Domain, raw); err != nil {
				w.t.Fatal(err)
			}
		}
		return
	}
	in := make([]server.Arrival, len(letters))
	for i, raw := range letters {
		in[i] = server.Arrival{Raw: raw, Received: w.now()}
	}
	for i, h := range w.s.Handle(w.t.Context(), in) {
		if h.Err != nil {
			w.t.Fatalf("%v\n%s", h.Err, letters[i])
		}
	}
}

// says writes to the server without a token and returns the answer.
func (w *testServer) says(p *townsman, lines ...string) mailclient.Received {
	w.t.Helper()
	w.give(p, w.letter(p, "", "", lines...))
	return w.answer(p)
}

// replies answers a notice and returns what comes back.
func (w *testServer) replies(p *townsman, n mailclient.Received, lines ...string) mailclient.Received {
	w.t.Helper()
	w.give(p, w.letter(p, replyTo(w.t, n), n.Header.Get("Message-Id"), lines...))
	return w.answer(p)
}

func replyTo(t *testing.T, n mailclient.Received) string {
	t.Helper()
	to, err := mail.ParseAddress(n.Header.Get("Reply-To"))
	if err != nil {
		t.Fatalf("Reply-To %q: %v", n.Header.Get("Reply-To"), err)
	}
	return to.Address
}

// answer is the last letter that has come to somebody, who has read all then.
func (w *testServer) answer(p *townsman) mailclient.Received {
	w.t.Helper()
	w.settle()
	all := w.fetch(p)
	if len(all) == 0 {
		w.t.Fatalf("%s has no answer", p.name)
	}
	return all[len(all)-1]
}

// fetch returns the letters to a townsman that they have not read.
func (w *testServer) fetch(p *townsman) (out []mailclient.Received) {
	w.t.Helper()
	for _, raw := range w.post.of(p.address)[p.read:] {
		p.read++
		mailclient.CheckLetter(w.t, p.address, raw)
		out = append(out, mailclient.ReadNotice(w.t, raw))
	}
	return out
}

// A postSink is an SMTP server that keeps what it takes, by recipient.
type postSink struct {
	addr   string
	mu     sync.Mutex
	got    map[string][][]byte
	n      int
	octets int
	stop   func()                      // it listens no more
	fault  func(verb, to string) error // nil: none
	tried  int                         // letters begun
}

// fails has the sink fail at a verb as told; nil: it works.
func (k *postSink) fails(fault func(verb, to string) error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.fault = fault
}

func (k *postSink) at(verb, to string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if verb == "mail" {
		k.tried++
	}
	if k.fault == nil {
		return nil
	}
	return k.fault(verb, to)
}

func openSink(t *testing.T) *postSink {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	k := &postSink{addr: l.Addr().String(), got: map[string][][]byte{}}
	server := smtp.NewServer(k)
	server.Domain = "sink.test"
	server.MaxMessageBytes = 64 << 20
	k.stop = func() { server.Close() }
	go server.Serve(l)
	t.Cleanup(k.stop)
	return k
}

func (k *postSink) count() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.n
}

func (k *postSink) of(address string) [][]byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.got[address]
}

// take hands out what has come, by recipient, and forgets it.
func (k *postSink) take() map[string][][]byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	got := k.got
	k.got = map[string][][]byte{}
	return got
}

// NewSession implements smtp.Backend.
func (k *postSink) NewSession(*smtp.Conn) (smtp.Session, error) { return &sinking{sink: k}, nil }

type sinking struct {
	sink *postSink
	to   []string
}

func (s *sinking) Mail(string, *smtp.MailOptions) error { return s.sink.at("mail", "") }
func (s *sinking) Reset()                               { s.to = nil }
func (s *sinking) Logout() error                        { return nil }

func (s *sinking) Rcpt(to string, _ *smtp.RcptOptions) error {
	if err := s.sink.at("rcpt", to); err != nil {
		return err
	}
	s.to = append(s.to, to)
	return nil
}

func (s *sinking) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	k := s.sink
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, to := range s.to {
		k.got[to] = append(k.got[to], raw)
		k.n++
		k.octets += len(raw)
	}
	return nil
}
