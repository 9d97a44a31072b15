package web

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
)

// Each request has an id. Every log entry about the request has it, as "request".

type requestKey struct{}

// identified returns r with an id.
func identified(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), requestKey{}, rand.Text()[:8]))
}

// tagging adds the id of the request to what is logged with its context.
type tagging struct{ slog.Handler }

func (t tagging) Handle(ctx context.Context, r slog.Record) error {
	if id, ok := ctx.Value(requestKey{}).(string); ok {
		r.AddAttrs(slog.String("request", id))
	}
	return t.Handler.Handle(ctx, r)
}

func (t tagging) WithAttrs(attrs []slog.Attr) slog.Handler {
	return tagging{t.Handler.WithAttrs(attrs)}
}

func (t tagging) WithGroup(name string) slog.Handler { return tagging{t.Handler.WithGroup(name)} }
