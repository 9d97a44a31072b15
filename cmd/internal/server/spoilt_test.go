package server

import (
	"database/sql"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/engine/incoming"
	"angelpost/engine/match/seating"
)

// TestSpoiltNotice answers a notice whose row nobody can read any more: the
// letter cannot be held against it, and is read and answered all the same.
func TestSpoiltNotice(t *testing.T) {
	data := t.TempDir()
	args := program.DemoArgs(data, "-seats", "human,human", "-seed", strings.Repeat("5a", 32))
	p := program.Start(t, args...)
	mover, _ := mailclient.SitDown(t, p)
	p.Stop()
	raw, err := sql.Open("sqlite3", filepath.Join(data, "angelpost.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.Exec("UPDATE out SET answer = x'00'"); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	p = program.Start(t, args...)
	mover.IMAP, mover.SMTP, mover.Conn, mover.Seen, mover.Box = p.Values["imap"], p.Values["smtp"], nil, 0, nil
	if n := mover.AnswerTo(mover.Write(mailclient.Post{Body: mover.Last.Legal[0] + "\r\n"})); n.Result != "applied" {
		t.Errorf("%s\n%s", n.Result, mailclient.Head(n.Text, 30))
	}
	p.Stop()
}

// TestUnreadable has the reader of letters break down: the letter is taken for
// one that cannot be read, and nothing else stops.
func TestUnreadable(t *testing.T) {
	s := &Server{Conf: &Config{}, log: slog.New(slog.DiscardHandler)} // without words the reader has no marker
	l, err := s.read(t.Context(), Arrival{Raw: []byte("From: a@example.org\r\n\r\nhello\r\n")})
	if err != nil || l.Kind != incoming.Broken {
		t.Errorf("%+v, %v", l, err)
	}
}

// TestSpoiltLetterIsGivenUp gives a letter up whose row nobody can read: that
// nobody can be told does not keep it in the queue.
func TestSpoiltLetterIsGivenUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "angelpost.toml")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(ConfigTemplate, "%[1]s", path)), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := LoadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	order := seating.NewGameOrder{Started: true, Players: []seating.NewPlayer{{Address: "ann@example.org", Name: "Ann"}, {Address: "bob@example.org", Name: "Bob"}}}
	if _, err := s.Desk.NewGame(t.Context(), order); err != nil {
		t.Fatal(err)
	}
	soon := time.Now().Add(time.Minute)
	due, _, err := s.DB.Due(t.Context(), soon, 10)
	if err != nil || len(due) == 0 {
		t.Fatal(len(due), err)
	}
	raw, err := sql.Open("sqlite3", filepath.Join(filepath.Dir(path), "angelpost.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.Exec("UPDATE out SET answer = x'00' WHERE id = ?", due[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := (queue{s}).Failed(t.Context(), due[0].ID, soon, "550"); err != nil {
		t.Fatal(err)
	}
	var queued int
	if err := raw.QueryRow("SELECT count(*) FROM out WHERE id = ? AND state = 1", due[0].ID).Scan(&queued); err != nil || queued != 0 {
		t.Errorf("it is still queued (%d, %v)", queued, err)
	}
}
