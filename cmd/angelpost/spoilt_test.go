package main

import (
	"database/sql"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/mail/letter"
)

// TestSpoiltNotice answers a notice whose row nobody can read any more: the
// letter cannot be held against it, and is read and answered all the same.
func TestSpoiltNotice(t *testing.T) {
	data := t.TempDir()
	args := demoArgs(data, "-seats", "human,human", "-seed", strings.Repeat("5a", 32))
	p := start(t, args...)
	mover, _ := sitDown(t, p)
	p.stop()
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
	p = start(t, args...)
	mover.imap, mover.smtp, mover.conn, mover.seen, mover.box = p.values["imap"], p.values["smtp"], nil, 0, nil
	if n := mover.answerTo(mover.write(post{body: mover.last.legal[0] + "\r\n"})); n.result != "applied" {
		t.Errorf("%s\n%s", n.result, head(n.text, 30))
	}
	p.stop()
}

// TestUnreadable has the reader of letters break down: the letter is taken for
// one that cannot be read, and nothing else stops.
func TestUnreadable(t *testing.T) {
	s := &server{conf: &config{}, log: slog.New(slog.DiscardHandler)} // without words the reader has no marker
	l, err := s.read(t.Context(), incoming{raw: []byte("From: a@example.org\r\n\r\nhello\r\n")})
	if err != nil || l.Kind != letter.Broken {
		t.Errorf("%+v, %v", l, err)
	}
}
