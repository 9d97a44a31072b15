package outbox

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// script is a mail server that answers as told: replies[key] is used up from
// the front, then the usual answer is given. Keys: "connect", "greet", "ehlo",
// "starttls", "auth", "mail", "rset", "quit", and "mail X", "rcpt X", "data X",
// "body X" (in the middle of it), "dot X" for the recipient X. The replies
// "hang" (say nothing more) and "drop" (hang up) are faults of
// the connection; "taken, hang" and "taken, drop" come after the letter has been
// taken. "drip, X" says X, five seconds an octet, and "slow, X" after a while.
type script struct {
	rounds   []error // calls of Config.Round
	mu       sync.Mutex
	replies  map[string][]string
	offer    []string    // of EHLO; nil: 8BITMIME
	tls      *tls.Config // for STARTTLS
	log      *journal
	slow     time.Duration // how long "slow" is
	all      time.Duration // how long every letter takes
	connects int
	open     int // connections
	most     int // of them at once
	perConn  []int
	bodies   map[string][]string // taken, by recipient
	underWay []flight
}

// A flight is a letter with the server: from MAIL until it has answered the dot
// or the connection is closed.
type flight struct {
	to         string
	begin, end time.Time
}

// begin notes that a letter is begun, and returns what notes its end.
func (s *script) begin(to string) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := len(s.underWay)
	s.underWay = append(s.underWay, flight{to: to, begin: time.Now()})
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.underWay[i].end = time.Now()
	})
}

func (s *script) next(key, usual string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if list := s.replies[key]; len(list) > 0 {
		s.replies[key] = list[1:]
		return list[0]
	}
	return usual
}

func (s *script) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	switch r := s.next("connect", ""); r {
	case "":
	case "hang":
		<-ctx.Done()
		return nil, ctx.Err()
	default:
		return nil, errors.New(r)
	}
	client, server := net.Pipe()
	s.mu.Lock()
	conn := s.connects
	s.connects++
	s.open++
	s.most = max(s.most, s.open)
	s.perConn = append(s.perConn, 0)
	s.mu.Unlock()
	go s.serve(server, conn)
	return client, nil
}

func (s *script) serve(conn net.Conn, number int) {
	end := func() {}
	defer func() {
		conn.Close()
		end()
		s.mu.Lock()
		s.open--
		s.mu.Unlock()
	}()
	in := bufio.NewReader(conn)
	say := func(reply string) bool {
		switch reply {
		case "drop":
			return false
		case "hang":
			io.Copy(io.Discard, in)
			return false
		}
		if drip, ok := strings.CutPrefix(reply, "drip, "); ok {
			for _, b := range []byte(drip + "\r\n") {
				time.Sleep(5 * time.Second)
				if _, err := conn.Write([]byte{b}); err != nil {
					return false
				}
			}
			return true
		}
		if later, ok := strings.CutPrefix(reply, "slow, "); ok {
			time.Sleep(s.slow)
			reply = later
		}
		_, err := io.WriteString(conn, reply+"\r\n")
		return err == nil
	}
	if !say(s.next("greet", "220 fake")) {
		return
	}
	to := ""
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimSpace(line)
		verb, arg, _ := strings.Cut(line, " ")
		var reply string
		switch verb {
		case "EHLO":
			offer := s.offer
			if offer == nil {
				offer = []string{"8BITMIME"}
			}
			reply = s.next("ehlo", "250-fake\r\n250-"+strings.Join(offer, "\r\n250-")+"\r\n250 HELP")
		case "STARTTLS":
			reply = s.next("starttls", "220 go on")
			if !say(reply) {
				return
			}
			if strings.HasPrefix(reply, "220") {
				conn = tls.Server(conn, s.tls)
				in = bufio.NewReader(conn)
			}
			continue
		case "AUTH":
			reply = s.next("auth", "235 welcome")
		case "MAIL":
			from, _, _ := strings.Cut(arg, "@")
			from = strings.TrimPrefix(from, "FROM:<angelpost+")
			end = s.begin(from)
			reply = s.next("mail "+from, s.next("mail", "250 ok"))
		case "RCPT":
			to, _, _ = strings.Cut(strings.TrimPrefix(arg, "TO:<"), "@")
			reply = s.next("rcpt "+to, "250 ok")
		case "DATA":
			reply = s.next("data "+to, "354 go on")
			if !say(reply) {
				return
			}
			if !strings.HasPrefix(reply, "354") {
				continue
			}
			early := s.next("body "+to, "")
			switch early {
			case "":
			case "drop":
				return
			case "hang": // the client writes and no one reads
				conn.Write([]byte("4"))
				return
			default:
				go say(early)
			}
			var body strings.Builder
			for line != "." {
				if line, err = in.ReadString('\n'); err != nil {
					return
				}
				body.WriteString(line)
				line = strings.TrimRight(line, "\r\n")
			}
			if early != "" {
				continue
			}
			time.Sleep(s.all)
			reply = s.next("dot "+to, "250 taken")
			lost, taken := strings.CutPrefix(reply, "taken, ")
			if taken || strings.Contains(reply, "250") {
				s.mu.Lock()
				s.perConn[number]++
				if s.bodies == nil {
					s.bodies = map[string][]string{}
				}
				s.bodies[to] = append(s.bodies[to], body.String())
				s.mu.Unlock()
				s.log.add("server took %s", to)
			}
			reply = lost
			if !say(reply) {
				return
			}
			end()
			continue
		case "QUIT":
			say(s.next("quit", "221 bye"))
			return
		case "RSET":
			end()
			reply = s.next("rset", "250 ok")
		default:
			reply = "250 ok"
		}
		if !say(reply) {
			return
		}
	}
}

