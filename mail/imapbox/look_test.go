package imapbox_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"angelpost/mail/imapbox"
)

// TestLooks: a look is complete once the watcher has handled all letters that were in the
// folder at its start, and never while the Handler cannot work. The watcher looks at once
// when it gets a request.
func TestLooks(t *testing.T) {
	p := hostPeer(t)
	var began, done, handled, works atomic.Int64
	ask := make(chan struct{}, 1)
	early := make(chan string, 100)
	p.config.Log = slog.New(slog.DiscardHandler)
	p.config.Pause, p.config.IdleFor = time.Millisecond, time.Hour
	p.config.Ask = ask
	p.config.Looking = func() func() {
		began.Add(1)
		return func() {
			if works.Load() == 1 && handled.Load() == 0 {
				early <- "a look is done, and the letter is not handled"
			}
			if works.Load() == 0 {
				early <- "a look is done while the handler cannot work"
			}
			done.Add(1)
		}
	}
	p.deliver(t, letter("one"))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- imapbox.Run(ctx, p.config, imapbox.Each(func(context.Context, imapbox.Fetched) (imapbox.Disposition, error) {
			if began.Load() < 3 {
				return 0, fmt.Errorf("%w: the disk is full", imapbox.ErrNotNow)
			}
			works.Store(1)
			handled.Add(1)
			return imapbox.Done, nil
		}))
	}()
	until := func(what string, holds func() bool) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("it never came to this: %s", what)
			}
		}
	}
	until("a look is done", func() bool { return done.Load() > 0 && handled.Load() == 1 })
	time.Sleep(50 * time.Millisecond) // until it idles
	before := done.Load()
	ask <- struct{}{}
	until("it looks when asked", func() bool { return done.Load() > before })
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	select {
	case what := <-early:
		t.Error(what)
	default:
	}
}
