package outbox_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"angelpost/mail/mailhost"
	"angelpost/mail/outbox"
)

// urgentRows is rows that hands out urgent letters first.
type urgentRows struct {
	*rows
	order []int64 // in which letters were sent
}

func (r *urgentRows) Due(ctx context.Context, now time.Time, max int, busy outbox.Busy) ([]outbox.Letter, time.Time, error) {
	all, next, err := r.rows.Due(ctx, now, 1000, busy)
	slices.SortStableFunc(all, func(a, b outbox.Letter) int {
		if a.Urgent == b.Urgent {
			return 0
		} else if a.Urgent {
			return -1
		}
		return 1
	})
	return all[:min(max, len(all))], next, err
}

func (r *urgentRows) Sent(ctx context.Context, letters []outbox.Accepted) error {
	r.mu.Lock()
	for _, a := range letters {
		r.order = append(r.order, a.ID)
	}
	r.mu.Unlock()
	return r.rows.Sent(ctx, letters)
}

// TestSendingLimits holds at a mail server that only as many letters go as may, urgent ones
// first although they were queued last, that the log says so, and that others go when their
// time has come. All are to one address, so that one goes after the other: the order does not
// depend on how long each takes.
func TestSendingLimits(t *testing.T) {
	h, err := mailhost.Start(mailhost.Config{Dir: t.TempDir(), Accounts: []string{"alpha"}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	var clock sync.Mutex
	now := time.Now()
	q := &urgentRows{rows: &rows{result: map[int64]string{}, changed: make(chan struct{}, 1000)}}
	for i := int64(1); i <= 300; i++ { // more than a Sender holds in memory
		q.letters = append(q.letters, outbox.Letter{ID: i, From: h.Address("alpha"), To: h.Address("alpha"), Queued: now, Urgent: i > 295})
	}
	var log bytes.Buffer
	wake := make(chan struct{}, 1)
	s, err := outbox.New(outbox.Config{
		Server: outbox.Server{Addr: h.SMTPAddr(), TLS: "none"}, Queue: q, Wake: wake, Limits: outbox.Limits{PerDay: 10},
		Render: func(_ context.Context, l outbox.Letter) ([]byte, error) {
			return []byte(fmt.Sprintf("Subject: %d\r\n\r\nHello.\r\n", l.ID)), nil
		},
		Now: func() time.Time { clock.Lock(); defer clock.Unlock(); return now },
		Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Run(ctx) }()
	wait := func(n int) {
		t.Helper()
		for range n {
			select {
			case <-q.changed:
			case <-time.After(time.Minute):
				t.Fatal("no letter goes")
			}
		}
	}
	pass := func(d time.Duration) {
		clock.Lock()
		now = now.Add(d)
		clock.Unlock()
		wake <- struct{}{}
	}
	wait(6) // all that are urgent, and an ordinary one: half of ten is gone then
	pass(5 * time.Hour)
	wait(1)
	q.mu.Lock()
	q.letters = append(q.letters, outbox.Letter{ID: 400, From: h.Address("alpha"), To: h.Address("alpha"), Queued: now, Urgent: true})
	q.mu.Unlock()
	wake <- struct{}{}
	wait(1) // while ordinary ones wait
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if want := []int64{296, 297, 298, 299, 300, 1, 2, 400}; !slices.Equal(q.order, want) {
		t.Errorf("sent in this order: %v, want %v", q.order, want)
	}
	if n := strings.Count(log.String(), "letters wait, because"); n != 1 || !strings.Contains(log.String(), "per_day=10") {
		t.Errorf("the log says %d times that letters wait:\n%s", n, &log)
	}
}