// journal notes what happened when, from the start of the test.
type journal struct {
	mu    sync.Mutex
	start time.Time
	lines []string
}

func (j *journal) add(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, fmt.Sprintf("%v ", time.Since(j.start))+fmt.Sprintf(format, args...))
}

// queue is a Queue in memory that keeps a journal.
type queue struct {
	mu      sync.Mutex
	letters map[int64]*queued
	log     *journal
	faults  map[string]int // method -> how many of the next calls fail
	slow    time.Duration  // how old an answer of Due is when it is given
	may     func() (bool, <-chan struct{})
}

type queued struct {
	why []Delay
	Letter
	next time.Time
	over bool
}

func (q *queue) fault(method string) error {
	if q.faults[method] > 0 {
		q.faults[method]--
		return errors.New("the disk is full")
	}
	return nil
}

func (q *queue) Due(ctx context.Context, now time.Time, max int, busy Busy) (due []Letter, next time.Time, err error) {
	defer time.Sleep(q.slow) // after the unlock
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.fault("Due"); err != nil {
		return nil, time.Time{}, err
	}
	for _, l := range q.letters {
		if l.over {
			continue
		}
		if !l.next.After(now) {
			if busy.Includes(l.To) {
				continue
			}
			due = append(due, l.Letter)
		} else if next.IsZero() || l.next.Before(next) {
			next = l.next
		}
	}
	slices.SortFunc(due, func(a, b Letter) int { return int(a.ID - b.ID) })
	return due[:min(max, len(due))], next, nil
}

// Includes reports whether letters to an address are passed over.
func (b Busy) Includes(to string) bool {
	recipient, domain := keys(to)
	return slices.Contains(b.Recipients, recipient) || slices.Contains(b.Domains, domain)
}

func (q *queue) Sent(ctx context.Context, letters []Accepted) error {
	for _, a := range letters {
		if err := q.mark("Sent", a.ID, func(l *queued) { l.over = true; q.log.add("sent %s", name(l.Letter)) }); err != nil {
			return err
		}
	}
	return nil
}

func (q *queue) Retry(ctx context.Context, id int64, next time.Time, why Delay) error {
	return q.mark("Retry", id, func(l *queued) {
		l.Attempts++
		l.next, l.why = next, append(l.why, why)
		q.log.add("retry %s in %v", name(l.Letter), time.Until(next))
	})
}

func (q *queue) Failed(ctx context.Context, id int64, at time.Time, cause string) error {
	return q.mark("Failed", id, func(l *queued) { l.over = true; q.log.add("failed %s", name(l.Letter)) })
}

