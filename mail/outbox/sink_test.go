//go:build real

package outbox_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"angelpost/mail/outbox"
	"angelpost/mail/peers"
)

// due is a Queue in memory that heeds when a letter is due again.
type due struct {
	mu      sync.Mutex
	letters []*row
}

type row struct {
	outbox.Letter
	next   time.Time
	result string // "sent" or "failed: why"
}

func (q *due) Due(ctx context.Context, now time.Time, most int, busy outbox.Busy) (out []outbox.Letter, next time.Time, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, l := range q.letters {
		switch {
		case l.result != "":
		case !l.next.After(now):
			if busy.Includes(l.To) {
				continue
			}
			out = append(out, l.Letter)
		case next.IsZero() || l.next.Before(next):
			next = l.next
		}
	}
	return out[:min(most, len(out))], next, nil
}

func (q *due) mark(id int64, f func(*row)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	f(q.letters[id])
}

func (q *due) Sent(ctx context.Context, letters []outbox.Accepted) error {
	for _, l := range letters {
		q.mark(l.ID, func(r *row) { r.result = "sent" })
	}
	return nil
}

func (q *due) Retry(ctx context.Context, id int64, next time.Time, why outbox.Delay) error {
	q.mark(id, func(l *row) { l.Attempts++; l.next = next })
	return nil
}

func (q *due) Failed(ctx context.Context, id int64, at time.Time, cause string) error {
	q.mark(id, func(l *row) { l.result = "failed: " + cause })
	return nil
}

func (q *due) results() (out []string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, l := range q.letters {
		out = append(out, l.result)
	}
	return out
}

// TestSink runs the Sender against Postfix's smtp-sink, which fails at one verb
// in one way; then a sound server takes its place. Meanwhile the Sender does
// not hammer it, and afterwards every letter that was not refused for good is
// there once: again, unchanged, only if the reply to the last dot was lost.
//
// All ways go on at once, for the Sender waits more than it works: a letter put
// off comes again after a minute.
func TestSink(t *testing.T) {
	var all sync.WaitGroup
	try := func(verb, how string, options ...string) {
		faulty, sound := peers.StartSink(t, true, options...), peers.StartSink(t, true)
		p := peers.StartProxy(t, faulty.Addr, func(int64) peers.Fault { return peers.Fault{} })
		all.Go(func() { testSink(t, verb, how, p, faulty, sound) })
	}
	for option, how := range map[string]string{"-f": "5xx", "-r": "4xx", "-q": "cut", "-Q": "421"} {
		for _, verb := range []string{"CONNECT", "EHLO", "MAIL", "RCPT", "DATA", ".", "RSET", "QUIT"} {
			try(verb, how, option, verb)
		}
	}
	for _, options := range []string{"-W EHLO:3600", "-W MAIL:3600", "-W RCPT:3600", "-w 3600", "-H 3600"} {
		try(options, "stall", strings.Fields(options)...)
	}
	all.Wait()
}

// testSink is called on a goroutine of its own: it must not end the test.
func testSink(t *testing.T, verb, how string, p *peers.Proxy, faulty, sound *peers.Sink) {
	const letters, faultFor = 4, 12 * time.Second
	what := how + " at " + verb
	q := &due{}
	for i := range letters {
		q.letters = append(q.letters, &row{Letter: outbox.Letter{ID: int64(i), From: "a@x.example", To: fmt.Sprintf("p%d@x.example", i), Queued: time.Now()}})
	}
	text := func(id int64) string {
		return fmt.Sprintf("Subject: letter %d\nMessage-ID: <l%d@x.example>\n\n%s", id, id, strings.Repeat("Some text.\n", 2000))
	}
	sender, err := outbox.New(outbox.Config{
		Server: outbox.Server{Addr: p.Addr, TLS: "none"}, Queue: q, LetterTimeout: 10 * time.Second,
		Render: func(ctx context.Context, l outbox.Letter) ([]byte, error) {
			return []byte(strings.ReplaceAll(text(l.ID), "\n", "\r\n")), nil
		},
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Error(err)
		return
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- sender.Run(ctx) }()
	time.Sleep(faultFor)
	if n := p.Opened.Load(); n > 10 {
		t.Errorf("%s: %d connections in %v", what, n, faultFor)
	}
	p.Redirect(sound.Addr)
	p.CutAll()
	over := func() bool {
		for _, r := range q.results() {
			if r == "" {
				return false
			}
		}
		return true
	}
	// What was put off comes again after a minute, or two if it met both.
	for deadline := time.Now().Add(4 * time.Minute); !over(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("%s: not worked off: %q", what, q.results())
			break
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("%s: %v", what, err)
	}
	taken := map[string]int{}
	for _, sink := range []*peers.Sink{faulty, sound} {
		for id, n := range sink.Letters(t) {
			taken[id] += n
		}
	}
	for i, result := range q.results() {
		n := taken[fmt.Sprintf("<l%d@x.example>", i)]
		refused := how == "5xx" && (verb == "MAIL" || verb == "RCPT" || verb == "DATA" || verb == ".")
		lost := verb == "." // smtp-sink keeps a letter before it answers the dot
		switch {
		case refused != strings.HasPrefix(result, "failed"):
			t.Errorf("%s: letter %d: %s", what, i, result)
		case !refused && (n < 1 || n > 1 && !lost || n > 2), refused && n > 0 && !lost:
			t.Errorf("%s: letter %d (%s) arrived %d times", what, i, result, n)
		}
	}
	if len(taken) > letters {
		t.Errorf("%s: %d different letters arrived", what, len(taken))
	}
}
