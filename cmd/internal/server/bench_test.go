package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
)

// benchServer is a server over a real database with a four-player game of one
// person and three bots, and its first turn notice.
func benchServer(b *testing.B) (*Server, notice.Message) {
	b.Helper()
	dir := b.TempDir()
	path := filepath.Join(dir, "angelpost.toml")
	text := strings.ReplaceAll(ConfigTemplate, "%[1]s", path)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	c, err := LoadConfig(path)
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	s, err := Open(ctx, c, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	_, err = s.Desk.NewGame(ctx, seating.NewGameOrder{
		Players:   []seating.NewPlayer{{Address: "bot"}, {Address: "bot"}, {Address: "ann@example.org", Name: "Ann"}, {Address: "bot"}},
		Organiser: "ann@example.org", Started: true,
	})
	if err != nil {
		b.Fatal(err)
	}
	due, _, err := s.DB.Due(ctx, time.Now(), 10)
	if err != nil || len(due) == 0 {
		b.Fatalf("%d letters, %v", len(due), err)
	}
	return s, due[len(due)-1].Message
}

// BenchmarkNotice makes the bytes of a notice from its recipe: position, text,
// HTML, picture and MIME.
func BenchmarkNotice(b *testing.B) {
	s, r := benchServer(b)
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		raw, err := s.Render(context.Background(), r)
		if err != nil {
			b.Fatal(err)
		}
		size = len(raw)
	}
	b.ReportMetric(float64(size)/1024, "KiB")
}

// BenchmarkServedPage answers a player's page from the database, the position
// in memory.
func BenchmarkServedPage(b *testing.B) {
	s, r := benchServer(b)
	h := s.Pages()
	req := httptest.NewRequest(http.MethodGet, "/g/"+r.Game+"/"+r.PageKey, nil)
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req)
		if w.Code != http.StatusOK {
			b.Fatal(w.Code)
		}
		size = w.Body.Len()
	}
	b.ReportMetric(float64(size)/1024, "KiB")
}