func (q *queue) mark(method string, id int64, f func(*queued)) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.fault(method); err != nil {
		return err
	}
	if q.letters[id].over {
		q.log.add("ERROR %s for letter %d, which was over", method, id)
	}
	f(q.letters[id])
	return nil
}

func name(l Letter) string { n, _, _ := strings.Cut(l.To, "@"); return n }

// play runs a Sender over letters to a, b, c@other.example, … for as long as told;
// a@x.example/30s is queued later.
func play(t *testing.T, letters string, replies map[string][]string, faults map[string]int, connections int, long time.Duration, render Render) (*journal, *script) {
	t.Helper()
	return playOn(t, &queue{faults: faults}, letters, replies, connections, long, render)
}

func playOn(t *testing.T, q *queue, letters string, replies map[string][]string, connections int, long time.Duration, render Render) (*journal, *script) {
	t.Helper()
	return playWith(t, q, &script{replies: replies}, Server{TLS: "none"}, letters, connections, long, render)
}

// playWith is playOn with a server of the test's own, reached as to says.
func playWith(t *testing.T, q *queue, server *script, to Server, letters string, connections int, long time.Duration, render Render) (*journal, *script) {
	t.Helper()
	log := &journal{start: time.Now()}
	server.log = log
	q.letters, q.log = map[int64]*queued{}, log
	for i, to := range strings.Fields(letters) {
		id := int64(i + 1)
		to, after, _ := strings.Cut(to, "/")
		later, _ := time.ParseDuration(after)
		local, _, ok := strings.Cut(to, "@")
		if !ok {
			to += "@x.example"
		}
		from := "angelpost+" + strings.Trim(strings.ReplaceAll(local, "ü", "u"), ">\x00") + "@x.example"
		q.letters[id] = &queued{Letter: Letter{ID: id, From: from, To: to, Queued: time.Now()}, next: time.Now().Add(later)}
	}
	if render == nil {
		render = func(ctx context.Context, l Letter) ([]byte, error) { return []byte("Subject: x\r\n\r\n.dots\r\n"), nil }
	}
	to.Addr, to.Dial = "mail.x.example:587", server.dial
	sender, err := New(Config{
		Server:      to,
		Queue:       q,
		Render:      render,
		Connections: connections,
		Round:       func(_ time.Time, err error) { server.rounds = append(server.rounds, err) },
		May:         q.may,
		Log:         slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	if err := sender.Run(ctx); err != nil {
		t.Fatal(err)
	}
	synctest.Wait() // the server has nothing more to write down
	return log, server
}

func TestRetryTable(t *testing.T) {
	outage := slices.Repeat([]string{"connection refused"}, 3)
	for _, c := range []struct {
		name, letters string
		replies       map[string][]string
		faults        map[string]int
		long          time.Duration
		want          string
		connects      int
	}{
		{name: "all is well, one connection", letters: "a b c", long: time.Second, connects: 1,
			want: "0s server took a, 0s sent a, 0s server took b, 0s sent b, 0s server took c, 0s sent c"},
		{name: "4xx at RCPT puts off that letter only, on the same connection", letters: "a b", long: 2 * time.Minute, connects: 2,
			replies: map[string][]string{"rcpt a": {"451 later"}},
			want:    "0s retry a in 1m0s, 0s server took b, 0s sent b, 1m0s server took a, 1m0s sent a"},
		{name: "4xx again and again backs off", letters: "a", long: 10 * time.Minute, connects: 4,
			replies: map[string][]string{"dot a": {"450 later", "452 later", "451 later"}},
			want:    "0s retry a in 1m0s, 1m0s retry a in 2m0s, 3m0s retry a in 4m0s, 7m0s server took a, 7m0s sent a"},
		{name: "5xx at RCPT is for good", letters: "a b", long: time.Hour, connects: 1,
			replies: map[string][]string{"rcpt a": {"550 nobody"}},
			want:    "0s failed a, 0s server took b, 0s sent b"},
		{name: "5xx at MAIL is for good", letters: "a", long: time.Hour, connects: 1,
			replies: map[string][]string{"mail": {"550 not you"}}, want: "0s failed a"},
		{name: "5xx at DATA and at the dot are for good", letters: "a b", long: time.Hour, connects: 1,
			replies: map[string][]string{"data a": {"554 no"}, "dot b": {"552 too large"}}, want: "0s failed a, 0s failed b"},
		{name: "an outage charges no letter", letters: "a b", long: time.Minute, connects: 1,
			replies: map[string][]string{"connect": outage},
			want:    "35s server took a, 35s sent a, 35s server took b, 35s sent b"},
		{name: "a greeting that refuses is an outage", letters: "a", long: time.Minute, connects: 2,
			replies: map[string][]string{"greet": {"554 go away"}}, want: "5s server took a, 5s sent a"},
		{name: "a login wanted is an outage, not the letter's fault", letters: "a", long: time.Minute, connects: 2,
			replies: map[string][]string{"mail": {"530 log in first"}}, want: "5s server took a, 5s sent a"},
		{name: "421 at MAIL is an outage", letters: "a", long: time.Minute, connects: 2,
			replies: map[string][]string{"mail": {"421 shutting down"}}, want: "5s server took a, 5s sent a"},
		{name: "421 that one letter provokes does not hold up the next", letters: "a b", long: 90 * time.Second, connects: 3,
			replies: map[string][]string{"dot a": {"421 no"}},
			want:    "0s retry a in 1m0s, 0s server took b, 0s sent b, 1m0s server took a, 1m0s sent a"},
		{name: "a connection that breaks under a letter", letters: "a b", long: 90 * time.Second, connects: 3,
			replies: map[string][]string{"dot a": {"drop"}},
			want:    "0s retry a in 1m0s, 0s server took b, 0s sent b, 1m0s server took a, 1m0s sent a"},
		{name: "a server that goes silent under a letter", letters: "a b", long: 5 * time.Minute, connects: 3,
			replies: map[string][]string{"rcpt a": {"hang"}},
			want:    "1m0s retry a in 1m0s, 1m0s server took b, 1m0s sent b, 2m0s server took a, 2m0s sent a"},
		{name: "a connection closed between letters is replaced at once", letters: "a b", long: time.Second, connects: 2,
			replies: map[string][]string{"mail": {"250 ok", "drop"}},
			want:    "0s server took a, 0s sent a, 0s server took b, 0s sent b"},
		{name: "a server tired of the connection says 421 between letters", letters: "a b", long: time.Second, connects: 2,
			replies: map[string][]string{"mail": {"250 ok", "421 enough"}},
			want:    "0s server took a, 0s sent a, 0s server took b, 0s sent b"},
		{name: "sent but not recorded is not sent again", letters: "a", long: time.Minute, connects: 1,
			faults: map[string]int{"Sent": 3}, want: "0s server took a, 7s sent a"},
		{name: "a refusal that cannot be recorded is not heard again", letters: "a", long: time.Minute, connects: 1,
			replies: map[string][]string{"rcpt a": {"550 nobody"}}, faults: map[string]int{"Failed": 3}, want: "7s failed a"},
		{name: "a queue that cannot be read is asked again", letters: "a", long: time.Minute, connects: 1,
			faults: map[string]int{"Due": 2}, want: "10s server took a, 10s sent a"},
		{name: "an address that would break the dialogue fails", letters: "a>b a\x00 c", long: time.Second, connects: 1,
			want: "0s failed a>b, 0s failed a\x00, 0s server took c, 0s sent c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log, server := play(t, c.letters, c.replies, c.faults, 1, c.long, nil)
				if got, want := sorted(log.lines), sorted(strings.Split(c.want, ", ")); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
				if server.connects != c.connects {
					t.Errorf("%d connections, want %d", server.connects, c.connects)
				}
			})
		})
	}
}

func TestHangingLetterHoldsOneWorkerOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, _ := play(t, "a b c", map[string][]string{"rcpt a": {"hang"}}, nil, 2, 90*time.Second, nil)
		for _, want := range []string{"0s server took b", "0s server took c", "1m0s retry a in 1m0s"} { // which of b and c goes first is chance
			if !slices.Contains(log.lines, want) {
				t.Errorf("no %q in %q", want, log.lines)
			}
		}
	})
}

func TestSilenceAfterTheDotIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, _ := play(t, "a", map[string][]string{"dot a": {"hang"}}, nil, 1, 4*time.Minute, nil)
		if got, want := log.lines[0], "2m0s retry a in 1m0s"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestGivesUpAfterDays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, _ := play(t, "a", map[string][]string{"rcpt a": slices.Repeat([]string{"451 later"}, 1000)}, nil, 1, 7*24*time.Hour, nil)
		last := log.lines[len(log.lines)-1]
		at, err := time.ParseDuration(strings.Fields(last)[0])
		if err != nil || !strings.HasSuffix(last, "failed a") || at < 5*24*time.Hour || at > 5*24*time.Hour+maxBackoff {
			t.Errorf("the last line is %q", last)
		}
		if n := len(log.lines); n < 30 || n > 45 {
			t.Errorf("%d tries in five days", n)
		}
	})
}

func TestLongOutageFailsWhatGrewTooOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, server := play(t, "a", map[string][]string{"connect": slices.Repeat([]string{"no route"}, 5000)}, nil, 1, 6*24*time.Hour, nil)
		// Noticed when the pause between two calls ends, at the latest.
		if got := strings.Join(log.lines, ", "); !strings.HasPrefix(got, "120h0m") || !strings.HasSuffix(got, "s failed a") {
			t.Errorf("got %s", got)
		}
		if used := 5000 - len(server.replies["connect"]); used > 6*24*12 {
			t.Errorf("%d calls in an outage of five days", used)
		}
	})
}

// TestRounds: the host can see that the server is away, and that it is back. A refused letter
// is not an outage.
func TestRounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, server := play(t, "a b", map[string][]string{"connect": {"no route", "no route"}, "rcpt b": {"550 no"}}, nil, 1, time.Hour, nil)
		var said []string
		for _, err := range server.rounds {
			said = append(said, fmt.Sprint(err))
		}
		if len(said) != 4 || !strings.Contains(said[0], "no route") || !strings.Contains(said[1], "no route") || said[2] != "<nil>" || said[3] != "<nil>" {
			t.Errorf("%q", said)
		}
	})
}

func TestFaultyRendererIsTheLettersOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		render := func(ctx context.Context, l Letter) ([]byte, error) {
			switch {
			case l.ID == 1 && l.Attempts == 0:
				return nil, errors.New("no such game")
			case l.ID == 2 && l.Attempts == 0:
				panic("index out of range")
			}
			return []byte("Subject: x\r\n\r\nx\r\n"), nil
		}
		log, _ := play(t, "a b c", nil, nil, 1, 70*time.Second, render)
		want := "0s retry a in 1m0s, 0s retry b in 1m0s, 0s server took c, 0s sent c, " +
			"1m0s server took a, 1m0s sent a, 1m0s server took b, 1m0s sent b"
		if got, want := sorted(log.lines), sorted(strings.Split(want, ", ")); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestStopsInTheMiddle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		log, _ := play(t, "a", map[string][]string{"dot a": {"hang"}}, nil, 1, 10*time.Second, nil)
		if took := time.Since(start); took > 14*time.Second {
			t.Errorf("Run returned %v after the start, 10s were given", took)
		}
		if len(log.lines) != 0 {
			t.Errorf("a broken-off letter was reported: %v", log.lines)
		}
	})
}

// A letter that is being rendered when the server is stopped suffers nothing from it.
func TestStopsWhileRendering(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		render := func(ctx context.Context, l Letter) ([]byte, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		log, _ := play(t, "a", nil, nil, 1, 10*time.Second, render)
		if len(log.lines) != 0 {
			t.Errorf("a broken-off letter was reported: %v", log.lines)
		}
	})
}

func TestEveryLetterOnceAndConnectionsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var names []string
		for i := range 500 {
			names = append(names, fmt.Sprintf("p%03d", i))
		}
		log, server := play(t, strings.Join(names, " "), nil, nil, 2, time.Minute, nil)
		taken, sent := map[string]int{}, map[string]int{}
		for _, line := range log.lines {
			words := strings.Fields(line)
			switch who := words[len(words)-1]; words[1] {
			case "server":
				taken[who]++
			case "sent":
				sent[who]++
			default:
				t.Errorf("unexpected %q", line)
			}
		}
		for _, who := range names {
			if taken[who] != 1 || sent[who] != 1 {
				t.Fatalf("%s was taken %d times and recorded %d times", who, taken[who], sent[who])
			}
		}
		for i, n := range server.perConn {
			if n > 50 {
				t.Errorf("connection %d carried %d letters", i, n)
			}
		}
	})
}

// TestRecordsThatCannotBeMadeStopTheSending: what would go out again after a
// crash is bounded, and goes out once without one.
func TestRecordsThatCannotBeMadeStopTheSending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var letters []string
		for i := range 26 {
			letters = append(letters, string(rune('a'+i)), string(rune('A'+i)))
		}
		log, _ := play(t, strings.Join(letters, " "), nil, map[string]int{"Sent": 5}, 2, time.Minute, nil)
		count := func(what string) (n int) {
			for _, l := range log.lines {
				if strings.Contains(l, what) {
					n++
				}
			}
			return n
		}
		if n := count("0s server took"); n > 2*maxUnrecorded+4 {
			t.Errorf("%d letters were sent while none could be recorded", n)
		}
		if took, sent := count("server took"), count(" sent "); took != len(letters) || sent != len(letters) {
			t.Errorf("%d letters sent, %d recorded, want %d", took, sent, len(letters))
		}
	})
}

// sorted puts what was recorded behind what the server took, by moment and text: each
// record has a goroutine of its own, so those of one moment come in any order.
// TestNothingIsSentThatMayNot: nothing is sent before it may be, a session that was opened
// meanwhile is kept, and no letter is charged with the wait.
func TestNothingIsSentThatMayNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin, change := time.Now(), make(chan struct{})
		time.AfterFunc(20*time.Second, func() { close(change) })
		var asked atomic.Int64
		q := &queue{may: func() (bool, <-chan struct{}) {
			if asked.Add(1) == 1 { // and no longer, once a session is being opened
				return true, nil
			}
			return time.Since(begin) >= 20*time.Second, change
		}}
		log, server := playOn(t, q, "a b c/1s", nil, 0, time.Minute, nil)
		for _, to := range []string{"a", "b", "c"} {
			if at := took(t, log, to); at != 20*time.Second {
				t.Errorf("%s left after %v", to, at)
			}
		}
		if strings.Contains(strings.Join(log.lines, "\n"), "retry") {
			t.Errorf("a letter was put off: %q", log.lines)
		}
		if server.most > 2 {
			t.Errorf("%d connections", server.most)
		}
	})
}

// TestNoLetterEndsThatMayNot: a letter that was begun while it might, and that the server
// takes so long to take that it may not any more, ends when it may again, or is broken off
// and goes out later; neither costs it a try.
func TestNoLetterEndsThatMayNot(t *testing.T) {
	for _, again := range []time.Duration{40 * time.Second, 10 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			begin, change := time.Now(), make(chan struct{})
			time.AfterFunc(again, func() { close(change) })
			q := &queue{may: func() (bool, <-chan struct{}) {
				since := time.Since(begin)
				return since < 10*time.Second || since >= again, change
			}}
			// RCPT takes 15 s, and what May said holds for ten.
			server := &script{slow: 15 * time.Second, replies: map[string][]string{"rcpt a": {"slow, 250 ok"}}}
			log, _ := playWith(t, q, server, Server{TLS: "none"}, "a", 0, 15*time.Minute, nil)
			if at := took(t, log, "a"); at < again || at > again+time.Minute {
				t.Errorf("it may end from %v on, and the server took the letter after %v", again, at)
			}
			if strings.Contains(strings.Join(log.lines, "\n"), "retry") {
				t.Errorf("the letter was put off: %q", log.lines)
			}
		})
	}
}

