//go:build real

package server

import (
	"bytes"
	"database/sql"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-smtp"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
	"angelpost/engine/store"
	"angelpost/mail/peers"
)

var pipelineLetters = flag.Int("letters", 60, "letters of the pipeline's test")

const emptyUser = "empty"

// A pipe is a server's mail between Dovecot and Postfix's smtp-sink, and a
// backlog of letters for it whose end is known.
type pipe struct {
	dovecot *peers.Dovecot
	sink    *peers.Sink
	relay   *peers.Proxy // between the sink and all that is sent: it knows when the last letter was taken
	config  string       // of the server the backlog is for
	shadow  string       // of one that has worked it off
	backlog []inLetter
	games   []string
}

// An inLetter is a letter in, and the sizes of the letters out that it causes.
type inLetter struct {
	raw []byte
	out []int
}

// startPipe starts the peers; users have mailboxes besides the server.
func startPipe(t *testing.T, dump bool, users ...string) *pipe {
	t.Helper()
	p := &pipe{dovecot: peers.StartDovecot(t, "/", append(users, mailclient.ServerUser)...), sink: peers.StartSink(t, dump)}
	p.relay = peers.StartProxy(t, p.sink.Addr, func(int64) peers.Fault { return peers.Fault{} })
	return p
}

// newPipe starts the peers and prepares n letters for the server: the first
// turns of as many games of two as it takes, one step and the rest of the turn
// in letters of their own. Every other letter quotes the notice it answers.
// Letters of one game keep their order; those between are of others.
func newPipe(t *testing.T, n int, dump bool) *pipe {
	t.Helper()
	p := startPipe(t, dump, emptyUser)
	p.config = p.configure(t, "games")
	p.shadow = p.configure(t, "shadow")
	ctx := t.Context()
	s := p.open(t, p.config)
	var notices []notice.Message // each seat's letter at the start
	for i := range (n + 3) / 4 { // a game is good for four letters at least
		id, err := s.Desk.NewGame(ctx, seating.NewGameOrder{Started: true, Players: []seating.NewPlayer{
			{Address: fmt.Sprintf("a%d@example.org", i/4), Name: "Ann"}, {Address: fmt.Sprintf("b%d@example.org", i/4), Name: "Bo"}}})
		if err != nil {
			t.Fatal(err)
		}
		p.games = append(p.games, id)
		notices = append(notices, take(t, s)...)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(filepath.Dir(p.config), "games.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(p.shadow), "shadow.db"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	s = p.open(t, p.shadow)
	defer s.Close()
	last := map[string]notice.Message{} // by game and seat
	for _, r := range notices {
		last[seatOf(r)] = r
	}
	for round := 0; len(p.backlog) < n; round++ {
		before := len(p.backlog)
		for _, id := range p.games {
			if len(p.backlog) == n {
				break
			}
			raw := p.next(t, s, id, round, notices, last)
			if raw == nil {
				continue
			}
			h := s.Handle(ctx, []Arrival{{Raw: raw, Received: time.Now()}})
			if h[0].Err != nil || h[0].Outcome != desk.Answered {
				t.Fatalf("the shadow: %+v\n%s", h[0], raw)
			}
			in := inLetter{raw: raw}
			for _, r := range take(t, s) {
				if r.Result == notice.Refused || r.Result == notice.Partial {
					t.Fatalf("the shadow answers %s to\n%s", r.Result, raw)
				}
				b, err := s.Render(ctx, r)
				if err != nil {
					t.Fatal(err)
				}
				in.out = append(in.out, len(b))
				last[seatOf(r)] = r
			}
			p.backlog = append(p.backlog, in)
		}
		if len(p.backlog) == before {
			t.Fatalf("%d games gave %d letters, want %d", len(p.games), before, n)
		}
	}
	return p
}

func seatOf(r notice.Message) string { return fmt.Sprint(r.Game, " ", r.Seat) }

// next returns the next letter of a game, from the player who must decide and is still
// in the turn that their letter at the start is good for, or nil if there is none.
func (p *pipe) next(t *testing.T, s *Server, game string, round int, notices []notice.Message, last map[string]notice.Message) []byte {
	t.Helper()
	i := slices.IndexFunc(notices, func(r notice.Message) bool { return r.Game == game })
	for _, start := range notices[i : i+2] {
		now := last[seatOf(start)]
		sheet, err := s.Desk.Host().Input(t.Context(), now)
		if err != nil {
			t.Fatal(err)
		}
		if len(sheet.Legal) == 0 || sheet.View.Decision == 0 {
			continue
		}
		turn := 0
		if err := s.DB.View(t.Context(), func(tx store.Tx) error {
			k, err := tx.Token(now.Token)
			turn = k.Turn
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if turn > 0 {
			continue
		}
		orders := sheet.Example
		if round == 0 {
			orders = orders[:1]
		}
		var b bytes.Buffer
		n := len(p.backlog)
		fmt.Fprintf(&b, "From: %s\r\nTo: %s\r\nSubject: Re: your turn\r\nDate: %s\r\nMessage-ID: <%d.pipeline@example.org>\r\nIn-Reply-To: <%s>\r\n",
			start.To, s.ReplyTo(start.Token), time.Now().Format(time.RFC1123Z), n, start.MessageID)
		fmt.Fprintf(&b, "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n%s\r\n", strings.Join(orders, "\r\n"))
		if n%2 == 1 {
			notice, err := s.Desk.Host().Input(t.Context(), start)
			if err != nil {
				t.Fatal(err)
			}
			body, err := s.Body(notice)
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString("\r\nOn Saturday Angelpost wrote:\r\n")
			for line := range strings.Lines(body.Text) {
				b.WriteString("> " + strings.TrimRight(line, "\n") + "\r\n")
			}
		}
		return b.Bytes()
	}
	return nil
}

// configure writes a server's configuration; its database bears the same name.
func (p *pipe) configure(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".toml")
	text := fmt.Sprintf(`address = "%s+{token}@%s"
database = "%s.db"
answers_per_day = 100000

[imap]
addr = "%s"
user = "%s"
password_file = "%s"
tls = "none"

[smtp]
addr = "%s"
tls = "none"

[lmtp]
addr = "127.0.0.1:0"

[http]
addr = "127.0.0.1:0"
base_url = "http://127.0.0.1:1"
`, mailclient.ServerUser, peers.Domain, name, p.dovecot.IMAPAddr, mailclient.ServerUser, p.dovecot.PasswordFile, p.relay.Addr)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// open is the server of a configuration in this process.
func (p *pipe) open(t *testing.T, config string) *Server {
	t.Helper()
	c, err := LoadConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// take takes what is queued out of the queue, as if it had been sent.
func take(t *testing.T, s *Server) (out []notice.Message) {
	t.Helper()
	due, _, err := s.DB.Due(t.Context(), time.Now().Add(time.Minute), 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range due {
		if err := s.DB.Sent(t.Context(), r.ID); err != nil {
			t.Fatal(err)
		}
		out = append(out, r.Message)
	}
	return out
}

// fill puts letters into a mailbox, in their order.
func (p *pipe) fill(t *testing.T, user string, letters []inLetter) {
	t.Helper()
	c := mailclient.Login(t, p.dovecot.IMAPAddr, user, peers.Password)
	defer c.Close()
	for _, l := range letters {
		cmd := c.Append("INBOX", int64(len(l.raw)), nil)
		if _, err := cmd.Write(l.raw); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}

// empty takes letters through turns of nothing, batch at a time: fetch them,
// commit them once as a database must to be believed (synchronous FULL), send
// what each would have caused on as many connections as the server uses, file
// them away. It returns how long each batch took until the last of its letters
// was taken, and all of it.
func (p *pipe) empty(t *testing.T, letters []inLetter, batch, connections int) (until []time.Duration, all time.Duration) {
	t.Helper()
	store, err := sql.Open("sqlite3", "file:"+filepath.Join(t.TempDir(), "empty.db")+"?_journal_mode=WAL&_txlock=immediate&_synchronous=FULL")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	store.SetMaxOpenConns(1)
	if _, err := store.Exec("CREATE TABLE IF NOT EXISTS letters (id INTEGER PRIMARY KEY, raw BLOB)"); err != nil {
		t.Fatal(err)
	}
	c := mailclient.Login(t, p.dovecot.IMAPAddr, emptyUser, peers.Password)
	defer c.Close()
	if err := c.Create("Done", nil).Wait(); err != nil && !strings.Contains(err.Error(), "exists") {
		t.Fatal(err)
	}
	if _, err := c.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	found, err := c.UIDSearch(&imap.SearchCriteria{}, nil).Wait()
	if err != nil {
		t.Fatal(err)
	}
	uids := found.AllUIDs()
	if len(uids) != len(letters) {
		t.Fatalf("%d letters in the mailbox, want %d", len(uids), len(letters))
	}
	type job struct {
		size int
		done chan<- error
	}
	jobs := make(chan job)
	defer close(jobs)
	for range connections {
		session, err := smtp.Dial(p.relay.Addr)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			defer session.Close()
			for j := range jobs {
				j.done <- session.SendMail("a@example.org", []string{"b@example.org"}, bytes.NewReader(mailOf(j.size)))
			}
		}()
	}
	body := &imap.FetchItemBodySection{Peek: true}
	begin := time.Now()
	for len(letters) > 0 {
		from := time.Now()
		n := min(batch, len(letters))
		set := imap.UIDSetNum(uids[:n]...)
		msgs, err := c.Fetch(set, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{body}}).Collect()
		if err != nil || len(msgs) != n {
			t.Fatalf("%d letters of %d: %v", len(msgs), n, err)
		}
		tx, err := store.Begin()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range msgs {
			if _, err := tx.Exec("INSERT INTO letters (raw) VALUES (?)", m.FindBodySection(body)); err != nil {
				t.Fatal(err)
			}
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 8*n)
		out := 0
		for _, l := range letters[:n] {
			for _, size := range l.out {
				jobs <- job{size, done}
				out++
			}
		}
		for range out {
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		}
		until = append(until, time.Since(from))
		if _, err := c.Move(set, "Done").Wait(); err != nil {
			t.Fatal(err)
		}
		letters, uids = letters[n:], uids[n:]
	}
	return until, time.Since(begin)
}

// mailOf is a letter of a size that says nothing.
func mailOf(size int) []byte {
	line := strings.Repeat("x", 74) + "\r\n"
	b := []byte("From: a@example.org\r\nSubject: nothing\r\n\r\n" + strings.Repeat(line, size/len(line)+1))
	return append(b[:max(size-2, 60)], "\r\n"...)
}

// drain waits until the server of a configuration has taken n letters and sent
// all it owes, and returns when that was.
func drain(t *testing.T, config string, n int) time.Time {
	t.Helper()
	store := program.Ledger(t, config)
	defer store.Close()
	return drained(t, store, n)
}

// drained is drain for a server's database that is open. It counts again when
// something was committed, and not too often, for it takes time from the server.
func drained(t *testing.T, store *sql.DB, n int) time.Time {
	t.Helper()
	store.SetMaxOpenConns(1) // the version is a connection's own
	deadline := time.Now().Add(time.Duration(n)*200*time.Millisecond + time.Minute)
	for last := -1; ; {
		var version, in, open, queued int
		if err := store.QueryRow("PRAGMA data_version").Scan(&version); err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		if version == last && now.Before(deadline) {
			// Go's own sleep of less than a millisecond takes one where nothing else runs.
			syscall.Nanosleep(&syscall.Timespec{Nsec: 100_000}, nil)
			continue
		}
		last = version
		if err := store.QueryRow("SELECT (SELECT count(*) FROM letters), (SELECT count(*) FROM letters WHERE state = 1 AND state IN (1, 2, 3)), (SELECT count(*) FROM out WHERE state = 1)").Scan(&in, &open, &queued); err != nil {
			t.Fatal(err)
		}
		if in == n && open == 0 && queued == 0 {
			return now
		}
		if now.After(deadline) {
			t.Fatalf("%d letters of %d taken, %d not applied, %d not sent", in, n, open, queued)
		}
		if n-in > 20 || open+queued > 20 {
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// check compares the server with its shadow: the same lines in every game, in
// the same order, the same letters to the same people, all sent.
func (p *pipe) check(t *testing.T) {
	t.Helper()
	var logs, letters [2][]string
	for i, config := range []string{p.config, p.shadow} {
		store := program.Ledger(t, config)
		logs[i] = program.Column(t, store, "SELECT game || ' ' || n || ' ' || seat || ' ' || line || ' ' || told FROM log ORDER BY game, n")
		letters[i] = program.Column(t, store, `SELECT text || ' game ' || game || ' seat ' || seat || ' kind ' || kind || ' since ' || since || ' step ' || step
			|| ' result ' || result || ' state ' || state FROM out JOIN texts ON texts.id = address ORDER BY 1`)
		if wrong := program.Column(t, store, "SELECT id || ' ' || why FROM letters WHERE state <> 0"); len(wrong) > 0 {
			t.Errorf("letters in that were not answered: %q", wrong)
		}
		store.Close()
	}
	if !slices.Equal(logs[0], logs[1]) {
		t.Errorf("the games differ: %d lines, want %d", len(logs[0]), len(logs[1]))
	}
	if !slices.Equal(letters[0], letters[1]) {
		t.Errorf("the letters out differ: %d, want %d", len(letters[0]), len(letters[1]))
	}
}

// TestPipeline works off a backlog of letters with everything rendered, and
// takes the same letters through turns of nothing, one at a time and in
// batches, beside it. Some more letters it hands over by LMTP, one at a time.
func TestPipeline(t *testing.T) {
	n := *pipelineLetters
	single := min(n/4, 200)
	p := newPipe(t, n+single, false)
	backlog := p.backlog[:n]
	out, octets := 0, 0
	for _, l := range backlog {
		out += len(l.out)
		for _, size := range l.out {
			octets += size
		}
	}
	t.Logf("%d letters in, %d out of %d octets on average", n, out, octets/out)
	rate := func(d time.Duration) float64 { return float64(n) / d.Seconds() }

	// Half of nothing before and half after, for the machine may do other things.
	var oneByOne, batched time.Duration
	nothing := func(letters []inLetter) {
		p.fill(t, emptyUser, letters)
		_, d := p.empty(t, letters, 1, 1)
		oneByOne += d
		p.fill(t, emptyUser, letters)
		_, d = p.empty(t, letters, 50, 2)
		batched += d
	}
	nothing(backlog[:n/2])
	p.fill(t, mailclient.ServerUser, backlog)
	begin := time.Now()
	daemon := program.Start(t, "serve", "-config", p.config)
	ready := time.Since(begin)
	real := rate(drain(t, p.config, n).Sub(begin) - ready)
	nothing(backlog[n/2:])
	var untilEmpty, handled, until, recorded []time.Duration
	store := program.Ledger(t, p.config)
	defer store.Close()
	for done := n; done < len(p.backlog); { // a few at a time by turns, for the machine may do other things
		some := p.backlog[done:min(done+10, len(p.backlog))]
		p.fill(t, emptyUser, some)
		each, _ := p.empty(t, some, 1, 1)
		untilEmpty = append(untilEmpty, each...)
		for _, l := range some {
			took := mailclient.DeliverLMTP(t, daemon.Values["lmtp"], "a@example.org", mailclient.ServerUser+"@"+peers.Domain, l.raw)
			begun := time.Now().Add(-took)
			handled = append(handled, took)
			done++
			recorded = append(recorded, drained(t, store, done).Sub(begun))
			until = append(until, p.relay.Answered().Sub(begun))
		}
	}
	daemon.Stop()
	p.check(t)
	used := daemon.Cmd.ProcessState.SystemTime() + daemon.Cmd.ProcessState.UserTime()
	t.Logf("turns a second: %.0f; of nothing one at a time %.0f (ratio %.2f), in batches %.0f (ratio %.2f)",
		real, rate(oneByOne), real/rate(oneByOne), rate(batched), real/rate(batched))
	t.Logf("by LMTP, medians: %v to the acknowledgment, %v until the last letter is sent, %v of nothing (ratio %.2f); %v until that is recorded, too",
		median(handled), median(until), median(untilEmpty), float64(median(until))/float64(median(untilEmpty)), median(recorded))
	t.Logf("the server used %v of processor time a letter", used/time.Duration(len(p.backlog)))
	// The aims are 0.6, 0.5 and twice the time of nothing; mail/RELIABILITY.md
	// says how far they are reached. What is asserted tells only of a step back.
	if *soaking && real < 0.4*rate(oneByOne) {
		t.Errorf("turns at %.2f of those of nothing, want 0.4 at least", real/rate(oneByOne))
	}
	if *soaking && median(handled) > 100*time.Millisecond {
		t.Errorf("a letter handed over takes %v to be handled, want 100 ms at most", median(handled))
	}
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}
