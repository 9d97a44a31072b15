package outbox

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// What is reloaded during an outage is tried at once.
func TestReloadEndsAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &journal{start: time.Now()}
		q := &queue{log: log, letters: map[int64]*queued{1: {Letter: Letter{ID: 1, From: "angelpost+a@x.example", To: "a@x.example", Queued: time.Now()}}}}
		was := &script{log: log, replies: map[string][]string{"connect": slices.Repeat([]string{"connection refused"}, 9)}}
		is := &script{log: log}
		sender, err := New(Config{
			Server: Server{Addr: "mail.x.example:587", TLS: "none", Dial: was.dial}, Queue: q, Log: slog.New(slog.DiscardHandler),
			Render: func(context.Context, Letter) ([]byte, error) { return []byte("Subject: x\r\n\r\nx\r\n"), nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(20*time.Second, func() { sender.Reload(Server{Addr: "mail.x.example:587", TLS: "none", Dial: is.dial}) })
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		if err := sender.Run(ctx); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got, want := strings.Join(log.lines, ", "), "20s server took a, 20s sent a"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}