func sorted(lines []string) string {
	var took, recorded []string
	for _, l := range lines {
		if strings.Contains(l, " server took ") {
			took = append(took, l)
		} else {
			recorded = append(recorded, l)
		}
	}
	moment := func(l string) time.Duration {
		at, _, _ := strings.Cut(l, " ")
		d, err := time.ParseDuration(at)
		if err != nil {
			panic(err)
		}
		return d
	}
	slices.SortFunc(recorded, func(a, b string) int { return cmp.Or(cmp.Compare(moment(a), moment(b)), strings.Compare(a, b)) })
	return strings.Join(slices.Concat(took, recorded), ", ")
}

// TestLetterFinishedWhileTheQueueIsRead: the list of due letters may name one
// that has been sent since it was drawn up.
func TestLetterFinishedWhileTheQueueIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, _ := playOn(t, &queue{slow: time.Second}, "a b c", nil, 1, time.Minute, nil)
		want := "1s server took a, 1s sent a, 1s server took b, 1s sent b, 1s server took c, 1s sent c"
		if got, want := sorted(log.lines), sorted(strings.Split(want, ", ")); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestBackoffGrowsToItsBound(t *testing.T) {
	want := []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute}
	for i, w := range want {
		if got := Backoff(i + 1); got != w {
			t.Errorf("Backoff(%d) = %v, want %v", i+1, got, w)
		}
	}
	if got := Backoff(1 << 30); got != 4*time.Hour {
		t.Errorf("Backoff without end = %v", got)
	}
}

func TestLoginClientAnswersDifferentWordings(t *testing.T) {
	for _, questions := range [][]string{{"Username:", "Password:"}, {"User Name\x00", "Password\x00"}, {"", ""}, {"username:", "password:"}} {
		c := &loginClient{user: "u", password: "p"}
		first, err1 := c.Next([]byte(questions[0]))
		second, err2 := c.Next([]byte(questions[1]))
		if string(first) != "u" || string(second) != "p" || err1 != nil || err2 != nil {
			t.Errorf("%q: %q, %q", questions, first, second)
		}
		if _, err := c.Next(nil); err == nil {
			t.Errorf("%q: a third question was answered", questions)
		}
	}
}

// TestRecipientBeyondASCII: a letter to such an address goes to a mail server with SMTPUTF8, and fails
// at another. Others go on.
func TestRecipientBeyondASCII(t *testing.T) {
	for offer, want := range map[string]string{"SMTPUTF8": "sent jürgen", "SIZE": "failed jürgen"} {
		synctest.Test(t, func(t *testing.T) {
			q := &queue{}
			server := &script{offer: []string{"8BITMIME", offer}}
			log, _ := playWith(t, q, server, Server{TLS: "none"}, "jürgen b", 1, time.Minute, nil)
			said := strings.Join(log.lines, "\n")
			if len(server.bodies["b"]) != 1 || (len(server.bodies["jürgen"]) == 1) != (offer == "SMTPUTF8") || !strings.Contains(said, want) {
				t.Errorf("%s: %v\n%s", offer, server.bodies, said)
			}
		})
	}
	if err := ValidAddr("jürgen@x.example"); err == nil {
		t.Error("a player may have that address")
	}
	m := Message{From: Address{Addr: "a@b.example"}, To: Address{Name: "J", Addr: "jürgen@x.example"}, Subject: "x", Date: time.Unix(1, 0), MessageID: "a@b", Text: "x"}
	raw, err := Compose(m)
	if err != nil || !strings.Contains(string(raw), "To: \"J\" <jürgen@x.example>\r\n") {
		t.Errorf("%v:\n%.300s", err, raw)
	}
	for _, bad := range []string{"jür gen@x.example", "jürgen\r\nBcc: x@y@x.example", "jürgen@bücher.example", "jür>gen@x.example", "j\u202eürgen@x.example", strings.Repeat("ü", 33) + "@x.example", "ü", "\xff@x.example"} {
		if m.To.Addr = bad; checkRecipient(bad) == nil {
			t.Errorf("%q is taken for an address", bad)
		}
	}
}
